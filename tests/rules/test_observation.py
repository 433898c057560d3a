"""When a start position stands there, as far as it is read; and which squares lie around others."""

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS, as_expected, labels_of, next_to

START = labels_of(chess.Board())
ALL = np.ones(64, np.bool_)


def read(as_white: NDArray[np.float64]) -> NDArray[np.float64]:
    """(64, 13) where each man reads as White's so far."""
    found = np.full((64, len(LABELS)), 1e-3)
    found[START == EMPTY, EMPTY] = 1
    full = START != EMPTY
    found[full, 0], found[full, 6] = as_white[full], 1 - as_white[full]
    return found


@pytest.mark.parametrize(
    ("white", "black", "stands"),
    [
        (0.99, 0.01, True),
        (0.99, 0.8, True),
        (0.3, 0.01, True),
        (0.9, 0.9, False),
        (0.8, 0.99, False),
        (0.01, 0.99, False),
    ],
)
def test_sides_need_only_be_told_from_each_other(white: float, black: float, stands: bool) -> None:
    found = as_expected(read(np.where(START < 6, white, black)), START, ALL)
    assert (found is not None) == stands
    if found is not None:
        assert found.all()


@pytest.mark.parametrize(("apart", "full"), [(True, True), (False, True), (True, False)])
def test_where_both_sides_read_as_one_their_own_colours_may_tell_them(apart: bool, full: bool) -> None:
    found = read(np.full(64, 0.99))
    if not full:
        found[chess.A2 : chess.D2] = found[chess.A4]
    asked = list[bool]()

    def tell() -> bool:
        asked.append(apart)
        return apart

    assert (as_expected(found, START, ALL, tell) is not None) == (apart and full)
    assert len(asked) == full, "only where the right squares are full"


def test_chance_tells_no_sides() -> None:
    rng = np.random.default_rng(0)
    assert not [n for n in range(300) if as_expected(read(rng.uniform(0.6, 1, 64)), START, ALL) is not None]


def test_what_stands_elsewhere_is_no_start_position() -> None:
    found = read(np.where(START < 6, 0.99, 0.01))
    found[[chess.E2, chess.E4, chess.E7, chess.E5]] = found[[chess.E4, chess.E2, chess.E5, chess.E7]]
    assert as_expected(found, START, ALL) is None


def test_the_squares_around_are_those_a_king_may_go_to() -> None:
    for square in chess.SQUARES:
        around = chess.SquareSet(chess.BB_KING_ATTACKS[square])
        assert np.flatnonzero(next_to(np.arange(64) == square)).tolist() == list(around)
