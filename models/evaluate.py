"""Judges the reader on labelled photos: `python -m models.evaluate --photos DIR [--json] [--model FILE]`.

DIR holds sets, each with a `labels.jsonl`. Judged is every picture with `fen`. Its board lies where `corners` say, or
fills the picture where the viewpoint says it is rectified (White at the bottom), or is looked for; rows of the last
kind say so, and count as skipped where none is found.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.find import BoardNotFoundError, find_board
from calibration.view import View
from models.pictures import load
from rules.observation import EMPTY, label_index
from vision.facing import facing
from vision.reader import MANIFEST, Reader


@dataclass(slots=True)
class Tally:
    """Counts over pictures; `row` gives the shares."""

    pictures: int = 0
    squares: int = 0
    right: int = 0
    occupancy: int = 0
    occupied: int = 0
    colour: int = 0
    kind: int = 0
    exact: int = 0
    nearly: int = 0
    loss: float = 0.0

    def add(self, truth: NDArray[np.int64], likelihoods: NDArray[np.float32]) -> None:
        """Count one picture: (64,) labels and (64, 13) log-likelihoods."""
        guess = likelihoods.argmax(1)
        errors = int((guess != truth).sum())
        full = truth != EMPTY
        self.pictures += 1
        self.squares += 64
        self.right += 64 - errors
        self.occupancy += int(((guess == EMPTY) == (truth == EMPTY)).sum())
        self.occupied += int(full.sum())
        self.colour += int(((guess < 6) == (truth < 6))[full & (guess != EMPTY)].sum())
        self.kind += int((guess % 6 == truth % 6)[full & (guess != EMPTY)].sum())
        self.exact += errors == 0
        self.nearly += errors <= 1
        self.loss -= float(likelihoods[np.arange(64), truth].sum())

    def row(self) -> dict[str, float]:
        """Shares: colour and type are of occupied squares."""
        return {
            "pictures": self.pictures,
            "squares": round(self.right / self.squares, 4),
            "occupancy": round(self.occupancy / self.squares, 4),
            "colour": round(self.colour / self.occupied, 4),
            "type": round(self.kind / self.occupied, 4),
            "exact": round(self.exact / self.pictures, 4),
            "at_most_one_error": round(self.nearly / self.pictures, 4),
            "log_loss": round(self.loss / self.squares, 4),
            "n_squares": self.squares,
            "n_occupied": self.occupied,
        }


def main() -> None:
    """Print one row a set, with and without hands where the set tells, and one over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=MANIFEST, help="manifest of the model")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = evaluate(options.photos, Reader(options.model))
    if options.json:
        print(json.dumps(report, indent=1))
        return
    for name, row in report.items():
        print(f"{name:32}", "  ".join(f"{key} {value}" for key, value in row.items()))


def evaluate(folder: Path, reader: Reader) -> dict[str, dict[str, float]]:
    """Rows by set; `all` is over every picture with known corners and no hand in it."""
    tallies: dict[str, Tally] = {}
    skipped = 0
    for labels in sorted(folder.glob("*/labels.jsonl")):
        for row in map(json.loads, labels.read_text().splitlines()):
            if not row.get("fen"):
                continue
            image = load(labels.parent / row["image"])
            given = view_of(row)
            view = given or _looked_for(image, reader)
            if view is None:
                skipped += 1
                continue
            likelihoods = reader.read_board(image, view)
            for name in _names(labels.parent.name, bool(row.get("hand")), given is None):
                tallies.setdefault(name, Tally()).add(labels_of(row["fen"]), likelihoods)
    return {name: tally.row() for name, tally in tallies.items()} | {"skipped": {"pictures": skipped}}


def _names(name: str, hand: bool, found: bool) -> Iterator[str]:
    yield name + (", hands" if hand else "") + (", corners found" if found else "")
    if not hand and not found:
        yield "all"


def _looked_for(image: NDArray[np.uint8], reader: Reader) -> View | None:
    try:
        corners = find_board(image).corners()
    except BoardNotFoundError:
        return None
    faced = facing(image, corners, reader)
    return View.from_corners(corners if faced is None else faced, (image.shape[1], image.shape[0]))


def view_of(row: dict[str, object]) -> View | None:
    """The view of a label row, None where it gives none."""
    width, height = int(str(row.get("width", 0))), int(str(row.get("height", 0)))
    if row.get("corners"):
        return View.from_corners(np.array(row["corners"]), (width, height))
    if "rectified crop of the board" in str(row.get("viewpoint")):
        return View.from_corners([(0, 0), (width, 0), (width, height), (0, height)], (width, height))
    return None


def labels_of(fen: str) -> NDArray[np.int64]:
    """(64,) index in `LABELS` by square of a FEN placement."""
    board = chess.BaseBoard(fen.split()[0])
    return np.array([label_index(board.piece_at(square)) for square in chess.SQUARES])


if __name__ == "__main__":
    main()
