"""The painted table: board squares, border, coordinates, cloth or wood around them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.render import Table

LOW, HIGH = -9.0, 17.0
PIXELS = 64  # a square


def paint(rng: np.random.Generator) -> Table:
    """A table with a board on it, drawn at random."""
    n = int((HIGH - LOW) * PIXELS)
    picture = _ground(rng, n)
    light, dark = _board_colours(rng)
    border = rng.choice([0.0, rng.uniform(0.15, 0.9)], p=[0.15, 0.85])
    style = rng.choice(["light", "dark", "own"])
    rim = {"light": light, "dark": dark}.get(str(style), rng.uniform(0.05, 0.9, 3))
    if border:
        _fill(picture, -border, -border, 8 + border, 8 + border, rim, _texture(rng, n))
    texture = _texture(rng, n)
    for file in range(8):
        for rank in range(8):
            colour = dark if (file + rank) % 2 == 0 else light
            _fill(picture, file, rank, file + 1, rank + 1, colour * rng.uniform(0.97, 1.03), texture)
    if rng.random() < 0.5:
        line = rng.uniform(0, 1) * np.ones(3) if rng.random() < 0.5 else dark
        for t in (0, 8):
            for a, b in (((0, t), (8, t)), ((t, 0), (t, 8))):
                cv2.line(picture, _pixel(*a), _pixel(*b), line.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA)
    if border > 0.3 and rng.random() < 0.7:
        _coordinates(rng, picture, border, light if np.mean(rim) < 0.4 else dark * 0.6)
    rgb = (np.clip(picture, 0, 1) * 255).astype(np.uint8)
    return Table(rgb, LOW, HIGH, float(rng.choice([0.0, 0.1, 0.3])))


BOARDS = (
    ((0.93, 0.92, 0.86), (0.12, 0.36, 0.22)),
    ((0.92, 0.90, 0.82), (0.16, 0.30, 0.48)),
    ((0.90, 0.76, 0.56), (0.48, 0.29, 0.17)),
    ((0.82, 0.66, 0.45), (0.32, 0.17, 0.10)),
    ((0.95, 0.94, 0.92), (0.45, 0.18, 0.14)),
    ((0.88, 0.88, 0.88), (0.12, 0.12, 0.13)),
    ((0.90, 0.86, 0.72), (0.38, 0.44, 0.26)),
    ((0.86, 0.82, 0.74), (0.42, 0.40, 0.40)),
    ((0.93, 0.84, 0.68), (0.62, 0.42, 0.26)),
)


def _board_colours(rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    light, dark = (np.array(colour) for colour in BOARDS[int(rng.integers(len(BOARDS)))])
    light = np.clip(light * rng.uniform(0.85, 1.05) + rng.normal(0, 0.03, 3), 0.2, 1)
    dark = np.clip(dark * rng.uniform(0.7, 1.25) + rng.normal(0, 0.03, 3), 0.02, 0.8)
    return light, dark


def _texture(rng: np.random.Generator, n: int) -> NDArray[np.float32]:
    """(n, n) factor around 1: wood grain, weave or nothing."""
    kind = rng.choice(["grain", "weave", "plain"], p=[0.5, 0.2, 0.3])
    strength = rng.uniform(0.02, 0.12)
    if kind == "plain":
        return np.ones((n, n), np.float32)
    small = rng.normal(0, 1, (n // 40, n // 3) if kind == "grain" else (n // 3, n // 3)).astype(np.float32)
    noise = np.asarray(
        cv2.resize(cv2.GaussianBlur(small, (0, 0), 0.8), (n, n), interpolation=cv2.INTER_CUBIC), np.float32
    )
    factor = 1 + strength * noise / max(float(noise.std()), 1e-6)
    return np.asarray(factor.T if rng.random() < 0.5 else factor, np.float32)


def _ground(rng: np.random.Generator, n: int) -> NDArray[np.float32]:
    colour = rng.choice(["wood", "grey", "cloth"])
    base = {
        "wood": np.array([0.62, 0.44, 0.28]) * rng.uniform(0.4, 1.4),
        "grey": np.full(3, rng.uniform(0.1, 0.9)),
        "cloth": rng.uniform(0.05, 0.75, 3),
    }[str(colour)]
    texture = _texture(rng, n)
    shade = cv2.resize(rng.uniform(0.85, 1.15, (5, 5)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)
    return np.asarray(base.astype(np.float32)[None, None] * (texture * shade)[..., None], np.float32)


def _pixel(x: float, y: float) -> tuple[int, int]:
    return round((x - LOW) * PIXELS), round((y - LOW) * PIXELS)


def _fill(
    picture: NDArray[np.float32],
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    colour: NDArray[np.float64],
    texture: NDArray[np.float32],
) -> None:
    (a, b), (c, d) = _pixel(x0, y0), _pixel(x1, y1)
    picture[b:d, a:c] = colour.astype(np.float32) * texture[b:d, a:c, None]


def _coordinates(
    rng: np.random.Generator, picture: NDArray[np.float32], border: float, colour: NDArray[np.float64]
) -> None:
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    scale = min(border, 0.5) * 2.4
    for i in range(8):
        for text, x, y in (("abcdefgh"[i], i + 0.4, -border * 0.3), ("12345678"[i], -border * 0.7, i + 0.6)):
            column, row = _pixel(x, y)
            stamp = np.zeros((64, 64), np.uint8)
            cv2.putText(stamp, text, (16, 44), font, scale, 255, 2, cv2.LINE_AA)
            stamp = stamp[::-1]
            part = picture[row - 32 : row + 32, column - 16 : column + 48]
            part += stamp[: part.shape[0], : part.shape[1], None] / np.float32(255) * (colour.astype(np.float32) - part)
