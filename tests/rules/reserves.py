"""How well reserves are read, once a second, while nothing is passed or dropped there."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules.observation import LABELS, Observation
from rules.seats import BOARDS, BoardName
from rules.slots import kinds_and_presence

EVERY = 1.0  # seconds
BEFORE, AFTER = 1.0, 0.4  # seconds for which what stands there is the same
SIDES = {True: "white", False: "black"}
STRANGER = "?"


def read_reserves(looks: Iterator[Observation], truth: Path) -> dict[str, Any]:
    """Of all looks at reserves in which something stands, or seems to: the share of exact ones and of those exact in
    number, and men missed and too many. One of the other colour who stands there is to be seen as a stranger.
    `truth`: the folder of a filmed match."""
    states = states_of(truth)
    tally, last = Counter[str](), dict[tuple[str, bool], float]()
    for look in looks:
        for color, pocket in look.pockets.items():
            if not pocket.seen or look.time - last.get((look.board, color), -EVERY) < EVERY:
                continue
            letters = _content(states[look.board], look.time, SIDES[color])
            if letters is None:
                continue
            last[look.board, color] = look.time
            wanted = Counter(letter.upper() if letter.isupper() == color else STRANGER for letter in letters)
            found = Counter(LABELS[kind] for kind in kinds_and_presence(pocket)[0].argmax(1))
            found[STRANGER] += len(pocket.strangers)
            if wanted or found.total():
                tally["looks"] += 1
                tally["exact"] += found == wanted
                tally["exact in number"] += found.total() == wanted.total()
                tally["missed"] += max(wanted.total() - found.total(), 0)
                tally["too many"] += max(found.total() - wanted.total(), 0)
    share = {name: round(tally[name] / max(tally["looks"], 1), 3) for name in ("exact", "exact in number")}
    return {"reserves": tally["looks"], **share, "missed": tally["missed"], "too many": tally["too many"]}


def _content(states: list[dict[str, Any]], time: float, side: str) -> str | None:
    """Letters of what stands in a reserve; None where that changes just then. `states`: of its board."""
    contents = {row[side] for row in around(states, time)}
    return contents.pop() if len(contents) == 1 else None


def states_of(truth: Path) -> dict[BoardName, list[dict[str, Any]]]:
    """By board, the states that a filmed match's folder tells, in order of time."""
    rows = [json.loads(line) for line in (truth / "truth.jsonl").read_text().splitlines()]
    return {board: [row for row in rows if row["kind"] == "state" and row["board"] == board] for board in BOARDS}


def around(states: list[dict[str, Any]], time: float) -> list[dict[str, Any]]:
    """A board's state shortly before a time, and those it had since, until shortly after."""
    before = [row for row in states if row["time"] <= time - BEFORE][-1:] or states[:1]
    return before + [row for row in states if time - BEFORE < row["time"] <= time + AFTER]
