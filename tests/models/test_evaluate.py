"""How readings are counted and shown."""

from pathlib import Path

import chess
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View
from models.evaluate import Tally
from models.gallery import COLUMNS, Reading, confusion_picture, worst_picture
from rules.observation import EMPTY, LABELS, labels_of

START = labels_of(chess.Board())
SURE = 0.9


def read_as(labels: NDArray[np.int64]) -> NDArray[np.float32]:
    rest = (1 - SURE) / (len(LABELS) - 1)
    likelihoods = np.full((len(labels), len(LABELS)), np.log(rest), np.float32)
    likelihoods[np.arange(len(labels)), labels] = np.log(SURE)
    return likelihoods


def test_squares_occupancy_colour_and_type_are_counted_apart() -> None:
    guess = START.copy()
    guess[chess.A1] = LABELS.index("Q")  # another kind
    guess[chess.B1] = LABELS.index("n")  # another colour
    guess[chess.E4] = LABELS.index("P")  # out of nothing
    guess[chess.H8] = EMPTY
    tally = Tally()
    tally.add(START, read_as(guess))
    tally.add(START, read_as(START))
    row = tally.row()
    assert row["pictures"] == 2
    assert row["squares"] == pytest.approx(124 / 128, abs=1e-4)
    assert row["occupancy"] == pytest.approx(126 / 128, abs=1e-4)
    assert row["colour"] == pytest.approx(62 / 64, abs=1e-4)
    assert row["type"] == pytest.approx(62 / 64, abs=1e-4)
    assert (row["exact"], row["at_most_one_error"]) == (0.5, 0.5)
    assert tally.confusion[LABELS.index("R"), LABELS.index("Q")] == 1
    assert tally.confusion.sum() == 128
    assert row["calibration_error"] == pytest.approx(124 / 128 - SURE, abs=1e-3)


def test_pictures_show_what_went_wrong(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    cv2.imwrite(str(path), np.full((400, 400, 3), 90, np.uint8))
    view = View.from_corners([(40, 40), (360, 40), (360, 360), (40, 360)], (400, 400))
    wrong = START.copy()
    wrong[chess.A8] = EMPTY
    readings = [Reading(path, view, START, read_as(labels)) for labels in (START, wrong)]
    worst = worst_picture(readings)
    assert worst.shape[1] == COLUMNS * worst.shape[0]
    tile = worst[:, : worst.shape[0]]
    x, y = 45, 45  # the border of a8, a square inside the tile
    assert (tile[y - 5 : y + 30, x - 5 : x + 30, 2] > 200).any(), "the worst comes first, its square marked in red"
    assert confusion_picture(np.eye(len(LABELS), dtype=np.int64)).ndim == 3
