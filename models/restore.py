"""The networks to train on, from the ONNX files that are kept: checkpoints are not."""

import json
from pathlib import Path

import onnx
import torch
from torch import nn

from models.base import Base
from models.lies import Lies
from models.lite import frozen
from models.men import Men
from models.net import Net


def restored(file: Path) -> Net:
    """The network of an ONNX file, without normalisations: there they are worked into the convolutions, and it learns
    on a third faster so. Raises ValueError where the file holds another network."""
    net = Net()
    fuse(net)
    _fill(net, file)
    return net


def restored_men(file: Path) -> Men:
    """The second network likewise; `FirstLook`, which learns nothing, comes before it in the file. How strongly a start
    position teaches stands in the manifest beside it."""
    men = Men()
    fuse(men)
    _fill(men, file)
    taught = json.loads(file.with_name("reader.json").read_text())["closer"]
    for name in ("strength", "reluctance"):
        getattr(men, name).data = torch.tensor(taught[name]).log()
    return men


def restored_base(file: Path) -> Base:
    """What tells there where men stand."""
    base = Base()
    fuse(base)
    _fill(base, file, len(_layers(Men())))
    return base


def restored_lies(file: Path) -> Lies:
    """What tells there who lies."""
    lies = Lies()
    fuse(lies)
    _fill(lies, file, len(_layers(Men())) + len(_layers(Base())))
    return lies


def fuse(part: nn.Module) -> None:
    """Work normalisations into the layers before them; what learnt goes on learning."""
    learning = [name for name, weight in part.named_parameters() if weight.requires_grad]
    frozen(part)
    for name, weight in part.named_parameters():
        weight.requires_grad_(name in learning or name.replace(".bias", ".weight") in learning)


def _layers(net: nn.Module) -> list[nn.Conv2d | nn.Linear]:
    return [layer for layer in net.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]


def _fill(net: nn.Module, file: Path, after: int = 0) -> None:
    """Give a network's layers the weights of the last ones of a file, but for so many that come `after`."""
    graph = onnx.load(file).graph
    arrays = {weight.name: onnx.numpy_helper.to_array(weight) for weight in graph.initializer}
    widened = [node for node in graph.node if node.op_type == "Cast" and node.input[0] in arrays]
    arrays |= {node.output[0]: arrays[node.input[0]] for node in widened}
    mine = _layers(net)
    theirs = [node.input[1:] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    # Both list the same layers in the same order.
    end = len(theirs) - after
    for layer, names in zip(mine, theirs[end - len(mine) : end], strict=True):
        weight, bias = (torch.from_numpy(arrays[name].copy()).float() for name in names)
        if layer.weight.shape != weight.shape:
            raise ValueError(f"{file}: {names[0]} is {tuple(weight.shape)}, not {tuple(layer.weight.shape)}")
        assert layer.bias is not None
        layer.weight.data, layer.bias.data = weight, bias
