"""What can be made to go wrong in a simulated match, each with its truth: `KIND@PLY`.

An irregular move or drop is made, stands for some seconds and is put right by the same player, so that the match of the
record goes on. What is not passed on, or lies elsewhere, is handed over when the partner needs it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rules.match import Match, Ply
from rules.seats import BoardName
from simulation import deeds, wrong
from simulation.deeds import Deed


class IrregularityError(ValueError):
    """Something is wished for that cannot happen there; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One irregularity. `board` None: `ply` counts the plies of both boards together."""

    kind: str
    board: BoardName | None
    ply: int

    @classmethod
    def parse(cls, text: str, kinds: Collection[str] | None = None) -> "Wish":
        """`KIND@12` for the twelfth ply of the match, `KIND@A12` for that of board A. Raises IrregularityError.

        `kinds`: those there are; if not given, bughouse's.
        """
        kind, _, place = text.partition("@")
        board: BoardName | None = "A" if place[:1] in ("A", "a") else "B" if place[:1] in ("B", "b") else None
        number = place[1:] if board else place
        if kind not in (IRREGULARITIES if kinds is None else kinds):
            raise IrregularityError(f"{kind!r} is no irregularity; see simulate --list-irregularities")
        if not number.isdecimal() or not 0 < int(number) < 10_000:
            raise IrregularityError(f"{text!r}: expected KIND@PLY, such as {kind}@12 or {kind}@A12")
        return cls(kind, board, int(number))

    def __str__(self) -> str:
        return f"{self.kind}@{self.board or ''}{self.ply}"


IRREGULARITIES: dict[str, Callable[[str], Deed]] = {
    "not_passed": deeds.NotPassed,
    "passed_late": deeds.PassedLate,
    "wrong_zone": deeds.WrongZone,
    "behind_clock": deeds.BehindClock,
    "hidden_reserve": deeds.HiddenReserve,
    "extra_man": deeds.ExtraMan,
    "drop_occupied": wrong.DropOccupied,
    "drop_wrong_rank": wrong.DropWrongRank,
    "drop_not_held": wrong.DropNotHeld,
    "illegal_move": wrong.IllegalMove,
    "illegal_castling": wrong.IllegalCastling,
    "late_en_passant": wrong.LateEnPassant,
    "promoted_twice": wrong.PromotedTwice,
    "king_in_check": wrong.KingInCheck,
    "two_moves": wrong.TwoMoves,
    "out_of_turn": wrong.OutOfTurn,
    "take_back": wrong.TakeBack,
    "fallen": deeds.Fallen,
    "lying_pawn": deeds.LyingPawn,
    "promotion_unmarked": deeds.PromotionUnmarked,
    "substitution": deeds.Substitution,
    "nudge": deeds.Nudge,
    "partner_hand": deeds.PartnerHand,
    "partner_press": deeds.PartnerPress,
    "other_hand": deeds.OtherHand,
    "camera_bumped": deeds.CameraDeed,
    "camera_frozen": deeds.CameraDeed,
    "camera_gone": deeds.CameraDeed,
    "light_off": deeds.CameraDeed,
}
"""Every irregularity by the name that is given on the command line and stands in the truth."""


def deed_of(wish: Wish) -> Deed:
    """The irregularity that is wished for."""
    return IRREGULARITIES[wish.kind](wish.kind)


def planned(wishes: Sequence[Wish], plies: Sequence[Ply], start: Match) -> dict[int, list[Wish]]:
    """Wishes by the index of their ply. Raises IrregularityError where one is not possible."""
    plans: dict[int, list[Wish]] = {}
    if not wishes:
        return plans
    able: dict[str, list[int]] = {}
    match = start.fresh()
    for index, ply in enumerate(plies):
        for kind in {wish.kind for wish in wishes}:
            if IRREGULARITIES[kind](kind).possible(match, ply, plies[index + 1 :]):
                able.setdefault(kind, []).append(index)
        match.push(ply.board, ply.move)
    for wish in wishes:
        at = next((i for i, ply in enumerate(plies) if _is_at(wish, i, ply)), len(plies))
        places = able.get(wish.kind, [])
        if at not in places:
            later = [i for i in places if i > at] or places
            where = f"{plies[later[0]].board}{plies[later[0]].number}" if later else ""
            hint = f"give {wish.kind}@{where}" if where else "nor anywhere else in this match"
            raise IrregularityError(f"{wish}: cannot happen at that ply; {hint}")
        plans.setdefault(at, []).append(wish)
    return plans


def _is_at(wish: Wish, index: int, ply: Ply) -> bool:
    if wish.board is None:
        return wish.ply == index + 1
    return (wish.board, wish.ply) == (ply.board, ply.number)
