"""Boards of one colour with lines between their cells: where lines cross, and which cells of a grid have them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.saddles import MOST, Grey, Points, Saddles

BLUR = 1.3  # pixels
RING = (6.0, 9.0)  # radii in pixels at which the four arms of a crossing are looked for
SAMPLES = 32
ARMS = 0.35  # share of what changes around a crossing that must be its four arms
FAINT = 1.5  # grey levels of an arm, at least
CELL = 32  # pixels of one cell while looking for lines
BESIDE = 4  # pixels from a line at which the ground beside it is seen
LOOSE = 2  # pixels a line may be off
BOTH, BEFORE, AFTER = range(3)  # the sides of a line whose ground is compared with it
AROUND = 2  # cells looked at beyond the crossings found
CORNER = 11  # pixels from the middle of a cell at which its ground is seen though a counter stands there
FOREIGN = 20.0  # by how much ground's tint must differ from the board's, in Lab's a and b, to be none of it

Nodes = NDArray[np.int64]
Shares = NDArray[np.float64]


def find_crossings(grey: Grey) -> Saddles:
    """Crossings of lines in a grey picture, the clearest first."""
    smooth = np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), BLUR), np.float32)
    dx, dy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    dxx, dyy = cv2.Sobel(dx, cv2.CV_32F, 1, 0), cv2.Sobel(dy, cv2.CV_32F, 0, 1)
    dxy = cv2.Sobel(dx, cv2.CV_32F, 0, 1)
    spot = np.maximum(dxx * dyy - dxy * dxy, 0)
    peak = (spot == cv2.dilate(spot, np.ones((5, 5), np.uint8))) & (spot > 0.001 * np.quantile(spot, 0.999))
    edge = int(RING[1]) + 2
    peak[:edge] = peak[-edge:] = False
    peak[:, :edge] = peak[:, -edge:] = False
    y, x = np.nonzero(peak)
    order = np.argsort(-spot[y, x])[: 6 * MOST]
    points = np.column_stack([x, y])[order].astype(np.float64)
    if not len(points):
        return Saddles(points, np.zeros(0), ruled=True)
    dark = dxx[y, x][order] > 0
    clear, axes = _arms(smooth, points, dark)
    kept = np.flatnonzero(clear > ARMS)
    kept = kept[np.argsort(-clear[kept], kind="stable")][:MOST]
    return Saddles(_middles(smooth, points[kept]), axes[kept], ruled=True)


def _arms(
    smooth: NDArray[np.float32], points: Points, dark: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n,) 0..1: how far rings around a point are four arms of a dark or light line, and axes as `Saddles` has them."""
    angle = np.linspace(0, 2 * np.pi, SAMPLES, endpoint=False)
    rings = []
    for radius in RING:
        x = (points[:, :1] + radius * np.cos(angle)).astype(np.float32)
        y = (points[:, 1:] + radius * np.sin(angle)).astype(np.float32)
        rings.append(cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    # What is darker or lighter at both radii in the same direction is an arm.
    signed = np.where(dark[None, :, None], -1.0, 1.0) * np.array(rings, np.float64)
    ring = (signed - np.median(signed, axis=2, keepdims=True)).min(0)
    waves = np.fft.rfft(ring, axis=1)
    power = np.abs(waves) ** 2
    share = (power[:, 4] + power[:, 8]) / np.maximum(power[:, 1:].sum(1), 1e-6)
    strong = np.abs(waves[:, 4]) / SAMPLES > FAINT / 4
    return np.where(strong, share, 0.0), np.asarray(np.pi - np.angle(waves[:, 4]), np.float64)


def _middles(smooth: NDArray[np.float32], points: Points) -> Points:
    """Points moved to where lines are darkest, or lightest, to a part of a pixel."""
    x, y = points.astype(np.int64).T
    moves = []
    for ahead, back in (((0, 1), (0, -1)), ((1, 0), (-1, 0))):
        one, two = smooth[y + ahead[0], x + ahead[1]], smooth[y + back[0], x + back[1]]
        curve = one + two - 2 * smooth[y, x]
        moves.append(np.clip((two - one) / np.where(np.abs(curve) < 1e-3, np.inf, 2 * curve), -0.5, 0.5))
    return np.asarray(points + np.stack(moves, 1), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class RuledExtent:
    """`first`: (2,) the board's first column and row on the grid. `share`: how far the edges of its cells are lines.
    `lead`: how much more so than where it lies one column or row further, 0 to 1."""

    first: Nodes
    share: float
    lead: float

    def confidence(self) -> float:
        """0 to 1."""
        return float(np.clip((self.share - 0.2) / 0.5, 0, 1) * np.clip(self.lead / 0.1, 0, 1))


def find_ruled_extent(
    grey: Grey, colour: Grey, to_image: NDArray[np.float64], nodes: Nodes, side: int
) -> RuledExtent | None:
    """The side x side cells whose edges are lines, whose ground is alike, and beyond which lines end. `colour`: the
    picture in BGR. `to_image`: (3, 3) from the grid on which crossings lie at (n, 2) `nodes` to pixels of both. None
    where the grid has too few cells."""
    low, high = nodes.min(0) - AROUND, nodes.max(0) + AROUND
    columns, rows = (int(v) for v in high - low)
    matrix = np.array([[1 / CELL, 0, low[0] - 0.5], [0, 1 / CELL, low[1] - 0.5], [0, 0, 1]])
    size = ((columns + 1) * CELL, (rows + 1) * CELL)
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(grey, to_image @ matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    soft = np.asarray(cv2.GaussianBlur(flat.astype(np.float32), (0, 0), 1.0), np.float32)
    upright, level = _lines(soft, columns, rows), _lines(np.ascontiguousarray(soft.T), rows, columns).transpose(0, 2, 1)
    at = nodes - low
    typical = np.concatenate([_at(upright[BOTH], at), _at(level[BOTH], at)])
    polarity = np.sign(np.median(typical))
    strength = float(np.quantile(polarity * typical, 0.6))
    if strength <= 0:
        return None
    foreign = _foreign(colour, to_image @ matrix, at, (rows, columns))
    one, two = (np.clip(polarity * lines / strength, 0, 1) for lines in (upright, level))
    found: dict[tuple[int, int], float] = {}
    share: dict[tuple[int, int], float] = {}
    for row in range(rows - side + 1):
        for column in range(columns - side + 1):
            inside, beyond = _edges(one, two, (row, column), side)
            other = float(foreign[row : row + side, column : column + side].mean())
            share[row, column] = float(inside.mean())
            found[row, column] = float(inside.mean() - 0.5 * beyond.sum() / max(beyond.size, 1) - other)
    if not found:
        return None
    row, column = max(found, key=lambda at: found[at])
    next_best = max((score for place, score in found.items() if place != (row, column)), default=0.0)
    return RuledExtent(low + np.array([column, row]), share[row, column], found[row, column] - next_best)


def _edges(one: Shares, two: Shares, first: tuple[int, int], side: int) -> tuple[Shares, Shares]:
    """How far upright and level edges are lines: those within a board whose first row and column these are, and those
    that go on beyond it."""
    row, column = first
    rows, columns = slice(row, row + side), slice(column, column + side)
    inside = np.concatenate(
        [one[BOTH, rows, column + 1 : column + side].ravel(), one[AFTER, rows, column],
         one[BEFORE, rows, column + side], two[BOTH, row + 1 : row + side, columns].ravel(),
         two[AFTER, row, columns], two[BEFORE, row + side, columns]]
    )  # fmt: skip
    beyond = np.concatenate(
        [one[BOTH, max(row - 1, 0) : row, column : column + side + 1].ravel(),
         one[BOTH, row + side : row + side + 1, column : column + side + 1].ravel(),
         two[BOTH, row : row + side + 1, max(column - 1, 0) : column].ravel(),
         two[BOTH, row : row + side + 1, column + side : column + side + 1].ravel()]
    )  # fmt: skip
    return inside, beyond


def _lines(soft: NDArray[np.float32], columns: int, rows: int) -> Shares:
    """(3, rows, columns + 1) how much lighter the ground is than each upright edge of a cell: on both sides, before it,
    and behind it, as the rim has only one side that counts."""
    x = CELL // 2 + CELL * np.arange(columns + 1)
    part = slice(CELL // 5, CELL - CELL // 5)
    seen = soft[CELL // 2 : CELL // 2 + rows * CELL].reshape(rows, CELL, -1)[:, part]
    near = x[:, None] + np.arange(-LOOSE, LOOSE + 1)  # (columns + 1, places)
    before, behind = seen[..., near - BESIDE] - seen[..., near], seen[..., near + BESIDE] - seen[..., near]
    darker, lighter = np.minimum(before, behind), np.maximum(before, behind)
    kinds = ((darker, lighter), (before, before), (behind, behind))
    answer = []
    for low, high in kinds:
        dark, light = np.median(low.max(-1), 1), np.median(high.min(-1), 1)
        answer.append(np.where(dark > -light, dark, light))
    return np.array(answer, np.float64)


def _foreign(colour: Grey, flat: NDArray[np.float64], at: Nodes, cells: tuple[int, int]) -> NDArray[np.bool_]:
    """(rows, columns) which cells of a grid, laid flat by `flat` (3, 3), lie on other ground than those between the
    crossings found, which lie `at` (n, 2). A board may be chequered: cells are compared with those of their own kind.
    """
    rows, columns = cells
    size = ((columns + 1) * CELL, (rows + 1) * CELL)
    laid = cv2.warpPerspective(colour, flat, size, flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP)
    soft = cv2.cvtColor(cv2.blur(laid, (5, 5)).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    y, x = np.mgrid[:rows, :columns] * CELL + CELL
    corners = [soft[y + down, x + right] for down in (-CORNER, CORNER) for right in (-CORNER, CORNER)]
    ground = np.median(np.array(corners), 0)
    known = {(int(column), int(row)) for column, row in at}
    inner = np.zeros(cells, bool)
    for column, row in known:
        inner[row, column] = {(column + 1, row), (column, row + 1), (column + 1, row + 1)} <= known
    odd = np.add.outer(np.arange(rows), np.arange(columns)) % 2 == 1
    foreign = np.zeros(cells, bool)
    for kind in (odd, ~odd):
        if (inner & kind).any():
            off = ground - np.median(ground[inner & kind], 0)
            foreign |= kind & (np.hypot(off[..., 1], off[..., 2]) > FOREIGN)
    return foreign


def _at(lines: Shares, at: Nodes) -> Shares:
    """Of the edges that begin at (n, 2) nodes."""
    x, y = at.T
    return np.asarray(lines[y.clip(0, lines.shape[0] - 1), x.clip(0, lines.shape[1] - 1)], np.float64)
