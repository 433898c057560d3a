"""Which way a board lies, told by its start position: the reader sees whose pieces stand where."""

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import labels_of
from vision.reader import Reader

SURE = 20.0
"""Nats by which one way round must explain the picture better than the other."""


def facing(image: NDArray[np.uint8], corners: NDArray[np.float64], reader: Reader) -> NDArray[np.float64] | None:
    """`corners` (4, 2) as a8, h8, h1, a1, turned by half a turn if the start position says so.

    None when the picture does not show a start position clearly. A quarter turn is never in question: a1 is dark.
    """
    size = (image.shape[1], image.shape[0])
    likelihood = {turn: _start(image, np.roll(corners, turn, 0), size, reader) for turn in (0, 2)}
    best = max(likelihood, key=lambda turn: likelihood[turn])
    if likelihood[best] - likelihood[2 - best] < SURE:
        return None
    return np.roll(corners, best, 0)


def _start(image: NDArray[np.uint8], corners: NDArray[np.float64], size: tuple[int, int], reader: Reader) -> float:
    """Log-likelihood of the start position's colours and empty squares."""
    read = np.exp(reader.read_board(image, View.from_corners(corners, size)).astype(np.float64))
    groups = np.stack([read[:, :6].sum(1), read[:, 6:12].sum(1), read[:, 12]], 1)
    labels = labels_of(chess.Board())
    return float(np.log(groups[np.arange(64), np.minimum(labels // 6, 2)] + 1e-3).sum())
