"""A view drawn over its picture, for people to check."""

from collections.abc import Sequence

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import View

LINE = (60, 220, 60)
POCKET = {chess.WHITE: (255, 200, 80), chess.BLACK: (80, 80, 255)}


def draw(image: NDArray[np.uint8], view: View) -> NDArray[np.uint8]:
    """A copy of a BGR picture with the squares' edges, the corner squares' names and the pockets' outlines."""
    picture = image.copy()
    thick = max(1, round(max(view.size) / 640))
    side = view.side
    for step in range(side + 1):
        for ends in ([(step, 0), (step, side)], [(0, step), (side, step)]):
            _polygon(picture, view, ends, LINE, thick)
    for color, region in view.pockets.items():
        x0, y0, x1, y1 = region.x0, region.y0, region.x1, region.y1
        _polygon(picture, view, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], POCKET[color], 2 * thick)
    square = float(np.linalg.norm(np.subtract(*view.to_image([(0, 0), (1, 0)]))))
    for file, rank in ((0, side - 1), (side - 1, side - 1), (side - 1, 0), (0, 0)):
        name = chess.square_name(chess.square(file, rank))
        x, y = view.to_image([(file + 0.5, rank + 0.5)])[0]
        scale = square / 60
        place = (round(x - 18 * scale), round(y + 9 * scale))
        for colour, width in (((0, 0, 0), 4 * thick), ((255, 255, 255), thick)):
            cv2.putText(picture, name, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, width, cv2.LINE_AA)
    return picture


def _polygon(
    picture: NDArray[np.uint8],
    view: View,
    points: Sequence[tuple[float, float]],
    colour: tuple[int, int, int],
    thick: int,
) -> None:
    pixels = np.round(view.to_image(points) * 16).astype(np.int32)
    cv2.polylines(picture, [pixels], True, colour, thick, cv2.LINE_AA, shift=4)
