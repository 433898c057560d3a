"""Recorded matches at full pace through the tracker: what was played, and every event as it was told before."""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.records import read
from rules.seats import BOARDS
from tests.rules.corpus import told

PRESSED = "partner_press"  # in `pressed`, of four times three are told
RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.npz"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_what_was_played_is_told_as_before(path: Path) -> None:
    events = [json.loads(line) for line in told(path)]
    (game,) = read(path.with_suffix(".bpgn").read_text())
    moves = [event for event in events if event["kind"] in ("move", "drop")]
    assert not [
        event for event in events if event["kind"] in ("alert", "correction") and event.get("reason") != PRESSED
    ]
    for board in BOARDS:
        assert [move["uci"] for move in moves if move["board"] == board] == [
            ply.move.uci() for ply in game.match.plies if ply.board == board
        ]
    before = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
    assert [timeless(event) for event in events] == [timeless(event) for event in before], "see corpus.py reference"
    for event, old in zip(events, before, strict=True):
        assert event["committed"] == pytest.approx(old["committed"], abs=0.15)


def timeless(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in ("time", "committed", "confidence")}
