"""Kills the program in the middle of a match, again and again: `python -m tests.quadriglia.killed [--count 200]`.

Each time a process tracks a recorded match while the arbiter corrects, accepts and presses clocks, tells what was
written and shown, and is killed (SIGKILL) at a random moment. Then the record must hold all that was shown, be whole,
and add up to the very state that was shown last, or to a later one. Told at the end: runs, entries that were lost,
states that differ, broken records, and how long it took to rebuild them.
"""

import argparse
import hashlib
import json
import random
import select
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from quadriglia.desk import Desk, state_of
from quadriglia.errors import RefusedError
from quadriglia.evening import JOURNAL, open_journal
from quadriglia.journal import Journal
from quadriglia.state import State, added_up
from rules.match import Match
from rules.tracker import Tracker
from tests.rules.corpus import load

LOOKS = Path(__file__).parents[1] / "rules" / "recorded" / "full-pace-1.npz"


def digest(state: State) -> str:
    """A state in a few letters."""
    return hashlib.sha256(json.dumps(state.body(), sort_keys=True).encode()).hexdigest()[:16]


def play(folder: Path, seed: int) -> None:
    """Be the process that is killed: go on with a match as fast as it goes, telling what is shown."""
    rng = random.Random(seed)
    with open_journal(folder, Match()) as journal:
        desk = Desk(journal, state_of(journal))
        begun = desk.state.time
        for look in load(LOOKS):
            if look.time <= begun:
                continue
            desk.look(look)
            if rng.random() < 0.02:
                _meddle(desk, rng, look.time)
            print(journal.count, digest(desk.state) if rng.random() < 0.2 else "", flush=True)


def _meddle(desk: Desk, rng: random.Random, time: float) -> None:
    """Something an arbiter or a player does."""
    board = rng.choice("AB")
    alerts = list(desk.state.alerts)
    bodies: list[dict[str, Any]] = [
        {"do": "clock_start"},
        {"do": "press", "board": board, "color": rng.choice(["white", "black"])},
        {"do": "clock_set", "board": board, "color": "white", "seconds": rng.uniform(5, 300)},
        {"do": "players", "players": {b: {"white": f"W{rng.random()}", "black": "B"} for b in "AB"}},
        {"do": "pause"},
        {"do": "resume"},
        {"do": "undo", "board": board, "revision": desk.state.revision},
        {"do": "set_position", "board": board, "fen": desk.state.match.board(board).fen()},  # type: ignore[arg-type]
        {"do": "alert", "id": rng.choice(alerts) if alerts else 0, "status": "accepted"},
    ]
    with suppress(RefusedError):  # there may be no alert to accept, and nothing to undo
        desk.command(rng.choice(bodies), time)


def kill(seed: int, folder: Path, most: float) -> tuple[int, str]:
    """Run `play` and kill it after up to `most` seconds; the last entry and state that it told of."""
    rng = random.Random(seed)
    command = [sys.executable, "-m", "tests.quadriglia.killed", "--play", str(folder), "--seed", str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout
        select.select([process.stdout], [], [], 60.0)
        time.sleep(rng.uniform(0, most))
        process.kill()
        lines = process.stdout.read().decode().splitlines(keepends=True)
    told = [line.split() for line in lines if line.endswith("\n")]
    shown = [(int(parts[0]), parts[1]) for parts in told if len(parts) == 2]
    return int(told[-1][0]) if told else 0, json.dumps(shown[-1]) if shown else ""


def check(folder: Path, acknowledged: int, shown: str) -> tuple[int, bool, bool, float]:
    """Entries lost, whether the state differs, whether the record is broken, and seconds to rebuild it."""
    started = time.perf_counter()
    with Journal(folder / JOURNAL) as journal:
        state = state_of(journal)
        tracker = Tracker(state.match)
        took = time.perf_counter() - started
        differs = False
        if shown:
            number, wanted = json.loads(shown)
            entries = list(journal.entries())[:number]
            earlier = added_up(entries)
            differs = digest(earlier) != wanted
        assert tracker.match is state.match
        return max(0, acknowledged - journal.count), differs, bool(journal.faults()), took


def main() -> None:
    """Print one line over all runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=float, default=4.0, help="seconds after which it is killed at the latest")
    parser.add_argument("--play", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        play(options.play, options.seed)
        return
    lost = differing = broken = entries = 0
    took = []
    for number in range(options.count):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "match"
            for again in range(2):  # the second process goes on where the first was killed
                acknowledged, shown = kill(options.seed + 2 * number + again, folder, options.most)
                missing, differs, damaged, seconds = check(folder, acknowledged, shown)
                lost, differing, broken = lost + missing, differing + differs, broken + damaged
                entries += acknowledged
                took.append(seconds)
    print(
        f"killed {2 * options.count} times: {entries} entries shown, {lost} lost, {differing} states differ, {broken} "
        f"records broken; rebuilt in {np.median(took):.3f} s (median), {max(took):.3f} s (most)"
    )


if __name__ == "__main__":
    main()
