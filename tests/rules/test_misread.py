"""Drops that read as of another kind than was told, and the record as it may have been."""

from collections.abc import Callable

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.irregular import Illegal
from rules.match import Match, Ply
from rules.misread import otherwise, reading_better, stands
from rules.seats import BoardName

SURE = 3.0  # nats by which a man reads as one kind rather than any other


def played(start: dict[BoardName, str], *plies: tuple[BoardName, str]) -> Match:
    match = Match("bughouse", start=start)
    for board, uci in plies:
        match.push(board, chess.Move.from_uci(uci))
    return match


def reading(**kinds: chess.PieceType) -> Callable[[Ply], NDArray[np.float64]]:
    """By square of the drop; who is not named was not seen."""

    def looks(ply: Ply) -> NDArray[np.float64]:
        kind = kinds.get(chess.square_name(ply.move.to_square))
        found = np.zeros(6)
        if kind:
            found[kind - 1] = SURE
        return found

    return looks


def retold(match: Match, looks: Callable[[Ply], NDArray[np.float64]]) -> dict[str, float]:
    """Nats, by the drops of the other record."""
    found = reading_better(match, len(match.plies) - 1, looks)
    return {" ".join(ply.san for ply in other.plies if ply.move.drop): gain for gain, other in found}


def test_two_drops_may_have_been_told_for_each_other() -> None:
    match = played({"A": "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1"}, ("A", "P@e4"), ("A", "e8e7"), ("A", "N@c4"))
    looks = reading(e4=chess.KNIGHT, c4=chess.PAWN)
    assert retold(match, looks) == {"N@e4 P@c4": 2 * SURE}


def test_who_was_dropped_unseen_and_taken_goes_on_as_what_he_was() -> None:
    start: dict[BoardName, str] = {
        "A": "4k3/8/8/8/3p4/8/8/4K3[BP] w - - 0 1",
        "B": "4k3/8/8/8/8/8/8/4K3[] w - - 0 1",
    }
    match = played(start, ("A", "B@e3"), ("A", "d4e3"), ("B", "B@c3"))
    assert retold(match, reading(c3=chess.PAWN)) == {"P@e3 P@c3": SURE}
    assert retold(match, reading(e3=chess.BISHOP, c3=chess.PAWN)) == {"P@e3 P@c3": 0.0}


@pytest.mark.parametrize("kind", [chess.ROOK, chess.QUEEN])
def test_nobody_is_told_to_be_what_was_never_there(kind: chess.PieceType) -> None:
    match = played({"A": "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1"}, ("A", "N@c4"))
    assert retold(match, reading(c4=kind)) == {}


def test_who_alone_was_taken_for_another_is_told_as_what_he_is() -> None:
    match = played({"A": "4k3/8/8/8/8/8/8/4K3[NPP] w - - 0 1"}, ("A", "P@e4"), ("A", "e8e7"), ("A", "N@c4"))
    looks = reading(e4=chess.PAWN, c4=chess.PAWN)
    assert retold(match, looks) == {"P@e4 P@c4": SURE, "N@e4 P@c4": 0.0}


def test_who_attacks_a_king_that_goes_there_all_the_same_may_be_another() -> None:
    match = played({"A": "8/6k1/8/8/8/8/8/4K3[RP] w - - 0 1"}, ("A", "R@f6"))
    goes = Illegal(chess.G7, chess.H6, None, None, chess.BLACK)
    assert [(index, kind) for _, index, kind, _ in otherwise(match, "A", goes, reading())] == [(0, chess.PAWN)]


def test_who_moves_as_another_was_told_for_one_who_was_dropped_later() -> None:
    match = played(
        {"A": "4k3/8/8/8/8/8/8/4K3[NB] w - - 0 1"}, ("A", "N@c4"), ("A", "e8e7"), ("A", "B@e4"), ("A", "e7e8")
    )
    goes = Illegal(chess.C4, chess.D5, None, None, chess.WHITE)
    ((gain, index, kind, other),) = otherwise(match, "A", goes, reading(e4=chess.BISHOP))
    assert (index, kind, gain) == (0, chess.BISHOP, -SURE)
    assert [ply.san for ply in other.plies if ply.move.drop] == ["B@c4", "N@e4"]


def test_who_drops_what_is_gone_dropped_another_before() -> None:
    fen: dict[BoardName, str] = {"A": "4k3/8/8/8/8/8/8/4K3[NB] w - - 0 1"}
    match = Match("bughouse", start=fen)
    for move in ("N@e4", "e8e7"):
        match.push("A", chess.Move.from_uci(move))
    again = Illegal(chess.D5, chess.D5, None, chess.KNIGHT, chess.WHITE)
    ((_, index, kind, other),) = otherwise(match, "A", again, reading())
    assert (index, kind) == (0, chess.BISHOP)
    assert other.is_legal("A", again.plain())
    assert stands(match, 0) == chess.E4
    # Nothing else would make a rook's drop legal.
    assert not list(otherwise(match, "A", Illegal(chess.D5, chess.D5, None, chess.ROOK, chess.WHITE), reading()))
