"""What several readings of a square agree upon."""

from pathlib import Path

import numpy as np
import pytest

from rules.observation import EMPTY, LABELS
from rules.readings import OFTEN, Readings
from rules.records import read
from tests.rules.corpus import load, track
from tests.rules.degrade import blurred, tally

RECORDED = Path(__file__).parent / "recorded"
SEEN = np.ones(64, np.bool_)


def probabilities(noise: np.random.Generator, odd: dict[int, int]) -> np.ndarray:
    """Of an empty board but for the `odd` squares, as read once."""
    labels = np.full(64, EMPTY)
    for square, label in odd.items():
        labels[square] = label
    found = np.eye(len(LABELS))[labels] * 0.9 + noise.uniform(0, 0.1 / len(LABELS), (64, len(LABELS)))
    return np.asarray(found / found.sum(1, keepdims=True))


def often_wrong() -> tuple[Readings, np.random.Generator, float]:
    """Readings of which one square in ten is wrong, and when the last was."""
    readings, noise, time = Readings(), np.random.default_rng(0), 0.0
    for _ in range(30):
        odd = {int(square): 0 for square in np.flatnonzero(noise.random(64) < 0.1)}
        readings.look(probabilities(noise, odd), SEEN, time)
        time += 0.1
    readings.look(probabilities(noise, {}), SEEN, time)
    return readings, noise, time


def test_where_readings_are_seldom_wrong_each_counts_as_it_is() -> None:
    readings, noise = Readings(), np.random.default_rng(0)
    for number in range(20):
        found = probabilities(noise, {9: 0} if number > 9 else {})
        shows, seen = readings.look(found, SEEN, number / 10)
        assert np.array_equal(shows, found)
        assert seen.all()


def test_where_they_are_often_wrong_one_alone_is_not_believed() -> None:
    readings, noise, time = often_wrong()
    assert readings.wrong > OFTEN
    shows, seen = readings.look(probabilities(noise, {9: 0}), SEEN, time + 0.1)
    assert shows[9].argmax() == EMPTY
    assert seen[9]


@pytest.mark.parametrize(("hidden_before", "enough"), [(False, 4), (True, 3)])
def test_what_readings_agree_upon_is_believed(hidden_before: bool, enough: int) -> None:
    """Sooner where a hand was over the square: men seldom come and go in the open."""
    readings, noise, time = often_wrong()
    readings.look(probabilities(noise, {}), SEEN ^ (hidden_before & (np.arange(64) == 9)), time + 0.1)
    for number in range(1, enough + 1):
        shows, seen = readings.look(probabilities(noise, {9: 0}), SEEN, time + 0.1 + 0.1 * number)
        assert (seen[9] and shows[9].argmax() == 0) == (number == enough)


def test_what_a_hand_uncovers_shows_at_once_what_was_there_before_and_something_else_later() -> None:
    readings, noise, time = often_wrong()
    hidden = SEEN.copy()
    hidden[[9, 10]] = False
    readings.look(probabilities(noise, {}), hidden, time + 0.1)
    _, seen = readings.look(probabilities(noise, {9: 0}), SEEN, time + 0.2)
    assert seen[10]
    assert not seen[9]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["full-pace-1", "full-pace-2", "pressed"])
def test_a_match_of_which_a_tenth_is_misread_is_followed_and_nothing_is_invented(name: str) -> None:
    (game,) = read((RECORDED / f"{name}.bpgn").read_text())
    tracker, events, _ = track(blurred(load(RECORDED / f"{name}.npz")))
    found = tally(tracker, events, game)
    assert (found.unwatched, found.invented) == (0, 0)
    assert found.right >= found.played - 1
