"""Trains what tells where men stand: `python -m models.train_base --scenes DIR --out DIR [--steps N]`, resumable.

DIR as for `models.train`; `python -m models.export --base` puts the checkpoint into the second network's ONNX file.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from calibration.view import View
from models.base import Base
from models.data import Board, rendered
from models.front import Front
from models.pictures import load
from models.run import Run
from models.train_men import PEAK
from models.write import write_first_look
from vision.disturb import BRIM, SCALED, SHIFTED, TURNED, lit, turn, turned
from vision.lean import by_pose
from vision.upright import BASE, SQUARE, stances, upright

BOARDS, MOST = 5, 40  # pictures of a step, and men of each
SEEN = 0.6  # share of a man that must be seen
NEAR, FAR = 0.1, 0.4  # squares by which he is looked for beside his base: half of them normally, half up to so far
STRAIGHT = 0.05  # squares from which on errors count by their size alone

Floats = NDArray[np.float64]


def main() -> None:
    """Train until `--steps` have been made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    front = options.out / "front.onnx"
    write_first_look(front)
    run = Run(options.out, options.steps, Base(), PEAK)
    found = Looks(rendered(options.scenes), range(run.step, run.steps), front)
    train(run, DataLoader(found, batch_size=None, num_workers=1, prefetch_factor=4))


def train(run: Run, looks: "DataLoader[tuple[torch.Tensor, ...]]") -> None:
    """Train on some looks, with a line in the log every 50 steps."""
    run.net.train()
    started, sums, men = time.monotonic(), np.zeros(2), 0
    for number, (seen, base) in enumerate(looks, 1):
        found = run.net(seen.float())
        run.learn(functional.smooth_l1_loss(found, base, beta=STRAIGHT))
        off = torch.linalg.vector_norm(found.detach() - base, dim=1)
        sums += [float(off.median()), float(off.quantile(0.9))]
        men += len(seen)
        if number % 50 == 0:
            speed = men / (time.monotonic() - started)
            run.log(f"off by {sums[0] / 50:.3f} (median), {sums[1] / 50:.3f} (90%) men/s {speed:.0f}")
            sums[:] = 0


class Looks(Dataset[tuple[torch.Tensor, ...]]):
    """Standing men of rendered boards, looked for beside their bases: what the first layers make of each, and (n, 2)
    where his base is, as `models.base.Base` tells it."""

    def __init__(self, scenes: list[list[Board]], numbers: range, front: Path) -> None:
        self.boards = [board for boards in scenes for board in boards]
        self.numbers, self.front = numbers, Front(front)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, ...]:
        """The men of some boards."""
        rng = np.random.default_rng((79, self.numbers[index]))
        chosen = [self.boards[int(n)] for n in rng.integers(len(self.boards), size=BOARDS)]
        men, off = zip(*(looked_for(board, rng) for board in chosen), strict=True)
        bases = np.concatenate(off).astype(np.float32)
        return torch.from_numpy(self.front(np.concatenate(men))), torch.from_numpy(bases)


def looked_for(board: Board, rng: np.random.Generator) -> tuple[NDArray[np.uint8], Floats]:
    """(n, 96, 72, 3) of men, varied, and (n, 2) squares right and down from where each is looked for to his base."""
    image = load(board.path)
    view = View(board.homography, (image.shape[1], image.shape[0]))
    places = [(x, y) for _, x, y, lies, seen in board.pieces if seen >= SEEN and not lies]
    bases = rng.permutation(np.array(places).reshape(-1, 2))[:MOST]
    points = beside(bases, rng)
    lean = by_pose(view)
    place = stances(view, points, lean)
    off = np.einsum("nij,nj->ni", place[:, :, :2], view.to_image(bases)) + place[:, :, 2] - BASE
    cuts, men = upright(image, view, points, lean, BRIM), []
    for number, cut in enumerate(cuts):
        angle, scale, mirrored = rng.normal(0, TURNED), np.exp(rng.normal(0, SCALED)), rng.random() < 0.5
        shift = rng.normal(0, SHIFTED, 2)
        men.append(turned(cut, angle, scale, mirrored, shift))
        off[number] = turn(angle, scale, mirrored) @ off[number] + shift
    return lit(men, int(rng.integers(2**32))), off / SQUARE


def beside(bases: Floats, rng: np.random.Generator) -> Floats:
    """(n, 2) where men are looked for whose bases stand at (n, 2)."""
    near = rng.random((len(bases), 1)) < 0.5
    return bases + np.where(near, rng.normal(0, NEAR, bases.shape), rng.uniform(-FAR, FAR, bases.shape))


if __name__ == "__main__":
    main()
