"""Crossings of a chequered pattern: points where two light and two dark quarters meet."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
Points = NDArray[np.float64]

BLUR = 1.6  # pixels
RING = (4.0, 6.5)  # radii in pixels at which the four quarters are looked for
SAMPLES = 24
MOST = 700


@dataclass(frozen=True, slots=True, eq=False)
class Saddles:
    """`points`: (n, 2) pixels. `axes`: (n,) twice the angle, in radians, of the line through the two light quarters:
    it turns by half a circle from one crossing of a chequer to the next. `ruled`: of lines, not of a chequer; axes are
    then four times the angle of a line halfway between those that cross, the same at all crossings."""

    points: Points
    axes: NDArray[np.float64]
    ruled: bool = False


def find_saddles(grey: Grey) -> Saddles:
    """Crossings in a grey picture, the clearest first, to a tenth of a pixel or so."""
    smooth = np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), BLUR), np.float32)
    dx, dy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    dxx, dyy = cv2.Sobel(dx, cv2.CV_32F, 1, 0), cv2.Sobel(dy, cv2.CV_32F, 0, 1)
    dxy = cv2.Sobel(dx, cv2.CV_32F, 0, 1)
    saddle = np.maximum(dxy * dxy - dxx * dyy, 0)
    peak = (saddle == cv2.dilate(saddle, np.ones((7, 7), np.uint8))) & (saddle > 0.002 * np.quantile(saddle, 0.9995))
    peak[:8] = peak[-8:] = False
    peak[:, :8] = peak[:, -8:] = False
    y, x = np.nonzero(peak)
    order = np.argsort(-saddle[y, x])[: 4 * MOST]
    points = np.column_stack([x, y])[order].astype(np.float64)
    if not len(points):
        return Saddles(points, np.zeros(0))
    clear, axes = _quarters(smooth, points)
    kept = np.flatnonzero(clear > 0.55)[:MOST]
    if not len(kept):
        return Saddles(np.zeros((0, 2)), np.zeros(0))
    points, axes = points[kept], axes[kept]
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.01)
    fine = cv2.cornerSubPix(grey, points.astype(np.float32).reshape(-1, 1, 2), (4, 4), (-1, -1), criteria)
    refined = np.asarray(fine, np.float64).reshape(-1, 2)
    near = np.hypot(*(refined - points).T) < 3
    return Saddles(refined[near], axes[near])


def _quarters(smooth: NDArray[np.float32], points: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n,) 0..1: how far a ring around a point is two light and two dark quarters, opposite ones alike; and axes."""
    angle = np.linspace(0, 2 * np.pi, SAMPLES, endpoint=False)
    best, axes = np.zeros(len(points)), np.zeros(len(points))
    for radius in RING:
        x = (points[:, :1] + radius * np.cos(angle)).astype(np.float32)
        y = (points[:, 1:] + radius * np.sin(angle)).astype(np.float32)
        ring = cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        waves = np.fft.rfft(np.asarray(ring, np.float64), axis=1)
        power = np.abs(waves) ** 2
        share = power[:, 2] / np.maximum(power[:, 1:].sum(1), 1e-6)
        strong = np.abs(waves[:, 2]) / SAMPLES > 1.5
        clear = np.where(strong, share, 0.0)
        axes = np.where(clear > best, -np.angle(waves[:, 2]), axes)
        best = np.maximum(best, clear)
    return best, axes
