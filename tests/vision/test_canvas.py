import chess
import cv2
import numpy as np
import pytest

from calibration.view import Side, View, pockets_beside
from vision.arms import clock_beside
from vision.canvas import SQUARE_CENTRES, STRIDE, Canvas, up_turns

UPRIGHT = [(300, 100), (900, 100), (900, 700), (300, 700)]  # a8, h8, h1, a1
SIZE = (1280, 800)


@pytest.mark.parametrize("turns", range(4))
def test_the_axis_that_points_up_is_up_on_the_canvas(turns: int) -> None:
    corners = UPRIGHT[turns:] + UPRIGHT[:turns]
    view = View.from_corners(corners, SIZE, pockets_beside("h"))
    assert up_turns(view) == [0, 3, 2, 1][turns]
    canvas = Canvas.over(view)
    image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    x, y = view.to_image([(6.5, 1.5)])[0]  # g2, wherever it lies
    image[int(y) - 5 : int(y) + 5, int(x) - 5 : int(x) + 5] = 255
    column, row = canvas.squares[chess.G2]
    found = canvas.warp(image, view)
    assert found[row * STRIDE, column * STRIDE].tolist() == [255, 255, 255]
    slope = np.linspace(0, 255, SIZE[1]).astype(np.uint8)
    above = canvas.warp(np.tile(slope[:, None, None], (1, SIZE[0], 3)), view)
    assert above[row * STRIDE - 30, column * STRIDE, 0] < above[row * STRIDE + 30, column * STRIDE, 0]


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("side", ["a", "h"])
def test_the_canvas_holds_board_and_pockets_and_places_map_back(turns: int, side: Side) -> None:
    view = View.from_corners(UPRIGHT[turns:] + UPRIGHT[:turns], SIZE, pockets_beside(side))
    canvas = Canvas.over(view)
    assert canvas.size[0] % STRIDE == 0
    assert canvas.size[1] % STRIDE == 0
    points = np.vstack([SQUARE_CENTRES, [(r.x0, r.y0) for r in view.pockets.values()]])
    places = canvas.places(points)
    assert (places >= 0).all()
    assert (places * STRIDE < canvas.size).all()
    np.testing.assert_allclose(canvas.points(places), points, atol=1e-9)
    np.testing.assert_allclose(canvas.places(SQUARE_CENTRES), canvas.squares, atol=1e-9)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("side", ["a", "h"])
def test_a_canvas_lies_on_one_that_holds_more_where_both_show_the_same(turns: int, side: Side) -> None:
    view = View.from_corners(UPRIGHT[turns:] + UPRIGHT[:turns], SIZE, pockets_beside(side))
    canvas, larger = Canvas.over(view), Canvas.over(view, beside=[clock_beside(1 if side == "h" else -1)])
    few = np.random.default_rng(0).integers(0, 255, (16, 24, 3)).astype(np.uint8)
    image = np.asarray(cv2.resize(few, SIZE), np.uint8)
    part = larger.warp(image, view)[canvas.on(larger)]
    assert larger.size != canvas.size
    assert np.abs(part.astype(int) - canvas.warp(image, view)).max() <= 2
