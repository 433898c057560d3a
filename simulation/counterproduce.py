"""A game of counters as one video with the truth beside it: `a.mp4`, `truth.pgn` and `truth.jsonl`.

`truth.jsonl` has a `view` (the corners of the cells in the picture), every action with its start, the release of its
counter, when the last counter was turned (`done`) and the end of the turn (`press`), irregularities, and what stands on
the board after every change.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rules.countermatch import GAMES, CounterMatch, CounterPly
from rules.counterrecord import CounterRecord, write
from rules.counters import Counters
from simulation.counterset import CounterLook
from simulation.counterstage import make_counter_stage, make_layout, view_of
from simulation.counterwriter import write_counter_script
from simulation.counterwrong import Plan, planned
from simulation.film import SIZE, Stage
from simulation.irregular import Wish
from simulation.produce import Filming, Production, played, write_rows
from simulation.render import Renderer
from simulation.script import Row, Script
from simulation.states import TruthError, changes

PACE = (4.0, 9.0)  # seconds from turn to turn where the record has no clock times


def produce_counters(
    game: CounterRecord, out: Path, seed: int, filming: Filming, wishes: Sequence[Wish] = ()
) -> Production:
    """Prepare the video of `game` in `out`, and write the truth.

    Raises IrregularityError where something that is wished for cannot happen, ValueError for a game in which a position
    was set: no hand does that.
    """
    if game.match.settings:
        raise ValueError("a position is set in the course of the game")
    rng = np.random.default_rng(seed)
    layout = make_layout(rng, GAMES[game.match.game].SIZE)
    stage = make_counter_stage(rng, layout)
    assert isinstance(stage.look, CounterLook)
    plan = planned(game.match, wishes, rng)
    plies = timed_turns(game, plan, rng, filming.pause)
    start = plan.match.fresh().board()
    script = write_counter_script(start, plies, plan.slips, stage.look.discs, layout, rng)
    verify_counters(script, plan.match)
    Renderer(*SIZE).release()  # before anything is written: it is what may be missing
    out.mkdir(parents=True, exist_ok=True)
    write_rows(out, [seen(stage), *script.truth, *counter_states(script, start)])
    (out / "truth.pgn").write_text(write(CounterRecord(plan.match, game.tags, result=_result(game, plan))))
    return Production(script, [stage], out, seed, filming)


def _result(game: CounterRecord, plan: Plan) -> str:
    return "*" if plan.slips else game.result


def timed_turns(
    game: CounterRecord, plan: Plan, rng: np.random.Generator, pause: float | None
) -> list[tuple[CounterPly, float]]:
    """The actions with the time each turn should end, in seconds: as the clocks of the record tell, if it has any."""
    if any(clock is not None for clock in game.clocks):
        ends = [time for _, time in played(game.match.plies, game.clocks, pause)]
    else:
        ends = np.cumsum(rng.uniform(*PACE, len(game.match.plies))).tolist()
    return list(zip(plan.match.plies, ends, strict=False))


def seen(stage: Stage) -> Row:
    """Where the board lies in the picture: `View.corners`, and the lens's `bend`."""
    view = view_of(stage)
    corners = view.corners().round(2).tolist()
    return {"kind": "view", "board": "A", "corners": corners, "bend": round(view.bend, 5), "time": 0.0}


def counter_state(script: Script, kind: type[Counters], time: float) -> Row:
    """What stands on the cells at one time. `placement`: as `Counters.fen` has it, without whose turn it is."""
    sides = [0, 0]
    for thing in script.things:
        place = thing.at(time)
        if place is not None and 0 <= place[1] < kind.SIZE and 0 <= place[2] < kind.SIZE:
            sides[thing.piece.color] |= 1 << (8 * int(place[2]) + int(place[1]))
    placement = kind(sides[True], sides[False]).fen().split()[0]
    return {"kind": "state", "board": "A", "placement": placement, "time": round(time, 3)}


def counter_states(script: Script, start: Counters) -> Iterator[Row]:
    """A row whenever anything changes: a frame shows the last one at or before its time."""
    return changes(script, lambda time: counter_state(script, type(start), time))


def verify_counters(script: Script, match: CounterMatch) -> None:
    """Check the truth against the game: after each action the counters stand as it has them. Raises TruthError."""
    going = match.fresh()
    rows = {row["ply"]: row for row in script.truth if row["kind"] in ("move", "drop")}
    for ply in match.plies:
        going.again(ply)
        position, row = going.board(), rows[ply.number]
        found = counter_state(script, type(position), float(str(row["done"])) + 1e-3)["placement"]
        if found != position.fen().split()[0]:
            raise TruthError(f"{row}: the board shows {found}, not {position.fen()}")
