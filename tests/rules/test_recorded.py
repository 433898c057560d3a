"""Recorded matches at full pace through the tracker: what was played, and every event as it was told before."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rules.observation import Observation, PocketObservation
from rules.records import read
from rules.seats import BOARDS
from tests.rules.corpus import load, save, told, track
from tests.rules.degrade import LATE, Looks, busy, delayed, interrupted, tally
from tests.rules.disturbed import disturbed

PRESSED = "partner_press"  # in `pressed`, all four times are told
NOTHING = np.zeros((64, 13), np.float32), np.zeros(64, np.bool_), dict[bool, PocketObservation]()
RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.npz"))
SLOWEST = "full-pace-2"


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.thorough if path.stem == SLOWEST else ()) for path in RECORDED],
    ids=lambda path: path.stem,
)
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


@pytest.mark.thorough
@pytest.mark.parametrize("way", [interrupted, busy])
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_where_nobody_looks_for_a_while_nothing_is_invented(path: Path, way: Callable[[Looks], Looks]) -> None:
    """Three times one board, or four times both; the last plies may be missed, the order of some told otherwise."""
    (game,) = read(path.with_suffix(".bpgn").read_text())
    tracker, events, _ = track(way(load(path)))
    found = tally(tracker, events, game)
    assert (found.unwatched, found.invented) == (0, 0)
    assert found.right + found.order_open >= 0.9 * found.played
    assert "unwatched" in {event.reason for event in events}


@pytest.mark.thorough
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_camera_that_lags_by_three_seconds_costs_no_ply(path: Path) -> None:
    (game,) = read(path.with_suffix(".bpgn").read_text())
    tracker, events, _ = track(delayed(load(path)))
    found = tally(tracker, events, game)
    assert found == (found.played, found.played, 0, 0, 0)
    assert tracker.lag.seconds == pytest.approx(LATE, abs=0.3)


@pytest.mark.thorough
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_match_filmed_once_more_is_told_again(path: Path) -> None:
    (game,) = read(path.with_suffix(".bpgn").read_text())
    tracker, events, _ = track(disturbed(load(path), np.random.default_rng(0)))
    found = tally(tracker, events, game)
    assert found == (found.played, found.played, 0, 0, 0)
    assert {event.reason for event in events if event.kind == "alert"} <= {PRESSED}


@pytest.mark.parametrize("small", [False, True])
def test_a_recorded_look_is_the_same_again(small: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    before = Observation("A", 0.0, *NOTHING, hand=False, moving=True)
    squares, features = (rng.normal(0, 1, (64, wide)).astype(np.float32) for wide in (13, 4))
    seen = rng.random(64) < 0.5
    covered, behind = rng.random((2, 64)) < 0.5
    look = replace(before, time=0.5, squares=squares, seen=seen, covered=covered, behind=behind, features=features)
    assert save(tmp_path / "looks.npz", iter([before, look]), small) == 2
    first, again = load(tmp_path / "looks.npz")
    assert not first.seen.any()
    assert (again.seen == seen).all()
    assert not first.covered.any()
    assert (again.covered == covered).all()
    assert (again.behind == behind).all()
    assert again.time == 0.5
    assert np.allclose(again.squares, squares, atol=0.01)
    assert again.features.shape == (64, 0 if small else 4)
    assert small or np.allclose(again.features, features, atol=0.01)


def timeless(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in ("time", "committed", "confidence")}
