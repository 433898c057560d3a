"""The men of one board who are known for certain, as they looked: by them its set is taught, and taught again."""

from collections import deque
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, Certain
from vision.reader import Reader
from vision.school import Work
from vision.teach import Shown, taught

ENOUGH = 4  # men who have newly come to where they stand, after which it is time for another lesson
MOST = 64  # of them that are kept, the last
LOOKS = 8  # at a square that are kept until it is certain what they show, the last

Cut = NDArray[np.uint8]


class Album:
    """From a picture of the start position on."""

    def __init__(self, start: Shown, labels: NDArray[np.int64]) -> None:
        """`start`: what is certain of that picture. `labels`: (64,) of the position."""
        self.start, self.labels = start, labels.copy()
        self.looks: list[deque[tuple[float, Cut]]] = [deque(maxlen=LOOKS) for _ in range(64)]  # and when
        self.men: list[tuple[int, int, Cut]] = []  # square and label
        self.new = 0  # of them by whom nothing has been taught
        self.lessons = 0

    def look(self, time: float, cuts: NDArray[np.uint8], new: NDArray[np.bool_]) -> None:
        """Keep how the `new` of 64 squares look, in `cuts`: (64, 124, 100, 3), upright with a brim."""
        for square in np.flatnonzero(new).tolist():
            self.looks[square].append((time, cuts[square].copy()))

    def learn(self, certain: Certain) -> None:
        """Take in who stands where another did, or nobody."""
        for square in np.flatnonzero(certain.squares & (certain.labels != self.labels)).tolist():
            label, looked = int(certain.labels[square]), self._looked(square, certain.time)
            if label != EMPTY and looked is None:
                continue
            if label // 6 == self.labels[square] // 6:  # he was taken for another
                self.men = [man for man in self.men if man[0] != square]
            if looked is not None and label != EMPTY:
                self.men.append((square, label, looked))
                self.new += 1
            self.labels[square] = label
        del self.men[:-MOST]

    def _looked(self, square: int, time: float) -> Cut | None:
        return next((cut for at, cut in reversed(self.looks[square]) if at <= time), None)

    @property
    def due(self) -> bool:
        """Whether it is time for another lesson."""
        return self.new >= ENOUGH

    def lesson(self, reader: Reader) -> Work:
        """The work of teaching a reader what was kept: of the start position alone at first."""
        cuts = np.array([cut for *_, cut in self.men], np.uint8).reshape(-1, *self.start.cuts.shape[1:])
        since = Shown(cuts, np.array([label for _, label, _ in self.men], np.int64))
        self.new, self.lessons = 0, self.lessons + 1
        return partial(taught, reader, self.start, since, self.lessons - 1)
