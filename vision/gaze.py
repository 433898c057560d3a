"""One reader's look at a canvas, or at a part of it: what has changed is read anew."""

import numpy as np
from numpy.typing import NDArray

from vision.adapt import Adaptation
from vision.canvas import STRIDE, Canvas
from vision.motion import CELL
from vision.reader import Answer, Reader

AROUND = 2  # lattice places around what is read anew, so that the network sees the surroundings
PARTIAL = 0.7  # share of its part up to which it is worth reading less

Window = tuple[int, int, int, int]
"""Left, top, right and bottom, in lattice places; the last two just outside."""


class Gaze:
    """`answer`: the network's, before adaptation; it covers the whole canvas."""

    def __init__(self, reader: Reader, canvas: Canvas) -> None:
        self.reader, self.adaptation = reader, Adaptation(reader)
        wide, high = (side // STRIDE for side in canvas.size)
        self.whole: Window = (0, 0, wide, high)
        self.answer: Answer | None = None

    def look(self, picture: NDArray[np.uint8], changed: NDArray[np.bool_]) -> Answer:
        """The answer with the cells `changed` read anew; with all of it where none has."""
        if self.answer is None:
            self.answer = self.reader.read(picture)
            return self.answer
        inside = self._inside(changed) if changed.any() else self.whole
        left, top, right, bottom = inside
        if right <= left or bottom <= top:
            return self.answer
        if _area(self._around(inside)) > PARTIAL * _area(self._around(self.whole)):
            inside = self.whole
        x0, y0, x1, y1 = self._around(inside)
        window = picture[y0 * STRIDE : y1 * STRIDE, x0 * STRIDE : x1 * STRIDE]
        part = self.reader.read(np.ascontiguousarray(window))
        self.answer = self.answer.patched(part, (x0, y0), inside)
        return self.answer

    def _inside(self, changed: NDArray[np.bool_]) -> Window:
        rows, columns = np.nonzero(changed)
        # Where a head has come or gone, the base lies up to a square below.
        cells = np.array([columns.min() - 2, rows.min() - 2, columns.max() + 3, rows.max() + 5]) * CELL // STRIDE
        left, top, right, bottom = cells.tolist()
        _, _, wide, high = self.whole
        return max(left, 0), max(top, 0), min(right, wide), min(bottom, high)

    def _around(self, window: Window) -> Window:
        left, top, right, bottom = window
        _, _, wide, high = self.whole
        return max(left - AROUND, 0), max(top - 2 * AROUND, 0), min(right + AROUND, wide), min(bottom + AROUND, high)


def _area(window: Window) -> int:
    left, top, right, bottom = window
    return (right - left) * (bottom - top)
