"""A player's arm: sleeve, palm, thumb and fingers of rounded limbs, pinching at a point."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulation.mesh import Mesh, capsule, join

Colour = tuple[float, float, float]

SKINS: tuple[Colour, ...] = (
    (0.86, 0.66, 0.55),
    (0.80, 0.58, 0.46),
    (0.91, 0.74, 0.65),
    (0.62, 0.42, 0.31),
    (0.42, 0.28, 0.20),
    (0.27, 0.18, 0.13),
)


@dataclass(frozen=True, slots=True)
class Arm:
    """How one player's arm looks. `size`: 1 is a hand of 3.3 squares. `bare`: part of the forearm without sleeve."""

    skin: Colour
    sleeve: Colour
    size: float
    bare: float
    right: bool


def make_arm(rng: np.random.Generator) -> Arm:
    """An arm drawn at random."""
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))]) * rng.uniform(0.9, 1.08)
    tint = rng.normal(0, rng.choice([0.05, 0.25, 0.6], p=[0.5, 0.35, 0.15]), 3)
    sleeve = np.clip(rng.uniform(0.03, 0.8) * (1 + tint), 0.02, 0.9)
    return Arm(
        _colour(np.clip(skin, 0, 1)),
        _colour(sleeve),
        rng.uniform(0.88, 1.1),
        rng.choice([0.0, rng.uniform(0, 1)]),
        bool(rng.random() < 0.85),
    )


def _colour(values: ArrayLike) -> Colour:
    r, g, b = (float(value) for value in np.asarray(values))
    return r, g, b


def pose(arm: Arm, grip: ArrayLike, toward: float, curl: float = 0.0) -> tuple[Mesh, Mesh]:
    """Skin and sleeve meshes of an arm whose finger tips meet at `grip` (x, y, z in squares).

    `toward`: direction from the hand to the elbow, radians in the board plane. `curl`: 0 pinching, 1 a fist.
    """
    tip = np.asarray(grip, np.float64)
    back = np.array([np.cos(toward), np.sin(toward), 0.0])
    side = np.array([-back[1], back[0], 0.0]) * (1 if arm.right else -1)
    up = np.array([0.0, 0.0, 1.0])
    s = arm.size

    def at(along: float, across: float, height: float) -> NDArray[np.float64]:
        point: NDArray[np.float64] = tip + s * (along * back + across * side + height * up)
        point[2] = max(point[2], 0.2)
        return point

    wrist = at(2.25, 0.25, 1.0)
    knuckles = [at(0.95 + 0.08 * i, -0.32 + 0.36 * i, 1.02 - 0.05 * i) for i in range(4)]
    limbs = [capsule(wrist, knuckle, 0.36 * s, 0.24 * s) for knuckle in knuckles]
    for i, knuckle in enumerate(knuckles):
        fold = curl if i < 2 else max(curl, 0.25 + 0.25 * (i - 1))
        middle = at(0.18 + 0.5 * fold + 0.06 * i, -0.2 + 0.34 * i, 0.72 - 0.15 * fold)
        end = at(0.0 + 0.75 * fold, -0.1 + 0.26 * i, 0.05 + 0.18 * fold)
        limbs += [
            capsule(knuckle, middle, 0.19 * s, 0.165 * s, 10),
            capsule(middle, end, 0.16 * s, 0.125 * s, 10),
        ]
    thumb = at(1.25, -0.62, 0.72)
    bend = at(0.6, -0.55, 0.42)
    limbs += [capsule(wrist, thumb, 0.34 * s, 0.27 * s), capsule(thumb, bend, 0.24 * s, 0.19 * s, 10)]
    limbs += [capsule(bend, at(0.05, -0.22, 0.02), 0.18 * s, 0.14 * s, 10)]
    elbow = at(7.5, 0.6, 1.9)
    cuff = wrist + (elbow - wrist) * (0.05 + 0.3 * arm.bare)
    skin = join([*limbs, capsule(wrist, cuff, 0.36 * s, 0.42 * s)])
    shoulder = at(17.0, 1.2, 5.5)
    return skin, join([capsule(cuff, elbow, 0.52 * s, 0.85 * s, 16), capsule(elbow, shoulder, 0.85 * s, 1.1 * s, 12)])
