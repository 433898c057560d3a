"""Where a camera hangs over its board, told by how the board appears in its picture."""

from dataclasses import dataclass
from functools import lru_cache

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import View

FOCAL = 0.95  # times the picture's width: an ordinary webcam
SPREAD = 0.25  # of the logarithm of that, by which webcams differ
DOUBT = 1.5  # pixels by which corners are off
MAN = 1.5  # squares: the height of a tall piece


@dataclass(frozen=True, slots=True)
class Pose:
    """`elevation`: degrees over the table at which the camera sees the board's middle; 90 is straight from above.
    `height`: squares above the table. `foot`: the point of the table under it, in board coordinates. `focal`: in
    picture widths. `hidden`: squares that a tall piece on the farthest rank or file hides behind it. `far`, `before`:
    that line's name and its neighbour's."""

    elevation: float
    height: float
    foot: tuple[float, float]
    focal: float
    hidden: float
    far: str
    before: str


@lru_cache(maxsize=8)
def pose_of(view: View) -> Pose:
    """The pose that explains a view best, supposing the picture's middle is the lens's."""
    width, height = view.size
    to_middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]]) @ view.homography
    focals = width * FOCAL * np.exp(np.linspace(-0.7, 0.7, 57))
    costs = [_skew(to_middle, focal, view.side) + (np.log(focal / width / FOCAL) / SPREAD) ** 2 for focal in focals]
    focal = float(focals[int(np.argmin(costs))])
    place = _place(to_middle, focal)
    middle = view.side / 2
    away = place[:2] - middle
    elevation = float(np.degrees(np.arctan2(place[2], np.hypot(*away))))
    rank_wise = abs(away[1]) >= abs(away[0])
    far = 0 if away[int(rank_wise)] > 0 else view.side - 1
    before = 1 if far == 0 else far - 1
    target = np.array([middle, far + 0.5]) if rank_wise else np.array([far + 0.5, middle])
    hidden = MAN * float(np.hypot(*(place[:2] - target))) / max(place[2] - MAN, 0.1)
    names = chess.RANK_NAMES if rank_wise else chess.FILE_NAMES
    foot = float(place[0]), float(place[1])
    return Pose(elevation, float(place[2]), foot, focal / width, float(hidden), names[far], names[before])


def _skew(to_middle: NDArray[np.float64], focal: float, side: int) -> float:
    """How little the board is square and its sides at right angles, in squared corner errors."""
    one, two = (to_middle[:, k] / [focal, focal, 1] for k in (0, 1))
    square = np.hypot(*(to_middle[:2, 0] / to_middle[2, 2])) * side / DOUBT
    lengths = np.linalg.norm(one), np.linalg.norm(two)
    angle = float(one @ two) / (lengths[0] * lengths[1])
    ratio = float(np.log(lengths[0] / lengths[1]))
    return float((angle**2 + ratio**2) * square**2)


def _place(to_middle: NDArray[np.float64], focal: float) -> NDArray[np.float64]:
    """(3,) the camera in board coordinates, z up."""
    plane = to_middle / np.array([[focal], [focal], [1.0]])
    scale = 2 / (np.linalg.norm(plane[:, 0]) + np.linalg.norm(plane[:, 1]))
    plane = plane * scale * (1 if plane[2, 2] > 0 else -1)
    across = np.cross(plane[:, 0], plane[:, 1])
    turn, _, other = np.linalg.svd(np.column_stack([plane[:, 0], plane[:, 1], across]))
    place = -(turn @ other).T @ plane[:, 2]
    return np.array([place[0], place[1], abs(place[2])])
