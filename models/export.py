"""Makes the ONNX file: `python -m models.export --checkpoint FILE --scenes DIR` writes `reader.onnx` and `reader.json`
into this folder (or `--out`).

The file takes (h, w, 3) BGR uint8 and answers, by row and column of the lattice, logits (14), offsets (2), whether a
piece lies (a logit), and features (128). Convolutions are in int8, their ranges measured on rendered scenes.
"""

import argparse
import hashlib
import json
import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static

from calibration.view import View
from models.data import Board, rendered
from models.net import Net
from models.pictures import load
from models.write import write
from rules.observation import LABELS
from vision.canvas import PIXELS, STRIDE, Canvas
from vision.reader import FORMAT

MEASURED = 120  # scenes from which the ranges are taken
EXACT = ("/net/head/head.0/Conv", "/net/answer/Conv")  # small, and what adaptation rests on
HERE = Path(__file__).parent


class Measure(CalibrationDataReader):  # type: ignore[misc]
    """Canvases for onnxruntime's calibration."""

    def __init__(self, boards: list[Board]) -> None:
        self.canvases = iter(_canvases(boards))

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        """The next one, None after the last."""
        return next(({"canvas": canvas} for canvas in self.canvases), None)


def _canvases(boards: list[Board]) -> Iterator[NDArray[np.uint8]]:
    for board in boards:
        image = load(board.path)
        view = View(board.homography, (image.shape[1], image.shape[0]))
        yield Canvas.over(view).warp(image, view.homography)


def main() -> None:
    """Write model and manifest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--adapted-temperature", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    logging.getLogger().setLevel(logging.ERROR)  # onnxruntime warns of what is done here on purpose
    net = Net()
    state = torch.load(options.checkpoint)
    net.load_state_dict(state["average"])
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "reader.onnx"
    boards = [board for episode in rendered(options.scenes) for board in episode]
    chosen = [boards[int(i)] for i in np.linspace(0, len(boards) - 1, MEASURED)]
    with tempfile.TemporaryDirectory() as folder:
        exact = Path(folder) / "exact.onnx"
        write(net, exact)
        quantize_static(
            exact,
            file,
            Measure(chosen),
            per_channel=True,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=["Conv", "Add", "Relu"],
            nodes_to_exclude=list(EXACT),
        )
    manifest = {
        "format": FORMAT,
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "labels": LABELS + "#",
        "pixels": PIXELS,
        "stride": STRIDE,
        "input": "canvas: (height, width, 3) uint8 BGR, multiples of the stride",
        "steps": state["step"],
        "temperature": options.temperature,
        "adapted_temperature": options.adapted_temperature,
        "strength": round(net.strength.exp().item(), 4),
        "reluctance": round(net.reluctance.exp().item(), 4),
    }
    (options.out / "reader.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main()
