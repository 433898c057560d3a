"""A closer look at single men, cut out of the picture as they stand: a second network tells kinds better."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY, LABELS
from vision.acquaintance import Acquaintance
from vision.album import Album
from vision.canvas import SQUARE_CENTRES
from vision.disturb import BRIM
from vision.lean import OTHERWISE, Lean, by_pose
from vision.reader import FEATURES, FLOOR, Floats, Reader
from vision.ridge import Ridge
from vision.teach import Shown
from vision.tint import PIXELS, Tint, colours_of
from vision.upright import SIZE, bases_of, upright

THERE = 1.0, 0.3  # weights of the two networks' nats for a man and none,
WHOSE, WHAT = (0.8, 0.6), (0.6, 0.8)  # and for his side and his kind; on 36 rendered sets not trained on
FAINT = 1e-3  # probability of a man and none, and of either side, whatever a network says,
STAIN = 1e-4  # and of any kind
FEW = 14  # men by whom it is found out which way they lean,
READABLE = -0.4  # where they read worse, on an average, in nats,
BETTER = 0.35  # nats that another way must gain
SOME = np.arange(64) % 3 == 0
"""(64,) of the squares that are empty at the start, those from which is learnt how such look closely."""
MAN = 0.05  # probability of a man from which one is looked at
ON_BOARD, BESIDE = 2.5, 3.5
"""Nats that a man's colour says of his side, at most: of those beside the board nothing else has been taught. On the
board, in 46 rendered pictures of sets not trained on, log-loss is .0608, .0606, .0609, .0616 with 1.5, 2, 3 and 4."""

Points = NDArray[np.float64]
Chosen = NDArray[np.bool_]
Picture = NDArray[np.uint8]
Real = TypeVar("Real", bound=np.floating)
Second = Callable[[Chosen, Points], tuple[Floats, Points, Floats]]
"""What the second network says of some of n places, (n, 2) their points in board coordinates: (m, 13) logits, where it
sees the men stand, (m, 2), and (m,) log-odds that they lie."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """`logits`: (n, 13) over `LABELS`. `features`: (n, 128), what they are made of. `bases`: (n, 2) where the men
    stand, in board coordinates. `lying`: (n,) log-odds that they lie. `colours`: (n, 70, 3) of their pixels. `cuts`:
    (n, 124, 100, 3) of what was looked at, upright with a brim."""

    logits: Floats
    features: Floats
    bases: Points
    lying: Floats
    colours: Picture
    cuts: Picture


LOOK = [field.name for field in fields(Look)]


class Closer:
    """The second network, and what it has learnt of one set under one camera."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.ridge = Ridge(reader.closer["strength"], reader.closer["reluctance"])
        self.tint = Tint()
        self.acquaintance = Acquaintance()
        self.lean: Lean | None = None  # as the pose says

    def look(self, image: Picture, view: View, points: Points) -> Look:
        """At what stands at (n, 2) points in board coordinates."""
        if not len(points):
            return nothing(0)
        lean = self.leaning(view)
        cuts = upright(image, view, points, lean, BRIM)
        men = np.ascontiguousarray(cuts[:, BRIM:-BRIM, BRIM:-BRIM])
        logits, features, off, lying = self.reader.look_closer(men)
        return Look(logits, features, bases_of(view, points, lean, off), lying, colours_of(men), cuts)

    def leaning(self, view: View) -> Lean:
        """As men lean there: as was found out, or else as the pose says."""
        return self.lean or by_pose(view)

    def find_lean(self, image: Picture, view: View, points: Points, likely: Floats) -> None:
        """Which way men lean, where the pose does not tell: in a picture that was laid flat before. So that men read as
        they should, by (n, 13) probabilities; from few of them, and only where they do not."""
        few = few_of(len(points))
        points, likely = points[few], likely[few]

        def fit(lean: Lean) -> float:
            logits = self.reader.look_closer(upright(image, view, points, lean))[0]
            return float((likely * np.maximum(normal(logits), FLOOR)).sum(1).mean())

        self.lean = said = by_pose(view)
        if len(few) < FEW or (most := fit(said)) > READABLE:
            return
        fits = [fit(lean) for lean in OTHERWISE]
        best = int(np.argmax(fits))
        self.lean = OTHERWISE[best] if fits[best] > most + BETTER else said

    def learn(self, look: Look, labels: NDArray[np.int64]) -> None:
        """Take in what (n,) labels were looked at."""
        self.ridge.learn(look.features, look.logits, labels)
        self.tint.learn(look.colours, np.eye(len(LABELS))[labels])

    def meet(self, features: Floats, logits: Floats, label: int) -> None:
        """Get to know a man beside the board by his (128,) features and the (13,) logits made of them."""
        self.acquaintance.meet(features, self.ridge(features[None], logits[None])[0], label)

    def learn_start(
        self, image: Picture, view: View, labels: NDArray[np.int64], certain: Chosen, nudge: Sequence[float]
    ) -> None:
        """Take in a picture of the start position, (64,) `labels` of which some are `certain`; the first tells which
        way men lean, too. `nudge`: squares by which it is looked aside."""
        full = labels != EMPTY
        if self.lean is None:
            men = np.flatnonzero(certain & full)
            likely = np.eye(len(LABELS), dtype=np.float32)[labels[men]]
            self.find_lean(image, view, SQUARE_CENTRES[men], likely)
        known = np.flatnonzero(certain & (full | SOME))
        self.learn(self.look(image, view, SQUARE_CENTRES[known] + nudge), labels[known])

    def album(self, image: Picture, view: View, labels: NDArray[np.int64], certain: Chosen) -> Album:
        """By which the second network itself is taught, with a picture from which has been learnt."""
        cuts = upright(image, view, SQUARE_CENTRES[certain], self.leaning(view), BRIM)
        return Album(Shown(cuts, labels[certain]), labels)

    def with_reader(self, reader: Reader) -> "Closer":
        """One that goes on with a reader that has been taught; what the last layer had learnt was of the one before."""
        other = Closer(reader)
        other.lean, other.tint = self.lean, self.tint
        return other

    def at(self, image: Picture, view: View, colour: float = ON_BOARD) -> Second:
        """What it says of one picture. `colour`: nats that it says of a man's side, at most."""

        def second(chosen: Chosen, points: Points) -> tuple[Floats, Points, Floats]:
            look = self.look(image, view, points[chosen])
            return self.says(look, colour), look.bases, look.lying

        return second

    def says(self, look: Look, colour: float) -> Floats:
        """(n, 13) logits after what was learnt."""
        logits = self.acquaintance(look.features, self.ridge(look.features, look.logits))
        # Of one who lies other parts are seen there, and what he lies on.
        white = np.where(look.lying > 0, 0.0, self.tint(look.colours, colour))[:, None] / (2 * WHOSE[1])
        men = np.hstack([logits[:, :6] + white, logits[:, 6:EMPTY] - white])
        # Whether a man stands there is another matter.
        men += np.logaddexp.reduce(logits[:, :EMPTY], 1, keepdims=True) - np.logaddexp.reduce(men, 1, keepdims=True)
        return np.asarray(np.hstack([men, logits[:, EMPTY:]]), np.float32)


class Kept:
    """The last look at each of some places, as long as nothing changes there."""

    def __init__(self, closer: Closer, count: int, colour: float = ON_BOARD) -> None:
        self.closer, self.colour, self.looks = closer, colour, nothing(count)
        self.taken = np.zeros(count, np.bool_)

    def forget(self, changed: Chosen | bool) -> None:
        """Something has changed at (n,) of the places, or at all of them or none."""
        self.taken &= np.logical_not(changed)

    def features(self) -> Floats:
        """(n, 128) of the last looks; 0 where none was taken."""
        return np.where(self.taken[:, None], self.looks.features, np.float32(0))

    def bases(self, otherwise: Points) -> Points:
        """(n, 2) board coordinates of where men stood at the last looks; `otherwise` where none was taken."""
        return np.where(self.taken[:, None], self.looks.bases, otherwise)

    def lying(self, first: Floats) -> Floats:
        """(n,) log-odds that men lie, as both networks see them; `first` where no last look was taken."""
        return np.asarray(np.where(self.taken, both_lying(first, self.looks.lying), first), np.float32)

    def at(self, image: Picture, view: View) -> Second:
        """What the second network says now."""

        def second(chosen: Chosen, points: Points) -> tuple[Floats, Points, Floats]:
            new = chosen & ~self.taken
            look = self.closer.look(image, view, points[new])
            kept = self.looks
            for name in LOOK:
                getattr(kept, name)[new] = getattr(look, name)
            self.taken |= new
            look = Look(*(getattr(kept, name)[chosen] for name in LOOK))
            return self.closer.says(look, self.colour), look.bases, look.lying

        return second


def nothing(count: int) -> Look:
    """Looks that have not been taken."""
    logits, features = (np.zeros((count, size), np.float32) for size in (len(LABELS), FEATURES))
    colours = np.zeros((count, PIXELS, 3), np.uint8)
    wide, high = (side + 2 * BRIM for side in SIZE)
    cuts = np.zeros((count, high, wide, 3), np.uint8)
    return Look(logits, features, np.zeros((count, 2)), np.zeros(count, np.float32), colours, cuts)


def closely(likelihoods: Floats, points: Points, second: Second, among: Chosen | bool = True) -> Floats:
    """(n, 13) log-likelihoods after a closer look wherever a man may well stand. `points`: (n, 2) board coordinates.
    `among`: (n,) where one can be taken."""
    found = likelihoods.copy()
    men = may_stand(likelihoods) & among
    found[men] = both(likelihoods[men], second(men, points)[0])
    return found


def both_lying(first: Floats, second: Floats) -> Floats:
    """(n,) log-odds that men lie, of those by either network: their mean, of a size with either."""
    return np.asarray((first + second) / 2, np.float32)


def few_of(count: int) -> NDArray[np.int64]:
    """Which of so many men are looked at to find out which way they lean: from all over the board."""
    return np.linspace(0, count - 1, min(FEW, count)).astype(np.int64)


def may_stand(likelihoods: Floats) -> Chosen:
    """(n,) where a man may well stand."""
    return np.asarray(likelihoods[:, EMPTY] < np.log(1 - MAN), np.bool_)


def both(first: Floats, second: Floats) -> Floats:
    """(n, 13) log-likelihoods that both networks agree on: whether a man stands there, his side, and his kind whatever
    the side the second takes him for. `first`: (n, 13) log-likelihoods; `second`: logits."""
    kinds, sides, there = _apart(first)
    _, other_sides, other_there = _apart(second)
    other_kinds = normal(np.logaddexp.reduce(second[:, :EMPTY].reshape(-1, 2, 6), 1))[:, None]
    kinds = _mixed(WHAT, _stained(kinds, STAIN), _stained(other_kinds, STAIN))
    sides = _mixed(WHOSE, _stained(sides, FAINT), _stained(other_sides, FAINT))
    there = _mixed(THERE, there, _stained(other_there, FAINT))
    men = kinds + (sides + there[:, :1])[..., None]
    return np.asarray(np.maximum(np.column_stack([men.reshape(-1, EMPTY), there[:, 1]]), FLOOR), np.float32)


def _apart(logits: Floats) -> tuple[Floats, Floats, Floats]:
    """Log-probabilities (n, 2, 6) of kinds, given the side; (n, 2) of sides, given a man; (n, 2) of a man and none."""
    men = logits[:, :EMPTY].reshape(-1, 2, 6)
    sides = np.logaddexp.reduce(men, 2)
    there = np.column_stack([np.logaddexp.reduce(sides, 1), logits[:, EMPTY]])
    return normal(men), normal(sides), normal(there)


def _mixed(weights: tuple[float, float], one: Floats, other: Floats) -> Floats:
    return normal(np.asarray(weights[0] * one + weights[1] * other, np.float32))


def _stained(logs: Floats, stain: float) -> Floats:
    return np.asarray(np.logaddexp(logs, np.log(stain)), np.float32)


def normal(logs: NDArray[Real]) -> NDArray[Real]:
    """Log-probabilities over the last axis."""
    return np.asarray(logs - np.logaddexp.reduce(logs, -1, keepdims=True), logs.dtype)
