"""How long the reader takes, beside decoding a frame: `python -m models.bench`.

One thread. A full board is the canvas of a board without pockets, 8 changed squares the patch of it that `vision.eye`
reads anew when two rows of four have changed. The frame is 1280x720, JPEG at quality 90.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from calibration.view import View
from vision.canvas import STRIDE, Canvas
from vision.eye import AROUND
from vision.reader import Reader
from vision.source import Source

SAMPLE = Path(__file__).parents[1] / "quadriglia" / "sample" / "a.mp4"
TIMES = 100


def main() -> None:
    """Print medians in milliseconds and as multiples of a decode."""
    cv2.setNumThreads(1)
    image = next(iter(Source("A", SAMPLE))).image
    height, width = image.shape[:2]
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    side = 0.9 * height
    left, top = (width - side) / 2, 0.05 * height
    corners = [(left, top), (left + side, top), (left + side, top + side), (left, top + side)]
    view = View.from_corners(corners, (width, height))
    canvas = Canvas.over(view)
    reader = Reader()
    board = canvas.warp(image, view)
    rows, columns = 2 * 2 + 3, 4 * 2 + 2  # places that are renewed around two rows of four squares
    patch = np.ascontiguousarray(board[: (rows + 3 * AROUND) * STRIDE, : (columns + 2 * AROUND) * STRIDE])
    works: dict[str, Callable[[], object]] = {
        "JPEG decode": lambda: cv2.imdecode(packed, cv2.IMREAD_COLOR),
        "full board": lambda: reader.read(canvas.warp(image, view)),
        "8 changed squares": lambda: reader.read(patch),
    }
    took = {name: median(work) for name, work in works.items()}
    for name, spent in took.items():
        print(f"{name:18} {spent:6.2f} ms  {spent / took['JPEG decode']:5.2f} decodes  (median of {TIMES})")


def median(work: Callable[[], object]) -> float:
    """Milliseconds."""
    work()
    took = []
    for _ in range(TIMES):
        started = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - started))
    return statistics.median(took)


if __name__ == "__main__":
    main()
