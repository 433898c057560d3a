"""Sets of two-colour counters, and boards for them: what games of counters look like."""

from dataclasses import dataclass

import chess
import numpy as np
from numpy.typing import NDArray

from simulation.light import make_room
from simulation.mesh import Mesh, lathe, standing
from simulation.pieces import PieceSet
from simulation.render import Body
from simulation.scene import HAND, HOLD, Colour, Look, Standing, tone
from simulation.table import BOARDS, Cells, paint

PAIRS: tuple[tuple[Colour, Colour], ...] = (
    ((0.85, 0.85, 0.82), (0.02, 0.02, 0.02)),
    ((0.80, 0.79, 0.74), (0.04, 0.035, 0.03)),
    ((0.82, 0.82, 0.80), (0.45, 0.02, 0.02)),
    ((0.80, 0.58, 0.04), (0.02, 0.06, 0.36)),
    ((0.50, 0.025, 0.02), (0.015, 0.015, 0.015)),
    ((0.62, 0.42, 0.22), (0.10, 0.045, 0.02)),
    ((0.78, 0.70, 0.50), (0.02, 0.16, 0.06)),
    ((0.84, 0.84, 0.84), (0.03, 0.10, 0.40)),
    ((0.80, 0.60, 0.05), (0.40, 0.02, 0.02)),
    ((0.75, 0.25, 0.03), (0.03, 0.03, 0.05)),
    ((0.55, 0.75, 0.45), (0.14, 0.02, 0.16)),
)
"""White's and Black's counters, linear RGB; White's are the lighter ones."""

CELLS = (
    *BOARDS,
    ((0.30, 0.60, 0.36), (0.18, 0.45, 0.26)),
    ((0.62, 0.76, 0.88), (0.24, 0.40, 0.62)),
    ((0.94, 0.86, 0.60), (0.80, 0.42, 0.22)),
    ((0.72, 0.72, 0.74), (0.48, 0.48, 0.52)),
    ((0.92, 0.78, 0.78), (0.56, 0.28, 0.34)),
)
"""Colours of two kinds of cell, sRGB."""

PLAIN = (
    (0.10, 0.42, 0.22), (0.16, 0.52, 0.34), (0.72, 0.54, 0.34), (0.46, 0.30, 0.18), (0.88, 0.84, 0.74),
    (0.16, 0.24, 0.44), (0.55, 0.55, 0.56), (0.20, 0.20, 0.22), (0.44, 0.14, 0.16), (0.93, 0.92, 0.90),
)  # fmt: skip
"""Colours of a board with lines, sRGB."""

APART = 0.2  # between the colours of a counter and of a cell, sRGB; people do not play with what they cannot see


@dataclass(frozen=True, slots=True)
class Discs:
    """The shape of a set's counters, in cells. `two_sided`: each shows the other colour once it is flipped; else it is
    replaced by one of the other colour."""

    radius: float
    height: float
    two_sided: bool

    @property
    def lift(self) -> float:
        """How high a counter is lifted so that it passes over the others, also on edge."""
        return self.radius + self.height + 0.1

    @property
    def heights(self) -> dict[chess.PieceType, float]:
        """As a hand wants to know it."""
        return {chess.PAWN: self.height}

    def spot(self, cell: chess.Square, rng: np.random.Generator) -> tuple[float, float]:
        """Where a counter comes to stand: near the middle of its cell, never over its edge."""
        room = 0.49 - self.radius
        dx, dy = np.clip(rng.normal(0, 0.05 if rng.random() < 0.9 else 0.1, 2), -room, room)
        return chess.square_file(cell) + 0.5 + float(dx), chess.square_rank(cell) + 0.5 + float(dy)


@dataclass(frozen=True, slots=True, eq=False)
class CounterLook(Look):
    """`Look` with counters for men. `halves`: the meshes of a two-sided one's upper and lower side, else None."""

    discs: Discs
    halves: tuple[Mesh, Mesh] | None

    def standing(self, thing: Standing, turn: float) -> list[Body]:
        place = standing(thing.x, thing.y, turn, z=self.table.level(thing.x, thing.y))
        return self.drawn(thing.piece.color, place, turn, self.discs.radius)

    def hanging(self, piece: chess.Piece, grip: NDArray[np.float64], turn: float) -> list[Body]:
        z = max(float(grip[2]) - HOLD * self.discs.height, 0.0)
        # A two-sided one comes on edge as it is lifted: at the height of `lift` both sides are the same.
        tilt = float(np.arcsin(min(z / self.discs.lift, 1.0 if self.halves else 0.4)))
        tilt = tilt if piece.color == chess.WHITE else -tilt
        return self.drawn(piece.color, standing(float(grip[0]), float(grip[1]), turn, tilt, z), turn, ident=HAND)

    def drawn(
        self, color: chess.Color, place: NDArray[np.float64], turn: float, foot: float = 0.0, ident: int = 0
    ) -> list[Body]:
        """A counter that shows this colour. `place`: (4, 4). `foot`: radius on which it stands, 0 in a hand."""
        if self.halves is None:
            mesh = self.pieces.meshes[chess.PAWN]
            return [Body(mesh, place, tone(self, color, turn), self.gloss, self.grain, ident, foot)]
        upper, lower = self.halves
        return [
            Body(upper, place, tone(self, color, turn), self.gloss, self.grain, ident, foot),
            Body(lower, place, tone(self, not color, turn), self.gloss, self.grain, ident),
        ]


def make_counter_look(rng: np.random.Generator, side: int) -> CounterLook:
    """A set of counters, a board of side x side cells, a table and a light drawn at random."""
    discs = Discs(float(rng.uniform(0.30, 0.42)), float(rng.uniform(0.08, 0.25)), bool(rng.random() < 0.5))
    whole, upper, lower = _meshes(rng, discs)
    while True:
        light, dark = (np.array(colour) * rng.uniform(0.85, 1.1) for colour in PAIRS[int(rng.integers(len(PAIRS)))])
        cells = _cells(rng)
        if _apart((light, dark), (cells.light, cells.dark)):
            break
    table = paint(rng, side, cells)
    return CounterLook(
        pieces=PieceSet({chess.PAWN: whole}, discs.heights, {chess.PAWN: discs.radius}),
        colours={chess.WHITE: _colour(light), chess.BLACK: _colour(dark)},
        gloss=float(rng.choice([0.03, rng.uniform(0.1, 0.5), rng.uniform(0.5, 0.95)])),
        grain=float(rng.choice([0.0, rng.uniform(0.02, 0.15)], p=[0.7, 0.3])),
        uneven=float(rng.choice([0.0, rng.uniform(0.0, 0.08)])),
        table=table,
        room=make_room(rng, table),
        discs=discs,
        halves=(upper, lower) if discs.two_sided else None,
    )


def _apart(counters: tuple[NDArray[np.float64], ...], cells: tuple[NDArray[np.float64], ...]) -> bool:
    """Whether no counter looks like a cell it may stand on."""
    return all(np.linalg.norm(np.clip(c, 0, 1) ** (1 / 2.2) - cell) > APART for c in counters for cell in cells)


def _cells(rng: np.random.Generator) -> Cells:
    if rng.random() < 0.5:
        light, dark = (np.array(c) * rng.uniform(0.85, 1.1) for c in CELLS[int(rng.integers(len(CELLS)))])
        width = int(rng.integers(1, 4)) if rng.random() < 0.4 else 0
    else:
        light = dark = np.array(PLAIN[int(rng.integers(len(PLAIN)))]) * rng.uniform(0.8, 1.1)
        width = int(rng.integers(1, 6))
    bright = light.mean() > 0.5
    line = np.full(3, rng.uniform(0.0, 0.15) if bright or rng.random() < 0.4 else rng.uniform(0.75, 0.95))
    if np.linalg.norm(line - light) < 0.4:
        line = np.full(3, 0.9)
    return Cells(light.clip(0.02, 1), dark.clip(0.02, 1), line, width)


def _meshes(rng: np.random.Generator, discs: Discs) -> tuple[Mesh, Mesh, Mesh]:
    """A counter, and the upper and the lower half of it."""
    r, h = discs.radius, discs.height
    soft = float(rng.uniform(0.03, 0.3)) * h  # of the edge
    edge = [(r, h / 2), (r, h - soft), (r - 0.3 * soft, h - 0.3 * soft), (r - soft, h)]
    style = str(rng.choice(["flat", "ring", "dished", "domed"], p=[0.45, 0.25, 0.15, 0.15]))
    deep = float(rng.uniform(0.15, 0.35)) * h
    if style == "flat":
        top = [(0.5 * r, h), (0.0, h)]
    elif style == "ring":  # as draughtsmen have it
        top = [(0.8 * r, h), (0.76 * r, h - deep), (0.68 * r, h - deep), (0.64 * r, h), (0.3 * r, h), (0.0, h)]
    elif style == "dished":
        top = [(0.84 * r, h), (0.78 * r, h - deep), (0.0, h - deep)]
    else:
        edge = [(r, h / 2), (r, h - deep), (r - 0.5 * soft, h - 0.7 * deep)]
        top = [(0.6 * r, h - 0.2 * deep), (0.25 * r, h), (0.0, h)]
    upper = [*edge, *top]
    lower = [(radius, h - z) for radius, z in reversed(upper)]
    segments = 36
    return lathe([*lower, *upper[1:]], segments), lathe(upper, segments), lathe(lower, segments)


def _colour(values: NDArray[np.float64]) -> Colour:
    r, g, b = (float(value) for value in np.clip(values, 0, 1))
    return r, g, b
