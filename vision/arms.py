"""Arms that reach over the table: how far, and from which seat.

What lies over the table is what differs from how the table looked; what reaches in from beyond is an arm.
"""

from collections.abc import Iterator

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import Reach
from vision.canvas import STRIDE, Canvas

OTHERWISE = 22.0  # grey levels by which a cell must differ from the bare table, at least
LYING = 0.5  # seconds after which what lies still counts as the table,
RESTING = 3.0  # and where it reaches in from beyond
QUICKLY = 0.5  # seconds in which the table follows the light
MOVING = 0.5  # seconds in which an arm moves somewhere
BRIM = 2  # cells from the edge of what is seen within which an arm comes in
LARGE = 24  # cells of an arm, at least
SEAT = 5.5  # squares from the board's edge at which a player sits
ACROSS = 0.15  # share of its way towards that edge under which nobody can tell where an arm comes from
NEAR = 3.0  # squares from where it comes in whose direction is the arm's
POCKETS = 6.0  # squares from the middle of the board towards the pockets beyond which who comes in is a partner,
NEIGHBOUR = 15.5  # and to where he sits
ABOUT = 2.5  # squares from the middle rank within which the clock stands
TIP = 0.97  # share of its cells that lie nearer than its tip


class Arms:
    """Watches one canvas as a view sees it. `cell`: canvas pixels a side of one cell of the picture that is looked at.
    `toward`: 1 where the pockets lie beside the h-file, -1 where beside the a-file."""

    def __init__(self, canvas: Canvas, view: View, cell: int, toward: int) -> None:
        self.canvas, self.cell, self.toward = canvas, cell, toward
        width, height = canvas.size[0] // cell, canvas.size[1] // cell
        white = np.full((view.size[1], view.size[0], 3), 255, np.uint8)
        seen = cv2.resize(canvas.warp(white, view), (width, height), interpolation=cv2.INTER_AREA).min(2)
        inner = np.pad((seen > 254).astype(np.uint8), 1)  # an arm comes in where the picture ends, if not the canvas
        kernel = np.ones((2 * BRIM + 1, 2 * BRIM + 1), np.uint8)
        self.seen = inner[1:-1, 1:-1] > 0
        self.brim = self.seen & ~(cv2.erode(inner, kernel)[1:-1, 1:-1] > 0)
        self.table: NDArray[np.float32] | None = None
        self.under: NDArray[np.float32] | None = None  # the table before what lies there came
        self.time = 0.0

    def look(self, picture: NDArray[np.float32], moved: NDArray[np.float64], time: float) -> tuple[Reach, ...]:
        """The arms in a (rows, columns, 3) picture of the canvas. `moved`: (rows, columns) when each cell last did."""
        if self.table is None or self.under is None:
            self.table, self.under, self.time = picture.copy(), picture.copy(), time
            return ()
        bright = np.median((picture + 1) / (self.table + 1), (0, 1)).astype(np.float32)
        table, under = self.table * bright, self.under * bright  # an exposure follows what it sees
        again = _unlike(picture, table) & ~_unlike(picture, under)
        table[again] = under[again]
        other = _unlike(picture, table) & self.seen
        mask = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        _, numbers = cv2.connectedComponents(mask)
        reaching = np.unique(numbers[self.brim & (mask > 0)])
        stays = other & (time - moved > np.where(np.isin(numbers, reaching), RESTING, LYING))
        under[stays], table[stays] = table[stays], picture[stays]
        passed, self.time = time - self.time, time
        table[~other] += min(passed / QUICKLY, 1.0) * (picture - table)[~other]
        self.table, self.under = table, under
        moving = time - moved < MOVING
        parts = (numbers == n for n in reaching)
        return tuple(reach for part in parts if moving[part].any() for reach in self._reaches(part))

    def _reaches(self, part: NDArray[np.bool_]) -> Iterator[Reach]:
        """What a part of the picture that touches its edge is, if it is one arm. One that comes in beside the pockets,
        and from neither side, is a partner's of whom nobody knows which: it is told of both."""
        points = self._points(part)
        entry = self._points(part & self.brim)
        if (home := self.toward * (entry[:, 0] - 4) > -4).any():
            entry = entry[home]  # on the far side an arm goes out again
        if len(points) < LARGE or (entry[:, 1].min() < 0.5 and entry[:, 1].max() > 7.5):
            return
        start = entry.mean(0)
        gaps = np.hypot(*(points - start).T)
        end = points[gaps >= np.quantile(gaps, TIP)].mean(0)
        inside = points[gaps < NEAR].mean(0)
        way, enters = start - inside, float(self.toward * (start[0] - 4))
        tip = float(end[0]), float(end[1])
        at_clock = bool(self.toward * (end[0] - 4) < -4 and abs(end[1] - 4) < ABOUT)
        if abs(way[1]) > ACROSS * np.hypot(*way):
            color = bool(way[1] < 0)
            seat = -SEAT if color else 8 + SEAT
            shoulder = start[0] + way[0] / way[1] * (seat - start[1])
            yield Reach(tip, color, float(self.toward * (shoulder - 4)), enters, at_clock)
        elif enters > POCKETS:
            for color in chess.COLORS:
                yield Reach(tip, color, NEIGHBOUR, enters, at_clock)

    def _points(self, part: NDArray[np.bool_]) -> NDArray[np.float64]:
        """(n, 2) board coordinates of cells."""
        return self.canvas.points(((np.argwhere(part)[:, ::-1] + 0.5) * self.cell - 0.5) / STRIDE)


def _unlike(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.bool_]:
    return np.asarray(np.abs(one - other).max(2) > OTHERWISE)
