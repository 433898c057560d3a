"""One board before its first ply: whether it shows what it should, and what was played before anybody looked."""

from collections.abc import Callable

import chess
import numpy as np
from numpy.typing import NDArray

from rules.evidence import Experience
from rules.history import bitboard
from rules.observation import EMPTY, LABELS, Observation, as_expected, groups

FRESH = 5.0  # seconds for which a square counts as it was seen
TIMES = 6  # that a board which is certain is learnt: thoroughly
LASTING = 1.0  # seconds for which it must have shown what was played meanwhile

Meanwhile = Callable[[chess.Bitboard, chess.Bitboard], list[chess.Move]]
"""The plies that lead to White's and Black's men on these squares, if those are certain."""


class Start:
    """Watches one board until it shows what it should."""

    def __init__(self, experience: Experience) -> None:
        self.experience = experience
        self.found = np.zeros((64, len(LABELS)))  # how each square read last,
        self.found_at = np.full(64, -np.inf)  # and when
        self._men: tuple[chess.Bitboard, chess.Bitboard] | None = None  # where those of both stood last
        self._played: tuple[list[chess.Move], float] = ([], 0.0)  # what may have been, and since when that shows

    def look(self, observation: Observation, labels: NDArray[np.int64]) -> bool:
        """Whether the board shows what should stand there, (64,); if so, how that looks has been learnt."""
        found, seen = self.experience.readings.look(observation.probabilities(), observation.seen, observation.time)
        self.found[seen], self.found_at[seen] = found[seen], observation.time
        fresh = self._fresh(observation.time)
        certain = as_expected(self.found, labels, fresh)
        if certain is None:
            return False
        for _ in range(TIMES):
            self.experience.learn(self.found, labels, certain)
        odd = fresh & ~certain
        if not ((labels != EMPTY) & odd).any() or not ((labels == EMPTY) & odd).any():  # else a man may have moved
            self.experience.expect(self.found, odd)
        return True

    def played(self, meanwhile: Meanwhile, time: float) -> tuple[list[chess.Move], float]:
        """What was played while nobody looked, once the board has shown it for a while, and since when it has."""
        if not self._fresh(time).all():
            return [], time
        seen = groups(self.found.argmax(1))
        white, black = (bitboard(seen == group) for group in (0, 1))
        if (white, black) != self._men:
            self._men = white, black
            self._played = meanwhile(white, black), time
        moves, since = self._played
        if time - since < LASTING:
            return [], time
        self._played = [], time
        return moves, since

    def amiss(self, labels: NDArray[np.int64]) -> dict[str, tuple[str, str]]:
        """FEN letters of what should stand on a square and of what is seen there, `.` for none.

        Squares that read as another kind of the right colour are not named: kinds are not what is waited for.
        """
        read = self.found.argmax(1)
        wrong = (self.found_at > -np.inf) & (groups(read) != groups(labels))
        return {chess.square_name(s): (LABELS[labels[s]], LABELS[read[s]]) for s in np.flatnonzero(wrong).tolist()}

    def _fresh(self, time: float) -> NDArray[np.bool_]:
        return np.asarray(self.found_at > time - FRESH)
