"""The live page: served on this machine only, told of every change through one WebSocket.

A page gets the whole snapshot when it connects and again on every change, at most `RATE` times a second, so it
may connect, reload or sleep whenever it likes. Requests for any other host name, and WebSockets opened by any
other site, are refused: a browser would otherwise let a foreign page listen in.
"""

import asyncio
import json
import mimetypes
import os
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

HERE = Path(__file__).parent
PORT = 8377
RATE = 10.0
# Windows lets other programs redefine these, and a script of a wrong type is not run.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("text/css", ".css")

HOSTS = ("127.0.0.1", "localhost", "[::1]")

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self' ws://127.0.0.1:* ws://localhost:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class PageServer:
    """Serves the page from a thread of its own between entering and leaving the context. `url`: where."""

    def __init__(self, port: int = PORT) -> None:
        self._socket = _listen(port)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"
        self._latest = "{}"
        self._changed: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        config = uvicorn.Config(
            self._app(),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="websockets-sansio",
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

    def _app(self) -> ASGIApp:
        routes = [
            Route("/", lambda _: FileResponse(HERE / "page" / "index.html")),
            Mount("/page", StaticFiles(directory=HERE / "page")),
            Mount("/catalogue", StaticFiles(directory=HERE / "catalogue")),
            WebSocketRoute("/ws", self._talk),
        ]
        return _OwnPagesOnly(Starlette(routes=routes))

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
                await page.send_text(self._latest)
                await asyncio.sleep(1 / RATE)
        except WebSocketDisconnect:
            pass
        finally:
            gone.cancel()
            self._changed.discard(changed)


class _OwnPagesOnly:
    """Refuses foreign hosts and origins, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_ours(scope):
            refusal: Response = PlainTextResponse("This page is for this machine only.\n", status_code=403)
            if scope["type"] == "websocket":
                await WebSocket(scope, receive, send).close(1008)
            else:
                await refusal(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        await self.app(scope, receive, with_headers)


def _is_ours(scope: Scope) -> bool:
    """A loopback host; and of a WebSocket from a browser, that our own page opened it."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    if host.rpartition(":")[0] not in HOSTS and host not in HOSTS:
        return False
    origin = headers.get("origin")
    return scope["type"] != "websocket" or origin is None or origin == f"http://{host}"


async def _until_gone(page: WebSocket) -> None:
    """Pages have nothing to say: whatever comes is read and dropped, so that a closing is noticed."""
    while (await page.receive())["type"] != "websocket.disconnect":
        pass


def _listen(port: int) -> socket.socket:
    """A socket on loopback: the given port, or a free one when it is taken."""
    for wanted in (port, 0):
        listener = socket.socket()
        if os.name != "nt":  # there the option means taking the port from whoever has it
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            listener.bind(("127.0.0.1", wanted))
            listener.listen()
            return listener
        listener.close()
    raise OSError("no free port on 127.0.0.1")
