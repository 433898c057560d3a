"""Finds the board in a picture: its corners, and which way it lies.

Crossings of the chequer make a grid; the squares are where the grid alternates between two colours; a1 is dark; at the
start position White is where the brighter pieces stand.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.extent import CELL, Nodes, find_extent, read_ground
from calibration.facing import light_first, white_below
from calibration.lattice import Lattice, find_lattices, project
from calibration.lens import bent, fit_lens, straight_picture, straightened
from calibration.saddles import find_saddles
from calibration.view import View

WORK = 960  # pixels of the longer side while looking
SMALLEST = 200  # pixels of a picture's shorter side
LEAST = 14  # crossings of a grid worth laying flat
HELD = 0.4  # share of the crossings within the board, at least
SURE = 0.58  # share of the board's ground that must have its square's colour
CONFIDENT = 0.5
STRONG = 0.02  # bend from which a picture is straightened before its board is looked for again
CLEAR = 0.15  # by how much the board's outermost lines of squares must look more like it than those beyond
WHOLE = 0.85  # share of a board's crossings that prove it where there are no others

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]


class BoardNotFoundError(ValueError):
    """No board in the picture that we would vouch for."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """`view`: without pockets. `confidence`: 0 to 1. `orientation_sure`: the pieces stood at the start position, so
    White's side is known; else it is taken to be where the brighter pieces are, or below."""

    view: View
    confidence: float
    orientation_sure: bool

    def corners(self) -> Points:
        """As `View.corners`."""
        return self.view.corners()


def find_board(image: Picture, side: int = 8) -> Found:
    """The board of side x side squares in a BGR picture, the largest if there are several.

    Raises BoardNotFoundError, and ValueError for what is no picture. Boards of an odd side look alike from all four
    sides: the first corner is the upper left one.
    """
    found = _search(image, side)
    if not found:
        raise BoardNotFoundError(
            "no board found; move the camera so that all of it is seen, or give its corners by hand"
        )
    clear = [board for board in found if board.confidence > CONFIDENT]
    if clear:
        return max(clear, key=lambda board: cv2.contourArea(board.corners().astype(np.float32)))
    return max(found, key=lambda board: board.confidence)


def find_boards(image: Picture, side: int = 8) -> list[Found]:
    """Every board that is clear in a picture, from left to right; none is no error. Else raises as `find_board`."""
    boards = [board for board in _search(image, side) if board.confidence > CONFIDENT]
    apart: list[Found] = []
    for board in sorted(boards, key=lambda board: -board.confidence):
        middle = tuple(float(v) for v in board.corners().mean(0))
        if all(cv2.pointPolygonTest(other.corners().astype(np.float32), middle, False) < 0 for other in apart):
            apart.append(board)
    return sorted(apart, key=lambda board: float(board.corners()[:, 0].mean()))


def _search(image: Picture, side: int) -> list[Found]:
    """What looks like a board in the first version of the picture that shows one clearly, else in all of them."""
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(f"expected a (height, width, 3) uint8 picture, got {image.shape} {image.dtype}")
    if min(image.shape[:2]) < SMALLEST:
        raise BoardNotFoundError(f"the picture is only {image.shape[1]}x{image.shape[0]}; give one of 640x480 or more")
    seen = _boards(image, side, 0.0)
    bends = [found.view.bend for found in seen if found.confidence > CONFIDENT]
    if bends and max(bends) > STRONG:
        # Grids grown through a strong lens lose their outer crossings; laid straight they keep them.
        straight = _boards(image, side, max(bends))
        return straight or seen
    return seen


def _boards(image: Picture, side: int, bend: float) -> list[Found]:
    """As `_search`, in a picture straightened by what its lens bends."""
    picture, shrunk = straight_picture(image, bend) if bend else (image, 1.0)
    seen: list[Found] = []
    for scale, grey in versions(picture):
        for lattice in find_lattices(find_saddles(grey)):
            found = _place(picture, lattice, scale, side, Lens(bend, shrunk))
            if found is not None:
                seen.append(found)
        if any(found.confidence > CONFIDENT for found in seen):
            break
    return seen


@dataclass(frozen=True, slots=True)
class Lens:
    """How a picture was straightened: as `straight_picture` has it."""

    bend: float
    shrunk: float

    def seen(self, points: Points, size: tuple[int, int]) -> Points:
        """(n, 2) pixels of the camera's own picture of (n, 2) pixels of the straightened one."""
        middle = np.array(size) / 2
        return bent((points - middle) / self.shrunk + middle, size, self.bend)


def versions(image: Picture) -> Iterator[tuple[float, Picture]]:
    """Grey pictures to look at, the likeliest first, with their size against the original."""
    scale = min(1.0, WORK / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    level = cv2.createCLAHE(3.0, (8, 8))
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    yield scale, np.asarray(level.apply(grey), np.uint8)
    yield scale, np.asarray(grey, np.uint8)
    for channel in (2, 1, 0):
        yield scale, np.asarray(level.apply(np.ascontiguousarray(small[..., channel])), np.uint8)
    half = cv2.resize(small, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    yield 0.6 * scale, np.asarray(level.apply(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY)), np.uint8)


def _place(image: Picture, lattice: Lattice, scale: float, side: int, lens: Lens) -> Found | None:
    """Where the squares lie on a grid of a picture straightened by `lens`, or None where they are not clear."""
    if len(lattice.nodes) < LEAST:
        return None
    to_image = np.diag([1 / scale, 1 / scale, 1.0]) @ lattice.homography
    ground = read_ground(image, to_image, lattice.nodes)
    extent = None if ground is None else find_extent(ground, lattice.nodes, side)
    if ground is None or extent is None:
        return None
    # On squares of faint colours, or all of them taken, what proves the board is that its crossings are all there are.
    whole = lattice.filled(side - 1) if (lattice.nodes.min(0) == extent.first + 1).all() else 0.0
    if whole < WHOLE and (extent.share < SURE or extent.lead < CLEAR):
        return None
    within = ((lattice.nodes > extent.first) & (lattice.nodes < extent.first + side)).all(1)
    if within.sum() < HELD * (side - 1) ** 2:
        return None
    # Junctions on the rim may have joined the grid; they are not where the squares' corners are.
    size = (image.shape[1], image.shape[0])
    seen = lens.seen(lattice.points[within] / scale, size)
    placed = corners_by(lattice.nodes[within], seen, extent.first, side, size)
    if placed is None:
        return None
    corners, bend = placed
    column, row = extent.first - ground.low
    confidence = whole if whole >= WHOLE else extent.confidence()
    if side % 2:
        return Found(View.from_corners(upright(corners), size, bend=bend, side=side), confidence, False)
    flat = ground.flat[row * CELL : (row + side) * CELL, column * CELL : (column + side) * CELL]
    corners, sure = _oriented(flat, corners)
    return Found(View.from_corners(corners, size, bend=bend), confidence, sure)


def corners_by(
    nodes: Nodes, points: Points, first: Nodes, side: int, size: tuple[int, int]
) -> tuple[Points, float] | None:
    """The corners, clockwise or not, of a board of side x side squares from column and row `first` of a grid on, whose
    (n, 2) `nodes` lie at (n, 2) pixels, and how the lens bends; None where a picture of that size does not show it."""
    bend = fit_lens(nodes, points, size)
    fine, _ = cv2.findHomography(nodes.astype(np.float64), straightened(points, size, bend))
    outer = (first + np.array([[0, 0], [side, 0], [side, side], [0, side]])).astype(np.float64)
    corners = bent(project(np.asarray(fine, np.float64), outer), size, bend)
    return (corners, bend) if _usable(corners, *size) else None


def _usable(corners: Points, width: int, height: int) -> bool:
    """The corners lie in the picture, or hardly outside, and make a convex board of some size."""
    slack = 0.04 * max(width, height)
    inside = (corners > -slack).all() and (corners < np.array([width, height]) + slack).all()
    area = cv2.contourArea(corners.astype(np.float32))
    return bool(inside and cv2.isContourConvex(corners.astype(np.float32)) and area > 0.02 * width * height)


def upright(corners: Points) -> Points:
    """Corners clockwise from the upper left one."""
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners = corners[::-1]
    return np.roll(corners, -int(corners.sum(1).argmin()), 0)


def _oriented(flat: Picture, corners: Points) -> tuple[Points, bool]:
    """The corners ordered so that a1 is dark and White's pieces are on its side, and whether that is certain.

    `flat`: the board laid flat, its corners being `corners` from the upper left on.
    """
    if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
        corners, flat = corners[[1, 0, 3, 2]], np.ascontiguousarray(flat[:, ::-1])
    # Now the board lies as seen from above, not mirrored: a8 or h1 is whichever upper left corner is light.
    if not light_first(flat, CELL):
        corners, flat = np.roll(corners, -1, 0), np.ascontiguousarray(np.rot90(flat))
    below, sure = white_below(flat, CELL)
    if below is None:
        below = bool(corners[2:, 1].mean() > corners[:2, 1].mean())
    return (corners if below else np.roll(corners, -2, 0)), sure
