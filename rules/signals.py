"""How players show on the board that it is over: a king laid down, or both kings in the middle."""

from dataclasses import dataclass

import chess
import numpy as np

from rules.observation import EMPTY, LABELS, Observation

RESIGNS = 3.0  # seconds for which a king lies until his player has resigned: one that has fallen is stood up before
IN_THE_MIDDLE = 2.0  # seconds for which both kings stand in the middle
MIDDLE = {
    frozenset((chess.E4, chess.D5)): chess.WHITE,
    frozenset((chess.D4, chess.E5)): chess.BLACK,
    frozenset((chess.E4, chess.E5)): None,
    frozenset((chess.D4, chess.D5)): None,
}
"""Who wins by the squares that the kings stand on, as electronic boards have it: those of White's square colour, those
of Black's, one of each for a draw. Kings so near each other are no position."""


@dataclass(frozen=True, slots=True)
class Signal:
    """`winner`: None for a draw. `since`: when it was first seen."""

    winner: chess.Color | None
    reason: str
    since: float


class Signals:
    """Watches one board."""

    def __init__(self) -> None:
        self.since: dict[tuple[str, chess.Color | None], float] = {}

    def look(self, observation: Observation, board: chess.Board) -> Signal | None:
        """The signal that has lasted long enough by this look. `board`: what is known to stand there."""
        found: dict[tuple[str, chess.Color | None], float] = {
            ("resigned", not color): RESIGNS for color in chess.COLORS if _lies(observation, board.king(color))
        }
        middle = _in_the_middle(observation, board)
        if middle is not None:
            found["kings_in_the_middle", MIDDLE[middle]] = IN_THE_MIDDLE
        self.since = {key: self.since.get(key, observation.time) for key in found}
        for (reason, winner), lasts in found.items():
            if observation.time - self.since[reason, winner] >= lasts:
                return Signal(winner, reason, self.since[reason, winner])
        return None


def _lies(observation: Observation, king: chess.Square | None) -> bool:
    # Surer than for an alert: it ends the match.
    return king is not None and bool(observation.seen[king] and observation.lying[king] > 0)


def _in_the_middle(observation: Observation, board: chess.Board) -> frozenset[chess.Square] | None:
    squares = [chess.D4, chess.E4, chess.D5, chess.E5]
    homes = [king for color in chess.COLORS if (king := board.king(color)) is not None]
    read = observation.squares.argmax(1)
    if not observation.seen[[*squares, *homes]].all() or any(read[s] != EMPTY for s in homes if s not in squares):
        return None
    kings = frozenset(s for s in squares if LABELS[read[s]] in "Kk")
    both = len(set(np.array(read)[list(kings)])) == 2
    return kings if kings in MIDDLE and both else None
