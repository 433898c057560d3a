"""Which part of a picture changes when bodies come, go or move: films draw only that anew."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.camera import Camera
from simulation.render import TILE, Body, Light, Table, whole

FOOT = 1.6  # squares around what stands in which it keeps light from the table
TALL = 2.0  # squares above the board up to which something stands that shadows fall on
NEAR = 1.0  # squares before the camera from which on anything is seen


def touched(bodies: Iterable[Body], camera: Camera, table: Table, lights: Sequence[Light]) -> NDArray[np.uint8]:
    """(rows, columns) of `render.TILE` pixels, row 0 at the picture's top: 1 where bodies and their shadows reach.
    `camera`: a pinhole."""
    tiles = 0 * whole(camera.size)
    for body in bodies:
        corners = body.mesh.triangles[..., :3] @ body.place[:3, :3].T + body.place[:3, 3]
        floor = -table.thick
        reached = [(corners, 0.0)]
        if body.foot:
            reached.append((_footprint(corners, floor), 0.0))
        for light in lights:
            toward = np.asarray(light.direction) / np.linalg.norm(light.direction)
            shadow = corners - toward * ((corners[..., 2:] - floor) / toward[2])
            # A soft shadow is looked up to its softness away, across the light; and it falls on what stands, too.
            high = np.clip(corners[..., 2:], None, TALL)
            upper = corners - toward * ((corners[..., 2:] - high) / toward[2])
            reached.append((np.concatenate([shadow, upper]), light.softness / toward[2] + 0.1))
        for triangles, around in reached:
            points = _seen(triangles, camera)
            if len(points):
                _fill(tiles, points, around, camera)
    return np.asarray(cv2.dilate(tiles, np.ones((3, 3), np.uint8)), np.uint8)  # softened edges reach further


def _fill(tiles: NDArray[np.uint8], points: NDArray[np.float64], around: float, camera: Camera) -> None:
    """Mark what the hull of (n, 3) points in the camera's axes covers, and `around` squares more."""
    scale = camera.focal / points[:, 2:]
    pixels = (points[:, :2] * scale + np.array(camera.size) / 2).astype(np.float32)
    hull = cv2.convexHull(pixels, returnPoints=False)[:, 0]
    corners = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    wider = pixels[hull, None] + corners * (around * scale[hull, None])
    outline = cv2.convexHull((wider.reshape(-1, 2) / TILE).astype(np.float32))
    cv2.fillConvexPoly(tiles, np.floor(outline).astype(np.int32), 1)


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
