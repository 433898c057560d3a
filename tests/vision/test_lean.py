"""Which squares men hide from the camera."""

import chess
import numpy as np
import pytest

from rules.observation import labels_of
from vision.lean import Lean, covered

START = labels_of(chess.Board())


@pytest.mark.parametrize(("away", "hidden"), [(0.0, set()), (1.0, set()), (2.0, {"e2"}), (-2.0, {"e7"})])
def test_a_low_camera_sees_little_of_whoever_stands_behind_a_king(away: float, hidden: set[str]) -> None:
    """`away`: squares from White to where a king's head appears."""
    found = covered(Lean(np.array([0.0, away]), 0.2), START)
    assert {chess.square_name(square) for square in np.flatnonzero(found > 0.75).tolist()} == hidden


def test_nobody_hides_himself_nor_who_stands_before_him() -> None:
    labels = labels_of(chess.Board("8/8/8/8/4k3/4P3/8/8 w - - 0 1"))
    found = covered(Lean(np.array([0.0, 1.8]), 0.0), labels)
    assert found[chess.E3] == 0
    assert found[chess.E4] < 0.75
    assert found[chess.E5] > 0.75
