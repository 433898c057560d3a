"""Pictures of how the reader does: what is taken for what, and where it reads worst."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from models.pictures import load
from rules.observation import LABELS

CELL = 44
SQUARE = 40  # pixels on the sheet of worst readings
WORST, COLUMNS = 12, 4
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One judged picture: `truth` (64,) labels, `likelihoods` (64, 13)."""

    path: Path
    view: View
    truth: NDArray[np.int64]
    likelihoods: NDArray[np.float32]

    @property
    def wrong(self) -> NDArray[np.int64]:
        """Squares read wrongly."""
        return np.flatnonzero(self.likelihoods.argmax(1) != self.truth)


def confusion_picture(confusion: NDArray[np.int64]) -> Picture:
    """Rows are what stood there, columns what was read; shades are shares of the row."""
    side = CELL * (len(LABELS) + 1)
    picture = np.full((side, side, 3), 255, np.uint8)
    shares = confusion / np.maximum(confusion.sum(1, keepdims=True), 1)
    for i, name in enumerate(LABELS):
        _write(picture, name, (CELL * (i + 1) + 14, 28), (0, 0, 0))
        _write(picture, name, (14, CELL * (i + 1) + 28), (0, 0, 0))
        for j in range(len(LABELS)):
            shade = int(255 - 215 * shares[i, j] ** 0.5)
            tint = (shade, 255 if i == j else shade, shade if i == j else 255)
            corner = CELL * (j + 1), CELL * (i + 1)
            cv2.rectangle(picture, corner, (corner[0] + CELL - 2, corner[1] + CELL - 2), tint, -1)
            if confusion[i, j]:
                _write(picture, str(confusion[i, j]), (corner[0] + 2, corner[1] + 26), (0, 0, 0), 0.38)
    return picture


def worst_picture(readings: Sequence[Reading]) -> Picture:
    """The boards with most errors, White at the bottom: on each wrong square what was read, and what stands there."""
    chosen = sorted(readings, key=lambda reading: -len(reading.wrong))[:WORST]
    tiles = [_tile(reading) for reading in chosen]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % COLUMNS)
    return np.vstack([np.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)])


def _tile(reading: Reading) -> Picture:
    side = 10 * SQUARE  # a square of surroundings on every side
    flat = np.array([[SQUARE, 0, SQUARE], [0, -SQUARE, 9 * SQUARE], [0, 0, 1]], np.float64)
    tile = reading.view.laid_flat(load(reading.path), flat, (side, side))
    guess = reading.likelihoods.argmax(1)
    for square in reading.wrong:
        x, y = SQUARE * (1 + chess.square_file(square)), SQUARE * (8 - chess.square_rank(square))
        cv2.rectangle(tile, (x, y), (x + SQUARE - 1, y + SQUARE - 1), (0, 0, 255), 1)
        text = f"{LABELS[guess[square]]}({LABELS[reading.truth[square]]})"
        _write(tile, text, (x + 2, y + 12), (0, 0, 255), 0.4)
    _write(tile, f"{reading.path.name}: {len(reading.wrong)} wrong", (6, 18), (0, 255, 255), 0.45)
    return tile


def _write(
    picture: Picture, text: str, place: tuple[int, int], colour: tuple[int, int, int], size: float = 0.6
) -> None:
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)
