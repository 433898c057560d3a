"""Men cut out of a camera's picture as they stand: base at one place, head upwards, all of one size.

On the table plane seen from above a man is stretched, the more so the lower the camera hangs; so he looks as he does in
any photograph.
"""

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.view import View
from vision.lean import Lean

SIZE = 72, 96  # width and height in pixels
SQUARE = 56.0  # pixels
BASE = np.array([36.0, 76.0])  # pixel of the middle of a man's base
LEANING = 0.15  # squares by which a head must lean for that to say more than the picture's own upwards
FINE = 0.6  # share of its size from which on a picture is shrunk in steps, so that nothing flickers

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


def upright(image: Picture, view: View, points: ArrayLike, lean: Lean, brim: int = 0) -> Picture:
    """(n, 96, 72, 3) of men at (n, 2) points in board coordinates. `brim`: pixels more to every side."""
    wide, high = (side + 2 * brim for side in SIZE)
    places = stances(view, points, lean)
    men = np.zeros((len(places), high, wide, 3), np.uint8)
    smaller = {0: image}
    for man, place in zip(men, places, strict=True):
        halvings = 0
        while np.hypot(*place[0, :2]) < FINE and halvings < 3:
            place[:, :2] *= 2
            halvings += 1
        if halvings not in smaller:
            share = 0.5**halvings
            small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
            smaller[halvings] = np.asarray(small, np.uint8)
        place[:, 2] += brim
        man[:] = cv2.warpAffine(smaller[halvings], place, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    return men


def bases_of(view: View, points: ArrayLike, lean: Lean, off: ArrayLike) -> Floats:
    """(n, 2) board coordinates of bases seen `off` (n, 2) squares right and down of where they were looked for, at
    `points`."""
    places = stances(view, points, lean)
    seen = BASE + SQUARE * np.asarray(off, np.float64) - places[:, :, 2]
    return view.to_board(np.linalg.solve(places[:, :, :2], seen[..., None])[..., 0])


def stances(view: View, points: ArrayLike, lean: Lean) -> Floats:
    """(n, 2, 3) from pixels of the picture to pixels of what is cut out."""
    bases = np.asarray(points, np.float64).reshape(-1, 2)
    leaning = lean(bases)
    far = np.hypot(*leaning.T)[:, None]
    across = np.where(far > 0, np.column_stack([-leaning[:, 1], leaning[:, 0]]) / np.maximum(far, 1e-9), [1.0, 0.0])
    low, high = view.to_image(bases), view.to_image(bases + leaning)
    wide = np.hypot(*(view.to_image(bases + across / 2) - view.to_image(bases - across / 2)).T)[:, None]
    up = (high - low) / wide - [0.0, LEANING]
    length = np.hypot(*up.T)[:, None]
    up = np.where(length > 0, up / np.maximum(length, 1e-9), [0.0, -1.0])
    right = np.column_stack([-up[:, 1], up[:, 0]])
    turned = np.stack([right, -up], 1) * (SQUARE / wide)[..., None]
    shift = BASE - np.einsum("nij,nj->ni", turned, low)
    return np.concatenate([turned, shift[..., None]], 2)
