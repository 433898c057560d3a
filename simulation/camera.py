"""A camera over the table, in board coordinates (squares, z up): a pinhole with a lens that bends straight lines."""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Part = tuple[int, int, int, int]
"""Pixels of a picture: left, top, right, bottom; the last two outside."""


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """`position`: (3,) in squares. `rotation`: (3, 3), rows are the picture's right, down and forward axes.
    `focal`: in pixels. `size`: width and height in pixels; the principal point is the middle. `bend`: how much nearer
    to the middle a point at the picture's side border appears than through a pinhole, as part of its distance (a
    barrel; 0: none)."""

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    focal: float
    size: tuple[int, int]
    bend: float = 0.0

    def project(self, points: ArrayLike) -> NDArray[np.float64]:
        """(n, 2) pixels of (n, 3) points, in the picture as the lens gives it."""
        local = (np.asarray(points, np.float64).reshape(-1, 3) - self.position) @ self.rotation.T
        straight = local[:, :2] / local[:, 2:] * self.focal / self._unit
        return self._bent(straight) * self._unit + np.array(self.size) / 2

    def _bent(self, straight: NDArray[np.float64]) -> NDArray[np.float64]:
        bent = straight
        for _ in range(8):  # the inverse of what `_lens` does, which has no closed form
            bent = straight / (1 + self.bend * (bent**2).sum(1, keepdims=True))
        return bent

    @property
    def _unit(self) -> float:
        return self.size[0] / 2

    def pinhole(self) -> "Camera":
        """The camera without its lens, with as much more to see as the lens needs for its corners."""
        return replace(self, focal=self.focal / _widening(self.size, self.bend), bend=0.0)

    def through_lens(self, picture: NDArray[np.uint8], part: Part | None = None) -> NDArray[np.uint8]:
        """What `pinhole` sees as the lens gives it, or a part of that."""
        left, top, right, bottom = part or (0, 0, *self.size)
        if not self.bend:
            return picture[top:bottom, left:right]
        columns, rows = (grid[top:bottom, left:right] for grid in _lens(self.size, self.bend))
        return np.asarray(cv2.remap(picture, columns, rows, cv2.INTER_LINEAR), np.uint8)

    def behind_lens(self, part: Part) -> Part:
        """The part of the picture, as the lens gives it, that holds a part of what `pinhole` sees."""
        left, top, right, bottom = part
        x, y = np.linspace(left, right, 65), np.linspace(top, bottom, 65)
        edges = [(x, np.full(65, top)), (x, np.full(65, bottom)), (np.full(65, left), y), (np.full(65, right), y)]
        middle = np.array(self.size) / 2
        bent = self._bent(
            (np.concatenate([np.column_stack(edge) for edge in edges]) - middle)
            / self._unit
            * _widening(self.size, self.bend)
        )
        pixels = bent * self._unit + middle
        low = np.clip(np.floor(pixels.min(0)) - 2, 0, self.size).astype(int)
        high = np.clip(np.ceil(pixels.max(0)) + 2, 0, self.size).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def seen_from_board(self, points: ArrayLike) -> NDArray[np.float64]:
        """(n, 2) board coordinates on the plane z = 0 at which (n, 3) points appear, by `board_homography`."""
        pixels = np.column_stack([self.project(points), np.ones(len(np.atleast_2d(points)))])
        plane = pixels @ np.linalg.inv(self.board_homography()).T
        return np.asarray(plane[:, :2] / plane[:, 2:], np.float64)

    def board_homography(self) -> NDArray[np.float64]:
        """(3, 3) from board coordinates to pixels as one finds it who knows nothing of the lens: the best fit on the
        board."""
        if not self.bend:
            return self.homography()
        grid = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), -1).reshape(-1, 2)
        found, _ = cv2.findHomography(grid, self.project(np.column_stack([grid, np.zeros(len(grid))])))
        return np.asarray(found, np.float64)

    def homography(self) -> NDArray[np.float64]:
        """(3, 3) from board coordinates on the board's plane to pixels of the pinhole."""
        width, height = self.size
        intrinsic = np.array([[self.focal, 0, width / 2], [0, self.focal, height / 2], [0, 0, 1]])
        columns = np.stack([self.rotation[:, 0], self.rotation[:, 1], -self.rotation @ self.position], 1)
        plane: NDArray[np.float64] = intrinsic @ columns
        return plane / plane[2, 2]

    def matrix(self, near: float = 2.0, far: float = 120.0) -> NDArray[np.float32]:
        """(4, 4) OpenGL view-projection."""
        width, height = self.size
        view = np.eye(4)
        view[:3, :3] = self.rotation * [[1], [-1], [-1]]
        view[:3, 3] = -view[:3, :3] @ self.position
        lens = np.zeros((4, 4))
        lens[0, 0], lens[1, 1] = 2 * self.focal / width, 2 * self.focal / height
        lens[2, 2], lens[2, 3] = -(far + near) / (far - near), -2 * far * near / (far - near)
        lens[3, 2] = -1
        return (lens @ view).astype(np.float32)


def _widening(size: tuple[int, int], bend: float) -> float:
    width, height = size
    return 1 + bend * (1 + (height / width) ** 2)


@lru_cache(maxsize=2)
def _lens(size: tuple[int, int], bend: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Column and row (height, width) in the pinhole's picture of every pixel behind the lens."""
    width, height = size
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    bent = (np.stack([x, y], -1) - np.array(size) / 2) / (width / 2)
    straight = bent * (1 + bend * (bent**2).sum(-1, keepdims=True)) / _widening(size, bend)
    source = (straight * (width / 2) + np.array(size) / 2 - 0.5).astype(np.float32)
    return np.ascontiguousarray(source[..., 0]), np.ascontiguousarray(source[..., 1])


def looking(
    position: ArrayLike, target: ArrayLike, roll: float, focal: float, size: tuple[int, int], bend: float = 0.0
) -> Camera:
    """A camera at `position` looking at `target`, rolled about its axis by `roll` radians from the far side up."""
    eye = np.asarray(position, np.float64)
    forward = np.asarray(target, np.float64) - eye
    forward /= np.linalg.norm(forward)
    flat = np.array([forward[0], forward[1], 0.0])
    away = flat / np.linalg.norm(flat) if np.linalg.norm(flat) > 1e-3 else np.array([0.0, 1.0, 0.0])
    right = np.cross(away, [0.0, 0.0, 1.0])
    right -= forward * (right @ forward)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    return Camera(eye, np.stack([c * right + s * down, -s * right + c * down, forward]), focal, size, bend)
