"""What the pictures of one board say, weighed against what we know of this set.

A reader is often wrong about a kind, and wrong in the same way all match long. So nothing is compared with an ideal
reader: how each piece of this set reads is learnt from squares whose content the moves have made certain, from the
start position on, and every square also remembers how it read since its piece came to stand there.
"""

from dataclasses import dataclass

import chess
import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS, label_index, labels_of

N = len(LABELS)
FLOOR = 0.001  # probability that any look at all is an accident
TRUST = 0.5  # of a label as read, before anything was learnt; the rest goes to other kinds of the same colour
DOUBTED = 0.4  # weight of that against what was learnt: the same piece may read otherwise elsewhere
OWN = 0.7  # weight of a square's own past against that of its label
LEARN = 0.15  # weight of a new look in what was learnt
DOUBT = 1.0  # nats by which another label must explain a square better before it counts as changed

Floats = NDArray[np.float64]


class Experience:
    """How labels read here. `by_label`: (13, 13) mean probabilities read, by true label. `by_square`: (64, 13)."""

    def __init__(self) -> None:
        # Before anything is learnt: mostly as read, else another kind of the same colour, seldom anything.
        same = np.zeros((N, N))
        same[:6, :6] = same[6:12, 6:12] = 1 / 6
        same[EMPTY, EMPTY] = 1.0
        self.prior = TRUST * np.eye(N) + (0.97 - TRUST) * same + 0.03 / N
        self.by_label = self.prior.copy()
        self.by_square = np.zeros((64, N))
        self.known = np.zeros(64, np.bool_)  # squares that have a past of their own

    def learn(self, probabilities: Floats, labels: NDArray[np.int64], certain: NDArray[np.bool_]) -> None:
        """Take in (64, 13) probabilities read, where `certain` says that a square holds its label."""
        fresh = certain & ~self.known
        step = np.where(fresh, 1.0, LEARN)[:, None]
        self.by_square += np.where(certain[:, None], step * (probabilities - self.by_square), 0.0)
        self.known |= certain
        for label in np.unique(labels[certain]):
            mean = probabilities[certain & (labels == label)].mean(0)
            self.by_label[label] += LEARN * (mean - self.by_label[label])

    def carry(self, origins: "Origins") -> None:
        """Pieces have moved and take their past along."""
        past, known = self.by_square.copy(), self.known.copy()
        for square, origin in origins.items():
            self.known[square] = origin is not None and known[origin]
            if origin is not None:
                self.by_square[square] = past[origin]

    def expected(self) -> Floats:
        """(13, 13): what to expect to read, by label; never quite certain."""
        return (1 - DOUBTED) * self.by_label + DOUBTED * self.prior


Origins = dict[chess.Square, chess.Square | None]
"""Where the pieces on changed squares stood in the committed position; None for one that was dropped or promoted."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """One look at one board against the position that was committed.

    `values`: (64, 13) log-likelihood of each label. `carried`: (64, 64) of the piece that stood on another square.
    `kept`: (64,) that nothing changed. `seen`, `changed`: bitboards; `changed` is seen and better explained by
    another label.
    """

    values: Floats
    carried: Floats
    kept: Floats
    seen: chess.Bitboard
    changed: chess.Bitboard

    @property
    def hidden(self) -> chess.Bitboard:
        return chess.BB_ALL & ~self.seen

    def gain(self, board: chess.Board, origins: Origins) -> float:
        """How much better this board explains the changed squares than no change does; unseen ones say nothing."""
        return float(sum(self._value(board, s, o) - self.kept[s] for s, o in origins.items() if self.seen >> s & 1))

    def unexplained(self, board: chess.Board, origins: Origins) -> float:
        """Nats that the changed squares could still gain."""
        total = 0.0
        for square in chess.scan_forward(self.changed):
            now = self._value(board, square, origins[square]) if square in origins else self.kept[square]
            total += max(float(self.values[square].max() - now), 0.0)
        return total

    def _value(self, board: chess.Board, square: chess.Square, origin: chess.Square | None) -> float:
        piece = board.piece_at(square)
        if origin is None or piece is None:
            return float(self.values[square, label_index(piece)])
        return float(self.kept[square] if origin == square else self.carried[square, origin])


def weigh(
    probabilities: Floats,
    seen: NDArray[np.bool_],
    remembered: NDArray[np.bool_],
    board: chess.Board,
    experience: Experience,
) -> Evidence:
    """Evidence of (64, 13) probabilities read, where `seen`.

    A square that is hidden now but `remembered` counts as seen if it had changed: a hand over it does not undo that.
    """
    labels = labels_of(board)
    expected = experience.expected()
    values = np.log(FLOOR + probabilities @ expected.T)
    own = np.where(experience.known, OWN, 0.0)[:, None]
    pieces = own * experience.by_square + (1 - own) * expected[labels]
    carried = np.log(FLOOR + probabilities @ pieces.T)
    kept = carried[np.arange(64), np.arange(64)]
    others = values.copy()
    others[np.arange(64), labels] = -np.inf
    changed = (seen | remembered) & (others.max(1) - kept > DOUBT)
    return Evidence(values, carried, kept, bitboard(seen | changed), bitboard(changed))


def bitboard(mask: NDArray[np.bool_]) -> chess.Bitboard:
    """A (64,) mask as python-chess's integer."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")
