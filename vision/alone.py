"""One picture of a board read alone: no start position has taught its set, no move tells what stands there."""

import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY
from vision.canvas import SQUARE_CENTRES, sides
from vision.closer import Closer, Look, both, few_of, may_stand, normal
from vision.disturb import turned
from vision.lean import OTHERWISE, Lean, by_pose
from vision.reader import Floats, Reader, board_of, together
from vision.tint import Tint
from vision.upright import upright
from vision.whole import beforehand, whole

READABLE = -0.3  # nats, as `_surely` tells, from which on men read well as the pose says
SAID = 0.05  # nats for that
BEST, NEARLY = 3, 0.05  # ways to lean that are looked at, and nats by which one counts e times as much as another
FAINT = 1e-6  # probability of anything, whatever looks say
COLOUR = 3.0  # nats that a man's colour says of his side, at most, where the men around him alone teach it,
LESSONS = 2  # so often: by what was read first, and by what that makes of them


def read_board(reader: Reader, image: NDArray[np.uint8], view: View) -> Floats:
    """(64, 13) log-likelihoods of one picture, by `chess.Square` and `LABELS`; a hidden square says nothing.

    Men of one side have one colour: who is read as one side's and looks like the other's was misread.
    """
    return read_closely(reader, image, view, read_roughly(reader, image, view))


def read_closely(reader: Reader, image: NDArray[np.uint8], view: View, first: Floats) -> Floats:
    """The same, of a picture that was read roughly."""
    closer, men, found = Closer(reader), may_stand(first), first.copy()
    if not men.any():
        return found
    leans, looks = _leans(reader, image, view, first), []
    for closer.lean, _ in leans:
        looks.append(closer.look(image, view, SQUARE_CENTRES[men]))
    look = looks[0]
    said = sum(share * _twice(reader, other) for (_, share), other in zip(leans, looks, strict=True))
    look.logits[:] = np.log(said + FAINT)
    found[men] = both(first[men], closer.says(look, COLOUR))
    known = beforehand("bughouse")
    for _ in range(LESSONS):
        closer.tint = Tint()
        closer.tint.learn(look.colours, np.exp(whole(found, known)[men]))
        found[men] = both(first[men], closer.says(look, COLOUR))
    return found


def read_roughly(reader: Reader, image: NDArray[np.uint8], view: View) -> Floats:
    """As `read_board`, by one look, of which kinds are the least certain."""
    return together([board_of(reader.read(canvas.warp(image, view)), canvas) for canvas in sides(view)])


def _leans(reader: Reader, image: NDArray[np.uint8], view: View, first: Floats) -> list[tuple[Lean, float]]:
    """Which way men lean, the likeliest first, and how likely: as some of them are read most surely. `first`: (64, 13)
    log-likelihoods. In 50 photographs of bgu, laid flat, 94.8% of squares are right as the pose says, so 96.2%; in 30
    rendered boards, of which the pose is right, 95.5 and 95.7%."""
    men = np.flatnonzero(first[:, EMPTY] < np.log(0.5))
    few = men[few_of(len(men))]

    def surely(lean: Lean) -> float:
        logits = reader.look_closer(upright(image, view, SQUARE_CENTRES[few], lean))[0]
        read = normal(both(first[few], logits))
        return float((np.exp(read) * read).sum(1).mean())

    said = by_pose(view)
    if not len(few) or (most := surely(said)) > READABLE:
        return [(said, 1.0)]
    found = [(said, most + SAID), *((lean, surely(lean)) for lean in OTHERWISE)]
    best = sorted(found, key=lambda one: -one[1])[:BEST]
    shares = np.exp((np.array([nats for _, nats in best]) - best[0][1]) / NEARLY)
    return [(lean, share) for (lean, _), share in zip(best, (shares / shares.sum()).tolist(), strict=True)]


def _twice(reader: Reader, look: Look) -> Floats:
    """(n, 13) probabilities of men as they are, and as they are in a mirror, together."""
    men = np.array([turned(man, 0.0, 1.0, mirrored=True) for man in look.cuts], np.uint8)
    return np.asarray(np.exp(normal(look.logits)) + np.exp(normal(reader.look_closer(men)[0])), np.float32)
