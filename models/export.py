"""Makes the ONNX files: `python -m models.export --checkpoint FILE` writes `reader.onnx`, `teach.onnx` and
`reader.json` here (or to `--out`). FILE is a checkpoint of `models.train`, or a `reader.onnx` to be written anew.

The file takes (h, w, 3) BGR uint8 and answers, by row and column of the lattice, logits (14), offsets (2), whether a
piece lies (a logit), and features (128); also what it had come to halfway. `teach.onnx` is the step by which a match
teaches it (`models.teach`), and the manifest says where in the file the weights lie that learn.

Weights are kept in 16 bits and widened when the file is loaded. int8 throughout (weights by channel, calibrated on 96
training canvases) halves the time on a processor with instructions for it, but reads one piece in eight as another; the
first layers alone in int8 gain nothing.
"""

import argparse
import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch

from models.lite import frozen
from models.net import Net
from models.restore import restored
from models.teach import learning, write_teaching
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
    parser.add_argument("--other", type=Path, help="a second one: the mean of both is written")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--adapted-temperature", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    net, told = opened(options.checkpoint)
    if options.other:
        with torch.no_grad():
            for weight, theirs in zip(net.parameters(), opened(options.other)[0].parameters(), strict=True):
                weight.lerp_(theirs, 0.5)
        told |= _learnt(net)
    options.out.mkdir(parents=True, exist_ok=True)
    file, teach = options.out / "reader.onnx", options.out / "teach.onnx"
    with tempfile.TemporaryDirectory() as folder:
        exact = Path(folder) / "exact.onnx"
        write(net, exact)
        onnx.save(narrowed(onnx.load(exact)), file)
        write_teaching(net, exact)
        onnx.save(narrowed(onnx.load(exact)), teach)
    manifest = {
        "format": FORMAT,
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "labels": LABELS + "#",
        "pixels": PIXELS,
        "stride": STRIDE,
        "input": "canvas: (height, width, 3) uint8 BGR, multiples of the stride",
        "temperature": options.temperature,
        "adapted_temperature": options.adapted_temperature,
        **told,
        "teach": {"file": teach.name, "sha256": hashlib.sha256(teach.read_bytes()).hexdigest()},
        "learning": learnt_in(file, net),
    }
    (options.out / "reader.json").write_text(_readable(manifest))


def opened(file: Path) -> tuple[Net, dict[str, float]]:
    """The network of a checkpoint or an ONNX file, without normalisations, and what its manifest has to say of it."""
    if file.suffix == ".onnx":
        told = json.loads(file.with_name("reader.json").read_text())
        return restored(file), {name: told[name] for name in ("steps", "strength", "reluctance")}
    net = Net()
    state = torch.load(file)
    if not any("running_mean" in name for name in state["average"]):
        frozen(net)  # it was trained on from an ONNX file
    net.load_state_dict(state["average"])
    frozen(net)
    return net, {"steps": state["step"], **_learnt(net)}


def _learnt(net: Net) -> dict[str, float]:
    """How much a start position teaches."""
    return {name: round(float(getattr(net, name).detach().exp()), 4) for name in ("strength", "reluctance")}


def learnt_in(file: Path, net: Net) -> list[dict[str, Any]]:
    """Where in the ONNX file each weight and bias that a match teaches lies: offset in bytes, type and shape."""
    content = file.read_bytes()
    found = []
    for layer in learning(net):
        assert layer.bias is not None
        for part in (layer.weight, layer.bias):
            exact = part.detach().numpy()
            kept = exact.astype(np.float16 if exact.size >= LARGE else np.float32)
            if content.count(kept.tobytes()) != 1:
                raise ValueError(f"{file}: a weight of {tuple(part.shape)} does not lie there once")
            found.append({"at": content.index(kept.tobytes()), "type": kept.dtype.str, "shape": list(part.shape)})
    return found


def _readable(manifest: dict[str, Any]) -> str:
    """JSON with a line a weight."""
    weights = manifest.pop("learning")
    lines = ",\n".join(f"    {json.dumps(weight)}" for weight in weights)
    return json.dumps(manifest, indent=2)[:-2] + f',\n  "learning": [\n{lines}\n  ]\n}}\n'


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
