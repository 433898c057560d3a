"""How many men too many stood in a pocket, and how many too few, at every look of the last while."""

from collections import deque

import chess
import numpy as np

from rules.breaches import OVER, UNSEEN, Breach

REMEMBERED = 20.0  # seconds
KEPT = 5  # drops
COUNTED = "extra_man", "hidden_reserve"


class Amounts:
    """Those of one pocket."""

    def __init__(self) -> None:
        self._looks: deque[tuple[float, int, int]] = deque()  # time, too many, too few
        # The last drops that were told: kinds, and since when they counted.
        self._drops: deque[tuple[chess.PieceType, float, float]] = deque(maxlen=KEPT)

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
        when men who were dropped were gone; so many fewer were too few from then on."""
        self._looks = deque(
            (time, many + more * (time >= since or time > lifted), few - more * (time > lifted))
            for time, many, few in self._looks
        )

    def drop(self, kind: chess.PieceType, time: float, since: float, lifted: float) -> None:
        """It is told that one was dropped, `since` when he was first seen there. `lifted`: since when he was gone here,
        infinity where that is not known."""
        self._drops.appendleft((kind, since, min(lifted, time)))
        self.recount(since, 1, lifted)

    def dropped(self, time: float) -> list[chess.PieceType]:
        """What has been dropped in the last while."""
        return [kind for kind, since, _ in self._drops if since > time - REMEMBERED]

    def never_dropped(self, kind: chess.PieceType) -> None:
        """The last of a kind of whom that was told was not."""
        told = next((drop for drop in self._drops if drop[0] == kind), None)
        if told is None:
            self.forget()
            return
        self._drops.remove(told)
        self.recount(told[1], -1, told[2])

    def returned(self, since: float) -> None:
        """Who was dropped was taken back then: he is to be here again."""
        self.recount(since, -1, since)

    def began(self, kind: str) -> float:
        """Since when too many stand here, or too few, by what has been told meanwhile, as `rules.breaches` counts;
        infinity where it is not so, and for other kinds of alert."""
        if kind not in COUNTED:
            return np.inf
        which, breach, before = 1 + COUNTED.index(kind), None, -np.inf
        for look in self._looks:
            time = look[0]
            if look[which] > 0:
                breach = breach or Breach(max(before, time - UNSEEN))
                breach.gone = np.inf
            elif breach and breach.gone_for(time) > OVER:
                breach = None
            before = time
        return breach.since if breach else np.inf
