"""By how much one board's camera tells later what it sees than the other's, and both in one order of time.

As between computers whose clocks differ (NTP, RFC 5905): what is passed on one way seems to take longer by as much as
what is passed on the other way seems to take less.
"""

from bisect import bisect_right
from collections import defaultdict, deque
from dataclasses import replace

import chess
import numpy as np
from numpy.typing import NDArray

from rules.observation import Observation
from rules.seats import BOARDS, BoardName, Player
from rules.slots import BLUR

TRIED = np.arange(-6, 6.01, 0.25)  # seconds by which board B's camera may lag
QUICK, TAKES, SLOWER = 0.4, 1.2, 3.0  # seconds that a piece takes at least and mostly, and by which it is slower
NOBODY = 0.05  # pieces a second that come from nowhere
KEPT = 30  # pieces that came last
SURE, EITHER = 5.0, 0.5
"""Nats by which another lag must explain better when they came, all of them, and those of each way: who is slow to pass
on, or is seen late to have captured, makes what goes the other way no quicker."""
LIKE = 6 / (1 + 6 * BLUR)  # against any kind
SLEW = 1.0  # seconds a second by which a board's time is changed

Floats = NDArray[np.float64]


class Lag:
    """`seconds`: by which board B's camera lags behind board A's; less than none if A's lags."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.captured: defaultdict[Player, dict[int, tuple[chess.PieceType, float]]] = defaultdict(dict)
        self.came: deque[tuple[Player, float, Floats]] = deque(maxlen=KEPT)

    def capture(self, owner: Player, number: int, kind: chess.PieceType, time: float) -> None:
        """A piece was taken that `owner` is to get. `number`: of the ply; `time`: as that board's camera tells it."""
        self.captured[owner][number] = kind, time
        self._judge()

    def arrive(self, pocket: Player, time: float, look: Floats) -> None:
        """A piece has come to a pocket. `time`: as that board's camera tells it; `look`: (6,) how it reads, by kind."""
        if all(other != pocket or abs(time - at) > QUICK for other, at, _ in self.came):
            self.came.append((pocket, time, look))
            self._judge()

    def _judge(self) -> None:
        ways = np.zeros((len(BOARDS), len(TRIED)))
        for pocket, time, look in self.came:
            captures = self.captured[pocket].values()
            at = np.array([[at] for _, at in captures]).reshape(-1, 1)
            alike = np.array([[look[kind - 1]] for kind, _ in captures]).reshape(-1, 1)
            way = BOARDS.index(pocket[0])
            later = TRIED if way else -TRIED
            ways[way] += np.log(NOBODY + (_passed(time - at - later) * (alike + BLUR) * LIKE).sum(0))
        gains = ways - ways[:, self.seconds == TRIED]
        gain = np.where((gains > EITHER).all(0), gains.sum(0), 0.0)
        if gain.max() > SURE:
            self.seconds = float(TRIED[gain.argmax()])


def _passed(seconds: Floats) -> Floats:
    """Density of the seconds that a piece takes to the partner's pocket."""
    rising = np.clip((seconds - QUICK) / (TAKES - QUICK), 0, 1)
    return np.asarray(rising * np.exp(-np.maximum(seconds - TAKES, 0) / SLOWER) / (SLOWER + (TAKES - QUICK) / 2))


class Timeline:
    """Looks at two boards in the order of what they show: those of the camera that does not lag are held back."""

    def __init__(self) -> None:
        self.later: dict[BoardName, list[tuple[float, float]]] = {name: [(-np.inf, 0.0)] for name in BOARDS}
        """From when on how many seconds are added to the times of a board."""
        self.waiting: list[Observation] = []
        self.last: dict[BoardName, float] = {}

    def put(self, look: Observation, lag: float) -> list[Observation]:
        """The looks that are due after this one. `lag`: as `Lag.seconds`."""
        board, now = look.board, look.time
        most = SLEW * (now - self.last.get(board, now))
        self.last[board] = now
        later = self.later[board][-1][1]
        more = float(np.clip(max(lag if board == BOARDS[0] else -lag, 0.0) - later, -most / 2, most))
        if more:
            later += more
            self.later[board].append((now + later, later))
        self.waiting.append(replace(look, time=now + later, since=look.since + later) if later else look)
        due = [waiting for waiting in self.waiting if waiting.time <= now]
        self.waiting = [waiting for waiting in self.waiting if waiting.time > now]
        return sorted(due, key=lambda look: look.time)

    def told(self, board: BoardName, time: float) -> float:
        """When a board's own camera told what is taken to have been at this time."""
        return time - self.later[board][bisect_right(self.later[board], (time, np.inf)) - 1][1]

    def rest(self) -> list[Observation]:
        """Those that are left."""
        waiting, self.waiting = self.waiting, []
        return sorted(waiting, key=lambda look: look.time)
