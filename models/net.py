"""The network: fully convolutional, one answer every half square of the table plane."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from rules.observation import LABELS

HIDDEN = len(LABELS)
CLASSES = HIDDEN + 1
"""The labels of `rules.observation`, then "hidden"."""
FEATURES = 128


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


def coarser(before: int, after: int, step: int = 2) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride=step, padding=1, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class Net(nn.Module):
    """(n, 3, h, w) BGR in 0..1 to (n, 17, h/24, w/24): logits of `CLASSES`, the base centre's offset from the
    place in canvas squares (right, down), and the logit that the piece lies. Place (i, j) looks at pixel 24 (i, j)."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            coarser(3, 20),
            coarser(20, 40),
            Residual(40),
            coarser(40, 72),
            Residual(72),
            Residual(72),
            coarser(72, 128, 3),
            Residual(128),
            Residual(128, 2),
            Residual(128),
        )
        self.head = nn.Sequential(nn.Conv2d(128, FEATURES, 1), nn.ReLU(inplace=True))
        self.answer = nn.Conv2d(FEATURES, CLASSES + 3, 1)
        # How much a start position teaches: strength and reluctance, learnt in episodes.
        self.strength = nn.Parameter(torch.zeros(()))
        self.reluctance = nn.Parameter(torch.tensor(3.0))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Answers, and the features (n, FEATURES, h/24, w/24) they are made of."""
        features: Tensor = self.head(self.trunk((x - 0.45) * 4))
        return self.answer(features), features

    def adapted(self, known: Tensor, labels: Tensor, asked: Tensor) -> Tensor:
        """Logits (m, CLASSES) of features (m, FEATURES) once the labels (n,) of `known` (n, FEATURES) are.

        The last layer moves by a ridge regression onto what it got wrong there: closed form, as `vision.adapt` does it.
        """
        weight, bias = self.answer.weight[:CLASSES, :, 0, 0], self.answer.bias
        assert bias is not None
        before = functional.linear(known, weight, bias[:CLASSES])
        wrong = functional.one_hot(labels, CLASSES) - before.softmax(1)
        often = torch.bincount(labels, minlength=CLASSES)[labels].float()
        ridge = torch.diag(self.reluctance.exp() * often.sqrt())
        teach = torch.linalg.solve(known @ known.T + 1 + ridge, wrong) * self.strength.exp()
        return functional.linear(asked, weight, bias[:CLASSES]) + (asked @ known.T + 1) @ teach
