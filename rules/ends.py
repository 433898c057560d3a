"""How a match ends: on a board, by the clocks, and when two ends meet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import chess

from rules.board import ReserveBoard
from rules.draws import fifty, repetition
from rules.match import Match
from rules.material import standing_men
from rules.profile import Profile
from rules.seats import BoardName, other, seat, won
from rules.verdict import Verdict, verdict

FIFTY = 100  # plies: fifty moves by each side


def standing(match: Match, name: BoardName) -> list[Verdict]:
    """What the position of a board means for the side to move: empty while it can play, else mate, wait or draw."""
    board, profile = match.board(name), match.profile
    if any(match.legal_moves(name)):
        dead = profile.insufficient == "fide" and board.is_insufficient_material()
        return [verdict(profile, "DRAW", "insufficient", "1/2-1/2")] if dead else []
    who = seat(name, board.turn)
    if not board.is_check():
        return _stalemate(match, name)
    if board.is_checkmate():
        return [verdict(profile, "MATE", "checkmate", won(name, not board.turn), seat=who)]
    wait = verdict(profile, "WAIT", "wait_check", seat=who)
    if _can_still_come(match, name):
        return [wait]
    if profile.mate == "stock":
        return [verdict(profile, "MATE", "checkmate_stock", won(name, not board.turn), seat=who)]
    return [wait, verdict(profile, "WARN", "stock_empty", seat=who)]


def _stalemate(match: Match, name: BoardName) -> list[Verdict]:
    profile, who = match.profile, seat(name, match.board(name).turn)
    if profile.stalemate == "match":
        return [verdict(profile, "DRAW", "stalemate", "1/2-1/2", seat=who)]
    beside = match.board(other(name))
    if not any(match.legal_moves(other(name))) and not beside.is_check():
        return [verdict(profile, "DRAW", "both_stalemated", "1/2-1/2")]
    return [verdict(profile, "WAIT", "wait_stalemate", seat=who)]


def _can_still_come(match: Match, name: BoardName) -> bool:
    """Whether a man that would parry the check still is where the partner might take it: not on this board."""
    board = match.board(name)
    assert isinstance(board, ReserveBoard)
    beside, color = match.board(other(name)), board.turn
    kinds = {man.piece_type for _, man in standing_men(beside) if man.color == color}
    kinds |= set(match.pocket(other(name), color))
    return any(board.drop_squares(kind) for kind in kinds - {chess.KING})


@dataclass(frozen=True, slots=True)
class End:
    """A player has lost: mated on `board`, or out of time. `time` in seconds, None where nobody saw when."""

    kind: Literal["mate", "flag"]
    board: BoardName
    loser: chess.Color
    time: float | None = None

    @property
    def result(self) -> str:
        """Of the match, if this end is the one that counts."""
        return won(self.board, not self.loser)


def decide(profile: Profile, ends: Sequence[End]) -> Verdict:
    """The match's result by the ends that were seen, in any order. ValueError when there is none."""
    first, *others = sorted(ends, key=lambda end: float("inf") if end.time is None else end.time)
    rivals = [end for end in others if end.result != first.result]
    if not rivals:
        return _lost(profile, first)
    second = rivals[0]
    gap = None if first.time is None or second.time is None else second.time - first.time
    apart = gap is not None and gap > profile.end_tolerance
    if first.kind == second.kind == "flag":
        return _two_flags(profile, first, second, gap if apart else None)
    if first.kind != second.kind:
        return _lost(profile, first) if gap else verdict(profile, "FLAG", "ends_together")
    if apart:
        return _lost(profile, first)
    if profile.both_ends == "draw":
        return verdict(profile, "DRAW", "ends_together", "1/2-1/2")
    return verdict(profile, "FLAG", "ends_together")


def _lost(profile: Profile, end: End) -> Verdict:
    who = seat(end.board, end.loser)
    if end.kind == "mate":
        return verdict(profile, "MATE", "checkmate", end.result, seat=who)
    return verdict(profile, "LOST", "flag", end.result, seat=who)


def _two_flags(profile: Profile, first: End, second: End, gap: float | None) -> Verdict:
    if gap is None or profile.two_flags == "draw":
        return verdict(profile, "DRAW", "flags_both", "1/2-1/2")
    if profile.two_flags == "first":
        return _lost(profile, first)
    who = seat(first.board, first.loser), seat(second.board, second.loser)
    return verdict(profile, "ASK", "flags_order", first=who[0], second=who[1], seconds=f"{gap:.1f}")


def claim_repetition(match: Match, name: BoardName) -> Verdict:
    """A claim that the position of a board stands there for the third time."""
    profile, found = match.profile, repetition(match, name)
    without, held = found.without_reserves, found.with_reserves
    counts = {"without": without, "held": held, "board": name}
    settled = {"without_reserves": without, "with_reserves": held, "drops_reset": found.since_drop}.get(
        profile.repetition
    )
    if (without if settled is None else settled) < 3:
        return verdict(profile, "WARN", "repetition_none", **counts)
    if settled is None and held < 3:
        return verdict(profile, "ASK", "repetition_counts", **counts)
    if profile.one_board_draw == "continue":
        return verdict(profile, "FLAG", "repetition_board", **counts)
    return verdict(profile, "DRAW", "repetition", "1/2-1/2", **counts)


def claim_fifty(match: Match, name: BoardName) -> Verdict:
    """A claim that nothing has happened on a board for fifty moves of each side."""
    profile, found = match.profile, fifty(match, name)
    counts = {"literal": found.literal // 2, "drops": found.literal_drops // 2, "fide": found.fide // 2, "board": name}
    plies = found.literal if profile.fifty_pawn_drop != "counts" else found.literal_drops
    if profile.fifty == "fide":
        plies = found.fide
    if profile.fifty == "none":
        return verdict(profile, "WARN", "fifty_none", **counts)
    if plies < FIFTY:
        open_question = profile.fifty == "literal" and profile.fifty_pawn_drop == "ask"
        if open_question and found.literal_drops >= FIFTY:
            return verdict(profile, "ASK", "fifty_pawn_drop", **counts)
        return verdict(profile, "WARN", "fifty_none", **counts)
    if profile.one_board_draw != "match":
        return verdict(profile, "FLAG", "fifty_board", **counts)
    return verdict(profile, "DRAW", "fifty", "1/2-1/2", **counts)
