"""Which part of a picture changes when bodies come, go or move: films draw only that anew."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from simulation.camera import Camera, Part
from simulation.render import Body, Light, Table

FOOT = 1.6  # squares around a body in which it keeps light from the table
NEAR = 1.0  # squares before the camera from which on anything is seen
MARGIN = 4  # pixels that softened edges reach further


def touched(bodies: Iterable[Body], camera: Camera, table: Table, lights: Sequence[Light]) -> Part | None:
    """The pixels that bodies and their shadows reach, None for none. `camera`: a pinhole."""
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for body in bodies:
        corners = body.mesh.triangles[..., :3] @ body.place[:3, :3].T + body.place[:3, 3]
        floor = -table.thick
        reached = [(_footprint(corners, floor), 0.0), (corners, 0.0)]
        for light in lights:
            toward = np.asarray(light.direction) / np.linalg.norm(light.direction)
            shadow = corners - toward * ((corners[..., 2:] - floor) / toward[2])
            # A soft shadow is looked up to its softness away, across the light.
            reached.append((shadow, light.softness / toward[2] + 0.1))
        for triangles, around in reached:
            points = _seen(triangles, camera)
            if len(points):
                scale = camera.focal / points[:, 2:]
                pixels = points[:, :2] * scale + np.array(camera.size) / 2
                low = np.minimum(low, (pixels - around * scale).min(0))
                high = np.maximum(high, (pixels + around * scale).max(0))
    left, top = (int(v) for v in np.clip(np.floor(low) - MARGIN, 0, camera.size))
    right, bottom = (int(v) for v in np.clip(np.ceil(high) + MARGIN, 0, camera.size))
    return (left, top, right, bottom) if left < right and top < bottom else None


def _footprint(corners: NDArray[np.float64], floor: float) -> NDArray[np.float64]:
    """(2, 3, 3): the table around what lies under a body."""
    (x0, y0, _), (x1, y1, _) = corners.reshape(-1, 3).min(0) - FOOT, corners.reshape(-1, 3).max(0) + FOOT
    a, b, c, d = ((x, y, floor) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    return np.array([[a, b, c], [a, c, d]])


def _seen(triangles: NDArray[np.float64], camera: Camera) -> NDArray[np.float64]:
    """(n, 3) in the camera's axes: the corners before it, and where edges pass it."""
    local = (triangles - camera.position) @ camera.rotation.T
    ahead = local[..., 2] > NEAR
    if ahead.all():
        return np.asarray(local.reshape(-1, 3), np.float64)
    points = [local[ahead]]
    for one, two in ((0, 1), (1, 2), (2, 0)):
        passing = ahead[:, one] != ahead[:, two]
        a, b = local[passing, one], local[passing, two]
        points.append(a + (b - a) * ((NEAR - a[:, 2:]) / (b[:, 2:] - a[:, 2:])))
    return np.concatenate(points)
