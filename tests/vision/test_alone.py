"""A picture read alone."""

import chess
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY, LABELS, labels_of
from vision.alone import read_board
from vision.canvas import PIXELS, STRIDE
from vision.reader import FEATURES, HIDDEN, Answer, Floats, Reader
from vision.upright import BASE

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
        found[..., 6] = np.where(light & sure, 2.0, np.where(sure, 6.0, 3.0))
        return found


@pytest.mark.parametrize(("others", "read"), [("a2 b2 c2 d2 a7 b7 c7 d7", "P"), ("", "p")])
def test_who_is_taken_for_the_other_sides_is_known_by_the_men_around_him(others: str, read: str) -> None:
    image = np.full((480, 480, 3), GROUND, np.uint8)
    placed = chess.BaseBoard.empty()
    for name in others.split():
        placed.set_piece_at(chess.parse_square(name), chess.Piece(chess.PAWN, name[1] == "2"))
        _disk(image, name, LIGHT if name[1] == "2" else DARK, 24)
    _disk(image, "e4", LIGHT, 11)
    found = read_board(Unsure(), image, FLAT).argmax(1)
    wanted = labels_of(placed)
    wanted[chess.E4] = LABELS.index(read)
    assert found.tolist() == wanted.tolist()


def _disk(image: NDArray[np.uint8], name: str, shade: int, radius: int) -> None:
    square = chess.parse_square(name)
    x, y = 60 * chess.square_file(square) + 30, 480 - 60 * chess.square_rank(square) - 30
    cv2.circle(image, (x, y), radius, (shade, shade, shade), -1)
