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
WHOLE = 48  # and of a hand by itself: men in an arm's shadow look like smaller ones
BROAD = 4.0  # cells from the middle of a sleeve up to which it and its shadow may reach
SEAT = 5.5  # squares from the board's edge at which a player sits
ACROSS = 0.15  # share of its way towards that edge under which nobody can tell where an arm comes from
NEAR = 3.0  # squares from where it comes in whose direction is the arm's
STRAIGHT = 0.8  # share of the way from a hand to where its arm comes in that a sleeve has to be seen
MOST = 0.8  # share of an arm that lies in another of which it is a part
POCKETS = 6.0  # squares from the middle of the board towards the pockets beyond which who comes in is a partner,
NEIGHBOUR = 15.5  # and to where he sits
ABOUT = 2.5  # squares from the middle rank within which the clock stands
CLOCK = 3.5  # and squares from the board up to which its side of the table is watched
TIP = 0.97  # share of its cells that lie nearer than its tip

Mask = NDArray[np.bool_]
"""(rows, columns) of cells."""
Arm = tuple[Mask, Mask]
"""Where one is seen, and where it comes in."""


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
        # On the far side an arm goes out again, and nobody sits there.
        right, down = np.sign(np.round(np.diff(canvas.places([(4, 4), (4 - toward, 4)]), axis=0)[0])).astype(int)
        line = np.zeros((2 * BRIM + 1, 2 * BRIM + 1), np.uint8)
        for far in range(BRIM + 1):
            line[BRIM + far * down, BRIM + far * right] = 1
        beyond = (self.seen & ~_eroded(inner, line)).astype(np.uint8)
        self.home = self.brim & (cv2.dilate(beyond, np.ones((3, 3), np.uint8)) == 0)
        ranks = self._points(np.ones_like(self.seen))[:, 1].reshape(self.seen.shape)
        self.sides = self.home & (ranks < 0.5), self.home & (ranks > 7.5)
        self.table: NDArray[np.float32] | None = None
        self.under: NDArray[np.float32] | None = None  # the table before what lies there came
        self.before: list[Mask] = []  # the arms that came in, in the last look
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
        count, numbers = cv2.connectedComponents(mask)
        moving = time - moved < MOVING
        joined = np.asarray(cv2.connectedComponents((unlike & moving).astype(np.uint8))[1], np.int32)
        parts = [piece for n in range(1, count) for piece in self._apart(np.equal(numbers, n))]
        arms = _largest([arm for part in parts if (arm := self._arm(part, joined)) is not None])
        self.before = [arm for arm, ends in arms if arm.sum() >= LARGE and (ends & self.home).any()]
        rests = np.any([~other, *(arm for arm, _ in arms)], axis=0)
        stays = unlike & (time - moved > np.where(rests, RESTING, LYING))
        under[stays], table[stays] = table[stays], picture[stays]
        passed, self.time = time - self.time, time
        table[~unlike] += min(passed / QUICKLY, 1.0) * (picture - table)[~unlike]
        self.table, self.under = table, under
        return tuple(reach for arm, ends in arms if moving[arm].any() for reach in self._reaches(arm, ends))

    def _apart(self, part: Mask) -> list[Mask]:
        """The arms that touch in a part which comes in from both sides, as they were in the look before."""
        before = [arm for arm in self.before if (arm & part).any()]
        if len(before) < 2 or not self._is_from_both_sides(part):
            return [part]
        gaps = [cv2.distanceTransform((~arm).astype(np.uint8), cv2.DIST_L2, 3) for arm in before]
        nearest = np.argmin(gaps, axis=0)
        pieces = [part & (nearest == number) for number in range(len(before))]
        return pieces if all((piece & self.home).any() for piece in pieces) else [part]

    def _arm(self, part: Mask, joined: NDArray[np.int32]) -> Arm | None:
        """What belongs to the arm of which a part lies over the table, and where it comes in; None where it does not.
        `joined`: (rows, columns) numbers of what moves together, shadows included, 0 for none."""
        ends, home = part & self.brim, part & self.home
        if home.sum() >= max(ALONG * ends.sum(), 1):
            return part, home
        sleeve = self._sleeve(part, joined) if part.sum() >= (LARGE if ends.any() else WHOLE) else None
        if sleeve is not None:
            return part | sleeve, sleeve & self.home
        return (part, ends) if ends.any() else None

    def _sleeve(self, hand: Mask, joined: NDArray[np.int32]) -> Mask | None:
        """What joins a hand to where its arm comes in, and may be a sleeve in its own shadow: one of the table's colour
        looks like that. None where nothing does."""
        there = np.isin(joined, np.setdiff1d(joined[hand], 0))
        _, _, _, middles = cv2.connectedComponentsWithStats((there & self.home).astype(np.uint8))
        if len(middles) == 1:
            return None
        start = np.argwhere(hand).mean(0)
        ways = middles[1:, ::-1] - start
        way = ways[np.hypot(*ways.T).argmin()]
        cells = np.argwhere(there)
        along = np.clip((cells - start) @ way / max(way @ way, 1.0), 0, 1)
        off = np.hypot(*(cells - start - along[:, None] * way).T)
        steps = int(np.hypot(*way))
        if len(np.unique((along[off < BROAD / 2] * steps).astype(int))) < STRAIGHT * steps:
            return None
        sleeve = np.zeros_like(hand)
        sleeve[tuple(cells[off < BROAD].T)] = True
        return sleeve if (sleeve & self.home).any() else None

    def _reaches(self, arm: Mask, ends: Mask) -> Iterator[Reach]:
        """What a part of the picture is, if it is one arm, which comes in at its `ends`. One that comes in beside the
        pockets, and from neither side, is a partner's of whom nobody knows which: it is told of both."""
        if arm.sum() < LARGE or self._is_from_both_sides(ends):
            return
        points, entry, inner = self._points(arm), self._points(ends), arm & ~self.brim
        if (ends & ~self.home).any() and inner.any():  # it lies along the edge, and its hand reaches farther in
            gaps = np.hypot(*(entry - self._points(inner).mean(0)).T)
            entry = entry[gaps >= np.median(gaps)]
        start = entry.mean(0)
        gaps = np.hypot(*(points - start).T)
        end = points[gaps >= np.quantile(gaps, TIP)].mean(0)
        inside = points[gaps < NEAR].mean(0)
        way, enters = start - inside, float(self.toward * (start[0] - 4))
        tip, length = (float(end[0]), float(end[1])), float(np.hypot(*(end - start)))
        at_clock = bool(self.toward * (end[0] - 4) < -4 and abs(end[1] - 4) < ABOUT)
        if abs(way[1]) > ACROSS * np.hypot(*way):
            color = bool(way[1] < 0)
            seat = -SEAT if color else 8 + SEAT
            shoulder = start[0] + way[0] / way[1] * (seat - start[1])
            yield Reach(tip, color, float(self.toward * (shoulder - 4)), enters, at_clock, length)
        elif enters > POCKETS:
            for color in chess.COLORS:
                yield Reach(tip, color, NEIGHBOUR, enters, at_clock, length)

    def _is_from_both_sides(self, part: Mask) -> bool:
        return all((part & side).any() for side in self.sides)

    def _points(self, part: Mask) -> NDArray[np.float64]:
        """(n, 2) board coordinates of cells."""
        return self.canvas.points(((np.argwhere(part)[:, ::-1] + 0.5) * CELL - 0.5) / STRIDE)


def _largest(arms: list[Arm]) -> list[Arm]:
    """Arms without those that are only a part of another."""
    return [
        (arm, ends)
        for arm, ends in arms
        if not any(arm is not other and (arm & other).sum() > MOST * arm.sum() for other, _ in arms)
    ]


def _unlike(one: NDArray[np.float32], other: NDArray[np.float32]) -> Mask:
    return np.asarray(np.abs(one - other).max(2) > OTHERWISE)


def _in_other_light(picture: NDArray[np.float32], table: NDArray[np.float32]) -> Mask:
    """Cells of one colour with the table, and darker, or a little brighter."""
    share = (picture + 1) / (table + 1)
    mean = share.mean(2)
    return np.asarray((mean > DEEP) & (mean < LIT) & (np.ptp(share, axis=2) < TINGED * mean), np.bool_)


def _eroded(mask: NDArray[np.uint8], kernel: NDArray[np.uint8]) -> Mask:
    """What is left of a mask with a brim of one cell, without that."""
    return np.asarray(cv2.erode(mask, kernel)[1:-1, 1:-1] > 0)
