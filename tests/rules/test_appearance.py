"""Whether a square that reads as before looks as before."""

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.appearance import KEPT, MOST, Appearance
from rules.observation import LABELS, Observation

SIZE = 8


def seen_as(man: NDArray[np.floating], size: int = SIZE) -> Observation:
    """A look in which e2 looks like this, and the others not at all."""
    features = np.zeros((64, size), np.float32)
    features[chess.E2] = man[:size]
    squares, seen = np.zeros((64, len(LABELS)), np.float32), np.ones(64, np.bool_)
    return Observation("A", 0.0, squares, seen, {}, hand=False, moving=False, features=features)


PAWN, HEAD, SHADED = np.eye(SIZE)[0] + np.eye(SIZE)[4], np.eye(SIZE)[1] + np.eye(SIZE)[5], np.full(SIZE, 0.4)


@pytest.fixture
def hidden_once() -> Appearance:
    appearance = Appearance()
    appearance.look(seen_as(PAWN))
    appearance.hide(chess.E2)
    return appearance


def test_who_looks_as_before_is_the_same(hidden_once: Appearance) -> None:
    assert hidden_once.look(seen_as(1.1 * PAWN))[chess.E2] == 0


def test_who_looks_otherwise_may_be_another(hidden_once: Appearance) -> None:
    against = hidden_once.look(seen_as(HEAD))
    assert against[chess.E2] == MOST
    assert not against[chess.D2]


def test_nobody_knows_how_a_newcomer_looked(hidden_once: Appearance) -> None:
    hidden_once.forget(chess.E2)
    assert hidden_once.look(seen_as(HEAD))[chess.E2] == 0


def test_a_shadow_that_has_gone_by_says_nothing(hidden_once: Appearance) -> None:
    hidden_once.look(seen_as(SHADED))
    hidden_once.hide(chess.E2)
    assert hidden_once.look(seen_as(PAWN))[chess.E2] == 0


def test_looks_long_past_are_forgotten(hidden_once: Appearance) -> None:
    for _ in range(KEPT):
        hidden_once.look(seen_as(HEAD))
        hidden_once.hide(chess.E2)
    assert hidden_once.look(seen_as(PAWN))[chess.E2] == MOST


def test_what_is_read_without_features_says_nothing() -> None:
    appearance = Appearance()
    for _ in range(2):
        assert not appearance.look(seen_as(PAWN, 0)).any()
        appearance.hide(chess.E2)
    assert not appearance.look(seen_as(HEAD)).any()
