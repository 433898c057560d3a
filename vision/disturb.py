"""What other cameras and other light would make of the same picture: for training, and for teaching in a match."""

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.upright import BASE, SIZE

BRIM = 14  # pixels more that are cut out, for what is turned and shifted
TURNED, SELDOM, FAR = 0.09, 0.25, 0.5  # radians; and how often how far: laid flat before, a picture tells no pose
SCALED, SHIFTED = 0.05, 3.0  # logarithm, and pixels
ROW = 8  # men of a row, where all of a picture are disturbed together

Picture = NDArray[np.uint8]


def disturb(canvas: Picture, rng: np.random.Generator) -> Picture:
    """Sharpness, noise, colour and contrast drawn at random. All in bytes: training waits for this."""
    picture = canvas
    if rng.random() < 0.35:
        picture = _coarser(picture, rng.uniform(0.4, 0.95))
    if rng.random() < 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.4)), np.uint8)
    if rng.random() < 0.3:
        picture = _smeared(picture, rng.uniform(0.8, 4.0))
    if rng.random() < 0.25:
        share = rng.uniform(0.3, 1.5)
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.8, 2.0))
        picture = np.asarray(cv2.addWeighted(picture, 1 + share, soft, -share, 0), np.uint8)
    colourful = rng.choice([0.0, rng.uniform(0.3, 1.6)], p=[0.06, 0.94])
    mixing = colourful * np.eye(3) + (1 - colourful) / 3
    picture = cv2.LUT(np.asarray(cv2.transform(picture, mixing), np.uint8), _levels(picture, rng)).astype(np.uint8)
    if rng.random() < 0.5:
        picture = np.asarray(cv2.multiply(picture, _shade(canvas.shape[:2], rng), dtype=cv2.CV_8U), np.uint8)
    if rng.random() < 0.6:
        picture = _noisy(picture, rng.uniform(0.005, 0.06), rng)
    if rng.random() < 0.3:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))])[1]
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _levels(picture: Picture, rng: np.random.Generator) -> Picture:
    """(256, 1, 3): another gamma, contrast, exposure and white balance."""
    values = np.linspace(0, 1, 256)[:, None] ** np.exp(rng.normal(0, 0.25))
    middle = (float(picture[::8, ::8].mean()) / 255) ** np.exp(rng.normal(0, 0.1))
    gains = np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.22))
    values = (middle + (values - middle) * np.exp(rng.normal(0, 0.2))) * gains
    return np.asarray(np.clip(values, 0, 1) * 255, np.uint8)[:, None, :]


def _smeared(picture: Picture, reach: float) -> Picture:
    """Colour runs over edges, as after a webcam's codec."""
    parts = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
    soft = cv2.GaussianBlur(parts, (0, 0), reach)
    soft[..., 0] = parts[..., 0]
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_YCrCb2BGR), np.uint8)


SPREAD = 32.0  # grey levels of the stored noise


@lru_cache(maxsize=1)
def _fields() -> list[Picture]:
    """Noise of several sharpnesses around 128; drawing it anew for every canvas would take longer than all else."""
    rng = np.random.default_rng(0)
    fields = []
    for reach in (0.3, 0.5, 0.7, 0.9):
        noise = cv2.GaussianBlur(rng.standard_normal((1024, 1024, 3), np.float32), (0, 0), reach)
        fields.append(np.clip(128 + SPREAD * noise, 0, 255).astype(np.uint8))
    return fields


def _noisy(picture: Picture, strength: float, rng: np.random.Generator) -> Picture:
    field = _fields()[int(rng.integers(4))]
    height, width = picture.shape[:2]
    top, left = int(rng.integers(1024 - height)), int(rng.integers(1024 - width))
    share = strength * 255 / SPREAD
    part = field[top : top + height, left : left + width]
    return np.asarray(cv2.addWeighted(picture, 1, part, share, -128 * share), np.uint8)


def _coarser(picture: Picture, scale: float) -> Picture:
    height, width = picture.shape[:2]
    small = cv2.resize(picture, (int(width * scale), int(height * scale)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _shade(shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """(h, w, 3) soft light and shadow across the table."""
    few = rng.uniform(0.65, 1.3, (int(rng.integers(2, 5)), int(rng.integers(2, 5)))).astype(np.float32)
    return np.asarray(cv2.merge([cv2.resize(few, shape[::-1], interpolation=cv2.INTER_CUBIC)] * 3), np.float32)


def turned(man: Picture, angle: float, scale: float, mirrored: bool, shift: ArrayLike = (0.0, 0.0)) -> Picture:
    """A man cut out with a brim, (124, 100, 3), as he might have been without, (96, 72, 3). `angle`: radians. `shift`:
    pixels."""
    way = turn(angle, scale, mirrored)
    place = np.column_stack([way, BASE + shift - way @ (BASE + BRIM)])
    return np.asarray(cv2.warpAffine(man, place, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def turn(angle: float, scale: float, mirrored: bool) -> NDArray[np.float64]:
    """(2, 2) by which a man is turned about his base."""
    straight = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(straight * scale * [-1 if mirrored else 1, 1])


def varied(men: Picture, light: int, rng: np.random.Generator) -> Picture:
    """Each turned, scaled, shifted and mirrored by itself; all in one light."""
    moved = []
    for man in men:
        angle = rng.normal(0, FAR if rng.random() < SELDOM else TURNED)
        scale, mirrored = np.exp(rng.normal(0, SCALED)), rng.random() < 0.5
        moved.append(turned(man, angle, scale, mirrored, rng.normal(0, SHIFTED, 2)))
    return lit(moved, light)


def lit(men: list[Picture], light: int) -> Picture:
    """(n, 96, 72, 3) of men, all disturbed together, as `light` draws it."""
    if not men:
        return np.zeros((0, *SIZE[::-1], 3), np.uint8)
    rows = -(-len(men) // ROW)
    high, wide = SIZE[::-1]
    whole = np.zeros((rows * ROW, high, wide, 3), np.uint8)
    whole[: len(men)] = men
    sheet = whole.reshape(rows, ROW, high, wide, 3).swapaxes(1, 2).reshape(rows * high, ROW * wide, 3)
    sheet = disturb(np.ascontiguousarray(sheet), np.random.default_rng(light))
    return np.asarray(sheet.reshape(rows, high, ROW, wide, 3).swapaxes(1, 2).reshape(whole.shape)[: len(men)])
