"""The record of a live match: append-only, sealed, and the same match when it is added up again."""

import contextlib
import io
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from quadriglia import cli
from quadriglia.desk import Desk, state_of
from quadriglia.errors import RefusedError, UserError
from quadriglia.evening import JOURNAL, open_journal
from quadriglia.exporting import read_record
from quadriglia.journal import Entry, Journal, JournalError
from quadriglia.live import goes_on_at
from rules.clocks import Clocks, TimeControl
from rules.events import Event
from rules.match import Match
from rules.observation import Observation
from rules.profiles import PROFILES
from rules.records import read
from tests.rules.table import Table

PLAYERS = {board: {"white": f"W{board}", "black": f"B{board}"} for board in "AB"}
E4, D5 = {"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}


class Evening(Table):
    """A desk at a table: what is put on the boards is what it sees."""

    def __init__(self, folder: Path) -> None:
        self.journal = open_journal(folder, Match())
        self.desk = Desk(self.journal, state_of(self.journal))
        super().__init__(Match().replay((ply.board, ply.move) for ply in self.desk.state.match.plies))
        self.tracker = Behind(self.desk)  # type: ignore[assignment]
        self.look(1.0)

    def do(self, **body: Any) -> int:
        """A command."""
        return self.desk.command(body, self.time)


class Behind:
    """A desk where a table has its tracker."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def update(self, look: Observation) -> list[Event]:
        """What was told of a look."""
        before = len(self.desk.state.events)
        self.desk.look(look)
        return [event for _, event in self.desk.state.events[before:]]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "match")
    with evening.journal:
        yield evening


def again(evening: Evening) -> dict[str, Any]:
    """The state as a new process finds it."""
    with Journal(evening.journal.path) as journal:
        return state_of(journal).body()


def test_entries_are_numbered_sealed_and_never_changed(tmp_path: Path) -> None:
    with Journal(tmp_path / "r.sqlite", create=True) as journal:
        written = journal.add([Entry("one", 0.5, {"à": 1}), Entry("two", 1.0, {})])
        assert [entry.number for entry in written] == [1, 2]
        assert [(entry.kind, entry.time, entry.body) for entry in journal.entries()] == [
            ("one", 0.5, {"à": 1}),
            ("two", 1.0, {}),
        ]
        assert journal.faults() == []
        for statement in ("UPDATE entry SET time = 9", "DELETE FROM entry"):
            with pytest.raises(sqlite3.IntegrityError, match="never"):
                journal._file.execute(statement)
        assert journal._file.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert journal._file.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    with pytest.raises(UserError):
        Journal(tmp_path / "r.sqlite", create=True)


@pytest.mark.parametrize(
    "tamper",
    ["UPDATE entry SET body='{}' WHERE number=2", "DELETE FROM entry WHERE number=2", "UPDATE entry SET wall=1"],
)
def test_tampering_is_seen(tmp_path: Path, tamper: str) -> None:
    path = tmp_path / JOURNAL
    with Journal(path, create=True) as journal:
        journal.add([Entry("begin", 0, {"n": n}) for n in range(4)])
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.executescript(f"DROP TRIGGER no_change; DROP TRIGGER no_removal; {tamper};")
    with Journal(path) as journal:
        assert journal.faults()


def test_a_file_that_is_none_is_one_line(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / JOURNAL).write_bytes(b"no database at all, but long enough to be looked at" * 99)
    assert cli.main(["verify", str(tmp_path)]) == 2
    (tmp_path / JOURNAL).unlink()
    with contextlib.closing(sqlite3.connect(tmp_path / JOURNAL)) as other:
        other.execute("CREATE TABLE x (y)")
    assert cli.main(["export", str(tmp_path)]) == 2
    (tmp_path / JOURNAL).unlink()
    assert cli.main(["export", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_what_is_rebuilt_is_what_was_shown(evening: Evening) -> None:
    for squares in (E4, D5, {"e4": "", "d5": "P"}):
        evening.put("A", **squares)
        evening.look(0.8)
    evening.do(do="players", players=PLAYERS)
    evening.do(do="clock_control", control="180+2")
    evening.do(do="clock_start")
    evening.look(2.0)
    evening.do(do="press", board="B", color="white")
    evening.put("B", a2="", a5="P")  # against the rules
    evening.look(2.0)
    (alert,) = evening.desk.state.alerts
    evening.do(do="alert", id=alert, status="accepted")
    evening.do(do="undo", board="B", revision=evening.desk.state.revision)
    fen = evening.desk.state.match.board("B").fen()
    evening.do(do="set_position", board="B", fen=fen.replace("[", "[q"))
    evening.do(do="pause")
    shown = evening.desk.state.body()
    assert shown["plies"][:3] == [
        ["A", True, "e2e4", "e4", True],
        ["A", False, "d7d5", "d5", True],
        ["A", True, "e4d5", "exd5", True],
    ]
    assert shown["alerts"] == {str(alert): "accepted"}
    assert shown["paused"]
    assert again(evening) == shown
    assert evening.journal.faults() == []
    match = evening.desk.state.match
    assert evening.desk.tracker.match.plies == match.plies
    assert [evening.desk.tracker.match.board(b).fen() for b in "AB"] == [match.board(b).fen() for b in "AB"]  # type: ignore[arg-type]


def test_a_match_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    with evening.journal:
        evening.put("A", **E4)
        evening.look(1.0)
    later = Evening(tmp_path)
    with later.journal:
        assert later.desk.tracker.state("A") == "ready"  # what stands there is what the record says
        later.time = evening.time
        later.put("A", **D5)
        later.look(1.0)
        assert [ply.san for ply in later.desk.state.match.plies] == ["e4", "d5"]


def test_a_command_upon_something_old_is_refused(evening: Evening) -> None:
    evening.put("A", **E4)
    evening.look(1.0)
    old = evening.desk.state.revision
    evening.put("A", **D5)
    evening.look(1.0)
    with pytest.raises(RefusedError, match="stale") as caught:
        evening.do(do="undo", board="A", revision=old)
    assert caught.value.status == 409
    assert len(evening.desk.state.match.plies) == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"do": 3},
        {"do": "fly"},
        {"do": "undo"},
        {"do": "undo", "board": "C"},
        {"do": "undo", "board": ["A"]},
        {"do": "choose", "board": "A", "number": 7},
        {"do": "choose", "board": "A", "number": 0},
        {"do": "set_position", "board": "A", "fen": "8/8/8/8/8/8/8/8[] w - - 0 1"},
        {"do": "set_position", "board": "A", "fen": "x" * 5000},
        {"do": "end", "result": "2-0", "reason": "arbiter"},
        {"do": "end", "result": "1-0", "reason": "<b>"},
        {"do": "alert", "id": 5, "status": "accepted"},
        {"do": "players", "players": {"A": {"white": 1}}},
        {"do": "press", "board": "A", "color": "red"},
        {"do": "press", "board": "A", "color": ["white"]},
        {"do": "clock_set", "board": "A", "color": "white", "seconds": float("nan")},
        {"do": "clock_set", "board": "A", "color": "white", "seconds": True},
        {"do": "clock_control", "control": "soon"},
        {"do": "profile", "profile": "none"},
    ],
)
def test_a_command_that_makes_no_sense_is_refused_and_changes_nothing(evening: Evening, body: dict[str, Any]) -> None:
    before = evening.desk.state.body()
    with pytest.raises(RefusedError):
        evening.do(**body)
    assert evening.desk.state.body() == before == again(evening)


def test_nothing_is_shown_that_could_not_be_written(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Any, __: Any) -> None:
        raise JournalError("database or disk is full")

    told: list[Any] = []
    evening.desk.when_told(told.append)
    with monkeypatch.context() as broken:
        broken.setattr(Journal, "add", full)
        evening.put("A", **E4)
        evening.look(1.0)
        assert evening.desk.snapshot(evening.time)["moves"] == []
        assert "full" in evening.desk.snapshot(evening.time)["live"]["fault"]
        with pytest.raises(RefusedError, match="record"):
            evening.do(do="pause")
        assert told == []
    evening.desk.tick(evening.time + 1.0)
    assert [move["san"] for move in evening.desk.snapshot(evening.time)["moves"]] == ["e4"]
    assert evening.desk.fault == ""
    assert [event.san for batch in told for _, event in batch] == ["e4"]
    assert again(evening) == evening.desk.state.body()


def test_a_full_disk_loses_nothing(evening: Evening) -> None:
    """SQLite's own limit stands for the disk's: it fails in the same place, in the middle of a transaction."""
    file = evening.journal._file
    pages = file.execute("PRAGMA page_count").fetchone()[0]
    file.execute(f"PRAGMA max_page_count = {pages}")
    names = iter(range(200))

    def write_on() -> None:
        for number in names:
            evening.do(do="players", players={b: {"white": f"{number}", "black": "x" * 60} for b in "AB"})

    with pytest.raises(RefusedError, match="record"):
        write_on()
    assert "full" in evening.desk.fault
    assert again(evening) == evening.desk.state.body()
    file.execute("PRAGMA max_page_count = 100000")
    evening.desk.tick(evening.time + 1)
    assert int(evening.desk.state.players["A"]["white"]) == next(names) - 1  # the one that had to wait
    assert evening.journal.faults() == []


def test_a_flag_ends_the_match_and_two_are_asked_about(evening: Evening) -> None:
    evening.do(do="clock_control", control="60")
    evening.do(do="clock_start")
    evening.do(do="clock_set", board="B", color="white", seconds=30)
    evening.desk.tick(evening.time + 29)
    assert evening.desk.state.end is None
    evening.desk.tick(evening.time + 31)
    end = evening.desk.state.end
    assert end is not None
    assert (end.result, end.reason, end.board) == ("1-0", "flag", "B")
    assert evening.desk.snapshot(evening.time + 31)["result"] == "1-0"
    assert again(evening)["result"] == "1-0"


def test_another_profile_before_the_first_ply_only(evening: Evening) -> None:
    evening.do(do="profile", profile="gallarate")
    assert evening.desk.state.match.profile.name == "gallarate"
    assert evening.desk.tracker.match.profile == PROFILES["gallarate"]
    assert again(evening)["profile"]["profile"] == "gallarate"
    evening.look(1.0)
    evening.put("A", **E4)
    evening.look(1.0)
    with pytest.raises(RefusedError, match="too_late"):
        evening.do(do="profile", profile="uscf")


def test_verify_and_export(evening: Evening, tmp_path: Path, capsys: Any) -> None:
    folder = evening.journal.path.parent
    evening.do(do="players", players=PLAYERS)
    evening.do(do="clock_control", control="180")
    evening.do(do="clock_start")
    for board, squares in (("A", E4), ("B", {"d2": "", "d4": "P"}), ("A", D5), ("A", {"e4": "", "d5": "P"})):
        evening.put(board, **squares)  # type: ignore[arg-type]
        evening.look(1.0)
    evening.do(do="end", result="0-1", reason="resignation")
    assert cli.main(["verify", str(folder)]) == 0
    assert "0-1" in capsys.readouterr().out
    out = tmp_path / "out"
    assert cli.main(["export", str(folder), "--out", str(out)]) == 0
    (game,) = read((out / "match.bpgn").read_text())
    assert [ply.san for ply in game.match.plies] == ["e4", "d4", "d5", "exd5"]
    assert game.tags["BlackB"] == "BB"
    assert game.result == "0-1"
    assert all(left is not None and 170 < left <= 180 for left in game.clocks)
    pgn = chess.pgn.read_game(io.StringIO((out / "board-b.pgn").read_text()))
    assert pgn is not None
    assert pgn.headers["Result"] == "1-0"
    assert (out / "board-a.pgn").read_text().endswith("1. e4 d5 2. exd5 0-1\n")
    assert read_record(folder).players == PLAYERS
    evening.journal.close()
    with (folder / JOURNAL).open("r+b") as file:  # a torn page
        file.seek(4096)
        file.write(b"\xff" * 2048)
    assert cli.main(["verify", str(folder)]) in (1, 2)


def test_times_are_estimated_where_no_clock_was_kept(evening: Evening) -> None:
    evening.do(do="clock_control", control="180+2")
    for squares in (E4, D5, {"e4": "", "d5": "P"}):
        evening.put("A", **squares)
        evening.look(5.0)
    text = evening.desk.game()
    assert '[ClockTimes "estimated from moves"]' in text
    assert '[TimeControl "180+2"]' in text
    (game,) = read(text)
    assert game.clocks == [182.0, pytest.approx(177, abs=0.3), pytest.approx(179, abs=0.3)]


def test_a_fault_in_tracking_costs_nothing_that_was_written(evening: Evening) -> None:
    evening.put("A", **E4)
    evening.look(1.0)
    evening.desk.restart()
    assert evening.desk.tracker.state("A") == "waiting"
    evening.look(1.0)
    evening.put("A", **D5)
    evening.look(1.0)
    assert [ply.san for ply in evening.desk.state.match.plies] == ["e4", "d5"]


def test_the_machine_s_clock_may_be_set_back(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    hour_ago = time.time() - 3600
    monkeypatch.setattr("quadriglia.journal.wall.time", lambda: hour_ago)
    evening.put("A", **E4)
    evening.look(1.0)
    evening.do(do="clock_start")
    assert [entry.number for entry in evening.journal.entries()] == list(range(1, evening.journal.count + 1))
    assert evening.journal.faults() == []
    assert again(evening) == evening.desk.state.body()
    assert goes_on_at(evening.desk.state) >= evening.time  # the match's own time never runs back
    monkeypatch.setattr("quadriglia.live.wall.time", lambda: hour_ago - 9999)
    assert goes_on_at(evening.desk.state) == evening.desk.state.time


def test_clocks_go_on_and_can_be_set() -> None:
    clocks = Clocks(TimeControl(60.0))
    clocks.start("A", 0.0, chess.BLACK)
    clocks.start("A", 5.0)  # it runs already
    assert clocks.left("A", chess.BLACK, 10.0) == 50.0
    clocks.set("A", chess.BLACK, 20.0, 10.0)
    clocks.set("A", chess.WHITE, 7.0, 10.0)
    assert clocks.left("A", chess.BLACK, 15.0) == 15.0
    assert clocks.left("A", chess.WHITE, 15.0) == 7.0
    assert clocks.running("A") == chess.BLACK
    assert clocks.dump() == {"A": [7.0, 20.0, False, 10.0], "B": [60.0, 60.0, None, 0.0]}
