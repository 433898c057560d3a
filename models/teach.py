"""The step by which a match teaches the reader its set, as a network of its own: weights and lessons in, gradients out.

Only 1x1 convolutions of the back part learn there: with them goes nearly all of what teaching gains, and their
gradients are products of matrices. So onnxruntime can take the step on any machine, without a training framework.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.lite import Block
from models.net import CLASSES, Net

WIDEST = 6.0  # where ReLU6 ends


def learning(net: Net) -> list[nn.Conv2d]:
    """The layers that a match teaches, in order of the graph."""
    points: list[nn.Module] = []
    for block in net.wide:
        assert isinstance(block, Block)
        points += [block.inside[0], block.inside[6]]
    points += [net.head[0], net.answer]
    found = [layer for layer in points if isinstance(layer, nn.Conv2d)]
    assert len(found) == len(points)
    return found


class Teaching(nn.Module):
    """What the front part made of n canvases, `coarse` (n, 80, h, w) and `detail` (n, 128, h, w), to the gradients of
    each weight and bias of `learning`.

    `target`: (n, 14, h, w), what each place should be read as, times its weight; `other`: (n, 3, h, w) what offsets
    and lying should be there, and `on`: (n, 1, h, w) with what weight. The loss is cross-entropy, and half the square
    of what is off. Backwards by hand: exporters know only the way forwards.
    """

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.around: list[nn.Conv2d] = []
        self.over: list[bool] = []
        for block in net.wide:
            assert isinstance(block, Block)
            around = block.inside[3]
            assert isinstance(around, nn.Conv2d)
            self.around.append(around)
            self.over.append(block.over)

    def forward(
        self, coarse: Tensor, detail: Tensor, target: Tensor, other: Tensor, on: Tensor, *weights: Tensor
    ) -> tuple[Tensor, ...]:
        """Gradients, in the order of `weights`: weight and bias of each layer."""
        layers = list(zip(weights[::2], weights[1::2], strict=True))
        x, kept = coarse, []
        for number, around in enumerate(self.around):
            widen, narrow = layers[2 * number], layers[2 * number + 1]
            wide = functional.conv2d(x, *widen).clamp(0, WIDEST)
            seen = _around(wide, around.weight, around.bias).clamp(0, WIDEST)
            kept.append((x, wide, seen))
            y = functional.conv2d(seen, *narrow)
            x = x + y if self.over[number] else y
        both = torch.cat([x, detail], 1)
        features = functional.conv2d(both, *layers[-2]).relu()
        answer = functional.conv2d(features, *layers[-1])
        named = answer[:, :CLASSES].softmax(1) * target.sum(1, keepdim=True) - target
        back = torch.cat([named, on * (answer[:, CLASSES:] - other)], 1)
        found = [*_gradients(back, features)]
        back = _through(back, layers[-1][0]) * (features > 0).float()
        found = [*_gradients(back, both), *found]
        back = _through(back, layers[-2][0][:, : x.shape[1]])
        for number in reversed(range(len(self.around))):
            x, wide, seen = kept[number]
            inner = _through(back, layers[2 * number + 1][0]) * _inside(seen)
            last = _gradients(back, seen)
            inner = _around(inner, self.around[number].weight.flip(2, 3), None) * _inside(wide)
            found = [*_gradients(inner, x), *last, *found]
            if number:
                before = _through(inner, layers[2 * number][0])
                back = before + back if self.over[number] else before
        return tuple(found)


def _around(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    return functional.conv2d(x, weight, bias, padding=weight.shape[-1] // 2, groups=weight.shape[0])


def _inside(x: Tensor) -> Tensor:
    """Where ReLU6 let through."""
    return ((x > 0) & (x < WIDEST)).float()


def _through(back: Tensor, weight: Tensor) -> Tensor:
    """The gradient before a 1x1 convolution."""
    return functional.conv2d(back, weight.transpose(0, 1))


def _gradients(back: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
    """Of a 1x1 convolution's weight and bias."""
    weight = (back.flatten(2) @ before.flatten(2).transpose(1, 2)).sum(0)
    return weight[:, :, None, None], back.sum((0, 2, 3))


def write_teaching(net: Net, file: Path, size: int = 20) -> None:
    """The step as an ONNX file, for canvases of any size."""
    layers = learning(net)
    weights: Sequence[Tensor] = [part for layer in layers for part in (layer.weight.detach(), layer.bias.detach())]  # type: ignore[union-attr]
    wide, fine = layers[0].in_channels, layers[-2].in_channels - layers[-3].out_channels
    shapes = {"coarse": wide, "detail": fine, "target": CLASSES, "other": 3, "on": 1}
    axes = {name: {0: "n", 2: "h", 3: "w"} for name in shapes}
    torch.onnx.export(
        Teaching(net).eval(),
        (*(torch.zeros(2, channels, size, size + 1) for channels in shapes.values()), *weights),
        str(file),
        input_names=[*shapes, *(f"w{number}" for number in range(len(weights)))],
        output_names=[f"g{number}" for number in range(len(weights))],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
