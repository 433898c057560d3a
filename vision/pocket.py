"""Pieces standing free in a pocket: found on the network's lattice, one answer a piece."""

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region
from rules.observation import LABELS, PocketObservation
from vision.canvas import PIXELS, STRIDE, Canvas
from vision.reader import FLOOR, HIDDEN, Answer

APART = 0.62  # squares between the bases of two pieces, at least
PRESENT = 0.5  # probability from which a place counts as holding a piece
BRIM = 0.25  # squares around the region that still belong to it

NOTHING = np.zeros((0, len(LABELS)), np.float32), np.zeros((0, 2), np.float32)


def places_in(region: Region, canvas: Canvas) -> NDArray[np.int64]:
    """(n, 2) lattice columns and rows of a region, with its brim."""
    columns, rows = canvas.size[0] // STRIDE, canvas.size[1] // STRIDE
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2)
    x, y = canvas.points(grid).T
    inside = (x >= region.x0 - BRIM) & (x <= region.x1 + BRIM) & (y >= region.y0 - BRIM) & (y <= region.y1 + BRIM)
    return np.asarray(grid[inside], np.int64)


def read_pocket(answer: Answer, canvas: Canvas, places: NDArray[np.int64], color: chess.Color) -> PocketObservation:
    """The pieces at these places that have the owner's `color`: a pocket holds no others."""
    found = answer.labels[places[:, 1], places[:, 0]]
    probability = np.exp(found)
    hidden = probability[:, HIDDEN] > PRESENT
    own = probability[:, :6] if color == chess.WHITE else probability[:, 6:12]
    offsets = answer.offsets[places[:, 1], places[:, 0]]
    bases = places + offsets * PIXELS / STRIDE
    # The place nearest to a base knows best what stands there; those around it see parts of the same piece.
    order = np.argsort(np.hypot(*offsets.T) - own.sum(1))
    chosen: list[int] = []
    for index in order[own.sum(1)[order] > PRESENT]:
        gaps = (bases[chosen] - bases[index]) * STRIDE / PIXELS
        if not chosen or np.hypot(*gaps.T).min() > APART:
            chosen.append(int(index))
    pieces = np.maximum(found[chosen][:, :HIDDEN], FLOOR).astype(np.float32)
    centres = canvas.points(bases[chosen]).astype(np.float32)
    return PocketObservation(pieces.reshape(-1, len(LABELS)), centres.reshape(-1, 2), seen=not hidden.any())
