"""Whose a man is by his colour alone: where on the table he stands, and of which kind he is, makes no difference.

A man has one colour, a place where another hides half of him has two: so each pixel of him says for itself.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY
from vision.upright import BASE

BODY = 7, 16, 4  # pixels to the left and right of his base, above it and below, that are a man from any camera,
EVERY = 2  # of which so few are looked at, across and down,
PIXELS = (2 * BODY[0] // EVERY) * ((BODY[1] + BODY[2]) // EVERY)  # so many
APART = 2.5  # spreads by which White's men are lighter than Black's, from which they are told apart by that alone,
LIGHTER = 0.9  # and share of pairs in which they are
SPREAD = 6.0  # grey levels by which two men of one side differ at least: light, and where they stand
FEW = 2  # men of each side from whom on anything is known

Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]


def colours_of(men: Picture) -> Picture:
    """(n, `PIXELS`, 3) colours (L*a*b* in bytes) of men cut out upright, (n, 96, 72, 3)."""
    x, y = BASE.astype(int)
    aside, above, below = BODY
    if not len(men):
        return np.zeros((0, PIXELS, 3), np.uint8)
    part = men[:, y - above : y + below : EVERY, x - aside : x + aside : EVERY].reshape(len(men), PIXELS, 3)
    return np.asarray(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2LAB), np.uint8)


def are_apart(looks: Picture, white: NDArray[np.bool_]) -> bool:
    """Whether the `colours_of` men alone tell which are White's, (n,) bool: as good as all of them are lighter."""
    light = np.median(looks[..., 0], 1).astype(np.float64)
    sides = light[white], light[~white]
    middles = [float(np.median(side)) for side in sides]
    spreads = [float(np.median(np.abs(side - middle))) for side, middle in zip(sides, middles, strict=True)]
    further = middles[0] - middles[1] > APART * np.hypot(max(spreads), SPREAD)
    return bool(further and (sides[0][:, None] > sides[1]).mean() >= LIGHTER)


class Tint:
    """Two normal distributions of one width, of the colours of both sides."""

    def __init__(self) -> None:
        self.known: list[tuple[Floats, NDArray[np.float64]]] = []  # colours, and how likely of either side
        self.weights, self.bias = np.zeros(3), 0.0

    def learn(self, looks: Picture, likely: NDArray[np.floating]) -> None:
        """Take in the `colours_of` men who are of (n, 13) labels with these probabilities."""
        of_sides = np.column_stack([likely[:, :6].sum(1), likely[:, 6:EMPTY].sum(1)])
        self.known.append((np.median(looks, 1).astype(np.float32), of_sides))
        colours, sides = (np.concatenate(parts) for parts in zip(*self.known, strict=True))
        if (sides.sum(0) < FEW).any():
            return
        middles = (sides.T @ colours) / sides.sum(0)[:, None]
        away = [colours - middle for middle in middles]
        spread = sum((side[:, None] * off).T @ off for side, off in zip(sides.T, away, strict=True)) / sides.sum()
        self.weights = np.linalg.solve(spread + SPREAD**2 * np.eye(3), middles[0] - middles[1])
        self.bias = float(-middles.mean(0) @ self.weights)

    def __call__(self, looks: Picture, most: float) -> Floats:
        """(n,) nats for White by the `colours_of` men, the mean of their pixels, `most` at most of each; 0 as long as
        nothing is known."""
        return np.asarray(np.clip(looks @ self.weights + self.bias, -most, most).mean(1), np.float32)
