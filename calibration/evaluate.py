"""Judges the search for boards: `python -m calibration.evaluate --photos DIR [--every N] [--json]`.

DIR is a labelled set, or holds several (`labels*.jsonl`, rows with `image` and `corners`). Told a set: pictures, share
found, of those found the share with every corner within a quarter square, and that also lie the right way round.
"""

import argparse
import json
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find import BoardNotFoundError, find_board


def main() -> None:
    """Print one row a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="judge only every Nth picture")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for labels in sorted([*options.photos.glob("labels*.jsonl"), *options.photos.glob("*/labels*.jsonl")]):
        rows = [json.loads(line) for line in labels.read_text().splitlines()]
        rows = [row for row in rows if row.get("corners")][:: options.every]
        if rows:
            report = {"set": labels.parent.name, **judge(labels.parent, rows)}
            print(json.dumps(report) if options.json else "  ".join(f"{k} {v}" for k, v in report.items()), flush=True)


def judge(folder: Path, rows: list[dict[str, object]]) -> dict[str, float]:
    """Shares over label rows; `wrong` is what was found but is not within a quarter square, the silent failure."""
    found, near, right, sure, took = 0, 0, 0, 0, []
    for row in rows:
        image = np.asarray(cv2.imread(str(folder / str(row["image"]))), np.uint8)
        truth = np.array(row["corners"], np.float64)
        started = time.perf_counter()
        try:
            board = find_board(image)
        except BoardNotFoundError:
            continue
        finally:
            took.append(time.perf_counter() - started)
        found += 1
        sure += board.orientation_sure
        errors = [worst(np.roll(board.corners(), turn, 0), truth) for turn in range(4)]
        near += min(errors) < 0.25
        right += errors[0] < 0.25
    return {
        "pictures": len(rows), "found": round(found / len(rows), 3), "near": round(near / max(found, 1), 3),
        "right_way": round(right / max(found, 1), 3), "sure_of_it": round(sure / max(found, 1), 3),
        "wrong": found - near, "median_s": round(float(np.median(took)), 2),
    }  # fmt: skip


def worst(corners: NDArray[np.float64], truth: NDArray[np.float64]) -> float:
    """The worst corner's error in squares of the true board."""
    square = np.mean([np.hypot(*(truth[i] - truth[i - 1])) for i in range(4)]) / 8
    return float(np.hypot(*(corners - truth).T).max() / square)


if __name__ == "__main__":
    main()
