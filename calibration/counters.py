"""Finds boards for games of counters: chequered ones as those of chess, and ones of a single colour with lines."""

from collections.abc import Iterator

import cv2
import numpy as np

from calibration.find import (
    CONFIDENT,
    LEAST,
    BoardNotFoundError,
    Found,
    Picture,
    corners_by,
    find_board,
    upright,
    versions,
)
from calibration.lattice import Lattice, find_lattices
from calibration.pose import FOCAL
from calibration.ruled import find_crossings, find_ruled_extent
from calibration.view import View

LONGER = 1.35  # times: a cell may seem longer than wide, as focal lengths differ
HELD = 0.35  # share of the crossings of lines, the rim's included, that must be found,
WHOLE = 0.75  # and that prove the board where there are no others


def find_counter_board(image: Picture, side: int) -> Found:
    """The board of side x side cells in a BGR picture, the largest if there are several; counters may stand on it.

    Counters do not tell which way round it lies: the first corner is the upper left one. Raises as `find_board`.
    """
    found = _ruled(image, side)
    if not any(board.confidence > CONFIDENT for board in found):
        try:
            found.append(find_board(image, side))
        except BoardNotFoundError:
            if not found:
                raise
    clear = [board for board in found if board.confidence > CONFIDENT]
    best = max(clear, key=_area) if clear else max(found, key=lambda board: board.confidence)
    view = best.view
    corners = upright(view.corners())
    return Found(View.from_corners(corners, view.size, bend=view.bend, side=side), best.confidence, False)


def _area(found: Found) -> float:
    return float(cv2.contourArea(found.corners().astype(np.float32)))


def _ruled(image: Picture, side: int) -> list[Found]:
    """What looks like a ruled board in the first version of the picture that shows one clearly, else in all of them."""
    seen: list[Found] = []
    for scale, grey in versions(image):
        colour = np.asarray(cv2.resize(image, grey.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)
        for lattice in find_lattices(find_crossings(grey)):
            for likely in _coarser(lattice):
                found = _place(grey, colour, likely, scale, side, (image.shape[1], image.shape[0]))
                if found is not None:
                    seen.append(found)
        if any(found.confidence > CONFIDENT for found in seen):
            break
    return seen


def _coarser(lattice: Lattice) -> Iterator[Lattice]:
    """A grid, and those of every other line of it: between two counters a line looks like a crossing, too."""
    yield lattice
    for steps in ((2, 1), (1, 2), (2, 2)):
        step = np.array(steps)
        offset, count = np.unique(lattice.nodes % step, axis=0, return_counts=True)
        first = offset[count.argmax()]
        kept = (lattice.nodes % step == first).all(1)
        wider = np.array([[step[0], 0, first[0]], [0, step[1], first[1]], [0, 0, 1]])
        yield Lattice(lattice.homography @ wider, (lattice.nodes[kept] - first) // step, lattice.points[kept])


def _place(
    grey: Picture, colour: Picture, lattice: Lattice, scale: float, side: int, size: tuple[int, int]
) -> Found | None:
    if len(lattice.nodes) < LEAST:
        return None
    first, confidence = lattice.nodes.min(0), lattice.filled(side + 1)
    if confidence < WHOLE:
        extent = find_ruled_extent(grey, colour, lattice.homography, lattice.nodes, side)
        if extent is None or extent.confidence() == 0:
            return None
        first, confidence = extent.first, extent.confidence()
    within = ((lattice.nodes >= first) & (lattice.nodes <= first + side)).all(1)
    if within.sum() < HELD * (side + 1) ** 2:
        return None
    placed = corners_by(lattice.nodes[within], lattice.points[within] / scale, first, side, size)
    if placed is None:
        return None
    corners, bend = placed
    view = View.from_corners(corners, size, bend=bend, side=side)
    return Found(view, confidence, False) if _square(view) else None


def _square(view: View) -> bool:
    """Whether the cells are about as long as wide, seen by an ordinary webcam."""
    width, height = view.size
    lens = np.array([[FOCAL * width, 0, width / 2], [0, FOCAL * width, height / 2], [0, 0, 1.0]])
    along, across = np.linalg.norm((np.linalg.inv(lens) @ view.homography)[:, :2], axis=0)
    return bool(1 / LONGER < along / across < LONGER)
