"""Teaching the reader the set at hand: a short training on the start position, where it is known what stands where.

One picture of 32 men is made many: they are set anew (`vision.compose`); light, sharpness and calibration vary. The
weights kept lie halfway between those before and after (Wortsman et al. 2022, "Robust fine-tuning of zero-shot
models"): what the set at hand does not show is not unlearnt.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.pose import pose_of
from calibration.view import View
from models.augment import disturb, shifted
from rules.observation import EMPTY, LABELS
from vision.canvas import OVERHEAD, Canvas
from vision.compose import Kit
from vision.lean import UNKNOWN, Lean, lean_of
from vision.reader import HIDDEN, Reader

CANVASES = 48  # made of the start position
EPOCHS = 3
BATCH = 4
COMPOSED = 0.6  # share of canvases on which men are set anew
MEN = 12, 40  # their number, the latter just outside
OFF = 0.04  # squares by which a calibration may be off
PEAK = 0.004  # of the learning rate, as a share of the size of a weight
WARM = 8  # steps
DECAY = 0.02
SMOOTH = 0.02  # of a label, over all others
KEPT = 0.5  # weight of what else is on the table and should be read as before
SHARE = 0.5  # of the way from the weights before to those after
BETAS = 0.9, 0.999

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One canvas as `Reader.teach` takes it, without the first axis."""

    coarse: Floats
    detail: Floats
    target: Floats
    other: Floats
    on: Floats


def taught(reader: Reader, image: NDArray[np.uint8], view: View, labels: NDArray[np.int64]) -> Reader:
    """The reader after a picture of a board that holds (64,) `labels`, some perhaps `UNKNOWN`. Takes some 16 seconds
    of one core; the same picture teaches the same."""
    rng = np.random.default_rng(0)
    board = replace(view, pockets={})
    overhead = pose_of(view).elevation >= OVERHEAD
    upright = Canvas.over(board)
    lean = lean_of(upright.warp(image, board), upright, board, labels)
    lessons = [_lesson(reader, *_variant(image, board, labels, overhead, lean, rng)) for _ in range(CANVASES)]
    before = reader.weights()
    pupil = _Pupil(before, EPOCHS * CANVASES // BATCH)
    for _ in range(EPOCHS):
        for batch in _batches(lessons, rng):
            parts = {name: np.stack([getattr(lesson, name) for lesson in batch]) for name in Lesson.__slots__}
            pupil.step(reader.teach(pupil.weights, parts))
    return reader.with_weights([old + SHARE * (new - old) for old, new in zip(before, pupil.weights, strict=True)])


def _variant(
    image: NDArray[np.uint8],
    view: View,
    labels: NDArray[np.int64],
    overhead: bool,
    lean: Lean,
    rng: np.random.Generator,
) -> tuple[NDArray[np.uint8], Canvas, NDArray[np.int64]]:
    """A canvas that this set and camera might show, and what stands on its squares."""
    off = np.eye(3)
    off[:2, 2] = rng.normal(0, OFF, 2)
    canvas = Canvas.over(view, int(rng.integers(4)) if overhead else 0)
    picture = canvas.warp(image, replace(view, homography=shifted(view.homography, rng) @ off))
    if rng.random() < COMPOSED:
        picture, labels = Kit.of(picture, canvas, labels, lean).composed(int(rng.integers(*MEN)), rng)
    return disturb(picture, rng), canvas, labels


def _lesson(reader: Reader, picture: NDArray[np.uint8], canvas: Canvas, labels: NDArray[np.int64]) -> Lesson:
    """Squares should be read as what stands there, places beside the board as they were before."""
    answer, coarse, detail = reader.halfway(picture)
    shape = answer.labels.shape[:2]
    before = np.exp(answer.labels).transpose(2, 0, 1)
    columns, rows = canvas.squares.T
    beside = np.ones(shape, np.bool_)
    for right in (-1, 0, 1):
        for down in (-1, 0, 1):
            beside[rows + down, columns + right] = False
    target = before * (KEPT * beside / max(beside.sum(), 1))
    hidden = before[HIDDEN, rows, columns]  # a picture without hands teaches nothing of them
    weight = (labels != UNKNOWN) / len(labels)
    target[:, rows, columns] = weight * (1 - hidden) * SMOOTH / len(LABELS)
    target[labels, rows, columns] += weight * (1 - hidden) * (1 - SMOOTH)
    target[HIDDEN, rows, columns] = weight * hidden
    men = (answer.labels.argmax(2) < EMPTY)[None]
    other = np.concatenate([answer.offsets.transpose(2, 0, 1), answer.lying[None]])
    return Lesson(coarse, detail, target.astype(np.float32), other, (KEPT * men / max(men.sum(), 1)).astype(np.float32))


def _batches(lessons: list[Lesson], rng: np.random.Generator) -> list[list[Lesson]]:
    """In another order each time; canvases of one size together."""
    order = [lessons[number] for number in rng.permutation(len(lessons))]
    order.sort(key=lambda lesson: lesson.coarse.shape)
    sizes = [[lesson for lesson in order if lesson.coarse.shape == size] for size in {a.coarse.shape: 0 for a in order}]
    batches = [alike[start : start + BATCH] for alike in sizes for start in range(0, len(alike), BATCH)]
    return [batches[number] for number in rng.permutation(len(batches))]


class _Pupil:
    """Weights on their way, by AdamW; each moves by a share of its own size, as there are no normalisations."""

    def __init__(self, weights: list[Floats], steps: int) -> None:
        self.weights = [weight.copy() for weight in weights]
        self.sizes = [float(np.sqrt(np.square(weight).mean())) for weight in weights]
        self.mean = [np.zeros_like(weight) for weight in weights]
        self.square = [np.zeros_like(weight) for weight in weights]
        self.steps, self.number = steps, 0

    def step(self, gradients: list[Floats]) -> None:
        self.number += 1
        part = min(self.number / self.steps, 1.0)
        rate = PEAK * min(self.number / WARM, 1.0) * (0.05 + 0.95 * (1 + np.cos(np.pi * part)) / 2)
        length = np.sqrt(sum(float(np.square(gradient).sum()) for gradient in gradients))
        calm = np.float32(min(1.0, 5.0 / (length + 1e-9)))
        first, second = (1 - beta**self.number for beta in BETAS)
        for weight, size, mean, square, gradient in zip(
            self.weights, self.sizes, self.mean, self.square, gradients, strict=True
        ):
            gradient = gradient * calm
            mean += (1 - BETAS[0]) * (gradient - mean)
            square += (1 - BETAS[1]) * (np.square(gradient) - square)
            move = (mean / first) / (np.sqrt(square / second) + 1e-8) + DECAY * weight
            weight -= np.float32(rate * size) * move.astype(np.float32)
