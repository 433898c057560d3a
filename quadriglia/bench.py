"""`quadriglia bench`: what each step costs on this machine, beside decoding the same frame from JPEG.

One thread; frames of 1280x720, JPEG at quality 90. A full board is the canvas of a board without pockets, 8 changed
squares the patch of it that `vision.eye` reads anew when two rows of four have changed. Looks are those of the bundled
match's first seconds, board A: the eye's with the watch over its view, and the tracker's.
"""

import json
import statistics
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from calibration.find import find_board
from calibration.view import pockets_beside
from calibration.watch import Watch
from quadriglia.boards import place
from quadriglia.demo import SAMPLE
from quadriglia.matches import tell
from quadriglia.sight import Sight
from quadriglia.words import Words
from rules.match import Match
from rules.observation import EMPTY, labels_of
from rules.tracker import Tracker
from vision.canvas import SQUARE_CENTRES, STRIDE, Canvas
from vision.closer import Closer, Look
from vision.gaze import AROUND
from vision.reader import Reader
from vision.source import Source

Item = TypeVar("Item")

TIMES = 100
SLOW = 20
"""Times for what takes long."""
SECONDS = 15.0
"""Of the bundled match."""


def run_bench(console: Console, say: Words, as_json: bool) -> None:
    """Print medians in milliseconds and as multiples of a decode."""
    cv2.setNumThreads(1)
    took = measure()
    decode = took["decode"][0]
    if as_json:
        rows = {
            name: {"ms": round(ms, 3), "decodes": round(ms / decode, 2), "n": count}
            for name, (ms, count) in took.items()
        }
        print(json.dumps(rows))
        return
    for name, (ms, count) in took.items():
        figures = {"ms": f"{ms:8.2f}", "decodes": f"{ms / decode:6.2f}", "count": count}
        tell(console, say("bench.line", name=say(f"bench.{name}").ljust(36), **figures))


def measure() -> dict[str, tuple[float, int]]:
    """Median milliseconds and how many times, by step."""
    reader = Reader()
    sight = Sight(reader)
    source = Source("A", SAMPLE / "a.mp4")
    view = place(source, None, pockets_beside("h"), sight).view
    frames = [frame for frame in source if frame.time < SECONDS]
    image = frames[0].image
    packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    bare = type(view).from_corners(view.corners(), view.size)
    canvas = Canvas.over(bare)
    board = canvas.warp(image, bare)
    rows, columns = 2 * 2 + 3, 4 * 2 + 2  # places that are renewed around two rows of four squares
    patch = np.ascontiguousarray(board[: (rows + 3 * AROUND) * STRIDE, : (columns + 2 * AROUND) * STRIDE])
    match, closer = Match(), Closer(reader)
    men = SQUARE_CENTRES[np.flatnonzero(labels_of(match.board("A")) != EMPTY)]

    def look(points: NDArray[np.float64]) -> Look:
        return closer.look(image, bare, points)

    watch, tracker = Watch(bare), Tracker(match)
    eye = sight.eye(view, labels_of(match.board("A")))
    looks = [eye.observe(frame) for frame in frames]
    eye = sight.eye(view, labels_of(match.board("A")))
    return {
        "decode": _each(lambda _: cv2.imdecode(packed, cv2.IMREAD_COLOR), range(TIMES)),
        "full_board": _each(lambda _: (reader.read(canvas.warp(image, bare)), look(men)), range(TIMES)),
        "changed_squares": _each(lambda _: (reader.read(patch), look(men[:8])), range(TIMES)),
        "find_board": _each(lambda _: find_board(image), range(SLOW)),
        "watch": _each(lambda frame: watch.look(frame.image, frame.time), frames),
        "eye": _each(eye.observe, frames),
        "tracker": _each(tracker.update, looks),
    }


def _each(work: Callable[[Item], object], inputs: Iterable[Item]) -> tuple[float, int]:
    """Median milliseconds of some work on each of these, and how many they were."""
    took = []
    for item in inputs:
        started = time.perf_counter()
        work(item)
        took.append(1000 * (time.perf_counter() - started))
    return statistics.median(took), len(took)
