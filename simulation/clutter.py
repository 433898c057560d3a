"""What else lies on a table: clocks, cups, telephones, score sheets and pens."""

import numpy as np

from simulation.mesh import Mesh, box, capsule, join, lathe, standing
from simulation.render import Body, Table

Colour = tuple[float, float, float]
BESIDE = ((-7.5, -1.6), (9.6, 15.0))  # where things lie, west and east of the board


def clutter(rng: np.random.Generator, table: Table, sides: tuple[float, float] | None = None) -> list[Body]:
    """A few things beside the board, drawn at random; `sides`: between these x, else on either side."""
    bodies: list[Body] = []
    makers = (_clock, _cup, _telephone, _sheet, _pen)
    for _ in range(int(rng.choice([0, 1, 2, 3, 4], p=[0.2, 0.3, 0.25, 0.15, 0.1]))):
        low, high = sides or BESIDE[int(rng.integers(2))]
        x, y = float(rng.uniform(low, high)), float(rng.uniform(-2.5, 10.5))
        maker = makers[int(rng.choice(len(makers), p=[0.35, 0.2, 0.2, 0.15, 0.1]))]
        bodies += maker(rng, x, y, table.level(x, y))
    return bodies


def clock(x: float, y: float, z: float, turn: float, colour: Colour, size: float = 1.0) -> list[Body]:
    """A digital chess clock: a wedge with two displays and a button at each end."""
    place = standing(x, y, turn, 0.0, z)
    case = join([box((1.1 * size, 3.0 * size, 0.5 * size), (0, 0, 0.25 * size)), _wedge(size)])
    glass = join([box((0.5 * size, 1.0 * size, 0.04), (0.12 * size, s * 0.68 * size, 0.86 * size)) for s in (-1, 1)])
    buttons = join([box((0.7 * size, 0.5 * size, 0.14 * size), (0, s * 1.2 * size, 0.9 * size)) for s in (-1, 1)])
    return [
        Body(case, place, colour, 0.4, foot=0.8 * size),
        Body(glass, place, (0.32, 0.36, 0.30), 0.7),
        Body(buttons, place, (0.5, 0.5, 0.5), 0.3),
    ]


def _wedge(size: float) -> Mesh:
    return box((0.9 * size, 2.8 * size, 0.4 * size), (-0.05 * size, 0, 0.65 * size))


def _clock(rng: np.random.Generator, x: float, y: float, z: float) -> list[Body]:
    tone = float(rng.choice([0.02, 0.05, 0.3, 0.6])) * rng.uniform(0.7, 1.3)
    turn = float(rng.choice([0.0, np.pi]) + rng.normal(0, 0.15))
    return clock(x, y, z, turn, (tone, tone, tone * rng.uniform(0.8, 1.2)), rng.uniform(0.8, 1.2))


def _cup(rng: np.random.Generator, x: float, y: float, z: float) -> list[Body]:
    wide, tall = rng.uniform(0.6, 0.85), rng.uniform(1.2, 2.2)
    wall = [(0.0, 0.0), (wide * 0.8, 0.0), (wide, tall), (wide * 0.9, tall), (wide * 0.74, 0.3 * tall)]
    drink = lathe([(wide * 0.86, 0.72 * tall), (0.0, 0.74 * tall)], 24)
    place, tint = standing(x, y, 0.0, 0.0, z), rng.uniform(0.05, 0.85, 3)
    colour = _colour(tint if rng.random() < 0.4 else np.full(3, rng.uniform(0.4, 0.9)))
    return [
        Body(lathe(wall, 24), place, colour, 0.6, foot=wide),
        Body(drink, place, _colour(np.array([0.05, 0.02, 0.01]) * rng.uniform(0.3, 6)), 0.8),
    ]


def _telephone(rng: np.random.Generator, x: float, y: float, z: float) -> list[Body]:
    place = standing(x, y, float(rng.uniform(0, np.pi)), 0.0, z)
    return [Body(box((1.5, 3.0, 0.17), (0, 0, 0.085)), place, _colour(rng.uniform(0.005, 0.05, 3)), 0.9, foot=0.9)]


def _sheet(rng: np.random.Generator, x: float, y: float, z: float) -> list[Body]:
    place = standing(x, y, float(rng.normal(0, 0.3)), 0.0, z)
    paper = box((3.0, 4.2, 0.02), (0, 0, 0.012))
    columns = [box((0.02, 3.6, 0.004), (s, 0, 0.026)) for s in np.linspace(-1.2, 1.2, 5)]
    rows = [box((2.5, 0.015, 0.004), (0, s, 0.026)) for s in np.linspace(-1.8, 1.8, 15)]
    return [
        Body(paper, place, _colour(np.full(3, rng.uniform(0.6, 0.9))), 0.0),
        Body(join([*columns, *rows]), place, (0.15, 0.15, 0.2), 0.0),
    ]


def _pen(rng: np.random.Generator, x: float, y: float, z: float) -> list[Body]:
    mesh = capsule((-1.2, 0, 0.1), (1.2, 0, 0.1), 0.08, 0.1)
    place = standing(x, y, float(rng.uniform(0, np.pi)), 0.0, z)
    return [Body(mesh, place, _colour(rng.uniform(0.01, 0.6, 3)), 0.6)]


def _colour(values: np.typing.NDArray[np.float64]) -> Colour:
    r, g, b = (float(value) for value in np.clip(values, 0, 1))
    return r, g, b
