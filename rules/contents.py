"""How likely what stands in a pocket is, if so many of each kind were passed on and not dropped."""

import math
from collections import Counter
from collections.abc import Iterable
from itertools import product

import chess

from rules.slots import CERTAIN, IMPOSSIBLE, STRAY, Floats, Slot

TAKEN = 2.5  # nats against every piece that is missing or too many
DOUBTED = 3  # pieces that may be ghosts, of which all ways are weighed


def likelihood(
    men: Iterable[Slot], contents: Counter[chess.PieceType], coming: int, odd: int, odd_look: Floats
) -> float:
    """Log-likelihood of these men, ghosts perhaps among them. `coming`: how many of the contents may not have come yet.
    `odd`: how many men stand here beside the contents, and (6,) how these read."""
    counts = [contents[kind] for kind in chess.PIECE_TYPES]
    here = sorted(((man.likely, man.sure) for man in men if man.there), key=lambda man: man[1])
    count = min(sum(sure < CERTAIN for _, sure in here), DOUBTED)
    looks = [likely for likely, _ in here[count:]]
    best = -math.inf
    for ghosts in product((False, True), repeat=count):
        doubted = list(zip(here, ghosts, strict=False))
        real = looks + [likely for (likely, _), ghost in doubted if not ghost]
        chances = (math.log(max(1 - sure if ghost else sure, STRAY)) for (_, sure), ghost in doubted)
        missing = sum(counts) + odd - len(real)
        against = max(missing - coming, 0) + max(-missing, 0)
        ways = _log_ways(real, (*counts, odd + max(-missing, 0)), odd_look)
        best = max(best, ways - TAKEN * against + sum(chances))
    return best


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
