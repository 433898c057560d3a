"""Each board as an electronic one: the part of DGT LiveChess's WebSocket protocol that tells positions.

Programs that follow electronic boards find two of them at `/api/v1.0`, named `QUADRIGLIA-A` and `QUADRIGLIA-B`: calls
`eboards` and `subscribe` to `eboardevent`. The protocol has no reserves: a dropped man appears on its square as if set
there, and its SAN is left out. Foreign web pages are refused as everywhere; this is for programs.
"""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket

NAME = "QUADRIGLIA-"


class LiveChess:
    """One program that is connected: its subscriptions, and what it was told last."""

    def __init__(self) -> None:
        self.feeds: dict[int, str] = {}  # serial number by the feed's own number
        self.told: dict[int, dict[str, Any]] = {}

    def answer(self, text: str, snapshot: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a call; None for what is none."""
        try:
            call = json.loads(text)
            number, name = call["id"], call["call"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        found: Any = None
        if name == "eboards":
            found = [_board(board, shown) for board, shown in _boards(snapshot).items()]
        elif name == "subscribe":
            self._subscribe(call.get("param"))
        return {"response": "call", "id": number, "param": found, "time": _now()}

    def news(self, snapshot: dict[str, Any]) -> list[dict[str, Any]]:
        """What its feeds have to be told since the last time."""
        messages = []
        for number, serial in self.feeds.items():
            board = serial.removeprefix(NAME)
            shown = _boards(snapshot).get(board)
            if shown is None:
                continue
            event = {"serialnr": serial, "flipped": board == "B", "board": shown["placement"], "clock": None}
            sans = [move["san"] for move in snapshot["moves"] if move["board"] == board]
            event["san"] = [san for san in sans[-1:] if "@" not in san]
            clock = snapshot.get("live", {}).get("clocks", {}).get(board)
            if clock and clock["running"]:
                event["clock"] = {"white": int(clock["white"]), "black": int(clock["black"]), "run": clock["running"]}
            if {**event, "clock": None} != self.told.get(number):
                self.told[number] = {**event, "clock": None}
                messages.append({"response": "feed", "id": number, "param": event, "time": _now()})
        return messages

    def _subscribe(self, wanted: object) -> None:
        if not isinstance(wanted, dict) or wanted.get("feed") != "eboardevent" or len(self.feeds) > 8:
            return
        more = wanted.get("param")
        serial = more.get("serialnr") if isinstance(more, dict) else None
        if isinstance(serial, str) and isinstance(wanted.get("id"), int):
            self.feeds[wanted["id"]] = serial
            self.told.pop(wanted["id"], None)


async def talk(page: WebSocket, changed: asyncio.Event, latest: Callable[[], dict[str, Any]]) -> None:
    """Answer calls and tell feeds until the other side goes. `latest`: the newest snapshot, new when `changed` is
    set."""
    await page.accept()
    feeds = LiveChess()
    hearing = asyncio.create_task(page.receive())
    try:
        while True:
            news = asyncio.create_task(changed.wait())
            await asyncio.wait((hearing, news), return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
            changed.clear()
            if hearing.done():
                message = hearing.result()
                if message["type"] == "websocket.disconnect":
                    return
                answer = feeds.answer(message.get("text") or "", latest())
                if answer:
                    await page.send_text(json.dumps(answer))
                hearing = asyncio.create_task(page.receive())
            for told in feeds.news(latest()):
                await page.send_text(json.dumps(told))
    finally:
        hearing.cancel()


def _boards(snapshot: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Boards with chessmen: the protocol knows no counters."""
    return {name: shown for name, shown in snapshot.get("boards", {}).items() if shown.get("score") is None}


def _board(board: str, shown: dict[str, Any]) -> dict[str, Any]:
    return {
        "serialnr": NAME + board,
        "source": "Quadriglia",
        "state": "ACTIVE",
        "battery": "",
        "comment": None,
        "board": shown["placement"],
        "flipped": board == "B",
        "clock": None,
    }


def _now() -> int:
    return int(1000 * time.time())
