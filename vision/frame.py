"""A picture with its board and time: the border between sources and everything that looks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.seats import BoardName


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """`image`: (height, width, 3) BGR uint8. `time`: capture time in seconds on a monotonic line."""

    board: BoardName
    time: float
    image: NDArray[np.uint8]
