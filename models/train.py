"""Trains the reader: `python -m models.train --scenes DIR [--photos DIR] --out DIR [--canvases N]`, resumable.

`--scenes`: what `simulation.training` rendered. `--photos`: a folder with the real training sets; without it, scenes
alone, which is how the simulator is judged. `--out` keeps
`checkpoint.pt` (every 200 steps) and `log.txt`; `python -m models.export` turns the checkpoint into the ONNX file.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from models.data import TOGETHER, Canvases, rendered
from models.net import CLASSES, FEATURES, Net
from models.photos import crops, photographed, rebuilt
from models.restore import restored
from models.run import Run
from models.write import write_front

BATCH = 4  # examples, of `TOGETHER` canvases each
PEAK = 1.5e-3
FINE = 0.005  # peak of a run that begins with trained weights, by the size of a weight
ADAPTED = 0.5  # weight of what is read after a start position has taught the last layer
SURE = 0.6  # weight from which a place is a square or a piece that is known
CROPS = "crops-livechess2fen", "crops-chess-id"
REBUILT = "crops-chess-id"
PHOTOS = "afka-grey-background", "roboflow-chess-pieces", "bobroj-robot"


def main() -> None:
    """Train until `--canvases` have been seen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begin", type=Path, help="ONNX file whose weights a new run begins with")
    parser.add_argument("--canvases", type=int, default=48_000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    front = options.out / "front.onnx"
    write_front(Net(pretrained=True), front)
    pieces, photos = [], []
    if options.photos:
        pieces = [crops(options.photos / name) for name in CROPS]
        photos = [photographed(options.photos / name) for name in PHOTOS]
        photos.append(rebuilt(options.photos / REBUILT, options.out / "rebuilt"))

    def examples(count: int, seed: int) -> DataLoader[Any]:
        found = Canvases(rendered(options.scenes), photos, pieces, count * BATCH, seed, front)
        return DataLoader(found, BATCH, num_workers=1, prefetch_factor=4)

    net, peak = (restored(options.begin), FINE) if options.begin else (Net(pretrained=True), PEAK)
    run = Run(options.out, options.canvases // (BATCH * TOGETHER), net, peak)
    while run.step < run.steps:
        # Scenes are listed again for every stretch, so that training may start while rendering goes on.
        stretch(run, examples(min(400, run.steps - run.step), run.step))


def stretch(run: Run, batches: DataLoader[Any]) -> None:
    """Train on some batches, with a line in the log every 50 steps."""
    net = run.net
    net.train()
    started, losses, lessons, right, known = time.monotonic(), 0.0, 0.0, 0.0, 0.0
    for number, (*batch, episode) in enumerate(batches, 1):
        fine, label, weight, offset = (part.flatten(0, 1) for part in batch)
        with torch.autocast("cpu", torch.bfloat16):
            answer, features = net(fine.to(memory_format=torch.channels_last).float())
        loss, correct, pieces = judge(answer.float(), label, weight, offset)
        lesson = taught(net, features.float(), label, weight, episode)
        run.learn(loss + ADAPTED * lesson)
        losses, lessons = losses + loss.item(), lessons + lesson.item()
        right, known = right + correct, known + pieces
        if number % 50 == 0:
            speed = number * BATCH * TOGETHER / (time.monotonic() - started)
            kinds = f"kind {right / max(known, 1):.3f}"
            run.log(f"loss {losses / 50:.3f} adapted {lessons / 50:.3f} {kinds} canvases/s {speed:.1f}")
            losses, lessons, right, known = 0.0, 0.0, 0.0, 0.0


def judge(answer: Tensor, label: Tensor, weight: Tensor, offset: Tensor) -> tuple[Tensor, float, float]:
    """Loss over the known places, how many pieces were named right, and of how many."""
    logits, guess, lying = answer[:, :CLASSES], answer[:, CLASSES:-1], answer[:, -1]
    loss = functional.cross_entropy(logits, label, reduction="none", label_smoothing=0.01)
    named = (loss * weight).sum() / weight.sum().clamp(min=1)
    piece = (label < 12) & (weight > 0)
    placed = functional.smooth_l1_loss(guess, offset[:, :2], reduction="none", beta=0.1).sum(1)
    lies = functional.binary_cross_entropy_with_logits(lying, offset[:, 2], reduction="none")
    placed = ((placed + lies) * piece).sum() / piece.sum().clamp(min=1)
    right = float((logits.argmax(1) == label)[piece].sum())
    return named + 0.5 * placed, right, float(piece.sum())


def taught(net: Net, features: Tensor, label: Tensor, weight: Tensor, episode: Tensor) -> Tensor:
    """Loss over the known places of episodes but for the first canvas, from which the last layer has learnt."""
    losses = []
    places = features.permute(0, 2, 3, 1).reshape(len(episode), TOGETHER, -1, FEATURES)
    labels = label.reshape(len(episode), TOGETHER, -1)
    weights = weight.reshape(len(episode), TOGETHER, -1)
    for number in torch.nonzero(episode).flatten():
        surely = weights[number, 0] >= SURE
        asked = weights[number, 1:] > 0
        logits = net.adapted(places[number, 0][surely], labels[number, 0][surely], places[number, 1:][asked])
        loss = functional.cross_entropy(logits, labels[number, 1:][asked], reduction="none", label_smoothing=0.01)
        losses.append((loss * weights[number, 1:][asked]).sum() / weights[number, 1:][asked].sum())
    return torch.stack(losses).mean() if losses else features.sum() * 0


if __name__ == "__main__":
    main()
