"""A match as hands play it: who reaches where and when, and where every piece stands at any time.

Both boards lie as partners sit: board A with White to the south, board B east of it with Black to the south, their
h-files towards each other. Between them lie the pockets. Every position here is in the board's own coordinates.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region, pockets_beside
from rules.match import Match, Ply
from rules.seats import BOARDS, BoardName, partner, seat
from simulation.scene import HOLD

Point = NDArray[np.float64]

GAP = 7.5  # squares between the boards
CLOCK = (-1.7, 4.0, 0.7)  # beside the a-file
REACH = 0.28  # seconds a hand needs for a usual way on the board
NIP = 0.09  # seconds fingers need to close or open
ANSWER = (0.2, 1.0)  # seconds from a release to the other player's reaching out, at the quickest


@dataclass(slots=True, eq=False)
class Thing:
    """One piece through the match: where it stands from which time on. `stays`: (time, board, x, y, lies), in order
    of time; between leaving and the next stay it is in a hand."""

    piece: chess.Piece
    turn: float
    stays: list[tuple[float, BoardName, float, float, bool]] = field(default_factory=list)
    leaves: list[float] = field(default_factory=list)

    def at(self, time: float) -> tuple[BoardName, float, float, bool] | None:
        """Where it stands, None in a hand."""
        arrived = [stay for stay in self.stays if stay[0] <= time]
        left = [leave for leave in self.leaves if leave <= time]
        if not arrived or (left and left[-1] >= arrived[-1][0]):
            return None
        return arrived[-1][1:]


@dataclass(slots=True, eq=False)
class Gesture:
    """One way of one arm on one board. `keys`: (time, x, y, z) of the finger tips. `held`: (from, to, thing)."""

    board: BoardName
    color: chess.Color  # on whose side of the board the arm comes in
    guest: bool  # it is the partner's, bringing a piece from the other board
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


@dataclass(slots=True, eq=False)
class Script:
    """The whole match. `truth`: rows of `truth.jsonl`, in order of time."""

    things: list[Thing]
    gestures: list[Gesture]
    truth: list[dict[str, object]]
    seconds: float


def elbow(gesture: Gesture) -> Point:
    """(2,) where the arm comes from: the player's seat, or for a guest the seat beside the owner's."""
    x = 16.0 + GAP - 4.0 if gesture.guest else 4.6
    return np.array([x, -5.5 if gesture.color == chess.WHITE else 13.5])


def write_script(
    plies: Iterable[tuple[Ply, float]],
    heights: Mapping[chess.PieceType, float],
    rng: np.random.Generator,
    start: float = 2.0,
) -> Script:
    """Hands for plies, each with the time it should be released at (seconds; later where hands need longer).

    `heights`: of the set's pieces, in squares; they are held near the top.
    """
    return _Writer(heights, rng, start).write(plies)


class _Writer:
    def __init__(self, heights: Mapping[chess.PieceType, float], rng: np.random.Generator, start: float) -> None:
        self.heights, self.rng, self.start = heights, rng, start
        self.things: list[Thing] = []
        self.gestures: list[Gesture] = []
        self.truth: list[dict[str, object]] = []
        self.on: dict[tuple[BoardName, chess.Square], Thing] = {}
        self.pocket: dict[tuple[BoardName, chess.Color], dict[int, Thing]] = {
            (board, color): {} for board in BOARDS for color in chess.COLORS
        }
        self.arrival: dict[int, float] = {}  # by id of a thing: when it reached the pocket
        self.free: dict[tuple[BoardName, chess.Color], float] = {
            (board, color): 0.0 for board in BOARDS for color in chess.COLORS
        }
        self.turn_done: dict[BoardName, float] = dict.fromkeys(BOARDS, start)
        for board in BOARDS:
            for square, piece in chess.Board().piece_map().items():
                thing = Thing(piece, self._turn(piece))
                x, y = self._spot(square)
                thing.stays.append((-1.0, board, x, y, False))
                self.on[board, square] = thing
                self.things.append(thing)

    def write(self, plies: Iterable[tuple[Ply, float]]) -> Script:
        shadow = Match()
        for ply, wanted in plies:
            self._play(shadow.board(ply.board), ply, self.start + wanted)
            shadow.push(ply.board, ply.move)
        self.truth.sort(key=lambda row: float(str(row["time"])))
        end = max(gesture.keys[-1][0] for gesture in self.gestures)
        return Script(self.things, self.gestures, self.truth, end + 2.0)

    def _turn(self, piece: chess.Piece) -> float:
        ahead = np.pi / 2 if piece.color == chess.WHITE else -np.pi / 2
        return float(ahead + self.rng.normal(0, 0.35))

    def _spot(self, square: chess.Square) -> tuple[float, float]:
        dx, dy = np.clip(self.rng.normal(0, 0.06, 2), -0.16, 0.16)
        return chess.square_file(square) + 0.5 + float(dx), chess.square_rank(square) + 0.5 + float(dy)

    def _slot(self, board: BoardName, color: chess.Color) -> tuple[int, float, float]:
        """A free place in a pocket, from the middle outwards."""
        region: Region = pockets_beside("h")[color]
        taken = self.pocket[board, color]
        number = next(n for n in range(64) if n not in taken)
        step = 0.86
        row, column = divmod(number, 3)
        x = region.x0 + 0.5 + step * column + float(self.rng.normal(0, 0.05))
        away = 0.5 + step * row + float(self.rng.normal(0, 0.05))
        return number, x, (region.y1 - away if color == chess.WHITE else region.y0 + away)

    def _play(self, before: chess.Board, ply: Ply, wanted: float) -> None:
        board, color, move = ply.board, ply.color, ply.move
        pace = float(self.rng.uniform(0.85, 1.3))
        answer = self.turn_done[board] + float(self.rng.uniform(*ANSWER))
        begin = max(wanted - 1.0, answer, self.free[board, color])
        if move.drop:
            source = self._from_pocket(board, color, move.drop)
            begin = max(begin, self.arrival[id(source)] + 0.2)
        hand = _Hand(self, board, color, begin, pace)
        captured = self._captured(before, board, move)
        if captured is not None:
            hand.take(captured)
        thing = source if move.drop else self.on.pop((board, move.from_square))
        x, y = self._spot(move.to_square)
        hand.take(thing)
        released = hand.put(thing, x, y, lies=move.promotion is not None)
        self.on[board, move.to_square] = thing
        if not move.drop and before.is_castling(move):
            short = chess.square_file(move.to_square) > 4
            rank = chess.square_rank(move.to_square)
            rook = self.on.pop((board, chess.square(7 if short else 0, rank)))
            target = chess.square(5 if short else 3, rank)
            hand.take(rook)
            released = hand.put(rook, *self._spot(target))
            self.on[board, target] = rook
        hand.press()
        self.turn_done[board] = released
        row: dict[str, object] = {
            "kind": "drop" if move.drop else "move",
            "board": board,
            "seat": seat(board, color),
        }
        row |= {
            "ply": ply.number,
            "san": ply.san,
            "uci": move.uci(),
            "start": round(begin, 3),
            "time": round(released, 3),
        }
        self.truth.append(row)
        if captured is None:
            hand.leave()
            self.free[board, color] = hand.time
        else:
            self.free[board, color] = self._pass_on(hand, captured)

    def _captured(self, before: chess.Board, board: BoardName, move: chess.Move) -> Thing | None:
        if move.drop or not before.is_capture(move):
            return None
        square = move.to_square
        if before.is_en_passant(move):
            square = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        return self.on.pop((board, square))

    def _from_pocket(self, board: BoardName, color: chess.Color, kind: chess.PieceType) -> Thing:
        pocket = self.pocket[board, color]
        fitting = [n for n, thing in pocket.items() if thing.piece.piece_type == kind]
        return pocket.pop(min(fitting, key=lambda n: self.arrival[id(pocket[n])]))

    def _pass_on(self, hand: "_Hand", thing: Thing) -> float:
        """Carry a captured piece out on the inner side and in again beside the partner; when the hand is free."""
        giver, color = hand.board, hand.color
        board, owner = partner(giver, color)
        hand.out(13.5, 1.5 if color == chess.WHITE else 6.5, thing)
        number, x, y = self._slot(board, owner)
        self.pocket[board, owner][number] = thing
        guest = _Hand(self, board, owner, hand.time - 0.15, hand.pace, guest=True, away=(14.5, y))
        guest.carry(thing)
        arrived = guest.put(thing, x, y)
        guest.leave()
        self.arrival[id(thing)] = arrived
        row = {"kind": "hand_over", "board": giver, "seat": seat(giver, color), "piece": thing.piece.symbol()}
        self.truth.append(row | {"time": round(arrived, 3)})
        return guest.time


class _Hand:
    """An arm at work: appends keys to its gesture while time goes on."""

    def __init__(
        self,
        writer: _Writer,
        board: BoardName,
        color: chess.Color,
        begin: float,
        pace: float,
        *,
        guest: bool = False,
        away: tuple[float, float] | None = None,
    ) -> None:
        self.writer, self.board, self.color, self.time, self.pace = writer, board, color, begin, pace
        self.rest = away or (4.6 + float(writer.rng.normal(0, 0.8)), -4.2 if color == chess.WHITE else 12.2)
        self.gesture = Gesture(board, color, guest, [(begin, *self.rest, 1.2)], [])
        writer.gestures.append(self.gesture)
        self.carried: list[tuple[float, Thing]] = []

    def _go(self, x: float, y: float, z: float) -> None:
        _, x0, y0, z0 = self.gesture.keys[-1]
        far = float(np.hypot(x - x0, y - y0)) + abs(z - z0)
        self.time += self.pace * REACH * (0.35 + 0.65 * min(far / 4.0, 1.6))
        self.gesture.keys.append((self.time, x, y, z))

    def _wait(self, seconds: float) -> None:
        self.time += seconds
        self.gesture.keys.append((self.time, *self.gesture.keys[-1][1:]))

    def take(self, thing: Thing) -> None:
        _, _, x, y, _ = thing.stays[-1]
        self._go(x, y, self._hold(thing))
        self._wait(NIP * self.pace)
        thing.leaves.append(self.time)
        self.carry(thing)

    def carry(self, thing: Thing) -> None:
        self.carried.append((self.time, thing))

    def put(self, thing: Thing, x: float, y: float, lies: bool = False) -> float:
        self._go(x, y, self._hold(thing))
        self._wait(NIP * self.pace)
        self._let_go(thing)
        thing.stays.append((self.time, self.board, x, y, lies))
        return self.time

    def _hold(self, thing: Thing) -> float:
        return HOLD * self.writer.heights[thing.piece.piece_type]

    def _let_go(self, thing: Thing) -> None:
        taken = next(t for t, held in self.carried if held is thing)
        self.carried = [(t, held) for t, held in self.carried if held is not thing]
        self.gesture.held.append((taken, self.time, thing))

    def press(self) -> None:
        x, y, z = CLOCK
        self._go(x, y + (-0.7 if self.color == chess.WHITE else 0.7), z)

    def out(self, x: float, y: float, thing: Thing) -> None:
        self._go(x, y, 1.2)
        self._let_go(thing)

    def leave(self) -> None:
        self._go(*self.rest, 1.2)
