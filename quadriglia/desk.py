"""The desk of a live match: what the cameras see and what the arbiter does come together here, and are written down.

Nothing is shown before the journal has it. The desk is used from one thread; time is passed in, in seconds.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import chess

from quadriglia.errors import RefusedError
from quadriglia.gamefile import live_text
from quadriglia.journal import Entry, Journal, JournalError
from quadriglia.snapshot import snapshot
from quadriglia.state import COLORS, State, added_up, difference, profile_body
from rules.clocks import TimeControl
from rules.ends import End, decide
from rules.events import Event
from rules.lag import Lag
from rules.match import Match
from rules.observation import Observation
from rules.profiles import PROFILES
from rules.seats import BoardName
from rules.tracker import Tracker

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
REASONS = ("arbiter", "agreement", "resignation", "flag")
STATUSES = ("open", "accepted", "dismissed")
NAME = 60
"""Characters of a player's name."""
HOURS = 24 * 3600.0
"""The longest time that a clock can show, in seconds."""
AGAIN = 0.5
"""Seconds after which what could not be written is tried again."""


class Desk:
    """Tracks one match into a journal that has its first entry at least. UserError where the journal is broken."""

    def __init__(self, journal: Journal, state: State) -> None:
        """`state`: what the journal's entries add up to."""
        self.journal, self.state = journal, state
        self.fault = ""  # why nothing is written just now
        self._waiting: list[Entry] = []  # to be written
        self._tried = 0.0
        self._told: list[Callable[[Sequence[tuple[int, Event]]], None]] = []
        self._flags: list[End] = []
        self.tracker = self._track(Lag())

    def _track(self, lag: Lag) -> Tracker:
        """A tracker that goes on from the state."""
        tracker = Tracker(self.state.match.replayed(lambda _, ply: ply), lag)
        if self.state.end:
            tracker.end(self.state.end.board, self.state.end.result, self.state.end.reason, 0.0, self.state.time)
        if self.state.paused:
            tracker.pause()
        return tracker

    def restart(self) -> None:
        """Begin tracking anew from what is written: whatever was being thought of is forgotten."""
        self.tracker = self._track(self.tracker.lag)

    def when_told(self, watcher: Callable[[Sequence[tuple[int, Event]]], None]) -> None:
        """Have `watcher` called with events and their numbers, once they are written."""
        self._told.append(watcher)

    def look(self, observation: Observation) -> None:
        """Take in one look at a board."""
        self._keep(self.tracker.update(observation), observation.time)

    def tick(self, time: float) -> None:
        """Time goes by: flags fall, and what could not be written is tried again."""
        if not self.state.end:
            self._judge_flags(time)
        if self._waiting and time - self._tried > AGAIN:
            self._write(time)

    def command(self, body: dict[str, Any], time: float) -> int:
        """Carry out what the arbiter or a player wants, as `docs/protocol.md` has it, and return the revision after it.
        Raises RefusedError."""
        action = self.COMMANDS.get(body["do"]) if isinstance(body.get("do"), str) else None
        if action is None:
            raise RefusedError("unknown")
        if body.get("revision", self.state.revision) != self.state.revision:
            raise RefusedError("stale", 409)
        before = self.journal.count
        action(self, body, time)
        if self._waiting and self.journal.count == before:
            raise RefusedError("record", 503)
        return self.state.revision

    def snapshot(self, time: float) -> dict[str, Any]:
        """What pages are told, but for what the session knows of cameras."""
        state = self.state
        shown = snapshot(self.tracker, state.match, time, [event for _, event in state.events])
        numbers = [number for number, event in state.events if event.kind == "alert"]
        for number, alert in zip(numbers, shown["alerts"], strict=True):
            alert |= {"id": number, "status": state.alerts[number]}
        shown["revision"] = state.revision
        if state.end is None:
            shown |= {"result": "", "reason": ""}
        shown["live"] = {
            "players": state.players,
            "profile": state.match.profile.name,
            "profiles": list(PROFILES) if state.match.game == "bughouse" else [],
            "clocks": {"control": state.control} | {name: self._clock(name, time) for name in state.match.boards},
            "paused": state.paused,
            "fault": self.fault,
        }
        return shown

    def game(self) -> str:
        """The game record as it stands."""
        return live_text(self.state)

    def _clock(self, name: BoardName, time: float) -> dict[str, Any]:
        clocks, running = self.state.clocks, self.state.clocks.running(name)
        left = {text: round(clocks.left(name, color, time), 2) for text, color in COLORS.items()}
        return left | {"running": None if running is None else chess.COLOR_NAMES[running]}

    # writing down

    def _keep(self, events: Sequence[Event], time: float, *more: Entry) -> None:
        self._waiting += more
        self._waiting += [Entry("event", time, event.as_json()) for event in events]
        if self._waiting:
            self._write(time)

    def _write(self, time: float) -> None:
        """Write what waits, with what it made of the match, and only then take it for told."""
        self._tried = time
        change = difference(self.state.match, self.tracker.match)
        entries = [Entry("match", time, change)] if change else []
        try:
            written = self.journal.add(entries + self._waiting)
        except JournalError as error:
            self.fault = str(error)
            return
        self.fault, self._waiting = "", []
        for entry in written:
            self.state.take(entry)
        told = [pair for pair in self.state.events[-len(written) :] if pair[0] >= written[0].number]
        for watcher in self._told:
            watcher(told)

    def _judge_flags(self, time: float) -> None:
        fallen = [End("flag", board, color, when) for when, (board, color) in self.state.clocks.flags(time)]
        if not fallen or [end.loser for end in fallen] == [end.loser for end in self._flags]:
            return
        self._flags = fallen
        verdict = decide(self.state.match.profile, fallen)
        first = fallen[0]
        when = first.time or time
        if verdict.result:
            self._keep([self.tracker.end(first.board, verdict.result, "flag", when, time)], time)
        else:
            self._keep([Event("alert", first.board, when, time, None, reason="flags_order")], time)

    # commands

    def _undo(self, body: dict[str, Any], time: float) -> None:
        self._keep(self.tracker.undo(self._board(body), time), time)

    def _choose(self, body: dict[str, Any], time: float) -> None:
        number = body.get("number")
        if not isinstance(number, int) or not 0 <= number < 2:
            raise RefusedError("number")
        try:
            events = self.tracker.choose(self._board(body), number, time)
        except IndexError:
            raise RefusedError("number") from None
        self._keep(events, time)

    def _set_position(self, body: dict[str, Any], time: float) -> None:
        board, fen = self._board(body), body.get("fen")
        if not isinstance(fen, str) or len(fen) > 200:
            raise RefusedError("fen")
        try:
            events = self.tracker.set_position(board, fen, time)
        except ValueError:
            raise RefusedError("fen") from None
        self._keep(events, time)

    def _pause(self, _: dict[str, Any], time: float) -> None:
        self.tracker.pause()
        self._keep([], time, Entry("pause", time, {}))

    def _resume(self, _: dict[str, Any], time: float) -> None:
        self.tracker.resume(time)
        self._keep([], time, Entry("resume", time, {}))

    def _end(self, body: dict[str, Any], time: float) -> None:
        if body.get("result") not in RESULTS or body.get("reason") not in REASONS:
            raise RefusedError("result")
        self._keep([self.tracker.end("A", body["result"], body["reason"], time, time)], time)

    def _alert(self, body: dict[str, Any], time: float) -> None:
        number, status = body.get("id"), body.get("status")
        if not isinstance(number, int) or number not in self.state.alerts or status not in STATUSES:
            raise RefusedError("alert")
        self._keep([], time, Entry("alert", time, {"id": number, "status": status}))

    def _players(self, body: dict[str, Any], time: float) -> None:
        players = body.get("players")
        if not isinstance(players, dict):
            raise RefusedError("players")
        named = {}
        for board in self.state.match.boards:
            names = players.get(board)
            if not isinstance(names, dict):
                raise RefusedError("players")
            named[board] = {color: _name(names.get(color)) for color in COLORS}
        self._keep([], time, Entry("players", time, {"players": named}))

    def _time(self, body: dict[str, Any], time: float) -> None:
        """Whatever is done to the clocks."""
        entry: dict[str, Any] = {"do": body["do"]}
        if body["do"] == "clock_control":
            control = body.get("control")
            if not isinstance(control, str) or len(control) > 20 or TimeControl.parse(control) is None:
                raise RefusedError("control")
            entry["control"] = control
        elif body["do"] in ("press", "clock_set"):
            if body.get("color") not in tuple(COLORS):  # whatever it is, it need not be hashable
                raise RefusedError("color")
            entry |= {"board": self._board(body), "color": body["color"]}
        if body["do"] == "clock_set":
            seconds = body.get("seconds")
            if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= HOURS:
                raise RefusedError("seconds")
            entry["seconds"] = seconds
        self._flags = []
        self._keep([], time, Entry("clock", time, entry))

    def _profile(self, body: dict[str, Any], time: float) -> None:
        name = body.get("profile")
        if not isinstance(name, str) or name not in PROFILES or self.state.match.game != "bughouse":
            raise RefusedError("profile")
        if self.state.match.plies:
            raise RefusedError("too_late")
        self.tracker = Tracker(Match("bughouse", PROFILES[name]), self.tracker.lag)
        self._keep([], time, Entry("profile", time, profile_body(PROFILES[name])))

    def _board(self, body: dict[str, Any]) -> BoardName:
        board = body.get("board")
        if board not in self.state.match.boards:
            raise RefusedError("board")
        return board  # type: ignore[no-any-return]

    COMMANDS: ClassVar[dict[str, Callable[["Desk", dict[str, Any], float], None]]] = {
        "undo": _undo,
        "choose": _choose,
        "set_position": _set_position,
        "pause": _pause,
        "resume": _resume,
        "end": _end,
        "alert": _alert,
        "players": _players,
        "press": _time,
        "clock_start": _time,
        "clock_stop": _time,
        "clock_set": _time,
        "clock_control": _time,
        "profile": _profile,
    }


def _name(text: object) -> str:
    """A player's name without what would steer a terminal, and not too long. Raises RefusedError."""
    if not isinstance(text, str):
        raise RefusedError("players")
    return "".join(letter for letter in text if letter.isprintable())[:NAME].strip()


def state_of(journal: Journal) -> State:
    """What a journal's entries add up to. Raises UserError, and KeyError or ValueError for what is no match."""
    return added_up(journal.entries())
