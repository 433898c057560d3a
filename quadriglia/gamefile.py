"""The game record as text: BPGN for two boards, PGN for one.

Clock times are those of the clocks that Quadriglia itself kept, or estimates that say so; the players' own clocks are
not read.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import chess

import rules.bpgn as bpgn
import rules.counterrecord as counterrecord
import rules.pgn as pgn
from quadriglia.errors import UserError
from quadriglia.state import State
from rules.countermatch import CounterMatch
from rules.games import AnyMatch
from rules.records import Game
from rules.seats import BoardName

TAGS = {"Annotator": "Quadriglia"}


def game_text(
    match: AnyMatch, result: str, tags: Mapping[str, str] | None = None, clocks: Sequence[float | None] = ()
) -> str:
    """The record of what was played so far; `result` as in BPGN, `*` while there is none. `clocks`: seconds left after
    each ply, None where not known."""
    known = list(clocks) if any(left is not None for left in clocks) else []
    named = TAGS | dict(tags or {})
    if isinstance(match, CounterMatch):
        return counterrecord.write(counterrecord.CounterRecord(match, named, known, result=result))
    game = Game(match, named, known, result=result)
    return bpgn.write(game) if match.game == "bughouse" else pgn.write(game)


def live_text(state: State) -> str:
    """The record of a live match with what it knows of itself: players, date, and the times on the clocks. Where no
    clock was kept, times are estimated from when moves were seen, and a tag says so: importers want all of them."""
    match, result = state.match, state.end.result if state.end else "*"
    told = [state.left.get((ply.board, ply.number)) for ply in match.plies]
    times = [guess if left is None else left for left, guess in zip(told, _estimated(state), strict=True)]
    tags = {"ClockTimes": "estimated from moves"} if match.plies and None in told else {}
    return game_text(match, result, live_tags(state) | tags, times)


def live_tags(state: State) -> dict[str, str]:
    """What a live match knows of itself: date, players, time control."""
    names = {
        f"{color.title()}{board if state.match.game == 'bughouse' else ''}": name or "?"
        for board, players in state.players.items()
        for color, name in players.items()
    }
    date = datetime.fromtimestamp(state.wall).strftime("%Y.%m.%d")
    return {"Date": date} | names | {"TimeControl": state.control}


def _estimated(state: State) -> list[float]:
    """Seconds left after each ply, had each clock run from when the other's ply was seen."""
    control = state.clocks.control
    left: dict[tuple[BoardName, chess.Color], float] = {}
    since: dict[BoardName, float] = {}
    times = []
    for ply in state.match.plies:
        seen = state.seen_at.get((ply.board, ply.number), since.get(ply.board, 0.0))
        used = max(0.0, seen - since.get(ply.board, seen))
        since[ply.board] = seen
        back = min(control.increment, used) if control.delay else control.increment
        left[ply.board, ply.color] = left.get((ply.board, ply.color), control.base) - used + back
        times.append(max(0.0, round(left[ply.board, ply.color], 1)))
    return times


def read_text(path: Path) -> str:
    """A game file's text. Old records are no UTF-8, and one odd letter in a name is no reason to refuse them.

    Raises UserError where there is no such file.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError("no_file", path=path) from error
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
