"""A lens that bends straight lines."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.find import find_board
from calibration.lens import bent, fit_lens, straight_picture, straightened
from calibration.view import CORNERS, View, pockets_beside

SIZE = (960, 720)
OUTER = [(180, 90), (770, 110), (850, 660), (120, 640)]


def chequer(bend: float) -> NDArray[np.uint8]:
    """A board on a grey table through a lens."""
    flat = np.full((1000, 1000, 3), 120, np.uint8)
    for file in range(8):
        for rank in range(8):
            light = 215 if (file + rank) % 2 else 60
            flat[100 + 100 * (7 - rank) : 200 + 100 * (7 - rank), 100 + 100 * file : 200 + 100 * file] = light
    view = View.from_corners(OUTER, SIZE, bend=bend)
    x, y = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    board = view.to_board(np.stack([x, y], -1).reshape(-1, 2)).reshape(SIZE[1], SIZE[0], 2).astype(np.float32)
    columns, rows = 100 * board[..., 0] + 99.5, 899.5 - 100 * board[..., 1]
    laid = cv2.remap(flat, columns, rows, cv2.INTER_LINEAR, borderValue=(120, 120, 120))
    return np.asarray(laid, np.uint8)


@given(st.floats(-0.03, 0.12), st.tuples(st.floats(0, 959), st.floats(0, 719)))
def test_what_is_bent_is_straightened_again(bend: float, point: tuple[float, float]) -> None:
    pixel = np.array([point])
    np.testing.assert_allclose(bent(straightened(pixel, SIZE, bend), SIZE, bend), pixel, atol=0.5)
    view = View.from_corners(OUTER, SIZE, pockets_beside("h"), bend)
    np.testing.assert_allclose(view.to_image(view.to_board(pixel)), pixel, atol=0.5)
    np.testing.assert_allclose(view.corners(), OUTER, atol=0.5)


@pytest.mark.parametrize("bend", [0.0, 0.03, 0.08])
def test_a_lens_is_told_from_crossings(bend: float) -> None:
    rng = np.random.default_rng(1)
    nodes = np.stack(np.meshgrid(np.arange(1, 8), np.arange(1, 8)), -1).reshape(-1, 2)
    points = View.from_corners(OUTER, SIZE, bend=bend).to_image(nodes) + rng.normal(0, 0.3, (49, 2))
    points[5] += 9.0  # a junction that is none
    assert fit_lens(nodes, points, SIZE) == pytest.approx(bend, abs=0.015)
    assert fit_lens(nodes[:9], points[:9], SIZE) == 0.0  # too few to tell


@pytest.mark.parametrize("bend", [0.0, 0.08])
def test_a_board_is_found_and_laid_flat_through_a_lens(bend: float) -> None:
    image = chequer(bend)
    found = find_board(image).view
    assert found.bend == pytest.approx(bend, abs=0.02)
    assert min(np.abs(found.turned(turn).corners() - OUTER).max() for turn in range(4)) < 4  # of 75 pixels a square
    upright = View.from_corners(OUTER, SIZE, bend=bend)
    flat = upright.laid_flat(image, np.array([[20.0, 0, 0], [0, -20.0, 160], [0, 0, 1]]), (160, 160))
    light = flat.reshape(8, 20, 8, 20, 3)[:, 4:16, :, 4:16].mean((1, 3, 4)) > 140
    assert (light == (np.add.outer(np.arange(8), np.arange(8)) % 2 == 0)).all()


def test_nothing_is_lost_when_a_picture_is_straightened() -> None:
    image = np.full((720, 960, 3), 200, np.uint8)
    straight, shrunk = straight_picture(image, 0.08)
    assert shrunk < 1
    middle = np.array(SIZE) / 2
    ends = (straightened([(0, 0), SIZE], SIZE, 0.08) - middle) * shrunk + middle
    assert ends.min() > -1
    assert (ends < np.array(SIZE) + 1).all()
    assert straight[360, 480].tolist() == [200, 200, 200]


def test_turning_a_view_names_its_corners_further_on() -> None:
    view = View.from_corners(OUTER, SIZE, pockets_beside("a"), 0.05)
    np.testing.assert_allclose(view.turned(2).to_image(CORNERS[:1]), view.to_image(CORNERS[2:3]), atol=0.1)
    assert view.turned(1).pockets == view.pockets
