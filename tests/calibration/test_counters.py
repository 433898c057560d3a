"""Boards for counters, with lines or chequered, found with counters on them."""

from functools import partial

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.counters import find_counter_board
from calibration.evaluate import worst
from calibration.find import CONFIDENT, BoardNotFoundError
from calibration.lattice import Lattice
from calibration.view import View
from calibration.watch import Glance, Watch

SIZE = (640, 480)
PLACED = np.array([(113, 40), (533, 60), (587, 440), (60, 420)], np.float32)
Picture = NDArray[np.uint8]


def drawn(
    side: int, ruled: bool, full: bool, light: bool = False, faint: bool = False, beside: bool = False
) -> Picture:
    """A board of which all cells, or those of the rim, hold counters; `light`: its lines are lighter than its cells;
    `faint`: its dark squares are little darker than the others; `beside`: the table is ruled as the board is."""
    rng, cell = np.random.default_rng(side), 64
    edge = side * cell
    flat = np.full((edge + 2 * cell, edge + 2 * cell, 3), (90.0, 110.0, 140.0))
    for x in range(side):
        for y in range(side):
            colour = (120, 150, 110) if ruled or (x + y) % 2 else (104, 128, 96) if faint else (50, 70, 60)
            cv2.rectangle(flat, ((x + 1) * cell, (y + 1) * cell), ((x + 2) * cell, (y + 2) * cell), colour, -1)
    for at in range(cell, edge + 2 * cell, cell) if ruled else ():
        tone = (230,) * 3 if light else (40,) * 3
        cv2.line(flat, (at, cell), (at, edge + cell), tone, 4)
        cv2.line(flat, (cell, at), (edge + cell, at), tone, 4)
    if beside:
        for at in range(cell, edge + 2 * cell, cell):
            cv2.line(flat, (8, at), (cell, at), (40,) * 3, 4)
        cv2.line(flat, (8, cell), (8, edge + cell), (40,) * 3, 4)
    for x in range(side):
        for y in range(side):
            if full or not 0 < min(x, y) <= max(x, y) < side - 1:
                dx, dy = rng.integers(-5, 6, 2)
                place = ((x + 1) * cell + cell // 2 + int(dx), (y + 1) * cell + cell // 2 + int(dy))
                cv2.circle(flat, place, 24, (60, 60, 190) if rng.random() < 0.5 else (30, 30, 30), -1, cv2.LINE_AA)
    plane = np.array([(1, 1), (side + 1, 1), (side + 1, side + 1), (1, side + 1)], np.float32) * cell
    matrix = cv2.getPerspectiveTransform(plane, PLACED)
    image = cv2.warpPerspective(flat, matrix, SIZE, flags=cv2.INTER_AREA, borderValue=(90, 110, 140))
    return np.asarray(np.clip(image + rng.normal(0, 3, image.shape), 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("side", "ruled", "full", "light"),
    [(7, True, False, False), (7, True, False, True), (7, False, False, False), (8, True, True, False),
     (8, True, True, True), (8, False, True, False)],
)  # fmt: skip
def test_a_board_is_found_under_its_counters(side: int, ruled: bool, full: bool, light: bool) -> None:
    found = find_counter_board(drawn(side, ruled, full, light), side)
    assert found.view.side == side
    assert worst(found.corners(), PLACED.astype(np.float64)) < 0.1
    middle = found.view.to_image([(side / 2, side / 2)])
    np.testing.assert_allclose(found.view.to_board(middle), [(side / 2, side / 2)], atol=1e-3)
    assert not found.orientation_sure


def test_faint_squares_all_taken_are_a_board_by_their_crossings() -> None:
    found = find_counter_board(drawn(8, False, True, faint=True), 8)
    assert found.confidence > CONFIDENT
    assert worst(found.corners(), PLACED.astype(np.float64)) < 0.1


def test_ground_of_another_colour_is_none_of_the_board_however_it_is_ruled() -> None:
    found = find_counter_board(drawn(7, True, False, beside=True), 7)
    assert found.confidence > CONFIDENT
    assert worst(found.corners(), PLACED.astype(np.float64)) < 0.1


@pytest.mark.parametrize("kind", ["blank", "stripes"])
def test_no_board_is_said(kind: str) -> None:
    image = np.full((480, 640, 3), 120, np.uint8)
    if kind == "stripes":
        image[:, ::20] = 255
    with pytest.raises(BoardNotFoundError):
        find_counter_board(image, 7)


def test_a_lattice_is_filled_where_it_reaches_no_further() -> None:
    nodes = np.array([(x, y) for x in range(-2, 4) for y in range(3, 9)])
    assert Lattice(np.eye(3), nodes, nodes.astype(float)).filled(6) == 1
    assert Lattice(np.eye(3), nodes[1:], nodes[1:].astype(float)).filled(6) == pytest.approx(35 / 36)
    assert Lattice(np.eye(3), nodes, nodes.astype(float)).filled(5) == 0
    further = np.vstack([nodes, [4, 8]])
    assert Lattice(np.eye(3), further, further.astype(float)).filled(6) == 0


def watched(images: list[Picture]) -> list[Glance]:
    """What a watch over a board of 7x7 cells says of pictures, 20 a second, each with noise of its own."""
    rng = np.random.default_rng(5)
    watch = Watch(View.from_corners(PLACED, SIZE, side=7), partial(find_counter_board, side=7))
    noisy = [np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8) for image in images]
    return [watch.look(image, number / 20) for number, image in enumerate(noisy)]


def moved(image: Picture, right: float, down: float) -> Picture:
    matrix = np.array([[1, 0, right], [0, 1, down]], np.float64)
    return np.asarray(cv2.warpAffine(image, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_a_small_board_is_followed_when_it_shifts() -> None:
    still = drawn(7, ruled=True, full=False)
    looks = watched([still] * 5 + [moved(still, 11, 6)] * 30)
    assert {look.state for look in looks[:5]} == {"steady"}
    assert "steady" not in {look.state for look in looks[8:12]}
    assert looks[-1].state == "steady"
    assert looks[-1].view.side == 7
    assert np.abs(looks[-1].view.corners() - PLACED - (11, 6)).max() < 5  # a tenth of a cell


def test_a_small_board_is_found_again_the_way_it_lay() -> None:
    still = drawn(7, ruled=True, full=False)
    over = np.ascontiguousarray(still[::-1, ::-1])
    looks = watched([still] * 5 + [moved(over, 20, 12)] * 30)
    assert looks[-1].state == "steady"
    assert np.abs(looks[-1].view.corners() - (np.array(SIZE) - 1 - PLACED + (20, 12))).max() < 5
