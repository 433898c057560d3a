"""`quadriglia simulate`: a match of a game record, filmed. The renderer is imported only here, when it is asked for."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TimeElapsedColumn

from calibration.view import Side
from quadriglia.errors import UserError
from quadriglia.gamefile import read_text
from quadriglia.matches import tell
from quadriglia.words import Words
from rules.records import Game, RecordError, read


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
    """Write `a.mp4`, `b.mp4`, `truth.bpgn` and `truth.jsonl` of the first match of `path` into `out`.

    `wishes`: irregularities as `KIND@PLY`. `pause`: the longest pause in seconds that is kept.
    `pockets`: the file beside which they lie. Raises UserError.
    """
    if pause is not None and not 0 < pause < 3600:
        raise UserError("max_pause", seconds=pause)
    game = _first(path)
    try:
        from simulation.irregular import IrregularityError, Wish
        from simulation.produce import Filming, film_both, produce
    except ImportError as error:
        raise UserError("no_renderer") from error
    try:
        production = produce(
            game, out, seed, Filming(pause=pause, pockets=pockets), [Wish.parse(text) for text in wishes]
        )
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


def list_irregularities(console: Console, say: Words) -> None:
    """Every irregularity with what it is. Raises UserError where the simulator is not installed."""
    try:
        from simulation.irregular import IRREGULARITIES
    except ImportError as error:
        raise UserError("no_renderer") from error
    for name in IRREGULARITIES:
        tell(console, f"{name:20} {say(f'irregularity.{name}')}")


def _first(path: Path) -> Game:
    try:
        game = next(read(read_text(path)), None)
    except RecordError as error:
        raise UserError("game_file", path=path, fault=str(error)) from error
    if game is None:
        raise UserError("no_game", path=path)
    if game.match.game != "bughouse" or game.match.start:
        raise UserError("not_from_start", path=path)
    return game
