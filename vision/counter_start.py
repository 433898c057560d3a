"""Boards of counters before anything is known of them: who stands where, and which way round the board lies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY as NO_MAN
from rules.observation import groups
from vision.canvas import Canvas, on_board
from vision.counter_eye import COLUMNS
from vision.counters import BLACK, WHITE, Patches, sort_out
from vision.reader import Reader

Labels = NDArray[np.int64]

CLEAR = 25.0  # squared spreads between any two colours, from which a set is told for certain
LIGHTER = 8.0  # of 100, by which White's counters are
MARGIN = 2.0  # nats by which the least certain cell is
WRONG = 4  # cells that may be otherwise than in a start position
LEAD = 8  # and as many more they must be in the next likely one


@dataclass(frozen=True, slots=True, eq=False)
class SetUp:
    """What stands on a board of counters. `labels`: (64,) as `labels_of` has them, of `P`, `p` and empty. `sure`: there
    are both colours, well apart, every cell is clear and so is which counters are the lighter ones."""

    labels: Labels
    sure: bool


def read_set_up(images: Sequence[NDArray[np.uint8]], view: View, reader: Reader) -> SetUp | None:
    """Who stands where in pictures of the same position, White having the lighter counters; None where no counters of
    two colours are seen, as where a hand hides a part of the board."""
    canvas = Canvas.over(view)
    board = on_board(view.side)
    read, sure = np.zeros((64, 3)), True
    for image in images:
        picture = canvas.warp(image, view)
        patches = Patches.of(picture, canvas, reader.read(picture))
        found = sort_out(patches, board) if patches.clear[board].all() else None
        if found is None:
            return None
        read += found.read(patches) / len(images)
        sure &= found.clear > CLEAR and found.lighter > LIGHTER
    best = np.sort(read[board], 1)
    sure &= bool((best[:, 2] - best[:, 1]).min() > MARGIN) and {WHITE, BLACK} <= set(read[board].argmax(1).tolist())
    return SetUp(np.where(board, COLUMNS[read.argmax(1)], NO_MAN), sure)


@dataclass(frozen=True, slots=True)
class Likeness:
    """`name`: of the start position that is most like a set-up, once its view is turned by `quarters`. `wrong`: cells
    that are otherwise. `sure`: there are few, and more in any other start or way round."""

    name: str
    quarters: int
    wrong: int
    sure: bool


def likest(labels: Labels, side: int, starts: Mapping[str, Labels]) -> Likeness:
    """Which of the named start positions, of (64,) labels each, stands there, whichever way round. A start that looks
    the same both ways is taken as it lies."""
    turned = [turned_labels(labels, side, quarters) for quarters in range(4)]
    found = [
        (int((groups(turned[quarters]) != groups(start)).sum()), quarters, name)
        for name, start in starts.items()
        for quarters in (0, 2, 1, 3)
    ]
    wrong, quarters, name = min(found, key=lambda one: one[0])
    same = turned_labels(starts[name], side, -quarters)
    others = [count for count, way, other in found if (turned_labels(starts[other], side, -way) != same).any()]
    return Likeness(name, quarters, wrong, wrong <= WRONG and min(others, default=64) >= wrong + LEAD)


def turned_labels(labels: Labels, side: int, quarters: int) -> Labels:
    """(64,) labels as a view turned by so many quarters has them."""
    grid = labels.reshape(8, 8).copy()
    grid[:side, :side] = np.rot90(grid[:side, :side], quarters)
    return grid.ravel()


def faced(view: View, image: NDArray[np.uint8], reader: Reader, starts: Mapping[str, Labels]) -> tuple[View, bool]:
    """A view of a board of counters turned so that White's first rank is the nearest to the camera, for counters do not
    tell; or as one of `starts` tells that is seen in the picture. And whether it was told."""
    near = view.turned(nearest(view))
    seen = read_set_up([image], near, reader) if starts else None
    if seen is None:
        return near, False
    like = likest(seen.labels, near.side, starts)
    return (near.turned(like.quarters), True) if like.sure else (near, False)


def nearest(view: View) -> int:
    """Quarters by which a view is turned so that its first rank is the lowest in the picture."""
    heights = view.corners()[:, 1]
    edges = [heights[(2 - quarters) % 4] + heights[(3 - quarters) % 4] for quarters in range(4)]
    return int(np.argmax(edges))
