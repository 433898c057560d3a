"""The motion picture: the table plane in cells, by which what moves is told from what rests."""

import cv2
import numpy as np
from numpy.typing import NDArray

CELL = 12  # canvas pixels a side of one cell; four cells a square
REST = 0.12  # seconds a place must have been still to be read
STEP = 9.0  # grey levels by which a cell changes when something moves, at least
NOISE = 5.0  # times the picture's own noise
LOUDEST = 4.0  # grey levels; more than this from frame to frame is no noise

Cells = tuple[slice, slice]


class Motion:
    """Watches a canvas. `now`: (rows, columns, 3) cells of its last picture, None before any; `moved`: (rows, columns)
    when each last did. `step`: grey levels by which cells differ that do not show the same. `quiet`: rows and columns
    by which the picture's own noise is told."""

    def __init__(self, size: tuple[int, int], quiet: Cells) -> None:
        """`size`: width and height of the canvas."""
        self.cells = size[0] // CELL, size[1] // CELL
        self.quiet = quiet
        self.now: NDArray[np.float32] | None = None
        self.moved = np.zeros(self.cells[::-1], np.float64)
        self.step = STEP

    def look(self, picture: NDArray[np.uint8], time: float) -> NDArray[np.bool_]:
        """(rows, columns) cells that have not moved for a while; notes those that move now."""
        now = cv2.resize(picture, self.cells, interpolation=cv2.INTER_AREA).astype(np.float32)
        if self.now is None:
            self.moved[:] = time
        else:
            difference = np.abs(now - self.now).max(2)
            self.step = max(STEP, NOISE * min(float(np.median(difference[self.quiet])), LOUDEST))
            moving = difference > self.step
            self.moved[cv2.dilate(moving.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = time
        self.now = now
        return np.asarray(time - self.moved >= REST, np.bool_)
