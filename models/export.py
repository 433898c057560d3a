"""Makes the ONNX files: `python -m models.export [--checkpoint FILE] [--men FILE] [--base FILE] [--lies FILE]`
writes `reader.onnx`, `men.onnx` and their manifest `reader.json` here (or to `--out`). The first FILE is a checkpoint
of `models.train`, or a `reader.onnx` to be written anew; the others are of `models.train_men`, `models.train_base` and
`models.train_lies`. What is not named stays as it is.

`reader.onnx` takes (h, w, 3) BGR uint8 and answers, by row and column of the lattice, logits (14), offsets (2), whether
a piece lies (a logit), and features (128). `men.onnx` takes (n, 96, 72, 3), men cut out upright, and answers logits
(13) and features (128) of each, where its base is (2), log-odds that it lies, and what its first layers see.
`teach.onnx` is the step by which a match teaches it.

Weights are kept in 16 bits and widened when the file is loaded. int8 throughout (weights by channel, calibrated on 96
training canvases) halves the reader's time on a processor with instructions for it, but reads one piece in eight as
another; the first layers alone in int8 gain nothing.
"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import onnx
import torch

from models.base import Base
from models.lies import Lies
from models.lite import frozen
from models.men import Men
from models.net import Net
from models.restore import restored, restored_base, restored_lies, restored_men
from models.teach import learning, write_teaching
from models.write import write, write_men
from rules.observation import LABELS
from vision.canvas import PIXELS, STRIDE
from vision.reader import FORMAT
from vision.upright import SIZE, SQUARE

LARGE = 256  # numbers from which a weight is kept in 16 bits
HERE = Path(__file__).parent
Part = TypeVar("Part", Base, Lies)


def main() -> None:
    """Write models and manifest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--other", type=Path, help="a second one: the mean of both is written")
    parser.add_argument("--men", type=Path)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--lies", type=Path)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--adapted-temperature", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    kept = options.out / "reader.json"
    manifest = json.loads(kept.read_text()) if kept.exists() else {}
    if options.checkpoint:
        net, told = opened(options.checkpoint)
        if options.other:
            with torch.no_grad():
                for weight, theirs in zip(net.parameters(), opened(options.other)[0].parameters(), strict=True):
                    weight.lerp_(theirs, 0.5)
            told |= _learnt(net)
        manifest = {
            "format": FORMAT,
            **_written(options.out / "reader.onnx", lambda file: write(net, file)),
            "labels": LABELS + "#",
            "pixels": PIXELS,
            "stride": STRIDE,
            "input": "canvas: (height, width, 3) uint8 BGR, multiples of the stride",
            "temperature": options.temperature,
            "adapted_temperature": options.adapted_temperature,
            **told,
            "closer": manifest.get("closer"),
        }
    file, teach = options.out / "men.onnx", options.out / "teach.onnx"
    if options.men or options.base or options.lies:
        men, steps = opened_men(options.men or file)
        base = opened_part(options.base or file, Base(), restored_base)
        lies = opened_part(options.lies or file, Lies(), restored_lies)
        manifest["closer"] = {
            **_written(file, lambda file: write_men(men, base, lies, file)),
            "size": list(SIZE),
            "square": SQUARE,
            "input": "men: (n, height, width, 3) uint8 BGR",
            "steps": steps,
            **_learnt(men),
            "teach": _written(teach, lambda file: write_teaching(men, file)),
            "learning": learnt_in(file, men),
        }
    kept.write_text(_readable(manifest | {"format": FORMAT}))


def _written(file: Path, exactly: Callable[[Path], None]) -> dict[str, Any]:
    """The file's entry in the manifest. `exactly`: writes it in 32 bits."""
    with tempfile.TemporaryDirectory() as folder:
        exact = Path(folder) / "exact.onnx"
        exactly(exact)
        onnx.save(shortened(narrowed(onnx.load(exact))), file)
    return {"file": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}


def opened(file: Path) -> tuple[Net, dict[str, float]]:
    """The network of a checkpoint or an ONNX file, without normalisations, and what its manifest has to say of it."""
    if file.suffix == ".onnx":
        told = json.loads(file.with_name("reader.json").read_text())
        return restored(file), {name: told[name] for name in ("steps", "strength", "reluctance")}
    net = Net()
    return net, {"steps": _load(net, file), **_learnt(net)}


def opened_men(file: Path) -> tuple[Men, int]:
    """The second network of a checkpoint or an ONNX file, and after how many steps it was kept."""
    if file.suffix == ".onnx":
        return restored_men(file), int(json.loads(file.with_name("reader.json").read_text())["closer"]["steps"])
    men = Men()
    return men, _load(men, file)


def opened_part(file: Path, part: Part, restored_part: Callable[[Path], Part]) -> Part:
    """What stands beside the second network, of a checkpoint, for which there is a `part` to fill, or an ONNX file."""
    if file.suffix == ".onnx":
        return restored_part(file)
    _load(part, file)
    return part


def _load(net: Net | Men | Base | Lies, file: Path) -> int:
    """Give a network the weights of a checkpoint, without normalisations; after how many steps they were kept."""
    state = torch.load(file)
    if not any("running_mean" in name for name in state["average"]):
        frozen(net)  # it was trained on from an ONNX file
    net.load_state_dict(state["average"])
    frozen(net)
    return int(state["step"])


def _learnt(net: Net | Men) -> dict[str, float]:
    """How much a start position teaches."""
    return {name: round(float(getattr(net, name).detach().exp()), 4) for name in ("strength", "reluctance")}


def learnt_in(file: Path, men: Men) -> list[dict[str, Any]]:
    """Where in the ONNX file each weight and bias that a start position teaches lies: offset in bytes, type, shape."""
    content = file.read_bytes()
    found = []
    for layer in learning(men):
        for part in layer.parameters():
            exact = part.detach().numpy()
            kept = exact.astype(np.float16 if exact.size >= LARGE else np.float32)
            if content.count(kept.tobytes()) != 1:
                raise ValueError(f"{file}: a weight of {tuple(part.shape)} does not lie there once")
            found.append({"at": content.index(kept.tobytes()), "type": kept.dtype.str, "shape": list(part.shape)})
    return found


def _readable(manifest: dict[str, Any]) -> str:
    """JSON with a line a weight."""
    text = json.dumps(manifest, indent=2)
    for weight in (manifest["closer"] or {}).get("learning", ()):
        text = text.replace(json.dumps(weight, indent=2).replace("\n", "\n      "), json.dumps(weight), 1)
    return text + "\n"


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


def shortened(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same network with short names for weights and for what is passed on between its nodes: they would take as
    much room as some layers."""
    graph = model.graph
    kept = {value.name for value in (*graph.input, *graph.output)}
    inside = [weight.name for weight in graph.initializer] + [name for node in graph.node for name in node.output]
    short = {name: f"{number:x}" for number, name in enumerate(name for name in inside if name not in kept)}
    for weight in graph.initializer:
        weight.name = short[weight.name]
    for node in graph.node:
        node.name = node.doc_string = ""
        node.input[:] = [short.get(name, name) for name in node.input]
        node.output[:] = [short.get(name, name) for name in node.output]
    del graph.value_info[:]
    return model


if __name__ == "__main__":
    main()
