"""Arms that reach over the table: how far, and from which seat.

What lies over the table is what differs from how the table looked; what reaches in from beyond is an arm.
"""

from collections.abc import Iterator

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region, View
from rules.observation import Reach
from vision.canvas import STRIDE, Canvas
from vision.motion import CELL

OTHERWISE = 9.0  # grey levels by which a cell must differ from the bare table, at least
DEEP, TINGED = 0.45, 0.15  # share of the table's light that is left in a shadow, and by how much that differs by colour
LIT = 1.25  # and that there is again, at most, where the table had followed a shadow
LYING = 0.5  # seconds after which what lies still counts as the table,
RESTING = 3.0  # and where it reaches in from beyond
QUICKLY = 0.5  # seconds in which the table follows the light
MOVING = 0.5  # seconds in which an arm moves somewhere
BRIM = 2  # cells from the edge of what is seen within which an arm comes in
ALONG = 0.33  # share of these that do not lie on the far side alone, under which an arm lies along that
LARGE = 24  # cells of an arm, at least,
LONG = 96  # and of one that is seen over the board alone: its sleeve has the table's colour
FRAME = 0.5, 1.0  # squares from the edge of the board, inwards and outwards, where such a one comes in
POINTS_AT = 0.9  # cosine of the angle between where its sleeve points and where a hand is, at least
SEAT = 5.5  # squares from the board's edge at which a player sits
ACROSS = 0.15  # share of its way towards that edge under which nobody can tell where an arm comes from
NEAR = 3.0  # squares from where it comes in whose direction is the arm's
POCKETS = 6.0  # squares from the middle of the board towards the pockets beyond which who comes in is a partner,
NEIGHBOUR = 15.5  # and to where he sits
ABOUT = 2.5  # squares from the middle rank within which the clock stands
CLOCK = 3.5  # and squares from the board up to which its side of the table is watched
TIP = 0.97  # share of its cells that lie nearer than its tip


def clock_beside(toward: int) -> Region:
    """Where the clock may stand, and an arm come in that reaches for it. `toward`: as for `Arms`."""
    x = 4 - toward * (4 + CLOCK / 2)
    return Region(x - CLOCK / 2, 4 - ABOUT, x + CLOCK / 2, 4 + ABOUT)


class Arms:
    """Watches one canvas as a view sees it, in cells as `Motion` does. `toward`: 1 where the pockets lie beside the
    h-file, -1 where beside the a-file."""

    def __init__(self, canvas: Canvas, view: View, toward: int) -> None:
        self.canvas, self.toward = canvas, toward
        width, height = canvas.size[0] // CELL, canvas.size[1] // CELL
        white = np.full((view.size[1], view.size[0], 3), 255, np.uint8)
        seen = cv2.resize(canvas.warp(white, view), (width, height), interpolation=cv2.INTER_AREA).min(2)
        inner = np.pad((seen > 254).astype(np.uint8), 1)  # an arm comes in where the picture ends, if not the canvas
        self.seen = inner[1:-1, 1:-1] > 0
        self.brim = self.seen & ~_eroded(inner, np.ones((2 * BRIM + 1, 2 * BRIM + 1), np.uint8))
        # On the far side an arm goes out again.
        right, down = np.sign(np.round(np.diff(canvas.places([(4, 4), (4 - toward, 4)]), axis=0)[0])).astype(int)
        line = np.zeros((2 * BRIM + 1, 2 * BRIM + 1), np.uint8)
        for far in range(BRIM + 1):
            line[BRIM + far * down, BRIM + far * right] = 1
        self.exit = self.seen & ~_eroded(inner, line)
        files, ranks = (self._points(np.ones_like(self.seen)) - 4).T.reshape(2, *self.seen.shape)
        out = np.maximum(np.abs(files), np.abs(ranks)) - 4
        self.frame = (out > -FRAME[0]) & (out < FRAME[1])
        self.beyond = self.frame & (toward * files < FRAME[0] - 4)
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
        unlike = _unlike(picture, table) & self.seen
        other = unlike & ~_in_other_light(picture, table)
        mask = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        numbers = np.asarray(cv2.connectedComponents(mask)[1], np.int32)
        reaching = np.unique(numbers[self.brim & (mask > 0)])
        moving = time - moved < MOVING
        self._join_hands(numbers, reaching, unlike, moving)
        lasts = np.where(np.isin(numbers, reaching) | ~other, RESTING, LYING)
        stays = unlike & (time - moved > lasts)
        under[stays], table[stays] = table[stays], picture[stays]
        passed, self.time = time - self.time, time
        table[~unlike] += min(passed / QUICKLY, 1.0) * (picture - table)[~unlike]
        self.table, self.under = table, under
        parts = [(numbers == n, self.brim, self.exit) for n in reaching]
        alone = np.setdiff1d(np.flatnonzero(np.bincount(numbers.ravel()) >= LONG), [0, *reaching])
        parts += [(numbers == n, self.frame, self.beyond) for n in alone]
        return tuple(reach for part, *ends in parts if moving[part].any() for reach in self._reaches(part, *ends))

    def _join_hands(
        self,
        numbers: NDArray[np.int32],
        reaching: NDArray[np.int32],
        unlike: NDArray[np.bool_],
        moving: NDArray[np.bool_],
    ) -> None:
        """A hand by itself belongs to the nearest part that comes in and points at it, if a shadow joins them: its
        sleeve has the table's colour. `numbers`: (rows, columns) of parts, 0 for none."""
        alone = [numbers == n for n in np.setdiff1d(np.unique(numbers[moving]), [0, *reaching])]
        hands = [part for part in alone if part.sum() >= LARGE]
        if not hands:
            return
        _, joined = cv2.connectedComponents(unlike.astype(np.uint8))
        for hand in hands:
            middle, nearest = np.argwhere(hand).mean(0), np.inf
            there = moving & unlike & np.isin(joined, joined[hand & unlike])
            for arm in np.intersect1d(numbers[there], reaching):
                part = numbers == arm
                cells, start = np.argwhere(part), np.argwhere(part & self.brim).mean(0)
                points, to = cells.mean(0) - start, middle - start
                gap = float(np.hypot(*(cells - middle).T).min())
                if points @ to > POINTS_AT * np.hypot(*points) * np.hypot(*to) and gap < nearest:
                    numbers[hand], nearest = arm, gap

    def _reaches(self, part: NDArray[np.bool_], brim: NDArray[np.bool_], out: NDArray[np.bool_]) -> Iterator[Reach]:
        """What a part of the picture is, if it is one arm that comes in over a `brim`, of which it may go `out` again
        over a part. One that comes in beside the pockets, and from neither side, is a partner's of whom nobody knows
        which: it is told of both."""
        points = self._points(part)
        ends, inner = part & brim, part & ~brim
        if not ends.any():
            return
        home = ends & ~out
        aside = home.sum() < ALONG * ends.sum()
        entry = self._points(ends if aside else home)
        if aside and inner.any():  # it lies along the edge, and its hand reaches farther in
            gaps = np.hypot(*(entry - self._points(inner).mean(0)).T)
            entry = entry[gaps >= np.median(gaps)]
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
        return self.canvas.points(((np.argwhere(part)[:, ::-1] + 0.5) * CELL - 0.5) / STRIDE)


def _unlike(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.bool_]:
    return np.asarray(np.abs(one - other).max(2) > OTHERWISE)


def _in_other_light(picture: NDArray[np.float32], table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Cells of one colour with the table, and darker, or a little brighter."""
    share = (picture + 1) / (table + 1)
    mean = share.mean(2)
    return np.asarray((mean > DEEP) & (mean < LIT) & (np.ptp(share, axis=2) < TINGED * mean), np.bool_)


def _eroded(mask: NDArray[np.uint8], kernel: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """What is left of a mask with a brim of one cell, without that."""
    return np.asarray(cv2.erode(mask, kernel)[1:-1, 1:-1] > 0)
