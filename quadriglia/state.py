"""What a journal's entries add up to: the match, what was told of it, alerts, players and clocks.

The live desk and a rebuilt one fold the same entries by the same `take`, so what was shown and what is rebuilt agree.

| kind | body |
| --- | --- |
| `begin` | `game`, its `start` if it is no fixed one, `profile`, `changes` in it, `players` |
| `profile` | `profile`, `changes` |
| `event` | a line of `events.jsonl` |
| `match` | `keep`: plies that stay; `plies`: those after them; `settings`: all positions set by the arbiter |
| `players` | `players` by board and colour |
| `alert` | `id`, the number of the alert's entry; `status` |
| `clock` | `do`, and what that needs, as in `docs/protocol.md` |
| `pause`, `resume` | nothing |
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import chess

from quadriglia.journal import Entry
from rules.clocks import Clocks, TimeControl
from rules.events import Event
from rules.games import AnyMatch, new_match
from rules.match import Ply, Setting
from rules.profile import Profile, changes, read_changes
from rules.profiles import PROFILES, SCACCO_BRATTO, adapted

COLORS = {"white": chess.WHITE, "black": chess.BLACK}
CONTROL = "300"
"""Five minutes each: what bughouse is played with where nobody says otherwise."""


@dataclass(slots=True)
class State:
    """After some entries. `alerts`: entry numbers of alerts, with their status; `left`: seconds on the mover's clock
    after a ply, by board and number; `seen_at`: when each ply was seen."""

    match: AnyMatch
    players: dict[str, dict[str, str]]
    events: list[tuple[int, Event]] = field(default_factory=list)
    alerts: dict[int, str] = field(default_factory=dict)
    clocks: Clocks = field(default_factory=lambda: Clocks(TimeControl(float(CONTROL))))
    control: str = CONTROL
    left: dict[tuple[str, int], float] = field(default_factory=dict)
    seen_at: dict[tuple[str, int], float] = field(default_factory=dict)
    revision: int = 0
    paused: bool = False
    end: Event | None = None
    time: float = 0.0
    wall: float = 0.0

    def take(self, entry: Entry) -> None:
        """Fold one more entry in. KeyError or ValueError where its body is not as it should be."""
        body = entry.body
        self.time, self.wall = max(self.time, entry.time), entry.wall
        match entry.kind:
            case "event":
                self._event(entry)
            case "match":
                self.match = _changed(self.match, body)
                self.revision += 1
            case "profile":
                self.match = new_match(self.match.game, read_profile(body))
                self.revision += 1
            case "players":
                self.players = body["players"]
            case "alert":
                self.alerts[int(body["id"])] = body["status"]
            case "clock":
                self._clock(body, entry.time)
            case "pause" | "resume":
                self.paused = entry.kind == "pause"

    def _event(self, entry: Entry) -> None:
        event = Event.from_json(entry.body)
        self.events.append((entry.number, event))
        if event.kind == "alert":
            self.alerts[entry.number] = "open"
        elif event.kind == "end":
            self.end = event
            self.revision += 1
            self.clocks.stop(event.committed)
        elif event.kind in ("take_back", "position"):
            self.end = None  # what is put right is played on
        elif event.kind in ("move", "drop", "correction"):
            self.seen_at[event.board, event.ply] = event.time
            if self.clocks.running(event.board) is not None:
                self.left[event.board, event.ply] = self.clocks.left(event.board, event.who(), event.time)

    def _clock(self, body: dict[str, Any], time: float) -> None:
        board, color = body.get("board"), COLORS.get(body.get("color", ""))
        match body["do"]:
            case "clock_control":
                control = TimeControl.parse(body["control"])
                if control is None:
                    raise ValueError(body["control"])
                self.control, self.clocks = body["control"], Clocks(control)
            case "clock_start":
                for name in self.match.boards:
                    self.clocks.start(name, time, self.match.board(name).turn)
            case "clock_stop":
                self.clocks.stop(time)
            case "clock_set" if board and color is not None:
                self.clocks.set(board, color, float(body["seconds"]), time)
            case "press" if board and color is not None:
                self.clocks.press(board, color, time)

    def body(self) -> dict[str, Any]:
        """Everything in comparable form: two states with the same body are the same state."""
        return {
            "plies": [_ply(ply) for ply in self.match.plies],
            "settings": [[s.after, s.board, s.fen] for s in self.match.settings],
            "fen": {name: self.match.board(name).fen() for name in self.match.boards},
            "profile": profile_body(self.match.profile),
            "players": self.players,
            "events": [[number, event.as_json()] for number, event in self.events],
            "alerts": {str(number): status for number, status in self.alerts.items()},
            "clocks": self.clocks.dump(),
            "control": self.control,
            "revision": self.revision,
            "paused": self.paused,
            "result": self.end.result if self.end else "*",
        }


def begin_body(match: AnyMatch, players: dict[str, dict[str, str]]) -> dict[str, Any]:
    """The body of a journal's first entry."""
    start = {"start": match.start} if match.start else {}
    return {"game": match.game, "players": players} | start | profile_body(match.profile)


def profile_body(profile: Profile) -> dict[str, str]:
    """A profile by name, and what differs in it."""
    return {"profile": profile.name, "changes": changes(profile, PROFILES.get(profile.name, SCACCO_BRATTO))}


def read_profile(body: dict[str, Any]) -> Profile | None:
    """The profile of a body; None where the game has its own. Raises ProfileError, KeyError."""
    named = PROFILES.get(body["profile"])
    return adapted(named, read_changes(body["changes"])) if named else None


def added_up(entries: Iterable[Entry]) -> State:
    """The state after some entries from the first on. Raises KeyError, ValueError or StopIteration for what is none."""
    left = iter(entries)
    state = rebuilt(next(left))
    for entry in left:
        state.take(entry)
    return state


def rebuilt(first: Entry) -> State:
    """The state after a journal's first entry. Raises KeyError or ValueError where it is none."""
    if first.kind != "begin":
        raise ValueError(first.kind)
    profile = read_profile(first.body) if first.body["game"] == "bughouse" else None
    match = new_match(first.body["game"], profile, first.body.get("start"))
    return State(match, first.body["players"], time=first.time, wall=first.wall)


def difference(before: AnyMatch, after: AnyMatch) -> dict[str, Any] | None:
    """The body of a `match` entry that leads from one to the other; None where nothing changed."""
    same = 0
    for one, two in zip(before.plies, after.plies, strict=False):
        if one != two:
            break
        same += 1
    if same == len(before.plies) == len(after.plies) and before.settings == after.settings:
        return None
    return {
        "keep": same,
        "plies": [_ply(ply) for ply in after.plies[same:]],
        "settings": [[s.after, s.board, s.fen] for s in after.settings],
    }


def _ply(ply: Ply) -> list[Any]:
    return [ply.board, ply.color, ply.move.uci(), ply.san, ply.legal]


def _changed(match: AnyMatch, body: dict[str, Any]) -> AnyMatch:
    """The match that a `match` entry leads to. What only goes on is played on; what was mended is played again."""
    new = [
        Ply(board, color, 0, chess.Move.from_uci(uci), san, None, legal)
        for board, color, uci, san, legal in body["plies"]
    ]
    settings = [Setting(after, board, fen) for after, board, fen in body["settings"]]
    if body["keep"] == len(match.plies) and settings == match.settings:
        for ply in new:
            match.again(ply)
        return match
    again = match.fresh()
    again.plies, again.settings = match.plies[: body["keep"]] + new, settings
    return again.replayed(lambda _, ply: ply)
