"""A match from sources to record, with a tracker that knows what to see."""

import json
import threading
import time as wall
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration.view import pockets_beside
from quadriglia.boards import place
from quadriglia.errors import UserError
from quadriglia.record import Record, free_folder
from quadriglia.session import LAG, Moment, run
from quadriglia.sight import Sight
from rules.match import Match
from vision.source import Source

Film = Callable[..., Path]
SIGHT = Sight(None)  # type: ignore[arg-type]  # the scripted eyes are blind
MOVES = [(0.2, "A", "e4"), (0.4, "A", "d5"), (0.6, "B", "d4"), (0.8, "A", "exd5"), (1.0, "A", "Qxd5")]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def places(film: Film) -> list[Any]:
    sources = [Source("A", film("a.mp4")), Source("B", film("b.mp4", 1.5))]
    return [place(source, None, pockets_beside("h"), SIGHT) for source in sources]


def test_a_match_and_its_record(script: Any, places: list[Any], tmp_path: Path) -> None:
    script.moves, script.alerts, script.result = MOVES, [(1.1, "B", "unsure")], "1-0"
    moments: list[Moment] = []
    with Record(tmp_path / "out", 2) as record:
        summary = run(Match(), places, SIGHT, record, [moments.append])
    out = tmp_path / "out"
    events = lines(out / "events.jsonl")
    assert [event.get("san") for event in events if event["kind"] == "move"] == ["e4", "d5", "d4", "exd5", "Qxd5"]
    assert [event["piece"] for event in events if event["kind"] == "hand_over"] == ["p", "P"]
    assert [event["reason"] for event in lines(out / "alerts.jsonl")] == ["unsure"]
    text = (out / "match.bpgn").read_text()
    assert "1A. e4 1a. d5 1B. d4 2A. exd5 2a. Qxd5 1-0" in text
    assert summary == json.loads((out / "summary.json").read_text())
    assert summary["plies"] == {"A": 4, "B": 1}
    assert summary["hand_overs"] == 2
    assert summary["alerts"] == {"unsure": 1}
    assert summary["frames"] == {"A": 20, "B": 15}
    assert summary["seconds"] == pytest.approx(1.9, abs=0.01)
    assert summary["result"] == "1-0"
    assert summary["corners"]["A"]["from"] == "found"
    assert len(moments) == 36
    assert [moment.time for moment in moments] == sorted(moment.time for moment in moments)
    assert moments[-1].share == 1.0


def test_an_eye_learns_of_each_look_so_many_looks_later_however_fast_it_is(
    script: Any, places: list[Any], tmp_path: Path
) -> None:
    def dawdle(moment: Moment) -> None:
        wall.sleep(0.003 * (int(10 * moment.time) % 3))

    with Record(tmp_path / "out", 2) as record:
        summary = run(Match(), places, SIGHT, record, [dawdle])
    looks = {board: [round(time, 3) for name, _, time in script.learnt if name == board] for board in ("A", "B")}
    assert looks == {"A": [n / 10 for n in range(20 - LAG)], "B": [n / 10 for n in range(15 - LAG)]}
    assert all(number == LAG + round(10 * time) for _, number, time in script.learnt)
    assert summary["frames"] == {"A": 20, "B": 15}


@pytest.mark.parametrize("boards", ["A", "AB"])
def test_eyes_that_wait_for_the_tracker_are_let_go_when_it_fails(
    script: Any, places: list[Any], tmp_path: Path, boards: str
) -> None:
    script.fails, threads = 0.35, threading.active_count()
    with Record(tmp_path / "out", len(boards)) as record, pytest.raises(KeyError):
        run(Match(), places[: len(boards)], SIGHT, record)
    assert threading.active_count() == threads
    assert max(number for _, number, _ in script.learnt) <= LAG + 4


def test_what_was_read_survives_a_sudden_end(script: Any, places: list[Any], tmp_path: Path) -> None:
    script.moves = MOVES

    def trip(moment: Moment) -> None:
        if moment.time > 0.65:
            raise RuntimeError("power cut")

    with Record(tmp_path / "out", 2) as record:
        with pytest.raises(RuntimeError, match="power cut"):
            run(Match(), places, SIGHT, record, [trip])
        # Read while the record is still open: nothing waits in a buffer.
        events = lines(tmp_path / "out" / "events.jsonl")
        assert [event["san"] for event in events] == ["e4", "d5", "d4"]
        assert "1A. e4 1a. d5 1B. d4 *" in (tmp_path / "out" / "match.bpgn").read_text()
    assert not (tmp_path / "out" / "summary.json").exists()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"events.jsonl", "alerts.jsonl", "match.bpgn"}


def test_one_board_gives_pgn(script: Any, film: Film, tmp_path: Path) -> None:
    script.moves = [(0.1, "A", "e4"), (0.3, "A", "e5")]
    places = [place(Source("A", film("a.mp4")), None, None, SIGHT)]
    assert places[0].view.pockets == {}
    with Record(tmp_path / "out", 1) as record:
        summary = run(Match("chess"), places, SIGHT, record)
    assert "1. e4 e5 *" in (tmp_path / "out" / "match.pgn").read_text()
    assert summary["plies"] == {"A": 2}


def test_a_match_in_which_nothing_happened_is_a_record_too(script: Any, places: list[Any], tmp_path: Path) -> None:
    script.state = "waiting"
    with Record(tmp_path / "out", 2) as record:
        assert run(Match(), places, SIGHT, record)["result"] == "*"
    assert (tmp_path / "out" / "match.bpgn").read_text().endswith("*\n\n")


def test_speed_holds_it_back(script: Any, places: list[Any], tmp_path: Path) -> None:
    script.moves = MOVES
    with Record(tmp_path / "out", 2) as record:
        summary = run(Match(), places, SIGHT, record, speed=4)
    assert 0.4 < summary["wall_seconds"] < 2
    assert summary["speed"] <= 4.5


def test_a_used_folder_is_left_alone(tmp_path: Path) -> None:
    with Record(tmp_path / "out", 2):
        pass
    with pytest.raises(UserError) as caught:
        Record(tmp_path / "out", 2)
    assert caught.value.key == "out_used"
    (tmp_path / "file").touch()
    with pytest.raises(UserError) as caught:
        Record(tmp_path / "file", 2)
    assert caught.value.key == "out_not_writable"


def test_free_folder_counts_on(tmp_path: Path) -> None:
    assert free_folder(tmp_path).name == "match-1"
    for name in ("match-1", "match-3", "match-x"):
        (tmp_path / name).mkdir()
    assert free_folder(tmp_path).name == "match-2"
