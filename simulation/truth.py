"""How much of each square and piece a camera sees past the hands."""

import numpy as np
from numpy.typing import NDArray

from simulation.render import Renderer
from simulation.scene import HAND, Scene


def visible(scene: Scene, renderer: Renderer) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Share seen past the hands: of each piece's pixels (n,), and of each square's ground (64,)."""
    clear = renderer.identify(scene.bodies, scene.camera)
    count = len(scene.pieces)
    if not scene.arms:
        return np.ones(count), np.ones(64)
    masked = renderer.identify([*scene.bodies, *scene.arms], scene.camera)
    before = np.bincount(clear.reshape(-1), minlength=256)[1 : count + 1]
    after = np.bincount(masked.reshape(-1), minlength=256)[1 : count + 1]
    squares = ground(scene)
    inside = squares >= 0
    area = np.bincount(squares[inside], minlength=64)
    hidden = np.bincount(squares[inside & (masked == HAND)], minlength=64)
    return after / np.maximum(before, 1), 1 - hidden / np.maximum(area, 1)


def ground(scene: Scene) -> NDArray[np.int64]:
    """(height, width): the square whose ground each pixel shows, -1 off the board."""
    width, height = scene.camera.size
    inverse = np.linalg.inv(scene.camera.homography())
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    board = np.stack([x, y, np.ones_like(x)], -1) @ inverse.T
    file, rank = np.floor(board[..., 0] / board[..., 2]), np.floor(board[..., 1] / board[..., 2])
    on = (file >= 0) & (file < 8) & (rank >= 0) & (rank < 8)
    return np.where(on, rank * 8 + file, -1).astype(np.int64)
