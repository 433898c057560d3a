"""A lens that bends straight lines, by one number, as told by a chequer's crossings.

`bend`: how much nearer to the middle a point at the picture's side border appears than through a pinhole, as part of
its distance: 0.05 is a cheap wide-angle webcam, 0 no lens to speak of. The middle of the picture is the lens's.
"""

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lattice import Points, project

USUAL = 0.04  # by which lenses differ
DOUBT = 0.7  # pixels by which a crossing is off
RANGE = (-0.04, 0.16)  # of bends looked at
SLIGHT = 0.008  # bend up to which there is no lens to speak of
FEWEST = 16  # crossings from which a lens is told
STEPS = 12  # of the search, each of which leaves 0.62 of the range


def bent(points: ArrayLike, size: tuple[int, int], bend: float) -> Points:
    """(n, 2) pixels, through a lens, of (n, 2) pixels of the pinhole picture with the same middle and scale there."""
    straight, middle = np.asarray(points, np.float64).reshape(-1, 2), np.array(size) / 2
    if not bend:
        return straight
    straight = (straight - middle) / (size[0] / 2)
    found = straight
    for _ in range(8):  # the inverse of `straightened`, which has no closed form
        found = straight / (1 + bend * (found**2).sum(1, keepdims=True))
    return np.asarray(found * (size[0] / 2) + middle, np.float64)


def straightened(points: ArrayLike, size: tuple[int, int], bend: float) -> Points:
    """(n, 2) pixels of the pinhole picture of (n, 2) pixels through a lens."""
    pixels, middle = np.asarray(points, np.float64).reshape(-1, 2), np.array(size) / 2
    if not bend:
        return pixels
    away = (pixels - middle) / (size[0] / 2)
    return np.asarray(away * (1 + bend * (away**2).sum(1, keepdims=True)) * (size[0] / 2) + middle, np.float64)


def straight_picture(image: NDArray[np.uint8], bend: float) -> tuple[NDArray[np.uint8], float]:
    """The pinhole picture, shrunk so that nothing of it is lost, and by how much it was shrunk."""
    height, width = image.shape[:2]
    size = (width, height)
    shrunk = 1 / (1 + max(bend, 0.0) * (1 + (height / width) ** 2))
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    middle = np.array(size) / 2
    pixels = bent((np.stack([x, y], -1).reshape(-1, 2) - middle) / shrunk + middle, size, bend)
    maps = pixels.reshape(height, width, 2).astype(np.float32)
    picture = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(picture, np.uint8), shrunk


def fit_lens(nodes: NDArray[np.int64], points: Points, size: tuple[int, int]) -> float:
    """The bend under which (n, 2) pixels lie best on a grid in perspective, `nodes` being their places on it."""
    if len(nodes) < FEWEST:
        return 0.0
    low, high = RANGE
    ratio = (np.sqrt(5) - 1) / 2
    inner = [high - ratio * (high - low), low + ratio * (high - low)]
    costs = [_cost(bend, nodes, points, size) for bend in inner]
    for _ in range(STEPS):  # golden section: a step costs one look
        if costs[0] < costs[1]:
            high, inner[1], costs[1] = inner[1], inner[0], costs[0]
            inner[0] = high - ratio * (high - low)
            costs[0] = _cost(inner[0], nodes, points, size)
        else:
            low, inner[0], costs[0] = inner[0], inner[1], costs[1]
            inner[1] = low + ratio * (high - low)
            costs[1] = _cost(inner[1], nodes, points, size)
    found = float((low + high) / 2)
    return found if abs(found) >= SLIGHT else 0.0


def _cost(bend: float, nodes: NDArray[np.int64], points: Points, size: tuple[int, int]) -> float:
    """Squared errors of the crossings in the picture itself, in doubts, and of the bend against what is usual."""
    homography, _ = cv2.findHomography(nodes.astype(np.float64), straightened(points, size, bend))
    if homography is None:
        return np.inf
    off = bent(project(np.asarray(homography, np.float64), nodes.astype(np.float64)), size, bend) - points
    squared = (off**2).sum(1) / DOUBT**2
    return float((squared / (1 + squared / 9)).sum() + (bend / USUAL) ** 2)  # a junction that is none hardly counts
