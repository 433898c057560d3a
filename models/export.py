"""Makes the ONNX file: `python -m models.export --checkpoint FILE` writes `reader.onnx` and `reader.json` here (or to
`--out`).

The file takes (h, w, 3) BGR uint8 and answers, by row and column of the lattice, logits (14), offsets (2), whether a
piece lies (a logit), and features (128). Weights are kept in 16 bits and widened when the file is loaded. int8
throughout (weights by channel, calibrated on 96 training canvases) halves the time on a processor with instructions for
it, but reads one piece in eight as another; the first layers alone in int8 gain nothing.
"""

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch

from models.lite import frozen
from models.net import Net
from models.write import write
from rules.observation import LABELS
from vision.canvas import PIXELS, STRIDE
from vision.reader import FORMAT

LARGE = 256  # numbers from which a weight is kept in 16 bits
HERE = Path(__file__).parent


def main() -> None:
    """Write model and manifest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--adapted-temperature", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    net = Net()
    state = torch.load(options.checkpoint)
    if not any("running_mean" in name for name in state["average"]):
        frozen(net)  # it was trained on from an ONNX file
    net.load_state_dict(state["average"])
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "reader.onnx"
    with tempfile.TemporaryDirectory() as folder:
        exact = Path(folder) / "exact.onnx"
        write(net, exact)
        onnx.save(narrowed(onnx.load(exact)), file)
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


def narrowed(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same network with its large weights in 16 bits, each widened by a node that onnxruntime folds away."""
    widening = []
    for weight in model.graph.initializer:
        if weight.data_type == onnx.TensorProto.FLOAT and np.prod(weight.dims) >= LARGE:
            name = weight.name
            half = onnx.numpy_helper.to_array(weight).astype(np.float16)
            weight.CopyFrom(onnx.numpy_helper.from_array(half, name + "_half"))
            widening.append(onnx.helper.make_node("Cast", [name + "_half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*widening, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


if __name__ == "__main__":
    main()
