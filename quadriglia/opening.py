"""A match before its first ply: of which game, under which rules, and from which start.

Counters may start as they lie on the table; then the camera has to have seen them before there is a match.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from calibration.view import View
from quadriglia.boards import LOOKS, first_pictures, search
from quadriglia.errors import UserError
from quadriglia.gamefile import read_text
from quadriglia.lookout import Post
from quadriglia.sight import Image, Sight
from rules.countermatch import GAMES as COUNTER_GAMES
from rules.countermatch import CounterMatch, start_faults
from rules.counterrecord import game_of
from rules.counters import CounterGame
from rules.games import GAMES, AnyGame, AnyMatch, new_match
from rules.notation import parse
from rules.profile import Profile
from vision.camera import CameraSource
from vision.source import Source


@dataclass(frozen=True, slots=True)
class OnTheTable:
    """A game whose start is read off the table."""

    game: CounterGame


def choose_game(text: str) -> AnyGame:
    """The game of that name. Raises UserError."""
    for game in GAMES:
        if text.lower() == game:
            return game
    raise UserError("game", game=text, games=", ".join(GAMES))


def choose_match(text: str, profile: Profile | None, start: str | None) -> AnyMatch | OnTheTable:
    """A match of that game, before its first ply, under `profile` if one is given. `start`: of a game with counters,
    by name, as a position, or the file of a record that starts from it. Raises UserError."""
    game = choose_game(text)
    if profile and game != "bughouse":
        raise UserError("one_board_profile", game=game)
    if game == "quadwrangle" or game == "affollata":
        return _counters(game, start) if start else OnTheTable(game)
    if start:
        raise UserError("no_start", game=game)
    return new_match(game, profile)


def _counters(game: CounterGame, start: str) -> CounterMatch:
    try:
        text = _from_file(Path(start)) if Path(start).is_file() else start
        match = CounterMatch(game, {"A": text})
    except ValueError as error:
        raise UserError("start", start=start, fault=str(error)) from error
    if faults := start_faults(match.board()):
        raise UserError("start", start=start, fault=faults[0])
    return match


def _from_file(path: Path) -> str:
    """The position of a file, or the start of the record in it. Raises ValueError."""
    text = read_text(path)
    if "[" not in text:
        return text
    return game_of(next(iter(parse(text)))).match.fresh().board().fen()


def begun(match: AnyMatch | OnTheTable, source: Source | CameraSource, view: View, sight: Sight) -> AnyMatch:
    """The match, which begins with what the first pictures of a source show where nothing else was said. Raises
    UserError."""
    if not isinstance(match, OnTheTable):
        return match
    for images in _groups(first_pictures(source)):
        start = sight.start(images, view)
        if start is not None:
            return CounterMatch(match.game, {"A": start})
    raise UserError("start_unseen", path=source.path, names=", ".join(COUNTER_GAMES[match.game].STARTS))


def begun_live(match: AnyMatch | OnTheTable, posts: list[Post], sight: Sight) -> tuple[AnyMatch, list[Post]]:
    """The same at a live camera, and the posts with the board that was found for it. Raises UserError."""
    if not isinstance(match, OnTheTable):
        return match, posts
    (post,) = posts
    source = CameraSource(post.board, post.source)
    view = post.view or search(source, sight)[0]
    return begun(match, source, view, sight), [replace(post, view=view)]


def _groups(images: Iterator[Image]) -> Iterator[list[Image]]:
    """Pictures that lie near each other, a few at a time."""
    while group := list(islice(images, LOOKS)):
        yield group
