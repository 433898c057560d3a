"""The second network: one man, cut out upright (`vision.upright`), to what he is."""

import torch
from torch import Tensor, nn

from models.adapted import adapted
from models.lite import FINE, MIDDLE, SCALE, frozen, layers
from models.net import Residual, joined
from rules.observation import LABELS
from vision.reader import FEATURES
from vision.upright import SIZE

WIDE = 192
CELLS = -(-SIZE[0] // 32) * -(-SIZE[1] // 32)
SEEN = 40, SIZE[1] // 8, SIZE[0] // 8
"""Channels, rows and columns of what the first layers make of a man."""


class FirstLook(nn.Module):
    """(n, h, w, 3) BGR bytes to (n, 40, h/8, w/8): layers trained on photographs of everything, which learn nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = frozen(nn.Sequential(*layers(pretrained=True)[: FINE + 1]))

    def forward(self, men: Tensor) -> Tensor:
        found: Tensor = self.blocks((men.permute(0, 3, 1, 2).float() - MIDDLE) / SCALE)
        return found


class Men(nn.Module):
    """What `FirstLook` makes of men to logits (n, 13) over `LABELS`, and features (n, FEATURES) they are made of."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *joined(40, 64, 3),
            Residual(64),
            *joined(64, 128, 3, 2),
            Residual(128),
            Residual(128),
            *joined(128, WIDE, 3, 2),
            Residual(WIDE),
        )
        # Where something is seen tells as much as what: a crown beside the base is the next man's.
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Linear(WIDE * CELLS, FEATURES, bias=False),
            nn.BatchNorm1d(FEATURES),
            nn.ReLU(inplace=True),
        )
        self.answer = nn.Linear(FEATURES, len(LABELS))
        # How much a start position teaches: strength and reluctance, learnt in episodes.
        self.strength = nn.Parameter(torch.tensor(1.0))
        self.reluctance = nn.Parameter(torch.tensor(3.0))

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and features."""
        features: Tensor = self.head(self.body(seen))
        return self.answer(features), features

    def adapted(self, known: Tensor, labels: Tensor, asked: Tensor) -> Tensor:
        """Logits (m, 13) of features (m, FEATURES) once the labels (n,) of `known` (n, FEATURES) are."""
        layer = self.answer.weight, self.answer.bias
        return adapted(layer, (self.strength, self.reluctance), known, labels, asked)
