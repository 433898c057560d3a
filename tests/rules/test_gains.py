"""What lines could still gain by plies to come."""

import chess
import numpy as np
import pytest

from rules.evidence import Experience
from rules.gains import ENDS, PLY, Gains
from rules.history import NEW, Contents, History
from rules.lines import Line
from rules.observation import EMPTY, LABELS, Observation, labels_of

BISHOP, PAWN = LABELS.index("B"), LABELS.index("p")
STOOD = NEW + chess.D4  # what stood there at the start: nobody


def look(history: History, time: float, label: int | None) -> None:
    """All is seen but d4, which shows a label; None: it is hidden."""
    labels = labels_of(chess.Board())
    squares = np.full((64, len(LABELS)), -6.0, np.float32)
    squares[np.arange(64), np.where(np.arange(64) == chess.D4, label or 0, labels)] = 0.0
    seen = (np.arange(64) != chess.D4) | (label is not None)
    history.look(Observation("A", time, squares, seen, {}, hand=False, moving=False), labels)


def shown(*labels: int) -> History:
    """D4 has shown these in turn, hidden between them and now."""
    history = History(Experience())
    for spell, label in enumerate(labels):
        for tick in range(10):
            look(history, spell + tick / 10, label if tick < 5 else None)
    return history


def line(found: Gains, *contents: int) -> Line:
    made = Line(None, None, chess.Board())
    if contents:
        held: Contents = (STOOD, *contents)
        made.contents = {chess.D4: held}
        found.of(chess.D4, held)
    return made


def test_a_line_may_gain_what_another_has_that_held_the_same_first() -> None:
    found = Gains(shown(EMPTY, BISHOP, PAWN))
    nothing, came, taken, other = (line(found, *held) for held in [(), (BISHOP,), (BISHOP, EMPTY, PAWN), (PAWN,)])
    most, less = (found.of(chess.D4, made.contents[chess.D4])[0] for made in (taken, came))
    found.survey()
    assert found.to_come(nothing) == pytest.approx(most - PLY / ENDS)
    assert found.to_come(came) == pytest.approx(most - less - PLY / ENDS)
    assert found.to_come(taken) == found.to_come(other) == 0.0
    assert most - less > PLY < less


def test_what_lies_open_may_be_gained_before_any_line_has() -> None:
    history = shown(EMPTY)
    for tick in range(5):
        look(history, 1 + tick / 10, BISHOP)
    found = Gains(history)
    assert found.whole > PLY
    assert found.to_come(line(found)) == pytest.approx(found.whole - PLY / ENDS)
