from functools import lru_cache

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import View, pockets_beside
from models.compose import Kit
from quadriglia.boards import place
from quadriglia.demo import SAMPLE
from quadriglia.sight import Sight
from rules.observation import EMPTY, groups, labels_of
from vision.canvas import PIXELS, Canvas
from vision.lean import lean_of
from vision.reader import Reader, board_of
from vision.source import Source

START = labels_of(chess.Board())


@lru_cache(maxsize=1)
def filmed() -> tuple[Reader, NDArray[np.uint8], View]:
    reader, source = Reader(), Source("A", SAMPLE / "a.mp4")
    found = place(source, None, pockets_beside("h"), Sight(reader)).view
    return reader, next(iter(source)).image, View(found.homography, found.size, bend=found.bend)


def kit() -> tuple[Kit, Canvas]:
    _, image, view = filmed()
    canvas = Canvas.over(view)
    picture = canvas.warp(image, view)
    return Kit.of(picture, canvas, START, lean_of(picture, canvas, view, START)), canvas


def test_a_board_of_which_the_men_were_taken_reads_as_empty() -> None:
    made, canvas = kit()
    assert (board_of(filmed()[0].read(made.empty), canvas).argmax(1) == EMPTY).all()


def test_men_set_anew_read_as_what_they_are() -> None:
    made, canvas = kit()
    reader, rng = filmed()[0], np.random.default_rng(1)
    right, men = 0, 0
    for _ in range(6):
        picture, labels = made.composed(24, rng)
        read = board_of(reader.read(picture), canvas).argmax(1)
        assert np.count_nonzero(groups(read) != groups(labels)) <= 2, "which squares are full, and with which colour"
        full = labels != EMPTY
        right, men = right + int((read == labels)[full].sum()), men + int(full.sum())
    assert men > 100
    assert right / men > 0.75


def test_how_men_lean_is_seen_in_a_picture_that_was_laid_flat_before() -> None:
    _, image, view = filmed()
    canvas = Canvas.over(view)
    lean = lean_of(canvas.warp(image, view), canvas, view, START)
    side = 8 * PIXELS
    corners = [(0, 0), (side, 0), (side, side), (0, side)]
    flat = View.from_corners(corners, (side, side))
    laid = view.laid_flat(image, flat.homography, (side, side))
    upright = Canvas.over(flat)
    again = lean_of(upright.warp(laid, flat), upright, flat, START)
    assert np.hypot(*lean.middle) > 0.4, "or there is nothing to see"
    assert np.hypot(*(lean.middle - again.middle)) < 0.5
    first, second = (found.depth(np.array([[4.0, 0.5], [4.0, 7.5]])) for found in (lean, again))
    assert (np.argsort(first) == np.argsort(second)).all()
