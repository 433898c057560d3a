"""Notices when a calibrated view no longer fits its picture: a bump, a slow sag, a board pushed, the light gone.

The board is laid flat, small, and compared with what it looked like when all was well: small shifts are measured by one
step of inverse compositional alignment (Baker and Matthews 2004) and followed; where too little of the picture fits any
more, the view is lost until the board is found again and looks like itself there.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find import BoardNotFoundError, Found, find_board
from calibration.view import View

CELL = 16  # pixels a square of the small picture
BLUR = 2.8  # pixels: shifts of a quarter square are still seen as such
PIXELS = 2000  # with the steepest slopes, by which shifts are measured
FITS = 0.6  # correlation from which a crossing looks like itself
CONTRAST = 3.0  # grey levels a crossing must have to count
NOTHING = 0.25  # share of crossings up to which so much has changed at once that it is no hand
LOST = 0.4  # share of crossings up to which the view may be lost
HIDDEN = 0.5  # seconds for which hands alone may hide so many
FOLLOWED = 0.5  # share of crossings from which small shifts are followed
TELLING = 20  # crossings with contrast by which a shift is measured, at least
DRIFT = 0.06  # measured squares, a sixth of a square in truth: more is a shift, and no arm over the board
DOUBTED = 0.1  # seconds of it after which nothing is read
PERSISTENT = 0.6  # and after which it is followed
EXACT = 0.015  # squares up to which it is then followed
BETTER = 0.75  # share of the crossings in sight that must look more like themselves where it is followed to
SETTLED = 0.25  # seconds without a shift after which the view rests again
DARK = 14.0  # mean grey level
STOPPED = 1.5  # seconds of identical pictures: told within two, with the look and the way of the picture
SEARCH = 0.4  # seconds between two searches
LEARN = 1.0  # seconds between two looks at what has changed for good
ITSELF = 0.65  # share of crossings that must look like themselves where the board is found again

State = Literal["steady", "moving", "lost", "dark", "frozen"]
Picture = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Small = NDArray[np.float32]

TO_BOARD = np.array([[1 / CELL, 0, 0.5 / CELL - 1], [0, 1 / CELL, 0.5 / CELL - 1], [0, 0, 1]])
"""From pixels of the small picture to board coordinates."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What became of the view. `shift`: squares by which the worst corner has moved since the view was made."""

    state: State
    view: View
    shift: float


class Watch:
    """Watches one view. Frames come in order of time and all of the view's size."""

    def __init__(self, view: View, find: Callable[[Picture], Found] = find_board) -> None:
        """`find`: looks for a board of the view's size, wherever it lies."""
        self.first = self.view = view
        self.find = find
        self.pixels = _pixels(view)
        # From pixels of the small picture to -1..1, where shifts are solved for.
        self.centred = np.array([[2 / self.pixels, 0, -1.0], [0, 2 / self.pixels, -1.0], [0, 0, 1]])
        self.reference: Small | None = None
        self.last: Small | None = None
        self.fitting_at = self.moved_at = self.learnt_at = self.searched_at = -np.inf
        self.same_since = self.off_since = np.inf
        self.following = False
        self.lost = False

    def look(self, image: Picture, time: float) -> Glance:
        """Compare the next frame; the view that fits it now."""
        raw = _flat(image, self.view)
        if float(raw[::4, ::4].mean()) < DARK:
            self.last, self.fitting_at = None, time
            return self._glance("dark")
        small = _relief(raw)
        if self.reference is None:
            self.reference, self.fitting_at = small, time
            self._prepare()
        identical = self.last is not None and np.array_equal(self.last, small)
        self.same_since = min(self.same_since, time) if identical else np.inf
        still, self.last = self.last, small
        if time - self.same_since >= STOPPED:
            return self._glance("frozen")
        fit = _fits(self.reference, small)
        share = float(fit.mean())
        if share > LOST:
            self.fitting_at = time
        if self.lost or time - self.fitting_at > HIDDEN:
            return self._look_again(image, share, time)
        if share >= FOLLOWED:
            self._follow(image, small, fit, time)
            rests = self.off_since == np.inf and time - self.moved_at > LEARN and share > ITSELF
            if rests and still is not None and time - self.learnt_at > LEARN:
                self._learn(small, still, fit, time)
        moving = time - self.moved_at < SETTLED or time - self.off_since > DOUBTED or share < NOTHING
        return self._glance("moving" if moving else "steady")

    def _glance(self, state: State) -> Glance:
        return Glance(state, self.view, _apart(self.first, self.view))

    def _prepare(self) -> None:
        """The slopes of the reference, which do not change while it does not."""
        assert self.reference is not None
        self.telling = _contrast(_crossings(self.reference)) >= CONTRAST
        dx = cv2.Sobel(self.reference, cv2.CV_32F, 1, 0, scale=1 / 8)
        dy = cv2.Sobel(self.reference, cv2.CV_32F, 0, 1, scale=1 / 8)
        steep = (dx * dx + dy * dy).reshape(-1)
        self.chosen = np.argpartition(-steep, PIXELS)[:PIXELS]
        side = self.pixels
        row, column = np.divmod(self.chosen, side)
        x, y = (2 * column / side - 1).astype(np.float32), (2 * row / side - 1).astype(np.float32)
        gx, gy = dx.reshape(-1)[self.chosen] * (side / 2), dy.reshape(-1)[self.chosen] * (side / 2)
        across = x * gx + y * gy
        self.slopes = np.stack([gx, x * gx, y * gx, gy, x * gy, y * gy, x * across, y * across], 1).astype(np.float32)

    def _follow(self, image: Picture, small: Small, fit: NDArray[np.bool_], time: float) -> None:
        """One step towards where the board is now, by what looks like itself; what changed a little hardly counts."""
        assert self.reference is not None
        if (fit & self.telling).sum() < TELLING:
            return
        before, now = self.reference.reshape(-1)[self.chosen], small.reshape(-1)[self.chosen]
        gain = float(before @ now) / max(float(now @ now), 1e-6)
        left = before - np.clip(gain, 0.5, 2.0) * now
        spread = 6 * float(np.median(np.abs(left))) + 4.0
        weight = _spread(fit).reshape(-1)[self.chosen] / (1 + (left / spread) ** 2)
        weighted = self.slopes * weight[:, None]
        normal = weighted.T @ self.slopes
        normal[np.diag_indices(8)] = 1.001 * normal.diagonal() + 1e-3  # what is left may lie apart from all slopes
        p = np.linalg.solve(normal.astype(np.float64), (weighted.T @ left).astype(np.float64))
        step = np.array([[1 + p[1], p[2], p[0]], [p[4], 1 + p[5], p[3]], [-p[6], -p[7], 1.0]])
        to_centred = self.centred @ np.linalg.inv(TO_BOARD)
        change = np.linalg.inv(to_centred) @ step @ to_centred
        moved = replace(self.view, homography=self.view.homography @ change)
        size = _apart(self.view, moved)
        off = size > (EXACT if self.following else DRIFT) and self._better(image, small, moved)
        self.off_since = min(self.off_since, time) if off else np.inf
        if self.following or time - self.off_since > PERSISTENT:
            self.following = off
            self.view, self.moved_at = (moved, time) if off else (self.view, self.moved_at)

    def _better(self, image: Picture, small: Small, moved: View) -> bool:
        """Whether nearly every crossing that can be seen looks more like itself in another view."""
        assert self.reference is not None
        before, _ = _compared(self.reference, small)
        after, _ = _compared(self.reference, _relief(_flat(image, moved)))
        seen = self.telling & (np.maximum(before, after) > FITS)
        return bool(seen.sum() >= TELLING and (after > before)[seen].mean() > BETTER)

    def _learn(self, small: Small, still: Small, fit: NDArray[np.bool_], time: float) -> None:
        """Pieces come and go: what looks otherwise and has come to rest is what it looks like from now on."""
        assert self.reference is not None
        self.learnt_at = time
        resting = _fits(still, small)
        mask = _spread(resting & ~fit)
        if mask.any():
            self.reference = np.where(mask, small, self.reference)
            self._prepare()

    def _look_again(self, image: Picture, share: float, time: float) -> Glance:
        """Lost: the board fits again by itself, or is found elsewhere and looks like itself there."""
        assert self.reference is not None
        self.lost = share <= FOLLOWED
        if not self.lost:
            self.moved_at = time
            return self._glance("moving")
        if time - self.searched_at < SEARCH:
            return self._glance("lost")
        self.searched_at = time
        try:
            corners = self.find(image).corners()
        except BoardNotFoundError:
            return self._glance("lost")
        found = max((self._turned(corners, turn) for turn in range(4)), key=lambda view: self._likeness(image, view))
        if self._likeness(image, found) < ITSELF:
            return self._glance("lost")
        self.view, self.lost = found, False
        self.reference = _relief(_flat(image, found))
        self._prepare()
        self.fitting_at = self.moved_at = time
        self.last = None
        return self._glance("moving")

    def _turned(self, corners: Matrix, turn: int) -> View:
        view = self.view
        return View.from_corners(np.roll(corners, turn, 0), view.size, view.pockets, view.bend, view.side)

    def _likeness(self, image: Picture, view: View) -> float:
        assert self.reference is not None
        return float(_fits(self.reference, _relief(_flat(image, view))).mean())


def _pixels(view: View) -> int:
    """A side of the small picture, which shows one square more than the board on every side."""
    return (view.side + 2) * CELL


def _flat(image: Picture, view: View) -> Picture:
    """Grey: the board laid flat, `_pixels` a side."""
    laid = view.laid_flat(image, np.linalg.inv(TO_BOARD), (_pixels(view), _pixels(view)), cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(laid, cv2.COLOR_BGR2GRAY), np.uint8)


def _relief(grey: Picture) -> Small:
    """Grey levels above or below the surroundings: light and exposure drop out."""
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), BLUR)
    return np.asarray(soft - cv2.blur(soft, (2 * CELL + 1, 2 * CELL + 1)), np.float32)


def _crossings(small: Small) -> Small:
    """(9, 9, n) pixels around each crossing of 8x8 squares, rim and corners included, above or below their mean."""
    half, lines = CELL // 2, len(small) // CELL - 1
    cells = small[half:-half, half:-half].reshape(lines, CELL, lines, CELL)
    parts = cells.transpose(0, 2, 1, 3).reshape(lines, lines, -1)
    return np.asarray(parts - parts.mean(2, keepdims=True), np.float32)


def _contrast(crossings: Small) -> Small:
    """(9, 9) grey levels."""
    return np.asarray(np.sqrt(np.einsum("ijk,ijk->ij", crossings, crossings)) / CELL, np.float32)


def _fits(reference: Small, small: Small) -> NDArray[np.bool_]:
    """(9, 9) crossings that look like themselves. What has no contrast fits."""
    correlation, contrast = _compared(reference, small)
    return np.asarray((correlation > FITS) | (contrast < CONTRAST), np.bool_)


def _compared(reference: Small, small: Small) -> tuple[Small, Small]:
    """(9, 9) correlation of each crossing with what it looked like, and (9, 9) the contrast it had."""
    one, two = _crossings(reference), _crossings(small)
    contrast = _contrast(one)
    correlation = np.einsum("ijk,ijk->ij", one, two) / (CELL**2 * contrast * _contrast(two) + 1e-6)
    return np.asarray(correlation, np.float32), contrast


def _spread(crossings: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Pixels around some of the (9, 9) crossings."""
    return np.pad(crossings.repeat(CELL, 0).repeat(CELL, 1), CELL // 2)


def _apart(one: View, two: View) -> float:
    """Squares between the same corner in two views, at worst."""
    pixels = one.corners()
    square = np.sqrt(cv2.contourArea(pixels.astype(np.float32))) / one.side
    return float(np.hypot(*(two.corners() - pixels).T).max() / max(square, 1e-6))
