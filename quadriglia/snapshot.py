"""Everything the page shows, as one JSON-able object: what is sent on every connect and every change."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import chess

from quadriglia.pageserver import RATE, PageServer
from quadriglia.session import Moment
from rules.alerts import ALERTS
from rules.countermatch import CounterMatch
from rules.ends import standing
from rules.events import Event
from rules.games import AnyMatch
from rules.match import Ply
from rules.promotion import promoted_men
from rules.seats import BoardName, partner, seat
from rules.tracker import Tracker

NAMES = {chess.WHITE: "white", chess.BLACK: "black"}


class Pages:
    """Watches a session and shows it on the pages of a server."""

    def __init__(self, server: PageServer) -> None:
        self.server = server
        self.events: list[Event] = []
        self.last: Moment | None = None
        self.told = 0.0

    def __call__(self, moment: Moment) -> None:
        self.events.extend(moment.events)
        self.last = moment
        if perf_counter() - self.told > 1 / RATE:
            self.told = perf_counter()
            self.server.publish(snapshot(moment.tracker, moment.tracker.match, moment.time, self.events, moment.share))

    def finish(self) -> None:
        """Show the end: nothing more will come."""
        if self.last:
            tracker, last = self.last.tracker, self.last
            self.server.publish(snapshot(tracker, tracker.match, last.time, self.events, last.share, done=True))


def snapshot(
    tracker: Tracker, match: AnyMatch, time: float, events: Sequence[Event], share: float = 0.0, done: bool = False
) -> dict[str, Any]:
    """What pages and other programs are told. `match`: as far as it is recorded. `events`: all so far. `share`: of a
    recorded match that has been read. `done`: nothing more will come."""
    end = next((event for event in reversed(events) if event.kind == "end"), None)
    return {
        "game": match.game,
        "time": round(time, 2),
        "share": round(share, 4),
        "done": done,
        "result": end.result if end else "",
        "reason": end.reason if end else "",
        "boards": {name: _board(name, tracker, match) for name in match.boards},
        "moves": [_move(ply) for ply in match.plies],
        "handovers": [_hand_over(event) for event in events if event.kind == "hand_over"],
        "alerts": _alerts(events),
    }


def _board(name: BoardName, tracker: Tracker, match: AnyMatch) -> dict[str, Any]:
    board, state = match.board(name), tracker.state(name)
    last = next((ply.move for ply in reversed(match.plies) if ply.board == name), None)
    return {
        "state": state,
        "missing": tracker.amiss_at_start(name) if state == "waiting" else {},
        "provisional": tracker.provisional(name),
        "explanations": tracker.explanations(name) if state == "unsure" else [],
        "waiting": match.game == "bughouse" and any(finding.word == "WAIT" for finding in standing(match, name)),
        "placement": board.board_fen(),
        "promoted": _promoted(match, name),
        "turn": NAMES[board.turn],
        "score": list(match.score) if isinstance(match, CounterMatch) else None,
        "fen": board.fen(),
        "last": _touched(last) if last else [],
        "pockets": {
            NAMES[color]: {chess.piece_symbol(kind).upper(): count for kind, count in match.pocket(name, color).items()}
            for color in chess.COLORS
        },
    }


def _promoted(match: AnyMatch, name: BoardName) -> dict[str, str]:
    """The square of each promoted man, and where he was promoted."""
    if isinstance(match, CounterMatch):
        return {}
    return {chess.square_name(man.square): chess.square_name(man.origin) for man in promoted_men(match, name).values()}


def _touched(move: chess.Move) -> list[str]:
    """The squares of a move, from and to; one for a drop."""
    squares = [move.to_square] if move.drop else [move.from_square, move.to_square]
    return [chess.square_name(square) for square in squares]


def _move(ply: Ply) -> dict[str, Any]:
    number = (ply.number + 1) // 2
    return {"board": ply.board, "color": NAMES[ply.color], "number": number, "san": ply.san}


def _hand_over(event: Event) -> dict[str, Any]:
    return {
        "giver": seat(event.board, event.who()),
        "taker": seat(*partner(event.board, event.who())),
        "piece": event.piece,
        "time": round(event.time, 2),
    }


def _alerts(events: Sequence[Event]) -> list[dict[str, Any]]:
    """The alerts in the order they were told."""
    withdrawn = {_about(event) for event in events if event.kind == "withdrawn"}
    return [_alert(event, _about(event) in withdrawn) for event in events if event.kind == "alert"]


def _about(event: Event) -> tuple[str, str, str, float]:
    """What an alert and its withdrawal have in common."""
    return event.board, event.reason, event.square, event.time


def _alert(event: Event, withdrawn: bool) -> dict[str, Any]:
    who = None if event.color is None else seat(event.board, event.color)
    about = {"san": event.san, "piece": event.piece, "square": event.square, "rule": event.rule}
    return {
        "board": event.board,
        "seat": who,
        "kind": event.reason,
        "severity": ALERTS[event.reason].severity,
        "confidence": ALERTS[event.reason].confidence,
        "time": round(event.time, 2),
        "withdrawn": withdrawn,
        **{key: value for key, value in about.items() if value},
    }
