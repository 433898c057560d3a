"""The live session's own thread: what goes wrong in it costs nothing that was written, and never the evening."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quadriglia.desk import Desk, state_of
from quadriglia.errors import RefusedError
from quadriglia.evening import open_journal
from quadriglia.live import LiveSession
from quadriglia.lookout import Lookout
from quadriglia.sight import Sight
from rules.events import Event
from rules.match import Match
from rules.observation import LABELS, Certain, Observation
from rules.seats import BOARDS
from vision.eye import Eye

SIGHT = Sight(None)  # type: ignore[arg-type]  # there are no cameras here


class Pages:
    """Keeps what is shown."""

    def __init__(self) -> None:
        self.shown: list[dict[str, Any]] = []

    def publish(self, snapshot: dict[str, Any]) -> None:
        self.shown.append(snapshot)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[LiveSession]:
    """A session that runs in a thread of its own, its journal opened there, as SQLite wants it."""
    ready, made = threading.Event(), list[LiveSession]()
    pages: Any = Pages()

    def run() -> None:
        with open_journal(tmp_path / "match", Match()) as journal:
            made.append(LiveSession(Desk(journal, state_of(journal)), [], SIGHT, tmp_path / "match", 1.0))
            made[0].pages = pages  # type: ignore[attr-defined]
            ready.set()
            made[0].run(pages)

    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(10)
    yield made[0]
    made[0].stop()
    thread.join(10)
    made[0].close()


def look(session: LiveSession) -> None:
    squares = np.full((64, len(LABELS)), -2.0, np.float32)
    seen = np.ones(64, np.bool_)
    session._pending.setdefault("A", [])
    session._observed(Observation("A", session.now(), squares, seen, {}, hand=False, moving=False))


def wait_for(what: Any) -> None:
    for _ in range(200):
        if what():
            return
        threading.Event().wait(0.02)
    pytest.fail("it never came")


def test_a_fault_in_tracking_is_kept(session: LiveSession, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Any) -> list[Event]:
        raise KeyError("e4")

    before = session.desk.tracker
    monkeypatch.setattr(before, "update", broken)
    look(session)
    wait_for(lambda: session.restarts == 1)
    assert session.desk.tracker is not before
    assert "KeyError" in (session.folder / "faults.log").read_text()
    assert session.command({"do": "pause"}) == 0
    wait_for(lambda: session.pages.shown[-1]["live"]["paused"])  # type: ignore[attr-defined]
    assert session.health()["restarts_total"] == 1


def test_an_eye_hears_what_has_become_certain_and_nobody_waits_for_it(
    session: LiveSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Busy(Lookout):
        """Its thread is far behind."""

        def __init__(self) -> None:
            self._wanted = []
            self._eye: Any = Eye.__new__(Eye)

        def as_json(self) -> dict[str, Any]:
            return {"age": 0.0}

        def close(self) -> None:
            pass

    busy, learnt = Busy(), list[Certain]()
    certain = Certain(0.0, np.zeros(64, np.int64), np.ones(64, np.bool_))
    monkeypatch.setattr(Eye, "learn", lambda _, one: learnt.append(one))
    monkeypatch.setattr(session.desk.tracker, "update", lambda _: [])
    monkeypatch.setattr(session.desk.tracker, "certain", lambda board: [certain] if board == "A" else [])
    session.lookouts["A"] = busy
    look(session)
    wait_for(lambda: busy._wanted)
    assert learnt == []
    busy._wanted[0]()
    assert learnt == [certain]


def test_evidence_is_cut_where_the_camera_of_the_board_shows_what_was_told(
    session: LiveSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[tuple[int, str, float, float]]()
    monkeypatch.setattr(session.clips, "ask", lambda *wish: asked.append(wish))
    session.desk.tracker.timeline.later["A"].append((1.0, 2.0))
    for board in BOARDS:
        session._ask(7, Event("alert", board, 10.0, 12.0, None, reason="unsure"))
    assert asked == [(7, "A", 8.0, 10.0), (7, "B", 10.0, 12.0)]


def test_a_fault_in_a_command_is_refused_in_one_word(session: LiveSession, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(session.desk.tracker), "undo", broken)
    with pytest.raises(RefusedError, match="fault"):
        session.command({"do": "undo", "board": "A"})
    monkeypatch.undo()
    assert session.command({"do": "resume"}) == 0


def test_a_game_file_that_cannot_be_written_stops_nothing(
    session: LiveSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert session.game().startswith("[Event")

    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("quadriglia.live.replace_file", full)
    assert session.command({"do": "end", "result": "1-0", "reason": "arbiter"}) == 1
    monkeypatch.undo()
    fen = session.desk.state.match.board("A").fen()
    assert session.command({"do": "set_position", "board": "A", "fen": fen}) == 2
    wait_for(lambda: "%setup" in session.game())


@pytest.mark.parametrize(
    "body",
    [
        {"do": "calibrate", "board": "A"},
        {"do": "calibrate", "board": ["A"], "corners": "x"},
        {"do": "calibrate"},
        {"do": None},
        {},
    ],
)
def test_what_is_not_there_cannot_be_calibrated(session: LiveSession, body: dict[str, Any]) -> None:
    with pytest.raises(RefusedError):
        session.command(body)
