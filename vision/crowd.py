"""Men who stand together: which of the places that see a man see the same."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

APART = 0.66  # squares between the bases of two men, at least
CLEAR = 0.85  # probability from which one so near to the next that it may be his head counts:
NEAR = 0.85  # squares;
ALONG = 0.15  # and where one lies no farther aside from where the other man shows,
WITNESSED = 0.95  # from which the first network alone must see it: the second takes heads for men
ASIDE = 0.4  # squares from where either shows from which two are no man and his head,
BETWEEN = 0.97, 0.8  # probabilities from which they are two, and what is seen between them is neither

Points = NDArray[np.float64]


def men_among(
    present: NDArray[np.floating], first: NDArray[np.floating], needed: Points, bases: Points, heads: Points
) -> list[int]:
    """One place a man, that which is surest of him. Of (n,) places: the probability of a man, by the first network
    alone too, and from which one counts; (n, 2) where his base is, and squares from there to where his head appears."""
    places = np.flatnonzero(present > needed)
    places = places[np.argsort(-present[places], kind="stable")]
    crowd = _Crowd(present[places], first[places], bases[places], heads[places])
    return [int(places[number]) for number in crowd.men()]


class _Crowd:
    """Places, the surest first. `gaps`: (n, n) squares from base to base; `aside`: from each base to the next of where
    the other man shows, were he one."""

    def __init__(
        self, present: NDArray[np.floating], first: NDArray[np.floating], bases: Points, heads: Points
    ) -> None:
        self.present, self.first = present, first
        ways = bases[:, None] - bases[None]  # to the first from the second
        self.gaps = np.hypot(*np.moveaxis(ways, -1, 0))
        share = (ways * heads).sum(-1) / np.maximum((heads * heads).sum(-1), 1e-9)
        beyond = ways - np.clip(share, 0, 1)[..., None] * heads
        aside = np.hypot(*np.moveaxis(beyond, -1, 0))
        self.aside = np.minimum(aside, aside.T)

    def men(self) -> list[int]:
        """The places chosen."""
        chosen: list[int] = []
        for number in range(len(self.present)):
            if all(self._another(number, other) for other in chosen):
                chosen.append(number)
        # A place halfway between two men is as sure of one as theirs are.
        sure = np.flatnonzero((self.present > BETWEEN[0]) & (self.first > BETWEEN[1])).tolist()
        for number in chosen:
            others = [other for other in chosen if other != number]
            beside = [n for n in sure if self.gaps[n, number] <= APART and (self.gaps[n, others] > NEAR).all()]
            if pairs := [pair for pair in combinations(beside, 2) if self._two(*pair)]:
                chosen = [*others, *max(pairs, key=lambda pair: float(self.present[list(pair)].sum()))]
        return chosen

    def _another(self, number: int, chosen: int) -> bool:
        """Whether it is another man than one who is surer."""
        gap = self.gaps[number, chosen]
        if gap > NEAR:
            return True
        along = self.aside[number, chosen] < ALONG
        return gap > APART and self.present[number] > CLEAR and not (along and self.first[number] < WITNESSED)

    def _two(self, one: int, other: int) -> bool:
        return bool(self.gaps[one, other] > APART and self.aside[one, other] >= ASIDE)
