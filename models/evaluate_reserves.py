"""Judges the reader on real pieces beside real boards: `python -m models.evaluate_reserves --photos DIR [--json]`.

`reserves.jsonl` beside this file has regions labelled by eye: `set`, `image`, the board's `corners`, the rectangle
`region` (left, top, right, bottom in pixels), the `pieces` whose bases stand in it, and which of their kinds are
`unsure`. DIR has the sets, in any folder below it.
"""

import argparse
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np

from calibration.view import Region, View
from models.pictures import load
from rules.observation import LABELS
from vision.canvas import Canvas
from vision.closer import Closer
from vision.lean import by_pose
from vision.pocket import places_in, read_pocket
from vision.reader import MANIFEST, Reader

REGIONS = Path(__file__).parent / "reserves.jsonl"
BORDER = 0.1  # squares around the board that belong to it


def main() -> None:
    """Print how many regions are exact, and recall and precision by piece."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=MANIFEST, help="manifest of the model")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    reader, tallies = Reader(options.model), dict[str, Counter[str]]()
    for row in map(json.loads, REGIONS.read_text().splitlines()):
        (folder,) = options.photos.glob(f"**/{row['set']}")
        found = read_region(row, folder / row["image"], reader)
        for name in (row["set"], "all"):
            count(Counter(row["pieces"]), found, tallies.setdefault(name, Counter()))
    report = {name: shares(tally) for name, tally in tallies.items()}
    if options.json:
        print(json.dumps(report, indent=1))
        return
    for name, shown in report.items():
        print(f"{name:28}", "  ".join(f"{key} {value}" for key, value in shown.items()))


def read_region(row: dict[str, Any], path: Path, reader: Reader) -> Counter[str]:
    """The letters of the pieces read in a region."""
    image = load(path)
    size = (image.shape[1], image.shape[0])
    left, top, right, bottom = row["region"]
    bare = View.from_corners(row["corners"], size)
    ends = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
    points = bare.to_board(ends)
    region = Region(*points.min(0).tolist(), *points.max(0).tolist())
    view = replace(bare, pockets={chess.WHITE: region})
    canvas = Canvas.over(view)
    answer = reader.read(canvas.warp(image, view))
    second, lean = Closer(reader).at(image, view), by_pose(view)
    found: Counter[str] = Counter()
    for color in chess.COLORS:
        pocket = read_pocket(answer, canvas, region, places_in(region, canvas), color, (second, second), lean, owners=1)
        for kind, centre in zip(pocket.pieces.argmax(1), pocket.centres, strict=True):
            x, y = view.to_image([centre])[0]
            on_board = (centre > -BORDER).all() and (centre < 8 + BORDER).all()
            if left <= x <= right and top <= y <= bottom and not on_board:
                found[LABELS[kind]] += 1
    return found


def count(wanted: Counter[str], found: Counter[str], tally: Counter[str]) -> None:
    """Add one region: pieces at all, in their colour, of their kind, and in both."""
    tally["regions"] += 1
    tally["exact"] += wanted == found
    tally["wanted"] += wanted.total()
    tally["found"] += found.total()
    tally["right number"] += min(wanted.total(), found.total())
    for name, part in (("colour", str.isupper), ("kind", str.lower), ("piece", str)):
        both = [Counter[Any](part(letter) for letter in letters.elements()) for letters in (wanted, found)]
        tally[name] += (both[0] & both[1]).total()


def shares(tally: Counter[str]) -> dict[str, float]:
    """Recall is of what stands there, precision of what was read."""
    report: dict[str, float] = {"regions": tally["regions"], "pieces": tally["wanted"]}
    report["exact"] = round(tally["exact"] / tally["regions"], 3)
    for name in ("right number", "colour", "kind", "piece"):
        report[f"{name} recall"] = round(tally[name] / max(tally["wanted"], 1), 3)
        report[f"{name} precision"] = round(tally[name] / max(tally["found"], 1), 3)
    return report


if __name__ == "__main__":
    main()
