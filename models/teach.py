"""The step by which a start position teaches the second network its set, as a network of its own: what men look like
and weights in, gradients out.

All layers of `Men` learn there. So onnxruntime can take the step on any machine, without a training framework; the file
holds no weights.
"""

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.men import SEEN, Men
from models.net import Residual
from rules.observation import LABELS

KERNEL = 3


def learning(men: Men) -> list[nn.Conv2d | nn.Linear]:
    """The layers that a start position teaches, in order of the graph. The network has no normalisations."""
    return [layer for layer in men.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]


class Teaching(nn.Module):
    """`seen` (n, 40, 12, 9), what the first layers make of men, to the gradients of each weight and bias of `learning`.

    `target`: (n, 13), what each should be read as, times its weight. The loss is cross-entropy. Backwards by hand:
    exporters know only the way forwards.
    """

    def __init__(self, men: Men) -> None:
        super().__init__()
        # By convolution: its step, and whether it ends a residual block.
        self.steps: list[tuple[int, bool]] = []
        for part in men.body:
            if isinstance(part, nn.Conv2d):
                self.steps.append((part.stride[0], False))
            elif isinstance(part, Residual):
                self.steps += [(1, False), (1, True)]
        sides = np.array(SEEN[1:])
        self.rests: list[list[int]] = []  # what a transposed convolution must add to come back to the size before
        for step, _ in self.steps:
            self.rests.append(((sides - 1) % step).tolist())
            sides = (sides - 1) // step + 1

    def forward(self, seen: Tensor, target: Tensor, *weights: Tensor) -> tuple[Tensor, ...]:
        """Gradients, in the order of `weights`: weight and bias of each layer."""
        layers = list(zip(weights[::2], weights[1::2], strict=True))
        *body, head, answer = layers
        before = [seen]  # what comes to each layer
        for (weight, bias), (step, ends) in zip(body, self.steps, strict=True):
            x = functional.conv2d(before[-1], weight, bias, stride=step, padding=KERNEL // 2)
            before.append((x + before[-2] if ends else x).relu())
        flat = before[-1].flatten(1)
        features = functional.linear(flat, *head).relu()
        logits = functional.linear(features, *answer)
        back = logits.softmax(1) * target.sum(1, keepdim=True) - target
        found = [back.T @ features, back.sum(0)]
        back = back @ answer[0] * (features > 0).float()
        found = [back.T @ flat, back.sum(0), *found]
        back = (back @ head[0]).view(before[-1].shape)
        past = None  # what reaches the beginning of a residual block past its middle
        for number in reversed(range(len(body))):
            step, ends = self.steps[number]
            here, after = before[number], before[number + 1]
            back = back * (after > 0).float()
            found = [_of_weight(here, back, step), back.sum((0, 2, 3)), *found]
            outer, past = past, back if ends else None
            if number:
                back = functional.conv_transpose2d(
                    back, body[number][0], stride=step, padding=KERNEL // 2, output_padding=self.rests[number]
                )
                back = back if outer is None else back + outer
        return tuple(found)


def _of_weight(before: Tensor, back: Tensor, step: int) -> Tensor:
    """The gradient of a convolution's weight: itself a convolution, over places, of examples as channels."""
    swapped = before.transpose(0, 1), back.transpose(0, 1)
    found = functional.conv2d(*swapped, padding=KERNEL // 2, dilation=step)
    return found.transpose(0, 1)[:, :, :KERNEL, :KERNEL]


def write_teaching(men: Men, file: Path) -> None:
    """The step as an ONNX file."""
    weights = [part.detach() for layer in learning(men) for part in layer.parameters()]
    named = [f"w{number}" for number in range(len(weights))]
    torch.onnx.export(
        Teaching(men).eval(),
        (torch.zeros(2, *SEEN), torch.zeros(2, len(LABELS)), *weights),
        str(file),
        input_names=["seen", "target", *named],
        output_names=[name.replace("w", "g") for name in named],
        dynamic_axes={"seen": {0: "n"}, "target": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
