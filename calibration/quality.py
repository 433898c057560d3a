"""Whether a picture of a board is good enough to be read: sharpness, light, glare, size, angle. Plain verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import Pose, pose_of
from calibration.view import Region, View

LOW = 40.0  # degrees; the reader was not made for less
TALL = 2.2  # squares on the farthest rank that a tall piece may hide behind it
SMALL = 26.0  # pixels a square, along its shorter side
SOFT = 5.0  # pixels over which an edge between two squares goes from one colour to the other
PALE = 18.0  # grey levels between light and dark squares, or between the ground and its lines
THIN = 0.08  # of a square: a line's width is within it
DARK, BRIGHT = 35.0, 235.0  # mean grey levels of the board
GLARE = 250  # grey level of what is burnt out
SHINE = 0.4  # squares that may be burnt out in one place
SLOW = 12.0  # frames a second
CELL = 12  # pixels of the board laid flat

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Advice:
    """What should be better. Its text is the catalogue's `advice.<kind>`, with `values` filled in."""

    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)


ADVICE = ("low", "hidden_behind", "small", "pocket_outside", "soft", "pale", "dark", "bright", "glare", "slow")


@dataclass(frozen=True, slots=True)
class Quality:
    """`square`: pixels of the smallest square's shorter side. `edge`: pixels over which an edge changes colour, at the
    median. `contrast`: grey levels between light and dark squares, or between squares and the lines that part them.
    `brightness`: mean grey level of the board. `glare`: squares burnt out in one place. `fps`: None for a picture."""

    pose: Pose
    square: float
    edge: float
    contrast: float
    brightness: float
    glare: float
    fps: float | None
    advice: tuple[Advice, ...]


def judge(image: Picture, view: View, fps: float | None = None, *, flat_men: bool = False) -> Quality:
    """How good a view of a board a BGR picture gives. `flat_men`: counters, which hide nothing."""
    pose = pose_of(view)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    square = _smallest(view)
    edge, contrast = _edges(grey, view)
    flat = _flat(grey, view)
    brightness, glare = float(flat.mean()), _burnt_out(flat)
    low = pose.elevation < LOW
    lines = "rank" if pose.far in chess.RANK_NAMES else "file"
    slow = fps is not None and fps < SLOW
    advice = [
        (low, Advice("low", {"elevation": round(pose.elevation), "least": round(LOW)})),
        (
            pose.hidden > TALL and not low and not flat_men,
            Advice("hidden_behind", {"lines": lines, "far": pose.far, "before": pose.before}),
        ),
        (square < SMALL, Advice("small", {"pixels": round(square), "least": round(SMALL)})),
        *((_cut(view, region), Advice("pocket_outside", {"color": color})) for color, region in view.pockets.items()),
        (edge > SOFT, Advice("soft", {"pixels": round(edge, 1)})),
        (contrast < PALE, Advice("pale")),
        (brightness < DARK, Advice("dark")),
        (brightness > BRIGHT, Advice("bright")),
        (glare > SHINE, Advice("glare", {"squares": round(glare, 1)})),
        (slow, Advice("slow", {"fps": round(fps or 0), "least": round(SLOW)})),
    ]
    given = tuple(item for wrong, item in advice if wrong)
    return Quality(pose, square, edge, contrast, brightness, glare, fps, given)


def _smallest(view: View) -> float:
    lines = range(view.side + 1)
    grid = view.to_image([(x, y) for y in lines for x in lines]).reshape(len(lines), len(lines), 2)
    sides = [np.hypot(*np.moveaxis(np.diff(grid, axis=axis), -1, 0)).min() for axis in (0, 1)]
    return float(min(sides))


def _cut(view: View, region: Region) -> bool:
    pixels = view.to_image([(x, y) for x in (region.x0, region.x1) for y in (region.y0, region.y1)])
    return bool((pixels < 0).any() or (pixels > np.array(view.size)).any())


def _edges(grey: Picture, view: View) -> tuple[float, float]:
    """Pixels over which the edges between squares change colour, and by how much; the median of those not hidden. Where
    squares are alike, what lies between them is a line."""
    widths, steps = [], []
    at = np.linspace(-0.3, 0.3, 61)
    thin = np.abs(at) <= THIN
    for file in range(1, view.side):
        for rank in range(view.side):
            for across, along in (((file, rank + 0.5), (1, 0)), ((rank + 0.5, file), (0, 1))):
                reach = at[:, None] * along + across
                pixels = view.to_image(reach).astype(np.float32)
                line = cv2.remap(grey, pixels[:, :1], pixels[:, 1:], cv2.INTER_LINEAR).ravel().astype(np.float64)
                before, after = float(np.median(line[:15])), float(np.median(line[-15:]))
                drawn = float(np.abs(line[thin] - (before + after) / 2).max()) - abs(after - before) / 2
                step = max(abs(after - before), drawn)
                pace = float(np.hypot(*(pixels[-1] - pixels[0]))) / 60
                slope = float(np.abs(np.diff(line)).max()) / pace
                if step > 3 and slope > 0:
                    widths.append(step / slope)
                steps.append(step)
    return (float(np.median(widths)) if widths else np.inf), float(np.median(steps))


def _flat(grey: Picture, view: View) -> Picture:
    return view.laid_flat(grey, np.diag([CELL, CELL, 1.0]), (view.side * CELL, view.side * CELL))


def _burnt_out(flat: Picture) -> float:
    """Squares of the largest burnt-out place."""
    stats = cv2.connectedComponentsWithStats((flat >= GLARE).astype(np.uint8))[2]
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) / CELL**2
