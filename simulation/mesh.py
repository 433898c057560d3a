"""Triangle meshes in squares (one board square is one unit, z up) and the few shapes all else is made of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """`triangles`: (n, 3, 6) float32, three corners of position and unit normal each."""

    triangles: Array

    def placed(self, transform: ArrayLike) -> "Mesh":
        """Moved by a (4, 4) matrix of rotation, uniform scale and translation."""
        m = np.asarray(transform, np.float32)
        position = self.triangles[..., :3] @ m[:3, :3].T + m[:3, 3]
        normal = self.triangles[..., 3:] @ m[:3, :3].T
        normal = normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
        return Mesh(np.concatenate([position, normal], -1).astype(np.float32))


def join(meshes: list[Mesh]) -> Mesh:
    """One mesh of several."""
    return Mesh(np.concatenate([mesh.triangles for mesh in meshes]))


def surface(grid: ArrayLike) -> Mesh:
    """A (rows, columns, 3) grid of points as a surface with smooth normals.

    Seen from outside, rows run down and columns to the right.
    """
    points = np.asarray(grid, np.float32)
    down = np.gradient(points, axis=0)
    across = np.gradient(points, axis=1)
    if np.allclose(points[:, 0], points[:, -1], atol=1e-6):  # closed around: the seam gets one normal
        seam = (across[:, 0] + across[:, -1]) / 2
        across[:, 0] = across[:, -1] = seam
    normal = np.cross(down, across)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    full = np.concatenate([points, normal], -1).astype(np.float32)
    a, b, c, d = full[:-1, :-1], full[:-1, 1:], full[1:, 1:], full[1:, :-1]
    return Mesh(np.concatenate([np.stack([a, b, c], 2), np.stack([a, c, d], 2)]).reshape(-1, 3, 6))


def lathe(profile: ArrayLike, segments: int, bend: "Bend | None" = None) -> Mesh:
    """Turned from a (n, 2) profile of radius and height, from the foot up; `bend` alters rings by angle."""
    outline = np.asarray(profile, np.float64)[::-1]
    angle = np.linspace(0, 2 * np.pi, segments + 1)
    radius = np.repeat(outline[:, :1], segments + 1, 1)
    height = np.repeat(outline[:, 1:], segments + 1, 1)
    if bend is not None:
        radius, height = bend(radius, height, angle)
    grid = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], -1)
    return surface(grid)


class Bend:
    """How a turned shape departs from roundness: (rings, angles) radius and height in, the same out."""

    def __call__(
        self, radius: NDArray[np.float64], height: NDArray[np.float64], angle: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        raise NotImplementedError


def box(size: ArrayLike, centre: ArrayLike) -> Mesh:
    """An axis-parallel box."""
    half = np.asarray(size, np.float32) / 2
    faces = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3, np.float32)
            normal[axis] = sign
            u, v = np.roll(np.eye(3, dtype=np.float32), 0, 0)[[(axis + 1) % 3, (axis + 2) % 3]]
            corners = [normal + s * u + t * v for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            full = [np.concatenate([corner * half, normal]) for corner in corners]
            faces += [[full[0], full[1], full[2]], [full[0], full[2], full[3]]]
    mesh = Mesh(np.asarray(faces, np.float32))
    return mesh.placed(translation(centre))


def capsule(start: ArrayLike, end: ArrayLike, radius0: float, radius1: float, segments: int = 12) -> Mesh:
    """A rounded limb from `start` to `end`, as thick as the radii say at its two ends."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = float(np.linalg.norm(b - a))
    axis = (b - a) / max(length, 1e-9)
    side = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    cap = np.linspace(-np.pi / 2, 0, 4)
    foot = np.stack([radius0 * np.cos(cap), radius0 * np.sin(cap)], 1)
    top = np.stack([radius1 * np.cos(-cap[::-1]), length + radius1 * np.sin(-cap[::-1])], 1)
    mesh = lathe(np.concatenate([foot, top]), segments)
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2], matrix[:3, 3] = side, np.cross(axis, side), axis, a
    return mesh.placed(matrix)


def translation(offset: ArrayLike) -> NDArray[np.float64]:
    """(4, 4) matrix of a move."""
    matrix = np.eye(4)
    matrix[:3, 3] = np.asarray(offset, np.float64)
    return matrix


def standing(x: float, y: float, turn: float = 0.0, tilt: float = 0.0, z: float = 0.0) -> NDArray[np.float64]:
    """(4, 4) placing of a piece: turned about its axis, then tilted (radians; pi/2 lies), base at (x, y, z)."""
    c, s, k, q = np.cos(turn), np.sin(turn), np.cos(tilt), np.sin(tilt)
    spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    fall = np.array([[k, 0, q], [0, 1, 0], [-q, 0, k]])
    matrix = np.eye(4)
    matrix[:3, :3] = spin @ fall
    matrix[:3, 3] = x, y, z
    return matrix
