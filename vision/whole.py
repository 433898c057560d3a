"""A board read as a whole: its squares read one by one do not know of each other, yet each side has one king.

How many men of each kind a side has on a board is known roughly beforehand, and so is where they stand: boards are of
some sorts (`models/boards.py` has found them in real games), and each sort has its own men on its squares. Belief
propagation between the squares, these counts (Tarlow et al. 2012, "Fast Exact Inference for Recursive Cardinality
Models") and the sort tells what that makes of each square. For pictures that are read alone: the tracker knows by its
moves what stands on a board.
"""

import zlib
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS
from vision.closer import normal
from vision.reader import ModelError

TABLE = Path(__file__).parent.parent / "models" / "boards.npz"
"""By game: `_counts`, (6, 13) shares of sides with none to twelve men of a kind, `_shares`, (sorts,) of boards, and
`_places`, (sorts, 64, 13) uint8, how unlikely what stands on its squares is, in sixteenths of a nat."""
FINE = 16
UNUSUAL = 0.3  # how often what stands on a square of such a board has nothing to do with which square it is
NO_GAME = 0.05  # how many boards are of no sort: set up for an exercise, or as nobody would play
MOST = 12  # of a kind
NEVER = 6.0  # nats against a pawn where none can be
UNSEEN = {"bughouse": 1e-3, "chess": 1e-4}  # shares, at least: what never was counted is held possible

Floats = NDArray[np.float64]
Sorts = tuple[Floats, Floats]
"""(sorts,) nats of how many boards are of each, and (sorts, 64, 13) how many times as often as elsewhere what stands on
a square stands there."""


class Beforehand:
    """What is known of a board before it is read. `stand`: (64, 13) nats for what stands on each square. `without`,
    `within`: (12, 13, 13) how likely it is of each man that so many of his like stand before a square, and so many
    after it, if he does not stand there, and if he does. `sorts`: of boards."""

    def __init__(self, held: Floats, no_pawns: list[tuple[str, int]], sorts: Sorts | None = None) -> None:
        """`held`: (12, 13) how likely, by label, none to twelve are. `no_pawns`: FEN letters of pawns, and ranks, from
        0, where they cannot be. `sorts`: without, any man may stand anywhere."""
        counts = np.hstack([held, np.zeros((EMPTY, MOST + 1))])
        together = np.add.outer(*[np.arange(MOST + 1)] * 2)
        self.without, self.within = (counts[:, together + here] for here in (0, 1))
        self.stand = np.zeros((64, len(LABELS)))
        for pawn, rank in no_pawns:
            self.stand[8 * rank : 8 * rank + 8, LABELS.index(pawn)] = -NEVER
        self.sorts = sorts or (np.zeros(1), np.ones((1, 64, len(LABELS))))

    def says(self, read: Floats) -> Floats:
        """(64, 13) nats, by where men stand on boards like this one, for what may stand on squares of which (64, 13)
        `read` tells."""
        shares, places = self.sorts
        fits = np.log(np.einsum("zsl,sl->zs", places, np.exp(normal(read))))
        by_others = shares[:, None] + fits.sum(1, keepdims=True) - fits
        return np.asarray(np.log(np.einsum("zs,zsl->sl", np.exp(normal(by_others.T).T), places)), np.float64)


# A promoted pawn lies where he was promoted, but not in chess.
NO_PAWNS = {"bughouse": [("P", 0), ("p", 7)], "chess": [("P", 0), ("p", 7), ("P", 7), ("p", 0)]}
KINGS = [label in "Kk" for label in LABELS[:EMPTY]]


@cache
def beforehand(game: str) -> Beforehand:
    """What is known of any board of a game with chessmen. Raises ModelError."""
    kind = "chess" if game == "chess" else "bughouse"
    counts, shares, places = _table(kind)
    held = np.maximum(np.tile(counts, (2, 1)), UNSEEN[kind])
    held[KINGS] = np.arange(MOST + 1) == 1
    return Beforehand(held, NO_PAWNS[kind], _sorts(shares.astype(float), np.exp(-places / FINE)))


def _sorts(shares: Floats, places: Floats) -> Sorts:
    """Those of the table, and none. `places`: (sorts, 64, 13) probabilities, but for rounding."""
    places /= places.sum(2, keepdims=True)
    anywhere = np.einsum("z,zsl->l", shares, places) / (64 * shares.sum())
    sorts, none = (1 - UNUSUAL) * places / anywhere + UNUSUAL, np.ones((1, 64, len(LABELS)))
    return np.log([*(1 - NO_GAME) * shares / shares.sum(), NO_GAME]), np.concatenate([sorts, none])


def _table(kind: str) -> list[NDArray[Any]]:
    """Counts, shares and places."""
    try:
        with TABLE.open("rb") as file, np.load(file) as found:
            return [np.asarray(found[f"{kind}_{name}"]) for name in ("counts", "shares", "places")]
    except (OSError, ValueError, KeyError, BadZipFile, zlib.error) as error:
        raise ModelError(f"{TABLE}: no readable table of boards of this version; install Quadriglia again") from error


TAKEN, OTHERS = 0.1, 0.003
"""In chess, how likely there is one of a kind fewer than just before, and any other number: by promotion, or since what
stood there before was told wrongly. The king stays."""
SWEEPS = 3
"""Of messages; on 484 photographs squares are 98.28, 98.39 and 98.41% right after one, two and three."""
FAINT = 1e-9  # probability of a man, at least


def just_after(labels: NDArray[np.int64]) -> Beforehand:
    """What is known of a board of chess on which (64,) `labels` stood some ply before."""
    held = np.full((EMPTY, MOST + 1), OTHERS)
    for label, count in enumerate(np.bincount(labels, minlength=EMPTY)[:EMPTY].tolist()):
        if LABELS[label] in "Kk":
            held[label] = np.arange(MOST + 1) == 1
            continue
        held[label, max(count - 1, 0)] = TAKEN
        held[label, count] = 1
    return Beforehand(held, NO_PAWNS["chess"], beforehand("chess").sorts)


def whole(likelihoods: NDArray[np.float32], known: Beforehand) -> NDArray[np.float32]:
    """(64, 13) log-probabilities of squares read one by one, (64, 13) log-likelihoods, as parts of one board."""
    alone = likelihoods + known.stand
    said = np.zeros_like(alone)  # by the counts, of each man on each square
    for _ in range(SWEEPS):
        placed = alone + known.says(alone + said)
        told = normal(placed + said)[:, :EMPTY]
        # A count is told of a square what all but the count itself say there.
        odds = told - np.log(np.maximum(-np.expm1(told), FAINT)) - said[:, :EMPTY]
        likely = np.clip(1 / (1 + np.exp(-odds)), FAINT, 1 - FAINT)
        said[:, :EMPTY] = _says(likely, known)
    return np.asarray(normal(placed + said), np.float32)


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
