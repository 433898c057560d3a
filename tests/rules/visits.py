"""Whose arms press the clock, as the arms alone tell it, in films that `corpus.py record` has kept.

`python -m tests.rules.visits DIR...`: DIR holds the truth of a film, DIR.npz its looks. Each visit of an arm to the
clock is compared with the press that the truth has at that time: by the player's own hand, his other one, or a
partner.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from rules import presses
from rules.presses import Presses
from rules.profiles import SCACCO_BRATTO
from rules.seats import BOARDS, Player
from tests.rules.corpus import load
from tests.rules.injected import player_of

PRESSED = 0.25  # seconds after an arm has come that it presses,
ABOUT = 0.8  # or so much sooner or later
WRONG = "other_hand", "partner_press"


def visits(folder: Path) -> Iterator[tuple[str, str]]:
    """Each visit in a film: whose press the truth says it was, `none` for no press, and what the arm tells."""
    watched = {board: Presses(board, SCACCO_BRATTO) for board in BOARDS}
    players = {id(player): (board, color) for board in BOARDS for color, player in watched[board].players.items()}
    truth = list(_presses(folder / "truth.jsonl"))
    found = list[tuple[str, str]]()

    def noted(visit: Any, player: Any, others: Any) -> str:
        told, pressed = not_own(visit, player, others), visit.since + PRESSED
        near = [by for who, at, by in truth if who == players[id(player)] and abs(at - pressed) < ABOUT]
        found.append((max(near, default="none", key=lambda by: by in WRONG), told or "own"))
        return told

    not_own = presses._not_own
    with patch.object(presses, "_not_own", noted):
        for look in load(folder.with_suffix(".npz")):
            watched[look.board].look(look, (), dict)
    yield from found


def _presses(truth: Path) -> Iterator[tuple[Player, float, str]]:
    """Who pressed, when, and by whose hand."""
    for row in map(json.loads, truth.read_text().splitlines()):
        if row["kind"] in ("move", "drop") and row.get("press"):
            yield player_of(row), row["press"], "own"
        elif row.get("irregularity") in WRONG:
            yield player_of(row), row["time"], row["irregularity"]


if __name__ == "__main__":
    counts = Counter(pair for name in sys.argv[1:] for pair in visits(Path(name)))
    for (by, told), count in sorted(counts.items()):
        print(f"{by}: told as {told} {count}")
