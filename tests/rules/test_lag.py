"""By how much one camera lags behind the other, and looks in one order of time."""

from collections.abc import Callable, Sequence
from functools import partial

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.lag import Lag, Timeline
from rules.observation import EMPTY, LABELS, Observation
from rules.seats import BOARDS, BoardName, partner
from rules.tracker import Tracker
from tests.rules.table import Table

CAPTURES: Sequence[tuple[float, BoardName, chess.Color, chess.PieceType]] = [
    (4.0 + 2.3 * n, BOARDS[n % 2], chess.COLORS[n // 2 % 2], (1, 1, 2, 1, 3, 5, 1, 4, 1, 2)[n % 10]) for n in range(20)
]
LOOK = 0.2  # seconds


def passed(lag: float, slow: dict[BoardName, float], seed: int = 0) -> Lag:
    """What is known after twenty captures, board B being told so many seconds late, and `slow` hands there."""
    rng, found = np.random.default_rng(seed), Lag()
    events: list[tuple[float, Callable[[], None]]] = []
    late = {"A": 0.0, "B": lag}
    for number, (time, board, color, kind) in enumerate(CAPTURES):
        owner = partner(board, color)
        look = np.full(6, 0.04)
        look[kind - 1] = 0.8
        takes = 0.8 + rng.gamma(2.0, 0.4) + slow.get(owner[0], 0.0)
        told = time + late[board]
        events.append((told + 0.6, partial(found.capture, owner, number, kind, told)))
        came = time + takes + late[owner[0]]
        events.append((came + 0.4, partial(found.arrive, owner, came, look)))
    for _, happens in sorted(events, key=lambda event: event[0]):
        happens()
    return found


@pytest.mark.parametrize("lag", [-4.0, -2.0, 1.5, 3.0, 5.0])
def test_what_is_passed_on_both_ways_tells_by_how_much_a_camera_lags(lag: float) -> None:
    assert passed(lag, {}).seconds == pytest.approx(lag, abs=0.5)


@pytest.mark.parametrize("slow", [{}, {"A": 2.0}, {"B": 2.0}, {"A": 3.0, "B": 3.0}])
def test_whoever_is_slow_to_pass_on_is_not_taken_for_a_lag(slow: dict[BoardName, float]) -> None:
    assert all(passed(0.0, slow, seed).seconds == 0 for seed in range(5))


def look(board: BoardName, time: float) -> Observation:
    return Observation(board, time, np.zeros((64, len(LABELS)), np.float32), np.ones(64, np.bool_), {}, False, False)


@given(st.lists(st.sampled_from([-3.0, -0.5, 0.0, 1.25, 4.0]), min_size=1, max_size=4))
def test_every_look_is_given_once_and_the_time_of_a_board_never_goes_back(lags: list[float]) -> None:
    line, given_back = Timeline(), list[Observation]()
    for number in range(60 * len(lags)):
        for board in BOARDS:
            due = line.put(look(board, number * LOOK), lags[number // 60])
            assert all(one.time <= number * LOOK for one in due)
            given_back += due
    given_back += line.rest()
    for board in BOARDS:
        times = [one.time for one in given_back if one.board == board]
        assert times == sorted(times)
        shown = [line.told(board, time) for time in times]
        assert np.allclose(shown, LOOK * np.arange(60 * len(lags)))
    assert not line.rest()


def test_a_camera_that_lags_is_waited_for() -> None:
    line = Timeline()
    for number in range(100):
        due = [one for board in BOARDS for one in line.put(look(board, number * LOOK), 3.0)]
    assert [(one.board, round(line.told(one.board, one.time), 3)) for one in due] == [
        ("A", round(99 * LOOK - 3.0, 3)),
        ("B", round(99 * LOOK, 3)),
    ]


def lagging(board: BoardName) -> Table:
    """Two boards at the start, of which one's camera is known to lag by two seconds."""
    lag = Lag()
    lag.seconds = 2.0 if board == "B" else -2.0
    table = Table()
    table.tracker = Tracker(lag=lag)
    table.look(6.0)
    return table


@pytest.mark.parametrize("board", BOARDS)
def test_what_the_other_camera_shows_is_told_when_its_time_has_come(board: BoardName) -> None:
    table, other = lagging(board), BOARDS[board == "A"]
    played = table.time
    table.put(other, e2="", e4="P")
    table.look(1.8)
    assert table.moves() == []
    table.look(1.0)
    assert table.moves() == [f"{other}:e4"]
    (told,) = table.events
    assert table.tracker.shown_at(other, told.time) == pytest.approx(played, abs=0.15)
    assert table.tracker.shown_at(board, table.time) == table.time


def test_what_was_held_back_when_the_arbiter_sets_a_position_is_older_than_that() -> None:
    table = lagging("B")
    table.put("A", e2="", e4="P")
    table.look(0.5)
    table.tracker.set_position("A", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[] b KQkq - 0 1", table.time)
    table.look(5.0)
    assert table.events == []


def test_what_was_held_back_is_told_at_the_end() -> None:
    table = lagging("B")
    table.put("A", e2="", e4="P")
    table.look(1.0)
    assert [event.san for event in table.tracker.finish(table.time)] == ["e4"]


def test_what_is_certain_is_told_in_the_time_of_its_own_camera() -> None:
    table = lagging("B")
    table.tracker.certain("A")
    table.put("A", e2="", e4="P")
    table.look(12.0)
    stood = [one.time for one in table.tracker.certain("A") if one.labels[chess.E4] != EMPTY and one.squares[chess.E4]]
    assert stood
    assert all(time < table.time - 1.5 for time in stood)
