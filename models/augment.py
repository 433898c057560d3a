"""Disturbances of training canvases: what other cameras, light and calibrations would make of the same board."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import CORNERS

Picture = NDArray[np.uint8]


def shifted(homography: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """The homography of a calibration that is off by some hundredths of a square at each corner."""
    wrong = CORNERS + rng.normal(0, rng.choice([0.01, 0.03, 0.07]), (4, 2))
    error = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), wrong.astype(np.float32))
    return np.asarray(homography @ error, np.float64)


def disturb(canvas: Picture, rng: np.random.Generator) -> Picture:
    """Sharpness, noise, colour and contrast drawn at random."""
    picture = canvas
    if rng.random() < 0.35:
        picture = _coarser(picture, rng.uniform(0.45, 0.95))
    if rng.random() < 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.0)), np.uint8)
    colours = picture.astype(np.float32) / 255
    colours = colours ** np.float32(np.exp(rng.normal(0, 0.25)))
    grey = colours.mean(2, keepdims=True)
    colours = grey + (colours - grey) * np.float32(rng.choice([0.0, rng.uniform(0.3, 1.6)], p=[0.06, 0.94]))
    gains = np.exp(rng.normal(0, 0.08, 3)) * np.exp(rng.normal(0, 0.15))
    middle = float(colours.mean())
    colours = (middle + (colours - middle) * np.float32(np.exp(rng.normal(0, 0.2)))) * gains.astype(np.float32)
    if rng.random() < 0.5:
        colours = colours * _shade(canvas.shape[:2], rng)
    if rng.random() < 0.6:
        noise = cv2.GaussianBlur(rng.standard_normal(colours.shape, np.float32), (0, 0), rng.uniform(0.3, 0.9))
        colours = colours + noise * np.float32(rng.uniform(0.005, 0.06))
    picture = (np.clip(colours, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.3:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))])[1]
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _coarser(picture: Picture, scale: float) -> Picture:
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (int(width * scale), int(height * scale)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _shade(shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """(h, w, 1) soft light and shadow across the table."""
    few = rng.uniform(0.65, 1.3, (int(rng.integers(2, 5)), int(rng.integers(2, 5)))).astype(np.float32)
    return np.asarray(cv2.resize(few, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)[..., None]
