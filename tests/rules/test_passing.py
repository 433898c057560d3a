"""What one player's pocket tells, by itself."""

from collections import Counter

import chess
import numpy as np
import pytest

from rules.passing import Passing, Pocket
from tests.rules.table import pocket, torn


@pytest.mark.parametrize(("looked_like", "told"), [(None, (chess.KNIGHT, chess.PAWN)), (chess.KNIGHT, None)])
def test_how_a_dropped_man_looks_counts_beside_what_is_left_in_the_pocket(
    looked_like: chess.PieceType | None, told: tuple[chess.PieceType, chess.PieceType] | None
) -> None:
    """Two knights and a pawn; a knight is said to have been dropped; one of the two that are left may be a knight."""
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.KNIGHT: 2, chess.PAWN: 1}))
    full, left = pocket("NNP", chess.WHITE), pocket("NN", chess.WHITE)
    left.pieces[1] = torn(N=0.6, P=0.03, B=0.3)
    for tenth in range(20):
        reserve.look(full, tenth / 10)
    reserve.take(chess.KNIGHT, 2.0)
    for tenth in range(20, 40):
        reserve.look(left, tenth / 10)
    looks = np.full(6, 0.02 if looked_like else 1 / 6)
    if looked_like:
        looks[looked_like - 1] = 0.9
    assert reserve.mistaken(looks) == told


def test_what_stands_with_the_giver_is_not_hidden_by_its_owner() -> None:
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.PAWN: 2}))
    for tenth in range(10):
        reserve.look(pocket("P", chess.WHITE), tenth / 10)
    assert reserve.amiss(astray=0) == {"hidden_reserve": "P"}
    assert reserve.amiss(astray=1) == {}


def test_what_was_just_taken_from_the_wrong_side_is_on_its_way() -> None:
    giver = Pocket("A", chess.WHITE)
    for tenth in range(10):
        giver.look(pocket("p", chess.WHITE), tenth / 10)
    assert giver.astray(1.0) == 1
    giver.look(pocket("", chess.WHITE), 1.0)
    assert giver.astray(3.0) == 1
    assert giver.astray(6.0) == 0


def test_what_comes_is_what_was_just_captured_rather_than_what_is_kept_back() -> None:
    reserve = Pocket("A", chess.WHITE)
    kept = Passing("B", chess.BLACK, chess.PAWN, 0.0, 0.0, late=True)
    just = Passing("B", chess.BLACK, chess.PAWN, 20.0, 20.0)
    reserve.coming = [kept, just]
    for tenth in range(210, 220):
        reserve.look(pocket("P", chess.WHITE), tenth / 10)
    assert reserve.coming == [kept]
