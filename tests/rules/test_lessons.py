"""What the moves teach about the set at hand."""

from collections.abc import Callable
from dataclasses import replace

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.evidence import Experience, N
from rules.lessons import Lessons
from rules.observation import EMPTY, LABELS, Observation, labels_of

START = labels_of(chess.Board())
ALL = np.ones(64, np.bool_)
Look = Callable[[NDArray[np.int64]], Observation]


@pytest.fixture
def look() -> Look:
    """What a reader says that takes every bishop for a pawn, though he looks otherwise to it."""
    rng = np.random.default_rng(0)
    looks = rng.normal(0, 1, (N, 16)).astype(np.float32)

    def seen(labels: NDArray[np.int64]) -> Observation:
        read = np.full((64, N), 0.05)
        for square, label in enumerate(labels.tolist()):
            read[
                square, {LABELS.index("B"): LABELS.index("P"), LABELS.index("b"): LABELS.index("p")}.get(label, label)
            ] = 1
        features = looks[labels] + rng.normal(0, 0.1, (64, 16)).astype(np.float32)
        squares = np.log(read / read.sum(1, keepdims=True)).astype(np.float32)
        return Observation("A", 0.0, squares, ALL, {}, False, False, features=features)

    return seen


def started(look: Look) -> Lessons:
    lessons = Lessons()
    lessons.look(look(START))
    lessons.learn(START, ALL)
    return lessons


def test_a_kind_is_read_better_with_every_lesson(look: Look) -> None:
    lessons, labels, bishop = started(look), START.copy(), LABELS.index("B")
    labels[chess.E4] = bishop
    then = look(labels)
    lessons.look(then)
    read = then.probabilities()
    right = lessons.right(read)
    assert right[chess.E4, bishop] > 3 * read[chess.E4, bishop]
    for colour in (slice(0, 6), slice(6, 12), slice(EMPTY, N)):  # which only the reader tells
        assert np.allclose(right[:, colour].sum(1), read[:, colour].sum(1))
    lessons.carry(np.where(labels == START, N + np.arange(64), labels))
    lessons.learn(labels, ALL)
    labels[chess.B5] = bishop
    then = look(labels)
    lessons.look(then)
    assert (lessons.right(then.probabilities()).argmax(1) == labels).all()


@pytest.mark.parametrize("dropped", [False, True])
def test_who_looks_just_so_is_who_he_was_unless_he_was_dropped(look: Look, dropped: bool) -> None:
    """A knight on e5 looks like nobody else, and reads as a bishop."""
    lessons, labels, knight = started(look), START.copy(), LABELS.index("N")
    labels[chess.E5], labels[chess.B1] = knight, EMPTY
    then = look(labels)
    features, squares = then.features.copy(), then.squares.copy()
    features[chess.E5] = np.random.default_rng(1).normal(0, 1, 16)
    squares[chess.E5] = np.log(np.where(np.arange(N) == LABELS.index("B"), 0.88, 0.01))
    then = replace(then, features=features, squares=squares)
    lessons.look(then)
    contents = np.where(labels == START, N + np.arange(64), labels)
    contents[chess.E5] = knight if dropped else N + chess.B1
    lessons.carry(contents)
    lessons.learn(labels, ALL)
    assert (lessons.right(then.probabilities())[chess.E5].argmax() == knight) != dropped


def test_what_was_told_by_mistake_is_forgotten_with_it(look: Look) -> None:
    lessons, labels = started(look), START.copy()
    labels[chess.H6] = LABELS.index("N")
    mistaken = np.where(np.arange(64) == chess.H6, LABELS.index("R"), labels)
    contents = np.where(labels == START, N + np.arange(64), labels)
    lessons.carry(contents)
    lessons.look(look(labels))
    lessons.learn(mistaken, ALL)
    doubtful = lessons.right(look(labels).probabilities())[chess.H6]
    lessons.carry(N + np.arange(64))
    lessons.learn(labels, ALL)
    mended = lessons.right(look(labels).probabilities())[chess.H6]
    assert mended[LABELS.index("R")] < doubtful[LABELS.index("R")]
    assert mended.argmax() == LABELS.index("N")


def test_another_man_where_the_arbiter_set_one_unlearns_nothing(look: Look) -> None:
    lessons, labels = started(look), START.copy()
    known = len(lessons.looks)
    labels[chess.A2] = LABELS.index("b")
    lessons.look(look(labels))
    lessons.learn(labels, ALL)
    assert len(lessons.looks) == known + 1
    assert lessons.label[chess.A2] == LABELS.index("P")


def test_without_features_readings_stay_as_they_are(look: Look) -> None:
    experience, then = Experience(), look(START)
    blind = Observation("A", 0.0, then.squares, ALL, {}, False, False)
    experience.lessons.look(blind)
    experience.learn(blind.probabilities(), START, ALL)
    experience.carry(N + np.arange(64))
    assert (experience.lessons.right(blind.probabilities()) == blind.probabilities()).all()


@pytest.mark.parametrize("well", [True, False])
def test_a_man_is_believed_as_far_as_those_who_moved_read_as_what_they_are(well: bool) -> None:
    experience, labels = Experience(), START.copy()
    experience.learn(np.eye(N)[labels], labels, ALL)
    before = experience.trust
    for file in range(8):
        contents = N + np.arange(64)
        contents[24 + file], contents[8 + file] = N + 8 + file, EMPTY
        experience.carry(contents)
        labels[24 + file], labels[8 + file] = LABELS.index("P"), EMPTY
        read = np.eye(N)[labels]
        read[24 + file] = np.eye(N)[LABELS.index("P" if well else "B")]
        experience.learn(read, labels, ALL)
    assert (experience.trust > before) == well
    assert (experience.expected() > 0).all()
    experience.trust = 1.0
    assert (experience.expected() > 0).all(), "nothing is ever impossible"
