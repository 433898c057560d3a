"""Trains the second network: `python -m models.train_men --scenes DIR [--photos DIR] --out DIR [--begin FILE]
[--steps N]`, resumable.

Folders as for `models.train`; `python -m models.export --men` turns the checkpoint into the ONNX file.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from models.data import rendered
from models.men import Men
from models.mendata import EPISODES, Crops, Examples
from models.photos import Photo, crops, photographed, rebuilt
from models.restore import restored_men
from models.run import Run
from models.train import CROPS, FINE, PHOTOS, REBUILT
from models.write import write_first_look
from rules.observation import EMPTY

PEAK = 1e-3
FEW = 12, 3  # men who teach, and who are asked, at least
BARE = 0.15  # share of the empty squares among single ones


def main() -> None:
    """Train until `--steps` have been made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begin", type=Path, help="ONNX file whose weights a new run begins with")
    parser.add_argument("--steps", type=int, default=8000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    front = options.out / "front.onnx"
    write_first_look(front)
    photos, single = real(options.photos, options.out) if options.photos else ([], [])
    net, peak = (restored_men(options.begin), FINE) if options.begin else (Men(), PEAK)
    run = Run(options.out, options.steps, net, peak)
    found = Examples(rendered(options.scenes), photos, single, range(run.step, run.steps), front)
    train(run, DataLoader(found, batch_size=None, num_workers=1, prefetch_factor=4))


def real(folder: Path, out: Path) -> tuple[list[list[Photo]], list[Crops]]:
    """Photographed boards and single squares of real training sets, by set. Boards are put together again in `out`."""
    photos = [photographed(folder / name) for name in PHOTOS]
    photos.append(rebuilt(folder / REBUILT, out / "rebuilt"))
    return photos, [_single(folder / name) for name in (CROPS[0], *CROPS)]  # of more sets: twice as often


def _single(folder: Path) -> Crops:
    """The squares of a set, with their labels; most that are empty are left out."""
    rng = np.random.default_rng(0)
    by_label = crops(folder)
    by_label[EMPTY] = [square for square in by_label[EMPTY] if rng.random() < BARE]
    return [(square, label) for label, squares in by_label.items() for square in squares]


def train(run: Run, examples: DataLoader[tuple[Tensor, ...]]) -> None:
    """Train on some examples, with a line in the log every 50 steps."""
    net, started, sums, men = run.net, time.monotonic(), np.zeros(4), 0
    net.train()
    for number, (seen, label, weight, picture) in enumerate(examples, 1):
        with torch.autocast("cpu", torch.bfloat16):
            answer, features = net(seen.to(memory_format=torch.channels_last).float())
        answer, features = answer.float(), features.float()
        loss, lesson = _weighed(answer, label, weight), lessons(net, features, label, weight, picture)
        run.learn(loss + lesson)
        man = label < EMPTY
        sums += [loss.item(), lesson.item(), float((answer.argmax(1) == label)[man].sum()), float(man.sum())]
        men += len(label)
        if number % 50 == 0:
            speed = men / (time.monotonic() - started)
            told = f"loss {sums[0] / 50:.3f} adapted {sums[1] / 50:.3f} right {sums[2] / sums[3]:.3f}"
            run.log(f"{told} men/s {speed:.0f}")
            sums[:] = 0


def lessons(net: Men, features: Tensor, label: Tensor, weight: Tensor, picture: Tensor) -> Tensor:
    """Loss over what follows start positions, from which the last layer has learnt."""
    losses = []
    for episode in range(EPISODES):
        known, asked = picture == 3 * episode, (picture == 3 * episode + 1) | (picture == 3 * episode + 2)
        if known.sum() >= FEW[0] and asked.sum() >= FEW[1]:
            logits = net.adapted(features[known], label[known], features[asked])
            losses.append(_weighed(logits, label[asked], weight[asked]))
    return torch.stack(losses).mean() if losses else features.sum() * 0


def _weighed(logits: Tensor, label: Tensor, weight: Tensor) -> Tensor:
    loss = functional.cross_entropy(logits, label, reduction="none", label_smoothing=0.01)
    return (loss * weight).sum() / weight.sum()


if __name__ == "__main__":
    main()
