"""`quadriglia simulate`: a match of a game record, filmed. The renderer is imported only here, when it is asked for."""

from pathlib import Path

from rich.console import Console
from rich.progress import track

from quadriglia.errors import UserError
from quadriglia.gamefile import read_text
from rules.records import Game, RecordError, read


def simulate(console: Console, path: Path, out: Path, seed: int) -> None:
    """Write `a.mp4`, `b.mp4`, `truth.bpgn` and `truth.jsonl` of the first match of `path` into `out`.

    Raises UserError.
    """
    game = _first(path)
    try:
        from simulation.produce import Filming, produce

        steps = produce(game, out, seed, Filming())
        for _ in track(steps, description=out.name, console=console, transient=True):
            pass
    except ImportError as error:
        raise UserError("no_renderer") from error
    except Exception as error:
        if "EGL" in str(error) or "context" in str(error):  # moderngl raises plain exceptions
            raise UserError("no_renderer") from error
        raise


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
