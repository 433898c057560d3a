"""Boards composed of one picture's men: each is cut out with its head, wherever that leans, and set on another square.

It goes to a square of the same shade, so that what of the chequer was cut out with it continues that of its new place.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY
from vision.canvas import PIXELS, SQUARE_CENTRES, STRIDE, Canvas
from vision.lean import DARK, HEIGHTS, Floats, Lean, Picture, full, silhouette

CUT = 0.48, 0.34  # radii in squares, at the base and at the head, of what may belong to a man
CORE = 0.36, 0.16  # of what surely does, even where it looks like an empty board
LONGER = 1.1  # what is cleared reaches farther than what is cut out
CLEAN = 0.02  # share of an empty square that men may cover, for it to stay as it is
CLEANEST = 6  # squares of a shade that stand for others
UNLIKE, SURELY = 25, 65  # summed difference of colours from which a pixel may be of a man, and surely is
ALIKE = 0.2  # squares by which a man may lean otherwise than men do where he is set, usually
UNALIKE = 0.2, 0.3  # and at most: squares, and share of how much they lean there
TURNS = [
    np.linalg.matrix_power([[0, -1], [1, 0]], turns) @ np.diag([side, 1]) for turns in range(4) for side in (1, -1)
]
"""The ways a square can be laid on itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """What boards are composed of. `empty`: the picture without its men. `matte`: how surely a pixel is a man's.
    `centres`, `leans`: (64, 2) of squares and of kings there, in pixels. `depth`: (64,) as `Lean.depth`."""

    picture: Picture
    empty: Picture
    matte: Picture
    labels: NDArray[np.int64]
    centres: Floats
    leans: Floats
    depth: Floats

    @classmethod
    def of(cls, picture: Picture, canvas: Canvas, labels: NDArray[np.int64], lean: Lean) -> "Kit":
        """From a picture on a canvas that shows (64,) `labels`."""
        centres, leans = canvas.places(SQUARE_CENTRES) * STRIDE, lean(SQUARE_CENTRES) @ canvas.matrix[:2, :2].T
        empty = _cleared(picture, labels, centres, leans)
        off = cv2.GaussianBlur(cv2.absdiff(picture, empty), (0, 0), 1.0).astype(np.float32).sum(2)
        matte = (np.clip((off - UNLIKE) / (SURELY - UNLIKE), 0, 1) * 255).astype(np.uint8)
        matte = np.asarray(cv2.morphologyEx(matte, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
        return cls(picture, empty, matte, labels, centres, leans, lean.depth(SQUARE_CENTRES))

    def composed(self, men: int, rng: np.random.Generator) -> tuple[Picture, NDArray[np.int64]]:
        """A picture with so many men at random, or fewer, all kinds that fit equally often, and its (64,) labels."""
        picture, labels = self.empty.copy(), np.full(64, EMPTY, np.int64)
        squares = rng.permutation(64)[:men]
        for square in squares[np.argsort(-self.depth[squares])]:
            chosen = self._chosen(square, rng)
            if chosen:
                source, turn = chosen
                self._set(picture, source, square, turn)
                labels[square] = self.labels[source]
        return picture, labels

    def _chosen(self, square: int, rng: np.random.Generator) -> tuple[int, NDArray[np.float64]] | None:
        """Whom to set on a square, and which way round: one who leans about as men do there."""
        sources = np.flatnonzero((DARK[square] == DARK) & full(self.labels))
        turned = np.einsum("tij,sj->sti", TURNS, self.leans[sources])
        height = HEIGHTS[self.labels[sources]][:, None] / PIXELS
        off = np.hypot(*np.moveaxis(turned - self.leans[square], 2, 0)) * height
        fitting = off < UNALIKE[0] + UNALIKE[1] * np.hypot(*self.leans[square]) * height
        kinds = np.unique(self.labels[sources[fitting.any(1)]])
        if not len(kinds):
            return None
        fitting &= (self.labels[sources] == rng.choice(kinds))[:, None]
        weight = np.where(fitting, np.exp(-((off / ALIKE) ** 2) / 2), 0).ravel()
        source, turn = divmod(int(rng.choice(len(weight), p=weight / weight.sum())), len(TURNS))
        return int(sources[source]), TURNS[turn]

    def _set(self, picture: Picture, source: int, square: int, turn: NDArray[np.float64]) -> None:
        height, width = picture.shape[:2]
        base = self.centres[square]
        head = base + HEIGHTS[self.labels[source]] * (turn @ self.leans[source])
        reach = PIXELS * CUT[0] + 4
        low = np.maximum(np.floor(np.minimum(base, head) - reach), 0).astype(int)
        high = np.minimum(np.ceil(np.maximum(base, head) + reach), (width, height)).astype(int)
        if (high <= low).any():
            return
        size = high - low
        outer, core = (np.zeros(size[::-1], np.uint8) for _ in range(2))
        for mask, radii in ((outer, CUT), (core, CORE)):
            silhouette(mask, base - low, head - low, *(PIXELS * radius for radius in radii))
        back = np.linalg.inv(turn)
        from_source = np.column_stack([back, self.centres[source] + back @ (low - base)])
        how, edge = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, cv2.BORDER_REPLICATE
        man = cv2.warpAffine(self.picture, from_source, size.tolist(), flags=how, borderMode=edge)
        matte = cv2.warpAffine(self.matte, from_source, size.tolist(), flags=how)
        share = cv2.GaussianBlur(np.minimum(outer, np.maximum(core, matte)), (0, 0), 1.2)[..., None] / np.float32(255)
        part = picture[low[1] : high[1], low[0] : high[0]]
        part[:] = np.round(part + share * (man.astype(np.float32) - part)).astype(np.uint8)


def _cleared(picture: Picture, labels: NDArray[np.int64], centres: Floats, leans: Floats) -> Picture:
    """The board without men, and beside it without their heads."""
    covered = np.zeros(picture.shape[:2], np.uint8)
    for square in np.flatnonzero(full(labels)):
        head = centres[square] + LONGER * HEIGHTS[labels[square]] * leans[square]
        silhouette(covered, centres[square], head, *(PIXELS * radius for radius in CUT))
    windows = [_window(centre) for centre in centres]
    share = np.array([covered[window].mean() / 255 for window in windows])
    bad = (share > CLEAN) | (labels != EMPTY)
    made = picture.copy()
    for shade in (DARK, ~DARK):
        same = np.flatnonzero(shade)
        clean = same[np.argsort(share[same] + 10 * (labels[same] != EMPTY))][:CLEANEST]
        for square in same[bad[same]]:
            # One near by is lit alike.
            away = np.abs(SQUARE_CENTRES[clean] - SQUARE_CENTRES[square]).sum(1) + 5 * share[clean]
            made[windows[square]] = picture[windows[clean[np.argmin(away)]]]
    beside = cv2.dilate(covered, np.ones((5, 5), np.uint8))
    for window in windows:
        beside[window] = 0
    return np.asarray(cv2.inpaint(made, beside, 3, cv2.INPAINT_TELEA), np.uint8)


def _window(centre: Floats) -> tuple[slice, slice]:
    (left, top), side = np.round(centre - PIXELS / 2).astype(int), PIXELS
    return slice(top, top + side), slice(left, left + side)
