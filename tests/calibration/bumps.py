"""Bumps a camera in the middle of a match: `python tests/calibration/bumps.py [--count N] [--first N] [--match DIR]`.

DIR holds a match as `quadriglia simulate` films it; the bundled one unless told. Each run turns one camera about its
axes within a fifth of a second, at another time and by another angle, a quarter of a square up to three at the worst
corner, and tracks the match. A turning camera moves its picture by a homography, so this is what a bump looks like.
Told a run: how far, when it was noticed and when the view was right again, in seconds, and the score.
"""

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import View, pockets_beside
from quadriglia.boards import Place, place
from quadriglia.demo import SAMPLE
from quadriglia.record import Record
from quadriglia.score import score
from quadriglia.session import Moment, run
from quadriglia.sight import Sight
from rules.match import Match
from rules.seats import BOARDS
from vision.frame import Frame
from vision.reader import Reader
from vision.school import at_once
from vision.source import Source

TOOK = 0.2  # seconds


@dataclass(eq=False)
class Bumped:
    """A source whose camera turns at `time` by the rotation vector `turn` (3,), radians."""

    source: Source
    time: float
    turn: NDArray[np.float64]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def __iter__(self) -> Iterator[Frame]:
        for frame in self.source:
            done = float(np.clip((frame.time - self.time) / TOOK, 0, 1))
            size = (frame.image.shape[1], frame.image.shape[0])
            if not done:
                yield frame
                continue
            moved = cv2.warpPerspective(
                frame.image, turned(self.turn * done, size), size, borderMode=cv2.BORDER_REPLICATE
            )
            yield Frame(frame.board, frame.time, np.asarray(moved, np.uint8))


def turned(turn: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """(3, 3) what turning the camera does to its picture, if it sees as wide as it is away."""
    lens = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1.0]])
    return np.asarray(lens @ cv2.Rodrigues(turn)[0] @ np.linalg.inv(lens), np.float64)


def squares(view: View, homography: NDArray[np.float64]) -> float:
    """By how many squares the worst corner moves."""
    pixels = view.corners()
    moved = cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), homography).reshape(-1, 2)
    return float(np.hypot(*(moved - pixels).T).max() / np.sqrt(cv2.contourArea(pixels.astype(np.float32))) * 8)


def draw(places: list[Place], seed: int) -> tuple[int, float, NDArray[np.float64], float]:
    """Which camera turns, when, how, and how far its board moves; its corners stay in the picture."""
    rng = np.random.default_rng(seed)
    number = int(rng.integers(2))
    view, seconds = places[number].view, places[number].source.seconds
    while True:
        wanted = float(np.exp(rng.uniform(np.log(0.25), np.log(3.0))))
        turn = rng.normal(size=3) * [1, 1, 2]
        turn *= 1e-3 / np.linalg.norm(turn)
        for _ in range(6):
            turn *= wanted / squares(view, turned(turn, view.size))
        moved = cv2.perspectiveTransform(view.corners().reshape(-1, 1, 2), turned(turn, view.size))
        if (moved > 4).all() and (moved < np.array(view.size) - 4).all():
            return number, float(rng.uniform(0.15, 0.7) * seconds), turn, wanted


def main() -> None:
    """One line a run, and a last one over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="seed of the first run")
    parser.add_argument("--match", type=Path, default=SAMPLE)
    options = parser.parse_args()
    sight = Sight(Reader(), school=at_once)
    places = [
        place(Source(board, options.match / f"{board.lower()}.mp4"), None, pockets_beside("h"), sight)
        for board in BOARDS
    ]
    exact = in_time = invented = 0
    for seed in range(options.first, options.first + options.count):
        number, time, turn, wanted = draw(places, seed)
        bumped = list(places)
        source: Any = Bumped(places[number].source, time, turn)
        bumped[number] = Place(source, places[number].view, places[number].found)
        board, seen = BOARDS[number], Seen(BOARDS[number], time)
        with tempfile.TemporaryDirectory() as folder:
            with Record(Path(folder), 2) as record:
                run(Match(), bumped, sight, record, [seen])
            found = score(Path(folder), options.match)
        extra = found.total.extra + found.total.wrong
        exact, in_time, invented = exact + found.exact, in_time + (seen.noticed < 2), invented + (extra > 0)
        print(
            f"{seed} board {board} {wanted:.2f} squares at {time:.1f} s noticed {seen.noticed:.2f} "
            f"right again {seen.right:.2f} plies {found.total.right}/{found.total.true} wrong or extra {extra}",
            flush=True,
        )
    print(f"runs {options.count} noticed within 2 s {in_time} exact {exact} with invented moves {invented}")


class Seen:
    """A watcher that notes when the tracker was told that a view does not fit, and that it fits again."""

    def __init__(self, board: str, time: float) -> None:
        self.board, self.time = board, time
        self.noticed = self.right = float("inf")

    def __call__(self, moment: Moment) -> None:
        """As `session.Watcher`."""
        for name, side in moment.tracker.sides.items():
            if name != self.board or moment.time < self.time:
                continue
            if side.camera.state != "steady":
                self.noticed = min(self.noticed, moment.time - self.time)
            elif self.noticed < float("inf"):
                self.right = min(self.right, moment.time - self.time)


if __name__ == "__main__":
    main()
