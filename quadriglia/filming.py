"""`quadriglia simulate`: a match of a game record, filmed. The renderer is imported only here, when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TimeElapsedColumn

from calibration.view import Side
from quadriglia.errors import UserError
from quadriglia.gamefile import read_text
from quadriglia.matches import tell
from quadriglia.words import Words
from rules.countermatch import GAMES
from rules.counterrecord import CounterRecord, game_of
from rules.notation import parse
from rules.records import Game, RecordError, read

if TYPE_CHECKING:
    from simulation.produce import Production


def simulate(
    console: Console,
    say: Words,
    path: Path,
    out: Path,
    seed: int,
    wishes: Sequence[str],
    pause: float | None,
    pockets: Side,
) -> None:
    """Write `a.mp4`, `b.mp4`, `truth.bpgn` and `truth.jsonl` of the first match of `path` into `out`; of a game with
    counters, which has one board, `a.mp4`, `truth.pgn` and `truth.jsonl`.

    `wishes`: irregularities as `KIND@PLY`. `pause`: the longest pause in seconds that is kept.
    `pockets`: the file beside which they lie, in bughouse. Raises UserError.
    """
    if pause is not None and not 0 < pause < 3600:
        raise UserError("max_pause", seconds=pause)
    game = _first(path)
    try:
        from simulation.irregular import IrregularityError
        from simulation.produce import film_both
    except ImportError as error:
        raise UserError("no_renderer") from error
    try:
        production = _prepared(game, out, seed, wishes, pause, pockets)
        length = {"seconds": round(production.script.seconds), "stretch": f"{production.stretch:.2f}"}
        tell(console, say("simulate.length", **length))
        with Progress(BarColumn(), TimeElapsedColumn(), console=console, transient=True) as progress:
            task = progress.add_task(out.name, total=len(production))
            for done in film_both(production):
                progress.update(task, completed=done)
    except IrregularityError as error:
        raise UserError("irregularity", fault=str(error)) from error
    except ImportError as error:
        raise UserError("no_renderer") from error
    except Exception as error:
        if "EGL" in str(error) or "context" in str(error):  # moderngl raises plain exceptions
            raise UserError("no_renderer") from error
        raise


def _prepared(
    game: Game | CounterRecord, out: Path, seed: int, wishes: Sequence[str], pause: float | None, pockets: Side
) -> Production:
    from simulation.counterproduce import produce_counters
    from simulation.counterwrong import COUNTER_IRREGULARITIES
    from simulation.irregular import IRREGULARITIES, Wish
    from simulation.produce import Filming, produce

    filming = Filming(pause=pause, pockets=pockets)
    if isinstance(game, Game):
        return produce(game, out, seed, filming, [Wish.parse(text, IRREGULARITIES) for text in wishes])
    return produce_counters(game, out, seed, filming, [Wish.parse(text, COUNTER_IRREGULARITIES) for text in wishes])


def list_irregularities(console: Console, say: Words) -> None:
    """Every irregularity with what it is. Raises UserError where the simulator is not installed."""
    try:
        from simulation.counterwrong import COUNTER_IRREGULARITIES
        from simulation.irregular import IRREGULARITIES
    except ImportError as error:
        raise UserError("no_renderer") from error
    for name in IRREGULARITIES | COUNTER_IRREGULARITIES:
        tell(console, f"{name:20} {say(f'irregularity.{name}')}")


def _first(path: Path) -> Game | CounterRecord:
    text = read_text(path)
    try:
        record = next(parse(text), None)
        if record is not None and record.tags.get("Variant", "").lower() in GAMES:
            counters = game_of(record)
            if counters.match.settings or not counters.match.plies:
                raise UserError("not_played_through", path=path)
            return counters
        game = next(read(text), None)
    except RecordError as error:
        raise UserError("game_file", path=path, fault=str(error)) from error
    if game is None:
        raise UserError("no_game", path=path)
    if game.match.game != "bughouse" or game.match.start:
        raise UserError("not_from_start", path=path)
    return game
