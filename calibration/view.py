"""Where a board, its squares and its pockets lie in one camera's picture.

Board coordinates are squares on the table plane: a1's outer corner is (0, 0), x grows towards the
h-file, y towards rank 8; square (file, rank) covers [file, file+1] x [rank, rank+1].
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import chess
import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

CORNERS = np.array([[0, 8], [8, 8], [8, 0], [0, 0]], np.float64)
"""a8, h8, h1, a1 in board coordinates: the order of corners everywhere."""


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle in board coordinates."""

    x0: float
    y0: float
    x1: float
    y1: float


Side = Literal["h", "a"]
"""The file beside which the pockets lie."""


def pockets_beside(side: Side) -> dict[chess.Color, Region]:
    """The usual pocket areas: a strip beside the board of that file, each player's half of it."""
    x0, x1 = (8.4, 11.2) if side == "h" else (-3.2, -0.4)
    return {chess.WHITE: Region(x0, 0.0, x1, 4.0), chess.BLACK: Region(x0, 4.0, x1, 8.0)}


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """`homography`: (3, 3) from board coordinates to pixels. `size`: width and height of the picture in pixels."""

    homography: NDArray[np.float64]
    size: tuple[int, int]
    pockets: Mapping[chess.Color, Region] = field(default_factory=dict)

    @classmethod
    def from_corners(
        cls, corners: ArrayLike, size: tuple[int, int], pockets: Mapping[chess.Color, Region] | None = None
    ) -> "View":
        """From the playing area's outer corners in pixels, (4, 2), order a8, h8, h1, a1."""
        pixels = np.asarray(corners, np.float64).reshape(4, 2)
        homography = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), pixels.astype(np.float32))
        return cls(np.asarray(homography, np.float64), size, dict(pockets or {}))

    def to_image(self, points: ArrayLike) -> NDArray[np.float64]:
        """Pixels of (n, 2) points in board coordinates."""
        flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, self.homography), np.float64).reshape(-1, 2)

    def to_board(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Board coordinates, on the table plane, of (n, 2) pixels."""
        flat = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, np.linalg.inv(self.homography)), np.float64).reshape(-1, 2)

    def corners(self) -> NDArray[np.float64]:
        """(4, 2) pixels: a8, h8, h1, a1."""
        return self.to_image(CORNERS)
