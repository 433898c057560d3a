"""A referee for game records: what in a record is against the rules, where and why. It reads on after every fault.

After an illegal move the board stands as the record leaves it, as it would in a hall; where a move cannot be followed
at all, the rest of that board is not judged, and neither is what the other board's reserves hold.
"""

import re
from dataclasses import dataclass, field

import chess

from rules.board import ReserveBoard
from rules.clocks import TimeControl
from rules.ends import standing
from rules.judge import judge
from rules.match import IllegalMoveError, Match
from rules.material import Men, men
from rules.notation import RESULTS, Record, Word
from rules.profile import Profile, ProfileError
from rules.profiles import SCACCO_BRATTO
from rules.records import match_of
from rules.seats import BoardName, Player, other, seat, won
from rules.verdict import Verdict, verdict
from rules.verdict import Word as VerdictWord

GRAVITY: tuple[VerdictWord, ...] = ("OK", "WARN", "ASK", "FLAG", "ILLEGAL")
"""Words that a record can earn, the gravest last."""

UNDER_WAY = 1  # plies that a record may still have after a mate: the one under way on the other board
ROUNDING = 1.0  # seconds: many records give whole seconds

SAN = re.compile(
    r"(?P<kind>[PNBRQK])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<to>[a-h][1-8])(?:[=/(]?(?P<promotion>[NBRQnbrq])\)?)?"
    r"(?:e\.p\.)?[+#]*$"
)
DROP = re.compile(r"(?P<kind>[PNBRQ])?@(?P<to>[a-h][1-8])[+#]*$", re.IGNORECASE)
CASTLING = re.compile(r"[O0o]-?[O0o](?P<long>-?[O0o])?[+#]*$")


@dataclass(frozen=True, slots=True)
class Fault:
    """One finding. `board` empty and `ply` 0 where it concerns the whole record."""

    board: BoardName | None
    ply: int
    san: str
    finding: Verdict


@dataclass(slots=True)
class Refereed:
    """A record and what was found in it. `end`: how the match ended, in a word; empty where the record does not say."""

    record: Record
    match: Match
    faults: list[Fault] = field(default_factory=list)
    end: str = ""

    @property
    def word(self) -> VerdictWord:
        """The gravest word among the findings."""
        return max((fault.finding.word for fault in self.faults), key=GRAVITY.index, default="OK")


def check(record: Record, profile: Profile | None = None) -> Refereed:
    """Referee a record under `profile`, else under the one it names, else under the default.

    Where there is nothing to referee, an unknown game or profile or an impossible position, that is the one finding.
    """
    try:
        return _Check(record, match_of(record, profile)).run()
    except ProfileError as error:
        finding = verdict(SCACCO_BRATTO, "FLAG", "unknown_choice", choice=error.rule, value=error.value)
    except ValueError as error:
        finding = verdict(SCACCO_BRATTO, "FLAG", "bad_position", text=str(error))
    return Refereed(record, Match(), [Fault(None, 0, "", finding)])


class _Check:
    def __init__(self, record: Record, match: Match) -> None:
        self.done = Refereed(record, match)
        self.match = match
        self.start = men(match)
        self.told: Men = men(match)  # the men as they were when they last did not add up
        self.lost: set[BoardName] = set()
        self.shift: dict[BoardName, int] = dict.fromkeys(match.boards, 0)  # how far a board's move numbers are off
        self.out_of_step: set[BoardName] = set()
        self.clocks: dict[Player, float] = {}
        self.elapsed: dict[BoardName, float] = dict.fromkeys(match.boards, 0.0)
        self.mated: float | None = None  # when a board was mated first, by that board's clocks
        self.after = 0  # plies since then
        self.control = TimeControl.parse(record.tags.get("TimeControl", ""))

    def run(self) -> Refereed:
        record = self.done.record
        for index, word in enumerate(record.words):
            if index in record.clocks and word.mover:
                self._clock(word, record.clocks[index])
            self._word(word)
        if not record.words:
            self._add(None, 0, "", "FLAG", "no_moves")
        self._ending()
        return self.done

    def _add(
        self, board: BoardName | None, ply: int, san: str, word: VerdictWord, reason: str, /, **values: str | int
    ) -> None:
        finding = verdict(self.match.profile, word, reason, **values)
        self.done.faults.append(Fault(board, ply, san, finding))

    def _word(self, word: Word) -> None:
        if not word.mover or (word.mover in "Bb" and len(self.match.boards) == 1):
            self._add(None, 0, word.san, "ILLEGAL", "unreadable", line=word.line)
            return
        name: BoardName = "A" if word.mover in "Aa" else "B"
        if name in self.lost:
            return
        color = word.mover.isupper()
        ply = self.match.count(name) + 1
        # Records do not interleave the boards exactly; where there are clocks, these tell what was first.
        if self.mated is not None and (not self.clocks or self.elapsed[name] > self.mated + ROUNDING):
            self.after += 1
            if self.after == UNDER_WAY + 1:
                self._add(name, ply, word.san, "WARN", "after_end", board=name)
        self._numbered(name, ply, color, word)
        meant = self._read(name, color, word.san)
        if not meant:
            self._add(name, ply, word.san, "ILLEGAL", self._no_move(name, color, word.san), line=word.line)
            self._lose(name, ply)
            return
        move = meant[0]
        findings = judge(self.match, name, move, color)
        if "x" in word.san and findings[0].word == "OK" and not self.match.board(name).is_capture(move):
            self._add(name, ply, word.san, "WARN", "takes_nothing")
        if len(meant) > 1 and findings[0].word == "OK":
            self._add(name, ply, word.san, "ILLEGAL", "ambiguous", count=len(meant))
        for finding in findings:
            if finding.word != "OK" and not self._unknown_reserve(name, finding):
                self.done.faults.append(Fault(name, ply, word.san, finding))
        try:
            if findings[0].word == "ILLEGAL":
                self.match.force(name, move, color, word.san)
            else:
                self.match.apply(name, move, word.san)
        except IllegalMoveError:
            self._lose(name, ply)
            return
        self._count_men(name, ply, word.san)
        after = self.match.board(name)
        if after.is_check() and any(found.word == "MATE" for found in standing(self.match, name)):
            self.mated = self.elapsed[name] if self.mated is None else self.mated

    def _numbered(self, name: BoardName, ply: int, color: chess.Color, word: Word) -> None:
        """A move number that jumps tells of moves left out or written twice; told once for each jump."""
        board = self.match.board(name)
        if not word.number or self.match.start:
            return
        shift = word.number - (ply + 1) // 2
        expected = word.number - shift + self.shift[name]
        if color != board.turn:
            self.out_of_step.add(name)  # a ply is missing or double, which is told already: numbers start anew
        elif shift != self.shift[name] and name not in self.out_of_step:
            self._add(name, ply, word.san, "WARN", "wrong_number", board=name, number=word.number, expected=expected)
        self.shift[name] = shift

    def _lose(self, name: BoardName, ply: int) -> None:
        self.lost.add(name)
        self._add(name, ply, "", "WARN", "board_lost", board=name)

    def _unknown_reserve(self, name: BoardName, finding: Verdict) -> bool:
        """Whether a man may well have come from a board that could not be followed."""
        return finding.reason == "drop_not_in_reserve" and other(name) in self.lost

    def _read(self, name: BoardName, color: chess.Color, san: str) -> list[chess.Move]:
        """The move a word means, legal or not; none where it means none, several legal ones where it is ambiguous."""
        board = self.match.board(name)
        meant = intended(board, color, san)
        if board.turn != color:
            return meant[:1]
        try:
            return [self.match.parse_san(name, san)]
        except IllegalMoveError:
            legal = [move for move in meant if board.is_legal(move)]
            return legal or meant[:1]

    def _no_move(self, name: BoardName, color: chess.Color, san: str) -> str:
        board = self.match.board(name)
        if not (SAN.match(san) or DROP.match(san) or CASTLING.match(san)):
            return "unreadable"
        return "not_on_move" if board.turn != color else "moves_otherwise"

    def _count_men(self, name: BoardName, ply: int, san: str) -> None:
        if self.match.game != "bughouse" or self.lost:
            return
        now = men(self.match)
        if now == self.told:
            return
        for reason, gap in (("men_surplus", now - self.told), ("men_missing", self.told - now)):
            if gap:
                names = "".join(sorted(man.symbol() * number for man, number in gap.items()))
                self._add(name, ply, san, "ILLEGAL", reason, men=names)
        self.told = now

    def _clock(self, word: Word, seconds: float) -> None:
        name: BoardName = "A" if word.mover in "Aa" else "B"
        player = name, word.mover.isupper()
        increment = self.control.increment if self.control else 0.0
        before = self.clocks.get(player, self.control.base if self.control else seconds)
        if self.control and seconds > before + increment + ROUNDING:
            self._add(name, self.match.count(name) + 1, word.san, "WARN", "clock_rises", seat=seat(*player))
        self.clocks[player] = seconds
        if name in self.elapsed:
            self.elapsed[name] += max(before + increment - seconds, 0.0)

    def _ending(self) -> None:
        record = self.done.record
        decided = [found[0] for name in self.match.boards if (found := standing(self.match, name)) and found[0].result]
        told = claimed_end(record)
        self.done.end = told.how if told else ""
        if decided and not self.lost:
            self.done.end = "checkmate" if decided[0].word == "MATE" else "stalemate"
        results = {finding.result for finding in decided} if not self.lost else set()
        tag = record.tags.get("Result", "*")
        written = {result for result in (tag, record.end) if result in RESULTS[:3]}
        if len(written) > 1:
            self._add(None, 0, "", "FLAG", "result_differs", result=record.end, found=tag)
        elif results and record.result != "*" and record.result not in results:
            self._add(None, 0, "", "FLAG", "result_differs", result=record.result, found=min(results))
        if told is None or not written:
            return
        unmated = not self.lost and not any(found.word == "MATE" for found in decided)
        if (told.result and told.result not in written) or (told.how == "checkmate" and unmated):
            self._add(None, 0, "", "FLAG", "termination_differs", text=told.text, result=record.result)


def intended(board: chess.Board, color: chess.Color, san: str) -> list[chess.Move]:
    """Moves that a SAN could mean for men as they stand, legal or not: those that could be legal by geometry first."""
    if found := CASTLING.match(san):
        home = chess.E1 if color == chess.WHITE else chess.E8
        king = chess.Piece(chess.KING, color)
        return [chess.Move(home, home + (-2 if found["long"] else 2))] if board.piece_at(home) == king else []
    if found := DROP.match(san):
        square = chess.parse_square(found["to"])
        kind = chess.PIECE_SYMBOLS.index((found["kind"] or "P").lower())
        return [chess.Move(square, square, drop=kind)] if isinstance(board, ReserveBoard) else []
    if not (found := SAN.match(san)):
        return []
    square = chess.parse_square(found["to"])
    kind = chess.PIECE_SYMBOLS.index((found["kind"] or "P").lower())
    promotion = chess.PIECE_SYMBOLS.index(found["promotion"].lower()) if found["promotion"] else None
    men_of_kind = board.pieces(kind, color)
    if not found["kind"] and found["file"] and found["rank"]:  # long algebraic without the piece
        men_of_kind = chess.SquareSet(board.occupied_co[color])
    sources = [
        source
        for source in men_of_kind
        if source != square
        and (not found["file"] or chess.FILE_NAMES[chess.square_file(source)] == found["file"])
        and (not found["rank"] or chess.RANK_NAMES[chess.square_rank(source)] == found["rank"])
        and (found["kind"] or found["file"] or chess.square_file(source) == chess.square_file(square))
    ]
    asked = board.copy(stack=False)
    asked.turn = color
    moves = [chess.Move(source, square, promotion) for source in sources]
    # Without a square to start from, a man that could never get there is not meant, unless it is the only one.
    able = [move for move in moves if asked.is_pseudo_legal(move)]
    return able or (moves if len(moves) == 1 else [])


@dataclass(frozen=True, slots=True)
class Claim:
    """What the record's own words say about the end. `result` empty where they name nobody."""

    text: str
    how: str
    result: str


HOW = {
    "checkmate": re.compile(r"checkmate|\bmated?\b|scacco matto", re.IGNORECASE),
    "time": re.compile(r"on time|time ?out|time forfeit|flag|per il tempo|tempo scaduto", re.IGNORECASE),
    "resignation": re.compile(r"resign|abbandon", re.IGNORECASE),
    "stalemate": re.compile(r"stalemate|stallo", re.IGNORECASE),
    "repetition": re.compile(r"repetition|ripetizione", re.IGNORECASE),
    "agreement": re.compile(r"agree|accordo|drawn?\b|patta", re.IGNORECASE),
}
WINS = re.compile(r"\b(won|wins|vince)\b", re.IGNORECASE)
SEATS: dict[str, Player] = {seat(name, color): (name, color) for name in ("A", "B") for color in chess.COLORS}


def claimed_end(record: Record) -> Claim | None:
    """What the last comment or the `Termination` tag says; None where neither says anything about the end."""
    for text in (record.comment, record.tags.get("Termination", "")):
        how = next((how for how, pattern in HOW.items() if pattern.search(text)), None)
        if how:
            return Claim(text, how, _result_of(text, record.tags))
    return None


def _result_of(text: str, tags: dict[str, str]) -> str:
    """The result that follows if the one player named here won or lost; empty where it is not one player."""
    named = set()
    for name, player in SEATS.items():
        names = {name, name[0] + name[-1]} | ({tags[name]} if tags.get(name, "?") not in ("", "?") else set())
        if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in names):
            named.add(player)
    if len(named) != 1:
        return ""
    board, color = named.pop()
    return won(board, color if WINS.search(text) else not color)
