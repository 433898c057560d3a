"""The network: fully convolutional, one answer every half square of the table plane."""

import torch
from torch import Tensor, nn

from rules.observation import LABELS

HIDDEN = len(LABELS)
CLASSES = HIDDEN + 1
"""The labels of `rules.observation`, then "hidden"."""


class Residual(nn.Module):
    def __init__(self, channels: int, spread: int = 1) -> None:
        super().__init__()
        self.inside = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 3, padding=spread, dilation=spread, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.inside(x))


def halve(before: int, after: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride=2, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class Net(nn.Module):
    """(n, 3, h, w) BGR in 0..1 to (n, 16, h/16, w/16): logits of `CLASSES`, then the base centre's offset from
    the place in canvas squares (right, down). Place (i, j) looks at pixel (16 i, 16 j)."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            halve(3, 24),
            halve(24, 40),
            Residual(40),
            halve(40, 72),
            Residual(72),
            Residual(72),
            halve(72, 128),
            Residual(128),
            Residual(128, 2),
            Residual(128),
        )
        self.head = nn.Sequential(nn.Conv2d(128, 128, 1), nn.ReLU(inplace=True), nn.Dropout2d(0.1))
        self.answer = nn.Conv2d(128, CLASSES + 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        answer: Tensor = self.answer(self.head(self.trunk((x - 0.45) * 4)))
        return answer
