"""How pieces have read here so far."""

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.evidence import Experience, N, likelihoods
from rules.observation import EMPTY, LABELS, UPRIGHT, labels_of

START = labels_of(chess.Board())
NOWHERE = np.zeros(64, np.bool_)
STANDING = np.full(64, -UPRIGHT, np.float32)


def moved(origin: int, to: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Labels after a man has moved from the start position, and (64,) contents as `Experience.carry` takes them."""
    labels, contents = START.copy(), N + np.arange(64)
    labels[origin], labels[to] = EMPTY, START[origin]
    contents[origin], contents[to] = EMPTY, N + origin
    return labels, contents


def read_as(labels: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(0.9 * np.eye(N)[labels] + 0.1 / N)


@pytest.fixture
def begun() -> Experience:
    """At a start position whose knight on b1 reads as nothing, and whose rook on a1 as a pawn."""
    experience, shown = Experience(), START.copy()
    shown[chess.B1], shown[chess.A1] = EMPTY, LABELS.index("P")
    odd = np.arange(64) == chess.B1
    experience.learn(read_as(shown), START, ~odd)
    experience.expect(read_as(shown), odd)
    return experience


def stays(experience: Experience, labels: NDArray[np.int64], shown: NDArray[np.int64], square: int) -> float:
    """Nats for the man who stood on a square standing there still rather than nobody."""
    found = likelihoods(read_as(shown), labels, experience, NOWHERE, STANDING)[square]
    return float(found[N + square] - found[EMPTY])


def test_who_reads_as_nothing_from_the_start_goes_on_reading_so_where_he_stands(begun: Experience) -> None:
    shown = START.copy()
    shown[chess.B1] = EMPTY
    assert stays(begun, START, shown, chess.B1) > -1
    shown[chess.G1] = EMPTY
    assert stays(begun, START, shown, chess.G1) < -3


def test_it_was_the_place_not_the_man_who_reads_elsewhere_as_any_other(begun: Experience) -> None:
    after, contents = moved(chess.B1, chess.C3)
    begun.carry(contents)
    nobody = after.copy()
    nobody[chess.C3] = EMPTY
    assert stays(begun, after, after, chess.C3) > 3
    assert stays(begun, after, nobody, chess.C3) < -3


def test_who_reads_as_another_kind_does_so_wherever_he_goes(begun: Experience) -> None:
    after, contents = moved(chess.A1, chess.A5)
    begun.carry(contents)
    shown = after.copy()
    shown[chess.A5] = LABELS.index("P")
    found = likelihoods(read_as(shown), after, begun, NOWHERE, STANDING)[chess.A5]
    assert found[N + chess.A5] > found[LABELS.index("R")]


def test_what_is_read_where_another_man_hides_much_says_less(begun: Experience) -> None:
    shown, behind = START.copy(), NOWHERE.copy()
    shown[chess.F7], behind[chess.F7] = LABELS.index("R"), True
    own, rook = N + chess.F7, LABELS.index("R")
    seen, hidden = (
        likelihoods(read_as(shown), START, begun, covered, STANDING)[chess.F7] for covered in (NOWHERE, behind)
    )
    assert 0 < hidden[rook] - hidden[own] < 0.6 * (seen[rook] - seen[own])


@pytest.mark.parametrize("hidden", [False, True])
def test_where_another_man_hides_much_it_shows_whether_a_man_stands_there_and_not_whose_he_is(
    begun: Experience, hidden: bool
) -> None:
    reads, covered = read_as(START), NOWHERE.copy()
    reads[chess.G4, [LABELS.index("P"), EMPTY]] = 0.8, 0.1
    covered[chess.G4] = hidden
    found = likelihoods(reads, START, begun, covered, STANDING)[chess.G4]
    white, black, nobody = found[[LABELS.index("P"), LABELS.index("p"), N + chess.G4]]
    assert (black > nobody + 1.0) == hidden
    assert white > black
    assert white > nobody + 1.5


@pytest.mark.parametrize(("lying", "both"), [(5.0, True), (5.0, False), (-1.0, True)])
def test_who_lies_may_show_on_the_next_square_though_that_is_empty(begun: Experience, lying: float, both: bool) -> None:
    shown, lies = START.copy(), STANDING.copy()
    shown[[chess.C3, chess.C4]] = LABELS.index("N"), LABELS.index("P")
    lies[[chess.C3, chess.C4] if both else [chess.C4]] = lying
    found = likelihoods(read_as(shown), START, begun, NOWHERE, lies)[chess.C4]
    nobody = found[[EMPTY, N + chess.C4]] - found[LABELS.index("P")]
    assert (nobody > -2.5).all() == (lying > 0 and both), nobody
