"""Game records as written, before any rule is applied: BPGN for two boards, PGN for one.

Nothing is refused here. What cannot be understood is kept as a word without a mover, for the referee to name.

BPGN in the wild comes with clock times as `{58.345}`, `{[%clk 0:00:58.3]}` or `{[ts=58345]}`, glued to the move or
not; with drops as `P@e4`, `@e4` or `$146@e4`; with two tags on a line, long algebraic moves, no blank line after the
tags, a `*` after the moves of a decided match, and variations in parentheses.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.seats import BoardName

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""`1-0`: the team of WhiteA and BlackB won."""

TAG = r'\[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]?'
TOKEN = re.compile(
    r"\{(?P<comment>(?:(?!\n[ \t]*\[\w+\s+\")[^}])*)(?P<closed>\}?)"  # one nobody closed ends at the next game
    rf"|{TAG}"
    r"|^%[^\n]*|;[^\n]*"
    r"|(?P<number>\d+)(?:(?P<who>[ABab])(?:\.+|(?=\s))|(?P<dots>\.+))"
    r"|(?P<bracket>[()])"
    r"|(?P<word>[^\s{}()\[\];]+(?:\([NBRQ]\)[+#]?)?)",
    re.MULTILINE,
)
GLYPHS = re.compile(r"[!?]+|\$\d+|e\.?p\.?|\.+|[-+=/~∞±∓⩲⩱⇆→↑□N]+|ch|TN|D")
"""Words that say something about a move, and are none."""

SPELLING = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟\u2013\u2014\u2212", "KQRBNPKQRBNP---")
LONGEST = 40  # characters of a word that are kept


@dataclass(frozen=True, slots=True)
class Word:
    """A move as written. `mover`: `A`, `a`, `B` or `b`, empty where that cannot be told. `number`: as written, or 0."""

    line: int
    mover: str
    number: int
    san: str

    @property
    def board(self) -> BoardName:
        """The board of the mover."""
        return "A" if self.mover in ("A", "a") else "B"


@dataclass(slots=True)
class Record:
    """One game. `line`: its first. `clocks`: seconds left, by index in `words`. `comment`: what is said after the last
    move. `ends`: results after the moves. `unclosed`: line of a comment or variation that nobody closed, else 0.
    `settings`: by index in `words`, the positions that were set before it: board and FEN."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    words: list[Word] = field(default_factory=list)
    clocks: dict[int, float] = field(default_factory=dict)
    comment: str = ""
    ends: list[str] = field(default_factory=list)
    unclosed: int = 0
    two_boards: bool = False
    settings: dict[int, list[tuple[BoardName, str]]] = field(default_factory=dict)

    @property
    def end(self) -> str:
        """The result after the moves; empty where there is none."""
        return self.ends[-1] if self.ends else ""

    @property
    def result(self) -> str:
        """After the moves, or in the tags where the moves end in nothing or `*`."""
        tag = self.tags.get("Result", "*")
        return self.end if self.end in RESULTS[:3] or tag not in RESULTS else tag


def escaped(value: str) -> str:
    """A tag's value as it is written."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def parse(text: str) -> Iterator[Record]:
    """The games of a text, in order. Never fails."""
    record, depth, line, seen = Record(1), 0, 1, 0
    mover, number = "", 0
    text = text.lstrip("\ufeff")
    for token in TOKEN.finditer(text):
        line, seen = line + text.count("\n", seen, token.start()), token.start()
        tag, word = token["tag"], token["word"]
        again = tag == "Event" and tag in record.tags
        starts = tag is not None or (record.end and token["number"])
        if again or (starts and (record.words or record.end)):
            yield record
            record, depth, mover, number = Record(line), 0, "", 0
        if tag is not None:
            if not record.tags:
                record.line = line
            record.tags[tag] = re.sub(r"\\(.)", r"\1", token["value"])
        elif token["bracket"]:
            depth = depth + 1 if token["bracket"] == "(" else max(depth - 1, 0)
            record.unclosed = (record.unclosed or line) if depth else 0
        elif depth:
            continue
        elif token["comment"] is not None:
            record.unclosed = record.unclosed if token["closed"] else line
            _comment(record, token["comment"].strip())
        elif token["number"]:
            number = int(token["number"][-6:])
            record.two_boards |= bool(token["who"])
            mover = token["who"] or ("A" if len(token["dots"]) < 3 else "a")
        elif word in RESULTS:
            record.ends.append(word)
            mover = ""
        elif word and not GLYPHS.fullmatch(word):
            if not record.words and not record.two_boards and "WhiteA" not in record.tags:
                mover = mover or ("a" if record.tags.get("FEN", "").split()[1:2] == ["b"] else "A")
            record.words.append(Word(line, mover, number, _san(word)))
            record.comment = ""
            # In PGN the next word is the answer, with or without a number; in BPGN every move says whose it is.
            mover, number = ("", 0) if record.two_boards else ("a", number) if mover == "A" else ("A", 0)
    if record.tags or record.words:
        yield record


def _san(word: str) -> str:
    """A word with signs and spellings that mean nothing taken off."""
    san = re.sub(r"\$\d+", "", re.sub(r"(\$146)\s*@?", "@", word)) if "$" in word else word
    return san.translate(SPELLING)[:LONGEST].rstrip("!?")


def _comment(record: Record, text: str) -> None:
    for found in SETTING.finditer(text):
        board: BoardName = "A" if found["board"] == "A" else "B"
        record.settings.setdefault(len(record.words), []).append((board, " ".join(found["fen"].split())))
    seconds = clock_seconds(text)
    if seconds is not None and record.words:
        record.clocks[len(record.words) - 1] = seconds
    told = seconds is not None or SETTING.search(text)
    rest = " ".join(COMMANDS.sub(" ", text).split()) if told else " ".join(text.split())
    if rest and not CLOCKS[0].match(rest):
        record.comment = f"{record.comment} {rest}".strip()


CLOCKS = (
    re.compile(r"^(?P<s>\d{1,7}(?:\.\d+)?)$"),
    re.compile(r"\[%clk\s+(?:(?P<h>\d{1,4}):)?(?:(?P<m>\d{1,4}):)?(?P<s>\d{1,7}(?:\.\d+)?)\]"),
    re.compile(r"\[ts=(?P<ms>\d{1,10})\]"),
)

SETTING = re.compile(r"\[%setup\s+(?P<board>[AB])\s+(?P<fen>[^\[\]]*(?:\[[^\]]*\])?[^\[\]]*)\]")
"""A position that the arbiter has set, our own: `[%setup A FEN]`, its reserves in brackets as crazyhouse has them."""

COMMANDS = re.compile(SETTING.pattern + r"|\[%[^\]]*\]|\[ts=\d+\]")


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
