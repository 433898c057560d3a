"""Single pictures of counters, with the truth, for tests of what reads them."""

from dataclasses import dataclass

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from rules.counters import Counters
from simulation.counterset import CounterLook
from simulation.counterstage import make_counter_stage, make_layout, view_of
from simulation.film import SIZE, Shots, Stage
from simulation.light import Grain
from simulation.render import Body, Renderer
from simulation.scene import Standing


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """`picture`: (height, width, 3) BGR uint8. `view`: the board in it, exact; the corners of a board of n x n cells
    are (0, n), (n, n), (n, 0), (0, 0). `labels`: (64,) by `chess.Square`, 1 White's counter, -1 Black's, 0 none."""

    picture: NDArray[np.uint8]
    view: View
    labels: NDArray[np.int8]


def make_stage(seed: int, cells: int, size: tuple[int, int] = SIZE) -> Stage:
    """All that stays the same from picture to picture of one evening. `cells`: 7 or 8, of a side of the board."""
    rng = np.random.default_rng((seed, cells))
    return make_counter_stage(rng, make_layout(rng, cells), size)


def still(stage: Stage, position: Counters, renderer: Renderer, seed: int = 0) -> Still:
    """A position as the stage's camera shows it, no hand over it. `seed`: how the counters stand, and the noise.

    `renderer`: of the camera's size. Raises ValueError for a position of another size than the stage's board.
    """
    if stage.look.table.side != position.SIZE:
        raise ValueError(f"a board of {stage.look.table.side} cells a side has no room for {position.GAME}")
    rng = np.random.default_rng(seed)
    look = stage.look
    assert isinstance(look, CounterLook)
    bodies: dict[object, list[Body]] = {"still": stage.clutter}
    labels = np.zeros(64, np.int8)
    for cell, piece in position.piece_map().items():
        x, y = look.discs.spot(cell, rng)
        bodies[cell] = look.standing(Standing(piece, x, y), float(rng.uniform(0, 2 * np.pi)))
        labels[cell] = 1 if piece.color == chess.WHITE else -1
    clean = Shots(stage, renderer).take(bodies, stage.camera)
    picture = Grain(renderer.size, stage.webcam, rng).on(clean, np.ones(3, np.float32), stage.flicker, 0)
    return Still(picture, view_of(stage), labels)
