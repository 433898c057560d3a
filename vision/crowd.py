"""Men who stand together: which of the places that see a man see the same."""

import chess
import numpy as np
from numpy.typing import NDArray

SAME = 0.25  # squares between the bases of one man, at most, as a first look at him sees them
ONE = 0.5  # squares between the bases of two men, at least,
BROAD = 0.6  # of two of one kind that is broader than pawns,
FALLEN = 0.8  # and of one who lies to another, who may be his head
ASIDE = 0.25  # squares from the way to a man's head within which another place may see no more of him
HIMSELF = 0.9  # probability of a man, by a second look alone, from which one who stands there is himself

Points = NDArray[np.float64]
Chances = NDArray[np.floating]


def one_each(likely: Chances, same: NDArray[np.bool_]) -> list[int]:
    """One place a man, the likeliest first. Of (n,) places: how likely each is the best to tell of him, and (n, n)
    whether two see the same man."""
    chosen: list[int] = []
    for place in np.argsort(-likely, kind="stable").tolist():
        if not same[place, chosen].any():
            chosen.append(place)
    return chosen


def same_roughly(bases: Points) -> NDArray[np.bool_]:
    """(n, n) whether places that see bases at (n, 2) see the same man, by a first look."""
    return np.asarray(_gaps(bases) <= SAME)


def same_man(bases: Points, lies: NDArray[np.bool_], kinds: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n, n) the same by a second look. `lies`, `kinds`: (n,) whether each man does, and his kind. Who is seen twice
    is mostly seen as the same kind, and the head of one who lies as a pawn or as lying, too."""
    tall = kinds != chess.PAWN
    alike = (kinds[:, None] == kinds[None]) & tall[None]
    head = lies | ~tall
    fallen = (lies[:, None] & head[None]) | (lies[None] & head[:, None])
    room = np.where(fallen, FALLEN, np.where(alike, BROAD, ONE))
    return np.asarray(_gaps(bases) <= room)


def mere_heads(bases: Points, heads: Points, second: Chances) -> NDArray[np.bool_]:
    """(n,) whether places see the head of another man, who stands at another of (n, 2) bases. `heads`: (n, 2) squares
    from there to where each has his. `second`: (n,) probability of a man, by a second look alone."""
    ways = bases[:, None] - bases[None]  # to the first from the second
    share = (ways * heads).sum(-1) / np.maximum((heads * heads).sum(-1), 1e-9)
    aside = np.hypot(*np.moveaxis(ways - np.clip(share, 0, 1)[..., None] * heads, -1, 0))
    sure = second >= HIMSELF
    return np.asarray(((aside < ASIDE) & ~sure[:, None] & sure[None]).any(1))


def _gaps(bases: Points) -> Points:
    """(n, n) squares from base to base."""
    return np.asarray(np.hypot(*np.moveaxis(bases[:, None] - bases[None], -1, 0)))
