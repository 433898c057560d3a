"""An eye for games of two-colour counters: cells are read by colour, learnt from the position before the first move."""

from collections import deque
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.counters import find_counter_board
from calibration.view import View
from calibration.watch import Watch
from rules.observation import EMPTY as NO_MAN
from rules.observation import LABELS, Observation, groups
from vision.counters import UNKNOWN, Cells, CounterSet, Patches, learn, sort_out
from vision.eye import LESSONS, Eye, windows
from vision.frame import Frame
from vision.reader import FLOOR, Answer, Reader

UNSEEN = 2  # cells that may be hidden or moving in a lesson
AGREED = 0.85  # share of the cells that must read as told once learnt; a late lesson has a move or two in it
MIDDLE = np.array([-1, 0])  # rows and columns of cells of the motion picture
KEPT = 12.0  # seconds for which pictures are kept
NEVER = -30.0  # nats; for labels of pieces
NO_FEATURES = np.zeros((64, 0), np.float32)  # the network's say nothing of counters
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
        self.middles = windows(self.canvas, (MIDDLE, MIDDLE))
        self.past: deque[tuple[float, NDArray[np.float32]]] = deque()  # how the middles of the cells looked
        self.as_read = np.full((64, len(MIDDLE), len(MIDDLE), 3), np.inf, np.float32)  # when each was last read,
        self.as_seen = self.as_read.copy()  # and last seen
        self.seen_at = np.full(64, -np.inf)
        self.told = np.zeros_like(self.squares)  # what it was read as then

    def observe(self, frame: Frame) -> Observation:
        """As `Eye.observe`. Counters are flat: a cell whose middle looks as it last did is seen, however near a hand,
        and one that has changed has been seen since it has looked as it does now."""
        found = replace(super().observe(frame), features=NO_FEATURES)
        if self.last is None or found.camera != "steady":
            return found
        now, time = self.last[self.middles], found.time
        while self.past and self.past[0][0] < time - KEPT:
            self.past.popleft()
        just = self.squares_read == time
        self.as_read[just] = now[just]
        # What rests may have changed since it was read.
        anew = found.seen & ((np.abs(now - self.as_read).max((1, 2, 3)) <= self.motion.step) | self.beyond)
        same = np.abs(now - self.as_seen).max((1, 2, 3)) <= self.motion.step
        since = np.full(64, np.inf)
        for cell in np.flatnonzero(anew & ~same & ~self.beyond):
            since[cell] = self._first_seen(int(cell), now[cell])
        seen = anew | same
        squares = np.where((same & ~anew)[:, None], self.told, found.squares)
        self.as_seen[anew], self.told[anew], self.seen_at[seen] = now[anew], found.squares[anew], time
        self.past.append((time, now))
        return replace(found, squares=squares, seen=seen, since=since)

    def _first_seen(self, cell: int, now: NDArray[np.float32]) -> float:
        """When a cell had changed to look as it does now, in two pictures that follow each other; else infinity."""
        past = [(time, middles[cell]) for time, middles in self.past if time > self.seen_at[cell]]
        if len(past) < 2:
            return np.inf
        alike = np.abs(np.stack([middle for _, middle in past]) - now).max((1, 2, 3)) <= self.motion.step
        twice = np.flatnonzero(alike[:-1] & alike[1:])
        return past[twice[0]][0] if len(twice) else np.inf

    def _behind(self) -> NDArray[np.bool_]:
        """Counters are flat: none hides another."""
        return np.zeros(64, np.bool_)

    def _adapted(
        self, answer: Answer, picture: NDArray[np.uint8], resting: NDArray[np.bool_], new: NDArray[np.bool_]
    ) -> tuple[Answer, NDArray[np.float32], NDArray[np.bool_]]:
        del new
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
