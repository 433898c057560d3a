"""A live match for the pages alone: a snapshot to change at will, and a desk that keeps what it was told to do."""

import copy
from pathlib import Path
from typing import Any

import chess.variant
import cv2
import numpy as np

from quadriglia.errors import RefusedError
from quadriglia.pageserver import PageServer
from rules.countermatch import CounterMatch
from rules.counters import CounterGame

FENS = {
    "A": "r1bqkb1r/ppp2ppp/2n2n2/3pp3/2B1P3/3P1N2/PPP2PPP/RNBQK2R[Pnp] w KQkq - 0 5",
    "B": "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2",
}
MOVES = {"A": "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 d5", "B": "e4 c5"}
CORNERS = [[312, 88], [905, 92], [934, 655], [286, 650]]


def board_of(fen: str, state: str = "running") -> dict[str, Any]:
    """A board of the snapshot."""
    board = chess.variant.CrazyhouseBoard(fen)
    return {
        "state": state,
        "missing": {},
        "provisional": [],
        "explanations": [],
        "waiting": False,
        "placement": board.board_fen(promoted=False),
        "promoted": {},
        "turn": chess.COLOR_NAMES[board.turn],
        "fen": fen,
        "last": [],
        "pockets": {
            chess.COLOR_NAMES[color]: {
                chess.piece_symbol(kind).upper(): board.pockets[color].count(kind)
                for kind in chess.PIECE_TYPES
                if board.pockets[color].count(kind)
            }
            for color in chess.COLORS
        },
    }


def alert(number: int, kind: str, severity: str = "warning", **more: Any) -> dict[str, Any]:
    """An alert of the snapshot: open, by White of board A."""
    told = {"id": number, "board": "A", "seat": "WhiteA", "kind": kind, "severity": severity, "time": 60.0 + number}
    return told | {"withdrawn": False, "status": "open", "picture": False, "clip": False} | more


def match(live: bool = True) -> dict[str, Any]:
    """A bughouse match in play."""
    moves = [
        {"board": board, "color": ("white", "black")[ply % 2], "number": ply // 2 + 1, "san": san}
        for board, sans in MOVES.items()
        for ply, san in enumerate(sans.split())
    ]
    snapshot: dict[str, Any] = {
        "revision": 41,
        "game": "bughouse",
        "time": 93.21,
        "share": 0.4,
        "done": False,
        "result": "",
        "reason": "",
        "boards": {name: board_of(fen) for name, fen in FENS.items()},
        "moves": moves,
        "handovers": [{"giver": "WhiteB", "taker": "BlackA", "piece": "n", "time": 61.2}],
        "alerts": [],
    }
    snapshot["boards"]["A"]["last"] = ["d7", "d5"]
    snapshot["boards"]["B"]["last"] = ["c7", "c5"]
    if live:
        snapshot["live"] = live_part()
    return snapshot


COUNTERS: dict[CounterGame, tuple[str, str]] = {
    "quadwrangle": ("opposite", "d6 g5-f6 d5"),
    "affollata": ("chequer", "a8-b8 e7-e8"),
}
"""A start, and what was played."""


def play_counters(game: CounterGame, *more: str) -> CounterMatch:
    """The game that `counter_match` shows, and what came after."""
    start, sans = COUNTERS[game]
    played = CounterMatch(game, {"A": start})
    for san in [*sans.split(), *more]:
        played.push("A", played.parse_san("A", san))
    return played


def counter_match(game: CounterGame) -> dict[str, Any]:
    """A game with counters in play, on one board."""
    played, snapshot = play_counters(game), match()
    board, live = snapshot["boards"]["A"] | counter_board(played), snapshot["live"]
    for pairs in (live["players"], live["cameras"], live["clocks"]):
        del pairs["B"]
    moves = [
        {"board": "A", "color": chess.COLOR_NAMES[ply.color], "number": (ply.number + 1) // 2, "san": ply.san}
        for ply in played.plies
    ]
    live |= {"profile": "counters", "profiles": []}
    return snapshot | {"game": game, "boards": {"A": board}, "moves": moves, "handovers": []}


def counter_board(played: CounterMatch) -> dict[str, Any]:
    """What the snapshot's board says of counters."""
    position, move = played.board(), played.plies[-1].move
    return {
        "placement": position.board_fen(),
        "turn": chess.COLOR_NAMES[position.turn],
        "score": list(position.score),
        "fen": position.fen(),
        "last": list(dict.fromkeys(map(chess.square_name, (move.from_square, move.to_square)))),
        "pockets": {"white": {}, "black": {}},
    }


def live_part() -> dict[str, Any]:
    """What is only known of a live match."""
    camera = {"state": "live", "fps": 29.8, "age": 0.02, "source": "0", "found": True, "way": "pieces"}
    camera |= {"corners": CORNERS, "size": [1280, 720], "pockets": "h"}
    return {
        "players": {"A": {"white": "Anna", "black": "Bruno"}, "B": {"white": "Carla", "black": "Dario"}},
        "profile": "scacco-bratto",
        "profiles": ["scacco-bratto", "gallarate", "uscf"],
        "clocks": {
            "control": "180+2",
            "A": {"white": 171.2, "black": 165.0, "running": None},
            "B": {"white": 180.0, "black": 180.0, "running": None},
        },
        "cameras": {"A": camera, "B": copy.deepcopy(camera)},
        "skew": 0.013,
        "queue": 0,
        "paused": False,
        "health": {"looks_dropped_total": 3, "disk_free_bytes": 52_300_000_000},
    }


class FakeDesk:
    """Keeps the commands; refuses those whose `do` stands in `refuse`."""

    def __init__(self, evidence: Path | None = None) -> None:
        self.told: list[dict[str, Any]] = []
        self.refuse: dict[str, RefusedError] = {}
        self.folder = evidence
        self.pictures = 0

    def command(self, body: dict[str, Any]) -> int:
        """As `pageserver.Session`."""
        self.told.append(body)
        if error := self.refuse.get(body["do"]):
            raise error
        return 42

    def picture(self, board: str) -> bytes | None:
        """As `pageserver.Session`: a grey picture with a light board where `CORNERS` are."""
        self.pictures += 1
        image = np.full((720, 1280, 3), 90 if board == "A" else 60, np.uint8)
        cv2.fillPoly(image, [np.array(CORNERS, np.int32)], (190, 215, 225))
        return cv2.imencode(".jpg", image)[1].tobytes()

    def evidence(self, number: int, suffix: str) -> Path | None:
        """As `pageserver.Session`."""
        path = self.folder / f"{number}{suffix}" if self.folder else None
        return path if path and path.exists() else None

    def game(self) -> str:
        """As `pageserver.Session`."""
        return ""

    def metrics(self) -> str:
        """As `pageserver.Session`."""
        return ""


class Live:
    """Pages of a match that a test plays. `snapshot`: what `publish` shows next."""

    def __init__(self, server: PageServer, desk: FakeDesk) -> None:
        self.server, self.desk = server, desk
        self.snapshot = match()

    def publish(self) -> None:
        """Show the snapshot as it is now."""
        self.server.publish(self.snapshot)

    def board(self, name: str, fen: str) -> None:
        """Set a board as if it had been played there, and count the revision on."""
        self.snapshot["boards"][name] = board_of(fen)
        self.snapshot["revision"] += 1
        self.publish()
