"""Where the border between two reserves is seen."""

import chess
import numpy as np
import pytest

from calibration.view import pockets_beside
from rules.observation import LABELS, PocketObservation
from vision.border import Border


def standing(*ranks: float, seen: bool = True) -> PocketObservation:
    """Men beside one another, so many squares up from white's edge."""
    centres = np.array([(9.0 + 0.8 * n, rank) for n, rank in enumerate(ranks)], np.float32).reshape(-1, 2)
    return PocketObservation(np.zeros((len(ranks), len(LABELS)), np.float32), centres, seen)


@pytest.mark.parametrize(
    ("white", "black", "between"),
    [
        ((3.2, 2.4), (4.2, 4.2), 3.7),  # on a table below the board, the camera behind White
        ((2.4,), (4.2,), None),  # farther from where it should be than men stand lower
        ((3.5, 2.6), (4.5,), None),  # as it should be
        ((3.2,), (), None),
        ((3.2, 4.2), (4.2,), None),  # one has put a man into the other's reserve
        ((3.8,), (4.4,), None),  # too close to tell
        ((3.35,), (4.25,), 3.8),
        ((3.45,), (4.25,), None),  # hardly elsewhere
    ],
)
def test_the_border_lies_between_the_men_of_both(
    white: tuple[float, ...], black: tuple[float, ...], between: float | None
) -> None:
    border = Border(pockets_beside("h"))
    moved = border.look({chess.WHITE: standing(*white), chess.BLACK: standing(*black)})
    assert moved == (between is not None)
    assert border.regions[chess.WHITE].y1 == border.regions[chess.BLACK].y0 == pytest.approx(between or 4.0)
    assert border.regions[chess.WHITE].y0 == 0.0


def test_it_stays_where_it_was_found() -> None:
    border = Border(pockets_beside("a"))
    both = {chess.WHITE: standing(3.8), chess.BLACK: standing(4.8)}
    assert not border.look(both | {chess.BLACK: standing(4.8, seen=False)})
    assert border.look(both)
    assert not border.look(both)
    assert not border.look({chess.WHITE: standing(3.8, 4.7), chess.BLACK: standing(4.8)})
    assert border.regions[chess.BLACK].y0 == pytest.approx(4.3)
