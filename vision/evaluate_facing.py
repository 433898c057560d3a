"""Judges which way boards are taken to lie: `python -m vision.evaluate_facing --photos DIR [--json]`.

DIR as for `calibration.evaluate`; the board's corners are given, turned by half a turn in every other picture. Told a
set, start positions apart from others: pictures, share taken the right way, share that is said to be certain, and how
many of those are wrong.
"""

import argparse
import json
from pathlib import Path

import chess
import cv2
import numpy as np

from calibration.evaluate import label_files, labelled
from calibration.view import View
from vision.facing import facing
from vision.reader import Reader


def main() -> None:
    """Print one row a set and kind of position."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    reader = Reader()
    for labels in label_files(options.photos):
        found: dict[str, list[tuple[bool, bool]]] = {}
        for number, row in enumerate(labelled(labels)):
            image = np.asarray(cv2.imread(str(labels.parent / row["image"])), np.uint8)
            truth = np.array(row["corners"], np.float64)
            given = View.from_corners(np.roll(truth, 2 * (number % 2), 0), (image.shape[1], image.shape[0]))
            turned, sure = facing(image, given, reader)
            start = str(row.get("fen", "")).split(" ")[0] == chess.STARTING_BOARD_FEN
            found.setdefault("start" if start else "in play", []).append(
                (bool(np.allclose(turned.corners(), truth, atol=0.1)), sure)
            )
        for kind, pairs in found.items():
            report = {
                "set": labels.parent.name, "positions": kind, "pictures": len(pairs),
                "right": round(sum(right for right, _ in pairs) / len(pairs), 3),
                "certain": round(sum(sure for _, sure in pairs) / len(pairs), 3),
                "certain_and_wrong": sum(sure and not right for right, sure in pairs),
            }  # fmt: skip
            print(json.dumps(report) if options.json else "  ".join(f"{k} {v}" for k, v in report.items()), flush=True)


if __name__ == "__main__":
    main()
