"""Training examples: canvases of rendered scenes, of photographed boards, and boards pieced together from real crops.

An example is what the network's front makes of a canvas of 576x576 pixels, (40, 72, 72), a label a place (24, 24), its
weight, and what is known of the piece there (3, 24, 24): the offset to its base, and whether it lies. Places without a
known answer weigh 0.
"""

import json
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from calibration.view import CORNERS, View
from models.compose import Kit
from models.front import Front
from models.net import HIDDEN
from models.photos import Photo
from models.pictures import load
from rules.observation import EMPTY, LABELS
from simulation.training import EPISODE
from simulation.truth import COLUMNS, ORIGIN, ROWS, STEP
from vision.canvas import PIXELS, SQUARE_CENTRES, STRIDE, Canvas, up_turns
from vision.disturb import disturb

TOGETHER = EPISODE  # canvases of one example
REAL, PHOTOGRAPHED = 0.36, 0.45  # share of real examples, and of photographed boards among them
COMPOSED, MEN = 0.45, (6, 40)  # share of photographed boards of which the men are set anew, and how many then
SIDE = 12  # squares of a training canvas
CELLS = 2 * SIDE
SEEN, UNSEEN = 0.6, 0.4  # shares from which a piece counts as seen, up to which as hidden
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """What is known of one picture. `pieces`: (label, x, y, lies, share seen). `lattice`: shares seen around."""

    path: Path
    homography: NDArray[np.float64]
    pieces: list[tuple[int, float, float, bool, float]]
    lattice: NDArray[np.float64]


def rendered(folder: Path) -> list[list[Board]]:
    """The scenes of `simulation.training`, by episode; those that are complete."""
    episodes: dict[str, list[Board]] = defaultdict(list)
    for labels in sorted(folder.glob("labels-*.jsonl")):
        for line in labels.read_text().splitlines():
            row = json.loads(line)
            pieces = [(LABELS.index(p), x, y, bool(lies), seen) for p, x, y, lies, seen in row["pieces"]]
            shares = np.array(row["lattice"], np.float64).reshape(ROWS, COLUMNS) / 100
            homography = np.reshape(row["homography"], (3, 3))
            episodes[row["episode"]].append(Board(folder / row["image"], homography, pieces, shares))
    return [boards for boards in episodes.values() if len(boards) == TOGETHER]


class Canvases(Dataset[tuple[torch.Tensor, ...]]):
    """Endless variations of boards, `TOGETHER` an example: most are episodes, which begin with a start position; the
    rest is real, photographed or pieced together from crops, each by itself."""

    def __init__(
        self,
        scenes: list[list[Board]],
        photos: list[list[Photo]],
        pieces: list[dict[int, list[Picture]]],
        count: int,
        seed: int,
        front: Path,
    ) -> None:
        """`front`: ONNX file of the layers that learn nothing."""
        self.scenes, self.photos, self.pieces, self.count, self.seed = scenes, photos, pieces, count, seed
        self.front = Front(front)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[torch.Tensor, ...]:
        """Canvases, labels, weights, offsets, and whether they are an episode."""
        rng = np.random.default_rng((self.seed, index))
        if rng.random() < REAL and self.pieces:
            examples = [self._varied(self._real(rng), rng) for _ in range(TOGETHER)]
            return *self._stacked(examples), torch.tensor(False)
        episode = self.scenes[int(rng.integers(len(self.scenes)))]
        # The same draws for every picture: one camera, one light, one calibration.
        seed = int(rng.integers(2**32))
        drawn = [np.random.default_rng(seed) for _ in episode]
        examples = [self._varied(_of_board(board, rng), rng) for board, rng in zip(episode, drawn, strict=True)]
        return *self._stacked(examples), torch.tensor(True)

    def _real(self, rng: np.random.Generator) -> "Example":
        if rng.random() < PHOTOGRAPHED:
            photos = self.photos[int(rng.integers(len(self.photos)))]
            return _of_photo(photos[int(rng.integers(len(photos)))], rng)
        return _of_crops(self.pieces[int(rng.integers(len(self.pieces)))], rng)

    def _varied(self, example: "Example", rng: np.random.Generator) -> "Example":
        canvas, label, weight, offset = example
        canvas = disturb(canvas, rng)
        if rng.random() < 0.5:
            return _mirrored(canvas, label, weight, offset)
        return canvas, label, weight, offset

    def _stacked(self, examples: "list[Example]") -> tuple[torch.Tensor, ...]:
        canvases, *rest = zip(*examples, strict=True)
        fine = np.stack([self.front(canvas) for canvas in canvases])
        return tuple(torch.from_numpy(array) for array in (fine, *(np.stack(part) for part in rest)))


Example = tuple[Picture, NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]


def _mirrored(
    canvas: Picture, label: NDArray[np.int64], weight: NDArray[np.float32], offset: NDArray[np.float32]
) -> Example:
    # Place (i, j) looks at pixel `STRIDE` (i, j): mirrored, pixel 0 takes the last place, so one column is rolled back.
    flip = np.roll(np.flip(canvas, 1), 1, 1)
    label, weight = np.roll(np.flip(label, 1), 1, 1), np.roll(np.flip(weight, 1), 1, 1).copy()
    offset = np.roll(np.flip(offset, 2), 1, 2) * np.array([-1, 1, 1], np.float32)[:, None, None]
    weight[:, 0] = 0
    return flip.copy(), label.copy(), weight, offset.copy()


def _blank() -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    return (
        np.full((CELLS, CELLS), EMPTY, np.int64),
        np.zeros((CELLS, CELLS), np.float32),
        np.zeros((3, CELLS, CELLS), np.float32),
    )


def _shifted(homography: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """The homography of a calibration that is off by some hundredths of a square at each corner."""
    wrong = CORNERS + rng.normal(0, rng.choice([0.01, 0.03, 0.07]), (4, 2))
    error = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), wrong.astype(np.float32))
    return np.asarray(homography @ error, np.float64)


def _of_board(board: Board, rng: np.random.Generator) -> Example:
    image = load(board.path)
    homography = _shifted(board.homography, rng)
    view = View(homography, (image.shape[1], image.shape[0]))
    turns = up_turns(view)
    if rng.random() < 0.3:
        turns = int(rng.integers(4))
    low = np.array([rng.integers(-8, 1), rng.integers(-6, -1)]) / 2
    canvas = Canvas(turns, float(low[0]), float(low[1]), (SIDE * PIXELS, SIDE * PIXELS))
    label, weight, offset = _blank()
    grid = np.stack(np.meshgrid(np.arange(CELLS), np.arange(CELLS)), -1).reshape(-1, 2)
    points = canvas.points(grid)
    squares = canvas.squares
    inside = ((squares >= 0) & (squares < CELLS)).all(1)
    columns, rows = squares[inside].T
    _label_table(board, points, label, weight)
    shares = share_seen(board.lattice, SQUARE_CENTRES)[inside]
    weight[rows, columns] = np.where((shares > 0.8) | (shares < 0.3), 0.6, 0.0)
    label[rows, columns] = np.where(shares < 0.3, HIDDEN, EMPTY)
    _label_pieces(board, canvas, points, label, weight, offset)
    return canvas.warp(image, view), label, weight, offset


def _of_photo(photo: Photo, rng: np.random.Generator) -> Example:
    """A photographed board, often with its men set anew."""
    image = load(photo.path)
    view = replace(photo.view, homography=_shifted(photo.view.homography, rng))
    turns = int(rng.integers(4)) if rng.random() < 0.3 else up_turns(view)
    low = rng.integers(-6, -1, 2) / 2
    canvas = Canvas(turns, float(low[0]), float(low[1]), (SIDE * PIXELS, SIDE * PIXELS))
    picture, labels = canvas.warp(image, view), photo.labels
    if photo.lean and rng.random() < COMPOSED:
        picture, labels = Kit.of(picture, canvas, labels, photo.lean).composed(int(rng.integers(*MEN)), rng)
    label, weight, offset = _blank()
    columns, rows = canvas.squares.T
    label[rows, columns] = labels
    weight[rows, columns] = np.where(labels == EMPTY, 0.6, 1.0)
    return picture, label, weight, offset


def share_seen(lattice: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share seen around (n, 2) points in board coordinates; -1 where nothing is known."""
    column, row = np.round((points - ORIGIN) / STEP).astype(int).T
    inside = (column >= 0) & (column < COLUMNS) & (row >= 0) & (row < ROWS)
    return np.where(inside, lattice[np.clip(row, 0, ROWS - 1), np.clip(column, 0, COLUMNS - 1)], -1.0)


def _off_board(points: NDArray[np.float64], gap: float) -> NDArray[np.bool_]:
    return np.asarray(((points < -gap) | (points > 8 + gap)).any(1))


def _label_table(
    board: Board, points: NDArray[np.float64], label: NDArray[np.int64], weight: NDArray[np.float32]
) -> None:
    """Beside the board: empty, or hidden by a hand."""
    share = share_seen(board.lattice, points)
    beside = _off_board(points, 0.25)
    hidden = beside & (share >= 0) & (share < 0.3)
    empty = beside & (share > 0.8)
    label.reshape(-1)[hidden] = HIDDEN
    weight.reshape(-1)[hidden | empty] = 0.12


def _label_pieces(
    board: Board,
    canvas: Canvas,
    points: NDArray[np.float64],
    label: NDArray[np.int64],
    weight: NDArray[np.float32],
    offset: NDArray[np.float32],
) -> None:
    beside = _off_board(points, 0.0)
    nearest = np.full(len(points), np.inf)
    for kind, x, y, lies, seen in board.pieces:
        base = np.array([[x, y]])
        on_board = 0 <= x < 8 and 0 <= y < 8
        if on_board:
            places = [canvas.squares[int(y) * 8 + int(x)]]
        else:
            away = np.hypot(*(points - base).T)
            closer = beside & (away < nearest)
            nearest = np.where(closer, away, nearest)
            weight.reshape(-1)[closer & (away < (1.6 if lies else 0.62))] = 0
            near = np.flatnonzero(closer & (away < 0.37))
            places = [np.array([n % CELLS, n // CELLS]) for n in near]
        for column, row in places:
            if not (0 <= column < CELLS and 0 <= row < CELLS):
                continue
            unknown = UNSEEN <= seen < SEEN
            if share_seen(board.lattice, base)[0] < 0:
                unknown = True
            weight[row, column] = 0.0 if unknown else 1.0
            label[row, column] = HIDDEN if seen < UNSEEN else kind
            offset[:2, row, column] = ((canvas.places(base)[0] - (column, row)) * STRIDE / PIXELS).astype(np.float32)
            offset[2, row, column] = lies


def _of_crops(pieces: dict[int, list[Picture]], rng: np.random.Generator) -> Example:
    """A board of real squares; around it, a plain ground."""
    label, weight, offset = _blank()
    canvas = np.full((SIDE * PIXELS, SIDE * PIXELS, 3), rng.integers(20, 220, 3), np.uint8)
    left, top = (int(v) for v in rng.integers(0, 8, 2))
    quarter = int(rng.integers(4)) if rng.random() < 0.4 else 0
    half = PIXELS // 2
    for row in range(8):
        for column in range(8):
            kind = EMPTY if rng.random() < 0.35 else int(rng.integers(12))
            crop = np.rot90(pieces[kind][int(rng.integers(len(pieces[kind])))], quarter)
            cut = rng.integers(0, 6, 4)
            crop = crop[cut[0] : 64 - cut[1], cut[2] : 64 - cut[3]]
            place = (left + 2 * column + 1, top + 2 * row + 1)
            x, y = place[0] * STRIDE - half, place[1] * STRIDE - half
            canvas[y : y + PIXELS, x : x + PIXELS] = cv2.resize(crop, (PIXELS, PIXELS), interpolation=cv2.INTER_AREA)
            label[place[1], place[0]] = kind
            weight[place[1], place[0]] = 0.8 if kind != EMPTY else 0.5
    return canvas, label, weight, offset
