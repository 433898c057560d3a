"""What several readings of a square agree upon, where single ones are often wrong.

A reader that works well reads the same thing again as long as nothing moves. One that does not, in a poor light or for
a set it cannot tell apart, takes a square for something else now and then. While that happens often, whether a square
is white, black or empty is told by all its readings together, as in a hidden Markov model: it seldom changes, and
mostly while it is hidden. What shows there is the mean of the readings that agree with it.
"""

import numpy as np
from numpy.typing import NDArray

from rules.observation import LABELS, groups

OFTEN = 0.01  # share of squares whose last reading was wrong, as the next shows, from which single ones do not count
BRIEF = 1.3  # seconds for which they were, at most: else a man may have come and gone
SLOW = 0.05  # weight of a reading in that share
MORE, LEAST = 1.3, 0.02  # readings that are wrong for each found so (kinds are not), and the share of them, at least
OPEN, HIDDEN = 0.002, 0.05  # probability that a square has changed since it was last read, open or hidden meanwhile
SURE = 0.97  # probability from which it counts as seen,
CERTAIN = 0.99  # and from which what read otherwise is forgotten
LASTING, AGAIN = 8, 3  # readings that the mean weighs, at most, and of these such as were made before it was hidden

Floats = NDArray[np.float64]
Squares = NDArray[np.bool_]
Groups = NDArray[np.int64]

ALL = np.arange(64)
OF = np.eye(3)[groups(np.arange(len(LABELS)))]
"""(13, 3): which labels are white, black or empty."""


class Readings:
    """The readings of the 64 squares of one board."""

    def __init__(self) -> None:
        self.wrong = 0.0  # share of squares whose last reading was wrong, of late,
        self.looked = 0  # in so many readings
        self.last = np.zeros((64, len(LABELS)))
        self.seen = np.zeros(64, np.bool_)
        self.belief = np.full((64, 3), 1 / 3)  # probability of white, black and empty, by all readings,
        self.group = np.full(64, -1)  # and which is the likeliest; -1 before the first
        self.means = np.zeros((64, 3, len(LABELS)))  # of the readings as white, black or empty,
        self.counts = np.zeros((64, 3), np.int64)  # and of how many
        self.differed = np.zeros(64, np.bool_)  # squares of which the last reading was another,
        self.since = np.zeros(64)  # and since when

    def look(self, found: Floats, seen: Squares, time: float) -> tuple[Floats, Squares]:
        """(64, 13) probabilities and (64,) which squares are seen, as far as readings agree; as they are where single
        ones are seldom wrong."""
        opened = seen & ~self.seen
        new = seen if ((found != self.last).any(1) & seen).any() else opened
        if not new.any():  # the last readings stand
            self.seen, self.differed = seen.copy(), self.differed & seen
            return self._agreed(found, seen)
        read, before = groups(found.argmax(1)), self.group
        self._believe(new, opened, found)
        self._average(new, opened, found, read)
        again = new & self.seen & (before >= 0)
        self.last[seen], self.seen = found[seen], seen.copy()
        self._count_wrong(new, again, read, before, time)
        return self._agreed(found, seen)

    def _agreed(self, found: Floats, seen: Squares) -> tuple[Floats, Squares]:
        if self.wrong < OFTEN:
            return found, seen
        shows = seen & (self.belief.max(1) > SURE)
        return np.where(shows[:, None], self.means[ALL, self.group], found), shows

    def _believe(self, new: Squares, opened: Squares, found: Floats) -> None:
        wrong = max(MORE * self.wrong, LEAST)
        change = np.where(opened, HIDDEN, OPEN)[:, None]
        by_group = found @ OF
        likely = (1 - wrong) * by_group + wrong * (by_group @ OF.mean(0))[:, None]
        after = ((1 - change) * self.belief + change / 3) * likely
        self.belief = np.where(new[:, None], after / after.sum(1, keepdims=True), self.belief)
        self.group = np.where(new, self.belief.argmax(1), self.group)

    def _average(self, new: Squares, opened: Squares, found: Floats, read: Groups) -> None:
        self.counts[opened] = np.minimum(self.counts[opened], AGAIN)
        squares = np.flatnonzero(new)
        here = squares, read[squares]
        self.counts[here] = np.minimum(self.counts[here] + 1, LASTING)
        self.means[here] += (found[squares] - self.means[here]) / self.counts[here][:, None]
        certain = new & (self.belief.max(1) > CERTAIN)
        self.counts[certain[:, None] & (self.group[:, None] != np.arange(3))] = 0

    def _count_wrong(self, new: Squares, again: Squares, read: Groups, before: Groups, time: float) -> None:
        """`again`: squares that were open since the reading before. `read`: white, black or empty, as this reading has
        it. `before`: as was believed."""
        otherwise = new & (read != self.group)
        if again.any():
            self.looked += 1
            brief = self.differed & (time - self.since < BRIEF)
            back = float((again & brief & ~otherwise & (self.group == before)).sum()) / int(again.sum())
            self.wrong += max(SLOW, 1 / (self.looked + 4)) * (back - self.wrong)
        self.since = np.where(otherwise & ~self.differed, time, self.since)
        self.differed = np.where(new, otherwise, self.differed & self.seen)
