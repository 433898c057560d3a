"""How men read where they were dropped: later plies may say that they were of another kind than was told."""

from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from rules.evidence import Experience
from rules.history import History
from rules.match import Ply
from rules.seats import BoardName

CONTRARY, STILL_CONTRARY = 2.0, 1.0  # nats by which one must read as of another kind than was told, for so many seconds
LOOKED = 0.2  # weight of a new look in how a dropped man reads

Kinds = NDArray[np.float64]
"""(6,) log-likelihoods of a man's kind."""


class Dropped:
    """Those of one board."""

    def __init__(self, board: BoardName, experience: Experience) -> None:
        self.board, self.experience = board, experience
        self.looks: dict[int, Kinds] = {}  # by ply
        self._stand: dict[chess.Square, Ply] = {}  # those who stand there still,
        self._stood: tuple[Any, int] = (None, 0)  # after so many plies of this match,
        self._contrary: dict[int, float] = {}  # and since when one reads as another than was told, by ply

    def look(self, match: Any, history: History) -> None:
        """Take in how the board shows them now."""
        plies = match.plies
        if self._stood != (match, len(plies)):
            self._stood, self._stand = (match, len(plies)), {}
            for ply in (ply for ply in plies if ply.board == self.board):
                self._stand.pop(ply.move.from_square, None)
                self._stand.pop(ply.move.to_square, None)
                if ply.move.drop:
                    self._stand[ply.move.to_square] = ply
        showing = {color: history.showing(color) for color in chess.COLORS}
        for square, ply in self._stand.items():
            if showing[ply.color] >> square & 1:  # and not who took him, which may not have been told yet
                now = history.kinds(square)
                before = self.looks.get(ply.number, now)
                self.looks[ply.number] = before + LOOKED * (now - before)

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
