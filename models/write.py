"""The networks, or their fronts alone, as ONNX files in float32."""

from pathlib import Path

import torch
from torch import Tensor, nn

from models.base import Base
from models.lies import Lies
from models.men import FirstLook, Men
from models.net import CLASSES, Net
from vision.canvas import STRIDE
from vision.reader import ANSWERS, LOOKS
from vision.upright import SIZE

CANVAS = 24 * STRIDE, 24 * STRIDE, 3
FEW = 2, SIZE[1], SIZE[0], 3


class Seeing(nn.Module):
    """(h, w, 3) BGR uint8 to what the front makes of it, (40, h/8, w/8)."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.front = net.front

    def forward(self, canvas: Tensor) -> Tensor:
        found: Tensor = self.front(canvas.permute(2, 0, 1)[None])
        return found[0]


class Reading(nn.Module):
    """(h, w, 3) BGR uint8 to answers, a row and column of the lattice each."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, canvas: Tensor) -> tuple[Tensor, ...]:
        answer, features = self.net(self.net.front(canvas.permute(2, 0, 1)[None]))
        answer, features = answer[0].permute(1, 2, 0), features[0].permute(1, 2, 0)
        return answer[..., :CLASSES], answer[..., CLASSES:-1], answer[..., -1], features


def write_front(net: Net, file: Path) -> None:
    """What training runs in onnxruntime."""
    _export(Seeing(net), file, {"canvas": {0: "h", 1: "w"}, "fine": {1: "r", 2: "c"}}, CANVAS)


def write(net: Net, file: Path) -> None:
    """All of it."""
    answers = {name: {0: "r", 1: "c"} for name in ANSWERS}
    _export(Reading(net), file, {"canvas": {0: "h", 1: "w"}} | answers, CANVAS)


class Looking(nn.Module):
    """(n, h, w, 3) BGR uint8 to logits, features, where the bases are, log-odds that men lie, and what the first layers
    make of men, where teaching begins."""

    def __init__(self, net: Men, base: Base, lies: Lies) -> None:
        super().__init__()
        self.first, self.lies, self.base, self.net = FirstLook(), lies, base, net

    def forward(self, men: Tensor) -> tuple[Tensor, ...]:
        seen = self.first(men)
        lying, bases = self.lies(seen), self.base(seen)  # first: which layers are whose is told by their order
        return *self.net(seen), bases, lying, seen


def write_first_look(file: Path) -> None:
    """What training the second network runs in onnxruntime."""
    _export(FirstLook(), file, {"men": {0: "n"}, "seen": {0: "n"}}, FEW)


def write_men(net: Men, base: Base, lies: Lies, file: Path) -> None:
    """The second network."""
    _export(Looking(net, base, lies), file, {name: {0: "n"} for name in ("men", *LOOKS)}, FEW)


def _export(module: nn.Module, file: Path, axes: dict[str, dict[int, str]], shape: tuple[int, ...]) -> None:
    """`axes`: of the input, which comes first, and the outputs."""
    name, *outputs = axes
    torch.onnx.export(
        module.eval(),
        (torch.zeros(shape, dtype=torch.uint8),),
        str(file),
        input_names=[name],
        output_names=outputs,
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
