"""One picture of a board read alone: no start position has taught its set, no move tells what stands there."""

import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from vision.canvas import SQUARE_CENTRES, sides
from vision.closer import Closer, both, may_stand, normal
from vision.disturb import turned
from vision.reader import Floats, Reader, board_of, together
from vision.tint import Tint
from vision.upright import SIZE
from vision.whole import whole

AGAIN = (0.0, 1.0, True), (0.14, 1.0, False), (-0.14, 1.0, False), (0.0, 0.9, False), (0.0, 1.1, False)
"""How each man is looked at again: turned (radians), scaled, mirrored. On 83 photographs squares are 95.3% right by the
first look, 95.7% by all; on 134 rendered boards 96.9% by either."""
COLOUR = 2.0  # nats that a man's colour says of his side, at most, where the men around him alone teach it,
LESSONS = 2  # so often: by what was read first, and by what that makes of them


def read_board(reader: Reader, image: NDArray[np.uint8], view: View) -> Floats:
    """(64, 13) log-likelihoods of one picture, by `chess.Square` and `LABELS`; a hidden square says nothing.

    Men of one side have one colour: who is read as one side's and looks like the other's was misread.
    """
    return read_closely(reader, image, view, read_roughly(reader, image, view))


def read_closely(reader: Reader, image: NDArray[np.uint8], view: View, first: Floats) -> Floats:
    """The same, of a picture that was read roughly."""
    closer, men = Closer(reader), may_stand(first)
    closer.find_lean(image, view, SQUARE_CENTRES[men], np.exp(first[men]))
    look, found = closer.look(image, view, SQUARE_CENTRES[men]), first.copy()
    look.logits[:] = np.mean([normal(look.logits), *(_looked(reader, look.cuts, *way) for way in AGAIN)], 0)
    found[men] = both(first[men], closer.says(look, COLOUR))
    for _ in range(LESSONS):
        closer.tint = Tint()
        closer.tint.learn(look.colours, np.exp(whole(found)[men]))
        found[men] = both(first[men], closer.says(look, COLOUR))
    return found


def read_roughly(reader: Reader, image: NDArray[np.uint8], view: View) -> Floats:
    """As `read_board`, by one look, of which kinds are the least certain."""
    return together([board_of(reader.read(canvas.warp(image, view)), canvas) for canvas in sides(view)])


def _looked(reader: Reader, cuts: NDArray[np.uint8], angle: float, scale: float, mirrored: bool) -> Floats:
    """(n, 13) log-probabilities of men cut out with a brim."""
    men = np.array([turned(man, angle, scale, mirrored) for man in cuts], np.uint8)
    return normal(reader.look_closer(men.reshape(-1, *SIZE[::-1], 3))[0])
