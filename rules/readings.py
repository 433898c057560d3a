"""What several readings of a square agree upon, where single ones are often wrong.

A reader that works well reads the same thing again as long as nothing moves. One that does not, in a poor light or for
a set it cannot tell apart, takes a square for something else now and then. While that happens often, what newly shows
on a square counts once readings agree, and what shows there is their mean.
"""

import numpy as np
from numpy.typing import NDArray

from rules.observation import LABELS, groups

OFTEN = (
    0.01  # share of squares whose last reading was wrong, as this one shows, from which single ones are not believed
)
BRIEF = 1.3  # seconds for which they were, at most: else a man may have come and gone
SLOW = 0.05  # weight of a reading in that share
ENOUGH = 4  # readings that must agree, more than differ, for a square to show something else
DOUBTED = 2  # and from which it does not count as seen
LASTING = 8  # readings of which the mean is taken, at most

Floats = NDArray[np.float64]
Squares = NDArray[np.bool_]


class Readings:
    """The readings of the 64 squares of one board."""

    def __init__(self) -> None:
        self.wrong = 0.0  # share of squares whose last reading was wrong, of late,
        self.looked = 0  # in so many readings
        self.last = np.zeros((64, len(LABELS)))
        self.seen = np.zeros(64, np.bool_)
        self.group = np.full(64, -1)  # white, black or empty, as readings agree,
        self.sure = np.zeros(64, np.bool_)  # also since the square lay hidden
        self.mean = np.zeros((64, len(LABELS)))
        self.count = np.zeros(64, np.int64)  # readings in that
        self.differed = np.zeros(64, np.bool_)  # squares of which the last reading was another
        self.other = np.full(64, -1)  # as which a square reads that reads otherwise,
        self.for_it = np.zeros(64, np.int64)  # by how many readings more than not,
        self.since = np.zeros(64)  # and since when
        self.other_mean = np.zeros((64, len(LABELS)))

    def look(self, found: Floats, seen: Squares, time: float) -> tuple[Floats, Squares]:
        """(64, 13) probabilities and (64,) which squares are seen, as far as readings agree; as they are where single
        ones are seldom wrong."""
        opened = seen & ~self.seen
        new = seen if ((found != self.last).any(1) & seen).any() else opened
        group = groups(found.argmax(1))
        known = self.group >= 0
        otherwise = new & known & (group != self.group)
        if (again := new & self.seen & self.sure).any():
            self.looked += 1
            brief = self.differed & (time - self.since < BRIEF)
            back = float((again & brief & ~otherwise).sum()) / int(again.sum())
            self.wrong += max(SLOW, 1 / (self.looked + 4)) * (back - self.wrong)
        self.differed = np.where(new, otherwise, self.differed & seen)
        self.last[seen], self.seen = found[seen], seen.copy()
        self.sure &= seen
        self._agree(new & ~otherwise, found, group)
        self._differ(otherwise, found, group, time)
        if self.wrong < OFTEN:
            return found, seen
        shows = seen & self.sure & (self.for_it < DOUBTED)
        return np.where(shows[:, None], self.mean, found), shows

    def _agree(self, squares: Squares, found: Floats, group: NDArray[np.int64]) -> None:
        """These read as before, or for the first time."""
        self.count = np.where(squares, np.minimum(np.where(self.group < 0, 0, self.count) + 1, LASTING), self.count)
        step = np.where(squares, 1 / np.maximum(self.count, 1), 0.0)[:, None]
        self.mean += step * (found - self.mean)
        self.group = np.where(squares, group, self.group)
        self.sure |= squares
        self.for_it = np.where(squares, np.maximum(self.for_it - 1, 0), self.for_it)
        self.other = np.where(squares & (self.for_it == 0), -1, self.other)

    def _differ(self, squares: Squares, found: Floats, group: NDArray[np.int64], time: float) -> None:
        """These read otherwise."""
        alike = squares & (group == self.other)
        self.for_it = np.where(squares, self.for_it + np.where(alike, 1, -1), self.for_it)
        begins = squares & ~alike & (self.for_it <= 0)
        self.other[begins], self.for_it[begins], self.since[begins] = group[begins], 1, time
        self.other_mean[begins] = found[begins]
        step = np.where(alike, 1 / np.maximum(self.for_it, 1), 0.0)[:, None]
        self.other_mean += step * (found - self.other_mean)
        agreed = squares & (self.for_it >= ENOUGH)
        self.group = np.where(agreed, self.other, self.group)
        self.mean = np.where(agreed[:, None], self.other_mean, self.mean)
        self.count = np.where(agreed, self.for_it, self.count)
        self.sure |= agreed
        self.other, self.for_it = np.where(agreed, -1, self.other), np.where(agreed, 0, self.for_it)
