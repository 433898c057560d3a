"""A board read as a whole: its squares read one by one do not know of each other, yet each side has one king.

How many men of each kind a side has on a board is known roughly beforehand; belief propagation between the squares and
these counts (Tarlow et al. 2012, "Fast Exact Inference for Recursive Cardinality Models") tells what that makes of each
square. For pictures that are read alone: the tracker knows by its moves what stands on a board.
"""

import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS
from vision.closer import normal

Table = list[list[float]]

BUGHOUSE: Table = [
    [0.1, 0.1, 0.1, 0.1, 0.7, 6, 17.5, 33, 35.5, 6.4, 0.7, 0.3, 0.1],  # pawns
    [14.2, 35.6, 42.8, 6.9, 0.5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],  # knights
    [6.8, 32, 52.9, 8, 0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],  # bishops
    [1.1, 12.9, 83.2, 2.6, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],  # rooks
    [22, 75, 2.7, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1],  # queens
    [0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],  # kings
]
"""By kind, per cent of positions in which a side has none to twelve of it on a board: 4,010 of 37 real bughouse
matches, after every ply. What never happened there is held possible."""
CHESS: Table = [
    [0.9, 1.5, 2.8, 4.6, 7.3, 14.1, 17.8, 26.5, 24.4, 0, 0, 0, 0],
    [29.9, 28.9, 41.2, 0.01, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [23, 35.7, 41.2, 0.01, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [8.3, 18.8, 72.9, 0.01, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [30.3, 69.6, 0.2, 0.01, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
]
"""The same of chess: 7,695 positions of the 108 games that come as examples with python-chess, chess.js, cm-pgn, kokopu
and @mliebelt/pgn-parser. What pawns are promoted to seldom, and never was there, is held possible, too."""
MOST = len(BUGHOUSE[0]) - 1  # of a kind
NEVER = 6.0  # nats against a pawn where none can be


class Beforehand:
    """What is known of a board before it is read. `stand`: (64, 13) nats for what stands on each square. `without`,
    `within`: (12, 13, 13) how likely it is of each man that so many of his like stand before a square, and so many
    after it, if he does not stand there, and if he does."""

    def __init__(self, held: Table, no_pawns: list[tuple[str, int]]) -> None:
        """`held`: as above, by label. `no_pawns`: FEN letters of pawns, and ranks, from 0, where they cannot be."""
        counts = np.hstack([np.array(held), np.zeros((EMPTY, MOST + 1))])
        together = np.add.outer(*[np.arange(MOST + 1)] * 2)
        self.without, self.within = (counts[:, together + here] for here in (0, 1))
        self.stand = np.zeros((64, len(LABELS)))
        for pawn, rank in no_pawns:
            self.stand[8 * rank : 8 * rank + 8, LABELS.index(pawn)] = -NEVER


# A promoted pawn lies where he was promoted, but not in chess.
DROPS = Beforehand([*BUGHOUSE, *BUGHOUSE], [("P", 0), ("p", 7)])
NO_PAWNS = [("P", 0), ("p", 7), ("P", 7), ("p", 0)]
BEFOREHAND = {
    "bughouse": DROPS,
    "crazyhouse": DROPS,
    "chess": Beforehand([*CHESS, *CHESS], NO_PAWNS),
}
TAKEN, OTHERS = 0.1, 0.003
"""In chess, how likely there is one of a kind fewer than just before, and any other number: by promotion, or since what
stood there before was told wrongly. The king stays."""
SWEEPS = 3
"""Of messages; on 484 photographs squares are 98.28, 98.39 and 98.41% right after one, two and three."""
FAINT = 1e-9  # probability of a man, at least

Floats = NDArray[np.float64]


def just_after(labels: NDArray[np.int64]) -> Beforehand:
    """What is known of a board of chess on which (64,) `labels` stood some ply before."""
    held = np.full((EMPTY, MOST + 1), OTHERS)
    for label, count in enumerate(np.bincount(labels, minlength=EMPTY)[:EMPTY].tolist()):
        if LABELS[label] in "Kk":
            held[label] = np.arange(MOST + 1) == 1
            continue
        held[label, max(count - 1, 0)] = TAKEN
        held[label, count] = 1
    return Beforehand(held.tolist(), NO_PAWNS)


def whole(likelihoods: NDArray[np.float32], known: Beforehand = DROPS) -> NDArray[np.float32]:
    """(64, 13) log-probabilities of squares read one by one, (64, 13) log-likelihoods, as parts of one board."""
    alone = likelihoods + known.stand
    said = np.zeros_like(alone)  # by the counts, of each man on each square
    for _ in range(SWEEPS):
        told = normal(alone + said)[:, :EMPTY]
        # A count is told of a square what all but the count itself say there.
        odds = told - np.log(np.maximum(-np.expm1(told), FAINT)) - said[:, :EMPTY]
        likely = np.clip(1 / (1 + np.exp(-odds)), FAINT, 1 - FAINT)
        said[:, :EMPTY] = _says(likely, known)
    return np.asarray(normal(alone + said), np.float32)


def _says(likely: Floats, known: Beforehand) -> Floats:
    """(n, 12) log-odds, by the counts, that a man stands on one of n squares if each of the others holds him as (n, 12)
    probabilities say."""
    before = _held(likely[:-1])
    after = _held(likely[:0:-1])[::-1]
    none, one = (np.einsum("nca,cab,ncb->nc", before, counts, after) for counts in (known.without, known.within))
    return np.asarray(np.log(one + FAINT) - np.log(none + FAINT), np.float64)


def _held(likely: Floats) -> Floats:
    """(n + 1, 12, counts) probabilities that so many stand on the first none to n of n squares."""
    found = np.zeros((len(likely) + 1, EMPTY, MOST + 1))
    found[0, :, 0] = 1
    for square, chance in enumerate(likely[..., None]):
        found[square + 1] = found[square] * (1 - chance)
        found[square + 1, :, 1:] += found[square, :, :-1] * chance
    return found
