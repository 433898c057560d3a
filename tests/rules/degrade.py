"""How the tracker fares when it sees less: recorded or scripted matches, with something taken away.

`python -m tests.rules.degrade FILE.npz... [--ways busy ...]` tells for each way how many plies of how many are right,
how many were played in another order, of which the record says that it is open, and how many were not played: those of
which an alert says that nobody saw them, with those that go on from where such a one led, and those that are simply
wrong; against FILE.bpgn beside it.
`... GAMES.bpgn` scripts the matches of a file without pictures, as `stream.py` does, 3% of the kinds misread. The ways:
readings blurred until 90% of squares are right; every other look left out; one camera gone for five seconds, three
times; a computer so busy that both boards' first five seconds of play are missed, and later 2.5, 3.5 and 5 seconds;
board B told three seconds late.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from rules.events import Event
from rules.observation import LABELS, Observation
from rules.records import Game, read
from rules.seats import BOARDS, BoardName
from rules.tracker import Tracker
from simulation.produce import timed
from simulation.writer import write_script
from tests.rules.corpus import load, track
from tests.rules.stream import HEIGHTS, PAUSE, observations

WRONG = 0.1  # share of squares that read as something else
GONE = 5.0  # seconds without a camera
BUSY = (2.5, 7.5), (18.0, 20.5), (30.0, 33.5), (44.0, 49.0)  # from when to when nobody looks at all
LATE = 3.0  # seconds by which one camera lags
KIND = 0.97  # share of men in scripted matches who read as of their kind

Looks = Iterator[Observation]


def as_seen(looks: Looks) -> Looks:
    """Nothing taken away."""
    return looks


def blurred(looks: Looks) -> Looks:
    """A tenth of the squares, drawn anew whenever the board is read, take any label's likelihood for their own."""
    rng = np.random.default_rng(0)
    last: dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]] = {}
    for look in looks:
        before = last.get(look.board)
        if before is None or not np.array_equal(before[0], look.squares):
            squares = look.squares.copy()
            for square in np.flatnonzero(rng.random(64) < WRONG):
                label, top = int(rng.integers(len(LABELS))), int(squares[square].argmax())
                squares[square, [label, top]] = squares[square, [top, label]]
            before = last[look.board] = look.squares, squares
        yield replace(look, squares=before[1])


def halved(looks: Looks) -> Looks:
    """Every other look of each board."""
    number = dict.fromkeys(BOARDS, 0)
    for look in looks:
        number[look.board] += 1
        if number[look.board] % 2:
            yield look


def interrupted(looks: Looks) -> Looks:
    """Board A is not seen at all for five seconds, from second 12, 30 and 48 on."""
    for look in looks:
        gone = look.board == "A" and any(start <= look.time < start + GONE for start in (12, 30, 48))
        if not gone:
            yield look


def busy(looks: Looks) -> Looks:
    """Neither board is looked at for a while."""
    for look in looks:
        if not any(start <= look.time < end for start, end in BUSY):
            yield look


def delayed(looks: Looks) -> Looks:
    """Board B's looks come, and are stamped, three seconds late."""
    every = [replace(look, time=look.time + LATE) if look.board == "B" else look for look in looks]
    return iter(sorted(every, key=lambda look: look.time))


class Tally(NamedTuple):
    """Plies played; of those told, how many are right in their place, how many were played but not in the order told,
    which the record leaves open, how many were not played but are named by an alert as seen by nobody, or go on from
    where such a one led, and how many are invented."""

    played: int
    right: int
    order_open: int
    unwatched: int
    invented: int


def tally(tracker: Tracker, events: list[Event], game: Game) -> Tally:
    """What was told against what was played."""
    total = np.zeros(len(Tally._fields), int)
    for board in BOARDS:
        truth = [ply.move.uci() for ply in game.match.plies if ply.board == board]
        told = [ply.move for ply in tracker.match.plies if ply.board == board]
        found = [move.uci() for move in told]
        windows = _windows(board, events)
        place = _places(truth, found)
        right = set(_same(truth, found))
        order_open = {
            number
            for number in place
            if number not in right
            and all(
                _overlap(windows[number + 1], windows[other + 1])
                for other, at in place.items()
                if (at < place[number]) != (other < number) and other != number
            )
        }
        wrong = set(range(len(found))) - right - order_open
        unwatched = _unwatched(board, events, {number: told[number] for number in sorted(wrong)})
        total += len(truth), len(right), len(order_open), len(unwatched), len(wrong - unwatched)
    return Tally(*total.tolist())


def _unwatched(board: BoardName, events: list[Event], wrong: dict[int, chess.Move]) -> set[int]:
    """Which plies of those that were not played, by their number, alerts have named as seen by nobody, and which go on
    from where such a one led."""
    alerts = [
        event for event in events if event.board == board and (event.kind, event.reason) == ("alert", "unwatched")
    ]
    named = {alert.ply - 1 + n for alert in alerts for n in range(len(alert.san.split()))}
    found, led_to = set[int](), set[chess.Square]()
    for number, move in wrong.items():
        if number in named or (not move.drop and move.from_square in led_to):
            found.add(number)
            led_to.add(move.to_square)
    return found


def _same(truth: list[str], found: list[str]) -> dict[int, int]:
    """Which plies of those told are right in their place, and which they are of those played."""
    blocks = SequenceMatcher(None, truth, found, autojunk=False).get_matching_blocks()
    return {block.b + n: block.a + n for block in blocks for n in range(block.size)}


def _places(truth: list[str], found: list[str]) -> dict[int, int]:
    """Of plies told which they are of those played; none of those that never were."""
    place = _same(truth, found)
    left = [number for number in range(len(truth)) if number not in place.values()]
    for number, uci in enumerate(found):
        if number not in place and (like := next((n for n in left if truth[n] == uci), None)) is not None:
            place[number] = like
            left.remove(like)
    return place


def _windows(board: BoardName, events: list[Event]) -> dict[int, tuple[float, float]]:
    """From when to when each ply of a board may have been played, by its number."""
    found: dict[int, tuple[float, float]] = {}
    for event in events:
        if event.board == board and event.kind in ("move", "drop", "correction"):
            found[event.ply] = event.earliest or event.time, event.time
    return found


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


WAYS: dict[str, Callable[[Looks], Looks]] = {
    way.__name__: way for way in (as_seen, blurred, halved, interrupted, busy, delayed)
}


def matches(path: Path) -> Iterator[tuple[Game, Looks]]:
    """The recorded match of a file, or the scripted ones of its games."""
    if path.suffix == ".npz":
        (game,) = read(path.with_suffix(".bpgn").read_text())
        yield game, load(path)
        return
    for number, game in enumerate(read(path.read_text())):
        rng = np.random.default_rng(number)
        yield game, observations(write_script(timed(game, PAUSE), HEIGHTS, rng), rng, KIND)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    options = parser.parse_args()
    for way in options.ways:
        total = np.zeros(len(Tally._fields), int)
        number = alerts = 0
        for game, looks in (match for path in options.paths for match in matches(path)):
            tracker, events, _ = track(WAYS[way](looks))
            total += tally(tracker, events, game)
            alerts += sum(event.kind == "alert" for event in events)
            number += 1
        count = Tally(*total.tolist())
        print(
            f"{way}: {count.right} of {count.played} plies of {number} matches right, {count.order_open} in an order "
            f"that nobody saw; not played {count.unwatched} that are said to be unseen, {count.invented} others; "
            f"{alerts} alerts",
            flush=True,
        )


if __name__ == "__main__":
    main()
