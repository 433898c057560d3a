"""Judges the search for boards: `python -m calibration.evaluate --photos DIR [--every N] [--json]`.

DIR is a labelled set, or holds several (`labels*.jsonl`, rows with `image` and `corners`). Corners of `corners.jsonl`
beside this file come before a set's own: they were found by this program and confirmed one by one by eye, where a set
has none or wrong ones (null: the board is not in the picture). Told a set: pictures, share found, how many of those are
wrong, that is have a corner more than a quarter square off, and the median of the worst corner's error.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find import BoardNotFoundError, find_board

KNOWN = Path(__file__).parent / "corners.jsonl"


def main() -> None:
    """Print one row a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="judge only every Nth picture")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for labels in label_files(options.photos):
        rows = labelled(labels)[:: options.every]
        if rows:
            report = {"set": labels.parent.name, **judge(labels.parent, rows)}
            print(json.dumps(report) if options.json else "  ".join(f"{k} {v}" for k, v in report.items()), flush=True)


def label_files(folder: Path) -> list[Path]:
    """Of a set, or of every set in a folder."""
    return sorted([*folder.glob("labels*.jsonl"), *folder.glob("*/labels*.jsonl")])


def labelled(labels: Path) -> list[dict[str, Any]]:
    """The rows of a set with corners, the confirmed ones before its own."""
    known = {}
    for row in map(json.loads, KNOWN.read_text().splitlines()):
        if row["set"] == labels.parent.name:
            known[row["image"]] = row["corners"]
    rows = [json.loads(line) for line in labels.read_text().splitlines()]
    rows = [row | {"corners": known.get(row["image"], row.get("corners"))} for row in rows]
    return [row for row in rows if row["corners"]]


def judge(folder: Path, rows: list[dict[str, Any]]) -> dict[str, float]:
    """Counts and shares over label rows; `wrong` is the silent failure."""
    errors, took = [], []
    for row in rows:
        image = np.asarray(cv2.imread(str(folder / str(row["image"]))), np.uint8)
        truth = np.array(row["corners"], np.float64)
        started = time.perf_counter()
        try:
            found = find_board(image).corners()
            errors.append(min(worst(np.roll(found, turn, 0), truth) for turn in range(4)))
        except BoardNotFoundError:
            pass
        took.append(time.perf_counter() - started)
    near = sum(error < 0.25 for error in errors)
    return {
        "pictures": len(rows), "found": round(len(errors) / len(rows), 3), "near": round(near / len(rows), 3),
        "wrong": len(errors) - near, "median_error": round(float(np.median(errors)), 3) if errors else 0.0,
        "median_s": round(float(np.median(took)), 2), "max_s": round(max(took), 2),
    }  # fmt: skip


def worst(corners: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """The worst corner's error in squares of the true board."""
    square = np.mean([np.hypot(*(truth[i] - truth[i - 1])) for i in range(4)]) / 8
    return float(np.hypot(*(corners - truth).T).max() / square)


if __name__ == "__main__":
    main()
