"""How men read where they were dropped: later plies may say that they were of another kind than was told."""

from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from rules.evidence import Experience
from rules.history import History
from rules.match import Ply
from rules.observation import group_of
from rules.seats import BoardName

CONTRARY, STILL_CONTRARY = 2.0, 1.0  # nats by which one must read as of another kind than was told, for so many seconds
LOOKED = 0.2  # weight of a new look in how a dropped man reads
LATE, AGO = 4, 5.0  # plies of a board that may be told at once, and seconds for which it is known who was seen before

Kinds = NDArray[np.float64]
"""(6,) log-likelihoods of a man's kind."""


class Dropped:
    """Those of one board."""

    def __init__(self, board: BoardName, experience: Experience) -> None:
        self.board, self.experience = board, experience
        self.looks: dict[int, Kinds] = {}  # by ply
        self._group = np.full(64, -1)  # what each square showed last: white, black or empty,
        self._kinds = np.zeros((64, 6))  # how the man there read since,
        self._at = np.full(64, -np.inf)  # and when it was seen last
        self._stand: dict[chess.Square, Ply] = {}  # those who stand there still,
        self._stood: tuple[Any, int] = (None, 0)  # after so many plies of this match,
        self._contrary: dict[int, float] = {}  # and since when one reads as another than was told, by ply

    def look(self, match: Any, history: History) -> None:
        """Take in how the board shows them now, and, when they are told, how it has shown them."""
        self._watch(history)
        plies = match.plies
        if self._stood != (match, len(plies)):
            self._stood, self._stand = (match, len(plies)), {}
            here = [ply for ply in plies if ply.board == self.board]
            for ply in here:
                self._stand.pop(ply.move.from_square, None)
                self._stand.pop(ply.move.to_square, None)
                if ply.move.drop:
                    self._stand[ply.move.to_square] = ply
            for ply in here[-LATE:]:
                if ply.move.drop and ply.number not in self.looks and history.time - self._at[ply.move.to_square] < AGO:
                    self._show(ply)
        for square, ply in self._stand.items():
            if history.open[square]:
                self._show(ply)

    def _watch(self, history: History) -> None:
        """How men read, whoever they are."""
        men = history.open & (history.group < 2)
        new = men & (history.group != self._group)
        self._group[history.open] = history.group[history.open]
        now = history.kinds()
        self._kinds[new] = now[new]
        self._kinds[men] += LOOKED * (now - self._kinds)[men]
        self._at[men] = history.time

    def _show(self, ply: Ply) -> None:
        """Who shows on the square of a drop is he who was dropped, and not who took him, which may not have been told
        yet."""
        square = ply.move.to_square
        if self._group[square] == group_of(ply.color):
            self.looks[ply.number] = self._kinds[square].copy()

    def reads(self, ply: Ply) -> Kinds:
        """How the man of a drop read there, as far as this board's kinds are read right."""
        looks = np.exp(self.looks.get(ply.number, np.zeros(6)))
        trust = self.experience.trust
        return np.asarray(np.log(trust * looks / looks.sum() + (1 - trust) / 6))

    def contrary(self, time: float, sure: bool) -> Iterator[Ply]:
        """Drops within the rules of men who go on reading as of another kind than was told, each told once. `sure`:
        whether it is time to tell."""
        before, self._contrary = self._contrary, {}
        for ply in self._stand.values():
            reads = self.reads(ply)
            if reads.max() - reads[(ply.move.drop or 0) - 1] < CONTRARY or not ply.legal:
                continue
            since = self._contrary[ply.number] = before.get(ply.number, time)
            if time - since > STILL_CONTRARY and sure:
                self._contrary[ply.number] = np.inf
                yield ply
