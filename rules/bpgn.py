"""BPGN, the record of bughouse: both boards in one line of moves, `1A. e4 {180.0} 1a. e5 {178.2} 1B. d4 {179.9} ...`.

Read are all styles of clock times found in the wild: `{58.345}`, `{[%clk 0:00:58.3]}`, `{[ts=58345]}`, and drops also
as `$146@`. Written is the first style, which other programs import.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.match import IllegalMoveError, Match
from rules.seats import BoardName

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""`1-0`: the team of WhiteA and BlackB won."""

TOKEN = re.compile(r"\{(?P<comment>[^}]*)\}|(?P<number>\d+(?P<who>[ABab])\.+)|(?P<word>[^\s{}]+)")
TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$')


class BpgnError(ValueError):
    """A record that cannot be read; the message names its line."""


@dataclass(slots=True)
class Game:
    """One record. `clocks`: seconds left after each ply of `match.plies`, None where not told. `comment`: the last."""

    match: Match
    tags: dict[str, str] = field(default_factory=dict)
    clocks: list[float | None] = field(default_factory=list)
    comment: str = ""
    result: str = "*"


def read(text: str) -> Iterator[Game]:
    """The games of a text, each move checked against the rules. Raises BpgnError."""
    for first, tags, moves in _split(text):
        yield _game(first, tags, moves)


def write(game: Game) -> str:
    """The record as text, wrapped, ending in an empty line."""
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??"} | dict.fromkeys(
        ("WhiteA", "BlackA", "WhiteB", "BlackB"), "?"
    )
    tags |= game.tags | {"Result": game.result}
    header = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    words = []
    for ply, clock in zip(game.match.plies, game.clocks or [None] * len(game.match.plies), strict=True):
        who = ply.board if ply.color else ply.board.lower()
        words.append(f"{(ply.number + 1) // 2}{who}. {ply.san}" + ("" if clock is None else f" {{{clock:.1f}}}"))
    if game.comment:
        words.append("{" + game.comment.replace("}", ")") + "}")
    words.append(game.result)
    return header + "\n" + textwrap.fill(" ".join(words), 100, break_long_words=False, break_on_hyphens=False) + "\n\n"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _split(text: str) -> Iterator[tuple[int, dict[str, str], list[tuple[int, str]]]]:
    """Each game's first line, tags and numbered lines of moves."""
    first = 1
    tags: dict[str, str] = {}
    moves: list[tuple[int, str]] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        tag = TAG.match(line.strip())
        if tag and moves:
            yield first, tags, moves
            first, tags, moves = number, {}, []
        if tag:
            tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
        elif line.strip() and not line.startswith("%"):
            moves.append((number, line))
    if moves:
        yield first, tags, moves
    elif tags:
        raise BpgnError(f"line {first}: tags without moves; is the file cut off?")


def _game(first: int, tags: dict[str, str], lines: list[tuple[int, str]]) -> Game:
    if tags.get("FEN") or tags.get("SetUp") == "1":
        raise BpgnError(
            f"line {first}: starts from a position of its own, which is not read yet; give a game from the start"
        )
    game = Game(Match(), tags, result=tags.get("Result", "*"))
    if game.result not in RESULTS:
        game.result = "*"
    mover = None
    for number, token in _tokens(lines):
        if token["comment"] is not None:
            _comment(game, token["comment"].strip())
        elif token["who"]:
            mover = token["who"]
        elif token["word"] in RESULTS:
            game.result = token["word"]
        elif word := token["word"].replace("$146", ""):
            if word.startswith("$") or word in ("!", "?", "!!", "??", "!?", "?!"):
                continue
            if mover is None:
                raise BpgnError(f"line {number}: {word!r} stands where a move number such as 1A. or 12b. belongs")
            _play(game, number, mover, word.rstrip("!?"))
            mover = None
    return game


def _tokens(lines: list[tuple[int, str]]) -> Iterator[tuple[int, re.Match[str]]]:
    """Tokens with their line; a comment may run over lines."""
    text = "\n".join(line for _, line in lines)
    starts = [number for number, _ in lines]
    for token in TOKEN.finditer(text):
        yield starts[text.count("\n", 0, token.start())], token


def _comment(game: Game, text: str) -> None:
    seconds = clock_seconds(text)
    if seconds is None:
        game.comment = " ".join(text.split())
    elif game.clocks:
        game.clocks[-1] = seconds


def _play(game: Game, line: int, mover: str, word: str) -> None:
    board: BoardName = "A" if mover in "Aa" else "B"
    white = mover.isupper()
    if game.match.board(board).turn != white:
        raise BpgnError(f"line {line}: {word} is given to {mover}, but the other side is to move on board {board}")
    try:
        game.match.push(board, game.match.parse_san(board, word))
    except IllegalMoveError as error:
        raise BpgnError(f"line {line}: {error}") from error
    game.clocks.append(None)


CLOCKS = (
    re.compile(r"^(?P<s>\d+(?:\.\d+)?)$"),
    re.compile(r"\[%clk\s+(?:(?P<h>\d+):)?(?:(?P<m>\d+):)?(?P<s>\d+(?:\.\d+)?)\]"),
    re.compile(r"\[ts=(?P<ms>\d+)\]"),
)


def clock_seconds(comment: str) -> float | None:
    """Seconds on the clock that a comment tells, None for any other comment. `ts` is in milliseconds."""
    for style in CLOCKS:
        found = style.search(comment.strip())
        if found is None:
            continue
        part = {name: value for name, value in found.groupdict().items() if value is not None}
        if "ms" in part:
            return int(part["ms"]) / 1000
        if "h" in part and "m" not in part:  # two numbers: minutes and seconds
            part["m"] = part.pop("h")
        return 3600 * int(part.get("h", 0)) + 60 * int(part.get("m", 0)) + float(part["s"])
    return None
