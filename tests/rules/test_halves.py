"""Who stands beyond the border between two reserves."""

from collections.abc import Collection

import chess
import numpy as np
import pytest

from rules.halves import in_halves
from rules.passing import Passing
from rules.pocket import Pocket
from tests.rules.table import pocket

BEYOND, WITHIN = 4.15, 3.85


def strangers(y: float, giving: Collection[chess.PieceType], reserves: dict[chess.Color, Pocket]) -> int:
    """How many are told to stand in Black's reserve who are White's, where a pawn of White's is seen in White's."""
    seen = {chess.WHITE: pocket("P", chess.WHITE), chess.BLACK: pocket("", chess.BLACK)}
    seen[chess.WHITE].centres[0] = 8.7, y
    found = in_halves(seen, reserves, {chess.WHITE: (), chess.BLACK: giving})
    assert len(found[chess.WHITE].centres) + len(found[chess.BLACK].strangers) == 1
    for tenth in range(10):
        reserves[chess.BLACK].look(found[chess.BLACK], tenth / 10, 0.0)
    return len(found[chess.BLACK].strangers)


@pytest.mark.parametrize(("y", "giving", "there"), [
    (BEYOND, {chess.PAWN}, 1), (WITHIN, {chess.PAWN}, 0), (BEYOND, {chess.KNIGHT}, 0), (BEYOND, (), 0),
])  # fmt: skip
def test_who_stands_beyond_the_border_is_whom_the_neighbour_has_to_pass_on(
    y: float, giving: Collection[chess.PieceType], there: int
) -> None:
    assert strangers(y, giving, {color: Pocket("A", color) for color in chess.COLORS}) == there


@pytest.mark.parametrize("before", [False, True])
def test_who_has_to_come_may_stand_beyond_the_border_unless_he_is_known_to_be_the_neighbours(before: bool) -> None:
    reserves = {color: Pocket("A", color) for color in chess.COLORS}
    if before:
        assert strangers(BEYOND, {chess.PAWN}, reserves) == 1
    reserves[chess.WHITE].coming = [Passing("B", chess.BLACK, chess.PAWN, -2.0, -2.0)]
    assert strangers(BEYOND, {chess.PAWN}, reserves) == before


def test_who_is_known_to_be_of_a_reserve_stays() -> None:
    reserves = {color: Pocket("A", color) for color in chess.COLORS}
    mine = pocket("P", chess.WHITE)
    mine.centres[0] = 8.7, BEYOND
    reserves[chess.WHITE].coming = [Passing("B", chess.BLACK, chess.PAWN, -2.0, -2.0)]
    for tenth in range(20):
        reserves[chess.WHITE].look(mine, tenth / 10)
    assert not reserves[chess.WHITE].coming
    assert np.isfinite(reserves[chess.WHITE].slots[0].since)
    assert strangers(BEYOND, {chess.PAWN}, reserves) == 0
