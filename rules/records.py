"""Game records, read into matches: BPGN for two boards, PGN for one. Every style that `rules.notation` knows."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import chess

from rules.match import Game as Kind
from rules.match import IllegalMoveError, Match
from rules.notation import Record, Word, parse
from rules.profile import Profile, ProfileError, read_changes
from rules.profiles import PROFILES, SCACCO_BRATTO, adapted
from rules.seats import BOARDS, BoardName

VARIANTS: dict[str, Kind] = {
    "": "chess", "standard": "chess", "chess": "chess", "from position": "chess", "crazyhouse": "crazyhouse",
}  # fmt: skip
"""One-board games by their `Variant` tag."""


class RecordError(ValueError):
    """A record that cannot be read; the message names its line."""


@dataclass(slots=True)
class Game:
    """One record. `clocks`: seconds left after each ply of `match.plies`, None where not told. `comment`: the last."""

    match: Match
    tags: dict[str, str] = field(default_factory=dict)
    clocks: list[float | None] = field(default_factory=list)
    comment: str = ""
    result: str = "*"


def read(text: str, profile: Profile | None = None) -> Iterator[Game]:
    """The games of a text, each move checked against `profile`, else the record's own, else the default.

    Raises RecordError at the first thing that is wrong; `rules.check` goes on and names them all.
    """
    for record in parse(text):
        if not record.words:
            raise RecordError(f"line {record.line}: tags without moves; is the file cut off?")
        yield _game(record, profile)


def match_of(record: Record, profile: Profile | None = None) -> Match:
    """The match of a record before its first move. Raises ProfileError for a game or profile that is not known,
    ValueError for a position that is none."""
    start = start_of(record.tags)
    if record.two_boards or "WhiteA" in record.tags:
        return Match("bughouse", profile or profile_of(record.tags), start)
    variant = record.tags.get("Variant", "")
    if variant.lower() not in VARIANTS:
        raise ProfileError("Variant", variant, tuple(filter(None, VARIANTS)))
    return Match(VARIANTS[variant.lower()], start=start)


def profile_of(tags: dict[str, str]) -> Profile:
    """The profile that a record names, with its changes; the default if it names none. Raises ProfileError."""
    name = tags.get("RuleProfile", SCACCO_BRATTO.name)
    if name not in PROFILES:
        raise ProfileError("RuleProfile", name, tuple(PROFILES))
    return adapted(PROFILES[name], read_changes(tags.get("RuleChanges", "")))


def start_of(tags: dict[str, str]) -> dict[BoardName, str]:
    """FEN by board where a record starts elsewhere. Two positions are separated by `|`.

    The fifth and sixth field of BPGN's own FEN are clock times, so move counters are not taken over.
    """
    text = tags.get("FEN", "").strip()
    fens = [" ".join(([*part.split(), "w", "-", "-"])[:4]) + " 0 1" for part in text.split("|")] if text else []
    return dict(zip(BOARDS, fens, strict=False))


def _game(record: Record, profile: Profile | None) -> Game:
    try:
        match = match_of(record, profile)
    except ValueError as error:
        raise RecordError(f"line {record.line}: {error}") from error
    game = Game(match, record.tags, comment=record.comment, result=record.result)
    for index, word in enumerate(record.words):
        _set(match, record, index)
        _play(match, word)
        game.clocks.append(record.clocks.get(index))
    _set(match, record, len(record.words))
    return game


def _set(match: Match, record: Record, index: int) -> None:
    for board, fen in record.settings.get(index, ()):
        try:
            match.set_position(board, fen)
        except ValueError as error:
            raise RecordError(f"line {record.line}: {error}") from error


def _play(match: Match, word: Word) -> None:
    if not word.mover:
        raise RecordError(f"line {word.line}: {word.san!r} stands where a move number such as 1A. or 12b. belongs")
    board = word.board
    if match.board(board).turn != (chess.WHITE if word.mover.isupper() else chess.BLACK):
        raise RecordError(
            f"line {word.line}: {word.san} is given to {word.mover}, but the other side is to move on board {board}"
        )
    try:
        match.push(board, match.parse_san(board, word.san))
    except IllegalMoveError as error:
        raise RecordError(f"line {word.line}: {error}") from error
