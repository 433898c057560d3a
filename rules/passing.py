"""Captured pieces on their way from the capture to the partner's pocket, where they have to turn up."""

from dataclasses import dataclass
from typing import Literal

import chess

from rules.events import Event
from rules.seats import BoardName, partner

LAG = 0.3  # seconds before its capture that a piece may come
UNSEEN = 1.5  # seconds before it was first seen from which on a capture counts, at most


@dataclass(slots=True, eq=False)
class Passing:
    """A captured piece on its way."""

    board: BoardName
    color: chess.Color  # the giver
    kind: chess.PieceType
    since: float
    earliest: float  # until then it was seen not to be captured
    number: int = 0  # of the ply that captured it
    late: bool = False
    arrived: bool = False  # it has been seen
    told: bool = False  # that it has come was told, though it had not

    @property
    def begins(self) -> float:
        """From when on it should have been on its way."""
        return max(self.earliest, self.since - UNSEEN)


def has_come(passing: Passing, time: float, committed: float) -> list[Event]:
    """A piece has come; an alert that it had not is withdrawn."""
    events = [event_of("hand_over", passing, time, committed, "")]
    if passing.late:
        events.append(event_of("withdrawn", passing, passing.since, committed, "not_passed"))
    return events


def event_of(
    kind: Literal["hand_over", "alert", "withdrawn"], passing: Passing, time: float, committed: float, reason: str
) -> Event:
    owner = partner(passing.board, passing.color)[1]
    letter = chess.Piece(passing.kind, owner).symbol()
    return Event(kind, passing.board, time, committed, passing.color, piece=letter, reason=reason)
