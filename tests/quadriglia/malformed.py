"""Malformed input of every kind: `python -m tests.quadriglia.malformed [--count 100000] [--seed 0]`.

A real server with a real desk gets broken HTTP requests, WebSocket handshakes and messages, commands; venue files, game
records, record files and pictures are damaged at random and read as a user's would be. What counts as a failure: the
server no longer answers, an answer holds a traceback, anything but the one-line errors is raised, or the record does
not add up to the match. Told: inputs and failures by kind.
"""

import argparse
import json
import random
import socket
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from quadriglia.demo import SAMPLE
from quadriglia.desk import Desk, state_of
from quadriglia.errors import RefusedError, UserError
from quadriglia.evening import JOURNAL, open_journal
from quadriglia.exporting import read_record
from quadriglia.pageserver import PageServer
from quadriglia.ruling import venue_profile
from quadriglia.venue import read_venue
from rules.check import check
from rules.match import Match
from rules.notation import parse
from vision.source import SourceError, read_picture

Fuzz = Callable[[random.Random], None]
PIECES = [b"GET", b"POST", b" / ", b"HTTP/1.1", b"\r\n", b"\r\n\r\n", b"Host: 127.0.0.1", b"Content-Length: 9999999999",
          b"Content-Length: -1", b"Transfer-Encoding: chunked", b"ffffffff\r\n", b"/command", b"/ws", b"/page/../x",
          b"/evidence/9/../../..", b"%00", b"\xff\xfe", b"Upgrade: websocket", b"Sec-WebSocket-Key: x",
          b"Cookie: quadriglia=", b"?token=", b"{", b"}" * 40, b"[" * 3000, b'"do"', b"Content-Type: application/json",
          b"A" * 5000]  # fmt: skip
WORDS = ["undo", "choose", "set_position", "end", "alert", "players", "press", "clock_set", "clock_control", "profile",
         "calibrate", "pause", "board", "fen", "A", "B", "white", "id", "number", "seconds", "revision"]  # fmt: skip

GOOD: list[dict[str, Any]] = [
    {"do": "undo"}, {"do": "choose", "number": 0}, {"do": "set_position", "fen": "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1"},
    {"do": "end", "result": "*", "reason": "arbiter"}, {"do": "alert", "id": 1, "status": "open"}, {"do": "press"},
    {"do": "players", "players": {name: {"white": "a", "black": "b"} for name in "AB"}}, {"do": "clock_start"},
    {"do": "clock_set", "seconds": 5}, {"do": "clock_control", "control": "180d2"},
    {"do": "profile", "profile": "uscf"}, {"do": "pause"}, {"do": "resume"}, {"do": "clock_stop"},
]  # fmt: skip


class Behind:
    """A session without cameras."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.lock = desk, threading.Lock()

    def command(self, body: dict[str, Any]) -> int:
        with self.lock:
            if body.get("do") == "calibrate":
                raise RefusedError("board")
            return self.desk.command(body, 1.0)

    def picture(self, board: str) -> bytes | None:
        return board.encode() if board == "A" else None

    def evidence(self, number: int, suffix: str) -> Path | None:
        return None if number or suffix else Path()

    def game(self) -> str:
        return self.desk.game()

    def metrics(self) -> str:
        return ""


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Some bytes changed, cut out, doubled or put in."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(changed) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            changed[at : at + 1] = rng.randbytes(1)
        elif kind == 1:
            del changed[at : at + rng.randrange(1, 200)]
        elif kind == 2:
            changed[at:at] = changed[at : at + rng.randrange(1, 200)]
        else:
            changed[at:at] = rng.choice(
                [b"\x00", b'"', b"[", b"{", b"]]", b"nan", b"1e999", b"=", b"\n", b"\xf0\x9f", b"-1"]
            )
    return bytes(changed)


def request(server: PageServer) -> Fuzz:
    """A broken HTTP request, as it comes over the wire."""
    port = urlsplit(server.url).port

    def send(rng: random.Random) -> None:
        parts = [rng.choice(PIECES) if rng.random() < 0.8 else rng.randbytes(rng.randrange(40)) for _ in range(12)]
        good = b"POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        good += b"Content-Length: 2\r\n\r\n{}"
        data = b"".join(parts) if rng.random() < 0.5 else damaged(rng, good)
        with socket.create_connection(("127.0.0.1", port), 5) as line:
            try:
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                line.settimeout(5)
                got = line.recv(65536)
            except (ConnectionError, TimeoutError):
                return
        assert b"Traceback" not in got
        assert b"/site-packages/" not in got

    return send


def command(server: PageServer) -> Fuzz:
    """A command that is well-formed JSON and nonsense."""
    port = urlsplit(server.url).port

    def value(rng: random.Random, depth: int = 0) -> Any:
        kinds = [
            None,
            True,
            -1,
            2**70,
            1e308,
            "",
            "x" * rng.randrange(300),
            rng.choice(WORDS),
            "\u202e<script>",
            "\x00",
        ]
        if depth < 3 and rng.random() < 0.4:
            return {rng.choice(WORDS): value(rng, depth + 1) for _ in range(3)}
        if depth < 3 and rng.random() < 0.2:
            return [value(rng, depth + 1) for _ in range(3)]
        return rng.choice(kinds)

    def send(rng: random.Random) -> None:
        body = dict(rng.choice(GOOD)) | {"board": rng.choice("AB"), "color": "white"}
        for _ in range(rng.randrange(3)):
            body[rng.choice([*body, *WORDS])] = value(rng)
        data = json.dumps(body).encode()
        head = f"POST /command HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        head += f"Connection: close\r\nContent-Length: {len(data)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port), 5) as line:
            line.sendall(head.encode() + data)
            line.settimeout(5)
            got = b"".join(iter(lambda: line.recv(65536), b""))
        assert b"Traceback" not in got
        assert not got.startswith(b"HTTP/1.1 500"), body

    return send


def messages(server: PageServer) -> Fuzz:
    """Nonsense through a WebSocket that is open."""
    address = server.url.replace("http", "ws")

    def send(rng: random.Random) -> None:
        try:
            with connect(address + rng.choice(["ws", "api/v1.0", "ws/x"]), open_timeout=5, close_timeout=0.2) as page:
                for _ in range(20):
                    good = b'{"id": 1, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1}}'
                    text = damaged(rng, good)
                    page.send(text if rng.random() < 0.3 else text.decode("latin-1") * rng.choice([1, 1, 1, 100]))
        except (WebSocketException, ConnectionError, TimeoutError):
            return

    return send


def file_reader(folder: Path, name: str, good: bytes, read: Callable[[Path], object]) -> Fuzz:
    """A damaged file, read as a user's would be: fine, or one of the errors that are told in one line."""
    path = folder / name

    def open_it(rng: random.Random) -> None:
        path.write_bytes(damaged(rng, good))
        with suppress(UserError, SourceError):  # what is told in one line
            read(path)

    return open_it


def main() -> None:
    """Print one line a kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_journal(folder / "match", Match()) as journal:
            desk = Desk(journal, state_of(journal))
            with PageServer(0, Behind(desk)) as server:
                server.publish(desk.snapshot(0.0))
                kinds = kinds_of(folder, server)
                for number, (kind, (share, fuzz)) in enumerate(kinds.items()):
                    count = round(share * options.count)
                    failures = run(fuzz, count, 1000 * options.seed + number)
                    print(f"{kind:10} inputs {count}  failures {sum(failures.values())}  {dict(failures)}", flush=True)
                alive = socket.create_connection(("127.0.0.1", urlsplit(server.url).port), 5)
                alive.close()
            assert not journal.faults()
            assert state_of(journal).body() == desk.state.body()
            print(f"the server answers; the record is whole, {journal.count} entries")


def kinds_of(folder: Path, server: PageServer) -> dict[str, tuple[float, Fuzz]]:
    """Share of all inputs and what makes them, by kind."""
    venue = b'version = 1\n[rules]\nprofile = "gallarate"\npass_tolerance = 5\n[camera.A]\nsource = "0"\n'
    venue += b"size = [640, 480]\ncorners = [[10, 10], [400, 10], [400, 400], [10, 400]]\nbend = 0.02\n"
    image = cv2.imencode(".jpg", np.random.default_rng(0).integers(0, 255, (60, 80, 3), np.uint8))[1].tobytes()
    image_png = cv2.imencode(".png", np.zeros((60, 80, 3), np.uint8))[1].tobytes()
    with open_journal(folder / "other", Match()) as journal:
        journal._file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    record = (folder / "other" / JOURNAL).read_bytes()
    game = (SAMPLE / "truth.bpgn").read_bytes()
    return {
        "http": (0.25, request(server)),
        "command": (0.15, command(server)),
        "websocket": (0.02, messages(server)),  # twenty messages each
        "toml": (0.2, file_reader(folder, "venue.toml", venue, lambda path: (read_venue(path), venue_profile(path)))),
        "bpgn": (0.08, file_reader(folder, "game.bpgn", game, _check)),
        "picture": (0.1, file_reader(folder, "one.jpg", image, read_picture)),
        "png": (0.1, file_reader(folder, "one.png", image_png, read_picture)),
        "record": (0.1, file_reader(folder, "one.sqlite", record, read_record)),
    }


def _check(path: Path) -> object:
    from quadriglia.gamefile import read_text

    return [check(record) for record in parse(read_text(path))]


def run(fuzz: Fuzz, count: int, seed: int) -> Counter[str]:
    """Failures by what they were."""
    failures: Counter[str] = Counter()
    for number in range(count):
        try:
            fuzz(random.Random(f"{seed}-{number}"))
        except Exception as error:  # whatever it is counts
            failures[f"{type(error).__name__}: {str(error)[:60]} (input {number})"] += 1
    return failures


if __name__ == "__main__":
    main()
