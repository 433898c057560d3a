"""Men who stand together: which of the places that see a man see the same."""

import numpy as np
from numpy.typing import NDArray

SAME = 0.25  # squares between the bases of one man, at most, as a first look at him sees them
ONE = 0.5  # squares between the bases of two men, at least,
FALLEN = 0.8  # and of one who lies to another, who may be his head
ASIDE = 0.2  # squares from the way to a man's head within which he may be it whom another place sees; unless
WITNESSED, FIRST = 0.9, 0.8  # the first network alone is as sure of him, and sees the two so many squares apart

Points = NDArray[np.float64]
Chances = NDArray[np.floating]


def one_each(likely: Chances, same: NDArray[np.bool_]) -> list[int]:
    """One place a man, the likeliest first. Of (n,) places: how likely each is the best to tell of him, and (n, n)
    whether it sees the same man as another that is likelier."""
    chosen: list[int] = []
    for place in np.argsort(-likely, kind="stable").tolist():
        if not same[place, chosen].any():
            chosen.append(place)
    return chosen


def same_roughly(bases: Points) -> NDArray[np.bool_]:
    """(n, n) whether places that see bases at (n, 2) see the same man, by a first look."""
    return np.asarray(_gaps(bases) <= SAME)


def same_man(
    bases: Points, heads: Points, lies: NDArray[np.bool_], first: Chances, first_bases: Points
) -> NDArray[np.bool_]:
    """(n, n) the same for those that remain, by a second look. `heads`: (n, 2) squares from there to where his head
    appears. `lies`: (n,) whether he does. `first`, `first_bases`: what the first network says of each, his probability
    and (n, 2) his base."""
    room = np.where(lies, FALLEN, ONE)
    near = _gaps(bases) <= np.maximum(room[:, None], room[None])
    two = (first >= WITNESSED)[:, None] & (_gaps(first_bases) >= FIRST)
    along = _aside(bases, heads) < ASIDE
    return np.asarray(near | ((along | along.T) & ~two))


def _gaps(bases: Points) -> Points:
    """(n, n) squares from base to base."""
    return np.asarray(np.hypot(*np.moveaxis(bases[:, None] - bases[None], -1, 0)))


def _aside(bases: Points, heads: Points) -> Points:
    """(n, n) squares from each base to the way from another to his head."""
    ways = bases[:, None] - bases[None]  # to the first from the second
    share = (ways * heads).sum(-1) / np.maximum((heads * heads).sum(-1), 1e-9)
    beyond = ways - np.clip(share, 0, 1)[..., None] * heads
    return np.asarray(np.hypot(*np.moveaxis(beyond, -1, 0)))
