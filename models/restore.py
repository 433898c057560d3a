"""The network to train on, from the ONNX file that is kept: checkpoints are not."""

from pathlib import Path

import onnx
import torch
from torch import nn

from models.lite import frozen
from models.net import Net


def restored(file: Path) -> Net:
    """The network of an ONNX file, without normalisations: there they are worked into the convolutions, and it learns
    on a third faster so. Raises ValueError where the file holds another network."""
    net = Net()
    learning = [name for name, part in net.named_parameters() if part.requires_grad]
    frozen(net)
    for name, part in net.named_parameters():
        part.requires_grad_(name in learning or name.replace(".bias", ".weight") in learning)
    graph = onnx.load(file).graph
    arrays = {weight.name.removesuffix("_half"): onnx.numpy_helper.to_array(weight) for weight in graph.initializer}
    theirs = [node.input[1:] for node in graph.node if node.op_type == "Conv"]
    mine = [layer for layer in net.modules() if isinstance(layer, nn.Conv2d)]
    # Both list the same convolutions in the same order.
    for layer, names in zip(mine, theirs, strict=True):
        weight, bias = (torch.from_numpy(arrays[name].copy()).float() for name in names)
        if layer.weight.shape != weight.shape:
            raise ValueError(f"{file}: {names[0]} is {tuple(weight.shape)}, not {tuple(layer.weight.shape)}")
        assert layer.bias is not None
        layer.weight.data, layer.bias.data = weight, bias
    return net
