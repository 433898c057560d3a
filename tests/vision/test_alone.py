"""A picture read alone."""

import chess
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY, LABELS, labels_of
from vision.alone import _leans, read_board
from vision.canvas import PIXELS, SQUARE_CENTRES, STRIDE
from vision.lean import Lean, by_pose
from vision.reader import FEATURES, HIDDEN, Answer, Floats, Reader
from vision.upright import BASE, SQUARE, stances

FLAT = View.from_corners([(0, 0), (480, 0), (480, 480), (0, 480)], (480, 480))
GROUND, LIGHT, DARK = 100, 210, 40


class Unsure(Reader):
    """Both of whose networks see a pawn wherever a disk lies, surely of one side where it is of full size, and take a
    smaller one for Black's rather than White's."""

    def __init__(self) -> None:
        self.manifest = {"temperature": 1.0}
        self.closer = {"strength": 1.0, "reluctance": 1.0}

    def read(self, canvas: NDArray[np.uint8]) -> Answer:
        centres = canvas[::STRIDE, ::STRIDE, 0]
        beside = np.roll(canvas, -PIXELS // 4, 1)[::STRIDE, ::STRIDE, 0]
        logits = np.full((*centres.shape, HIDDEN + 1), -4.0, np.float32)
        logits[..., EMPTY] = 8.0
        logits[centres != GROUND] = self._men(centres, beside)[centres != GROUND]
        rest = np.zeros((*centres.shape, FEATURES), np.float32)
        return Answer(self.log_probabilities(logits, "temperature"), rest[..., :2], logits, rest, rest[..., 0])

    def look_closer(self, men: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats]:
        x, y = BASE.astype(int)
        found = self._men(men[:, y, x, 0], men[:, y, x + 14, 0])
        features, bases, lying = (np.zeros((len(men), *size), np.float32) for size in ((FEATURES,), (2,), ()))
        return found[:, : len(LABELS)], features, bases, lying

    @staticmethod
    def _men(middle: NDArray[np.uint8], beside: NDArray[np.uint8]) -> Floats:
        found = np.full((*middle.shape, HIDDEN + 1), -4.0, np.float32)
        sure, light = np.abs(beside.astype(int) - GROUND) > 20, middle > GROUND
        found[..., 0] = np.where(light & sure, 6.0, 2.0)
        found[..., 6] = np.where(light & sure, 2.0, np.where(sure, 6.0, 2.6))
        return found


@pytest.mark.parametrize(("others", "read"), [("a2 b2 c2 d2 a7 b7 c7 d7", "P"), ("", "p")])
def test_who_is_taken_for_the_other_sides_is_known_by_the_men_around_him(others: str, read: str) -> None:
    image = np.full((480, 480, 3), GROUND, np.uint8)
    placed = chess.BaseBoard.empty()
    for name in others.split():
        placed.set_piece_at(chess.parse_square(name), chess.Piece(chess.PAWN, name[1] == "2"))
        _disk(image, name, LIGHT if name[1] == "2" else DARK, 24)
    _disk(image, "e4", LIGHT, 13)
    found = read_board(Unsure(), image, FLAT).argmax(1)
    wanted = labels_of(placed)
    wanted[chess.E4] = LABELS.index(read)
    assert found.tolist() == wanted.tolist()


class Heads(Unsure):
    """Whose second network is sure of a knight where it is bright half a square above his base, and of nothing else."""

    def look_closer(self, men: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats]:
        x, y = np.round(BASE - [0, SQUARE / 2]).astype(int)
        found = np.zeros((len(men), len(LABELS)), np.float32)
        found[:, LABELS.index("N")] = 60 * (men[:, y - 4 : y + 5, x - 4 : x + 5].mean((1, 2, 3)) > 128)
        _, features, bases, lying = super().look_closer(men)
        return found, features, bases, lying


@pytest.mark.parametrize("aside", [None, (0.5, 0.0), (0.0, -0.5)])
def test_men_lean_as_they_are_read_most_surely(aside: tuple[float, float] | None) -> None:
    """In a picture that was laid flat before, or as the pose says."""
    image, lean = np.zeros((480, 480, 3), np.uint8), Lean(np.array(aside), 0.0) if aside else by_pose(FLAT)
    for place in stances(FLAT, SQUARE_CENTRES, lean):
        head = np.linalg.solve(place[:, :2], BASE - [0, SQUARE / 2] - place[:, 2])
        cv2.circle(image, np.round(head).astype(int).tolist(), 8, (255, 255, 255), -1)
    leans = _leans(Heads(), image, FLAT, np.log(np.full((64, len(LABELS)), 1 / len(LABELS), np.float32)))
    assert sum(share for _, share in leans) == pytest.approx(1)
    (best, most), *others = leans
    np.testing.assert_allclose(best.middle, lean.middle, atol=0.2)
    assert best.fan == lean.fan
    assert all(share < most for _, share in others)


def test_where_men_are_read_surely_the_pose_is_believed() -> None:
    white = np.full((480, 480, 3), 255, np.uint8)
    knights = np.log(np.where(np.arange(len(LABELS)) == LABELS.index("N"), 1.0, 1e-6) * np.ones((64, 1)))
    ((lean, share),) = _leans(Heads(), white, FLAT, knights.astype(np.float32))
    np.testing.assert_array_equal(lean.middle, by_pose(FLAT).middle)
    assert share == 1


def _disk(image: NDArray[np.uint8], name: str, shade: int, radius: int) -> None:
    square = chess.parse_square(name)
    x, y = 60 * chess.square_file(square) + 30, 480 - 60 * chess.square_rank(square) - 30
    cv2.circle(image, (x, y), radius, (shade, shade, shade), -1)
