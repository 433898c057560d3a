"""Whether a man lies: what `models.men.FirstLook` makes of him, cut out upright."""

from torch import Tensor, nn

from models.men import SEEN
from models.net import joined

CHANNELS = 28
AROUND = 5  # cells


class Lies(nn.Module):
    """(n, 40, 12, 9) to (n,) log-odds that a man lies. Few weights: it mixes cells of a channel, and channels, in
    turns."""

    def __init__(self) -> None:
        super().__init__()
        channels, rows, columns = SEEN
        self.body = nn.Sequential(
            *joined(channels, CHANNELS),
            *_around(CHANNELS),
            *joined(CHANNELS, CHANNELS),
            *_around(CHANNELS),
            *joined(CHANNELS, CHANNELS),
            nn.Flatten(),
            nn.Linear(CHANNELS * rows * columns, 1),
        )

    def forward(self, seen: Tensor) -> Tensor:
        """As the class says."""
        found: Tensor = self.body(seen)
        return found[:, 0]


def _around(channels: int) -> list[nn.Module]:
    """Each cell with those around it, by channel."""
    near = nn.Conv2d(channels, channels, AROUND, padding=AROUND // 2, groups=channels, bias=False)
    return [near, nn.BatchNorm2d(channels), nn.ReLU(inplace=True)]
