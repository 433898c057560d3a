"""Teaching the second network the set at hand: a short training on men who are known, first of all those of the start
position.

Each man is seen many times, turned, shifted and mirrored, in other light and less sharp. The weights kept lie between
those before and after (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models"): what the set at hand does not
show is not unlearnt. Later lessons go on from there, shorter, and show those of the start position again.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS
from vision.disturb import varied
from vision.reader import Reader

FIRST, LATER = 60, 8  # steps of a lesson
BARE = 0.2  # share of the empty squares that are shown at a step
AGAIN = 0.5  # and of the men of the start position, once others are,
SINCE = 16  # of whom so many are
SMOOTH = 0.05  # of a label, over all
PEAK = 0.01  # of the learning rate, as a share of the size of a weight; it falls to none
SHARE = 0.9  # of the way from the weights before to those after
CALM = 5.0  # length up to which gradients count
BETAS = 0.9, 0.999

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What is known of some squares. `cuts`: (n, 124, 100, 3), upright with a brim. `labels`: (n,) what they show."""

    cuts: NDArray[np.uint8]
    labels: NDArray[np.int64]


def taught(reader: Reader, start: Shown, since: Shown, number: int) -> Reader:
    """The reader after a lesson, the `number`th of this set, from 0. `since`: men who have stood elsewhere since the
    start. The first takes some 8 seconds of one core, any other some 0.9; the same men teach the same."""
    rng = np.random.default_rng(number)
    steps, again = (LATER, AGAIN) if len(since.labels) else (FIRST, 1.0)
    often = again * np.where(start.labels != EMPTY, 1.0, BARE)
    before = reader.weights()
    pupil = _Pupil(before, steps)
    for _ in range(steps):
        old, new = rng.random(len(often)) < often, rng.permutation(len(since.labels))[:SINCE]
        labels = np.concatenate([start.labels[old], since.labels[new]])
        men = varied(np.concatenate([start.cuts[old], since.cuts[new]]), int(rng.integers(2**31)), rng)
        pupil.step(reader.gradients(pupil.weights, reader.look_first(men), _target(labels)))
    return reader.with_weights([old + SHARE * (new - old) for old, new in zip(before, pupil.weights, strict=True)])


def _target(labels: NDArray[np.int64]) -> Floats:
    """(n, 13) what men should be read as, times the weight of each: kinds of which there are few weigh more."""
    weight = 1 / np.sqrt(np.bincount(labels)[labels])
    target = np.eye(len(LABELS))[labels] * (1 - SMOOTH) + SMOOTH / len(LABELS)
    return np.asarray(target * (weight / weight.sum())[:, None], np.float32)


class _Pupil:
    """Weights on their way, by Adam; each moves by a share of its own size, as there are no normalisations."""

    def __init__(self, weights: list[Floats], steps: int) -> None:
        self.steps = steps
        self.weights = [weight.copy() for weight in weights]
        self.sizes = [float(np.sqrt(np.square(weight).mean())) for weight in weights]
        self.mean = [np.zeros_like(weight) for weight in weights]
        self.square = [np.zeros_like(weight) for weight in weights]
        self.number = 0

    def step(self, gradients: list[Floats]) -> None:
        rate = PEAK * (1 - self.number / self.steps)
        self.number += 1
        length = np.sqrt(sum(float(np.square(gradient).sum()) for gradient in gradients))
        calm = np.float32(min(1.0, CALM / (length + 1e-9)))
        first, second = (1 - beta**self.number for beta in BETAS)
        for weight, size, mean, square, gradient in zip(
            self.weights, self.sizes, self.mean, self.square, gradients, strict=True
        ):
            gradient = gradient * calm
            mean += (1 - BETAS[0]) * (gradient - mean)
            square += (1 - BETAS[1]) * (np.square(gradient) - square)
            move = (mean / first) / (np.sqrt(square / second) + 1e-8)
            weight -= np.float32(rate * size) * move.astype(np.float32)
