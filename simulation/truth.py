"""How much of each piece and of the table a camera sees past the hands."""

import numpy as np
from numpy.typing import NDArray

from simulation.render import Renderer
from simulation.scene import HAND, Scene

STEP = 0.5
COLUMNS, ROWS = 33, 27
ORIGIN = (-4.0, -2.5)
"""The lattice of places on the table, in squares: point (column, row) lies at ORIGIN + STEP * (column, row)."""


def seen_pieces(scene: Scene, clear: NDArray[np.uint8], masked: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(n,) share of each piece's pixels that stays visible when the hands come; 0 for one out of the picture."""
    count = len(scene.pieces)
    before = np.bincount(clear.reshape(-1), minlength=256)[1 : count + 1]
    after = np.bincount(masked.reshape(-1), minlength=256)[1 : count + 1]
    return np.asarray(after / np.maximum(before, 1), np.float64)


def seen_lattice(scene: Scene, masked: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(ROWS, COLUMNS) share of the half-square cell around each place that no hand covers; -1 out of the picture."""
    cells = _cells(scene)
    inside = cells >= 0
    area = np.bincount(cells[inside], minlength=ROWS * COLUMNS)
    covered = np.bincount(cells[inside & (masked == HAND)], minlength=ROWS * COLUMNS)
    share = np.where(area > 8, 1 - covered / np.maximum(area, 1), -1.0)
    return share.reshape(ROWS, COLUMNS)


def masks(scene: Scene, renderer: Renderer) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """(height, width) idents without and with the hands, as the pinhole sees them."""
    camera = scene.camera.pinhole()
    clear = renderer.identify(scene.bodies, camera)
    return clear, renderer.identify([*scene.bodies, *scene.arms], camera) if scene.arms else clear


def _cells(scene: Scene) -> NDArray[np.int64]:
    """(height, width): the number of the lattice cell whose ground each pixel shows, -1 off the lattice."""
    width, height = scene.camera.size
    inverse = np.linalg.inv(scene.camera.pinhole().homography())
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    plane = np.stack([x, y, np.ones_like(x)], -1) @ inverse.T
    column = np.round((plane[..., 0] / plane[..., 2] - ORIGIN[0]) / STEP)
    row = np.round((plane[..., 1] / plane[..., 2] - ORIGIN[1]) / STEP)
    on = (column >= 0) & (column < COLUMNS) & (row >= 0) & (row < ROWS)
    return np.where(on, row * COLUMNS + column, -1).astype(np.int64)
