"""Real training sets: photographed boards, boards put together again from their squares, and single squares."""

import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find import BoardNotFoundError, find_board
from calibration.view import View
from models.pictures import load
from rules.observation import EMPTY, LABELS, labels_of
from vision.canvas import SQUARE_CENTRES, Canvas
from vision.lean import Lean, lean_of

SQUARE = 64  # pixels of a single square
BASE = 0.3  # of its width, by which a man's base centre lies above the lower end of its box
OFF = 0.25  # squares by which base centres may on average lie off their squares' if the boxes belong to the board found

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A board of which it is known what stands on its 64 squares. `lean`: of its men, or None where heads are cut."""

    path: Path
    view: View
    labels: NDArray[np.int64]
    lean: Lean | None


def photographed(folder: Path) -> list[Photo]:
    """Every picture of a photo set with `fen` and `corners`, or with `boxes` that agree with the board found in it."""
    return [photo for row in _rows(folder) if (photo := _photo(folder, row))]


def rebuilt(folder: Path, into: Path) -> list[Photo]:
    """Boards of which a set holds the squares one by one, `NUMBER_SQUARE.jpg`, put together again and written `into` a
    folder. Squares that are missing are empty ones."""
    parts: dict[str, dict[int, tuple[str, int]]] = defaultdict(dict)
    for row in _rows(folder):
        if named := re.fullmatch(r".*_(\w+)_(\d+)\.jpg", row["image"]):
            parts[named[1]][int(named[2])] = row["image"], LABELS.index(row["piece"])
    into.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / "images.zip") as archive:
        boards = {
            name: {n: (_square(archive, file), label) for n, (file, label) in squares.items()}
            for name, squares in parts.items()
        }
    empties = [
        (part, _ground(part)) for squares in boards.values() for part, label in squares.values() if label == EMPTY
    ]
    return [_put_together(squares, empties, into / f"{name}.png") for name, squares in boards.items()]


def _ground(square: Picture) -> NDArray[np.float64]:
    """(3,) colour of the board there: that of its corners."""
    ends = [square[y : y + 6, x : x + 6].reshape(-1, 3) for y in (2, SQUARE - 8) for x in (2, SQUARE - 8)]
    return np.median(np.concatenate(ends), axis=0)


def crops(folder: Path) -> dict[int, list[Picture]]:
    """Square crops by label, 64 pixels wide, from a set's `images.zip`."""
    found: dict[int, list[Picture]] = defaultdict(list)
    labels = {row["image"]: LABELS.index(row["piece"]) for row in _rows(folder)}
    with zipfile.ZipFile(folder / "images.zip") as archive:
        for name in archive.namelist():
            label = labels.get(name, labels.get(Path(name).name))
            if label is not None:
                found[label].append(_square(archive, name))
    return found


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for line in (folder / "labels.jsonl").read_text().splitlines():
        yield json.loads(line)


def _photo(folder: Path, row: dict[str, Any]) -> Photo | None:
    if row.get("fen") and row.get("corners"):
        view = View.from_corners(row["corners"], (row["width"], row["height"]))
        labels = labels_of(chess.BaseBoard(row["fen"].split()[0]))
    elif row.get("boxes"):
        try:
            found = find_board(load(folder / row["image"]))
            # Without its lens, which is within what calibrations vary by, and would cost time in training.
            view = View.from_corners(found.corners(), found.view.size)
        except BoardNotFoundError:
            return None
        boxed = _boxed(row["boxes"], view)
        if boxed is None:
            return None
        labels = boxed
    else:
        return None
    canvas, path = Canvas.over(view), folder / row["image"]
    return Photo(path, view, labels, lean_of(canvas.warp(load(path), view), canvas, view, labels))


def _boxed(boxes: list[dict[str, Any]], view: View) -> NDArray[np.int64] | None:
    """(64,) labels; None if the boxes do not fit the board."""
    labels = np.full(64, EMPTY)
    off = []
    for box in boxes:
        left, _, right, bottom = box["xyxy"]
        base = view.to_board([((left + right) / 2, bottom - BASE * (right - left))])[0]
        if not ((base >= 0) & (base < 8)).all():
            continue
        square = int(base[1]) * 8 + int(base[0])
        if labels[square] != EMPTY or box["piece"] not in LABELS[:EMPTY]:
            return None
        labels[square] = LABELS.index(box["piece"])
        off.append(np.hypot(*(base - SQUARE_CENTRES[square])))
    return labels if off and np.mean(off) < OFF else None


def _put_together(
    squares: dict[int, tuple[Picture, int]], empties: list[tuple[Picture, NDArray[np.float64]]], path: Path
) -> Photo:
    """`empties`: empty squares, and the colour of each."""
    labels = np.full(64, EMPTY)
    board = np.zeros((8 * SQUARE, 8 * SQUARE, 3), np.uint8)
    shade = {n: (n // 8 + n % 8) % 2 for n in range(64)}
    empty = []
    for dark in (0, 1):
        ground = np.median([_ground(part) for n, (part, _) in squares.items() if shade[n] == dark], axis=0)
        empty.append(min(empties, key=lambda known: float(np.abs(known[1] - ground).sum()))[0])
    for number in range(64):
        down, right = divmod(number, 8)
        part, label = squares.get(number, (empty[shade[number]], EMPTY))
        board[down * SQUARE : (down + 1) * SQUARE, right * SQUARE : (right + 1) * SQUARE] = part
        labels[(7 - down) * 8 + right] = label
    cv2.imwrite(str(path), board)
    side = 8 * SQUARE
    return Photo(path, View.from_corners([(0, 0), (side, 0), (side, side), (0, side)], (side, side)), labels, None)


def _square(archive: zipfile.ZipFile, name: str) -> Picture:
    image = np.asarray(cv2.imdecode(np.frombuffer(archive.read(name), np.uint8), cv2.IMREAD_COLOR))
    return np.asarray(cv2.resize(image, (SQUARE, SQUARE), interpolation=cv2.INTER_AREA), np.uint8)
