"""A drawn board of counters, and a reader that knows no colours of them, for tests."""

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from rules.counters import Counters
from rules.observation import EMPTY
from vision.canvas import STRIDE
from vision.reader import HIDDEN, Answer, Reader

SIZE = (640, 560)
CORNERS = [(150, 60), (510, 70), (560, 500), (90, 490)]
WHITE, BLACK = (60, 170, 210), (90, 40, 40)
HAND = (0, 255, 0)
Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]


def view_of(side: int) -> View:
    return View.from_corners(CORNERS, SIZE, side=side)


class SeesHands(Reader):
    """Knows no colours of counters, but that what is not grey is one, more or less, and that what is as green as `HAND`
    hides what is below."""

    def __init__(self) -> None:
        self.manifest = {"temperature": 1.0, "adapted_temperature": 1.0, "strength": 1.0, "reluctance": 1.0}
        self.closer = {"strength": 1.0, "reluctance": 1.0}

    def read(self, canvas: Picture) -> Answer:
        spot = cv2.blur(canvas, (9, 9))[::STRIDE, ::STRIDE].astype(int)
        labels = np.full((*spot.shape[:2], HIDDEN + 1), -np.log(24.0), np.float32)
        labels[..., EMPTY] += np.where(np.ptp(spot, axis=2) > 30, 1.5, 3.5)
        labels[..., HIDDEN] = np.where(spot[..., 1] > spot[..., 2] + 120, 0.0, -9.0)
        return Answer(labels, np.zeros((*spot.shape[:2], 2), np.float32), labels, labels, labels[..., 0])


def drawn(
    position: Counters,
    seed: int = 0,
    ruled: bool = True,
    hand: chess.Square | None = None,
    men: tuple[Colour, Colour] = (WHITE, BLACK),
    off: float = 0.1,
    rise: float = 0.0,
) -> Picture:
    """A position as the camera of `view_of` sees it: counters `off` the middle by up to so many cells and seen `rise`
    cells above it, light falling off, some noise."""
    rng, side, scale = np.random.default_rng(seed), position.SIZE, 60
    flat = np.full(((side + 2) * scale, (side + 2) * scale, 3), (70, 90, 110), np.uint8)
    for file in range(side):
        for rank in range(side):
            x, y = (file + 1) * scale, (side - rank) * scale
            light = ruled or (file + rank) % 2
            cv2.rectangle(flat, (x, y), (x + scale, y + scale), (140, 150, 145) if light else (60, 70, 65), -1)
            if ruled:
                cv2.rectangle(flat, (x, y), (x + scale, y + scale), (30, 30, 30), 2)
    for square, piece in position.piece_map().items():
        x, y = _middle(square, side, scale) + scale * (rng.uniform(-off, off, 2) - (0, rise))
        cv2.circle(flat, (round(x), round(y)), 21, men[0 if piece.color else 1], -1, cv2.LINE_AA)
    if hand is not None:
        x, y = _middle(hand, side, scale)
        cv2.circle(flat, (round(x), round(y)), 30, HAND, -1)
    fall = np.linspace(1.0, 0.8, flat.shape[1])[None, :, None]
    plane = np.array([(1, 1), (side + 1, 1), (side + 1, side + 1), (1, side + 1)], np.float32) * scale
    matrix = cv2.getPerspectiveTransform(plane, np.array(CORNERS, np.float32))
    seen = cv2.warpPerspective(
        (flat * fall).astype(np.uint8), matrix, SIZE, flags=cv2.INTER_AREA, borderValue=(80,) * 3
    )
    return np.asarray(np.clip(seen + rng.normal(0, 2, seen.shape), 0, 255), np.uint8)


def _middle(square: chess.Square, side: int, scale: int) -> NDArray[np.float64]:
    return np.array([chess.square_file(square) + 1.5, side + 0.5 - chess.square_rank(square)]) * scale
