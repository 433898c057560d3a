"""Pictures from training and judging sets."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray


def load(path: Path) -> NDArray[np.uint8]:
    """BGR uint8; raises ValueError for what is no picture."""
    image = cv2.imread(str(path))
    if image is None:
        raise ValueError(f"{path}: not a readable picture; fetch the set again")
    return np.asarray(image, np.uint8)
