"""Where a board, its squares and its pockets lie in one camera's picture.

Board coordinates are squares on the table plane: a1's outer corner is (0, 0), x grows towards the
h-file, y towards rank 8; square (file, rank) covers [file, file+1] x [rank, rank+1]. A board of fewer squares lies in
the corner of a1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import chess
import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import bent, straightened

CORNERS = np.array([[0, 8], [8, 8], [8, 0], [0, 0]], np.float64)
"""a8, h8, h1, a1 in board coordinates: the order of corners everywhere. Those of a smaller board are named likewise."""


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle in board coordinates."""

    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


Side = Literal["h", "a"]
"""The file beside which the pockets lie."""


def pockets_beside(side: Side) -> dict[chess.Color, Region]:
    """The usual pocket areas: a strip beside the board of that file, each player's half of it."""
    x0, x1 = (8.4, 11.2) if side == "h" else (-3.2, -0.4)
    return {chess.WHITE: Region(x0, 0.0, x1, 4.0), chess.BLACK: Region(x0, 4.0, x1, 8.0)}


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """`homography`: (3, 3) from board coordinates to pixels of a pinhole. `size`: width and height of the picture in
    pixels. `bend`: of the lens, as `calibration.lens` has it. `side`: squares a side of the board, 8 at most."""

    homography: NDArray[np.float64]
    size: tuple[int, int]
    pockets: Mapping[chess.Color, Region] = field(default_factory=dict)
    bend: float = 0.0
    side: int = 8

    @classmethod
    def from_corners(
        cls,
        corners: ArrayLike,
        size: tuple[int, int],
        pockets: Mapping[chess.Color, Region] | None = None,
        bend: float = 0.0,
        side: int = 8,
    ) -> "View":
        """From the playing area's outer corners in pixels, (4, 2), order a8, h8, h1, a1."""
        pixels, outer = straightened(corners, size, bend), CORNERS * (side / 8)
        homography = cv2.getPerspectiveTransform(outer.astype(np.float32), pixels.astype(np.float32))
        return cls(np.asarray(homography, np.float64), size, dict(pockets or {}), bend, side)

    def to_image(self, points: ArrayLike) -> NDArray[np.float64]:
        """Pixels of (n, 2) points in board coordinates."""
        flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
        return bent(cv2.perspectiveTransform(flat, self.homography), self.size, self.bend)

    def to_board(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Board coordinates, on the table plane, of (n, 2) pixels."""
        flat = straightened(pixels, self.size, self.bend).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, np.linalg.inv(self.homography)), np.float64).reshape(-1, 2)

    def corners(self) -> NDArray[np.float64]:
        """(4, 2) pixels: a8, h8, h1, a1."""
        return self.to_image(CORNERS * (self.side / 8))

    def turned(self, quarters: int) -> "View":
        """The same with its corners named so many further on: what was a8 is then h8."""
        return View.from_corners(np.roll(self.corners(), quarters, 0), self.size, self.pockets, self.bend, self.side)

    def laid_flat(
        self, image: NDArray[np.uint8], to_pixels: NDArray[np.float64], size: tuple[int, int], border: int = 0
    ) -> NDArray[np.uint8]:
        """The table plane of a picture. `to_pixels`: (3, 3) from board coordinates to pixel indices of what comes back,
        of width and height `size`. `border`: OpenCV's, for what lies outside the picture."""
        if not self.bend:
            matrix = to_pixels @ np.linalg.inv(self.homography)
            laid = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=border)
        else:
            plan = self.homography @ np.linalg.inv(to_pixels)
            laid = cv2.remap(
                image, *_maps(plan.tobytes(), self.size, self.bend, size), cv2.INTER_LINEAR, borderMode=border
            )
        return np.asarray(laid, np.uint8)


@lru_cache(maxsize=8)
def _maps(
    plan: bytes, size: tuple[int, int], bend: float, laid: tuple[int, int]
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """OpenCV's maps for a picture of width and height `laid`, of which `plan` leads to pixels of the pinhole."""
    grid = np.stack(np.meshgrid(np.arange(laid[0]), np.arange(laid[1])), -1).reshape(-1, 1, 2).astype(np.float64)
    straight = cv2.perspectiveTransform(grid, np.frombuffer(plan).reshape(3, 3))
    pixels = bent(straight, size, bend).reshape(laid[1], laid[0], 2).astype(np.float32)
    return cv2.convertMaps(pixels[..., 0], pixels[..., 1], cv2.CV_16SC2)  # type: ignore[return-value]
