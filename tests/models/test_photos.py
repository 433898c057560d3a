"""Real sets are read as what they are: whole boards by FEN or boxes, and boards of which only the squares are kept."""

import json
import zipfile
from pathlib import Path
from typing import Any

import chess
import cv2
import numpy as np
import pytest

from calibration.find import find_board
from calibration.view import View
from models.photos import photographed, rebuilt
from models.pictures import load
from quadriglia.demo import SAMPLE
from rules.observation import EMPTY, LABELS, labels_of
from vision.canvas import SQUARE_CENTRES

START = labels_of(chess.Board())
SIDE = 64


def picture() -> np.ndarray:
    found, image = cv2.VideoCapture(str(SAMPLE / "a.mp4")).read()
    assert found
    return image


def described(folder: Path, *rows: dict[str, Any]) -> Path:
    folder.mkdir()
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def boxes(view: View) -> list[dict[str, Any]]:
    """Around the men of the start position, as a person draws them: a square wide, their feet on the lower end."""
    found: list[dict[str, Any]] = []
    for square in np.flatnonzero(START != EMPTY):
        x, y = view.to_image(SQUARE_CENTRES[[square]])[0]
        wide = float(np.hypot(*np.diff(view.to_image(SQUARE_CENTRES[[square, square ^ 1]]), axis=0)[0])) * 0.7
        box = [x - wide / 2, y - 1.5 * wide, x + wide / 2, y + 0.3 * wide]
        found.append({"piece": LABELS[START[square]], "xyxy": box})
    return found


@pytest.fixture(scope="module")
def view() -> View:
    return find_board(picture()).view


def test_boxes_tell_what_stands_on_the_squares_of_the_board_that_is_found(tmp_path: Path, view: View) -> None:
    image = picture()
    row = {"image": "a.png", "width": image.shape[1], "height": image.shape[0]}
    twice = [*boxes(view), boxes(view)[0]]
    folder = described(tmp_path / "set", row | {"boxes": boxes(view)}, row | {"boxes": twice}, row)
    cv2.imwrite(str(folder / "a.png"), image)
    (photo,) = photographed(folder)
    assert (photo.labels == START).all()
    assert photo.lean is not None
    assert np.allclose(photo.view.homography, view.homography)


def test_a_board_is_put_together_of_its_squares(tmp_path: Path, view: View) -> None:
    flat = View.from_corners([(0, 0), (8 * SIDE, 0), (8 * SIDE, 8 * SIDE), (0, 8 * SIDE)], (8 * SIDE, 8 * SIDE))
    board = view.laid_flat(picture(), flat.homography, flat.size)
    rows: list[dict[str, Any]] = []
    folder = tmp_path / "set"
    squares = [n for n in range(64) if n not in (27, 28)]
    for number in squares:
        down, right = divmod(number, 8)
        piece = LABELS[START[(7 - down) * 8 + right]]
        rows.append({"image": f"{piece.lower()}_0012_{number}.jpg", "piece": piece})
    described(folder, *rows)
    with zipfile.ZipFile(folder / "images.zip", "w") as archive:
        for number, row in zip(squares, rows, strict=True):
            down, right = divmod(number, 8)
            part = board[down * SIDE : (down + 1) * SIDE, right * SIDE : (right + 1) * SIDE]
            archive.writestr(str(row["image"]), cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 98])[1].tobytes())
    (photo,) = rebuilt(folder, tmp_path / "boards")
    assert (photo.labels == START).all()
    made = load(photo.path)
    assert np.abs(made.astype(int) - board).mean() < 6, "the missing two are empty squares of their shade"
    assert np.abs(made.astype(int) - board)[3 * SIDE : 4 * SIDE, 3 * SIDE : 5 * SIDE].mean() < 25
