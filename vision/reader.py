"""The ONNX reader: a canvas in, log-probabilities of what stands at every place out."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY, LABELS
from vision.canvas import PIXELS, STRIDE, Canvas, sides

MANIFEST = Path(__file__).parent.parent / "models" / "reader.json"
FORMAT = 3
HIDDEN = len(LABELS)
Floats = NDArray[np.float32]
HIDES = 0.3  # probability from which something hides a place: to miss a look costs less than to read a sleeve as empty
FLOOR = -6.0
"""Nats: no single look is surer than this, however sure the network is of itself."""


class ModelError(ValueError):
    """The model files are missing, damaged or not of this version."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """`labels`: (rows, columns, 14) log-probabilities over `LABELS` and hidden. `offsets`: (rows, columns, 2) from
    a place to the base of the piece there, in squares right and down on the canvas. `logits`: what the labels were made
    of; `features`: (rows, columns, 128) what those were made of. `lying`: (rows, columns) logit that the piece lies."""

    labels: NDArray[np.float32]
    offsets: NDArray[np.float32]
    logits: NDArray[np.float32]
    features: NDArray[np.float32]
    lying: NDArray[np.float32]

    def patched(self, part: "Answer", corner: tuple[int, int], inside: tuple[int, int, int, int]) -> "Answer":
        """With the places `inside` (left, top, right, bottom) from `part`, whose first place lies at `corner`."""
        left, top, right, bottom = inside
        there = slice(top, bottom), slice(left, right)
        here = slice(top - corner[1], bottom - corner[1]), slice(left - corner[0], right - corner[0])
        whole = {field.name: getattr(self, field.name).copy() for field in fields(self)}
        for name, array in whole.items():
            array[there] = getattr(part, name)[here]
        return Answer(**whole)

    def at(self, places: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """(n, 13) log-likelihoods, floored, and (n,) whether nothing hides them, of (n, 2) columns and rows."""
        found = self.labels[places[:, 1], places[:, 0]]
        return np.maximum(found[:, :HIDDEN], FLOOR), found[:, HIDDEN] < np.log(HIDES)


class Reader:
    """The bundled model, or the one a manifest names. Raises ModelError."""

    def __init__(self, manifest: Path = MANIFEST) -> None:
        told = _told(manifest)
        self.manifest = _numbers(manifest, told)
        self.content = _checked(manifest.parent / told["file"], told["sha256"])
        self.learning = _learning(manifest, told, len(self.content))
        self.session = _session(self.content, manifest.parent / told["file"])
        self.teacher = manifest.parent / str(told["teach"].get("file"))
        self.step = _checked(self.teacher, str(told["teach"].get("sha256")))

    def read(self, canvas: NDArray[np.uint8]) -> Answer:
        """What stands at each place of a canvas (height, width, 3), sides multiples of the stride."""
        return self._answer(*self.session.run(ANSWERS, {"canvas": canvas}))

    def halfway(self, canvas: NDArray[np.uint8]) -> tuple[Answer, Floats, Floats]:
        """The same, and what the network had come to where teaching begins: (80, rows, columns) coarse and
        (128, rows, columns) fine."""
        *answers, coarse, detail = self.session.run([*ANSWERS, *HALFWAY], {"canvas": canvas})
        return self._answer(*answers), coarse, detail

    def weights(self) -> list[Floats]:
        """What a match teaches, in the order of the graph."""
        return [
            np.frombuffer(self.content, kept["type"], int(np.prod(kept["shape"])), kept["at"])
            .reshape(kept["shape"])
            .astype(np.float32)
            for kept in self.learning
        ]

    def with_weights(self, weights: Sequence[Floats]) -> "Reader":
        """The same reader with others in their place."""
        content = bytearray(self.content)
        for weight, kept in zip(weights, self.learning, strict=True):
            packed = weight.astype(kept["type"]).tobytes()
            content[kept["at"] : kept["at"] + len(packed)] = packed
        other = copy(self)
        other.content = bytes(content)
        other.session = _session(other.content, MANIFEST)
        return other

    def teach(self, weights: Sequence[Floats], lessons: Mapping[str, Floats]) -> list[Floats]:
        """The gradients of the weights by the lessons, as `models.teach.Teaching` takes and gives them."""
        feeds = dict(lessons) | {f"w{number}": weight for number, weight in enumerate(weights)}
        return list(self._teaching.run(None, feeds))

    @cached_property
    def _teaching(self) -> onnxruntime.InferenceSession:
        return _session(self.step, self.teacher)

    def _answer(self, logits: Floats, offsets: Floats, lying: Floats, features: Floats) -> Answer:
        return Answer(self.log_probabilities(logits, "temperature"), offsets, logits, features, lying)

    def log_probabilities(self, logits: NDArray[np.floating], temperature: str) -> NDArray[np.float32]:
        """Softened by one of the manifest's temperatures, so that they mean what they say."""
        soft = logits / np.float32(self.manifest[temperature])
        soft = soft - soft.max(-1, keepdims=True)
        return np.asarray(soft - np.log(np.exp(soft).sum(-1, keepdims=True)), np.float32)

    def read_board(self, image: NDArray[np.uint8], view: View) -> NDArray[np.float32]:
        """(64, 13) log-likelihoods of one picture, by `chess.Square` and `LABELS`; a hidden square says nothing."""
        canvases = sides(view)
        return together([board_of(self.read(canvas.warp(image, view)), canvas) for canvas in canvases])


def board_of(answer: Answer, canvas: Canvas) -> NDArray[np.float32]:
    """(64, 13) log-likelihoods of the squares; a hidden one says nothing."""
    likelihoods, seen = answer.at(canvas.squares)
    return np.where(seen[:, None], likelihoods, np.float32(-np.log(len(LABELS)))).astype(np.float32)


def together(readings: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """(64, 13) log-likelihoods of the same squares read once, or from all sides: their mean, made more certain."""
    mean = np.mean(readings, axis=0) * (AGREED if len(readings) > 1 else 1.0)
    return np.asarray(mean - np.log(np.exp(mean).sum(1, keepdims=True)), np.float32)


AGREED = 1.5  # how much more certain four readings are than one; by log-loss on 165 rendered boards
ANSWERS = ["logits", "offsets", "lying", "features"]
HALFWAY = ["coarse", "detail"]
NUMBERS = ("temperature", "adapted_temperature", "strength", "reluctance")


def _session(content: bytes, file: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises its own classes, one for each way a file can be bad
        raise ModelError(f"{file}: onnxruntime cannot load it; install Quadriglia again") from error


def _told(manifest: Path) -> dict[str, Any]:
    """What the manifest says, where it is one of this version."""
    try:
        told = dict(json.loads(manifest.read_text()))
        str(told["file"]), str(told["sha256"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{manifest}: no readable model beside it; install Quadriglia again") from error
    expected = {"format": FORMAT, "labels": LABELS + "#", "pixels": PIXELS, "stride": STRIDE}
    for name, value in expected.items():
        if told.get(name) != value:
            raise ModelError(f"{manifest}: {name} is {told.get(name)!r}, this version needs {value!r}")
    if not isinstance(told.get("teach"), dict):
        raise ModelError(f"{manifest}: does not say how a match teaches the reader; install Quadriglia again")
    return told


def _numbers(manifest: Path, told: dict[str, Any]) -> dict[str, float]:
    numbers = {name: told.get(name) for name in NUMBERS}
    for name, value in numbers.items():
        if not isinstance(value, int | float) or not 0 < value < 1e6:
            raise ModelError(f"{manifest}: {name} is {value!r}, this version needs a number above 0")
    return {name: float(told[name]) for name in numbers}


def _learning(manifest: Path, told: dict[str, Any], size: int) -> list[dict[str, Any]]:
    """Where in a file of so many bytes the weights lie that learn."""
    try:
        kept = list(told["learning"])
        ends = [int(one["at"]) + np.dtype(one["type"]).itemsize * int(np.prod(one["shape"])) for one in kept]
        if not kept or min(one["at"] for one in kept) < 0 or max(ends) > size:
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{manifest}: learning does not fit the model; install Quadriglia again") from error
    return kept


def _checked(file: Path, sha256: str) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ModelError(f"{file}: no readable model; install Quadriglia again") from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ModelError(f"{file}: its sha256 is not the manifest's; the file is damaged, install Quadriglia again")
    return content


def most_likely(likelihoods: NDArray[np.float32]) -> str:
    """FEN placement of the likeliest label on each square of (64, 13)."""
    best = likelihoods.argmax(1)
    rows = []
    for rank in range(7, -1, -1):
        row, gap = "", 0
        for label in best[rank * 8 : rank * 8 + 8]:
            if label == EMPTY:
                gap += 1
                continue
            row += (str(gap) if gap else "") + LABELS[label]
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    return "/".join(rows)
