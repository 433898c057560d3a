"""The network: fully convolutional, one answer every half square of the table plane.

Edges and textures are seen by the first layers of a network trained on photographs of everything, which learn nothing
here: so they cannot grow used to rendered pictures. What is made of them is learnt.
"""

import torch
from torch import Tensor, nn

from models.adapted import adapted
from models.lite import FINE, MIDDLE, SCALE, Block, frozen, layers
from rules.observation import LABELS

HIDDEN = len(LABELS)
CLASSES = HIDDEN + 1
"""The labels of `rules.observation`, then "hidden"."""
FEATURES = 128
DETAIL = 128


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.inside = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.inside(x))


def joined(before: int, after: int, kernel: int = 1, step: int = 1) -> list[nn.Module]:
    return [
        nn.Conv2d(before, after, kernel, step, kernel // 2, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    ]


class Front(nn.Module):
    """(n, 3, h, w) BGR bytes to (n, 40, h/8, w/8). Learns nothing."""

    def __init__(self, blocks: nn.Module) -> None:
        super().__init__()
        self.blocks = blocks

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.blocks((x.float() - MIDDLE) / SCALE)
        return found


class Net(nn.Module):
    """What `front` makes of (n, 3, h, w) BGR bytes, (n, 40, h/8, w/8), to (n, 17, h/24, w/24): logits of `CLASSES`, the
    base centre's offset from the place in canvas squares (right, down), and the logit that the piece lies. Place (i, j)
    looks at pixel 24 (i, j)."""

    def __init__(self, pretrained: bool = False) -> None:
        super().__init__()
        all_of_it = layers(pretrained)
        self.front = Front(frozen(nn.Sequential(*all_of_it[: FINE + 1])))
        self.coarse = frozen(nn.Sequential(all_of_it[FINE + 1]))
        # The step from 8 to 24 pixels leaves few channels a square: what is fine goes beside them.
        self.detail = nn.Sequential(*joined(40, DETAIL, 3, 3), Residual(DETAIL), Residual(DETAIL))
        self.wide = nn.Sequential(*all_of_it[FINE + 2 :])
        self.head = nn.Sequential(*joined(192 + DETAIL, FEATURES))
        self.answer = nn.Conv2d(FEATURES, CLASSES + 3, 1)
        # How much a start position teaches: strength and reluctance, learnt in episodes.
        self.strength = nn.Parameter(torch.tensor(1.8))
        self.reluctance = nn.Parameter(torch.tensor(3.0))
        for block in self.wide:
            assert isinstance(block, Block)
            # What these gain is little, and half of the time would go into it.
            block.inside[3].requires_grad_(False)

    def train(self, mode: bool = True) -> "Net":
        """As `nn.Module.train`."""
        super().train(mode)
        self.front.eval()
        self.coarse.eval()
        return self

    def forward(self, fine: Tensor) -> tuple[Tensor, Tensor]:
        """Answers, and the features (n, FEATURES, h/24, w/24) they are made of."""
        with torch.no_grad():
            coarse = self.coarse(fine)
        detail = self.detail(fine)
        features: Tensor = self.head(torch.cat([self.wide(coarse), detail], 1))
        return self.answer(features), features

    def adapted(self, known: Tensor, labels: Tensor, asked: Tensor) -> Tensor:
        """Logits (m, CLASSES) of features (m, FEATURES) once the labels (n,) of `known` (n, FEATURES) are."""
        bias = self.answer.bias
        assert bias is not None
        layer = self.answer.weight[:CLASSES, :, 0, 0], bias[:CLASSES]
        return adapted(layer, (self.strength, self.reluctance), known, labels, asked)
