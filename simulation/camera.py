"""A pinhole camera over the table, in board coordinates (squares, z up)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """`position`: (3,) in squares. `rotation`: (3, 3), rows are the picture's right, down and forward axes.
    `focal`: in pixels. `size`: width and height in pixels; the principal point is the middle."""

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    focal: float
    size: tuple[int, int]

    def project(self, points: ArrayLike) -> NDArray[np.float64]:
        """(n, 2) pixels of (n, 3) points."""
        local = (np.asarray(points, np.float64).reshape(-1, 3) - self.position) @ self.rotation.T
        return local[:, :2] / local[:, 2:] * self.focal + np.array(self.size) / 2

    def homography(self) -> NDArray[np.float64]:
        """(3, 3) from board coordinates on the table plane to pixels."""
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


def looking(position: ArrayLike, target: ArrayLike, roll: float, focal: float, size: tuple[int, int]) -> Camera:
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
    return Camera(eye, np.stack([c * right + s * down, -s * right + c * down, forward]), focal, size)
