"""A match without a picture of one: tiny grey videos, and a tracker that knows what to see when."""

import time as wall
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import chess
import numpy as np
import pytest

from calibration.find import BoardNotFoundError, Found
from calibration.view import View
from quadriglia import matches, session
from rules.events import Event
from rules.match import Match
from rules.observation import LABELS, Certain, Observation
from rules.seats import BoardName
from vision.frame import Frame

CORNERS = [(8.0, 8.0), (56.0, 8.0), (56.0, 56.0), (8.0, 56.0)]
SIZE = (64, 64)


@dataclass
class Script:
    """What the match will be. `moves`: time, board and SAN; `alerts`: time, board, kind. `found`: whether boards
    are found. `state`: what the tracker says of itself."""

    moves: list[tuple[float, BoardName, str]] = field(default_factory=list)
    alerts: list[tuple[float, BoardName, str]] = field(default_factory=list)
    result: str = ""
    found: bool = True
    state: str = "running"
    fails: float = np.inf  # seconds after which the tracker does
    learnt: list[tuple[BoardName, int, float]] = field(default_factory=list)  # before which look of which board an eye
    # got to know what was certain at what time; the scripted tracker is certain of all that it sees


class ScriptedTracker:
    script = Script()

    def __init__(self, match: Match) -> None:
        self.match = match
        self.last: list[Certain] = []
        self.moves = list(self.script.moves)
        self.alerts = list(self.script.alerts)

    def state(self, board: BoardName) -> str:
        del board
        return self.script.state

    def provisional(self, board: BoardName) -> list[str]:
        del board
        return []

    def explanations(self, board: BoardName) -> list[list[str]]:
        del board
        return [["e4"], ["d4"]] if self.script.state == "unsure" else []

    def certain(self, _: BoardName) -> list[Certain]:
        return self.last

    def update(self, observation: Observation) -> list[Event]:
        events = []
        now = observation.time
        if now > self.script.fails:
            wall.sleep(0.1)  # the eyes are as far ahead as they may be
            raise KeyError
        self.last = [Certain(now, np.zeros(64, np.int64), observation.seen)]
        while self.moves and self.moves[0][0] <= now:
            events += self._play(*self.moves.pop(0), now)
        while self.alerts and self.alerts[0][0] <= now:
            time, board, kind = self.alerts.pop(0)
            events.append(Event("alert", board, time, now, chess.WHITE, reason=kind))
        return events

    def _play(self, time: float, board: BoardName, san: str, now: float) -> list[Event]:
        move = self.match.parse_san(board, san)
        ply = self.match.push(board, move)
        kind: Any = "drop" if move.drop else "move"
        events = [Event(kind, board, time, now, ply.color, ply.number, ply.san, move.uci())]
        if ply.passed:
            letter = chess.piece_symbol(ply.passed)
            piece = letter if ply.color else letter.upper()
            events.append(Event("hand_over", board, time, now, ply.color, ply.number, piece=piece))
        return events

    def finish(self, time: float) -> list[Event]:
        if not self.script.result:
            return []
        return [
            Event("end", "A", time, time, chess.WHITE, result=self.script.result, reason="checkmate"),
        ]


class BlindEye:
    def __init__(self, view: View, reader: object, start: object, school: object) -> None:
        del reader, start, school
        self.view = view
        self.looks = 0
        self.learnt: list[tuple[int, float]] = []

    def learn(self, certain: Certain) -> None:
        self.learnt.append((self.looks, certain.time))

    def observe(self, frame: Frame) -> Observation:
        self.looks += 1
        ScriptedTracker.script.learnt += [(frame.board, *learnt) for learnt in self.learnt]
        self.learnt.clear()
        nothing = np.zeros((64, len(LABELS)), np.float32)
        return Observation(frame.board, frame.time, nothing, np.ones(64, bool), {}, hand=False, moving=False)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """What will be seen; fill it in before the run."""
    wanted = Script()

    def find(image: object) -> Found:
        del image
        if not wanted.found:
            raise BoardNotFoundError("nothing here")
        return Found(View.from_corners(CORNERS, SIZE), 0.9, orientation_sure=True)

    monkeypatch.setattr(ScriptedTracker, "script", wanted)
    monkeypatch.setattr(session, "Tracker", ScriptedTracker)
    monkeypatch.setattr("quadriglia.sight.Eye", BlindEye)
    monkeypatch.setattr(matches, "Reader", lambda: None)
    monkeypatch.setattr("quadriglia.sight.find_board", find)
    monkeypatch.setattr("quadriglia.sight.facing", lambda _image, corners, _reader: (corners, False))
    monkeypatch.setattr("quadriglia.calibrating.find_pockets", lambda _image, _view, _reader: None)
    return wanted


@pytest.fixture
def film(tmp_path: Path) -> Callable[..., Path]:
    """Writes a grey video of so many seconds at 10 pictures a second, each a little brighter than the last."""

    def write(name: str, seconds: float = 2.0, grain: int = 0) -> Path:
        path = tmp_path / name
        rng = np.random.default_rng(0)
        with av.open(str(path), "w") as container:
            stream = container.add_stream("mpeg4", rate=10)
            stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
            for number in range(round(10 * seconds)):
                noise = rng.integers(-grain, grain + 1, (SIZE[1], SIZE[0], 3))
                image = (50 + number + noise).astype(np.uint8)
                container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
            container.mux(stream.encode())
        return path

    return write
