"""`quadriglia read`: what stands on the board in single pictures."""

import json
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from quadriglia.boards import Corners, look, view_by_corners
from quadriglia.errors import UserError
from quadriglia.sight import Sight
from rules.games import AnyGame
from rules.observation import LABELS
from vision.alone import read_board
from vision.reader import most_likely
from vision.source import read_picture
from vision.whole import beforehand, whole

SHOWN = 0.005
"""Labels less likely than this are left out of `squares`."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One picture read. `corners`: (4, 2) pixels, a8, h8, h1, a1. `squares`: by name, label to probability.
    `ms`: milliseconds by step."""

    corners: Corners
    placement: str
    squares: dict[str, dict[str, float]]
    ms: dict[str, float]


def read(path: Path, corners: Corners | None, sight: Sight, game: AnyGame) -> Reading:
    """Read one picture of a game with chessmen, looking for the board unless its corners are given.

    Raises SourceError when it is no picture, UserError when no board is found or the corners do not fit.
    """
    start = perf_counter()
    image = read_picture(path)
    decoded = perf_counter()
    size = (image.shape[1], image.shape[0])
    view = look(image, path, sight)[0] if corners is None else view_by_corners(corners, size)
    found = perf_counter()
    squares = whole(read_board(sight.reader, image, view), beforehand(game))
    done = perf_counter()
    ms = {"decode": decoded - start, "corners": found - decoded, "read": done - found}
    rounded = {step: round(1000 * seconds, 2) for step, seconds in ms.items()}
    return Reading(view.corners(), most_likely(squares), _squares(squares), rounded)


def as_json(image: str, reading: Reading | None) -> str:
    """The line of one picture; nulls where it could not be read."""
    row: dict[str, Any] = {"image": image, "corners": None, "placement": None, "squares": {}, "ms": {}}
    if reading:
        row |= {
            "corners": reading.corners.round(1).tolist(),
            "placement": reading.placement,
            "squares": reading.squares,
            "ms": reading.ms,
        }
    return json.dumps(row, ensure_ascii=False)


def diagram(placement: str) -> str:
    """A placement for people, rank 8 at the top."""
    return str(chess.BaseBoard(placement))


class CornersFile:
    """Corners by picture from a JSON-lines file with `image` and `corners`. Raises UserError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            raise UserError("corners_file", path=path) from None
        self._rows: dict[str, list[tuple[tuple[str, ...], Any]]] = {}
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                name = Path(row["image"])
                self._rows.setdefault(name.name, []).append((name.parts, row.get("corners")))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise UserError("corners_line", path=path, number=number) from None

    def of(self, image: Path) -> Corners | None:
        """The corners of a picture: of the row whose name is the end of its path, else of the only one so named.

        None where that row leaves them out, as labels do of pictures whose corners nobody has marked.
        """
        rows = self._rows.get(image.name, [])
        parts = image.resolve().parts
        fitting = [corners for name, corners in rows if parts[-len(name) :] == name]
        found = fitting[:1] or ([rows[0][1]] if len(rows) == 1 else [])
        try:
            if found[0] is None:
                return None
            corners = np.array(found[0], np.float64)
        except (IndexError, ValueError, TypeError):
            raise UserError("corners_missing", path=image, file=self.path) from None
        if corners.shape != (4, 2) or not np.isfinite(corners).all():
            raise UserError("corners_missing", path=image, file=self.path)
        return corners


def _squares(board: NDArray[np.float32]) -> dict[str, dict[str, float]]:
    """Probabilities by square name, likeliest first, of a board as `whole` tells them."""
    shares = np.exp(board)
    return {
        chess.square_name(square): {
            LABELS[label]: round(float(share[label]), 3) for label in np.argsort(-share) if share[label] >= SHOWN
        }
        for square, share in enumerate(shares)
    }
