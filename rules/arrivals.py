"""Which of the captured pieces on their way has come, where something new stands in a pocket."""

import math
from collections.abc import Sequence
from itertools import combinations, permutations

import chess
import numpy as np

from rules.passing import LAG, Passing
from rules.slots import BLUR, IMPOSSIBLE, Floats

UNLIKE = 0.1  # probability of its kind below which an arrival is doubted,
WAIT, LONGER = 2.0, 5.0  # for so many seconds; and so many
NEVER = 0.03  # below this one,
RETURNS = 0.9  # or if it is so likely one who was dropped and may have been taken back
AWAITED = 3.0  # seconds after its capture for which any other piece is awaited than one that came before it
SLOW = 3.0  # seconds after its capture from which a piece that has not been seen to come is kept back
EARLY = 2.0  # nats against one who stood here before, even when any other has been awaited long enough
QUEUE = 2.0  # nats against a piece for each one captured before it that has not arrived: they come in turn


def arrivals(
    coming: Sequence[Passing],
    new: list[int],
    kinds: Floats,
    since: Sequence[float],
    time: float,
    alike_since: float,
    dropped: Sequence[chess.PieceType],
) -> list[tuple[int, Passing, Floats]]:
    """Which of the pieces on their way each new piece is: as they look, and in the order of their capture.

    With each, (6,) what it may be by the order alone. A piece that looks like none of them waits a while: its own
    capture may not have been told yet. One that stood here before anything was captured is nobody's, unless nothing
    else comes: cameras may lag. `new`: indices of the new pieces in `kinds`, (n, 6), and in `since`, from when on each
    stands here. `alike_since`: since when the pocket has not changed. `dropped`: what was dropped from here lately.
    """

    if not coming or not new:
        return []

    def early(index: int, passing: Passing) -> bool:
        return since[index] < passing.earliest - LAG

    def too_early(index: int, passing: Passing) -> bool:
        return early(index, passing) and time - passing.since < AWAITED

    # What is kept back is not what has just come.
    queue = sorted(coming, key=lambda passing: (passing.late, time - passing.since > SLOW))[:5]
    new = [index for index in new if not all(too_early(index, passing) for passing in queue)]
    count = min(len(queue), len(new), 3)
    orders = list(permutations(range(len(queue)), count))
    turns = dict(zip(orders, np.exp([-QUEUE * sum(order) for order in orders]), strict=True))

    def fit(chosen: tuple[int, ...], order: tuple[int, ...]) -> float:
        looks = [math.log(kinds[i, queue[n].kind - 1] + BLUR) for i, n in zip(chosen, order, strict=True)]
        before = sum(
            IMPOSSIBLE if too_early(i, queue[n]) else EARLY * early(i, queue[n])
            for i, n in zip(chosen, order, strict=True)
        )
        return sum(looks) + math.log(turns[order]) - before

    # Where more have come than were passed on, one of them is nobody's.
    pairs = [(chosen, order) for chosen in combinations(new[:5], count) for order in orders]
    chosen, best = max(pairs, key=lambda pair: fit(*pair))
    new = list(chosen)
    least = min((kinds[i, queue[n].kind - 1] for i, n in zip(new, best, strict=True)), default=1.0)
    returned = any(kinds[i, kind - 1] >= RETURNS for i in new for kind in dropped)
    lasted = time - max([alike_since, *(since[i] for i in new)])
    if least < UNLIKE and lasted < (LONGER if returned or least < NEVER else WAIT):
        return []
    came = np.zeros((len(new), 6))
    whole = sum(turns.values())
    for order, turn in turns.items():
        for number, n in enumerate(order):
            came[number, queue[n].kind - 1] += turn / whole
    return [(index, queue[n], came[number]) for number, (index, n) in enumerate(zip(new, best, strict=True))]
