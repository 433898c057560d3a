"""The painted table: board squares, border, coordinates, cloth or wood around them."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.render import Table

LOW, HIGH = -9.0, 17.0
PIXELS = 64  # a square


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """How the squares of a board look: chequered in two colours, or in one (the same twice) and ruled. `line`: colour
    of the lines between squares, `width`: theirs in pixels, 0 for none. Colours are (3,) sRGB in 0..1."""

    light: NDArray[np.float64]
    dark: NDArray[np.float64]
    line: NDArray[np.float64]
    width: int


def paint(rng: np.random.Generator, side: int = 8, cells: Cells | None = None) -> Table:
    """A table with a board of side x side squares on it, drawn at random: flat vinyl or card, or a wooden slab.

    `cells`: how the squares look; if not given as those of chess, and then a board of another size lies flat.
    """
    n = int((HIGH - LOW) * PIXELS)
    picture = _ground(rng, n)
    light, dark = _board_colours(rng) if cells is None else (cells.light, cells.dark)
    wooden = rng.random() < 0.45
    border = rng.choice([0.0, rng.uniform(0.15, 0.9)], p=[0.12, 0.88])
    style = rng.choice(["light", "dark", "own"])
    own = np.array(RIMS[int(rng.integers(3 if wooden else len(RIMS)))]) * rng.uniform(0.7, 1.2)
    rim = {"light": light, "dark": dark}.get(str(style), own)
    texture = _grain(rng, n, rng.uniform(0.03, 0.14)) if wooden else _texture(rng, n)
    if border:
        _fill(picture, -border, -border, side + border, side + border, rim, texture)
    ruled = cells is not None and cells.width > 0
    squares = _squares(rng, texture, light, dark, wooden and not ruled, side)
    (a, _), (c, _) = _pixel(0, 0), _pixel(side, side)
    picture[a:c, a:c] = squares
    if cells is not None and ruled:
        _rule(picture, side, cells)
    elif rng.random() < 0.5:
        line = rng.uniform(0, 1) * np.ones(3) if rng.random() < 0.5 else dark
        for t in (0, side):
            for one, two in (((0, t), (side, t)), ((t, 0), (t, side))):
                cv2.line(picture, _pixel(*one), _pixel(*two), line.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA)
    if border > 0.3 and rng.random() < 0.7:
        _coordinates(rng, picture, border, side, light if np.mean(rim) < 0.4 else dark * 0.6)
    rgb = (np.clip(picture, 0, 1) * 255).astype(np.uint8)
    thick = rng.uniform(0.15, 0.5) if wooden and border else rng.choice([0.0, rng.uniform(0.02, 0.1)])
    thick = thick if side == 8 or cells is not None else 0.0
    gloss = rng.choice([0.0, 0.1, rng.uniform(0.2, 0.5)])
    return Table(rgb, LOW, HIGH, float(gloss), float(border), float(thick), side)


def _rule(picture: NDArray[np.float32], side: int, cells: Cells) -> None:
    for t in range(side + 1):
        for one, two in (((0, t), (side, t)), ((t, 0), (t, side))):
            cv2.line(picture, _pixel(*one), _pixel(*two), cells.line.tolist(), cells.width, cv2.LINE_AA)


def _squares(
    rng: np.random.Generator,
    texture: NDArray[np.float32],
    light: NDArray[np.float64],
    dark: NDArray[np.float64],
    wooden: bool,
    side: int,
) -> NDArray[np.float32]:
    """(side * PIXELS, side * PIXELS, 3): wooden ones are each cut from another place of the plank."""
    tones = rng.normal(1, 0.05 if wooden else 0.01, (side, side)).clip(0.8, 1.2)
    picture = np.empty((side * PIXELS, side * PIXELS, 3), np.float32)
    (low, _), (high, _) = _pixel(0, 0), _pixel(7, 7)
    for file in range(side):
        for rank in range(side):
            x, y = low + file * PIXELS, low + rank * PIXELS
            if wooden:
                x, y = rng.integers(0, high, 2)
            piece = texture[y : y + PIXELS, x : x + PIXELS, None]
            colour = (dark if (file + rank) % 2 == 0 else light) * tones[rank, file]
            picture[rank * PIXELS : (rank + 1) * PIXELS, file * PIXELS : (file + 1) * PIXELS] = piece * colour
    return picture


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


CLOTHS = (
    (0.45, 0.45, 0.45), (0.75, 0.74, 0.72), (0.12, 0.12, 0.13),
    (0.55, 0.46, 0.36), (0.34, 0.26, 0.20), (0.72, 0.66, 0.54),
    (0.14, 0.34, 0.22), (0.18, 0.26, 0.42), (0.42, 0.12, 0.14),
)  # fmt: skip
CLOTH_SHARES = (0.2, 0.2, 0.1, 0.12, 0.1, 0.1, 0.08, 0.06, 0.04)
RIMS = ((0.45, 0.30, 0.18), (0.25, 0.15, 0.09), (0.70, 0.54, 0.36), (0.10, 0.10, 0.10), (0.85, 0.84, 0.80))


def _muted(rng: np.random.Generator) -> NDArray[np.float64]:
    """A colour as cloths have it: mostly greys and earth, now and then green, blue or red."""
    hue = np.array(CLOTHS[int(rng.choice(len(CLOTHS), p=CLOTH_SHARES))]) * (1 + rng.normal(0, 0.06, 3))
    return np.clip(hue * rng.uniform(0.5, 1.3), 0.02, 0.95)


def _smooth(rng: np.random.Generator, rows: int, columns: int, n: int) -> NDArray[np.float32]:
    """(n, n) noise of unit spread with so many bumps down and across."""
    noise = rng.standard_normal((max(rows, 2), max(columns, 2)), np.float32)
    large = np.asarray(cv2.resize(noise, (n, n), interpolation=cv2.INTER_CUBIC), np.float32)
    return large / max(float(large.std()), 1e-6)


def _grain(rng: np.random.Generator, n: int, strength: float) -> NDArray[np.float32]:
    """(n, n) factor around 1: rings of a plank along the first axis, with fine pores."""
    bow = 0.05 * n * _smooth(rng, 3, 4, n) / 3 + np.arange(n, dtype=np.float32)[None, :]
    rings = np.sin(bow * float(rng.uniform(0.05, 0.25)) + 2.2 * _smooth(rng, 6, 40, n))
    pores = _smooth(rng, n // 24, n // 2, n)
    factor = 1 + strength * (0.6 * rings + 0.5 * pores)
    return np.ascontiguousarray(factor.T if rng.random() < 0.5 else factor, np.float32)


def _texture(rng: np.random.Generator, n: int) -> NDArray[np.float32]:
    """(n, n) factor around 1: weave, speckle or nothing."""
    kind = rng.choice(["weave", "speckle", "plain"], p=[0.3, 0.2, 0.5])
    if kind == "plain":
        return np.ones((n, n), np.float32)
    fine = n // 3 if kind == "weave" else n // 8
    return np.asarray(1 + rng.uniform(0.01, 0.07) * _smooth(rng, fine, fine, n), np.float32)


def _ground(rng: np.random.Generator, n: int) -> NDArray[np.float32]:
    """(n, n, 3): planks, laminate, a cloth with its pattern, or something plain."""
    kind = str(rng.choice(["planks", "wood", "plain", "cloth"], p=[0.25, 0.2, 0.3, 0.25]))
    if kind in ("planks", "wood"):
        base = np.array([0.62, 0.44, 0.28]) * rng.uniform(0.35, 1.45) * (1 + rng.normal(0, 0.08, 3))
        texture = _grain(rng, n, rng.uniform(0.04, 0.16))
        if kind == "planks":
            width = int(rng.uniform(1.2, 4.5) * PIXELS)
            tones = rng.normal(1, 0.08, n // width + 2)
            at = np.arange(n) // width
            seam = (np.arange(n) % width < 2).astype(np.float32)
            texture = texture * (tones[at] * (1 - 0.6 * seam)).astype(np.float32)[None, :]
        return np.asarray(base.astype(np.float32)[None, None] * texture[..., None], np.float32)
    base = _muted(rng)
    picture = np.asarray(base.astype(np.float32)[None, None] * _texture(rng, n)[..., None], np.float32)
    if kind == "cloth":
        if rng.random() < 0.5:
            _checks(rng, picture, base)
        picture *= 1 + 0.06 * _smooth(rng, 8, 8, n)[..., None]
    return picture


def _checks(rng: np.random.Generator, picture: NDArray[np.float32], base: NDArray[np.float64]) -> None:
    """A tablecloth's stripes or checks, which must not be taken for a board."""
    n, wide = len(picture), int(rng.uniform(0.4, 2.5) * PIXELS)
    stripe = ((np.arange(n) // wide) % 2).astype(np.float32)[:, None, None]
    other = (_muted(rng) / np.maximum(base, 0.05)).astype(np.float32) * 0.5 + 0.5
    picture *= 1 + stripe * (other - 1)
    if rng.random() < 0.5:
        picture *= 1 + stripe.transpose(1, 0, 2) * (other - 1)


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
    rng: np.random.Generator, picture: NDArray[np.float32], border: float, side: int, colour: NDArray[np.float64]
) -> None:
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX]))
    scale = min(border, 0.5) * 2.4
    for i in range(side):
        for text, x, y in (("abcdefgh"[i], i + 0.4, -border * 0.3), ("12345678"[i], -border * 0.7, i + 0.6)):
            column, row = _pixel(x, y)
            stamp = np.zeros((64, 64), np.uint8)
            cv2.putText(stamp, text, (16, 44), font, scale, 255, 2, cv2.LINE_AA)
            stamp = stamp[::-1]
            part = picture[row - 32 : row + 32, column - 16 : column + 48]
            part += stamp[: part.shape[0], : part.shape[1], None] / np.float32(255) * (colour.astype(np.float32) - part)
