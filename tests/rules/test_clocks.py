"""Four clocks: who runs, what comes back, who falls first."""

import chess
import pytest

from rules.clocks import Clocks, TimeControl

WHITE, BLACK = chess.WHITE, chess.BLACK


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("180+0", TimeControl(180.0)), ("180", TimeControl(180.0)), ("300+5", TimeControl(300.0, 5.0)),
        ("180d2", TimeControl(180.0, 2.0, delay=True)), ("-", None), ("", None), ("40/7200", None), ("?", None),
    ],
)  # fmt: skip
def test_time_controls(text: str, control: TimeControl | None) -> None:
    assert TimeControl.parse(text) == control


def test_each_board_runs_for_itself() -> None:
    clocks = Clocks(TimeControl(180.0))
    clocks.start("A", 10.0)
    clocks.start("B", 12.0)
    clocks.press("A", WHITE, 15.0)
    clocks.press("A", WHITE, 16.0)
    assert clocks.left("A", WHITE, 20.0) == 175.0
    assert clocks.left("A", BLACK, 20.0) == 175.0
    assert clocks.left("B", WHITE, 20.0) == 172.0
    assert clocks.left("B", BLACK, 20.0) == 180.0


def test_increment_and_delay() -> None:
    fischer, bronstein = Clocks(TimeControl(60.0, 2.0)), Clocks(TimeControl(60.0, 2.0, delay=True))
    for clocks, expected in ((fischer, 61.0), (bronstein, 60.0)):
        clocks.start("A", 0.0)
        clocks.press("A", WHITE, 1.0)
        assert clocks.left("A", WHITE, 1.0) == expected
    fischer.press("A", BLACK, 6.0)
    bronstein.press("A", BLACK, 6.0)
    assert fischer.left("A", BLACK, 6.0) == bronstein.left("A", BLACK, 6.0) == 57.0


def test_flags_in_the_order_they_fall() -> None:
    clocks = Clocks(TimeControl(10.0))
    clocks.start("B", 1.0)
    clocks.start("A", 0.5)
    assert clocks.flags(10.4) == []
    assert clocks.flags(30.0) == [(10.5, ("A", WHITE)), (11.0, ("B", WHITE))]
    assert clocks.left("A", WHITE, 30.0) == 0.0
    clocks.stop(5.0)
    assert clocks.flags(30.0) == []
    assert clocks.left("A", WHITE, 30.0) == 5.5
