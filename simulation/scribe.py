"""What a script collects while it is written, whatever the game: men, ways of hands, and the truth."""

from collections.abc import Mapping, Sequence

import chess
import numpy as np

from calibration.view import Side
from rules.seats import BoardName, Player, seat
from simulation.scene import HOLD
from simulation.script import CLOCK, ELBOWS, Fault, Gesture, Row, Script, Thing, aside

REACH = 0.28  # seconds a hand needs for a usual way on the board
NIP = 0.09  # seconds fingers need to close or open


class Scribe:
    """A script under way. `heights`: of the men by kind, in squares; they are held near the top. `free`: when each
    player's hand is. `side`: see `Script`."""

    def __init__(
        self,
        heights: Mapping[chess.PieceType, float],
        rng: np.random.Generator,
        start: float,
        side: Side,
        players: Sequence[Player],
    ) -> None:
        self.heights, self.rng, self.start, self.side = heights, rng, start, side
        self.things: list[Thing] = []
        self.gestures: list[Gesture] = []
        self.truth: list[Row] = []
        self.faults: list[Fault] = []
        self.free: dict[Player, float] = dict.fromkeys(players, 0.0)

    def finished(self, wanted: float) -> Script:
        """The whole script. `wanted`: how long it should have lasted, in seconds."""
        self.truth.sort(key=lambda row: float(str(row["time"])))
        ends = [gesture.keys[-1][0] for gesture in self.gestures] + [fault.end for fault in self.faults]
        end = max(ends, default=self.start)
        return Script(self.things, self.gestures, self.truth, wanted, end + 2.0, self.side, self.faults)

    def thing(self, piece: chess.Piece, time: float, board: BoardName, x: float, y: float) -> Thing:
        """A new piece that stands somewhere from `time` on."""
        ahead = np.pi / 2 if piece.color == chess.WHITE else -np.pi / 2
        made = Thing(piece, float(ahead + self.rng.normal(0, 0.35)))
        made.stays.append((time, board, x, y, False))
        self.things.append(made)
        return made

    def hand(self, board: BoardName, color: chess.Color, begin: float, *, guest: bool = False) -> "Hand":
        """A player's arm, free from `begin` on at the earliest."""
        return Hand(self, board, color, max(begin, self.free[board, color]), self.pace(), guest=guest)

    def press_with(self, hand: "Hand", *, guest: bool = False, other: bool = False) -> float:
        """Press the clock with another arm than the one that moved; when it was."""
        arm = Hand(self, hand.board, hand.color, hand.time, hand.pace, guest=guest, other=other)
        pressed = arm.press()
        arm.leave()
        return pressed

    def pace(self) -> float:
        """How slow a hand is: 1 is usual."""
        return float(self.rng.uniform(0.85, 1.3))

    def row(self, kind: str, board: BoardName, color: chess.Color, time: float, more: Row) -> None:
        """Add a row to the truth."""
        self.truth.append({"kind": kind, "board": board, "seat": seat(board, color), **more, "time": round(time, 3)})


class Hand:
    """An arm at work: appends keys to its gesture while time goes on."""

    def __init__(
        self,
        writer: "Scribe",
        board: BoardName,
        color: chess.Color,
        begin: float,
        pace: float,
        *,
        guest: bool = False,
        other: bool = False,
        away: tuple[float, float] | None = None,
    ) -> None:
        self.writer, self.board, self.color, self.time, self.pace = writer, board, color, begin, pace
        self.rest = away or (4.6 + float(writer.rng.normal(0, 0.8)), -4.2 if color == chess.WHITE else 12.2)
        if other:
            self.rest = aside(self.rest[0] - ELBOWS, writer.side), self.rest[1]
        if guest and away is None:
            self.rest = (aside(13.5, writer.side), 0.5 if color == chess.WHITE else 7.5)
        self.gesture = Gesture(board, color, guest, other, [(begin, *self.rest, 1.2)], [])
        writer.gestures.append(self.gesture)
        self.carried: list[tuple[float, Thing]] = []

    def go(self, x: float, y: float, z: float) -> None:
        """Move the finger tips."""
        _, x0, y0, z0 = self.gesture.keys[-1]
        far = float(np.hypot(x - x0, y - y0)) + abs(z - z0)
        self.time += self.pace * REACH * (0.35 + 0.65 * min(far / 4.0, 1.6))
        self.gesture.keys.append((self.time, x, y, z))

    def wait(self, seconds: float) -> None:
        """Stay where it is."""
        self.time += seconds
        self.gesture.keys.append((self.time, *self.gesture.keys[-1][1:]))

    def until(self, time: float) -> None:
        """Hover until a time, if it is not past."""
        if time > self.time:
            self.wait(time - self.time)

    def take(self, thing: Thing) -> None:
        """Grip a piece and lift it."""
        since, _, x, y, _ = thing.stays[-1]
        assert since <= self.time, f"{thing.piece} is taken before it is there"
        self.go(x, y, self._hold(thing))
        self.wait(NIP * self.pace)
        thing.leaves.append(self.time)
        self.carry(thing)

    def carry(self, thing: Thing) -> None:
        """Hold a piece from now on."""
        self.carried.append((self.time, thing))

    def put(self, thing: Thing, x: float, y: float, lies: bool = False) -> float:
        """Put a held piece down; when it was let go."""
        self.go(x, y, self._hold(thing))
        self.wait(NIP * self.pace)
        self._let_go(thing)
        thing.stays.append((self.time, self.board, x, y, lies))
        return self.time

    def drop_aside(self, thing: Thing) -> float:
        """Put a held piece on the outer side of the table, where it belongs to nobody's reserve."""
        y = -0.4 if self.color == chess.WHITE else 8.4
        x = aside(-2.6 + float(self.writer.rng.normal(0, 0.2)), self.writer.side)
        return self.put(thing, x, y + float(self.writer.rng.normal(0, 0.3)))

    def _hold(self, thing: Thing) -> float:
        return HOLD * self.writer.heights[thing.piece.piece_type]

    def _let_go(self, thing: Thing) -> None:
        taken = next(t for t, held in self.carried if held is thing)
        self.carried = [(t, held) for t, held in self.carried if held is not thing]
        self.gesture.held.append((taken, self.time, thing))

    def press(self) -> float:
        """Press the clock; when it was."""
        x, y, z = CLOCK
        self.go(aside(x, self.writer.side), y + (-0.7 if self.color == chess.WHITE else 0.7), z)
        return self.time

    def out(self, x: float, y: float, thing: Thing) -> None:
        """Carry a piece out of the picture."""
        self.go(x, y, 1.2)
        self._let_go(thing)

    def leave(self) -> None:
        """Go back to where it rests."""
        self.go(*self.rest, 1.2)
