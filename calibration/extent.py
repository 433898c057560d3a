"""Which 64 cells of a grid, or 49, are the board: those where two colours alternate, up to where they no longer do."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Shares = NDArray[np.float64]
Nodes = NDArray[np.int64]

CELL = 16  # pixels of one square while comparing colours
AROUND = 9  # squares looked at beyond the crossings found
APART = 8.0  # between the two colours of squares, in Lab
NOWHERE = (1, 2, 3)  # colour of what lies outside the picture
START = 0.5  # what it counts that four free ranks lie between two and two full ones
WITHIN = 0.6  # share of the crossings that must lie inside the board


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The picture laid flat along a grid.

    `low`: (2,) the grid's column and row at the upper left. `flat`: BGR, `CELL` pixels a cell. `share`: (rows,
    columns) of a cell's ground that has the colour an endless chequer would have there. `alike`: (2 * rows,
    2 * columns) how like that colour, and unlike the other, each quarter of a cell is, -1 to 1. `cross`: (rows + 1,
    columns + 1) the same of the least clear quarter around a cell's corner, 0 to 1.
    """

    low: Nodes
    flat: Picture
    share: Shares
    alike: Shares
    cross: Shares


@dataclass(frozen=True, slots=True, eq=False)
class Extent:
    """`first`: (2,) the board's first column and row on the grid. `share`: of its ground with its square's colour.
    `lead`: how much more its outermost lines of squares look like a board than the next ones beyond, 0 to 2."""

    first: Nodes
    share: float
    lead: float

    def confidence(self) -> float:
        """0 to 1."""
        return float(np.clip((self.share - 0.5) / 0.3, 0, 1) * np.clip(self.lead / 0.5, 0, 1))


def read_ground(image: Picture, to_image: NDArray[np.float64], nodes: Nodes) -> Ground | None:
    """Lay a BGR picture flat. `to_image`: (3, 3) from the grid. None where the squares' colours hardly differ."""
    low, high = nodes.min(0) - AROUND, nodes.max(0) + AROUND
    columns, rows = (int(v) for v in high - low)
    matrix = np.array([[1 / CELL, 0, low[0]], [0, 1 / CELL, low[1]], [0, 0, 1]])
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    size = (columns * CELL, rows * CELL)
    warped = np.asarray(cv2.warpPerspective(image, to_image @ matrix, size, flags=flags, borderValue=NOWHERE), np.uint8)
    flat = np.asarray(cv2.GaussianBlur(warped, (0, 0), 1.0), np.uint8)
    lab = cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).astype(np.float32)
    even = np.add.outer(np.arange(rows) + low[1], np.arange(columns) + low[0]) % 2 == 0
    one, two = _colours(lab, even, nodes - low)
    apart = float(np.linalg.norm(one - two))
    if not apart > APART:
        return None
    # How far a pixel is of the colour due there, not of the other: 1 to -1, and 0 for any third colour.
    middle, axis = (one + two) / 2, (one - two) / apart
    side = (lab - middle) @ axis / (apart / 2)
    off = np.linalg.norm(lab - middle - (side * apart / 2)[..., None] * axis, axis=2) > apart
    due = np.kron(np.where(even, 1.0, -1.0), np.ones((CELL, CELL)))
    alike = np.clip(side, -1, 1) * due * ~(off | (warped == NOWHERE).all(2))
    share = (alike > 0.1).reshape(rows, CELL, columns, CELL).mean((1, 3))
    half = alike.reshape(2 * rows, CELL // 2, 2 * columns, CELL // 2).mean((1, 3))
    around = np.pad(half, 1)
    cross = np.minimum.reduce([around[y::2, x::2][: rows + 1, : columns + 1] for y in (0, 1) for x in (0, 1)])
    return Ground(low, flat, share, half, np.clip(cross, 0, 1))


def _colours(lab: NDArray[np.float32], even: NDArray[np.bool_], corners: Nodes) -> list[NDArray[np.float32]]:
    """The two colours of squares, from right beside the crossings: pieces stand in the middle of squares."""
    beside: dict[bool, list[NDArray[np.float32]]] = {True: [], False: []}
    for column, row in corners:
        for dx, dy in ((-1, -1), (0, -1), (-1, 0), (0, 0)):
            x, y = column * CELL + (6 * dx + 2 * (dx + 1)), row * CELL + (6 * dy + 2 * (dy + 1))
            beside[bool(even[row + dy, column + dx])].append(lab[y : y + 4, x : x + 4].reshape(-1, 3).mean(0))
    return [np.asarray(np.median(np.array(beside[which]), axis=0), np.float32) for which in (True, False)]


def find_extent(ground: Ground, nodes: Nodes, side: int) -> Extent | None:
    """The side x side cells that are most like a board, None where no such cells hold the crossings."""
    best: tuple[float, Nodes] | None = None
    rows, columns = ground.share.shape
    # Keep one line free on every side, to compare with.
    for row in range(1, rows - side):
        for column in range(1, columns - side):
            first = np.array([column, row])
            at = nodes - ground.low - first
            within = float(((at > 0) & (at < side)).all(1).mean())
            if within < WITHIN:
                continue
            cross = ground.cross[row + 1 : row + side, column + 1 : column + side]
            across, along = _lines(ground.alike, row, column, side), _lines(ground.alike.T, column, row, side)
            start = max(_start(across[1:-1]), _start(along[1:-1]))
            score = float(np.mean([across[1:-1], along[1:-1]]) + cross.mean()) + 0.2 * within + 0.1 * start
            if best is None or score > best[0]:
                best = score, first
    if best is None:
        return None
    column, row = best[1]
    inside = ground.share[row : row + side, column : column + side]
    one = _lead(ground.alike, ground.cross, row, column, side)
    other = _lead(ground.alike.T, ground.cross.T, column, row, side)
    return Extent(best[1] + ground.low, float(inside.mean()), min(one, other))


def _lines(alike: Shares, row: int, column: int, side: int) -> Shares:
    """(side + 2,) how clearly each row, from the one before the board to the one behind it, alternates, -1 to 1.

    A piece hides part of its square: of every row the half counts that shows more, and of each cell in it the better
    quarter. Choosing both freely would make a chequer of any two colours that lie side by side.
    """
    part = alike[2 * row - 2 : 2 * (row + side + 1), 2 * column : 2 * (column + side)]
    return np.asarray(np.maximum(part[:, ::2], part[:, 1::2]).mean(1).reshape(side + 2, 2).max(1), np.float64)


def _start(lines: Shares) -> float:
    """0 to 1: how far (8,) lines of squares are four clear ones between two and two with pieces."""
    if len(lines) != 8:
        return 0.0
    ends = max(float(lines[:2].mean()), float(lines[6:].mean()))
    return max(0.0, float(lines[2:6].min()) - max(0.0, ends))


def _lead(alike: Shares, cross: Shares, row: int, column: int, side: int) -> float:
    """By how much the outermost rows of the board beat those that would come in if it lay one row further on."""
    lines = _lines(alike, row, column, side)
    corners = cross[row : row + side + 1, column + 1 : column + side].mean(1)
    first, behind = lines[1] + corners[1], lines[-1] + corners[-1]
    last, before = lines[-2] + corners[-2], lines[0] + corners[0]
    start, on, back = _start(lines[1:-1]), _start(lines[2:]), _start(lines[:-2])
    return float(min(first - behind + START * (start - on), last - before + START * (start - back)))
