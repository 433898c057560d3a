"""Training examples for the second network: men of rendered scenes and of real boards, cut out upright and varied.

An example is two episodes of rendered scenes, each a start position and two later pictures of the same set, and men of
real boards: what the first layers make of each (n, 40, 12, 9), its label (n,), its weight, and of which picture it is:
3 e of episode e's start position, 3 e + 1 and 3 e + 2 of those that follow, -1 of none that teaches or is asked.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from calibration.view import View
from models.data import Board, share_seen
from models.front import Front
from models.photos import SQUARE as CROP
from models.photos import Photo
from models.pictures import load
from rules.observation import EMPTY
from rules.slots import REACH
from vision.canvas import SQUARE_CENTRES
from vision.disturb import BRIM, varied
from vision.lean import Lean, by_pose, heads, hidden_by
from vision.upright import BASE, SIZE, SQUARE, upright

EPISODES = 2  # of an example
MOST = 48  # men of one picture
PHOTOS, OF_PHOTO = 2, 36  # photographed boards of an example, and places of each
CROPS = 28  # single squares of an example,
CUT = 0.7  # and the weight of one: heads are cut off
SEEN, TEACHES = 0.55, 0.85  # share of a man that must be seen to be asked for, and to teach
NOTHING = 9  # empty places of one picture,
BESIDE = 0.5, 0.8  # and squares from a man: there the first network sees ghosts
BEHIND = 6  # more empty places of one picture before which a man stands: his head is seen there
BARE = 7  # empty squares of a photographed board,
COVERED = 4  # and up to so many of them behind men

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Crops = list[tuple[Picture, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Men cut out, varied; (n,) labels, weights, and of which picture each is."""

    men: Picture
    labels: NDArray[np.int64]
    weights: Floats
    picture: NDArray[np.int64]


class Examples(Dataset[tuple[torch.Tensor, ...]]):
    """Endless examples, by number."""

    def __init__(
        self, scenes: list[list[Board]], photos: list[list[Photo]], crops: list[Crops], numbers: range, front: Path
    ) -> None:
        """`photos`, `crops`: by set. `front`: ONNX file of `models.men.FirstLook`."""
        self.scenes, self.photos, self.crops, self.numbers = scenes, photos, crops, numbers
        self.front = Front(front)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, ...]:
        """As the module says."""
        rng = np.random.default_rng((78, self.numbers[index]))
        cuts = []
        for episode in range(EPISODES):
            boards = self.scenes[int(rng.integers(len(self.scenes)))]
            light = int(rng.integers(2**32))  # the same for every picture
            cuts += [of_scene(board, 3 * episode + n, light, rng) for n, board in enumerate(boards)]
        cuts += of_real_boards(self.photos, self.crops, rng)
        men = np.concatenate([cut.men for cut in cuts])
        return (
            torch.from_numpy(self.front(men)),
            torch.from_numpy(np.concatenate([cut.labels for cut in cuts])),
            torch.from_numpy(np.concatenate([cut.weights for cut in cuts]).astype(np.float32)),
            torch.from_numpy(np.concatenate([cut.picture for cut in cuts])),
        )


def of_scene(board: Board, picture: int, light: int, rng: np.random.Generator) -> Cut:
    """Standing men that can be seen, and places where nothing stands."""
    image = load(board.path)
    view = View(board.homography, (image.shape[1], image.shape[0]))
    found = [(x, y, label, seen) for label, x, y, lies, seen in board.pieces if seen >= SEEN and not lies]
    found += [(x, y, EMPTY, 1.0) for x, y in _bare(board, by_pose(view), rng)]
    x, y, labels, seen = np.array(found).reshape(-1, 4).T
    points = np.column_stack([x, y])
    pixels = view.to_image(points)
    inside = np.flatnonzero(((pixels > 4) & (pixels < np.array(view.size) - 4)).all(1))
    inside = rng.permutation(inside)[:MOST]
    points, labels, seen = points[inside], labels[inside].astype(np.int64), seen[inside]
    teaches = (seen >= TEACHES) & ((points >= 0) & (points <= 8)).all(1)
    whose = np.where(teaches | (picture % 3 > 0), picture, -1)
    men = varied(upright(image, view, points, by_pose(view), BRIM), light, rng)
    return Cut(men, labels, np.clip((seen - 0.4) / 0.4, 0.1, 1), whose)


def _bare(board: Board, lean: Lean, rng: np.random.Generator) -> Floats:
    """(n, 2) places that are seen and on which nothing stands, many of them near men and behind them."""
    tried = [rng.uniform(-3, 11.5, (30, 2)), SQUARE_CENTRES[rng.permutation(64)[:20]]]
    labels, men = (np.array([row[0] for row in board.pieces], int), np.array([row[1:3] for row in board.pieces]))
    men = men.reshape(-1, 2)
    chosen = rng.integers(len(men), size=40) if len(men) else np.zeros(0, int)
    angle, away = rng.uniform(0, 2 * np.pi, len(chosen)), rng.uniform(*BESIDE, len(chosen))
    tried.append(men[chosen] + (away * (np.cos(angle), np.sin(angle))).T)
    behind = men[chosen] + rng.uniform(*REACH, (len(chosen), 1)) * heads(lean, men, labels)[chosen]
    places = rng.permutation(np.concatenate(tried))
    return np.concatenate([_free(places, board, men)[:NOTHING], _free(behind, board, men)[:BEHIND]])


def _free(places: Floats, board: Board, men: Floats) -> Floats:
    gaps = np.hypot(*(places[:, None] - men).T).T.min(1, initial=9.0)
    return np.asarray(places[(gaps > BESIDE[0]) & (share_seen(board.lattice, places) > 0.8)])


def covered(photo: Photo, bare: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n,) which of some empty squares of a photographed board have a man before them."""
    squares = np.flatnonzero((photo.labels >= 0) & (photo.labels < EMPTY))
    hidden = hidden_by(by_pose(photo.view), SQUARE_CENTRES[bare], SQUARE_CENTRES[squares], photo.labels[squares])
    return np.asarray(hidden.any(1))


def of_real_boards(photos: list[list[Photo]], crops: list[Crops], rng: np.random.Generator) -> list[Cut]:
    """Men and empty squares of some photographed boards, and single ones, where there are such; `photos`, `crops`: by
    set."""
    cuts = []
    for _ in range(PHOTOS if photos else 0):
        boards = photos[int(rng.integers(len(photos)))]
        cuts.append(_of_photo(boards[int(rng.integers(len(boards)))], rng))
    if crops:
        cuts.append(_of_crops(crops[int(rng.integers(len(crops)))], rng))
    return cuts


def _of_photo(photo: Photo, rng: np.random.Generator) -> Cut:
    bare = rng.permutation(np.flatnonzero(photo.labels == EMPTY))
    hard = bare[covered(photo, bare)][:COVERED]
    bare = np.concatenate([hard, np.setdiff1d(bare, hard, assume_unique=True)])[:BARE]
    squares = np.concatenate([np.flatnonzero((photo.labels >= 0) & (photo.labels < EMPTY)), bare])
    squares = rng.permutation(squares)[:OF_PHOTO]
    men = upright(load(photo.path), photo.view, SQUARE_CENTRES[squares], by_pose(photo.view), BRIM)
    return _real(men, photo.labels[squares], 1.0, rng)


def _of_crops(crops: Crops, rng: np.random.Generator) -> Cut:
    """Single squares, laid flat before: where their men lean is not known."""
    turns = int(rng.integers(4)) if rng.random() < 0.5 else 0
    chosen = [crops[int(n)] for n in rng.integers(len(crops), size=CROPS)]
    men = np.stack([_framed(np.rot90(square, turns), rng) for square, _ in chosen])
    return _real(men, np.array([label for _, label in chosen]), CUT, rng)


def _real(men: Picture, labels: NDArray[np.int64], weight: float, rng: np.random.Generator) -> Cut:
    whose = np.full(len(men), -1)
    return Cut(varied(men, int(rng.integers(2**32)), rng), labels, np.full(len(men), weight), whose)


def _framed(square: Picture, rng: np.random.Generator) -> Picture:
    scale, size = SQUARE / CROP, (SIZE[0] + 2 * BRIM, SIZE[1] + 2 * BRIM)
    place = np.column_stack([np.eye(2) * scale, BASE + BRIM - SQUARE / 2])
    borders = cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT, cv2.BORDER_REFLECT_101
    border = borders[int(rng.integers(3))]
    return np.asarray(cv2.warpAffine(np.ascontiguousarray(square), place, size, borderMode=border), np.uint8)
