"""Who may see and do what: this machine everything, others in the house with a token, strangers nothing.

A token is 128 bits, is exchanged for a cookie that scripts cannot read, and is never written to disk. Host and Origin
are checked on every request, WebSockets too: a browser would otherwise let a foreign page listen in or play arbiter.
"""

import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Literal
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

Role = Literal["arbiter", "overlay"]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PEERS = ("127.0.0.1", "::1")
COOKIE = "quadriglia"
PUBLIC = ("/page/", "/catalogue/")
"""What anybody may read: scripts, styles and words, in which there is nothing of a match."""
OVERLAY = ("/overlay", "/ws", "/api/v1.0", "/snapshot.json", "/metrics", "/match.bpgn", "/match.pgn")
"""What the overlay's token opens."""
LONGEST = 64 * 1024
"""Bytes of a request's body, which a position and some names do not come near."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Access:
    """Checks every request before the application sees it, and puts the security headers on every answer.

    `hosts`: names and addresses, besides loopback, under which this machine is reached; with none of them only it
    itself is served.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] = ()) -> None:
        self.app = app
        self.hosts = (*LOOPBACK, *hosts)
        self.tokens: dict[Role, str] = {"arbiter": secrets.token_hex(16), "overlay": secrets.token_hex(16)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return
        answer = self._judge(scope)
        if answer is not None:
            if scope["type"] == "websocket":
                await WebSocket(scope, receive, send).close(1008)
            else:
                await answer(scope, receive, _with_headers(send))
            return
        await self.app(scope, receive if scope["type"] == "websocket" else _limited(receive), _with_headers(send))

    def _judge(self, scope: Scope) -> Response | None:
        """The answer that ends it here; None for what may go on."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts and host.rpartition(":")[0] not in self.hosts:
            return _refused("This address is not served here.")
        acts = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if acts and origin is not None and origin != f"http://{host}":
            return _refused("Another site's page may not do this.")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > LONGEST:
            return PlainTextResponse("Too long.\n", status_code=413)
        if scope["path"].startswith(PUBLIC):
            return None
        if offered := parse_qs(scope["query_string"].decode("latin-1")).get("token"):
            return self._exchange(scope, offered[0])
        role = self._role(scope, headers)
        scope.setdefault("state", {})["role"] = role
        if role == "arbiter" or (role == "overlay" and scope["path"] in OVERLAY):
            return None
        return _refused("Open the address that the program printed, with its token.")

    def _role(self, scope: Scope, headers: Headers) -> Role | None:
        client = scope.get("client")
        local = client is not None and client[0] in PEERS
        if local and headers.get("host", "").rpartition(":")[0] in LOOPBACK:
            return "arbiter"
        return self._role_of(_cookie(headers))

    def _role_of(self, token: str) -> Role | None:
        found: Role | None = None
        for role, secret in self.tokens.items():
            if secrets.compare_digest(token.encode(), secret.encode()):
                found = role
        return found

    def _exchange(self, scope: Scope, token: str) -> Response:
        """A cookie for a token, and the address without it, so that it stays in no history."""
        if scope["type"] != "http" or scope["path"].startswith("//") or self._role_of(token) is None:
            return _refused("This token is not valid: the program prints a new one each time it starts.")
        rest = {k: v for k, v in parse_qs(scope["query_string"].decode("latin-1")).items() if k != "token"}
        answer = RedirectResponse(scope["path"] + ("?" + urlencode(rest, doseq=True) if rest else ""), 303)
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
        return answer


def _cookie(headers: Headers) -> str:
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


def _refused(why: str) -> Response:
    return PlainTextResponse(why + "\n", status_code=403)


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*message["headers"], *own]
        await send(message)

    return with_headers


def _limited(receive: Receive) -> Receive:
    """A body that came without its length is cut off where it gets too long."""
    left = LONGEST

    async def limited() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            return {"type": "http.disconnect"}
        return message

    return limited
