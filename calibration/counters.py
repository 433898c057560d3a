"""Finds boards for games of counters: chequered ones as those of chess, and ones of a single colour with lines."""

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
from calibration.ruled import find_crossings, find_ruled_extent
from calibration.view import View

HELD = 0.35  # share of the crossings of lines, the rim's included, that must be found


def find_counter_board(image: Picture, side: int) -> Found:
    """The board of side x side cells in a BGR picture, the clearest if there are several; counters may stand on it.

    Counters do not tell which way round it lies: the first corner is the upper left one. Raises as `find_board`.
    """
    try:
        chequered = find_board(image, side)
    except BoardNotFoundError as error:
        chequered, missing = None, error
    if chequered is not None and chequered.confidence > CONFIDENT:
        return _level(chequered)
    found = [*_ruled(image, side), *([chequered] if chequered else [])]
    if not found:
        raise missing
    return _level(max(found, key=lambda board: board.confidence))


def _level(found: Found) -> Found:
    view = found.view
    corners = upright(view.corners())
    return Found(View.from_corners(corners, view.size, bend=view.bend, side=view.side), found.confidence, False)


def _ruled(image: Picture, side: int) -> list[Found]:
    """What looks like a ruled board in the first version of the picture that shows one clearly, else in all of them."""
    seen: list[Found] = []
    for scale, grey in versions(image):
        for lattice in find_lattices(find_crossings(grey)):
            found = _place(grey, lattice, scale, side, (image.shape[1], image.shape[0]))
            if found is not None:
                seen.append(found)
        if any(found.confidence > CONFIDENT for found in seen):
            break
    return seen


def _place(grey: Picture, lattice: Lattice, scale: float, side: int, size: tuple[int, int]) -> Found | None:
    if len(lattice.nodes) < LEAST:
        return None
    extent = find_ruled_extent(grey, lattice.homography, lattice.nodes, side)
    if extent is None or extent.confidence() == 0:
        return None
    within = ((lattice.nodes >= extent.first) & (lattice.nodes <= extent.first + side)).all(1)
    if within.sum() < HELD * (side + 1) ** 2:
        return None
    placed = corners_by(lattice.nodes[within], lattice.points[within] / scale, extent.first, side, size)
    if placed is None:
        return None
    corners, bend = placed
    return Found(View.from_corners(corners, size, bend=bend, side=side), extent.confidence(), False)
