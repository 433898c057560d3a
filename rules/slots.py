"""Men who stand together in a pocket: which of them are the same as before, and of which kinds they may be."""

import math
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, PocketObservation

STRAY = 0.02  # probability that a piece is none of those it could be by when it came
BLUR = 0.08  # probability of any kind, whatever a piece reads as
IMPOSSIBLE = 10.0  # nats against what the known pieces cannot have left
CERTAIN = 0.96  # probability from which a piece counts as one too many,
APART = 0.75  # squares from the next
OTHER = 0.4  # likeness in reading below which a piece is another than that which stood here
SAME = 0.4  # squares within which a piece in a pocket is the one that stood there
MOVED, HALF = 0.2, 0.65  # squares from where a piece stood to the nearer of two that it is seen as, and to the other
STILL = 0.25  # squares from where a piece stood within which one seen close to another is it
CLOSE, MIDWAY = 1.1, 0.25  # squares between two pieces that the reader may see as one, and from halfway to that one

BEFORE = 1.0  # seconds for which it is seen to be gone before another comes who does not hide it
REACH, NEAR = (0.3, 1.1), 0.4  # shares of the way to his head at which a man hides what is as near, in squares

LEARN = 0.2  # weight of a new look in how a piece reads

Floats = NDArray[np.float64]

ANY = np.full(6, 1 / 6)  # how a piece reads of which nothing is known


@dataclass(slots=True, eq=False)
class Slot:
    """A piece standing in a pocket. `likely`: (6,) how likely each kind is, as it looks and as it came.

    `look`: (6,) how it reads, by kind. `came`: (6,) what it may be by when it came. `sure`: probability that it is no
    ghost that the reader sees beside another. `since`, `last`: when it was first and last seen. `there`: it is now.
    """

    centre: Floats
    look: Floats
    came: Floats
    sure: float = 1.0
    since: float = -np.inf
    last: float = -np.inf
    there: bool = True
    whole: Floats = field(default_factory=lambda: np.full(2, np.nan))  # where it stood when it was seen as one
    gone: float = np.inf  # since when it is seen to be there no more
    away: int = 0  # looks at an open pocket in which it was not seen, one after the other
    lean: Floats = field(default_factory=lambda: np.zeros(2))  # from its base to where its head appears
    left: tuple[Floats, float] | None = None  # where it stood before it was found elsewhere, and when last
    veiled: float = np.inf  # when it was last seen before another came to stand before it, if one did
    known: int = 0  # the kind that has been told to the reader, 0 for none
    most: Floats = field(init=False)  # (6,) how much it has read as each kind at most

    def __post_init__(self) -> None:
        self.most = self.look

    @property
    def likely(self) -> Floats:
        """(6,) how likely each kind is."""
        return np.asarray((self.look + BLUR) * (self.came + STRAY))

    def stand(self, centre: Floats, sure: float, time: float) -> None:
        """It is seen, at this place."""
        self.centre, self.sure, self.last, self.there, self.away = centre, sure, time, True, 0
        self.gone = np.inf

    def read(self, kinds: Floats) -> None:
        """It reads so in one more look, (6,) by kind."""
        self.look = self.look + LEARN * (kinds - self.look)
        self.most = np.maximum(self.most, self.look)

    def move(self, centre: Floats, sure: float, since: float, time: float) -> None:
        """It stands elsewhere since then, or another does."""
        self.left, self.since, self.known = (self.centre, self.last), since, 0
        self.stand(centre, sure, time)

    def hidden_since(self, came: float) -> bool:
        """Whether one who came then may hide it since: who is seen to be gone for a while by then is not behind him."""
        return came >= min(self.last, self.veiled) and (self.veiled < np.inf or came <= self.gone + BEFORE)

    def was_another(self) -> None:
        """Who was found elsewhere was not it: nobody has seen where it is."""
        assert self.left is not None
        (self.centre, self.last), self.left, self.there = self.left, None, False


def hidden_by(points: Floats, bases: Floats, heads: Floats) -> NDArray[np.bool_]:
    """(m, n) which of (m, 2) points each of n men hides who stands before it; (n, 2) bases, and where heads appear."""
    along = np.linspace(*REACH, 5)[:, None, None] * (heads - bases) + bases
    gaps = np.hypot(*np.moveaxis(points[:, None, None] - along, -1, 0))
    return np.asarray(gaps.min(1) < NEAR)


def alike(one: Floats, other: Floats) -> float:
    """1 for pieces that read alike, 0 for such that have nothing in common."""
    return float(one @ other) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-9)


def men_of(observation: PocketObservation) -> Floats:
    """(n, 2, 6) probabilities by side, White first, and by kind."""
    return np.asarray(np.exp(observation.pieces[:, :EMPTY].astype(np.float64)).reshape(-1, 2, 6))


def kinds_and_presence(observation: PocketObservation) -> tuple[Floats, Floats]:
    """(n, 6) probabilities by kind, of either colour: a pocket holds its owner's colour only. And (n,) that a piece
    stands there; whose it is may be hard to tell."""
    found = men_of(observation).sum(1)
    sure = found.sum(1)
    return np.asarray(found / np.maximum(sure[:, None], 1e-9)), np.asarray(sure)


def apart(centres: Floats, sure: Floats, alone: Floats) -> tuple[int, Floats]:
    """How many pieces there are at least: where one leans over another, the reader may see a third. And (k, 2) where
    those stand who surely are none: they were seen with nobody beside them. `sure`: as from
    `kinds_and_presence`. `alone`: where
    such stood before."""
    if not len(centres):
        return 0, centres
    gaps = np.hypot(*(centres[:, None] - np.vstack([centres, alone])).T).T
    beside, before = gaps[:, : len(centres)] <= APART, gaps[:, len(centres) :]
    chosen = list({int(column.argmin()) for column in before.T if column.min(initial=np.inf) < SAME})
    known = len(chosen)
    for index in np.argsort(-sure):
        if sure[index] > CERTAIN and not beside[index, chosen].any():
            chosen.append(int(index))
    singly = [index for n, index in enumerate(chosen) if n < known or beside[index].sum() == 1]
    return len(chosen), centres[singly]


def nearest(men: NDArray[np.floating], place: NDArray[np.floating]) -> float:
    """Squares from a place to the next of (n, 2) men, infinity for none. They are so few that numpy would be slower."""
    here = place.tolist()
    return min((math.dist(man, here) for man in men.tolist()), default=math.inf)


def unmatched(before: Floats, now: Floats) -> list[int]:
    """Indices of `now` (n, 2) with nothing near in `before`."""
    return [index for index, centre in enumerate(now) if nearest(before, centre) > SAME]


def seen_as_one(slots: list[Slot], centres: Floats) -> dict[int, tuple[Slot, Slot]]:
    """Two pieces that stood close together, by the index of `centres` (n, 2) where one is seen between them and none
    where either stood."""
    found: dict[int, tuple[Slot, Slot]] = {}
    if not len(centres):
        return found
    standing = [slot for slot in slots if slot.there]
    lost = unmatched(centres, np.array([slot.centre for slot in standing]).reshape(-1, 2))
    for one, other in combinations([standing[index] for index in lost], 2):
        halfway = (one.centre + other.centre) / 2
        away = np.hypot(*(centres - halfway).T)
        taken = any(slot in pair for pair in found.values() for slot in (one, other))
        if math.dist(one.centre, other.centre) < CLOSE and away.min() < MIDWAY and not taken:
            found.setdefault(int(away.argmin()), (one, other))
    return found


def seen_close(slots: list[Slot], centres: Floats, close: NDArray[np.float32]) -> list[Slot]:
    """Pieces that stood here and are seen still, but so near to others that nobody can tell them apart. `close`:
    as in `PocketObservation`."""
    return [slot for slot in slots if nearest(close, slot.centre) < STILL and nearest(centres, slot.centre) > SAME]


def seen_as_two(slots: list[Slot], centres: Floats) -> list[Slot]:
    """Pieces of which the reader sees base and head apart: where each stood none is seen, but one on either side."""
    found = []
    for slot in slots:
        ways = centres - slot.whole
        away = np.hypot(*ways.T)
        nearer, other = np.argsort(away)[:2].tolist() if len(centres) > 1 else (0, 0)
        if nearer != other and MOVED < away[nearer] < away[other] < HALF and ways[nearer] @ ways[other] < 0:
            found.append(slot)
    return found
