"""`quadriglia live` as a user starts it: real processes, real videos in real time, the pages' addresses over HTTP."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from quadriglia import cli
from quadriglia.demo import SAMPLE
from quadriglia.exporting import read_record
from rules.notation import parse

PATIENCE = 90.0  # seconds until something must have come: a machine may be busy, and slow


class Live:
    """A running program. `url`: of its pages."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "quadriglia", "live", "--port", "0", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout
        self.said: list[str] = []
        self.url = ""
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
                self.url = found[0]
                break
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout
        self.said.extend(self.process.stdout)

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.url + path, timeout=5) as answer:
            return bytes(answer.read())

    def snapshot(self) -> dict[str, Any]:
        return dict(json.loads(self.get("snapshot.json")))

    def command(self, **body: Any) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.url + "command", json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())

    def until(self, true: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first snapshot of which something is true."""
        began = time.monotonic()
        while True:
            shown = self.snapshot()
            if shown.get("live") and true(shown):
                return shown
            assert time.monotonic() - began < PATIENCE, shown
            time.sleep(0.1)

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(20)


@pytest.fixture
def start() -> Iterator[Callable[..., Live]]:
    running: list[Live] = []

    def begin(*options: str) -> Live:
        running.append(Live(*options))
        return running[-1]

    yield begin
    for live in running:
        live.process.kill()
        live.process.communicate()


def cameras(folder: Path) -> list[str]:
    sources = [f"--camera-{board}={SAMPLE / f'{board}.mp4'}" for board in "ab"]
    return [*sources, "--out", str(folder)]


def found(shown: dict[str, Any]) -> bool:
    return all(shown["live"]["cameras"][board]["found"] for board in "AB")


def test_the_boards_are_found(start: Callable[..., Live], tmp_path: Path) -> None:
    live = start(*cameras(tmp_path / "match"))
    assert live.url, live.said
    shown = live.until(found)["live"]["cameras"]
    assert [shown[board]["way"] for board in "AB"] == ["pieces", "pieces"]


def test_an_evening(start: Callable[..., Live], tmp_path: Path, capsys: Any) -> None:
    # The boards were set up beforehand: on a busy machine they are found only when play has long begun.
    venue = tmp_path / "venue.toml"
    for board in "ab":
        video = str(SAMPLE / f"{board}.mp4")
        assert cli.main(["calibrate", video, "--board", board, "--venue", str(venue)]) == 0
    folder = tmp_path / "match"
    evening = [*cameras(folder), "--venue", str(venue)]
    live = start(*evening)
    assert live.url, live.said
    live.until(found)
    players = {b: {"white": f"Anna {b}", "black": "<script>"} for b in "AB"}
    assert live.command(do="players", players=players)[0] == 200
    live.until(lambda shown: len(shown["moves"]) >= 6)
    shown = live.until(lambda shown: shown["live"]["cameras"]["A"]["state"] == "live")
    assert shown["live"]["players"]["B"]["black"] == "<script>"
    assert live.get("picture/A.jpg")[:2] == b"\xff\xd8"
    assert b'quadriglia_camera_live{board="B"} ' in live.get("metrics")

    # Two arbiters put the same thing right at the same time: one of them, and the other is told.
    answers: list[int] = []
    live.command(do="pause")
    seen: list[int] = []

    def rests(shown: dict[str, Any]) -> bool:
        """What was on its way when the match was paused has been told."""
        seen.append(shown["revision"])
        return seen[-5:] == [seen[-1]] * 5

    shown = live.until(rests)
    revision, fen = shown["revision"], shown["boards"]["B"]["fen"]

    def correct() -> None:
        answers.append(live.command(do="set_position", board="B", fen=fen, revision=revision)[0])

    both = [threading.Thread(target=correct) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert sorted(answers) == [200, 409]
    live.command(do="resume")
    before = live.until(lambda shown: len(shown["moves"]) >= 10)

    # The power fails. What was shown is there again.
    assert live.end(signal.SIGKILL) == -signal.SIGKILL
    moves = [move["san"] for move in before["moves"]]
    kept = read_record(folder)
    assert [ply.san for ply in kept.match.plies][: len(moves)] == moves
    assert kept.players == players
    assert cli.main(["verify", str(folder)]) == 0
    began = time.monotonic()
    again = start(*evening)
    shown = again.until(lambda shown: len(shown["moves"]) >= len(moves))
    assert time.monotonic() - began < 10
    assert any("record" in line.lower() for line in again.said)
    assert shown["live"]["players"] == players
    assert again.command(do="end", result="1-0", reason="arbiter")[0] == 200
    assert again.end(signal.SIGTERM) == 0
    assert list((folder / "video").glob("A-*.mkv"))
    capsys.readouterr()
    assert cli.main(["export", str(folder)]) == 0
    # As it is written, not by the rules: a machine so busy that it looks once a second may have misjudged a move.
    (game,) = parse((folder / "match.bpgn").read_text())
    assert game.result == "1-0"
    assert [word.san for word in game.words][: len(moves)] == moves
    assert game.tags["WhiteA"] == "Anna A"


def test_two_boards_need_two_cameras(capsys: Any) -> None:
    assert cli.main(["live", "--camera-a", "0", "--camera-b", "0"]) == 2
    assert "camera" in capsys.readouterr().err
    assert cli.main(["live", "--pockets-a", "x"]) == 2
