"""The ONNX reader: a canvas in, log-probabilities of what stands at every place out; and men one by one, upright."""

import hashlib
import json
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS
from vision.canvas import PIXELS, STRIDE, Canvas
from vision.upright import SIZE, SQUARE

MANIFEST = Path(__file__).parent.parent / "models" / "reader.json"
FORMAT = 7
HIDDEN = len(LABELS)
FEATURES = 128
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

    def bases(self, canvas: Canvas, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n, 2) board coordinates of the bases of what stands at (n, 2) columns and rows of a canvas."""
        return canvas.points(places + self.offsets[places[:, 1], places[:, 0]] * PIXELS / STRIDE)

    def at(self, places: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """(n, 13) log-likelihoods, floored, and (n,) whether nothing hides them, of (n, 2) columns and rows."""
        found = self.labels[places[:, 1], places[:, 0]]
        return np.maximum(found[:, :HIDDEN], FLOOR), found[:, HIDDEN] < np.log(HIDES)


class Reader:
    """The bundled model, or the one a manifest names. Raises ModelError."""

    def __init__(self, manifest: Path = MANIFEST) -> None:
        told = _told(manifest)
        self.manifest = _numbers(manifest, told)
        self.session = _session(*_beside(manifest, told))
        self.closer = _closer(manifest, told)
        self.content, file = _beside(manifest, told["closer"])
        self.learning = _learning(manifest, told["closer"], len(self.content))
        self.second = _session(self.content, file)
        self.step = _beside(manifest, told["closer"].get("teach"))

    def read(self, canvas: NDArray[np.uint8]) -> Answer:
        """What stands at each place of a canvas (height, width, 3), sides multiples of the stride."""
        return self._answer(*self.session.run(ANSWERS, {"canvas": canvas}))

    def look_closer(self, men: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats]:
        """Logits (n, 13) over `LABELS` of men cut out upright, (n, 96, 72, 3), the features (n, 128) they are made of,
        (n, 2) squares right and down of where they were looked for to their bases, and (n,) log-odds that they lie; by
        the second network."""
        logits, features, bases, lying = self.second.run(LOOKS[:4], {"men": men})
        return logits, features, bases, lying

    def look_first(self, men: NDArray[np.uint8]) -> Floats:
        """What the second network's first layers, which no match teaches, make of men cut out: (n, 40, 12, 9)."""
        return np.asarray(self.second.run(LOOKS[4:], {"men": men})[0], np.float32)

    def weights(self) -> list[Floats]:
        """What a match teaches of the second network, in the order of its layers."""
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
        other.second = _session(other.content, MANIFEST)
        return other

    def gradients(self, weights: Sequence[Floats], seen: Floats, target: Floats) -> list[Floats]:
        """Of the weights, as `models.teach.Teaching` takes and gives them."""
        feeds = {"seen": seen, "target": target} | {f"w{number}": weight for number, weight in enumerate(weights)}
        return list(self._teaching.run(None, feeds))

    @cached_property
    def _teaching(self) -> onnxruntime.InferenceSession:
        return _session(*self.step)

    def _answer(self, logits: Floats, offsets: Floats, lying: Floats, features: Floats) -> Answer:
        return Answer(self.log_probabilities(logits, "temperature"), offsets, logits, features, lying)

    def log_probabilities(self, logits: NDArray[np.floating], temperature: str) -> NDArray[np.float32]:
        """Softened by one of the manifest's temperatures, so that they mean what they say."""
        soft = logits / np.float32(self.manifest[temperature])
        soft = soft - soft.max(-1, keepdims=True)
        return np.asarray(soft - np.log(np.exp(soft).sum(-1, keepdims=True)), np.float32)


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
LOOKS = ["logits", "features", "bases", "lying", "seen"]
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
    return told


def _numbers(manifest: Path, told: dict[str, Any]) -> dict[str, float]:
    return {name: _number(manifest, name, told.get(name)) for name in NUMBERS}


def _number(manifest: Path, name: str, value: object) -> float:
    if not isinstance(value, int | float) or not 0 < value < 1e6:
        raise ModelError(f"{manifest}: {name} is {value!r}, this version needs a number above 0")
    return float(value)


def _closer(manifest: Path, told: dict[str, Any]) -> dict[str, float]:
    """What a start position teaches the second network."""
    closer = told.get("closer")
    if not isinstance(closer, dict) or closer.get("size") != list(SIZE) or closer.get("square") != SQUARE:
        raise ModelError(f"{manifest}: its second network is missing or not of this version; install Quadriglia again")
    return {name: _number(manifest, f"closer's {name}", closer.get(name)) for name in ("strength", "reluctance")}


def _learning(manifest: Path, closer: dict[str, Any], size: int) -> list[dict[str, Any]]:
    """Where in a file of so many bytes the weights lie that learn."""
    try:
        kept = list(closer["learning"])
        ends = [int(one["at"]) + np.dtype(one["type"]).itemsize * int(np.prod(one["shape"])) for one in kept]
        if not kept or min(one["at"] for one in kept) < 0 or max(ends) > size:
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{manifest}: learning does not fit the model; install Quadriglia again") from error
    return kept


def _beside(manifest: Path, told: object) -> tuple[bytes, Path]:
    """A file that the manifest names, and where it is."""
    told = told if isinstance(told, dict) else {}
    file = manifest.parent / str(told.get("file"))
    return _checked(file, str(told.get("sha256"))), file


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
