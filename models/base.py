"""Where a man stands: what `models.men.FirstLook` makes of him, cut out upright, to the middle of his base."""

import torch
from torch import Tensor, nn

from models.net import joined
from vision.upright import BASE, SIZE, SQUARE

CHANNELS = 24
CELL = 8  # pixels


class Base(nn.Module):
    """(n, 40, 12, 9) to (n, 2): squares right and down of where it is taken to be, `vision.upright.BASE`. Of every cell
    how likely the base is near it, and where from there."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *joined(40, CHANNELS, 3),
            *joined(CHANNELS, CHANNELS, 3),
            *joined(CHANNELS, CHANNELS, 3),
            nn.Conv2d(CHANNELS, 3, 1),
        )
        width, height = SIZE
        down, right = torch.meshgrid(torch.arange(0.0, height, CELL), torch.arange(0.0, width, CELL), indexing="ij")
        middles = (torch.stack([right, down]).flatten(1) + CELL / 2 - torch.tensor(BASE).float()[:, None]) / SQUARE
        self.register_buffer("middles", middles, persistent=False)  # (2, cells)

    def forward(self, seen: Tensor) -> Tensor:
        """As the class says."""
        found = self.body(seen).flatten(2)
        likely = torch.softmax(found[:, :1], 2)
        bases: Tensor = ((found[:, 1:] + self.middles) * likely).sum(2)
        return bases
