"""Teaching the second network the set at hand: a short training on the start position, where all men are known.

Each man of one picture is seen many times, turned, shifted and mirrored, in other light and less sharp. The weights
kept lie between those before and after (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models"): what the set
at hand does not show is not unlearnt.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY, LABELS
from vision.canvas import SQUARE_CENTRES
from vision.disturb import BRIM, varied
from vision.lean import Lean
from vision.reader import Reader
from vision.upright import upright

STEPS = 60
BARE = 0.2  # share of the empty squares that are shown at a step
SMOOTH = 0.05  # of a label, over all
PEAK = 0.01  # of the learning rate, as a share of the size of a weight; it falls to none
SHARE = 0.9  # of the way from the weights before to those after
CALM = 5.0  # length up to which gradients count
BETAS = 0.9, 0.999

Floats = NDArray[np.float32]


def taught(
    reader: Reader,
    image: NDArray[np.uint8],
    view: View,
    labels: NDArray[np.int64],
    certain: NDArray[np.bool_],
    lean: Lean,
) -> Reader:
    """The reader after a picture of a board that holds (64,) `labels`, where they are `certain`. `lean`: as men lean in
    it. Takes some 8 seconds of one core; the same picture teaches the same."""
    rng = np.random.default_rng(0)
    known = np.flatnonzero(certain)
    men, labels = upright(image, view, SQUARE_CENTRES[known], lean, BRIM), labels[known]
    full = labels != EMPTY
    before = reader.weights()
    pupil = _Pupil(before)
    for _ in range(STEPS):
        shown = full | (rng.random(len(labels)) < BARE)
        seen = reader.look_first(varied(men[shown], int(rng.integers(2**31)), rng))
        pupil.step(reader.gradients(pupil.weights, seen, _target(labels[shown])))
    return reader.with_weights([old + SHARE * (new - old) for old, new in zip(before, pupil.weights, strict=True)])


def _target(labels: NDArray[np.int64]) -> Floats:
    """(n, 13) what men should be read as, times the weight of each: kinds of which there are few weigh more."""
    weight = 1 / np.sqrt(np.bincount(labels)[labels])
    target = np.eye(len(LABELS))[labels] * (1 - SMOOTH) + SMOOTH / len(LABELS)
    return np.asarray(target * (weight / weight.sum())[:, None], np.float32)


class _Pupil:
    """Weights on their way, by Adam; each moves by a share of its own size, as there are no normalisations."""

    def __init__(self, weights: list[Floats]) -> None:
        self.weights = [weight.copy() for weight in weights]
        self.sizes = [float(np.sqrt(np.square(weight).mean())) for weight in weights]
        self.mean = [np.zeros_like(weight) for weight in weights]
        self.square = [np.zeros_like(weight) for weight in weights]
        self.number = 0

    def step(self, gradients: list[Floats]) -> None:
        rate = PEAK * (1 - self.number / STEPS)
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
