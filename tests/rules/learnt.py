"""How often the kind of a man who has just moved is read right, without and with what the match has taught before."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from rules.lessons import Lessons, N
from rules.observation import EMPTY, Observation

Labels = NDArray[np.int64]


def read_anew(looks: Iterable[tuple[Observation, Labels]]) -> NDArray[np.bool_]:
    """(n, 2) whether each was read right at the first look at him, without lessons and with them. `looks`: at a match
    from its start, and what (64,) labels truly stood there."""
    lessons, before, found = Lessons(), None, []
    waits = np.zeros(64, np.bool_)  # who has moved and was not seen since
    for look, labels in looks:
        lessons.look(look)
        if before is not None:
            lessons.carry(_origins(before, labels))
            waits = (waits | (labels != before)) & (labels != EMPTY)
        read = look.probabilities()
        asked = np.flatnonzero(waits & look.seen)
        for square in asked.tolist():
            label = int(labels[square])
            own = slice(label - label % 6, label - label % 6 + 6)
            found.append([said[square, own].argmax() == label % 6 for said in (read, lessons.right(read))])
        if len(asked) or before is None:
            lessons.learn(labels, look.seen)
        waits &= ~look.seen
        before = labels
    return np.array(found).reshape(-1, 2)


def _origins(before: Labels, labels: Labels) -> Labels:
    """(64,) 13 + where what stands on each square came from, as `Lessons.carry` takes it; -1 where nobody knows."""
    contents = np.where(labels == before, N + np.arange(64), -1)
    gone = [square for square in range(64) if labels[square] != before[square] != EMPTY]
    for square in np.flatnonzero((labels != before) & (labels != EMPTY)).tolist():
        came = next((origin for origin in gone if before[origin] == labels[square]), None)
        if came is not None:
            contents[square] = N + came
            gone.remove(came)
    return contents
