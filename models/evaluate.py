"""Judges the reader on labelled photos: `python -m models.evaluate --photos DIR [--adapt] [--json] [--out DIR]`.

DIR holds sets, each with a `labels.jsonl`. Judged is every picture with `fen`. Its board lies where `corners` say, or
fills the picture where the viewpoint says it is rectified (White at the bottom), or is looked for; rows of the last
kind say so, and count as skipped where none is found.

Judged is what `quadriglia read --game chess` tells: the board as a whole (`vision/whole.py`). The row `one by one` is
of the same pictures as `all`, its squares judged by themselves, as the tracker of a match gets them.

`--adapt` teaches each sequence's set from its first pictures, where those show the start position, as a match does, and
judges the rest of the sequence; what has no such sequence is left out. The rows `followed` are of the same pictures,
read with what the moves before them have taught, too: a tracker follows the sequence as it does a match. `counted`:
as boards on which men of each kind are left by these moves. `--out` gets pictures: `confusion.png` and `worst.png`.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find import BoardNotFoundError, find_board
from calibration.view import View
from models.followed import Followed, Squares
from models.gallery import Reading, confusion_picture, worst_picture
from models.pictures import load
from rules.observation import EMPTY, LABELS, labels_of
from vision.adapt import Adaptation
from vision.alone import read_board
from vision.canvas import SQUARE_CENTRES, sides
from vision.closer import Closer, Kept, closely
from vision.facing import facing
from vision.reader import MANIFEST, Reader, board_of, together
from vision.whole import Beforehand, beforehand, whole

N = len(LABELS)
BINS = 20  # of confidence


@dataclass(slots=True)
class Tally:
    """Counts over pictures; `row` gives the shares. `confusion`: (13, 13) by truth and reading."""

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
    confusion: NDArray[np.int64] = field(default_factory=lambda: np.zeros((N, N), np.int64))
    sure: NDArray[np.float64] = field(default_factory=lambda: np.zeros((BINS, 3)))  # count, confidence, right

    def add(self, truth: NDArray[np.int64], likelihoods: NDArray[np.float32]) -> None:
        """Count one picture: (n,) labels of squares and (n, 13) log-likelihoods."""
        guess, n = likelihoods.argmax(1), len(truth)
        errors = int((guess != truth).sum())
        full = truth != EMPTY
        self.pictures += 1
        self.squares += n
        self.right += n - errors
        self.occupancy += int(((guess == EMPTY) == (truth == EMPTY)).sum())
        self.occupied += int(full.sum())
        self.colour += int(((guess < 6) == (truth < 6))[full & (guess != EMPTY)].sum())
        self.kind += int((guess % 6 == truth % 6)[full & (guess != EMPTY)].sum())
        self.exact += errors == 0
        self.nearly += errors <= 1
        self.loss -= float(likelihoods[np.arange(n), truth].sum())
        np.add.at(self.confusion, (truth, guess), 1)
        confidence = np.exp(likelihoods.max(1).astype(np.float64))
        bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
        np.add.at(self.sure, bins, np.column_stack([np.ones(n), confidence, guess == truth]))

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
            "calibration_error": round(float(np.abs(self.sure[:, 1] - self.sure[:, 2]).sum() / self.squares), 4),
            "n_squares": self.squares,
            "n_occupied": self.occupied,
        }


def main() -> None:
    """Print one row a set, with and without hands where the set tells, and one over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=MANIFEST, help="manifest of the model")
    parser.add_argument("--adapt", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    tallies: dict[str, Tally] = {}
    readings: list[Reading] = []
    skipped = 0
    for names, reading, known in evaluate(options.photos, Reader(options.model), options.adapt):
        if reading is None:
            skipped += 1
            continue
        board = replace(reading, likelihoods=whole(reading.likelihoods, known))
        for name in names:
            tallies.setdefault(name, Tally()).add(board.truth, board.likelihoods)
        if "all" in names:
            tallies.setdefault("one by one", Tally()).add(reading.truth, reading.likelihoods)
            readings.append(board)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(options.out / "confusion.png"), confusion_picture(tallies["all"].confusion))
        cv2.imwrite(str(options.out / "worst.png"), worst_picture(readings))
    report = {name: tally.row() for name, tally in tallies.items()} | {"skipped": {"pictures": skipped}}
    if options.json:
        print(json.dumps(report, indent=1))
        return
    for name, row in report.items():
        print(f"{name:32}", "  ".join(f"{key} {value}" for key, value in row.items()))


def evaluate(
    folder: Path, reader: Reader, adapt: bool = False
) -> Iterator[tuple[list[str], Reading | None, Beforehand]]:
    """Every judged picture, its squares read one by one, with the rows it counts in, and what is known of its board
    beforehand; `all` is every one with known corners and no hand in it. None for a picture in which no board is
    found."""
    for labels in sorted(folder.glob("*/labels.jsonl")):
        courses: dict[str, Lessons] = {}
        begun: set[str] = set()
        for row in map(json.loads, labels.read_text().splitlines()):
            if not row.get("fen"):
                continue
            path = labels.parent / row["image"]
            image, hand = load(path), bool(row.get("hand"))
            given = view_of(row)
            view = given or _looked_for(image, reader)
            if view is None:
                yield [], None, CHESS
                continue
            truth, sequence = labels_of(chess.BaseBoard(row["fen"].split()[0])), str(row.get("seq"))
            names = list(_names(labels.parent.name, hand, given is None))
            if not adapt:
                yield names, Reading(path, view, truth, read_board(reader, image, view)), CHESS
                continue
            start = row["fen"].split()[0] == chess.STARTING_BOARD_FEN and not hand
            if start and row.get("seq") and sequence not in begun:
                lessons = courses.setdefault(sequence, Lessons(reader, len(sides(view))))
                lessons.learn(image, view, truth)
                lessons.follow(lessons.read(image, view))
                continue
            begun.add(sequence)
            if sequence in courses:
                lessons = courses[sequence]
                read = lessons.read(image, view)
                yield names, Reading(path, view, truth, read(lessons.taught).likelihoods), CHESS
                likelihoods, known = lessons.follow(read)
                followed = Reading(path, view, truth, likelihoods)
                yield [f"{name}, followed" for name in names], followed, CHESS
                yield [f"{name}, followed, counted" for name in names], followed, known


ALL = np.ones(64, np.bool_)
CHESS = beforehand("chess")
NUDGES = ((0.0, 0.0), (0.06, 0.0), (-0.06, 0.0), (0.0, 0.06), (0.0, -0.06))


class Lessons:
    """What start positions have taught of one set under one camera; the board is read from `count` sides."""

    def __init__(self, reader: Reader, count: int) -> None:
        self.reader = reader
        self.first = [Adaptation(reader) for _ in range(count)]
        self.closer = self.taught = Closer(reader)  # beside the board, and on it
        self.followed: Followed | None = None  # once taught

    def learn(self, image: NDArray[np.uint8], view: View, truth: NDArray[np.int64]) -> None:
        """Teach the last layers what one picture shows, also as if its calibration were off by a little."""
        canvases = sides(view)[: len(self.first)]
        for nudge in NUDGES:
            off = np.array([[1.0, 0.0, nudge[0]], [0.0, 1.0, nudge[1]], [0.0, 0.0, 1.0]])
            nudged = replace(view, homography=view.homography @ off)
            for lesson, canvas in zip(self.first, canvases, strict=True):
                lesson.learn(self.reader.read(canvas.warp(image, nudged)), canvas.squares, truth)
            self.closer.learn_start(image, view, truth, ALL, nudge)
        if self.followed is None:  # by the first picture, as in a match
            album = self.closer.album(image, view, truth, ALL)
            self.taught = self.closer.with_reader(album.lesson(self.reader)())
            self.followed = Followed(self.taught, album)

    def read(self, image: NDArray[np.uint8], view: View) -> Callable[[Closer], Squares]:
        """One picture: by the first network, and then by the second as it may have been taught."""
        canvases = sides(view)[: len(self.first)]
        answers = [self.reader.read(canvas.warp(image, view)) for canvas in canvases]
        learnt = [lesson(answer) for lesson, answer in zip(self.first, answers, strict=True)]
        first = together([board_of(answer, canvas) for answer, canvas in zip(learnt, canvases, strict=True)])
        seen = np.any([a.at(canvas.squares)[1] for a, canvas in zip(learnt, canvases, strict=True)], 0)
        places = [(canvas.squares[:, 1], canvas.squares[:, 0]) for canvas in canvases]
        features = np.mean([answer.features[place] for answer, place in zip(answers, places, strict=True)], 0)

        def closely_by(closer: Closer) -> Squares:
            kept = Kept(closer, len(first))
            likelihoods = closely(first, SQUARE_CENTRES, kept.at(image, view))
            both = np.column_stack([features, kept.features()]).astype(np.float32)
            return Squares(likelihoods, seen, both, kept.looks.cuts, kept.taken)

        return closely_by

    def follow(self, read: Callable[[Closer], Squares]) -> tuple[NDArray[np.float32], Beforehand]:
        """(64, 13) log-likelihoods of the next picture, as what moves have taught since makes them, and what is known
        of its board by these moves."""
        assert self.followed
        return self.followed.right(read(self.followed.closer))


def _names(name: str, hand: bool, found: bool) -> Iterator[str]:
    yield name + (", hands" if hand else "") + (", corners found" if found else "")
    if not hand and not found:
        yield "all"


def _looked_for(image: NDArray[np.uint8], reader: Reader) -> View | None:
    try:
        view = find_board(image).view
    except BoardNotFoundError:
        return None
    return facing(image, view, reader)[0]


def view_of(row: dict[str, object]) -> View | None:
    """The view of a label row, None where it gives none."""
    width, height = int(str(row.get("width", 0))), int(str(row.get("height", 0)))
    if row.get("corners"):
        return View.from_corners(np.array(row["corners"]), (width, height))
    if "rectified crop of the board" in str(row.get("viewpoint")):
        return View.from_corners([(0, 0), (width, 0), (width, height), (0, height)], (width, height))
    return None


if __name__ == "__main__":
    main()
