"""Observations of a scripted match without a picture: what a middling reader would say, hands hiding squares.

Kinds are read wrong often and steadily: each piece has its own confusion for the whole match, as real readers have.
`python tests/rules/stream.py GAMES.bpgn [--seeds N] [--kind 0.75]` tracks every match of a file and prints the tally.
"""

import argparse
import time as wall
from collections.abc import Iterator
from pathlib import Path

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import pockets_beside
from rules.events import Event
from rules.observation import EMPTY, LABELS, UPRIGHT, Observation, PocketObservation, Reach
from rules.records import Game, read
from rules.seats import BOARDS, BoardName
from rules.tracker import Tracker
from simulation.produce import timed
from simulation.script import Gesture, Script, Thing, elbow
from simulation.writer import write_script
from vision.arms import ABOUT, CLOCK

HEIGHTS = {1: 0.9, 2: 1.15, 3: 1.3, 4: 1.05, 5: 1.5, 6: 1.7}
FPS = 10
PAUSE = 2.2  # seconds: longer ones teach nothing
LINGER = 0.15  # seconds for which a square is not read after a hand was over it
IN_PICTURE = -1.5, 9.5  # ranks between which a camera sees what reaches over the table
UNSTEADY = 0.016  # squares by which a base at rest is read here and there
SHOULDER = 0.7, 0.5  # squares by which a shoulder is told wrongly: of one arm each time it comes, and in each look


class Confusion:
    """How one piece reads: (13,) probabilities around which each look scatters."""

    def __init__(self, rng: np.random.Generator, kind: float) -> None:
        self.rng, self.kind = rng, kind
        self.of: dict[int, NDArray[np.float64]] = {}

    def look(self, thing: Thing | None, key: int) -> NDArray[np.float32]:
        """Log-likelihoods of one look; `key` names an empty square."""
        if key not in self.of:
            self.of[key] = self._draw(thing)
        noisy = self.of[key] * np.exp(self.rng.normal(0, 0.5, len(LABELS)))
        return np.asarray(np.maximum(np.log(noisy / noisy.sum()), -6), np.float32)

    def _draw(self, thing: Thing | None) -> NDArray[np.float64]:
        p = np.full(len(LABELS), 0.002)
        if thing is None:
            p[EMPTY] = 0.95
            return p
        label = LABELS.index(thing.piece.symbol())
        first = label - label % 6
        p[first : first + 6] += 0.02
        read_as = label if self.rng.random() < self.kind else first + int(self.rng.integers(6))
        p[read_as] += self.rng.uniform(0.4, 0.95)
        p[label] += 0.05
        return np.asarray(p / p.sum(), np.float64)


def observations(script: Script, rng: np.random.Generator, kind: float) -> Iterator[Observation]:
    """Both boards in turns, `FPS` looks a second each."""
    confusion = Confusion(rng, kind)
    unsteady, guess = rng.spawn(2)
    shoulders: dict[int, float] = {}
    covered = {board: np.full(64, -1.0) for board in BOARDS}
    covered_pocket = {(board, color): -1.0 for board in BOARDS for color in chess.COLORS}
    squares = {board: np.zeros((64, len(LABELS)), np.float32) for board in BOARDS}
    for tick in range(int(script.seconds * FPS)):
        for offset, board in enumerate(BOARDS):
            time = tick / FPS + 0.03 * offset
            on, beside = _standing(script, board, time)
            for gesture in script.gestures:
                if gesture.board == board:
                    cover(gesture, time, covered[board], covered_pocket)
            seen = time - covered[board] > LINGER
            for square in np.flatnonzero(seen):
                thing = on.get(int(square))
                key = id(thing) if thing is not None else int(square) + 100 * (board == "B")
                squares[board][square] = confusion.look(thing, key)
            pockets = {}
            for color in chess.COLORS:
                things = [thing for thing in beside[color] if thing.piece.color == color]
                others = [_place(thing, time) for thing in beside[color] if thing.piece.color != color]
                rows = np.array([confusion.look(t, id(t)) for t in things], np.float32).reshape(-1, len(LABELS))
                centres = np.array([_place(t, time) for t in things], np.float32).reshape(-1, 2)
                clear = time - covered_pocket[board, color] > LINGER
                pockets[color] = PocketObservation(rows, centres, clear, np.array(others, np.float32).reshape(-1, 2))
            lying, offsets = np.full(64, -UPRIGHT, np.float32), np.zeros((64, 2), np.float32)
            for number, thing in on.items():
                place = thing.at(time)
                assert place is not None
                offsets[number] = place[1:3] - CENTRES[number] + unsteady.normal(0, UNSTEADY, 2)
                lying[number] = UPRIGHT if place[3] else -UPRIGHT
            moving = not seen.all()
            yield Observation(
                board, time, squares[board].copy(), seen, pockets, moving, moving, lying=lying, offsets=offsets,
                reaches=tuple(_reaches(script, board, time, guess, shoulders)),
            )  # fmt: skip


def _reaches(
    script: Script, board: BoardName, time: float, rng: np.random.Generator, shoulders: dict[int, float]
) -> Iterator[Reach]:
    """Arms over a board. `shoulders`: by how much that of each gesture is told wrongly."""
    for gesture in script.gestures:
        tip = gesture.tip(time) if gesture.board == board else None
        if tip is not None and IN_PICTURE[0] < tip[1] < IN_PICTURE[1]:
            shoulder = elbow(gesture, "h")
            enters = tip[0] + (shoulder[0] - tip[0]) * min(1.0, *_ways_out(tip[:2], shoulder))
            at_clock = tip[0] < 0 and abs(tip[1] - 4) < ABOUT
            place = float(tip[0]), float(tip[1])
            seen = shoulder[0] - 4 + shoulders.setdefault(id(gesture), rng.normal(0, SHOULDER[0]))
            aside = float(seen + rng.normal(0, SHOULDER[1]))
            yield Reach(place, gesture.color, aside, float(enters - 4), bool(at_clock))


def _ways_out(tip: NDArray[np.float64], shoulder: NDArray[np.float64]) -> Iterator[float]:
    """Shares of the way to the shoulder after which an arm is out of the picture."""
    for at, to, low, high in zip(tip, shoulder, (-1.0 - CLOCK, IN_PICTURE[0]), (12.5, IN_PICTURE[1]), strict=True):
        yield max(((high if to > at else low) - at) / (to - at), 0.0)


def _standing(script: Script, board: BoardName, time: float) -> tuple[dict[int, Thing], dict[chess.Color, list[Thing]]]:
    on: dict[int, Thing] = {}
    beside: dict[chess.Color, list[Thing]] = {True: [], False: []}
    for thing in script.things:
        place = thing.at(time)
        if place is None or place[0] != board:
            continue
        _, x, y, _ = place
        if 0 <= x < 8 and 0 <= y < 8:
            on[int(y) * 8 + int(x)] = thing
        for color, region in pockets_beside("h").items():
            if region.holds(x, y):
                beside[color].append(thing)
    return on, beside


def _place(thing: Thing, time: float) -> tuple[float, float]:
    """Where its base is, in board coordinates."""
    place = thing.at(time)
    assert place is not None
    return place[1], place[2]


CENTRES = np.array([(s % 8 + 0.5, s // 8 + 0.5) for s in range(64)])


def cover(
    gesture: Gesture, time: float, covered: NDArray[np.float64], pockets: dict[tuple[BoardName, bool], float]
) -> None:
    """Note the squares and pockets that a gesture hides at a time: `covered` and `pockets` keep when each last was."""
    tip = gesture.tip(time)
    if tip is None:
        return
    start, end = tip[:2], elbow(gesture, "h")
    way = end - start
    part = np.clip((CENTRES - start) @ way / (way @ way), 0, 1)
    away = np.hypot(*(CENTRES - start - part[:, None] * way).T)
    covered[away < 0.95] = time
    for color in chess.COLORS:
        middle = np.array([9.8, 2.0 if color else 6.0])
        t = float(np.clip((middle - start) @ way / (way @ way), 0, 1))
        gap = np.abs(middle - start - t * way)
        if gap[0] < 2.0 and gap[1] < 2.6:
            pockets[gesture.board, color] = time


def track(game: Game, seed: int, kind: float) -> tuple[Script, Tracker, list[Event]]:
    """Script one match, watch it, and return what was tracked."""
    rng = np.random.default_rng(seed)
    script = write_script(timed(game, PAUSE), HEIGHTS, rng)
    tracker = Tracker()
    events: list[Event] = []
    for observation in observations(script, rng, kind):
        events += tracker.update(observation)
    events += tracker.finish(script.seconds)
    return script, tracker, events


def wrong(script: Script, tracker: Tracker) -> list[str]:
    """Where each board's moves first part from the truth."""
    parted = []
    for board in BOARDS:
        truth = [str(row["uci"]) for row in script.truth if row["kind"] in ("move", "drop") and row["board"] == board]
        found = [ply.move.uci() for ply in tracker.match.plies if ply.board == board]
        if truth != found:
            at = next(
                (n for n, (a, b) in enumerate(zip(truth, found, strict=False)) if a != b), min(len(truth), len(found))
            )
            parted.append(f"board {board} ply {at + 1}: played {truth[at : at + 3]}, tracked {found[at : at + 3]}")
    return parted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--kind", type=float, default=0.75)
    options = parser.parse_args()
    exact = matches = plies = corrections = passed = given = 0
    for number, game in enumerate(read(options.games.read_text())):
        for seed in range(options.seeds):
            started = wall.perf_counter()
            script, tracker, events = track(game, 1000 * seed + number, options.kind)
            parted = wrong(script, tracker)
            matches, exact, plies = matches + 1, exact + (not parted), plies + len(game.match.plies)
            corrections += sum(event.kind == "correction" for event in events)
            passed += sum(event.kind == "hand_over" for event in events)
            given += sum(row["kind"] == "hand_over" for row in script.truth)
            took = wall.perf_counter() - started
            alerts = sum(event.kind == "alert" for event in events)
            print(
                number, seed, f"{script.seconds:.0f}s in {took:.1f}s alerts {alerts}", *parted or ["exact"], flush=True
            )
    print(
        f"{exact} of {matches} matches exact, {plies} plies, {corrections} corrections, {passed} of {given} hand-overs"
    )


if __name__ == "__main__":
    main()
