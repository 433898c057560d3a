"""Writes the script of a game of counters: one hand acts, turns what must turn one after the other, and leaves.

A counter is turned in 0.4 to 0.7 s. A two-sided one is flipped over its cell; one of a single colour gives way to one
from the heap, where the hand goes before and after.
"""

from collections.abc import Mapping, Sequence

import chess
import numpy as np

from rules.countermatch import CounterPly
from rules.counters import Counters
from simulation.counterhand import CounterHand
from simulation.counterset import Discs
from simulation.counterstage import HEAP, Layout
from simulation.counterwrong import Slip
from simulation.scribe import NIP, Scribe
from simulation.script import Row, Script, Thing

ANSWER = (-0.25, 0.9)  # seconds from the end of a turn to the other player's reaching out
EARLY = 0.15, (-1.5, -0.2)  # share of turns for which a player reaches out while the other still turns, and how soon
TURNING = 0.8  # of a usual way's time that one takes while counters are turned
WITHDRAWN = 0.08  # share of counters after which the hand draws back a little
CLEARED = 0.2  # share of turns at which all that is replaced is taken off first
LAID = 0.3  # share of times that a counter is laid beside the heap, not into it


def write_counter_script(
    start: Counters,
    plies: Sequence[tuple[CounterPly, float]],
    slips: Mapping[int, Slip],
    discs: Discs,
    layout: Layout,
    rng: np.random.Generator,
) -> Script:
    """Hands for the actions of a game, each with the time its turn should end at (seconds; later where hands need
    longer). `slips`: which of them are irregular, by number."""
    return CounterWriter(start, discs, layout, rng).write(plies, slips)


class CounterWriter(Scribe):
    """The state of a game being written. `on`: what stands on cells. `loose`: what lies beside the heap, by place."""

    def __init__(self, start: Counters, discs: Discs, layout: Layout, rng: np.random.Generator) -> None:
        super().__init__(discs.heights, rng, 2.0, layout.side, [("A", chess.WHITE), ("A", chess.BLACK)])
        self.discs, self.layout = discs, layout
        self.turn_done = self.pressed = self.start
        self.loose: dict[int, Thing] = {}
        self.on = {
            cell: self.thing(piece, -1.0, "A", *discs.spot(cell, rng)) for cell, piece in start.piece_map().items()
        }

    def write(self, plies: Sequence[tuple[CounterPly, float]], slips: Mapping[int, Slip]) -> Script:
        """The whole script."""
        for ply, wanted in plies:
            self.play(ply, self.start + wanted, slips.get(ply.number))
        return self.finished(plies[-1][1] if plies else 0.0)

    def play(self, ply: CounterPly, wanted: float, slip: Slip | None) -> None:
        """One action and all that is turned by it."""
        cells = self._in_turn(ply)
        hand = CounterHand(self, self.discs, ply.color, self._begin(ply, wanted), self.pace())
        start = hand.time
        released, waste = self._act(hand, ply)
        hand.pace *= TURNING
        times = self._turn(hand, cells, waste)
        hand.pace /= TURNING
        self.turn_done = done = max([released, *times.values()])
        self._unload(hand, waste)
        hand.until(self.pressed)  # the other may still be bringing counters to the heap
        pressed = hand.press() if self.layout.clock else 0.0
        hand.leave()
        self.free["A", ply.color] = hand.time
        self.pressed = pressed = pressed or hand.time
        told: Row = {"ply": ply.number, "san": ply.san, "uci": ply.move.uci()}
        told |= {"turned": [*map(chess.square_name, cells)], "start": round(start, 3), "done": round(done, 3)}
        kind = "drop" if ply.move.drop else "move"
        self.row(kind, "A", ply.color, released, told | {"press": round(pressed, 3)})
        if slip is not None:
            self._tell(ply, slip, released, times, pressed)

    def _tell(
        self, ply: CounterPly, slip: Slip, released: float, times: Mapping[chess.Square, float], pressed: float
    ) -> None:
        """An irregularity shows as the counter is turned that must not; what was left, only when the turn is over."""
        extra = [times[cell] for cell in chess.scan_forward(slip.extra)]
        time = max(extra) if extra else pressed if slip.left else released
        cells = [*map(chess.square_name, chess.scan_forward(slip.left | slip.extra))]
        told: Row = {"irregularity": slip.kind, "ply": ply.number, "uci": ply.move.uci(), "cells": cells}
        self.row("irregularity", "A", ply.color, time, told | {"until": round(time, 3)})

    def _begin(self, ply: CounterPly, wanted: float) -> float:
        """When the hand sets out."""
        count = ply.turned.bit_count()
        needed = 1.6 + 0.6 * count + (0.0 if self.discs.two_sided or not count else 1.2)
        share, early = EARLY
        if self.rng.random() < share:
            begin = self.turn_done + float(self.rng.uniform(*early))
        else:
            begin = max(wanted - needed, self.turn_done + float(self.rng.uniform(*ANSWER)))
        return max(begin, self.start, self.free["A", ply.color])

    def _in_turn(self, ply: CounterPly) -> list[chess.Square]:
        """The counters to turn, once around the cell, from anywhere, either way."""
        middle, ahead = ply.move.to_square, float(self.rng.uniform(0, 2 * np.pi))
        way = 1 if self.rng.random() < 0.5 else -1

        def angle(cell: chess.Square) -> float:
            dx = chess.square_file(cell) - chess.square_file(middle)
            return float((way * np.arctan2(chess.square_rank(cell) - chess.square_rank(middle), dx) + ahead) % 6.2832)

        return sorted(chess.scan_forward(ply.turned), key=angle)

    # an action

    def _act(self, hand: CounterHand, ply: CounterPly) -> tuple[float, list[Thing]]:
        """Bring the counter to its cell; when it is let go, and what the hand holds then."""
        move, x, y = ply.move, *self.discs.spot(ply.move.to_square, self.rng)
        mover = self._fetch(hand, ply.color) if move.drop else self.on.pop(move.from_square)
        taken = self.on.pop(move.to_square, None)
        # Who reaches out early hovers until the other has done.
        hand.go(*((x, y) if move.drop else mover.stays[-1][2:4]), 1.7)
        hand.until(self.turn_done + 0.05)
        self.on[move.to_square] = mover
        if taken is None:
            if not move.drop:
                hand.lift(mover)
            return hand.lay(mover, x, y), []
        if move.drop or self.rng.random() < 0.5:  # it makes way as the other comes
            if not move.drop:
                hand.lift(mover)
            hand.palm(mover)
            return hand.exchange(taken, mover, x, y), [taken]
        hand.lift(taken)
        waste = [taken]
        if self.rng.random() < 0.5:
            self._carry_off(hand, taken)
            waste = []
        else:
            hand.palm(taken)
        hand.lift(mover)
        return hand.lay(mover, x, y), waste

    def _turn(self, hand: CounterHand, cells: Sequence[chess.Square], waste: list[Thing]) -> dict[chess.Square, float]:
        """Turn counters; when each was. What is replaced goes to `waste`."""
        old = {cell: self.on[cell] for cell in cells}
        new = {cell: self._twin(thing) for cell, thing in old.items()}
        self.on |= new
        if not cells or self.discs.two_sided:
            return {cell: self._exchanged(hand, old[cell], new[cell], cell, cells) for cell in cells}
        waste += old.values()
        if len(cells) < 2 or self.rng.random() >= CLEARED:
            self._visit(hand)
            return {cell: self._exchanged(hand, old[cell], new[cell], cell, cells) for cell in cells}
        for thing in old.values():
            hand.lift(thing)
            hand.palm(thing)
        self._visit(hand)
        times = {}
        for cell, thing in new.items():
            hand.rise()
            hand.carry(thing)
            times[cell] = hand.lay(thing, *self.discs.spot(cell, self.rng))
        return times

    def _exchanged(
        self, hand: CounterHand, old: Thing, new: Thing, cell: chess.Square, cells: Sequence[chess.Square]
    ) -> float:
        """Turn one counter; the hand stays over the board for the next, or draws back and comes again."""
        if cell != cells[0] and self.rng.random() < WITHDRAWN:
            _, x, y, _ = hand.gesture.keys[-1]
            back = -1 if hand.color == chess.WHITE else 1
            hand.go(x, y + back * float(self.rng.uniform(1.5, 3.5)), 1.6)
            hand.wait(float(self.rng.uniform(0.2, 0.9)))
        return hand.exchange(old, new, *self.discs.spot(cell, self.rng))

    # counters that are not on the board

    def _counter(self, color: chess.Color) -> Thing:
        """One that comes out of the heap."""
        made = self.thing(chess.Piece(chess.PAWN, color), 0.0, "A", 0.0, 0.0)
        made.stays.clear()
        return made

    def _twin(self, thing: Thing) -> Thing:
        """The counter that takes the place of one that is turned; a two-sided one stays as it is, the other side up."""
        made = self._counter(not thing.piece.color)
        made.turn = thing.turn if self.discs.two_sided else made.turn
        return made

    def _fetch(self, hand: CounterHand, color: chess.Color) -> Thing:
        """Lift a counter from beside the heap, or from it."""
        for place, thing in self.loose.items():
            fits = self.discs.two_sided or thing.piece.color == color
            if fits and thing.stays[-1][0] <= hand.time:
                del self.loose[place]
                hand.lift(thing)
                if thing.piece.color == color:
                    return thing
                hand.palm(thing)
                twin = self._twin(thing)
                hand.carry(twin)
                return twin
        self._visit(hand)
        made = self._counter(color)
        hand.carry(made)
        hand.rise()
        return made

    def _visit(self, hand: CounterHand) -> None:
        """Reach into the heap."""
        x, y = np.array(self.layout.heap) + self.rng.uniform(-0.5, 0.5, 2) * HEAP
        hand.go(float(x), float(y), 0.6)
        hand.wait(NIP * hand.pace * 1.5)

    def _carry_off(self, hand: CounterHand, thing: Thing) -> None:
        """Put a lifted counter down beside the heap, or throw it in."""
        places = self.layout.loose()
        free = [number for number in range(len(places)) if number not in self.loose]
        if free and self.rng.random() < LAID:
            hand.lay(thing, *places[free[0]])
            self.loose[free[0]] = thing
        else:
            self._visit(hand)
            hand.palm(thing)

    def _unload(self, hand: CounterHand, waste: Sequence[Thing]) -> None:
        """Bring what the hand holds to the heap."""
        if waste:
            hand.rise()
            hand.carry(waste[-1])
            self._carry_off(hand, waste[-1])
