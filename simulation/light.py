"""Light, exposure and what a webcam does to a picture."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.camera import Part
from simulation.render import Light, Table

Picture = NDArray[np.uint8]
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """`lights`: one key light and three soft ones from the sky or walls. `background`: sRGB beyond the table."""

    lights: tuple[Light, ...]
    ambient: Colour
    exposure: float


def make_room(rng: np.random.Generator, table: Table) -> Room:
    """A room drawn at random, exposed as a webcam would for this table, sometimes too dark or too bright."""
    tint = np.array([1 + rng.normal(0, 0.06), 1.0, 1 + rng.normal(0, 0.08)])
    key = rng.uniform(0.15, 1.3)
    azimuth, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(28, 80))
    lights = [Light(_direction(azimuth, height), _colour(key * tint), rng.uniform(0.03, 0.5))]
    for i in range(3):
        turn = azimuth + rng.uniform(0.5, 1.2) + i * 2.1
        strength = rng.uniform(0.08, 0.4)
        lights.append(Light(_direction(turn, np.radians(rng.uniform(35, 75))), _colour(strength * tint), 0.9))
    ambient = rng.uniform(0.1, 0.4) * tint
    onto_table = sum(np.mean(light.colour) * light.direction[2] for light in lights) + float(np.mean(ambient))
    albedo = float(np.mean((table.picture[::8, ::8] / 255.0) ** 2.2))
    board = float(np.mean((_board(table)[::8, ::8] / 255.0) ** 2.2))
    wanted = rng.uniform(0.11, 0.42)
    return Room(tuple(lights), _colour(ambient), float(wanted / (onto_table * (0.3 * albedo + 0.7 * board))))


def _board(table: Table) -> Picture:
    scale = table.picture.shape[0] / (table.high - table.low)
    a, b = int(-table.low * scale), int((8 - table.low) * scale)
    return table.picture[a:b, a:b]


def _direction(azimuth: float, height: float) -> Colour:
    return (
        float(np.cos(azimuth) * np.cos(height)),
        float(np.sin(azimuth) * np.cos(height)),
        float(np.sin(height)),
    )


def _colour(values: NDArray[np.float64]) -> Colour:
    r, g, b = (float(value) for value in values)
    return r, g, b


@dataclass(frozen=True, slots=True, eq=False)
class Webcam:
    """Blur (sigma in pixels), noise (grey levels), gains by channel (BGR), gamma, vignette, sharpening, and how far
    colour runs over edges (sigma in pixels)."""

    blur: float
    noise: float
    gains: NDArray[np.float64]
    gamma: float
    vignette: float
    sharpen: float
    smear: float


def make_webcam(rng: np.random.Generator) -> Webcam:
    """A camera drawn at random."""
    return Webcam(
        blur=float(rng.choice([0.0, rng.uniform(0.3, 1.2)])),
        noise=rng.uniform(0.5, 7.0),
        gains=1 + rng.normal(0, 0.06, 3),
        gamma=rng.uniform(0.8, 1.25),
        vignette=rng.uniform(0, 0.35),
        sharpen=float(rng.choice([0.0, rng.uniform(0, 1.2)])),
        smear=float(rng.choice([0.0, rng.uniform(0.5, 3.0)])),
    )


BLURRED = 16  # pixels over which a camera mixes what it sees, at most


def develop(rgb: Picture, webcam: Webcam, part: Part | None = None) -> NDArray[np.float32]:
    """(height, width, 3) BGR float32 in 0..255 as the camera would give it, before noise; or a part of that."""
    height, width = rgb.shape[:2]
    left, top, right, bottom = part or (0, 0, width, height)
    x, y = max(left - BLURRED, 0), max(top - BLURRED, 0)
    near = rgb[y : bottom + BLURRED, x : right + BLURRED]
    picture = np.asarray(near[..., ::-1], np.float32, order="C") / np.float32(255)
    if webcam.blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), webcam.blur), np.float32)
    if webcam.sharpen:
        picture = picture + np.float32(webcam.sharpen) * (picture - np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2)))
    if webcam.smear:
        grey = np.asarray(cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.float32)
        picture = grey + np.asarray(cv2.GaussianBlur(picture - grey, (0, 0), webcam.smear), np.float32)
    picture = picture[top - y :, left - x :][: bottom - top, : right - left]
    gains = _gains(height, width, webcam.vignette, webcam.gains.astype(np.float32).tobytes())
    picture = np.clip(picture * gains[top:bottom, left:right], 0, 1)
    # NumPy's own power takes three times as long.
    return np.asarray(cv2.pow(picture, webcam.gamma) * 255, np.float32)


@lru_cache(maxsize=2)
def _gains(height: int, width: int, vignette: float, middle: bytes) -> NDArray[np.float32]:
    """(height, width, 3): how strong each channel is in each pixel: (3,) float32 in the middle, darker towards the
    corners."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    fall = (1 - np.float32(vignette) * (x * x + y * y) / 2)[..., None]
    return np.asarray(np.frombuffer(middle, np.float32) * fall, np.float32)


def noisy(picture: NDArray[np.float32], webcam: Webcam, rng: np.random.Generator) -> Picture:
    """uint8 with this frame's noise, stronger in the dark and a few pixels wide, as after a webcam's codec."""
    return _noised(picture, _grain((picture.shape[1], picture.shape[0]), webcam, rng))


def _grain(size: tuple[int, int], webcam: Webcam, rng: np.random.Generator) -> NDArray[np.float32]:
    width, height = size
    grain = rng.standard_normal((height, width, 1), np.float32) + 0.5 * rng.standard_normal(
        (height, width, 3), np.float32
    )
    return np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.6) * np.float32(1.6 * webcam.noise), np.float32)


def _noised(picture: NDArray[np.float32], grain: NDArray[np.float32]) -> Picture:
    frame = picture / 400
    np.subtract(1.2, frame, out=frame)
    frame *= grain
    frame += picture
    return np.clip(frame, 0, 255, out=frame).astype(np.uint8)


class Grain:
    """Noise and flicker for the frames of one camera: a few fields of noise, laid down anew for every frame."""

    FIELDS = 5
    STRIP = 16  # rows laid down at once: they stay in the processor's cache

    def __init__(self, size: tuple[int, int], webcam: Webcam, rng: np.random.Generator) -> None:
        self.fields = [_grain(size, webcam, rng) for _ in range(self.FIELDS)]
        self.rng = rng
        self.rows = np.linspace(0, 2 * np.pi, size[1], dtype=np.float32)[:, None]

    def on(self, picture: NDArray[np.float32], light: NDArray[np.float32], flicker: float, number: int) -> Picture:
        """A frame as the camera gives it. `light`: (3,) BGR, by which all of it is lit. `flicker`: share of the light
        that comes and goes with the mains."""
        field = self.fields[int(self.rng.integers(self.FIELDS))]
        height, width = field.shape[:2]
        down, right = int(self.rng.integers(height)), int(self.rng.integers(width))
        lit, waves = np.tile(light, width), 1 + np.float32(flicker) * np.sin(2 * self.rows + np.float32(0.9 * number))
        frame = np.empty((height, width, 3), np.uint8)
        for top in range(0, height, self.STRIP):
            rows = np.arange(top, min(top + self.STRIP, height))
            strip = picture[rows].reshape(len(rows), -1) * lit
            if flicker:
                strip *= waves[rows]
            grain = np.roll(field[rows - down], right, 1).reshape(strip.shape)
            frame[rows] = _noised(strip, grain).reshape(len(rows), width, 3)
        return frame
