"""How arms over the table are told, look by look, in films of `injected film`.

`python -m tests.rules.armsight GAME.bpgn DIR --seed N [--count N] [--kinds KIND...]`, all as the film was made: so it
is known where each arm reaches at any time.
"""

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from math import dist
from pathlib import Path

import numpy as np

from calibration.view import pockets_beside
from quadriglia.boards import place
from quadriglia.sight import Sight
from rules.match import Match
from rules.observation import Reach, labels_of
from rules.records import read
from rules.seats import BOARDS
from simulation.produce import produce
from simulation.script import Gesture, Point, Script, elbow
from tests.rules.injected import FILMING, KINDS, plan
from vision.arms import Arms
from vision.canvas import STRIDE
from vision.motion import CELL
from vision.reader import Reader
from vision.source import Source

NEAR = 2.0  # squares between where an arm reaches and where it is told to, at most
Look = tuple[list[tuple[Point, Gesture]], tuple[Reach, ...]]
"""Arms whose hands are in what is watched: where each reaches, and what it does; and what is told."""


def main() -> None:
    """Print which share of the looks at each kind of arm is told, and how far off their shoulders are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    game = next(read(options.game.read_text()))
    with tempfile.TemporaryDirectory() as folder:
        wishes = plan(game, options.seed, options.count, options.kinds)
        script = produce(game, Path(folder), options.seed, FILMING, wishes).script
    seen, off, none = defaultdict[str, list[bool]](list), defaultdict[str, list[float]](list), 0
    for there, told in looks(options.folder, script):
        left = list(told)
        for tip, gesture in there:
            kind = "partner's" if gesture.guest else "other hand" if gesture.other else "own"
            far = [dist(reach.tip, tip[:2]) + 100 * (reach.color != gesture.color) for reach in left]
            seen[kind].append(min(far, default=NEAR) < NEAR)
            if seen[kind][-1]:
                reach = left.pop(int(np.argmin(far)))
                off[kind].append(abs(reach.aside + 4 - float(elbow(gesture, script.side)[0])))
        none += sum(all(dist(reach.tip, tip[:2]) >= NEAR for tip, _ in there) for reach in left)
    for kind, found in seen.items():
        median, most = np.quantile(off[kind] or [np.nan], [0.5, 0.9])
        print(
            f"{kind}: {sum(found)} of {len(found)} told, shoulders off {median:.1f} (median), {most:.1f} (90%) squares"
        )
    everything = [one for found in seen.values() for one in found]
    print(f"{sum(everything)} of {len(everything)} told, and {none} that are none")


def looks(folder: Path, script: Script) -> Iterator[Look]:
    """Every picture of a film."""
    sight = Sight(Reader())
    for board in BOARDS:
        source = Source(board, folder / f"{board.lower()}.mp4")
        view = place(source, None, pockets_beside(script.side), sight).view
        eye = sight.eye(view, labels_of(Match().board(board)))
        motion, arms = eye.motion, eye.arms
        assert arms is not None
        for frame in source:
            motion.look(eye.around.warp(frame.image, view), frame.time)
            assert motion.now is not None
            told = arms.look(motion.now, motion.moved, frame.time)
            tips = [
                (tip, one) for one in script.gestures if one.board == board if (tip := one.tip(frame.time)) is not None
            ]
            yield [(tip, one) for tip, one in tips if _watched(arms, tip)], told


def _watched(arms: Arms, tip: Point) -> bool:
    column, row = (arms.canvas.places(tip[:2])[0] * STRIDE / CELL).astype(int)
    inside = 0 <= row < arms.seen.shape[0] and 0 <= column < arms.seen.shape[1]
    return bool(inside and arms.seen[row, column])


if __name__ == "__main__":
    main()
