"""What the squares of a board have shown."""

import chess
import numpy as np
import pytest

from rules.evidence import Experience, N, likelihoods
from rules.history import NEW, RESTLESS, History
from rules.observation import EMPTY, LABELS, UPRIGHT, Observation, labels_of
from tests.rules.table import torn

PAWN = LABELS.index("P")
NOWHERE = np.zeros(64, np.bool_)
STANDING = np.full(64, -UPRIGHT, np.float32)


def look(history: History, time: float, label: int | None, since: float = np.inf, left: bool = False) -> None:
    """All is seen but d4, which shows a label; None: it is hidden. `left`: the pawn of d2 stands there no more."""
    squares = np.full((64, len(LABELS)), -6.0, np.float32)
    labels = labels_of(chess.Board())
    squares[np.arange(64), np.where(left & (np.arange(64) == chess.D2), EMPTY, labels)] = 0.0
    seen, first = np.ones(64, np.bool_), np.full(64, np.inf)
    if label is None:
        seen[chess.D4] = False
    else:
        squares[chess.D4] = np.where(np.arange(len(LABELS)) == label, 0.0, -6.0)
        first[chess.D4] = since
    history.look(Observation("A", time, squares, seen, {}, hand=False, moving=False, since=first), labels)


@pytest.mark.parametrize(("since", "expected"), [(np.inf, 2.0), (1.25, 1.25), (2.5, 2.0)])
def test_what_a_square_shows_counts_from_when_it_was_first_seen_there(since: float, expected: float) -> None:
    history = History(Experience())
    for tick in range(10):
        look(history, tick / 10, EMPTY)
    for tick in range(10, 20):
        look(history, tick / 10, None)
    look(history, 2.0, PAWN, since)
    assert history.switched(chess.D4, (NEW + chess.D4, PAWN), 1) == expected
    assert history.lasting[chess.D4] == 0.0  # it has lain open only now
    look(history, 2.5, PAWN)
    assert history.lasting[chess.D4] == 0.5
    assert history.switched(chess.D4, (NEW + chess.D4, PAWN), 1) == expected


def test_a_square_that_shows_another_colour_has_not_come_to_hold_a_man() -> None:
    history = History(Experience())
    for tick in range(10):
        look(history, tick / 10, EMPTY)
    assert history.switched(chess.D4, (NEW + chess.D4, PAWN), 1) == np.inf
    for tick in range(10, 20):
        look(history, tick / 10, LABELS.index("B"))
    assert history.switched(chess.D4, (NEW + chess.D4, PAWN), 1) == 1.0  # of another kind he may be


@pytest.mark.parametrize(("man", "nobody", "may"), [(0.53, 0.44, True), (0.7, 0.26, True), (0.9, 0.05, False)])
def test_who_seems_about_as_much_to_stand_there_as_not_may_have_left(man: float, nobody: float, may: bool) -> None:
    """A king who stands behind him hides most of the square."""
    history, labels = History(Experience()), labels_of(chess.Board())
    squares = np.array([torn(**{LABELS[label]: 0.94}) for label in labels])
    squares[chess.E7] = torn(**{"p": man, ".": nobody})
    for tick in range(5):
        history.look(Observation("A", tick / 10, squares, np.ones(64, np.bool_), {}, False, False), labels)
    assert bool(history.left >> chess.E7 & 1) == may


def test_who_came_has_not_come_before_he_left() -> None:
    history = History(Experience())
    for spell, label in enumerate([EMPTY, PAWN, PAWN, EMPTY, PAWN]):  # something leaned over d4 and was taken for him
        for tick in range(5):
            look(history, spell + tick / 10, label, left=spell == 4)
        look(history, spell + 0.5, None, left=spell == 4)
    came, left = (NEW + chess.D4, NEW + chess.D2), (NEW + chess.D2, EMPTY)
    assert history.switched(chess.D4, came, 1) == 1.0
    assert history.switched(chess.D2, left, 1) == 4.0
    assert history.switched(chess.D4, came, 1, (chess.D2, left)) == 4.0


def shown(times: int, *contents: int) -> float:
    """Log-likelihood of so many looks at a pawn with something before d4 between them."""
    history = History(Experience())
    for spell in range(2 * times - 1):
        for tick in range(5):
            look(history, spell / 2 + tick / 10, None if spell % 2 else PAWN)
    return history.value(chess.D4, contents)


def test_who_is_read_wrong_again_counts_little_more_than_once() -> None:
    once, twice = shown(1, NEW + chess.D4), shown(2, NEW + chess.D4)
    assert 1.5 * once < twice < once < 0
    # Had he been there, and left between the looks, the second would count in full.
    assert shown(2, PAWN, EMPTY) < 2 * (twice - once)


@pytest.mark.parametrize(
    ("flicker", "ticks", "changed"), [(0.0, 1, True), (RESTLESS / 2, 1, True), (0.05, 1, False), (0.05, 6, True)]
)
def test_where_squares_flicker_what_one_reads_otherwise_for_a_moment_is_misread(
    flicker: float, ticks: int, changed: bool
) -> None:
    history = History(Experience())
    for tick, label in enumerate([EMPTY] * 10 + [PAWN] * ticks + [EMPTY] * 10):
        history.experience.flicker = flicker
        look(history, tick / 10, label)
    assert history.has_been(chess.D4, 0, 0.0) == changed
    assert (history.value(chess.D4, (NEW + chess.D4,)) < -2) == changed


def test_when_a_square_lay_open_is_known_though_it_is_no_riddle_any_more() -> None:
    history = History(Experience())
    for tick in range(10):
        look(history, tick / 10, EMPTY)
    for tick in range(10, 20):
        look(history, tick / 10, None)
    history.settle(np.ones(64, np.bool_))
    assert history.lay_open(chess.D4, 0.2, 0.8)
    assert history.hidden_for(chess.D4, 0.0) == pytest.approx(0.9)
    assert history.stayed(chess.D4, (NEW + chess.D4, PAWN), 1, 0.0) == (1.0, 0.0)


@pytest.mark.parametrize(("shown", "until"), [(EMPTY, 3.0), (PAWN, 1.0)])
def test_a_hidden_square_held_what_it_was_last_seen_to_hold(shown: int, until: float) -> None:
    history = History(Experience())
    for start, label in enumerate((EMPTY, None, shown, None)):
        for tick in range(10):
            look(history, start + tick / 10, label)
    last, against = history.stayed(chess.D4, (NEW + chess.D4, PAWN), 1, 1.5)
    assert last == until
    assert (against > 1) == (shown == EMPTY), "nobody can have come before it was last seen empty"


def test_who_surely_stands_there_and_reads_as_another_is_expected_to_wherever_he_goes() -> None:
    experience = Experience()
    labels = labels_of(chess.Board())
    reads = np.tile(np.exp(torn(n=0.9)), (64, 1)).astype(np.float64)
    whose = N + np.arange(64)
    before = likelihoods(reads, labels, experience, NOWHERE, STANDING)[chess.F3, N + chess.G1]
    experience.mistake(reads, whose, np.arange(64) == chess.G1)
    assert likelihoods(reads, labels, experience, NOWHERE, STANDING)[chess.F3, N + chess.G1] > before + 2
    experience.carry(np.where(np.arange(64) == chess.F3, N + chess.G1, whose))
    assert experience.known[chess.F3]
