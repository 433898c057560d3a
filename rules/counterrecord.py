"""Records of Quad Wrangle and Affollata, in the manner of PGN: tags, numbered actions, the result.

    [Variant "quadwrangle"]

    1. f4 g5-f6 2. f5 {171.3} ... 1-0

`Variant` names the game, `FEN` a start of one's own. `{171.3}` are seconds on the clock, `{[%setup A FEN]}` a position
that the arbiter has set. An action against the rules tells what it turned: `g5-f6~f7`.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

import chess

from rules.countermatch import GAMES, CounterMatch
from rules.counters import read_written
from rules.match import IllegalMoveError
from rules.notation import Record, Word, escaped, parse
from rules.records import RecordError

OURS = ("Variant", "SetUp", "FEN", "Result")
"""Tags that the game itself determines."""

TAG_NAME = re.compile(r"\w+")


@dataclass(slots=True)
class CounterRecord:
    """One game. `clocks`: seconds left after each ply of `match.plies`, None where not told. `comment`: the last.

    `result`: of a game that is not played out, by resignation, time or agreement; else the counters decide.
    """

    match: CounterMatch
    tags: dict[str, str] = field(default_factory=dict)
    clocks: list[float | None] = field(default_factory=list)
    comment: str = ""
    result: str = "*"

    @property
    def outcome(self) -> str:
        """The result that the record states."""
        return self.match.result if self.match.is_over else self.result


def write(game: CounterRecord) -> str:
    """The record as text, wrapped, ending in an empty line."""
    match = game.match
    tags = dict.fromkeys(("Event", "Site", "Date", "White", "Black"), "?")
    tags |= {
        name: " ".join(value.split())
        for name, value in game.tags.items()
        if name not in OURS and TAG_NAME.fullmatch(name)
    }
    tags |= {"Result": game.outcome, "Variant": match.game}
    if match.start:
        tags |= {"SetUp": "1", "FEN": match.fresh().board().fen()}
    header = "".join(f'[{name} "{escaped(value)}"]\n' for name, value in tags.items())
    words = [*_actions(game)]
    if game.comment:  # in a comment no brace may close it, and no bracket start a tag
        words.append("{" + game.comment.translate(str.maketrans("{}[]", "()()")) + "}")
    text = " ".join([*words, game.outcome])
    return f"{header}\n{textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)}\n\n"


def _actions(game: CounterRecord) -> Iterator[str]:
    match, number, answers = game.match, 1, False
    for index in range(len(match.plies) + 1):
        for setting in match.settings:
            if setting.after == index:
                yield f"{{[%setup {setting.board} {setting.fen}]}}"
        if index == len(match.plies):
            return
        ply = match.plies[index]
        if ply.color == chess.WHITE or not answers:  # with three dots, it is Black's
            yield f"{number}{'.' if ply.color == chess.WHITE else '...'}"
        yield ply.san
        clock = game.clocks[index] if game.clocks else None
        if clock is not None:
            yield f"{{{clock:.3f}}}"
        answers = ply.color == chess.WHITE
        number += ply.color == chess.BLACK


def read(text: str) -> Iterator[CounterRecord]:
    """The games of a text, each action checked. Raises RecordError, with the line, at the first thing that is wrong."""
    for record in parse(text):
        yield game_of(record)


def game_of(record: Record) -> CounterRecord:
    """The game of a parsed record. Raises RecordError."""
    if record.unclosed:
        raise RecordError(f"line {record.unclosed}: a comment or variation that nobody closed")
    game = CounterRecord(_match(record), record.tags, comment=record.comment, result=record.result)
    for index in range(len(record.words) + 1):
        for board, fen in record.settings.get(index, ()):
            try:
                game.match.set_position(board, fen)
            except ValueError as error:
                raise RecordError(f"line {record.line}: {error}") from error
        if index < len(record.words):
            _play(game.match, record.words[index])
            game.clocks.append(record.clocks.get(index))
    counted, told = game.match.result, game.result
    if counted != "*" and told not in ("*", counted):
        white, black = game.match.score
        raise RecordError(f"line {record.line}: {told} is told, but counters say {counted}: {white} to {black}")
    return game


def _match(record: Record) -> CounterMatch:
    variant, fen = record.tags.get("Variant", "").lower(), record.tags.get("FEN")
    if variant not in GAMES:
        raise RecordError(f"line {record.line}: Variant is {' or '.join(GAMES)}, not {variant[:40]!r}")
    try:
        return CounterMatch("affollata" if variant == "affollata" else "quadwrangle", {"A": fen} if fen else None)
    except ValueError as error:
        raise RecordError(f"line {record.line}: {error}") from error


def _play(match: CounterMatch, word: Word) -> None:
    where = f"line {word.line}: "
    if not word.mover:
        raise RecordError(f"{where}{word.san!r} stands after the result")
    color = word.mover == "A"
    try:
        move, turned = read_written(word.san)
    except ValueError as error:
        raise RecordError(f"{where}ply {len(match.plies) + 1}: {error}") from error
    if turned is None and match.board().turn != color:
        raise RecordError(f"{where}{word.san} is {'White' if color else 'Black'}'s, but the other side is to move")
    try:
        if turned is None:
            match.push("A", move)
        else:
            match.force("A", move, color, turned)
    except IllegalMoveError as error:
        raise RecordError(f"{where}{error}") from error
