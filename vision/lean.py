"""Which way men lean on the table plane seen from above: where their heads appear, from their bases."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.facing import EVEN
from calibration.pose import pose_of
from calibration.view import View
from rules import slots
from rules.observation import EMPTY
from vision.canvas import SQUARE_CENTRES, Canvas

UNKNOWN = -1
"""Label of a square of which nothing is known."""
HEIGHTS = np.array([0.5, 0.68, 0.78, 0.6, 0.92, 1.0] * 2)
"""By label, as shares of a king's."""
DARK = EVEN.ravel()
"""(64,) by `chess.Square`."""
TALL = 1.6  # squares: a king's height
SCALE = 10  # pixels a square where leaning is looked for
WIDE, NARROW = 0.34, 0.2  # radii of a man's base and head in squares
OFF = np.arange(-1, 1.1, 0.25)  # squares by which a king's head may be elsewhere than the pose says
FANS = 0.0, 0.1, 0.2  # what a square from the middle may add to that
UP_TO_HEAD = np.linspace(0, HEIGHTS[0], 6)  # where a pawn is looked at, in shares of a king's height,
BROAD = 0.35  # and squares from one who stands before him, from foot to head, within which he is hidden
TRUST = 0.1  # in the pose: correlation that a square's distance from it must gain

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Lean:
    """`middle`: squares to the right and up, in board coordinates, from a king's base to his head in the middle of the
    board. `fan`: what is added to them for every square away from there."""

    middle: Floats
    fan: float

    def __call__(self, points: Floats) -> Floats:
        """(n, 2) of a king at (n, 2) points."""
        return np.asarray(self.middle + self.fan * (points - 4), np.float64)

    def depth(self, points: Floats) -> Floats:
        """(n,) how far from the camera (n, 2) points are: nearer men hide those behind them."""
        away = points - 4
        return np.asarray(away @ self.middle + self.fan * np.square(away).sum(1) / 2, np.float64)


DIRECTIONS = [0.5 * np.array([np.sin(angle), np.cos(angle)]) for angle in np.arange(16) * np.pi / 8]
OTHERWISE = [Lean(middle, fan) for middle in DIRECTIONS for fan in FANS]
"""How men may lean if not as the pose says: a picture that was laid flat before tells no pose, and yet they do. Half a
square fits as well as 0.65 or 0.8, and better than 0.35, in six start positions of real sets."""


def by_pose(view: View) -> Lean:
    """As a view's pose says."""
    pose = pose_of(view)
    fan = TALL / max(pose.height - TALL, 1.0)
    return Lean((4 - np.array(pose.foot)) * fan, fan)


def hidden_by(lean: Lean, points: Floats, men: Floats, labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(m, n) which of (m, 2) points each of n men hides who stands before it; (n, 2) bases and (n,) labels."""
    return slots.hidden_by(points, men, men + heads(lean, men, labels))


def covered(lean: Lean, labels: NDArray[np.int64]) -> Floats:
    """(64,) share of a pawn's height that those who stand before him hide, on each square of a position: (64,)
    `labels`."""
    men = np.flatnonzero(full(labels))
    tops = heads(lean, SQUARE_CENTRES[men], labels[men])
    pawns = SQUARE_CENTRES[:, None] + UP_TO_HEAD[:, None] * lean(SQUARE_CENTRES)[:, None]
    beyond = pawns[:, :, None] - SQUARE_CENTRES[men]
    along = np.clip((beyond * tops).sum(-1) / np.maximum(np.square(tops).sum(-1), 1e-9), 0, 1)
    gaps = np.hypot(*np.moveaxis(beyond - along[..., None] * tops, -1, 0))
    before = lean.depth(SQUARE_CENTRES)[:, None] > lean.depth(SQUARE_CENTRES[men])
    hidden = (gaps < BROAD) & (before & (men != np.arange(64)[:, None]))[:, None]
    return np.asarray(hidden.any(2).mean(1), np.float64)


def heads(lean: Lean, men: Floats, labels: NDArray[np.int64]) -> Floats:
    """(n, 2) squares from the bases of men to where their heads appear."""
    return np.asarray(HEIGHTS[labels][:, None] * lean(men), np.float64)


def lean_of(picture: Picture, canvas: Canvas, view: View, labels: NDArray[np.int64]) -> Lean:
    """As on this canvas, where (64,) `labels` are known: what the view's pose says, but for what the picture shows.
    A picture that was laid flat before tells no pose, and yet its men lean."""
    men, said = full(labels), by_pose(view)
    if not men.any():
        return said
    around = cv2.dilate(men.reshape(8, 8).astype(np.uint8), np.ones((3, 1), np.uint8)) > 0
    region = _blocks(around)
    found = _unlike_empty(picture, canvas, labels)[region]
    found = found - found.mean()

    def fit(lean: Lean) -> float:
        mask = np.zeros(region.shape, np.uint8)
        tops = SQUARE_CENTRES + heads(lean, SQUARE_CENTRES, labels % len(HEIGHTS))
        for square in np.flatnonzero(men):
            ends = [np.array([x, 8 - y]) * SCALE for x, y in (SQUARE_CENTRES[square], tops[square])]
            silhouette(mask, ends[0], ends[1], WIDE * SCALE, NARROW * SCALE)
        inside = (mask[region] > 0) - np.count_nonzero(mask[region]) / max(len(found), 1)
        alike = float(found @ inside) / float(np.sqrt((found @ found) * (inside @ inside)) + 1e-9)
        apart = float(np.square(lean.middle - said.middle).sum()) + 16 * (lean.fan - said.fan) ** 2
        return alike - TRUST * apart

    away = [np.array([right, up]) for right in OFF for up in OFF]
    tried = [Lean(said.middle + off, fan) for off in away for fan in (said.fan, *FANS)]
    return max(tried, key=fit)


def full(labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(64,) squares of which it is known that a man stands there."""
    return np.asarray((labels != EMPTY) & (labels != UNKNOWN))


def silhouette(mask: Picture, base: Floats, head: Floats, wide: float, narrow: float) -> None:
    """Fills in a mask a disc at the base, one at the head, and what lies between: (2,) points and radii in pixels."""
    away = head - base
    length = float(np.hypot(*away))
    side = np.array([-away[1], away[0]]) / max(length, 1e-6)
    between = [base + wide * side, head + narrow * side, head - narrow * side, base - wide * side]
    fine = 16  # OpenCV's points count sixteenths of a pixel
    for centre, radius in ((base, wide), (head, narrow)):
        cv2.circle(mask, np.round(centre * fine).astype(int).tolist(), round(radius * fine), 255, -1, cv2.LINE_8, 4)
    cv2.fillConvexPoly(mask, np.round(np.array(between) * fine).astype(np.int32), 255, cv2.LINE_8, 4)


def _unlike_empty(picture: Picture, canvas: Canvas, labels: NDArray[np.int64]) -> NDArray[np.float32]:
    """(8 SCALE, 8 SCALE) rank 8 first: 0 where the picture is as an empty square of that shade, up to 1."""
    to_blocks = np.array([[SCALE, 0, -0.5], [0, -SCALE, 8 * SCALE - 0.5], [0, 0, 1]]) @ np.linalg.inv(canvas.matrix)
    flat = cv2.warpPerspective(picture, to_blocks, (8 * SCALE, 8 * SCALE)).astype(np.float32)
    found = np.zeros(flat.shape[:2], np.float32)
    dark, empty = _blocks(DARK.reshape(8, 8)), _blocks((labels == EMPTY).reshape(8, 8))
    for here in (dark, ~dark):
        bare = here & empty
        if bare.any():
            off = np.abs(flat - np.median(flat[bare], axis=0)).sum(2)
            usual = np.quantile(off[bare], 0.95)
            found[here] = np.clip((off[here] - 0.7 * usual) / (usual + 10), 0, 1)
    return found


def _blocks(squares: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(8, 8) ranks from 1 up, as the pixels of a picture with rank 8 first."""
    return np.kron(np.flipud(squares), np.ones((SCALE, SCALE))) > 0
