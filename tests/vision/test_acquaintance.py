"""Men beside the board whom the match has made known."""

import numpy as np
from numpy.typing import NDArray

from rules.observation import LABELS
from vision.acquaintance import MOST, Acquaintance
from vision.reader import FEATURES, Floats


def man(number: int, off: float = 0.0) -> Floats:
    """(128,) features of a man, seen so much otherwise."""
    features = np.random.default_rng(number).normal(size=FEATURES)
    return np.asarray(features + off * np.random.default_rng(99).normal(size=FEATURES), np.float32)


def read_as(letter: str) -> Floats:
    return np.asarray(np.where(np.array(list(LABELS)) == letter, 5.0, 0.0), np.float32)


def told(known: Acquaintance, *looks: tuple[Floats, Floats]) -> str:
    features, logits = (np.array(parts) for parts in zip(*looks, strict=True))
    found: NDArray[np.int64] = known(features, logits).argmax(1)
    return "".join(LABELS[label] for label in found)


def test_who_looks_just_so_is_who_was_known_and_nobody_else() -> None:
    known = Acquaintance()
    looks = (man(1), read_as("P")), (man(1, 0.2), read_as("P")), (man(2), read_as("P")), (man(3), read_as("n"))
    assert told(known, *looks) == "PPPn"
    known.meet(man(1), read_as("P"), LABELS.index("B"))
    assert told(known, *looks) == "BBPn"
    known.meet(man(3), read_as("n"), LABELS.index("N"))
    assert told(known, *looks) == "BBPN"


def test_who_was_told_wrongly_is_known_better_when_he_is_told_again() -> None:
    known = Acquaintance()
    known.meet(man(1), read_as("P"), LABELS.index("B"))
    known.meet(man(1, 0.02), read_as("P"), LABELS.index("N"))
    assert told(known, (man(1), read_as("P"))) == "N"


def test_of_two_who_look_nearly_alike_the_nearer_counts() -> None:
    known = Acquaintance()
    known.meet(man(1), read_as("P"), LABELS.index("B"))
    known.meet(man(1, 0.6), read_as("P"), LABELS.index("P"))
    assert told(known, (man(1), read_as("P")), (man(1, 0.6), read_as("P"))) == "BP"


def test_a_whole_evening_keeps_the_last() -> None:
    known = Acquaintance()
    for number in range(2 * MOST):
        known.meet(man(number), read_as("P"), LABELS.index("B"))
    assert len(known.features) == MOST
    assert told(known, (man(2 * MOST - 1), read_as("P")), (man(0), read_as("P"))) == "BP"
