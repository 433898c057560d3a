"""What the tracker says happened: the border between `rules` and the program."""

from dataclasses import dataclass
from typing import Any, Literal

import chess
import numpy as np

from rules.alerts import ALERTS
from rules.match import Ply
from rules.seats import BoardName, seat

EventKind = Literal["move", "drop", "hand_over", "end", "correction", "take_back", "position", "alert", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened on one board.

    `time`: when it was first seen, `committed`: when the tracker was sure of it; both in seconds of capture time.
    `earliest`: until when it was seen that a ply had not been played, 0 where that is not known: plies on two boards
    of which one's `time` lies between the other's `earliest` and `time` cannot be ordered for certain. `color`: who did
    it, None for what a camera did. `ply`: its number on its board, from 1 (0 where none applies).
    Moves and drops carry `san` and `uci` (drops: `N@e5`); one that the rules forbid has the man, where from and where
    to in place of SAN, and an alert with it. A `correction` replaces the ply of its number, a `take_back` undoes it. A
    hand-over carries `piece`, the FEN letter as the partner may drop it, and is told by the giver: `board` and `color`
    are who captured. A `position` is one that the arbiter has set: `fen`, with the reserves.
    An end carries `result` (`1-0`: the team of WhiteA won) and `reason`. An alert carries its `reason`, a kind of
    `rules.alerts`, and what it is about as far as that is known: `piece`, `square`, the ply, the `rule` of the profile
    with its source; it rests on what its board's camera showed from `time` to `committed`. One that has settled itself
    is `withdrawn`, with the same `time` and `reason`. An alert's line tells, as `confidence`, how often its kind was
    right when that was measured.
    """

    kind: EventKind
    board: BoardName
    time: float
    committed: float
    color: chess.Color | None
    ply: int = 0
    san: str = ""
    uci: str = ""
    piece: str = ""
    square: str = ""
    result: str = ""
    reason: str = ""
    rule: str = ""
    fen: str = ""
    earliest: float = 0.0

    def who(self) -> chess.Color:
        """The player whose event this is."""
        assert self.color is not None, f"{self.kind} {self.reason} is no player's"
        return self.color

    @classmethod
    def of(cls, kind: EventKind, ply: Ply, since: float, time: float, after: float = -np.inf) -> "Event":
        """What a ply is told as. `after`: until when it was seen not to have been played."""
        earliest = after if 0 < after < since else 0.0
        return cls(kind, ply.board, since, time, ply.color, ply.number, ply.san, ply.move.uci(), earliest=earliest)

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> "Event":
        """What `as_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
        values = dict(row)
        values.pop("confidence", None)  # of its kind
        name = values.pop("seat", None)
        color = None if name is None else {"White": chess.WHITE, "Black": chess.BLACK}[name[:5]]
        return cls(color=color, **values)

    def as_json(self) -> dict[str, Any]:
        """The line of `events.jsonl`: set fields only, the colour spelled as the seat."""
        row: dict[str, Any] = {
            "kind": self.kind,
            "board": self.board,
        }
        if self.color is not None:
            row["seat"] = seat(self.board, self.color)
        row |= {"time": round(self.time, 3), "committed": round(self.committed, 3)}
        known = ALERTS.get(self.reason) if self.kind == "alert" else None
        if known is not None and known.confidence is not None:
            row["confidence"] = known.confidence
        if self.earliest:
            row["earliest"] = round(self.earliest, 3)
        for name in ("ply", "san", "uci", "piece", "square", "result", "reason", "rule", "fen"):
            if value := getattr(self, name):
                row[name] = value
        return row


def told_as(move: chess.Move, mends: bool) -> EventKind:
    """The kind of the event for a ply. `mends`: it comes in place of one that was told."""
    return "correction" if mends else "drop" if move.drop else "move"
