"""How many men too many stood in a pocket, and how many too few, at every look of the last while."""

from collections import deque

import numpy as np

from rules.breaches import OVER, UNSEEN

REMEMBERED = 20.0  # seconds


class Amounts:
    """Those of one pocket."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int, int]] = deque()  # time, too many, too few

    def look(self, time: float, many: int, few: int) -> None:
        """So many are too many now, and too few."""
        self._looks.append((time, many, few))
        while self._looks[0][0] < time - REMEMBERED:
            self._looks.popleft()

    def forget(self) -> None:
        """What was told of the past was wrong: nobody knows how many were too many."""
        self._looks.clear()

    def recount(self, since: float, more: int, lifted: float = np.inf) -> None:
        """So many more were too many here since then: what came or went is told later than it was so. `lifted`: since
        when a man who was dropped was gone."""
        self._looks = deque(
            (time, many + more if time >= since or time > lifted else many, few - 1 if time > lifted else few)
            for time, many, few in self._looks
        )

    def returned(self, since: float) -> None:
        """Who was dropped was taken back then: he is to be here again."""
        self._looks = deque((time, many - (time >= since), few + (time >= since)) for time, many, few in self._looks)

    def began(self) -> dict[str, float]:
        """Since when too many stand here, and too few, by what has been told meanwhile; as `rules.breaches` counts."""
        since = {"extra_man": np.inf, "hidden_reserve": np.inf}
        last, before = dict(since), -np.inf
        for time, *counts in self._looks:
            for kind, count in zip(since, counts, strict=True):
                if count > 0:
                    since[kind], last[kind] = min(since[kind], max(before, time - UNSEEN)), time
                elif time - last[kind] > OVER:
                    since[kind] = np.inf
            before = time
        return since
