"""Where the border between both reserves beside a board lies, as its camera sees them.

Views know the plane of the squares. Beside a thick board men stand lower than that, on the table, and seem to stand
nearer to the camera: all reserves are shifted, and so is the border between them.
"""

from collections.abc import Mapping
from dataclasses import replace

import chess

from calibration.view import Region
from rules.observation import PocketObservation

CLEAR = 0.3  # squares from the border to the men on either side within which it may lie elsewhere,
APART = 0.7  # between these, at least, for it to lie between them,
LEAST = 0.2  # from where it was thought to lie, at least: who stands less far beyond it is told anyway,
MOST = 0.4  # and from where it should be, at most: of two rows of men a square apart no other may be taken for it


class Border:
    """Of the `pockets` of one view: `regions` says where they are seen."""

    def __init__(self, pockets: Mapping[chess.Color, Region]) -> None:
        self.regions = dict(pockets)
        white, black = pockets.get(chess.WHITE), pockets.get(chess.BLACK)
        self.usual = white.y1 if white and black and white.y1 == black.y0 else None

    def look(self, pockets: Mapping[chess.Color, PocketObservation]) -> bool:
        """Take in who stands in both; whether the border lies elsewhere than was thought."""
        if self.usual is None or not all(pocket.seen and len(pocket.centres) for pocket in pockets.values()):
            return False
        at = self.regions[chess.WHITE].y1
        below = float(pockets[chess.WHITE].centres[:, 1].max())
        above = float(pockets[chess.BLACK].centres[:, 1].min())
        middle = (below + above) / 2
        between = below <= at - CLEAR and above >= at + CLEAR
        if between or above - below < APART or abs(middle - at) < LEAST or abs(middle - self.usual) > MOST:
            return False
        self.regions[chess.WHITE] = replace(self.regions[chess.WHITE], y1=middle)
        self.regions[chess.BLACK] = replace(self.regions[chess.BLACK], y0=middle)
        return True
