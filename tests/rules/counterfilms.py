"""Filmed games with counters, from the picture to the record: `python -m tests.rules.counterfilms DIR...`

Each DIR was written by `quadriglia simulate` from a record of Quad Wrangle or Affollata. Board and start are found in
the pictures, nothing is given. One line a film: whether every action is right, where it first is not, and which
irregularities were told under their kind; and a last line over all.
"""

import argparse
import json
import time as wall
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quadriglia.boards import place
from quadriglia.opening import OnTheTable, begun
from quadriglia.session import observations
from quadriglia.sight import Sight
from rules.countermatch import CounterMatch
from rules.counterrecord import game_of
from rules.counters import CounterGame
from rules.events import Event
from rules.notation import parse
from rules.observation import labels_of
from rules.tracker import Tracker
from vision.reader import Reader
from vision.source import Source

TOLD_AS = {"illegal_drop": {"drop_occupied"}, "double_move": {"two_moves"}}
"""Alerts by the irregularity of the simulator; for the others it has the same name."""
LATE = 10.0  # seconds after which an alert is of something else


@dataclass(slots=True)
class Tally:
    """`exact`: films; `injected`, `told`: irregularities by kind; `besides`: alerts that nothing called for."""

    films: int = 0
    exact: int = 0
    actions: int = 0
    right: int = 0
    injected: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    besides: int = 0
    delays: list[float] = field(default_factory=list)

    def lines(self) -> list[str]:
        """All of it in words."""
        said = [f"{self.exact} of {self.films} exact; {self.right} of {self.actions} actions before a game first parts"]
        if self.injected:
            kinds = ", ".join(f"{kind} {self.told[kind]} of {count}" for kind, count in sorted(self.injected.items()))
            middle = sorted(self.delays)[len(self.delays) // 2] if self.delays else float("nan")
            said.append(
                f"{self.told.total()} of {self.injected.total()} irregularities told, after {middle:.1f} s: {kinds}"
            )
        return [*said, f"{self.besides} alerts besides"]


def watch(folder: Path, game: CounterGame, reader: Reader) -> tuple[Tracker, list[Event]]:
    """Track one film."""
    sight, source = Sight(reader, game), Source("A", folder / "a.mp4")
    found = place(source, None, None, sight)
    match = begun(OnTheTable(game), source, found.view, sight)
    tracker, told, last = Tracker(match), list[Event](), 0.0
    for look in observations(found, sight, labels_of(match.board("A"))):
        told += tracker.update(look)
        last = look.time
    return tracker, told + tracker.finish(last)


def compare(
    truth: CounterMatch, rows: Sequence[dict[str, Any]], tracker: Tracker, events: Sequence[Event], tally: Tally
) -> str:
    """Add one game to the tally; what is not as it should be, in a line. `rows`: of `truth.jsonl`."""
    played, found = [ply.san for ply in truth.plies], [ply.san for ply in tracker.match.plies]
    same = (n for n, (a, b) in enumerate(zip(played, found, strict=False)) if a != b)
    apart = next(same, min(len(played), len(found)))
    tally.films, tally.exact = tally.films + 1, tally.exact + (played == found)
    tally.actions, tally.right = tally.actions + len(played), tally.right + apart
    gone = {(event.reason, event.time) for event in events if event.kind == "withdrawn"}
    alerts = [e for e in events if e.kind == "alert" and (e.reason, e.time) not in gone]
    missed = [row for row in rows if row["kind"] == "irregularity" and not _told(row, alerts, tally)]
    tally.besides += len(alerts)
    faults = []
    if played != found:
        here, there = " ".join(played[apart : apart + 2]), " ".join(found[apart : apart + 2])
        faults.append(f"at ply {apart + 1} of {len(played)} played {here}, tracked {there}")
    if missed:
        faults.append("not told: " + " ".join(f"{row['irregularity']}@{row['ply']}" for row in missed))
    if alerts:
        faults.append("besides: " + ", ".join(f"{alert.reason} {alert.san} {alert.time:.0f} s" for alert in alerts))
    return "; ".join(faults)


def _told(row: dict[str, Any], alerts: list[Event], tally: Tally) -> bool:
    """Whether one of the alerts, which is then taken away, tells of an irregularity."""
    kind = row["irregularity"]
    tally.injected[kind] += 1
    for alert in alerts:
        if alert.reason in TOLD_AS.get(kind, {kind}) and -2.0 < alert.committed - row["time"] < LATE:
            alerts.remove(alert)
            tally.told[kind] += 1
            tally.delays.append(alert.committed - row["time"])
            return True
    return False


def main() -> None:
    """Print a line a film, and one over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("films", type=Path, nargs="+")
    tally, reader = Tally(), Reader()
    for folder in parser.parse_args().films:
        began = wall.perf_counter()
        truth = game_of(next(iter(parse((folder / "truth.pgn").read_text())))).match
        rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
        line = compare(truth, rows, *watch(folder, truth.game, reader), tally)
        print(f"{folder.name}: {line or 'exact'} ({wall.perf_counter() - began:.0f} s)", flush=True)
    print(*tally.lines(), sep="\n")


if __name__ == "__main__":
    main()
