"""A match as hands play it: who reaches where and when, and where every piece stands at any time.

Both boards lie as partners sit: board A with White to the south, board B beside it with Black to the south. Between
them lie the pockets: where B lies to the east, on the h-file's side of each, else on the a-file's. Every position here
is in the board's own coordinates.
"""

from dataclasses import dataclass, field
from typing import Literal

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import Side
from rules.seats import BoardName

Point = NDArray[np.float64]

GAP = 7.5  # squares between the boards
ELBOWS = 6.0  # squares from one of a player's to the other: shoulders are some 38 cm apart, squares 5 to 6 cm wide
CLOCK = (-1.7, 4.0, 0.7)  # on the side away from the pockets, where those lie on the h-file's side


def aside(x: float, side: Side) -> float:
    """The x of a place beside the board; `x`: what it is where the pockets lie on the h-file's side."""
    return x if side == "h" else 8.0 - x


@dataclass(slots=True, eq=False)
class Thing:
    """One piece through the match: where it stands from which time on. `stays`: (time, board, x, y, lies), in order
    of time; between leaving and the next stay it is in a hand or out of sight."""

    piece: chess.Piece
    turn: float
    stays: list[tuple[float, BoardName, float, float, bool]] = field(default_factory=list)
    leaves: list[float] = field(default_factory=list)

    def at(self, time: float) -> tuple[BoardName, float, float, bool] | None:
        """Where it stands, None in a hand or out of sight."""
        arrived = [stay for stay in self.stays if stay[0] <= time]
        left = [leave for leave in self.leaves if leave <= time]
        if not arrived or (left and left[-1] >= arrived[-1][0]):
            return None
        return arrived[-1][1:]

    def shift(self, time: float, x: float, y: float, lies: bool) -> None:
        """It is pushed, or falls or is stood up, without a hand that carries it."""
        board = self.stays[-1][1]
        self.leaves.append(time - 1e-3)
        self.stays.append((time, board, x, y, lies))


@dataclass(slots=True, eq=False)
class Gesture:
    """One way of one arm on one board. `keys`: (time, x, y, z) of the finger tips. `held`: (from, to, thing)."""

    board: BoardName
    color: chess.Color  # on whose side of the board the arm comes in
    guest: bool  # it is the partner's, from the other board
    other: bool  # it is not the hand that moves the pieces
    keys: list[tuple[float, float, float, float]]
    held: list[tuple[float, float, Thing]]

    def tip(self, time: float) -> Point | None:
        """Finger tips, None while the arm is away."""
        if not self.keys[0][0] <= time <= self.keys[-1][0]:
            return None
        for (t0, *a), (t1, *b) in zip(self.keys, self.keys[1:], strict=False):
            if time <= t1:
                part = (time - t0) / max(t1 - t0, 1e-6)
                smooth = part**3 * (10 - 15 * part + 6 * part * part)
                way: Point = np.array(a) + smooth * (np.array(b) - np.array(a))
                way[2] += 4 * part * (1 - part) * min(0.5, 0.1 * float(np.hypot(b[0] - a[0], b[1] - a[1])))
                return way
        return None


CameraFault = Literal["camera_bumped", "camera_frozen", "camera_gone", "light_off"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something happens to a camera or to the light. `board` None: to both. It lasts to `end`."""

    kind: CameraFault
    board: BoardName | None
    start: float
    end: float


Row = dict[str, object]
"""A row of `truth.jsonl`."""


@dataclass(slots=True, eq=False)
class Script:
    """The whole match. `truth`: in order of time. `wanted`, `seconds`: how long it should have lasted, and lasts."""

    things: list[Thing]
    gestures: list[Gesture]
    truth: list[Row]
    wanted: float
    seconds: float
    side: Side
    faults: list[Fault] = field(default_factory=list)


def elbow(gesture: Gesture, side: Side) -> Point:
    """(2,) where the arm comes from: the player's seat, or for a guest the seat beside the owner's."""
    x = aside(16.0 + GAP - 4.0, side) if gesture.guest else aside(4.6 - ELBOWS, side) if gesture.other else 4.6
    return np.array([x, -5.5 if gesture.color == chess.WHITE else 13.5])
