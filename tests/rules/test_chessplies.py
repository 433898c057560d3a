"""When a drop against the rules may be thought of."""

from types import SimpleNamespace
from typing import cast

import chess
import numpy as np
import pytest

from rules.beam import Beam
from rules.chessplies import shows_otherwise
from rules.lines import Line

KNIGHT = chess.Move(chess.D7, chess.D7, drop=chess.KNIGHT)
TAKES = chess.Move(chess.C8, chess.D7)


def line(*plies: tuple[chess.Move, float]) -> Line:
    """One that some plies have led to, each with when it was first seen."""
    path = [SimpleNamespace(moves=[move], at=at) for move, at in plies]
    return cast(Line, SimpleNamespace(path=lambda: path, content=lambda _: 1))


def beam(lack: float, since: float, lies_open: bool = True) -> Beam:
    """One whose d7 shows what it does `since` then, `lack` nats from what a line has left there."""
    history = SimpleNamespace(lack=lambda *_: lack, since=np.full(64, since), open=np.full(64, lies_open))
    return cast(Beam, SimpleNamespace(history=history))


@pytest.mark.parametrize(
    ("plies", "thought_of"),
    [
        ((), True),
        (((KNIGHT, 75.0),), True),
        (((KNIGHT, 78.0),), False),  # he came in the look that shows another: he is misread
        (((KNIGHT, np.inf),), False),
        (((KNIGHT, 78.0), (TAKES, 76.0)), True),  # who stands there now was seen before
        (((KNIGHT, np.inf), (TAKES, 76.0)), False),
    ],
)
def test_who_came_in_the_look_that_shows_another_was_not_dropped_upon(
    plies: tuple[tuple[chess.Move, float], ...], thought_of: bool
) -> None:
    assert shows_otherwise(beam(5.0, since=78.0), line(*plies), chess.D7) == thought_of


def test_a_square_has_to_show_a_dropped_man_clearly() -> None:
    assert not shows_otherwise(beam(1.0, since=78.0), line(), chess.D7)


def test_who_came_before_a_hand_hid_him_may_have_been_dropped_upon() -> None:
    assert shows_otherwise(beam(5.0, since=0.0, lies_open=False), line((KNIGHT, 78.0)), chess.D7)
