"""Pieces standing free in a pocket: found on the network's lattice, one answer a piece."""

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region
from rules.observation import LABELS, PocketObservation
from vision.canvas import PIXELS, STRIDE, Canvas
from vision.closer import Second, closely
from vision.reader import FLOOR, HIDDEN, Answer

APART = 0.62  # squares between the bases of two pieces, at least
PRESENT = 0.5  # probability from which a place counts as holding a piece
CLEAR = 0.85  # probability from which a piece is of the other colour,
CLEAR_OF = 0.75  # squares from the next
BRIM = 0.25  # squares around the region that still belong to it

NOTHING = np.zeros((0, len(LABELS)), np.float32), np.zeros((0, 2), np.float32)


def places_in(region: Region, canvas: Canvas) -> NDArray[np.int64]:
    """(n, 2) lattice columns and rows of a region, with its brim."""
    columns, rows = canvas.size[0] // STRIDE, canvas.size[1] // STRIDE
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2)
    x, y = canvas.points(grid).T
    inside = (x >= region.x0 - BRIM) & (x <= region.x1 + BRIM) & (y >= region.y0 - BRIM) & (y <= region.y1 + BRIM)
    return np.asarray(grid[inside], np.int64)


def read_pocket(
    answer: Answer, canvas: Canvas, region: Region, places: NDArray[np.int64], color: chess.Color, second: Second
) -> PocketObservation:
    """The pieces at these places, which are those of the region: of the owner's `color`, and where others stand.
    `second`: what a closer look at each place says."""
    found = answer.labels[places[:, 1], places[:, 0]]
    hidden = np.exp(found[:, HIDDEN]) > PRESENT
    offsets = answer.offsets[places[:, 1], places[:, 0]]
    bases = places + offsets * PIXELS / STRIDE
    likelihoods = closely(np.maximum(found[:, :HIDDEN], FLOOR), canvas.points(bases), second)
    probability = np.exp(likelihoods)
    white, black = probability[:, :6].sum(1), probability[:, 6:12].sum(1)
    own, other = (white, black) if color == chess.WHITE else (black, white)
    chosen = _choose(own, offsets, bases)
    # One of the other colour is an irregularity: nothing but a clear case counts.
    strangers = [
        index
        for index in _choose(other, offsets, bases)
        if other[index] > CLEAR and (not chosen or _gaps(bases[chosen], bases[index]) > CLEAR_OF)
    ]
    others = canvas.points(bases[strangers]).astype(np.float32).reshape(-1, 2)
    x, y = others.T
    # On the brim stand the men of the pocket beside it.
    inside = (x > region.x0) & (x < region.x1) & (y > region.y0) & (y < region.y1)
    return PocketObservation(
        likelihoods[chosen].reshape(-1, len(LABELS)),
        canvas.points(bases[chosen]).astype(np.float32).reshape(-1, 2),
        seen=not hidden.any(),
        strangers=others[inside],
    )


def _choose(present: NDArray[np.float32], offsets: NDArray[np.float32], bases: NDArray[np.float64]) -> list[int]:
    """One place a piece: that nearest to its base, which knows best what stands there."""
    order = np.argsort(np.hypot(*offsets.T) - present)
    chosen: list[int] = []
    for index in order[present[order] > PRESENT]:
        if not chosen or _gaps(bases[chosen], bases[index]) > APART:
            chosen.append(int(index))
    return chosen


def _gaps(bases: NDArray[np.float64], base: NDArray[np.float64]) -> float:
    """Squares from a base to the nearest of others."""
    return float(np.hypot(*((bases - base) * STRIDE / PIXELS).T).min())
