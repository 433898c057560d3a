"""A second look at single men, upright."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY, LABELS
from vision.canvas import SQUARE_CENTRES
from vision.closer import FEW, Closer, Kept, both, closely, nothing
from vision.lean import Lean, by_pose
from vision.reader import FEATURES, Floats, Reader
from vision.upright import BASE, SIZE, SQUARE, bases_of, stances, upright

SLANTING = View.from_corners([(420, 150), (860, 150), (1100, 600), (180, 600)], (1280, 720))
FLAT = View.from_corners([(0, 0), (480, 0), (480, 480), (0, 480)], (480, 480))
KNIGHT, BISHOP = LABELS.index("N"), LABELS.index("B")


def certainly(label: int, count: int) -> Floats:
    return np.asarray(np.eye(len(LABELS), dtype=np.float32)[np.full(count, label)])


def logits(letter: str, nats: float = 4.0) -> Floats:
    return nats * np.eye(len(LABELS), dtype=np.float32)[[LABELS.index(letter)]]


def test_bases_come_to_one_place_and_heads_above_them_at_one_size() -> None:
    points = np.array([(0.5, 0.5), (4.5, 3.5), (7.5, 7.5), (9.5, 2.0)])
    lean = by_pose(SLANTING)
    places = stances(SLANTING, points, lean)

    def seen(board: NDArray[np.float64]) -> NDArray[np.float64]:
        pixels = np.column_stack([SLANTING.to_image(board), np.ones(len(board))])
        return np.asarray(np.einsum("nij,nj->ni", places, pixels))

    np.testing.assert_allclose(seen(points), np.tile(BASE, (4, 1)), atol=1e-6)
    heads = seen(points + lean(points)) - BASE
    assert (heads[:, 1] < -0.5 * SQUARE).all()
    assert (np.abs(heads[:, 0]) < 0.1 * -heads[:, 1]).all()


def test_what_is_seen_beside_where_a_man_was_looked_for_is_found_on_the_board() -> None:
    points = np.array([(0.5, 0.5), (4.5, 3.5), (7.5, 7.5)])
    bases = points + np.array([(0.2, 0.0), (0.0, -0.3), (-0.1, 0.1)])
    lean = by_pose(SLANTING)
    places = stances(SLANTING, points, lean)
    pixels = np.column_stack([SLANTING.to_image(bases), np.ones(3)])
    off = (np.einsum("nij,nj->ni", places, pixels) - BASE) / SQUARE
    np.testing.assert_allclose(bases_of(SLANTING, points, lean, off), bases, atol=1e-6)


def test_where_men_lean_to_the_side_they_are_cut_out_turned() -> None:
    image = np.zeros((480, 480, 3), np.uint8)
    cv2.circle(image, (270 + 48, 210), 8, (255, 255, 255), -1)  # 0.8 squares to the right of e4's middle
    (man,) = upright(image, FLAT, [(4.5, 4.5)], Lean(np.array([0.8, 0.0]), 0.0))
    y, x = np.argwhere(man[..., 0] > 128).mean(0)
    assert man.shape == (SIZE[1], SIZE[0], 3)
    assert abs(x - BASE[0]) < 12
    assert y < BASE[1] - 0.6 * SQUARE


def test_a_kind_that_both_find_likely_is_likelier_still_and_sides_stay() -> None:
    first = np.log(np.full((1, len(LABELS)), 0.02, np.float32))
    first[0, [KNIGHT, BISHOP]] = np.log([0.35, 0.40])
    found = np.exp(both(first, logits("n")))
    assert found[0].argmax() == KNIGHT
    assert found[0, :6].sum() > found[0, 6:12].sum()
    assert found.sum() == pytest.approx(1, abs=0.03)


def test_only_where_a_man_may_stand_is_looked_at() -> None:
    likelihoods = np.log(np.full((3, len(LABELS)), 1e-4, np.float32))
    likelihoods[[0, 1, 2], [EMPTY, KNIGHT, KNIGHT]] = -0.01
    asked = []

    def second(chosen: NDArray[np.bool_], points: NDArray[np.float64]) -> tuple[Floats, NDArray[np.float64], Floats]:
        asked.append(chosen.tolist())
        found = np.repeat(logits("B", 30), len(points[chosen]), 0)
        return found, points[chosen], found[:, EMPTY]

    found = closely(likelihoods, np.zeros((3, 2)), second, np.array([True, True, False]))
    assert asked == [[False, True, False]]
    assert found.argmax(1).tolist() == [EMPTY, BISHOP, KNIGHT]


def _looks(count: int) -> tuple[Floats, Floats, Floats]:
    """Features, bases and log-odds of lying that say nothing."""
    return np.ones((count, FEATURES), np.float32), np.zeros((count, 2), np.float32), np.zeros(count, np.float32)


class Brightness(Reader):
    """Whose second network takes bright heads for knights, dark ones for bishops."""

    def __init__(self) -> None:
        self.closer = {"strength": 1.0, "reluctance": 1.0}
        self.looks = 0

    def look_closer(self, men: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats]:
        self.looks += len(men)
        bright = men[:, : SIZE[1] // 2].mean((1, 2, 3)) / 255
        found = np.zeros((len(men), len(LABELS)), np.float32)
        found[:, KNIGHT], found[:, BISHOP] = 40 * bright, 40 * (0.25 - bright)
        return found, *_looks(len(men))


def test_what_has_not_changed_is_not_looked_at_again() -> None:
    reader = Brightness()
    kept = Kept(Closer(reader), 4)
    image = np.zeros((480, 480, 3), np.uint8)
    points, wanted = SQUARE_CENTRES[:4], np.array([True, True, True, False])
    first, *_ = kept.at(image, FLAT)(wanted, points)
    assert reader.looks == 3
    bright = np.full_like(image, 255)
    np.testing.assert_array_equal(kept.at(bright, FLAT)(wanted, points)[0], first)
    assert reader.looks == 3
    kept.forget(np.array([False, True, False, False]))
    again, *_ = kept.at(bright, FLAT)(wanted, points)
    assert reader.looks == 4
    assert again.argmax(1).tolist() == [BISHOP, KNIGHT, BISHOP]


def test_both_networks_tell_who_lies_where_both_have_looked() -> None:
    kept = Kept(Closer(Brightness()), 3)
    first = np.array([-4.0, 2.0, -6.0], np.float32)
    np.testing.assert_array_equal(kept.lying(first), first)
    kept.at(np.zeros((480, 480, 3), np.uint8), FLAT)(np.array([True, False, True]), SQUARE_CENTRES[:3])
    kept.looks.lying[:] = [2.0, -8.0, -6.0]
    np.testing.assert_array_equal(kept.lying(first), [-1.0, 2.0, -6.0])
    kept.forget(True)
    np.testing.assert_array_equal(kept.lying(first), first)


def test_what_the_start_position_teaches_moves_the_answer() -> None:
    closer = Closer(Brightness())
    look = replace(nothing(1), logits=logits("N", 1.0), features=np.ones((1, FEATURES), np.float32))
    closer.learn(look, np.array([BISHOP]))
    assert closer.says(look, 0.0)[0, BISHOP] > look.logits[0, BISHOP]


class BrightHeads(Brightness):
    """Whose second network takes men for knights where it is bright half a square above their bases."""

    def look_closer(self, men: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats]:
        self.looks += len(men)
        x, y = np.round(BASE - [0, SQUARE / 2]).astype(int)
        bright = men[:, y - 6 : y + 7, x - 6 : x + 7].mean((1, 2, 3)) / 255
        found = np.zeros((len(men), len(LABELS)), np.float32)
        found[:, KNIGHT], found[:, BISHOP] = 8 * bright, 8 - 8 * bright
        return found, *_looks(len(men))


def test_which_way_men_lean_is_found_by_how_they_read() -> None:
    """In a picture that was laid flat before."""
    image = np.zeros((480, 480, 3), np.uint8)
    squares = np.arange(2 * FEW) * 64 // (2 * FEW)
    for x, y in SQUARE_CENTRES[squares]:
        cv2.circle(image, (round(60 * (x + 0.5)), round(60 * (8 - y))), 14, (255, 255, 255), -1)
    closer = Closer(BrightHeads())
    closer.find_lean(image, FLAT, SQUARE_CENTRES[squares], certainly(KNIGHT, len(squares)))
    assert closer.lean is not None
    np.testing.assert_allclose(closer.lean.middle, [0.5, 0.0], atol=0.26)
    assert closer.lean.fan == 0


def test_where_men_read_well_the_pose_is_believed() -> None:
    reader = BrightHeads()
    closer = Closer(reader)
    dark, bishops = np.zeros((720, 1280, 3), np.uint8), certainly(BISHOP, 64)
    closer.find_lean(dark, SLANTING, SQUARE_CENTRES, bishops)
    assert closer.lean is not None
    np.testing.assert_array_equal(closer.lean.middle, by_pose(SLANTING).middle)
    assert reader.looks == FEW
