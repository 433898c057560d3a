"""The networks to train on, from the ONNX files that are kept: checkpoints are not."""

import json
from pathlib import Path
from typing import TypeVar

import onnx
import torch
from torch import nn

from models.base import Base
from models.lies import Lies
from models.lite import frozen
from models.men import Men
from models.net import Net

Part = TypeVar("Part", bound=nn.Module)


def restored(file: Path) -> Net:
    """The network of an ONNX file, without normalisations: there they are worked into the convolutions, and it learns
    on a third faster so. Raises ValueError where the file holds another network."""
    return _filled(Net(), file)


def restored_men(file: Path) -> Men:
    """The second network likewise; `FirstLook`, which learns nothing, comes before it in the file. How strongly a start
    position teaches stands in the manifest beside it."""
    men = _filled(Men(), file)
    taught = json.loads(file.with_name("reader.json").read_text())["closer"]
    for name in ("strength", "reluctance"):
        getattr(men, name).data = torch.tensor(taught[name]).log()
    return men


def restored_base(file: Path) -> Base:
    """What tells there where men stand."""
    return _filled(Base(), file, Men())


def restored_lies(file: Path) -> Lies:
    """What tells there who lies."""
    return _filled(Lies(), file, Base(), Men())


def fuse(part: nn.Module) -> None:
    """Work normalisations into the layers before them; what learnt goes on learning."""
    learning = [name for name, weight in part.named_parameters() if weight.requires_grad]
    frozen(part)
    for name, weight in part.named_parameters():
        weight.requires_grad_(name in learning or name.replace(".bias", ".weight") in learning)


def _layers(net: nn.Module) -> list[nn.Conv2d | nn.Linear]:
    return [layer for layer in net.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]


def _filled(net: Part, file: Path, *after: nn.Module) -> Part:
    """A network whose layers, fused, have the weights of the last ones of a file, but for those that come `after`."""
    fuse(net)
    graph = onnx.load(file).graph
    arrays = {weight.name: onnx.numpy_helper.to_array(weight) for weight in graph.initializer}
    widened = [node for node in graph.node if node.op_type == "Cast" and node.input[0] in arrays]
    arrays |= {node.output[0]: arrays[node.input[0]] for node in widened}
    mine = _layers(net)
    theirs = [node.input[1:] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    # Both list the same layers in the same order.
    end = len(theirs) - sum(len(_layers(part)) for part in after)
    for layer, names in zip(mine, theirs[end - len(mine) : end], strict=True):
        weight, bias = (torch.from_numpy(arrays[name].copy()).float() for name in names)
        if layer.weight.shape != weight.shape:
            raise ValueError(f"{file}: {names[0]} is {tuple(weight.shape)}, not {tuple(layer.weight.shape)}")
        assert layer.bias is not None
        layer.weight.data, layer.bias.data = weight, bias
    return net
