"""What the camera over a game of counters films: one board, the heap beside it, a clock or none, two players."""

from dataclasses import dataclass

import chess
import numpy as np

from calibration.view import Side, View
from simulation.counterset import CounterLook, make_counter_look
from simulation.film import SIZE, Stage, aimed, beyond_clock, make_flicker, match_clock, match_webcam
from simulation.hand import make_arm
from simulation.mesh import box, join, standing
from simulation.render import Body

HEAP = 0.9  # half the width of the heap's box, in cells
LAYERS = 3  # of counters in it


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things are. `cells`: of a side of the board. `side`: the file beside which the heap lies; a clock stands on
    the other. `heap`: its middle, in board coordinates."""

    cells: int
    side: Side
    heap: tuple[float, float]
    clock: bool

    def loose(self) -> list[tuple[float, float]]:
        """Places beside the heap where single counters are laid down."""
        x, y = self.heap
        return [(x + dx, y + dy) for dy in (-2.6, -1.7, 1.7, 2.6) for dx in (-0.5, 0.5)]


def make_layout(rng: np.random.Generator, cells: int) -> Layout:
    """Drawn at random."""
    side: Side = "h" if rng.random() < 0.5 else "a"
    away, along = float(rng.uniform(2.1, 2.8)), float(cells / 2 + rng.uniform(-1.2, 1.2))
    return Layout(cells, side, (cells + away if side == "h" else -away, along), bool(rng.random() < 0.5))


def make_counter_stage(rng: np.random.Generator, layout: Layout, size: tuple[int, int] = SIZE) -> Stage:
    """A board of counters with all around it drawn at random, but for the layout: set, table, light, camera, arms.

    The camera stands at White's side, 45 to 88 degrees above the table.
    """
    look = make_counter_look(rng, layout.cells)
    arms = {(color, False): make_arm(rng) for color in chess.COLORS}
    low, high = (-float(rng.uniform(0.6, 1.6)), layout.cells + float(rng.uniform(0.6, 1.6)))
    if rng.random() < 0.6:  # the heap is in the picture
        low, high = min(low, layout.heap[0] - HEAP), max(high, layout.heap[0] + HEAP)
    seen = np.array([(x, y, z) for x in (low, high) for y in (-0.6, layout.cells + 0.6) for z in (0.0, 0.4)])
    camera = aimed(rng, chess.WHITE, rng.uniform(45, 88), seen, size)
    webcam = match_webcam(rng)
    things = [*_heap(rng, look, layout), *beyond_clock(rng, look, layout.side)]
    things += match_clock(look, layout.side) if layout.clock else []
    return Stage("A", look, camera, webcam, arms, things, make_flicker(rng))


def view_of(stage: Stage) -> View:
    """What calibration should find: the board's own coordinates in the picture, and the lens."""
    camera = stage.camera
    return View(camera.homography(), camera.size, bend=camera.bend, side=stage.look.table.side)


def _heap(rng: np.random.Generator, look: CounterLook, layout: Layout) -> list[Body]:
    """Counters lying criss-cross, in a low box or on the table."""
    (x, y), radius = layout.heap, look.discs.radius
    z, bodies = look.table.level(x, y), list[Body]()
    if rng.random() < 0.6:
        wall, tall = 0.08, float(rng.uniform(0.3, 0.7))
        sides = [
            box((2 * HEAP, wall, tall), (0, s * HEAP, tall / 2)) for s in (-1, 1)
        ] + [box((wall, 2 * HEAP, tall), (s * HEAP, 0, tall / 2)) for s in (-1, 1)]  # fmt: skip
        colour = look.colours[chess.BLACK] if rng.random() < 0.2 else (0.3, 0.2, 0.12)
        bodies.append(Body(join(sides), standing(x, y, 0.0, 0.0, z), colour, 0.1, foot=HEAP))
    for layer in range(LAYERS):
        spread = (HEAP - radius - 0.04) * (1 - 0.2 * layer)
        for _ in range(9 - 2 * layer):
            dx, dy = rng.uniform(-spread, spread, 2)
            tilt = float(rng.normal(0, 0.25)) + (np.pi if rng.random() < 0.5 else 0.0)
            up = z + 0.1 + look.discs.height * (0.9 * layer + 0.5)
            place = standing(x + float(dx), y + float(dy), float(rng.uniform(0, 6.3)), tilt, up)
            bodies += look.drawn(bool(rng.random() < 0.5), place, 0.0)
    return bodies
