"""The table plane seen straight from above: what the network reads.

A canvas is turned so that the picture's "up" is up, because that is where pieces lean in a perspective view.
Its lattice has a place every half square; the network gives one answer a place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import chess
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.pose import pose_of
from calibration.view import Region, View

PIXELS = 48  # a square
STRIDE = 24  # a lattice step
OVERHEAD = 70.0  # degrees from which pieces lean so little that the board may be read from any side
MARGIN = 1.0  # squares around what is read, so that the network sees the surroundings
MARGIN_TOP = 2.0  # a tall piece's head may lie this far from its base


@dataclass(frozen=True)
class Canvas:
    """`turns`: quarter turns from board axes to canvas axes. `left`, `bottom`: its corner in turned board
    coordinates, multiples of half a square. `size`: width and height in pixels, multiples of the stride."""

    turns: int
    left: float
    bottom: float
    size: tuple[int, int]

    @classmethod
    def over(cls, view: View, turned: int = 0, beside: Sequence[Region] = ()) -> "Canvas":
        """The canvas that holds the board and the pockets of a view, and what else is looked at `beside` them, `turned`
        by quarter turns from upright."""
        turns = (up_turns(view) + turned) % 4
        areas = [Region(0, 0, 8, 8), *view.pockets.values(), *beside]
        ends = turn(np.array([(r.x0, r.y0) for r in areas] + [(r.x1, r.y1) for r in areas]), turns)
        low = np.floor(2 * (ends.min(0) - MARGIN)) / 2
        high = np.ceil(2 * (ends.max(0) + np.array([MARGIN, MARGIN_TOP]))) / 2
        width, height = (int(v) for v in (high - low) * PIXELS)
        return cls(turns, float(low[0]), float(low[1]), (width, height))

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """(3, 3) from board coordinates to canvas pixel indices (place (i, j) is pixel `STRIDE` (i, j))."""
        base = turn(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), self.turns)
        axes = np.column_stack([base[1] - base[0], base[2] - base[0], base[0]])
        flat = np.vstack([axes, [0, 0, 1]])
        top = self.bottom + self.size[1] / PIXELS
        place = np.array([[PIXELS, 0, -PIXELS * self.left], [0, -PIXELS, PIXELS * top], [0, 0, 1]])
        return np.asarray(place @ flat, np.float64)

    def warp(self, image: NDArray[np.uint8], view: View) -> NDArray[np.uint8]:
        """The picture of a camera with this view, on the canvas."""
        return view.laid_flat(image, self.matrix, self.size)

    def on(self, larger: "Canvas") -> tuple[slice, slice]:
        """Rows and columns of a larger canvas, turned alike, on which this one lies, in pixels."""
        left = round((self.left - larger.left) * PIXELS)
        top = round((larger.bottom - self.bottom) * PIXELS) + larger.size[1] - self.size[1]
        return slice(top, top + self.size[1]), slice(left, left + self.size[0])

    def places(self, points: ArrayLike) -> NDArray[np.float64]:
        """(n, 2) lattice column and row of (n, 2) points in board coordinates; rows grow downwards."""
        flat = np.asarray(points, np.float64).reshape(-1, 2)
        return np.asarray((flat @ self.matrix[:2, :2].T + self.matrix[:2, 2]) / STRIDE, np.float64)

    def points(self, places: ArrayLike) -> NDArray[np.float64]:
        """Board coordinates of (n, 2) lattice columns and rows."""
        flat = np.asarray(places, np.float64).reshape(-1, 2) * STRIDE
        return np.asarray((flat - self.matrix[:2, 2]) @ np.linalg.inv(self.matrix[:2, :2]).T, np.float64)

    @cached_property
    def squares(self) -> NDArray[np.int64]:
        """(64, 2) lattice column and row of each square's centre, by `chess.Square`."""
        return np.round(self.places(SQUARE_CENTRES)).astype(np.int64)


def sides(view: View) -> list[Canvas]:
    """The canvases from which a board is read: upright, and from all four sides where the camera hangs overhead. There
    pieces lean to any side, and what one reading mistakes another sees."""
    return [Canvas.over(view, turned) for turned in range(4 if pose_of(view).elevation >= OVERHEAD else 1)]


SQUARE_CENTRES = np.array([(chess.square_file(s) + 0.5, chess.square_rank(s) + 0.5) for s in chess.SQUARES])


def on_board(side: int) -> NDArray[np.bool_]:
    """(64,) squares of a board of so many a side, which lies in the corner of a1."""
    return np.array([max(chess.square_file(s), chess.square_rank(s)) < side for s in chess.SQUARES])


def turn(points: NDArray[np.float64], turns: int) -> NDArray[np.float64]:
    """(n, 2) board coordinates turned about the board's middle so that +y, +x, -y or -x (0 to 3 turns) is up."""
    x, y = points[:, 0], points[:, 1]
    return np.column_stack([(x, y), (8 - y, x), (8 - x, 8 - y), (y, 8 - x)][turns % 4])


def up_turns(view: View) -> int:
    """The board axis that points upwards in the picture: 0 is +y, 1 is +x, 2 is -y, 3 is -x."""
    middle, *ends = view.to_image([(4, 4), (4, 5), (5, 4), (4, 3), (3, 4)])
    return int(np.argmin([(end - middle)[1] for end in ends]))
