"""How likely what stands in a pocket is, if so many of each kind were passed on and not dropped."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import chess
import numpy as np

from rules.slots import ANY, CERTAIN, IMPOSSIBLE, STRAY, Floats

TAKEN = 2.5  # nats against every piece that is missing or too many
DOUBTED = 3  # pieces that may be ghosts, of which all ways are weighed
AWAITED_STILL, AT_MOST = 0.7, 3.0  # nats against each who is on his way and has not come yet, at first and at most,
SOON, SLOWLY = 1.5, 0.8  # seconds after which they grow, and nats for every one more
MISTAKEN_FOR = 0.1  # how likely it is that who came is not who was thought to come, but one still awaited

Counts = Counter[chess.PieceType]


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """A pocket as it is at one time. `men`: those who stand there, ghosts perhaps among them: (6,) how likely each kind
    is, and the probability that he is no ghost. `held`, `coming`: kinds of those who should stand there, and of those
    on their way; `waited`: for how many seconds the latter had not come when this was last seen. `new`: whether
    somebody stands there who may be one of them. `odd`: how many stand there beside these, and (6,) how they read."""

    men: tuple[tuple[Floats, float], ...]
    held: Counts
    coming: tuple[chess.PieceType, ...]
    waited: tuple[float, ...]
    new: bool
    odd: int
    odd_look: Floats
    _known: dict[tuple[tuple[chess.PieceType, ...], chess.PieceType | None], tuple[float, ...]] = field(
        default_factory=dict
    )

    def gain(
        self, dropped: Sequence[chess.PieceType], back: chess.PieceType | None = None, haste: float = 0.0
    ) -> float:
        """Nats by which what stands here is explained better if some kinds were dropped, and another was not after
        all. `haste`: nats against those of whom one stood here having come straight from the partner's hand instead."""
        return self._fit(dropped, back, haste) - self._fit()

    def exchanged(self, told: Counts, otherwise: Counts) -> float:
        """Nats by which what stands here is explained better if it was other kinds that were passed on and not dropped
        than was told."""
        if told == otherwise:
            return 0.0
        held, coming = Counter(self.held), list(self.coming)
        for before, kind in exchanges(told, otherwise):
            if held[before]:
                held[before] -= 1
                held[kind] += 1
            elif before in coming:
                coming[coming.index(before)] = kind
        return replace(self, held=held, coming=tuple(coming), _known={})._fit() - self._fit()

    def _fit(
        self, dropped: Sequence[chess.PieceType] = (), back: chess.PieceType | None = None, haste: float = 0.0
    ) -> float:
        """Log-likelihood. Pieces still coming may be missing; any other that is missing or too many counts against
        it."""
        key = tuple(sorted(dropped)), back
        if key not in self._known:
            self._known[key] = self._weighed(Counter(dropped), Counter([back] if back else []))
        known, *here = self._known[key]
        if not here:
            return known
        straight, lifted = here
        return float(np.logaddexp(known + math.log(MISTAKEN_FOR), max(straight - haste, lifted)))

    def _weighed(self, dropped: Counts, back: Counts) -> tuple[float, ...]:
        """Log-likelihood if all who are on their way may stand here; and, where that may be, if none of them does yet:
        if who was dropped came straight from the partner's hand wherever he may have, and only where he must have."""
        arrived, coming = self.held + back, Counter(self.coming)
        straight = dropped - arrived  # from the partner's hand
        contents = Counter(arrived)
        contents.update(coming)
        contents.subtract(dropped)
        known = self._likelihood(contents, len(self.coming) - straight.total())
        if not self.coming or self.new:
            return (known,)
        # Most likely nobody who is on his way stands here yet.
        here = (
            self._likelihood(_less(arrived, gone), 0) - self._against_waiting(dropped - gone)
            for gone in (dropped - coming, dropped - straight)
        )
        return known, *here

    def _against_waiting(self, come: Counts) -> float:
        """Nats against those on their way not having come yet, but for those of these kinds, the longest awaited."""
        left, against = Counter(come), 0.0
        for kind, waited in sorted(zip(self.coming, self.waited, strict=True), key=lambda one: -one[1]):
            if left[kind]:
                left[kind] -= 1
            else:
                against += min(AWAITED_STILL + SLOWLY * max(waited - SOON, 0.0), AT_MOST)
        return against - AWAITED_STILL * left.total()

    def _likelihood(self, contents: Counts, coming: int) -> float:
        """Log-likelihood of these men, if so many of each kind were passed on and not dropped. `coming`: so many of
        them may not have come yet."""
        counts = [contents[kind] for kind in chess.PIECE_TYPES]
        here = sorted(self.men, key=lambda man: man[1])
        count = min(sum(sure < CERTAIN for _, sure in here), DOUBTED)
        looks = [likely for likely, _ in here[count:]]
        best = -math.inf
        for ghosts in product((False, True), repeat=count):
            doubted = list(zip(here, ghosts, strict=False))
            real = looks + [likely for (likely, _), ghost in doubted if not ghost]
            chances = (math.log(max(1 - sure if ghost else sure, STRAY)) for (_, sure), ghost in doubted)
            missing = sum(counts) + self.odd - len(real)
            against = max(missing - coming, 0) + max(-missing, 0)
            ways = _log_ways(real, (*counts, self.odd + max(-missing, 0)), self.odd_look)
            best = max(best, ways - TAKEN * against + sum(chances))
        return best


def exchanges(told: Counts, otherwise: Counts) -> Iterator[tuple[chess.PieceType, chess.PieceType]]:
    """For each man who was told to be in a reserve, and is of another kind, what was told and what he is."""
    return zip((told - otherwise).elements(), (otherwise - told).elements(), strict=False)


def each_kind(looks: Sequence[Floats], held: Counts) -> Floats:
    """(n, 6) how likely each of these men is of each kind, if together they are those held. `looks`: (6,) by man."""
    counts = [held[kind] for kind in chess.PIECE_TYPES]
    likely = np.zeros((len(looks), 6))
    for i, kind in product(range(len(looks)), range(6)):
        if counts[kind]:
            others, rest = [*looks[:i], *looks[i + 1 :]], [n - (k == kind) for k, n in enumerate(counts)]
            likely[i, kind] = looks[i][kind] * counts[kind] * math.exp(_log_ways(others, (*rest, 0), ANY))
    return np.asarray(likely / np.maximum(likely.sum(1, keepdims=True), 1e-300))


def _less(kinds: Counts, gone: Counts) -> Counts:
    left = Counter(kinds)
    left.subtract(gone)
    return left


def _log_ways(looks: list[Floats], counts: tuple[int, ...], other: Floats) -> float:
    """The log-likelihood of pieces that look so, drawn from so many of each kind. The last count: of no kind that was
    passed on; `other`: (6,) how likely each kind is for these."""
    if min(counts) < 0:
        return -IMPOSSIBLE
    ways = {counts: 1.0}
    for likely in looks:
        after: dict[tuple[int, ...], float] = {}
        for left, value in ways.items():
            for i, n in enumerate(left):
                if n:
                    rest = (*left[:i], n - 1, *left[i + 1 :])
                    chance = float(likely[i] if i < len(likely) else likely @ other / likely.sum())
                    after[rest] = after.get(rest, 0.0) + value * chance * n
        ways = after
    return math.log(sum(ways.values()) / math.perm(sum(counts), len(looks)))
