"""A match of a game record as two videos with the truth beside them.

`produce` is what `quadriglia simulate GAME.bpgn --out DIR` calls: `a.mp4`, `b.mp4`, `truth.bpgn`, and `truth.jsonl`,
which has every move's start, release and clock press, hand-overs, irregularities, and what stands where after every
change.
"""

import json
import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import numpy as np

from calibration.view import Side
from rules.bpgn import write
from rules.match import Ply
from rules.records import Game
from rules.seats import BoardName
from simulation.film import SIZE, Stage, film, make_stages, write_video
from simulation.irregular import Wish
from simulation.render import Renderer
from simulation.scene import make_look
from simulation.script import Row, Script
from simulation.states import states, verify
from simulation.writer import write_script

USUAL = 1.6  # seconds a move takes where the record has no clock times


@dataclass(frozen=True, slots=True)
class Filming:
    """How to film: frames a second, H.264 rate factor, the longest pause in seconds that is kept (None: all), and on
    which side of the boards the pockets lie."""

    fps: int = 15
    quality: int = 27
    pause: float | None = None
    pockets: Side = "h"


def produce(game: Game, out: Path, seed: int, filming: Filming, wishes: Sequence[Wish] = ()) -> "Production":
    """Prepare the videos of `game` in `out`, and write the truth; `Production.film` films.

    Raises IrregularityError where something that is wished for cannot happen.
    """
    rng = np.random.default_rng(seed)
    look = make_look(rng)
    stages = make_stages(look, rng, filming.pockets)
    plies = timed(game, filming.pause)
    match = game.match.fresh()
    heights = look.pieces.heights
    script = write_script(plies, heights, rng, wishes=wishes, match=match, side=filming.pockets, edge=look.table.edge)
    verify(script, game.match)
    Renderer(*SIZE).release()  # before anything is written: it is what may be missing
    out.mkdir(parents=True, exist_ok=True)
    write_rows(out, [*script.truth, *states(script)])
    (out / "truth.bpgn").write_text(write(in_order(game, script)))
    return Production(script, stages, out, seed, filming)


def write_rows(out: Path, rows: Iterable[Row]) -> None:
    """Write the truth into a folder, in order of time."""
    with (out / "truth.jsonl").open("w") as file:
        file.writelines(json.dumps(row) + "\n" for row in sorted(rows, key=lambda row: float(str(row["time"]))))


@dataclass(frozen=True, slots=True, eq=False)
class Production:
    """A match ready to be filmed; the length is the number of frames."""

    script: Script
    stages: list[Stage]
    out: Path
    seed: int
    filming: Filming

    @property
    def stretch(self) -> float:
        """How much longer the hands need than the clocks say: 1 is not at all."""
        return self.script.seconds / max(self.script.wanted, 1.0)

    def __len__(self) -> int:
        return len(self.stages) * int(self.script.seconds * self.filming.fps)

    def film(self, board: BoardName) -> Iterator[int]:
        """Write one board's video, a frame a step."""
        stage = next(stage for stage in self.stages if stage.board == board)
        renderer = Renderer(*SIZE)
        rng = np.random.default_rng((self.seed, ord(board)))
        frames = film(self.script, stage, self.filming.fps, renderer, rng)
        yield from write_video(self.out / f"{board.lower()}.mp4", frames, self.filming.fps, self.filming.quality)
        renderer.release()


def film_both(production: Production) -> Iterator[int]:
    """Write both videos, a process each; yields how many frames are done, now and then. RuntimeError if one fails."""
    context = multiprocessing.get_context("spawn")
    counts = {stage.board: context.Value("i", 0) for stage in production.stages}
    workers = [context.Process(target=_film, args=(production, board, count)) for board, count in counts.items()]
    for worker in workers:
        worker.start()
    try:
        while any(worker.is_alive() for worker in workers):
            workers[0].join(0.2)
            workers[-1].join(0.2)
            yield sum(count.value for count in counts.values())
    finally:
        for worker in workers:
            worker.terminate()
    if any(worker.exitcode for worker in workers):
        raise RuntimeError("a video could not be written; is there room on the disk?")


def _film(production: Production, board: BoardName, count: Any) -> None:
    parent = multiprocessing.parent_process()
    for number in production.film(board):
        count.value = number + 1
        if parent is not None and not parent.is_alive():
            break  # killed: nobody waits for the film


def timed(game: Game, pause: float | None = None) -> list[tuple[Ply, float]]:
    """The plies with the time each should be released, in seconds: as the clocks tell, pauses cut to `pause`."""
    return played(game.match.plies, game.clocks, pause)


def played(
    sequence: Sequence[Ply], clocks: Sequence[float | None], pause: float | None = None
) -> list[tuple[Ply, float]]:
    """`timed` for plies with the seconds on the clock after each."""
    spent = _spent(sequence, clocks)
    order = sorted(range(len(spent)), key=lambda n: (spent[n], n))
    plies, now, before = [], 0.0, 0.0
    for number in order:
        gap = spent[number] - before
        now += gap if pause is None else min(gap, pause)
        before = spent[number]
        plies.append((sequence[number], now))
    return plies


def _spent(plies: Sequence[Ply], clocks: Sequence[float | None]) -> list[float]:
    """When each ply was played: the time both players of its board have used, never before the ply recorded before
    it on its board, nor before the capture that its drop needs."""
    left: dict[tuple[str, bool], float] = {}
    start = max((clock for clock in clocks if clock is not None), default=0.0)
    times: list[float] = []
    last: dict[str, float] = {"A": 0.0, "B": 0.0}
    ready = 0.0
    for ply, clock in zip(plies, clocks, strict=True):
        left[ply.board, ply.color] = left.get((ply.board, ply.color), start) - USUAL if clock is None else clock
        used = sum(start - left.get((ply.board, color), start) for color in (True, False))
        time = max(used, last[ply.board] + 0.3, ready + 0.3 if ply.move.drop else 0.0)
        last[ply.board] = time
        if ply.passed is not None:
            ready = max(ready, time)
        times.append(time)
    return times


def in_order(game: Game, script: Script) -> Game:
    """The record in the order in which the hands released the pieces, without the clocks it had."""
    moves = [(row["board"], str(row["uci"])) for row in script.truth if row["kind"] in ("move", "drop")]
    match = game.match.replay((name, chess.Move.from_uci(uci)) for name, uci in moves)  # type: ignore[misc]
    return Game(match, game.tags, [None] * len(match.plies), game.comment, game.result)
