import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from calibration.view import View
from rules.observation import LABELS
from vision.alone import read_board
from vision.reader import MANIFEST, ModelError, Reader, most_likely

CLOSER = json.loads(MANIFEST.read_text())["closer"]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for file in (MANIFEST, MANIFEST.with_suffix(".onnx"), *map(MANIFEST.with_name, ("men.onnx", "teach.onnx"))):
        shutil.copy(file, tmp_path)
    return tmp_path / MANIFEST.name


def test_the_bundled_model_answers_every_square() -> None:
    view = View.from_corners([(40, 40), (440, 40), (440, 440), (40, 440)], (480, 480))
    likelihoods = read_board(Reader(), np.full((480, 480, 3), 128, np.uint8), view)
    assert likelihoods.shape == (64, len(LABELS))
    assert (likelihoods <= 0).all()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("format", 1, "format"),
        ("temperature", "warm", "temperature"),
        ("strength", -1, "strength"),
        ("labels", "xyz", "labels"),
        ("pixels", 40, "pixels"),
        ("sha256", "0", "sha256"),
        ("closer", None, "second network"),
        ("closer", CLOSER | {"size": [64, 64]}, "second network"),
        ("closer", CLOSER | {"reluctance": None}, "closer's reluctance"),
        ("closer", CLOSER | {"sha256": "0"}, "men.onnx: its sha256"),
        ("closer", CLOSER | {"file": "none.onnx"}, "no readable model"),
        ("closer", CLOSER | {"teach": None}, "no readable model"),
        ("closer", CLOSER | {"teach": CLOSER["teach"] | {"sha256": "0"}}, "teach.onnx: its sha256"),
        ("closer", CLOSER | {"learning": []}, "learning does not fit"),
        ("closer", CLOSER | {"learning": [{"at": 10**7, "type": "<f2", "shape": [13, 128]}]}, "learning does not fit"),
        ("closer", CLOSER | {"learning": [{"at": 0, "type": "?!", "shape": [13, 128]}]}, "learning does not fit"),
    ],
)
def test_a_model_of_another_version_is_refused(copied: Path, name: str, value: object, said: str) -> None:
    copied.write_text(json.dumps(json.loads(copied.read_text()) | {name: value}))
    with pytest.raises(ModelError, match=said):
        Reader(copied)


def test_a_damaged_model_is_refused(copied: Path) -> None:
    file = copied.with_suffix(".onnx")
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ModelError, match="sha256"):
        Reader(copied)


def test_a_missing_model_or_manifest_is_refused(copied: Path) -> None:
    copied.with_suffix(".onnx").unlink()
    with pytest.raises(ModelError, match="no readable model"):
        Reader(copied)
    copied.write_text("{")
    with pytest.raises(ModelError, match="no readable model"):
        Reader(copied)


def test_placement_of_the_likeliest_labels() -> None:
    likelihoods = np.full((64, len(LABELS)), -5.0, np.float32)
    likelihoods[:, LABELS.index(".")] = -0.1
    likelihoods[0] = -5.0
    likelihoods[0, LABELS.index("R")] = -0.1
    likelihoods[63, LABELS.index("k")] = 0
    assert most_likely(likelihoods) == "7k/8/8/8/8/8/8/R7"
