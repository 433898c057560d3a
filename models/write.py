"""The network, or its front alone, as an ONNX file in float32."""

from pathlib import Path

import torch
from torch import Tensor, nn

from models.net import CLASSES, Net
from vision.canvas import STRIDE
from vision.reader import ANSWERS, HALFWAY


class Seeing(nn.Module):
    """(h, w, 3) BGR uint8 to what the front makes of it, (40, h/8, w/8)."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.front = net.front

    def forward(self, canvas: Tensor) -> Tensor:
        found: Tensor = self.front(canvas.permute(2, 0, 1)[None])
        return found[0]


class Reading(nn.Module):
    """(h, w, 3) BGR uint8 to answers, a row and column of the lattice each; and to what they are made of, channels
    first, where a match begins to teach."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, canvas: Tensor) -> tuple[Tensor, ...]:
        coarse, detail = self.net.halfway(self.net.front(canvas.permute(2, 0, 1)[None]))
        answer, features = self.net.finish(coarse, detail)
        answer, features = answer[0].permute(1, 2, 0), features[0].permute(1, 2, 0)
        return answer[..., :CLASSES], answer[..., CLASSES:-1], answer[..., -1], features, coarse[0], detail[0]


def write_front(net: Net, file: Path) -> None:
    """What training runs in onnxruntime."""
    _export(Seeing(net), file, {"canvas": {0: "h", 1: "w"}, "fine": {1: "r", 2: "c"}})


def write(net: Net, file: Path) -> None:
    """All of it."""
    answers, halfway = ({name: {n: "r", n + 1: "c"} for name in names} for n, names in enumerate((ANSWERS, HALFWAY)))
    _export(Reading(net), file, {"canvas": {0: "h", 1: "w"}} | answers | halfway)


def _export(module: nn.Module, file: Path, axes: dict[str, dict[int, str]]) -> None:
    torch.onnx.export(
        module.eval(),
        (torch.zeros(24 * STRIDE, 24 * STRIDE, 3, dtype=torch.uint8),),
        str(file),
        input_names=["canvas"],
        output_names=[name for name in axes if name != "canvas"],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
