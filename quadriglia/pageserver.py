"""The pages: a thread of its own serves them, and tells every page of every change through one WebSocket.

A page gets the whole snapshot when it connects and again on every change, at most `RATE` times a second, so it
may connect, reload or sleep whenever it likes, and a slow one misses snapshots and holds up nobody.
"""

import asyncio
import json
import logging
import mimetypes
import os
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from quadriglia import livechess
from quadriglia.access import Access
from quadriglia.errors import RefusedError

HERE = Path(__file__).parent
PORT = 8377
RATE = 10.0
SLOWEST = 5.0
"""Seconds in which a page must have taken a snapshot, or it is let go."""
PAGES = {"/": "index", "/overlay": "overlay", "/setup": "setup", "/health": "health"}
# Windows lets other programs redefine these, and a script of a wrong type is not run.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("text/css", ".css")
# What strangers send is no matter for the arbiter's terminal; what goes wrong here says so in one line, see `_broken`.
logging.getLogger("uvicorn.error").addHandler(logging.NullHandler())
logging.getLogger("uvicorn.error").propagate = False


class Session(Protocol):
    """What a live match answers; called from threads of the server's."""

    def command(self, body: dict[str, Any]) -> int:
        """Carry out a command and return the revision after it. Raises RefusedError."""

    def picture(self, board: str) -> bytes | None:
        """The newest picture of a board's camera as JPEG, what is recognised drawn in."""

    def evidence(self, number: int, suffix: str) -> Path | None:
        """An alert's picture (`.jpg`) or clip (`.mp4`)."""

    def game(self) -> str:
        """The game record as it stands."""

    def metrics(self) -> str:
        """Figures in Prometheus' text format."""


class PageServer:
    """Serves from entering to leaving the context. `url`: where, for this machine; `arbiter_url`, `overlay_url`: for
    others in the house."""

    def __init__(self, port: int = PORT, session: Session | None = None, lan: str = "") -> None:
        """`session`: of a live match; without one pages only show what is published. `lan`: the address of this
        machine under which others may come, with a token."""
        self._socket = _listen(port, lan or "127.0.0.1")
        number = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{number}/"
        self._session = session
        self._latest = "{}"
        self._changed: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.access = Access(self._app(), (lan,) if lan else ())
        self.arbiter_url = f"http://{lan}:{number}/?token={self.access.tokens['arbiter']}"
        self.overlay_url = f"http://{lan}:{number}/overlay?token={self.access.tokens['overlay']}"
        config = uvicorn.Config(
            self.access,
            log_config=None,
            access_log=False,
            lifespan="off",
            proxy_headers=False,
            ws="websockets-sansio",
            ws_max_size=4096,
            limit_concurrency=200,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="page", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    @property
    def pages(self) -> int:
        """Pages that are connected."""
        return len(self._changed)

    def publish(self, snapshot: dict[str, Any]) -> None:
        """Show a snapshot on every page, now and to come. From any thread."""
        self._latest = json.dumps(snapshot, ensure_ascii=False)
        if self._loop:
            with suppress(RuntimeError):  # the loop is gone: the server has stopped
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for changed in self._changed:
            changed.set()

    def _serve(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve(sockets=[self._socket])

    def _app(self) -> Starlette:
        routes: list[Route | Mount | WebSocketRoute] = [
            Mount("/page", StaticFiles(directory=HERE / "page")),
            Mount("/catalogue", StaticFiles(directory=HERE / "catalogue")),
            Route("/snapshot.json", lambda _: Response(self._latest, media_type="application/json")),
            WebSocketRoute("/ws", self._talk),
            WebSocketRoute("/api/v1.0", self._as_livechess),
            *(Route(path, _page(name)) for path, name in PAGES.items()),
        ]
        if self._session:
            desk = Answers(self._session)
            routes += [
                Route("/clock/{board:str}", _page("clock")),
                Route("/command", desk.command, methods=["POST"]),
                Route("/picture/{board:str}.jpg", desk.picture),
                Route("/evidence/{number:int}{suffix:str}", desk.evidence),
                Route("/match.bpgn", desk.game),
                Route("/match.pgn", desk.game),
                Route("/metrics", desk.metrics),
            ]
        return Starlette(routes=routes, exception_handlers={Exception: _broken})

    async def _as_livechess(self, program: WebSocket) -> None:
        """A program that follows electronic boards."""
        changed = asyncio.Event()
        self._changed.add(changed)
        try:
            await livechess.talk(program, changed, lambda: dict(json.loads(self._latest)))
        except WebSocketDisconnect:
            pass
        finally:
            self._changed.discard(changed)

    async def _talk(self, page: WebSocket) -> None:
        """Send snapshots to one page until it goes or the server stops."""
        await page.accept()
        changed = asyncio.Event()
        changed.set()
        self._changed.add(changed)
        gone = asyncio.create_task(_until_gone(page))
        try:
            while not gone.done():
                told = asyncio.create_task(changed.wait())
                await asyncio.wait((gone, told), return_when=asyncio.FIRST_COMPLETED)
                told.cancel()
                if gone.done():
                    break
                changed.clear()
                await asyncio.wait_for(page.send_text(self._latest), SLOWEST)
                await asyncio.sleep(1 / RATE)
        except (WebSocketDisconnect, TimeoutError):
            pass
        finally:
            gone.cancel()
            self._changed.discard(changed)


class Answers:
    """A live session's answers over HTTP. What takes time runs in a thread, so that no page waits for another."""

    def __init__(self, session: Session) -> None:
        self.session = session

    async def command(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _error("content_type", 415)
        try:
            body = json.loads(await request.body())
        except (ValueError, RecursionError, ClientDisconnect):
            return _error("json", 400)
        if not isinstance(body, dict):
            return _error("json", 400)
        try:
            revision = await asyncio.to_thread(self.session.command, body)
        except RefusedError as error:
            return _error(error.kind, error.status)
        return JSONResponse({"ok": True, "revision": revision})

    async def picture(self, request: Request) -> Response:
        data = await asyncio.to_thread(self.session.picture, request.path_params["board"])
        return Response(data, media_type="image/jpeg") if data else _nothing()

    async def evidence(self, request: Request) -> Response:
        path = self.session.evidence(request.path_params["number"], request.path_params["suffix"])
        return FileResponse(path) if path else _nothing()

    async def game(self, _: Request) -> Response:
        return PlainTextResponse(await asyncio.to_thread(self.session.game))

    async def metrics(self, _: Request) -> Response:
        return PlainTextResponse(await asyncio.to_thread(self.session.metrics))


def _page(name: str) -> Any:
    return lambda _: FileResponse(HERE / "page" / f"{name}.html")


def _error(kind: str, status: int) -> Response:
    return JSONResponse({"ok": False, "error": kind}, status)


def _nothing() -> Response:
    return PlainTextResponse("Nothing here.\n", status_code=404)


async def _broken(request: Request, error: Exception) -> Response:
    print(f"quadriglia: {request.url.path}: {type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)
    return PlainTextResponse("Something went wrong here; the match goes on.\n", status_code=500)


async def _until_gone(page: WebSocket) -> None:
    """Pages have nothing to say here: whatever comes is read and dropped, so that a closing is noticed."""
    while (await page.receive())["type"] != "websocket.disconnect":
        pass


def _listen(port: int, host: str) -> socket.socket:
    """A socket on loopback, or on all addresses where others may come: the given port, or a free one."""
    for wanted in (port, 0):
        listener = socket.socket()
        if os.name != "nt":  # there the option means taking the port from whoever has it
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            listener.bind(("127.0.0.1" if host == "127.0.0.1" else "0.0.0.0", wanted))
            listener.listen()
            return listener
        listener.close()
    raise OSError("no free port on this machine")
