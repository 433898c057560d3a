"""Pieces standing free in a pocket: found on the network's lattice, one answer a piece."""

from collections.abc import Mapping
from dataclasses import replace

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region
from rules.observation import EMPTY, LABELS, PocketObservation
from vision.canvas import STRIDE, Canvas
from vision.closer import Second, closely
from vision.crowd import men_among
from vision.lean import Lean, heads
from vision.reader import FLOOR, HIDDEN, Answer, Floats

PRESENT = 0.5  # probability from which a place counts as holding a piece,
CLEAR = 0.85  # from which one of the other colour does,
EDGE = 0.15  # and one within so many squares of the region's border, and
BEYOND = 0.98  # what it must be beyond: there the heads of other pockets' men lean in
NEIGHBOURS = 0.3  # squares within the border up to which one of the other colour is the next pocket's
CLEAR_OF = 0.75  # squares between one of the other colour and the next
OWNERS = 6.0  # how much likelier a piece in a pocket is its owner's than one of the other colour
CLOSE = 0.4  # squares from every piece chosen, from which what is seen may be another beside it
ONE = 0.6  # squares between the bases of two men, at least
BRIM = 0.25  # squares around the region that still belong to it

NOTHING = np.zeros((0, len(LABELS)), np.float32), np.zeros((0, 2), np.float32)


def places_in(region: Region, canvas: Canvas) -> NDArray[np.int64]:
    """(n, 2) lattice columns and rows of a region, with its brim."""
    columns, rows = canvas.size[0] // STRIDE, canvas.size[1] // STRIDE
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2)
    return np.asarray(grid[_beyond(region, canvas.points(grid)) <= BRIM], np.int64)


def read_pocket(
    answer: Answer,
    canvas: Canvas,
    region: Region,
    places: NDArray[np.int64],
    color: chess.Color,
    second: Second,
    lean: Lean,
    owners: float = OWNERS,
) -> PocketObservation:
    """The pieces at these places, which are those of the region: of the owner's `color`, and where others stand.
    `second`: what a closer look at each place says. `lean`: as they lean. `owners`: 1 where pieces of both colours may
    stand."""
    found = answer.labels[places[:, 1], places[:, 0]]
    hidden = np.exp(found[:, HIDDEN]) > PRESENT
    bases = answer.bases(canvas, places)
    beyond = _beyond(region, bases)
    inside = beyond < 0  # on the brim stand the men of the pocket beside it
    first = np.maximum(found[:, :HIDDEN], FLOOR)
    likelihoods = closely(first, bases, second)
    likelihoods[inside] = _owned(likelihoods[inside], color, owners)
    tops = heads(lean, bases, likelihoods[:, :EMPTY].argmax(1))

    def of(side: chess.Color, needed: NDArray[np.float64]) -> list[int]:
        return men_among(_present(likelihoods, side), _present(first, side), needed, bases, tops)

    needed = _needed(beyond)
    chosen = of(color, needed)
    close = [
        index
        for index in np.flatnonzero(_present(likelihoods, color) > np.maximum(needed, CLEAR)).tolist()
        if _gap(bases[chosen], bases[index]) > CLOSE
    ]
    # One of the other colour is an irregularity: nothing but a clear case counts.
    strangers = [
        index
        for index in of(not color, np.where(beyond > -NEIGHBOURS, np.inf, CLEAR))
        if _gap(bases[chosen], bases[index]) > CLEAR_OF
    ]
    return PocketObservation(
        likelihoods[chosen].reshape(-1, len(LABELS)),
        bases[chosen].astype(np.float32).reshape(-1, 2),
        seen=not hidden.any(),
        strangers=bases[strangers].astype(np.float32).reshape(-1, 2),
        close=bases[close].astype(np.float32).reshape(-1, 2),
    )


def once(
    pockets: Mapping[chess.Color, PocketObservation], regions: Mapping[chess.Color, Region]
) -> dict[chess.Color, PocketObservation]:
    """Pockets that lie side by side: who stands near the border between them may be seen in both, and is his in whose
    region he stands."""
    found = dict(pockets)
    for color, pocket in pockets.items() if len(pockets) == len(chess.COLORS) else ():
        others = pockets[not color].centres
        others = others[_beyond(regions[not color], others) <= 0]
        beyond = _beyond(regions[color], pocket.centres) > 0
        own = [not out or _gap(others, base) > ONE for out, base in zip(beyond, pocket.centres, strict=True)]
        found[color] = replace(pocket, pieces=pocket.pieces[own], centres=pocket.centres[own])
    return found


def _owned(likelihoods: Floats, color: chess.Color, owners: float) -> Floats:
    """(n, 13) log-likelihoods of men of whom it is known whose they are, mostly; whether men they are stays as read."""
    found = likelihoods.copy()
    men = found[:, :EMPTY]
    before = np.logaddexp.reduce(men, 1)
    men[:, _side(color)] += np.log(owners)
    men += (before - np.logaddexp.reduce(men, 1))[:, None]
    return found


def _needed(beyond: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) probability from which a place counts as holding a piece. `beyond`: as `_beyond` tells it."""
    return np.where(beyond > 0, BEYOND, np.where(beyond > -EDGE, CLEAR, PRESENT))


def _beyond(region: Region, bases: NDArray[np.floating]) -> NDArray[np.float64]:
    """(n,) squares by which bases lie beyond a region's border; less than 0 inside."""
    x, y = bases.T
    return np.asarray(np.max([region.x0 - x, x - region.x1, region.y0 - y, y - region.y1], 0), np.float64)


def _present(likelihoods: Floats, color: chess.Color) -> Floats:
    """(n,) probability that a man of a colour stands there."""
    return np.asarray(np.exp(likelihoods[:, _side(color)]).sum(1), np.float32)


def _side(color: chess.Color) -> slice:
    """The labels of its men."""
    return slice(0, 6) if color == chess.WHITE else slice(6, EMPTY)


def _gap(bases: NDArray[np.floating], base: NDArray[np.floating]) -> float:
    """Squares from a base to the nearest of others; infinity where there are none."""
    return float(np.hypot(*(bases - base).T).min(initial=np.inf))
