"""What one look says for what squares may have held, and what lines could still gain by plies to come."""

import chess
import numpy as np

from rules.history import DOUBT, NEW, Contents, History
from rules.lines import Line

PLY = 2.0  # nats that every ply costs: fewer moves explain better
ENDS = 2  # squares that a ply changes, as most do


class Gains:
    """Those of one look, each found once: many lines share them. `changed`: squares that the root does not explain."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.changed, lack = history.lacking()
        self.lack = np.where(history.open & (lack > DOUBT), lack, 0.0).tolist()  # by how much, where they lie open,
        self.whole = sum(self.lack)  # and all of them
        self.known: dict[tuple[chess.Square, Contents], tuple[float, float]] = {}
        self.reach: dict[tuple[chess.Square, Contents], float] = {}  # by what a square held first, the most gained so
        self.most: list[float] = self.lack  # that each square could gain over nothing having happened there,
        self._count()

    def of(self, square: chess.Square, contents: Contents) -> tuple[float, float]:
        """Nats over "nothing happened" if a square held these in turn, and by how many more it is left unexplained."""
        found = self.known.get((square, contents))
        if found is None:
            history = self.history
            gain = history.value(square, contents) - history.value(square, (NEW + square,))
            left = history.lack(square, contents[-1]) - self.lack[square] if history.open[square] else 0.0
            found = self.known[square, contents] = gain, left
            for number in range(1, len(contents)):
                first = square, contents[:number]
                self.reach[first] = max(self.reach.get(first, -np.inf), gain)
        return found

    def unexplained(self, line: Line) -> chess.Bitboard:
        """The squares that lie open and show what a line does not explain."""
        lack = dict(enumerate(self.lack))
        for square, contents in line.contents.items():
            lack[square] += self.of(square, contents)[1]
        return sum(chess.BB_SQUARES[square] for square, nats in lack.items() if nats > DOUBT)

    def survey(self) -> None:
        """Look over all that squares have been thought to hold so far at this look."""
        roots = [self.reach.get((square, (NEW + square,)), 0.0) for square in chess.SQUARES]
        self.most = [max(two) for two in zip(self.lack, roots, strict=True)]
        self._count()

    def _count(self) -> None:
        self.of_all = sum(self.most)  # all of them,
        self.many = sum(nats > PLY for nats in self.most)  # and how many need a ply

    def to_come(self, line: Line) -> float:
        """Nats that a line could still gain by plies to come, less what so many would cost: by square as much as any
        other line has gained that held there the same first, or as is left unexplained."""
        nats, many = self.of_all, self.many
        for square, contents in line.contents.items():
            gain, left = self.known[square, contents]
            now = max(self.reach.get((square, contents), gain) - gain, self.lack[square] + left, 0.0)
            first = self.most[square]
            nats, many = nats + now - first, many + (now > PLY) - (first > PLY)
        return nats - PLY * many / ENDS
