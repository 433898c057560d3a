"""What the pictures of one board say, weighed against what we know of this set.

A reader is often wrong about a kind, and wrong in the same way all match long. So nothing is compared with an ideal
reader: how each piece of this set reads is learnt from squares whose content the moves have made certain, from the
start position on, and every square also remembers how it read since its piece came to stand there. What newly comes to
a square is weighed by its label alone, and there the reading as the lessons of the match put it right counts.
"""

import numpy as np
from numpy.typing import NDArray

from rules.lessons import Lessons
from rules.observation import EMPTY, LABELS, groups, next_to
from rules.readings import ALL, Readings

N = len(LABELS)
FLOOR = 0.001  # probability that any look at all is an accident
TRUST = 0.6  # of a label as read, before anything was learnt; the rest goes to other kinds of the same colour
TRIED = 6.0  # men that must have moved for what they read as then to weigh as much as that
MOST = 0.95  # of a label as read, however well all have read so far
DOUBTED = 0.4  # weight of that against what was learnt: the same piece may read otherwise elsewhere
OWN = 0.7  # weight of a square's own past against that of its label
LEARN = 0.15  # weight of a new look in what was learnt

STALE = 0.1  # probability that a covered square reads as it did before, whatever has come there or gone: of 1,594 looks
# at such in films from 42 to 55 degrees 6% are wrong, of 824,000 at others one in 2,000
AGREE = 0.5  # share of what such a square says that counts, as one look goes wrong like the next: of 252 men there 10%
# read with less than 0.05 as what they are, of 7,566 others none;
GHOST = 0.02  # but not of whether anybody stands there, but for so much: of 275 looks at empty ones in 29 films none
# read as a man, of 186 at men seven, at one pawn, as empty
OTHER = 0.3  # probability that a man there reads as of the other colour, that of who covers him: of 33 looks at black
# men 17 did, at three squares, of 146 at white ones none
OTHERS = np.r_[6:EMPTY, :6]
"""The labels of the men of the other colour."""

FLAT, ACROSS = 2.0, 0.5  # log-odds from which a man surely lies, and how likely he shows on the next square, too
SELDOM = 0.1  # share that counts of how surely such a square reads as empty: of 450,933 looks at empty ones in 17 films
# none read so flat, three more than 1.5

Floats = NDArray[np.float64]

LIKE = np.zeros((N, N))
"""By label, what else it is read as: any kind of the same colour; what is empty, nothing else."""
LIKE[:6, :6] = LIKE[6:12, 6:12] = 1 / 6
LIKE[EMPTY, EMPTY] = 1.0


class Experience:
    """How labels read here. `by_label`: (13, 13) mean probabilities read, by true label. `by_square`: (64, 13)."""

    def __init__(self) -> None:
        self.lessons = Lessons()
        self.readings = Readings()
        self.flicker = 0.0  # share of the open squares that read otherwise than a look before, of late
        self.trust = TRUST  # how far a man may be believed who newly stands somewhere
        self.tried = TRIED
        self.by_label = self._prior()
        self.by_square = np.zeros((64, N))
        self.known = np.zeros(64, np.bool_)  # squares that have a past of their own,
        self.moved = np.zeros(64, np.bool_)  # and such whose man has moved since he was last certain
        self.odd = np.zeros(64, np.bool_)  # and such that have never read as they should

    def learn(self, probabilities: Floats, labels: NDArray[np.int64], certain: NDArray[np.bool_]) -> None:
        """Take in (64, 13) probabilities read, where `certain` says that a square holds its label."""
        self.lessons.learn(labels, certain)
        for square in np.flatnonzero(certain & self.moved).tolist():
            self._try(probabilities[square], int(labels[square]))
        self.moved &= ~certain
        fresh = certain & (~self.known | self.odd)
        self.odd &= ~certain
        step = np.where(fresh, 1.0, LEARN)[:, None]
        self.by_square += np.where(certain[:, None], step * (probabilities - self.by_square), 0.0)
        self.known |= certain
        for label in np.unique(labels[certain]):
            mean = probabilities[certain & (labels == label)].mean(0)
            self.by_label[label] += LEARN * (mean - self.by_label[label])

    def expect(self, probabilities: Floats, squares: NDArray[np.bool_]) -> None:
        """Before the first ply these squares read otherwise than what surely stands there: so they will go on reading,
        as where the picture's edge cuts a man, or a head leans over an empty square."""
        odd = squares & ~self.known
        self.by_square[odd] = probabilities[odd]
        self.known |= odd
        self.odd |= odd

    def mistake(self, probabilities: Floats, contents: NDArray[np.int64], squares: NDArray[np.bool_]) -> None:
        """These squares go on reading otherwise than the men that surely stand there: so these read, wherever they go.
        `contents`: as for `carry`."""
        for square in np.flatnonzero(squares & (contents >= N)):
            self.by_square[contents[square] - N] = probabilities[square]
            self.known[contents[square] - N] = True

    def carry(self, contents: NDArray[np.int64]) -> None:
        """Pieces have moved and take their past along. `contents`: (64,) 13 + where each came from, or less."""
        self.lessons.carry(contents)
        origin = np.maximum(contents - N, 0)
        stays = (contents >= N) & (origin == np.arange(64))
        self.by_square = self.by_square[origin]
        self.known = self.known[origin] & (contents >= N) & (stays | ~self.odd[origin])
        self.odd &= stays
        self.moved = np.where(stays, self.moved, contents >= N)

    def expected(self) -> Floats:
        """(13, 13): what to expect to read, by label; never quite certain."""
        return (1 - DOUBTED) * self.by_label + DOUBTED * self._prior()

    def _try(self, read: Floats, label: int) -> None:
        """A man who has moved reads like that where he stands now. Who he is is known from where he came from."""
        like = read[label - label % 6 :][:6]
        sure = like.max() / (like.sum() + FLOOR)
        self.tried += sure
        self.trust += sure * (read[label] / (like.max() + FLOOR) - self.trust) / self.tried

    def _prior(self) -> Floats:
        """Mostly as read, else another kind of the same colour, seldom anything."""
        trust = min(self.trust, MOST)
        return np.asarray(trust * np.eye(N) + (0.97 - trust) * LIKE + 0.03 / N)


def likelihoods(
    probabilities: Floats,
    labels: NDArray[np.int64],
    experience: Experience,
    covered: NDArray[np.bool_],
    lying: NDArray[np.float32],
) -> Floats:
    """(64, 77) log-likelihood of (64, 13) probabilities read, by square and by what it holds. `covered`, `lying`: as in
    `Observation`.

    The first 13 columns: a piece by its label, newly come; the others: what stood on each square in the position of
    `labels`, (64,), with its own past.
    """
    expected, flat = experience.expected(), lying > FLAT
    across = _across(probabilities, flat)
    flat[across] = False
    probabilities = _with_who_lies(probabilities, flat)
    men = probabilities[covered, :EMPTY]
    probabilities[covered, :EMPTY] += OTHER * (men[:, OTHERS] - men)
    own = np.where(experience.known, OWN, 0.0)[:, None]
    pieces = own * experience.by_square + (1 - own) * expected[labels]
    new = experience.lessons.right(probabilities) @ expected.T
    likely = np.concatenate([new, probabilities @ pieces.T], 1)
    as_before = likely[ALL, N + ALL]
    likely[covered] += STALE * (as_before[:, None] - likely)[covered]
    for square in across:  # it may be empty, and show who lies beside it
        kinds = likely[square, :EMPTY].reshape(2, 6).mean(1).max()
        nobody = [EMPTY, N + square][: 1 + (labels[square] == EMPTY)]
        likely[square, nobody] += ACROSS * (kinds - likely[square, nobody])
    found = np.asarray(np.log(FLOOR + likely))
    empty = probabilities[covered, EMPTY, None]
    occupied = np.log(GHOST + np.where(np.concatenate([np.arange(N), labels]) == EMPTY, empty, 1 - empty))
    found[covered] = occupied + AGREE * (found[covered] - occupied)
    return found


def _with_who_lies(probabilities: Floats, flat: NDArray[np.bool_]) -> Floats:
    """(64, 13) probabilities read, where `flat` squares show somebody who lies: little of him may show where he is."""
    found = probabilities.copy()
    found[flat, EMPTY] *= SELDOM
    found[flat] /= found[flat].sum(1, keepdims=True)
    return found


def _across(probabilities: Floats, flat: NDArray[np.bool_]) -> list[int]:
    """Squares of those that show men who lie, beside others that show the same side's."""
    side = groups(probabilities.argmax(1))
    sides = [flat & (side == group) for group in (0, 1)]
    found = [men & next_to(men) for men in sides if men.sum() > 1]
    return np.flatnonzero(np.any(found, 0)).tolist() if found else []
