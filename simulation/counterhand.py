"""A hand that plays with counters: what it lifts passes over the others, what it turns it turns in the air."""

import chess

from rules.seats import BoardName
from simulation.counterset import Discs
from simulation.scene import HOLD
from simulation.scribe import Hand, Scribe
from simulation.script import Thing


class CounterHand(Hand):
    """A player's arm over a board of counters. It shows one counter at most; others are hidden in its palm."""

    def __init__(self, writer: Scribe, discs: Discs, color: chess.Color, begin: float, pace: float) -> None:
        board: BoardName = "A"
        super().__init__(writer, board, color, begin, pace)
        self.low = HOLD * discs.height  # of the finger tips, over a counter that stands
        self.high = self.low + discs.lift

    def rise(self) -> None:
        """Lift what it holds, straight up."""
        _, x, y, _ = self.gesture.keys[-1]
        self.go(x, y, self.high)

    def lift(self, thing: Thing) -> None:
        """Grip a counter and lift it."""
        self.take(thing)
        self.rise()

    def palm(self, thing: Thing) -> None:
        """Close the hand over what it shows: it is in it still, and cannot be seen."""
        self._let_go(thing)

    def lay(self, thing: Thing, x: float, y: float) -> float:
        """Carry what it has lifted over the others and put it down; when it was let go."""
        self.go(x, y, self.high)
        return self.put(thing, x, y)

    def exchange(self, old: Thing, new: Thing, x: float, y: float) -> float:
        """Lift one counter, and put down one that was in the palm, or the same flipped; when that was let go."""
        self.lift(old)
        self.palm(old)
        self.carry(new)
        return self.put(new, x, y)
