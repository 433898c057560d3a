"""A match of a game record as two videos with the truth beside them.

`produce` is what `quadriglia simulate GAME.bpgn --out DIR` calls: `a.mp4`, `b.mp4`, `truth.bpgn`, `truth.jsonl`.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rules.bpgn import Game, write
from rules.match import Match, Ply
from rules.seats import BoardName
from simulation.film import SIZE, film, make_stages, write_video
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


def produce(game: Game, out: Path, seed: int, filming: Filming, progress: Callable[[BoardName, int], None]) -> Script:
    """Write the two videos and the truth of `game` into `out`; everything else comes from the seed."""
    rng = np.random.default_rng(seed)
    look = make_look(rng)
    stages = make_stages(look, rng)
    script = write_script(timed(game), look.pieces.heights, rng)
    out.mkdir(parents=True, exist_ok=True)
    with (out / "truth.jsonl").open("w") as rows:
        rows.writelines(json.dumps(row) + "\n" for row in script.truth)
    (out / "truth.bpgn").write_text(write(in_order(game, script)))
    renderer = Renderer(*SIZE)
    for stage in stages:
        frames = film(script, stage, filming.fps, renderer, np.random.default_rng((seed, ord(stage.board))))
        name = f"{stage.board.lower()}.mp4"
        write_video(out / name, _counted(frames, stage.board, progress), filming.fps, filming.quality)
    renderer.release()
    return script
