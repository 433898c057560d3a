"""Which side of a board is White's: at the start position, where the brighter pieces stand."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Cells = NDArray[np.float32]

STARTS = 20  # occupied squares on the four end ranks, of 32, at least
FREE = 12  # squares between that may look occupied: hands, shadows, tall pieces
SURE = 3.5  # of the difference between the two sides, in its own standard errors
LIKELY = 2.0  # the same for a guess
THIRD = 10.0  # in Lab: ground that differs more from a free square's is a piece or a hand
EVEN = np.add.outer(np.arange(8), np.arange(8)) % 2 == 0


def light_first(flat: Picture, cell: int) -> bool:
    """Whether the upper left square is of the lighter kind. `flat`: (8 * cell, 8 * cell, 3) BGR, 8x8 squares."""
    middles = _middles(flat, cell)[..., 0]
    return bool(np.median(middles[EVEN]) > np.median(middles[~EVEN]))


def white_below(flat: Picture, cell: int) -> tuple[bool | None, bool]:
    """Whether White's pieces stand on the lower ranks (None: cannot be told), and whether that is sure.

    `flat`: (8 * cell, 8 * cell, 3) BGR, 8x8 squares with the players' sides above and below. It is sure at the start
    position only: later the brighter pieces may stand anywhere.
    """
    middles = _middles(flat, cell)
    light = np.median(middles[..., 0], axis=2)
    gained, doubt = 0.0, 0.0
    for colour in (EVEN, ~EVEN):
        # Squares of one colour with one another, so that the ground that shows beside a piece cancels.
        upper, lower = light[:2][colour[:2]], light[6:][colour[6:]]
        gained += float(np.median(lower) - np.median(upper))
        doubt += float(lower.var() + upper.var()) / 8
    clear = gained / np.sqrt(doubt + 1.0)
    full = _occupied(middles)
    start = full[[0, 1, 6, 7]].sum() >= STARTS and full[2:6].sum() <= FREE
    if abs(clear) < LIKELY:
        return None, False
    return bool(clear > 0), bool(start and abs(clear) > SURE)


def _middles(flat: Picture, cell: int) -> Cells:
    """(8, 8, n, 3) Lab values of the middle quarter of every square."""
    lab = cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).astype(np.float32)
    cells = lab.reshape(8, cell, 8, cell, 3).transpose(0, 2, 1, 3, 4)
    rim = cell // 4
    return cells[:, :, rim : cell - rim, rim : cell - rim].reshape(8, 8, -1, 3)


def _occupied(middles: Cells) -> NDArray[np.bool_]:
    """(8, 8) squares whose middle is not like that of the free squares of their colour on the four ranks between."""
    full = np.zeros((8, 8), np.bool_)
    for colour in (EVEN, ~EVEN):
        free = colour.copy()
        free[[0, 1, 6, 7]] = False
        usual = np.median(np.median(middles[free], axis=1), axis=0)
        noise = float(np.median(np.linalg.norm(middles[free] - usual, axis=-1)))
        full[colour] = (np.linalg.norm(middles[colour] - usual, axis=-1) > max(THIRD, 2.5 * noise)).mean(1) > 0.25
    return full
