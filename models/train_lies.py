"""Trains what tells who lies: `python -m models.train_lies --scenes DIR --photos DIR --out DIR [--steps N]`, resumable.

Scenes rendered by `simulation.training --fallen`; in real training sets all men stand. `python -m models.export --lies`
puts the checkpoint into the second network's ONNX file.
"""

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from calibration.view import View
from models.data import Board, rendered
from models.front import Front
from models.lies import Lies
from models.mendata import Crops, Cut, of_real_boards
from models.photos import Photo
from models.pictures import load
from models.run import Run
from models.train_base import MOST, beside
from models.train_men import real
from models.write import write_first_look
from rules.observation import EMPTY
from vision.disturb import BRIM, varied
from vision.lean import by_pose
from vision.upright import upright

PEAK = 2e-3
BOARDS = 5  # pictures of a step
SEEN = 0.5  # share of a man that must be seen


def main() -> None:
    """Train until `--steps` have been made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=2600)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    front = options.out / "front.onnx"
    write_first_look(front)
    run = Run(options.out, options.steps, Lies(), PEAK)
    boards = [board for episode in rendered(options.scenes) for board in episode]
    looks = Looks(boards, *real(options.photos, options.out), range(run.step, run.steps), front)
    train(run, DataLoader(looks, batch_size=None, num_workers=1, prefetch_factor=4))


def train(run: Run, looks: "DataLoader[tuple[torch.Tensor, ...]]") -> None:
    """Train on some looks, with a line in the log every 50 steps."""
    run.net.train()
    started, sums, men = time.monotonic(), np.zeros(3), 0
    for number, (seen, lies, weight) in enumerate(looks, 1):
        found = run.net(seen.float())
        loss = functional.binary_cross_entropy_with_logits(found, lies, reduction="none")
        run.learn((loss * weight).sum() / weight.sum())
        told = (found.detach() > 0) == (lies > 0)
        sums += [float(part.detach().float().mean()) for part in (loss, told[lies > 0], told[lies == 0])]
        men += len(seen)
        if number % 50 == 0:
            speed = men / (time.monotonic() - started)
            run.log("loss {:.4f} lying told {:.4f} standing told {:.4f}".format(*sums / 50) + f" men/s {speed:.0f}")
            sums[:] = 0


class Men(NamedTuple):
    """(n, 96, 72, 3) of men, varied; (n,) whether each lies, and his weight."""

    men: NDArray[np.uint8]
    lies: NDArray[np.float64]
    weights: NDArray[np.float64]


class Looks(Dataset[tuple[torch.Tensor, ...]]):
    """Men of rendered boards and of real ones, looked for beside their bases: what the first layers make of each, (n,)
    whether he lies, and his weight."""

    def __init__(
        self, boards: list[Board], photos: list[list[Photo]], crops: list[Crops], numbers: range, front: Path
    ) -> None:
        """`photos`, `crops`: by set. `front`: ONNX file of `models.men.FirstLook`."""
        self.boards, self.photos, self.crops, self.numbers = boards, photos, crops, numbers
        self.front = Front(front)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, ...]:
        """The men of some boards."""
        rng = np.random.default_rng((81, self.numbers[index]))
        found = [of_board(self.boards[int(n)], rng) for n in rng.integers(len(self.boards), size=BOARDS)]
        found += [_stand(cut) for cut in of_real_boards(self.photos, self.crops, rng)]
        men, lies, weights = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return (
            torch.from_numpy(self.front(men)),
            torch.from_numpy(lies.astype(np.float32)),
            torch.from_numpy(weights.astype(np.float32)),
        )


def of_board(board: Board, rng: np.random.Generator) -> Men:
    """The men of a rendered board."""
    image = load(board.path)
    view = View(board.homography, (image.shape[1], image.shape[0]))
    men = np.array([(x, y, lies, seen) for _, x, y, lies, seen in board.pieces if seen >= SEEN]).reshape(-1, 4)
    men = rng.permutation(men)[:MOST]
    cuts = upright(image, view, beside(men[:, :2], rng), by_pose(view), BRIM)
    return Men(varied(cuts, int(rng.integers(2**32)), rng), men[:, 2], np.clip((men[:, 3] - 0.3) / 0.4, 0.3, 1))


def _stand(cut: Cut) -> Men:
    man = cut.labels < EMPTY
    return Men(cut.men[man], np.zeros(man.sum()), cut.weights[man])


if __name__ == "__main__":
    main()
