"""An eye for games of two-colour counters: cells are read by colour, learnt from the position before the first move."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.counters import find_counter_board
from calibration.view import View
from calibration.watch import Watch
from rules.observation import EMPTY as NO_MAN
from rules.observation import LABELS, groups
from vision.counters import UNKNOWN, Cells, CounterSet, Patches, learn, sort_out
from vision.eye import LESSONS, Eye
from vision.reader import FLOOR, Answer, Reader

UNSEEN = 2  # cells that may be hidden or moving in a lesson
AGREED = 0.85  # share of the cells that must read as told once learnt; a late lesson has a move or two in it
NEVER = -30.0  # nats; for labels of pieces
COLUMNS = np.array([LABELS.index("P"), LABELS.index("p"), NO_MAN])


class CounterEye(Eye):
    """Observes one board of counters: in `Observation.squares` only `P`, `p` and empty carry mass.

    `view.side`: cells a side of the board. `start`: (64,) labels, of `P`, `p` and empty. While another position than
    that stands there, White's counters are taken to be the lighter ones.
    """

    fresh = 1.0  # colours read so surely that the mean of two readings only tells of a change too late

    def __init__(self, view: View, reader: Reader, start: NDArray[np.int64]) -> None:
        super().__init__(view, reader, start)
        self.watch = Watch(view, partial(find_counter_board, side=view.side))
        self.lessons: list[tuple[Patches, Cells]] = []
        self.set: CounterSet | None = None

    def _adapted(
        self, answer: Answer, picture: NDArray[np.uint8], resting: NDArray[np.bool_]
    ) -> tuple[Answer, NDArray[np.float32], NDArray[np.bool_]]:
        patches = Patches.of(picture, self.canvas, answer)
        seen = patches.clear & resting & ~self.beyond
        if len(self.lessons) < LESSONS:
            self._attend(patches, seen)
        found = self.set or sort_out(patches, seen)
        if found is None:
            return answer, likelihoods_of(np.zeros((64, 3))), self.beyond.copy()
        likelihoods = likelihoods_of(found.read(patches))
        likelihoods[self.beyond] = NOTHING_THERE
        return answer, likelihoods, patches.clear | self.beyond

    def _attend(self, patches: Patches, seen: NDArray[np.bool_]) -> None:
        """Take a lesson if the start position stands there."""
        if seen.sum() < (~self.beyond).sum() - UNSEEN:
            return
        told = np.where(seen, groups(self.start), UNKNOWN)
        first = self.set or learn([patches], [told])
        if first is None:
            return
        agreed = first.read(patches).argmax(1) == told
        if agreed[seen].mean() < AGREED:
            return
        self.lessons.append((patches, np.where(agreed, told, UNKNOWN)))
        looks, kinds = zip(*self.lessons, strict=True)
        self.set = learn(looks, kinds)


def likelihoods_of(kinds: NDArray[np.float64]) -> NDArray[np.float32]:
    """(n, 13) log-likelihoods over `LABELS` of (n, 3) over the kinds of cell; no look is surer than any other's."""
    sure = kinds - np.logaddexp.reduce(kinds, axis=1, keepdims=True)
    likelihoods = np.full((len(kinds), len(LABELS)), NEVER, np.float32)
    likelihoods[:, COLUMNS] = np.maximum(sure, FLOOR)
    return likelihoods


NOTHING_THERE = likelihoods_of(np.array([[NEVER, NEVER, 0.0]]))[0]
