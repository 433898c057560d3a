"""Beside which file the pockets lie, told by the men that stand there."""

from dataclasses import replace

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region, Side, View, pockets_beside
from vision.canvas import Canvas
from vision.closer import Closer
from vision.lean import by_pose
from vision.pocket import places_in, read_pocket
from vision.reader import Reader

REACH = 1.5  # squares beyond the usual areas in which men are looked for
ROOM = 0.6  # squares around the outermost man
TELLING = 2  # men more than beside the other file


def find_pockets(image: NDArray[np.uint8], view: View, reader: Reader) -> dict[chess.Color, Region] | None:
    """The pocket areas beside the file where men stand, wide enough for all of them; None where that is not clear."""
    sides: tuple[Side, Side] = ("h", "a")
    men = {side: _men(image, view, reader, side) for side in sides}
    more, fewer = sorted(sides, key=lambda side: -len(men[side]))
    if len(men[more]) < len(men[fewer]) + TELLING:
        return None
    (x0, low), (x1, high) = men[more].min(0) - ROOM, men[more].max(0) + ROOM
    areas = {}
    for color, usual in pockets_beside(more).items():
        bottom, top = (min(usual.y0, low), usual.y1) if color == chess.WHITE else (usual.y0, max(usual.y1, high))
        areas[color] = Region(float(min(usual.x0, x0)), float(bottom), float(max(usual.x1, x1)), float(top))
    return {color: _clear_of_the_board(area, more) for color, area in areas.items()}


def _men(image: NDArray[np.uint8], view: View, reader: Reader, side: Side) -> NDArray[np.float64]:
    """(n, 2) board coordinates of the men beside a file, in each player's half those of that player's colour."""
    areas = {color: _wider(area, side, color) for color, area in pockets_beside(side).items()}
    seen = replace(view, pockets=areas)
    canvas = Canvas.over(seen)
    answer = reader.read(canvas.warp(image, seen))
    second = Closer(reader).at(image, view)
    found = [
        read_pocket(answer, canvas, area, places_in(area, canvas), color, (second, second), by_pose(view))
        for color, area in areas.items()
    ]
    men = np.concatenate([pocket.centres for pocket in found]).astype(np.float64)
    pixels = view.to_image(men) if len(men) else np.zeros((0, 2))
    return men[((pixels > 0) & (pixels < np.array(view.size))).all(1)]


def _wider(area: Region, side: Side, color: chess.Color) -> Region:
    left, right = (0.0, REACH) if side == "h" else (REACH, 0.0)
    below, above = (REACH, 0.0) if color == chess.WHITE else (0.0, REACH)
    return Region(area.x0 - left, area.y0 - below, area.x1 + right, area.y1 + above)


def _clear_of_the_board(area: Region, side: Side) -> Region:
    inner = pockets_beside(side)[chess.WHITE]
    return replace(area, x0=inner.x0) if side == "h" else replace(area, x1=inner.x1)
