"""A referee for game records: what in a record is against the rules, where and why. It reads on after every fault.

After an illegal move the board stands as the record leaves it, as it would in a hall; where a move cannot be followed
at all, the rest of that board is not judged, and neither is what the other board's reserves hold.
"""

import re
from dataclasses import dataclass, field, replace

import chess

from rules.board import ReserveBoard
from rules.claims import DRAWN, Claim, claimed_end
from rules.clocks import TimeControl
from rules.ends import standing
from rules.judge import judge
from rules.match import IllegalMoveError, Match
from rules.material import Men, men
from rules.notation import RESULTS, Record, Word
from rules.profile import Profile, ProfileError
from rules.profiles import SCACCO_BRATTO
from rules.records import match_of
from rules.seats import BoardName, Player, other, seat
from rules.verdict import Verdict, verdict
from rules.verdict import Word as VerdictWord

GRAVITY: tuple[VerdictWord, ...] = ("OK", "WARN", "ASK", "FLAG", "ILLEGAL")
"""Words that a record can earn, the gravest last."""

UNDER_WAY = 1  # plies that a record may still have after a mate: the one under way on the other board
ROUNDING = 1.0  # seconds: many records give whole seconds

SAN = re.compile(
    r"(?P<kind>[PNBRQK])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<to>[a-h][1-8])"
    r"(?:[=/(]?(?P<promotion>[NBRQKPnbrqkp])\)?)?"
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
        done = _Check(record, match_of(record, profile)).run()
        ordered = by_clocks(record)
        if ordered is not None and any(fault.finding.reason == "drop_not_in_reserve" for fault in done.faults):
            again = _Check(ordered, match_of(record, profile))
            again.note("WARN", "order_by_clocks")
            return min(again.run(), done, key=lambda one: GRAVITY.index(one.word))
        return done
    except ProfileError as error:
        finding = verdict(SCACCO_BRATTO, "FLAG", "unknown_choice", choice=error.rule, value=error.value)
    except ValueError as error:
        finding = verdict(SCACCO_BRATTO, "FLAG", "bad_position", text=str(error))
    return Refereed(record, Match(), [Fault(None, 0, "", finding)])


class _Check:
    def __init__(self, record: Record, match: Match) -> None:
        self.done = Refereed(record, match)
        self.match = match
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
            for board, fen in record.settings.get(index, ()):
                self.match.set_position(board, fen)
                self.told = men(self.match)
            if index in record.clocks and word.mover:
                self._clock(word, record.clocks[index])
            self._word(word, index in record.clocks)
        if not record.words:
            self.note("FLAG", "no_moves")
        if record.unclosed:
            self.note("FLAG", "not_closed", line=record.unclosed)
        self._ending()
        return self.done

    def note(self, word: VerdictWord, reason: str, /, **values: str | int) -> None:
        """A finding on the record as a whole."""
        self._add(None, 0, "", word, reason, **values)

    def _add(
        self, board: BoardName | None, ply: int, san: str, word: VerdictWord, reason: str, /, **values: str | int
    ) -> None:
        finding = verdict(self.match.profile, word, reason, **values)
        self.done.faults.append(Fault(board, ply, san, finding))

    def _word(self, word: Word, timed: bool) -> None:
        if not word.mover or (word.mover in "Bb" and len(self.match.boards) == 1):
            self._add(None, 0, word.san, "ILLEGAL", "unreadable", line=word.line)
            return
        name = word.board
        if name in self.lost:
            return
        color = word.mover.isupper()
        ply = self.match.count(name) + 1
        # Records do not interleave the boards exactly; where there are clocks, these tell what was first.
        if self.mated is not None and (not timed or self.elapsed[name] > self.mated + ROUNDING):
            self.after += 1
            if self.after == UNDER_WAY + 1:
                self._add(name, ply, word.san, "WARN", "after_end", board=name)
        self._numbered(name, ply, color, word)
        meant = self._read(name, color, word.san)
        if not meant:
            self._add(name, ply, word.san, "ILLEGAL", self._no_move(name, color, word.san), line=word.line)
            self._lose(name, ply)
            return
        move = self._promoted(name, ply, word.san, color, meant[0])
        findings = judge(self.match, name, move, color)
        if CASTLING.match(word.san) and not _from_home(move):
            findings = [verdict(self.match.profile, "ILLEGAL", "castle_king_moved")]
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
        if self.match.plies[-1].legal and any(found.result for found in standing(self.match, name)):
            self.mated = self.elapsed[name] if self.mated is None else self.mated

    def _promoted(self, name: BoardName, ply: int, san: str, color: chess.Color, move: chess.Move) -> chess.Move:
        """A promotion of which the record does not say what it became: a queen, if the profile leaves it open."""
        board = self.match.board(name)
        pawn = not move.drop and board.piece_type_at(move.from_square) == chess.PAWN
        last = chess.BB_SQUARES[move.to_square] & chess.BB_BACKRANKS
        queen = chess.Move(move.from_square, move.to_square, chess.QUEEN)
        unnamed = pawn and last and move.promotion is None and "=" not in san and self.match.game == "bughouse"
        if not unnamed or board.turn != color or not board.is_legal(queen):
            return move
        if self.match.profile.promotion_unnamed == "pending":
            self._add(name, ply, san, "WARN", "promotion_unnamed")
        return queen

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
        name = word.board
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
        decided = [found[0] for name in self.match.boards if (found := self._decided(name)) and found[0].result]
        told = claimed_end(record)
        self.done.end = told.how if told else ""
        if decided and not self.lost:
            reasons = {"stalemate": "stalemate", "both_stalemated": "stalemate", "insufficient": "insufficient"}
            self.done.end = reasons.get(decided[0].reason, "checkmate")
        results = {finding.result for finding in decided} if not self.lost else set()
        tag = record.tags.get("Result", "*")
        written = {result for result in (tag, *record.ends) if result != "*"}
        if len(written) > 1 or not written <= set(RESULTS):
            self.note("FLAG", "result_differs", result=record.end or tag, found=tag if record.end else "?")
        elif results and record.result != "*" and record.result not in results:
            self.note("FLAG", "result_differs", result=record.result, found=min(results))
        if told and written and self._contradicts(told, written, decided):
            self.note("FLAG", "termination_differs", text=told.text, result=record.result)

    def _decided(self, name: BoardName) -> list[Verdict]:
        """How a board stands at the end; an illegal move decides nothing."""
        last = next((ply for ply in reversed(self.match.plies) if ply.board == name), None)
        return standing(self.match, name) if last is None or last.legal else []

    def _contradicts(self, told: Claim, written: set[str], decided: list[Verdict]) -> bool:
        """Whether the record's words about its end do not fit its result or its last position."""
        if told.result and told.result not in written:
            return True
        if told.how in DRAWN:
            return written != {"1/2-1/2"}
        if told.how != "checkmate" or self.lost:
            return False
        mates = [found for found in decided if found.word == "MATE"]
        return not mates or (told.loser != "" and all(found.values["seat"] != told.loser for found in mates))


def _from_home(move: chess.Move) -> bool:
    return move.from_square in (chess.E1, chess.E8)


def intended(board: chess.Board, color: chess.Color, san: str) -> list[chess.Move]:
    """Moves that a SAN could mean for men as they stand, legal or not: those that could be legal by geometry first."""
    if found := CASTLING.match(san):
        king = board.king(color)
        target = chess.square(2 if found["long"] else 6, 0 if color == chess.WHITE else 7)
        return [chess.Move(king, target)] if king is not None and king != target else []
    if found := DROP.match(san):
        square = chess.parse_square(found["to"])
        kind = chess.PIECE_SYMBOLS.index((found["kind"] or "P").lower())
        return [chess.Move(square, square, drop=kind)] if isinstance(board, ReserveBoard) else []
    if not (found := SAN.match(san)):
        return []
    square = chess.parse_square(found["to"])
    kind = chess.PIECE_SYMBOLS.index((found["kind"] or "P").lower())
    named = (found["promotion"] or "").lower()
    promotion = chess.PIECE_SYMBOLS.index(named) if named and named in "nbrq" else None
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
    able = [
        move
        for move in moves
        if asked.is_pseudo_legal(move)
        or (not promotion and asked.is_pseudo_legal(chess.Move(move.from_square, square, chess.QUEEN)))
    ]
    return able or (moves if len(moves) == 1 else [])


def by_clocks(record: Record) -> Record | None:
    """The record with both boards in the order of their clocks; None where not every move has its time."""
    control = TimeControl.parse(record.tags.get("TimeControl", ""))
    if not record.words or len(record.clocks) < len(record.words) or not all(word.mover for word in record.words):
        return None
    start = control.base if control else max(record.clocks.values())
    increment = control.increment if control else 0.0
    left: dict[str, float] = {}
    elapsed = {"A": 0.0, "B": 0.0}
    times = []
    for index, word in enumerate(record.words):
        elapsed[word.board] += max(left.get(word.mover, start) + increment - record.clocks[index], 0.0)
        left[word.mover] = record.clocks[index]
        times.append((elapsed[word.board], index))
    order = [index for _, index in sorted(times)]
    clocks = {place: record.clocks[index] for place, index in enumerate(order)}
    return replace(record, words=[record.words[index] for index in order], clocks=clocks)
