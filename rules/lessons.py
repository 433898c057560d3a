"""What a match teaches about how its set looks: the reader's likelihoods are put right by what moves have made certain.

A reader that has never seen this set takes some of its kinds for others, above all where a piece stands otherwise than
at the start. The moves tell in the end what stood there; a ridge regression from the reader's features to what it got
wrong is what it learns from that, and most of all from who looked just so: as one does who has not moved since. Such
near looks count of men only who are known by where they came from. Who was dropped is known by how he was read, and
would confirm himself.
"""

import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS, Observation, probabilities_of

N = len(LABELS)
RELUCTANCE = 20.0  # ridge, features being brought to a spread of 1
STRENGTH = 4.0  # of what is learnt, in nats a unit of probability read wrong
NEAR = 200.0  # times as much as a feature of spread 1 a look counts for what looks just so,
WIDTH = 0.2  # and e^-1/2 times as much at this mean square of how far features are apart, for spread 1

Floats = NDArray[np.float64]


class Lessons:
    """What is known of one board's set. A lesson is one man on one square, as he looked when he was last certain;
    before the first ply empty squares are lessons, too."""

    def __init__(self) -> None:
        self.features: Floats = np.zeros((64, 0))  # as each square looked when it was last seen,
        self.squares = np.zeros((64, N), np.float32)  # and what was read then, log-likelihoods
        self.asked: Floats = np.full((64, N), 1 / N)  # what was last to be put right,
        self.righted: Floats = self.asked.copy()  # and has been,
        self.stale = np.ones(64, np.bool_)  # but for these squares: since then they look otherwise
        self.man = np.arange(64)  # who stands on each square,
        self.men = 64
        self.lesson = np.full(64, -1)  # and which lesson he is there
        self.label: dict[int, int] = {}  # by man
        self.looks: list[Floats] = []  # by lesson: features,
        self.guesses: list[Floats] = []  # what was read,
        self.whose: list[int] = []  # and which man it was
        self.scale = 1.0
        self.learnt: Floats = np.zeros((0, 1))  # (n, k + 1) the looks of all lessons,
        self.weights: Floats | None = None  # and (n, 13) what they say

    def look(self, observation: Observation) -> None:
        """Take in how the squares look that are seen."""
        width = observation.features.shape[1]
        if not width:
            return
        if self.features.shape[1] != width:
            self.features = np.zeros((64, width))
        new = np.flatnonzero(observation.seen & (observation.squares != self.squares).any(1))
        self.squares[new], self.features[new] = observation.squares[new], observation.features[new]
        self.stale[new] = True

    def right(self, probabilities: Floats) -> Floats:
        """(64, 13) probabilities of the squares with their kinds put right. Colours, and what is empty, the reader
        tells well."""
        if self.weights is None:
            return probabilities
        stale = self.stale | (probabilities != self.asked).any(1)
        self.righted[stale] = self._right(probabilities[stale], self.features[stale], self.weights)
        self.asked, self.stale = probabilities.copy(), np.zeros(64, np.bool_)
        return self.righted.copy()

    def _right(self, probabilities: Floats, features: Floats, weights: Floats) -> Floats:
        found = probabilities.copy()
        likeness = self._likeness(self._scaled(features), np.ones(len(features), np.bool_))
        logits = np.log(probabilities) + likeness @ weights
        for colour in (slice(0, 6), slice(6, 12)):
            sure = np.exp(logits[:, colour] - logits[:, colour].max(1, keepdims=True))
            found[:, colour] = sure * probabilities[:, colour].sum(1, keepdims=True) / sure.sum(1, keepdims=True)
        return found

    def learn(self, labels: NDArray[np.int64], certain: NDArray[np.bool_]) -> None:
        """The `certain` squares, as they looked last, hold what (64,) `labels` say."""
        if not self.features.shape[1] or not certain.any():
            return
        if self.weights is None:
            self.scale = float(self.features[certain].std()) + 1e-9
        else:
            certain = certain & (labels != EMPTY)
        for square in np.flatnonzero(certain).tolist():
            self._note(square, int(labels[square]))
        self.learnt = self._scaled(np.array(self.looks))
        wrong = np.eye(N)[[self.label[man] for man in self.whose]] - np.array(self.guesses)
        likeness = self._likeness(self.learnt, self._by_origin())
        ridge = RELUCTANCE * np.eye(len(likeness))
        self.stale[:] = True
        self.weights = np.asarray(STRENGTH * np.linalg.solve(likeness + ridge, wrong))

    def carry(self, contents: NDArray[np.int64]) -> None:
        """Men have moved. `contents`: (64,) 13 + where each came from, or less."""
        origin = contents - N
        self.lesson = np.where(origin == np.arange(64), self.lesson, -1)
        self.man = np.where(origin >= 0, self.man[np.maximum(origin, 0)], self.men + np.arange(64))
        self.men += 64

    def _note(self, square: int, label: int) -> None:
        man = int(self.man[square])
        if self.label.get(man, label) // 6 != label // 6:  # the arbiter has set another position
            man = self.man[square] = self.men
            self.men += 1
            self.lesson[square] = -1
        self.label[man] = label  # what was told of him before may have been a mistake
        number, guess = int(self.lesson[square]), probabilities_of(self.squares[[square]])[0]
        if number < 0:
            self.lesson[square] = len(self.looks)
            self.looks.append(self.features[square].copy())
            self.guesses.append(guess)
            self.whose.append(man)
        else:
            self.looks[number], self.guesses[number] = self.features[square].copy(), guess

    def _likeness(self, looks: Floats, near: NDArray[np.bool_]) -> Floats:
        """(m, n) of (m, k + 1) looks to those learnt; `near`: (m,) which may be near them."""
        together = looks @ self.learnt.T
        off = (looks**2).sum(1)[:, None] + (self.learnt**2).sum(1) - 2 * together
        alike = np.exp(-off / (2 * WIDTH * looks.shape[1]))
        return np.asarray(together + NEAR * alike * np.outer(near, self._by_origin()))

    def _by_origin(self) -> NDArray[np.bool_]:
        """(n,) which lessons are men who have been there since the start."""
        return np.array(self.whose) < 64

    def _scaled(self, features: Floats) -> Floats:
        return np.column_stack([features / self.scale, np.ones(len(features))])
