"""Who may see and do what, over real HTTP and WebSockets."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from quadriglia.access import Role
from quadriglia.errors import RefusedError
from quadriglia.pageserver import PageServer

SNAPSHOT: dict[str, Any] = {
    "boards": {"A": {"placement": "8/8/8/8/8/8/8/8"}, "B": {"placement": "8/8/8/8/8/8/8/7k"}},
    "moves": [{"board": "A", "san": "e4"}, {"board": "B", "san": "N@f3"}],
}


class Session:
    """A live session that notes what it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.heard: list[dict[str, Any]] = []

    def command(self, body: dict[str, Any]) -> int:
        if body.get("do") == "fail":
            raise RefusedError("stale", 409)
        if body.get("do") == "crash":
            raise RuntimeError("a secret")
        self.heard.append(body)
        return len(self.heard)

    def picture(self, board: str) -> bytes | None:
        return b"jpeg" if board == "A" else None

    def evidence(self, number: int, suffix: str) -> Path | None:
        path = self.folder / f"{number}{suffix}"
        return path if path.exists() else None

    def game(self) -> str:
        return "[Event]"

    def metrics(self) -> str:
        return "one 1\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


@pytest.fixture
def server(session: Session) -> Iterator[PageServer]:
    with PageServer(0, session, lan="127.0.0.2") as running:  # the house's address, as far as one machine has two
        running.publish(SNAPSHOT)
        yield running


def ask(
    server: PageServer, path: str, method: str = "GET", body: str | None = None, peer: str = "127.0.0.1", **headers: str
) -> tuple[int, dict[str, str], str]:
    """A request as written, from and to an address."""
    port = urlsplit(server.url).port
    connection = http.client.HTTPConnection(peer, port, timeout=5, source_address=(peer, 0))
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        data = None if body is None else body.encode()
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode()
    finally:
        connection.close()


def command(server: PageServer, body: object, **headers: str) -> int:
    headers = {"Content_Type": "application/json"} | headers
    return ask(server, "/command", "POST", json.dumps(body), **headers)[0]


def test_this_machine_needs_no_token(server: PageServer, session: Session) -> None:
    assert json.loads(ask(server, "/snapshot.json")[2]) == SNAPSHOT
    assert command(server, {"do": "pause"}) == 200
    assert session.heard == [{"do": "pause"}]
    assert ask(server, "/picture/A.jpg")[0] == 200
    assert ask(server, "/picture/B.jpg")[0] == 404
    assert ask(server, "/metrics")[2] == "one 1\n"


def test_others_get_nothing_without_a_token(server: PageServer, session: Session) -> None:
    house = "127.0.0.2"
    for path in ("/", "/snapshot.json", "/picture/A.jpg", "/match.bpgn", "/clock/A", "/evidence/1.jpg", "/nothing"):
        assert ask(server, path, peer=house)[0] == 403, path
    assert ask(server, "/command", "POST", "{}", peer=house, Content_Type="application/json")[0] == 403
    assert ask(server, "/page/app.js", peer=house)[0] == 200  # nothing of a match is in it
    # Who pretends to be this machine is told by where he comes from.
    port = urlsplit(server.url).port
    assert ask(server, "/snapshot.json", peer=house, Host=f"127.0.0.1:{port}")[0] == 403
    assert ask(server, "/snapshot.json", peer=house, X_Forwarded_For="127.0.0.1")[0] == 403
    assert ask(server, "/?token=" + "0" * 32, peer=house)[0] == 403
    assert ask(server, "/", peer=house, Cookie="quadriglia=" + "0" * 32)[0] == 403
    assert session.heard == []


ALLOWED = {
    "arbiter": {"/": 200, "/picture/A.jpg": 200, "/metrics": 200},
    "overlay": {"/": 403, "/picture/A.jpg": 403, "/metrics": 200},
}


@pytest.mark.parametrize("role", ALLOWED)
def test_a_token_is_exchanged_for_a_cookie(server: PageServer, session: Session, role: Role) -> None:
    token = server.access.tokens[role]
    assert len(token) == 32
    status, headers, _ = ask(server, f"/overlay?layout=strip&token={token}", peer="127.0.0.2")
    assert (status, headers["location"]) == (303, "/overlay?layout=strip")
    assert "httponly" in headers["set-cookie"].lower()
    assert "samesite=strict" in headers["set-cookie"].lower()
    cookie = headers["set-cookie"].partition(";")[0]
    for path, wanted in ALLOWED[role].items():
        assert ask(server, path, peer="127.0.0.2", Cookie=cookie)[0] == wanted, path
    assert ask(server, "/snapshot.json", peer="127.0.0.2", Cookie=cookie)[0] == 200
    sent = {"Cookie": cookie, "Content_Type": "application/json"}
    got = ask(server, "/command", "POST", '{"do": "pause"}', "127.0.0.2", **sent)
    assert got[0] == (200 if role == "arbiter" else 403)
    assert len(session.heard) == (role == "arbiter")
    assert ask(server, f"//evil.example/?token={token}", peer="127.0.0.2")[0] == 403


def test_foreign_hosts_and_origins_are_refused(server: PageServer, session: Session) -> None:
    port = urlsplit(server.url).port
    assert ask(server, "/", Host="evil.example")[0] == 403
    assert ask(server, "/", Host=f"localhost:{port}")[0] == 200
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"https://127.0.0.1:{port}"):
        assert command(server, {"do": "pause"}, Origin=origin) == 403, origin
        for path in ("ws", "api/v1.0"):
            with pytest.raises((InvalidStatus, ConnectionClosed)):
                connect(f"ws://127.0.0.1:{port}/{path}", origin=Origin(origin)).recv(2)
    assert command(server, {"do": "pause"}, Origin=f"http://127.0.0.1:{port}") == 200
    # A form of another site can send text without asking first: it is not taken.
    assert command(server, {"do": "pause"}, Content_Type="text/plain") == 415
    assert len(session.heard) == 1


def test_what_goes_wrong_is_said_without_saying_more(server: PageServer, session: Session) -> None:
    assert command(server, {"do": "fail"}) == 409
    for body in ("", "{", "[]", "3", "[" * 50_000, '"' + "x" * 70_000 + '"'):
        assert ask(server, "/command", "POST", body, Content_Type="application/json")[0] in (400, 413)
    status, _, text = ask(server, "/command", "POST", '{"do": "crash"}', Content_Type="application/json")
    assert status == 500
    assert "secret" not in text
    assert "Traceback" not in text
    for path in ("/page/../desk.py", "/page/%2e%2e/desk.py", "/evidence/../../etc/passwd", "/evidence/1.jpg/../x",
                 "/picture/..%2f.jpg", "/catalogue/%00", "/clock/%2e%2e"):  # fmt: skip
        assert ask(server, path)[0] in (200, 404), path
        assert "import" not in ask(server, path)[2], path
    (session.folder / "7.jpg").write_bytes(b"evidence")
    assert ask(server, "/evidence/7.jpg")[2] == "evidence"
    assert ask(server, "/evidence/8.jpg")[0] == 404


def test_electronic_boards(server: PageServer) -> None:
    with connect(server.url.replace("http", "ws") + "api/v1.0") as program:
        program.send("nonsense")
        program.send('{"id": 1, "call": "eboards"}')
        answer = json.loads(program.recv(5))
        assert [board["serialnr"] for board in answer["param"]] == ["QUADRIGLIA-A", "QUADRIGLIA-B"]
        for number, board in ((5, "A"), (6, "B")):
            about = {"feed": "eboardevent", "id": number, "param": {"serialnr": f"QUADRIGLIA-{board}"}}
            program.send(json.dumps({"id": number, "call": "subscribe", "param": about}))
            assert json.loads(program.recv(5))["response"] == "call"
            event = json.loads(program.recv(5))
            assert (event["id"], event["param"]["board"]) == (number, SNAPSHOT["boards"][board]["placement"])
            assert event["param"]["san"] == (["e4"] if board == "A" else [])
        later = json.loads(json.dumps(SNAPSHOT))
        later["boards"]["A"]["placement"] = "8/8/8/8/8/8/8/K7"
        server.publish(later)
        assert json.loads(program.recv(5))["param"]["board"] == "8/8/8/8/8/8/8/K7"
