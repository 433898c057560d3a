"""The live page: what it serves, to whom, and how soon."""

import contextlib
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from quadriglia.pageserver import PageServer


@pytest.fixture
def server() -> Iterator[PageServer]:
    with PageServer(0) as running:
        yield running


def get(server: PageServer, path: str, **headers: str) -> tuple[int, Any, bytes]:
    request = urllib.request.Request(server.url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def talk(server: PageServer, origin: str | None = None) -> ClientConnection:
    return connect(server.url.replace("http", "ws") + "ws", origin=origin, open_timeout=5)  # type: ignore[arg-type]


def test_serves_the_page_and_its_parts(server: PageServer) -> None:
    status, headers, body = get(server, "")
    assert status == 200
    assert b"Quadriglia" in body
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    for path in ("page/app.js", "page/board.js", "page/style.css", "page/icon.svg", "catalogue/it.json"):
        assert get(server, path)[0] == 200, path
    assert get(server, "page/../cli.py")[0] == 404
    assert get(server, "nothing")[0] == 404


def test_every_connection_starts_with_a_whole_snapshot(server: PageServer) -> None:
    server.publish({"number": 1})
    for _ in range(2):
        with talk(server) as page:
            assert json.loads(page.recv(5)) == {"number": 1}
    with talk(server) as page:
        page.recv(5)
        server.publish({"number": 2})
        assert json.loads(page.recv(5)) == {"number": 2}


def test_changes_are_coalesced_and_the_last_one_arrives(server: PageServer) -> None:
    with talk(server) as page:
        page.recv(5)
        for number in range(500):
            server.publish({"number": number})
        got: list[int] = []
        while not got or got[-1] != 499:
            got.append(json.loads(page.recv(5))["number"])
        assert len(got) < 10


def test_other_hosts_are_refused(server: PageServer) -> None:
    port = server.url.rsplit(":", 1)[1].strip("/")
    handshake = {
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert get(server, "", Host=f"localhost:{port}")[0] == 200
    for host in (f"evil.example:{port}", "evil.example", f"127.0.0.1.evil.example:{port}", ""):
        assert get(server, "", Host=host)[0] == 403
        assert get(server, "ws", Host=host, **handshake)[0] == 403


def test_pages_of_other_sites_are_refused(server: PageServer) -> None:
    for origin in ("http://evil.example", "http://localhost:3000", "null", server.url.replace("http", "https")):
        with pytest.raises(InvalidStatus, match="403"), talk(server, origin.rstrip("/")):
            pass
    with talk(server, server.url.rstrip("/")) as page:
        page.recv(5)


def test_a_taken_port_is_not_an_obstacle() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with PageServer(port) as server:
            assert f":{port}/" not in server.url
            assert get(server, "")[0] == 200


def test_only_this_machine_is_served(server: PageServer) -> None:
    assert server.url.startswith("http://127.0.0.1:")


def test_stops_while_pages_are_open() -> None:
    with contextlib.ExitStack() as pages:
        with PageServer(0) as server:
            page = pages.enter_context(talk(server))
            page.recv(5)
        with pytest.raises(ConnectionClosed):
            page.recv(5)
        server.publish({"number": 3})
