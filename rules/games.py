"""Every game that is tracked, by name."""

from collections.abc import Mapping
from typing import Literal, get_args

from rules.countermatch import CounterMatch
from rules.counters import CounterGame
from rules.match import Game, Match
from rules.profile import Profile
from rules.seats import BoardName

AnyGame = Literal[Game, CounterGame]
AnyMatch = Match | CounterMatch
GAMES: tuple[AnyGame, ...] = (*get_args(Game), *get_args(CounterGame))


def new_match(game: AnyGame, profile: Profile | None = None, start: Mapping[BoardName, str] | None = None) -> AnyMatch:
    """A match before its first ply. Raises ValueError for a start that is none."""
    if game == "quadwrangle" or game == "affollata":
        return CounterMatch(game, start)
    return Match(game, profile, start)
