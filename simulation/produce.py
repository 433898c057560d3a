"""A match of a game record as two videos with the truth beside them.

`produce` is what `quadriglia simulate GAME.bpgn --out DIR` calls: `a.mp4`, `b.mp4`, `truth.bpgn`, `truth.jsonl`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np

from rules.bpgn import write
from rules.match import Ply
from rules.records import Game
from simulation.film import SIZE, Stage, film, make_stages, write_video
from simulation.render import Renderer
from simulation.scene import make_look
from simulation.script import Script, write_script

THINK = 2.2  # seconds between two releases on both boards together, at most: nobody wants to watch a pause
USUAL = 1.6  # seconds a move takes where the record has no clock times


@dataclass(frozen=True, slots=True)
class Filming:
    """How to film: frames a second, H.264 rate factor."""

    fps: int = 15
    quality: int = 27


def produce(game: Game, out: Path, seed: int, filming: Filming) -> "Production":
    """Prepare the videos of `game` in `out`, and write the truth; iterate over the result to film frame by frame."""
    rng = np.random.default_rng(seed)
    look = make_look(rng)
    stages = make_stages(look, rng)
    script = write_script(timed(game), look.pieces.heights, rng)
    renderer = Renderer(*SIZE)  # before anything is written: it is what may be missing
    out.mkdir(parents=True, exist_ok=True)
    with (out / "truth.jsonl").open("w") as rows:
        rows.writelines(json.dumps(row) + "\n" for row in script.truth)
    (out / "truth.bpgn").write_text(write(in_order(game, script)))
    return Production(script, stages, renderer, out, seed, filming)


@dataclass(frozen=True, slots=True, eq=False)
class Production:
    """Iterating writes `a.mp4` and `b.mp4`, one frame a step; the length is the number of frames."""

    script: Script
    stages: list[Stage]
    renderer: Renderer
    out: Path
    seed: int
    filming: Filming

    def __len__(self) -> int:
        return len(self.stages) * int(self.script.seconds * self.filming.fps)

    def __iter__(self) -> Iterator[int]:
        for stage in self.stages:
            rng = np.random.default_rng((self.seed, ord(stage.board)))
            frames = film(self.script, stage, self.filming.fps, self.renderer, rng)
            yield from write_video(
                self.out / f"{stage.board.lower()}.mp4", frames, self.filming.fps, self.filming.quality
            )
        self.renderer.release()


def timed(game: Game) -> list[tuple[Ply, float]]:
    """The plies with the time each should be released, in seconds: as the clocks tell, pauses cut to `THINK`."""
    spent = _spent(game)
    order = sorted(range(len(spent)), key=lambda n: (spent[n], n))
    plies, now, before = [], 0.0, 0.0
    for number in order:
        now += min(spent[number] - before, THINK)
        before = spent[number]
        plies.append((game.match.plies[number], now))
    return plies


def _spent(game: Game) -> list[float]:
    """When each ply was played: the time both players of its board have used, never before the ply recorded before
    it on its board, nor before the capture that its drop needs."""
    left: dict[tuple[str, bool], float] = {}
    start = max((clock for clock in game.clocks if clock is not None), default=0.0)
    times: list[float] = []
    last: dict[str, float] = {"A": 0.0, "B": 0.0}
    ready = 0.0
    for ply, clock in zip(game.match.plies, game.clocks, strict=True):
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
    moves = [(row["board"], str(row["uci"])) for row in script.truth if row["kind"] != "hand_over"]
    match = game.match.replay((name, chess.Move.from_uci(uci)) for name, uci in moves)  # type: ignore[misc]
    return Game(match, game.tags, [None] * len(match.plies), game.comment, game.result)
