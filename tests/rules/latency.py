"""How soon plies show and are told: `python -m tests.rules.latency DIR...`, films with their recorded looks beside.

A ply shows once it is the next that `Tracker.provisional` says, is told once it is certain. Both are counted from the
first look in which all its squares lie open, and from when its man was put down, the hand still over him.
"""

import argparse
import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np

from rules.observation import Observation
from rules.seats import BOARDS
from rules.tracker import Tracker
from tests.rules.corpus import load


@dataclass(slots=True)
class Delay:
    """A ply of the truth, and when it lay open, showed, and was told, in seconds; infinity for never."""

    board: str
    number: int
    san: str
    squares: list[chess.Square]
    played: float
    opened: float = np.inf
    shown: float = np.inf
    told: float = np.inf


def delays(folder: Path) -> list[Delay]:
    """Those of a film's plies that were told as they were played."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    plies = [_delay(row) for row in truth if row["kind"] in ("move", "drop")]
    followed(plies, load(folder.with_suffix(".npz")))
    return [ply for ply in plies if max(ply.opened, ply.told) < np.inf]


def followed(plies: Sequence[Delay], looks: Iterator[Observation]) -> None:
    """Enter when each ply lay open, showed and was told."""
    tracker = Tracker()
    waiting = {board: deque(ply for ply in plies if ply.board == board) for board in BOARDS}
    for look in looks:
        told = {(e.board, e.ply, e.san) for e in tracker.update(look) if e.kind in ("move", "drop", "correction")}
        here, count = waiting[look.board], tracker.match.count(look.board)
        shows = dict(enumerate(tracker.provisional(look.board), count + 1))
        for ply in here:
            if ply.played > look.time:
                break
            if look.seen[ply.squares].all():
                ply.opened = min(ply.opened, look.time)
            if (ply.board, ply.number, ply.san) in told:
                ply.told = look.time
            if ply.told == look.time or shows.get(ply.number) == ply.san:
                ply.shown = min(ply.shown, look.time)
        while here and min(count - here[0].number, look.time - here[0].opened) > 0:
            here.popleft()


def _delay(row: dict[str, str]) -> Delay:
    move = chess.Move.from_uci(row["uci"])
    squares = [move.from_square, move.to_square]
    return Delay(row["board"], int(row["ply"]), row["san"], squares, float(row["time"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    found = [delay for folder in parser.parse_args().folders for delay in delays(folder)]
    for since in ("opened", "played"):
        for until in ("shown", "told"):
            took = [max(getattr(delay, until) - getattr(delay, since), 0.0) for delay in found]
            median, most = np.quantile(took, (0.5, 0.9))
            print(f"{since} to {until:5}: {median:.2f} s (median), {most:.2f} s (90%), n={len(took)}")


if __name__ == "__main__":
    main()
