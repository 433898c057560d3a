"""Events as lines of the terminal."""

import chess
import pytest
from rich.console import Console
from rich.text import Text

from quadriglia.terminal import Terminal
from quadriglia.words import words
from rules.events import Event


def shown(event: Event, boards: int = 2) -> str:
    terminal = Terminal(Console(), words("en"), boards)
    return " ".join(Text.from_markup(terminal.line(event)).plain.split())


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Event("move", "A", 61.9, 62, chess.WHITE, 23, "Nf3", "g1f3"), "1:01 A 12. Nf3"),
        (Event("drop", "B", 5, 6, chess.BLACK, 4, "P@e6+", "P@e6"), "0:05 B 2... P@e6+"),
        (Event("move", "A", 5, 6, chess.WHITE, 9, "[b]x", "e2e4"), "0:05 A 5. [b]x"),
        (
            Event("hand_over", "A", 7, 7, chess.BLACK, 4, piece="N"),
            "0:07 A Black A passes a knight to White B",
        ),
        (Event("correction", "B", 9, 9, chess.WHITE, 3, "Bc4", "f1c4"), "0:09 B corrected: 2. Bc4"),
        (Event("alert", "B", 9, 9, chess.WHITE, reason="unsure"), "0:09 B ! White B: unsure what was played"),
        (Event("alert", "B", 9, 9, chess.WHITE, reason="new_kind"), "0:09 B ! White B: new_kind"),
        (Event("alert", "B", 9, 9, None, reason="camera_dark"), "0:09 B ! Board B: the picture is dark"),
        (
            Event("end", "B", 9, 9, chess.WHITE, result="0-1", reason="checkmate"),
            "0:09 B 0-1 Black A and White B win (checkmate)",
        ),
    ],
)
def test_lines(event: Event, line: str) -> None:
    assert shown(event) == line


def test_one_board_has_no_letter_and_no_teams() -> None:
    end = Event("end", "A", 9, 9, chess.WHITE, result="1-0", reason="checkmate")
    alert = Event("alert", "A", 9, 9, chess.BLACK, reason="unsure")
    assert shown(end, boards=1) == "0:09 1-0 White wins (checkmate)"
    assert shown(alert, boards=1) == "0:09 ! Black: unsure what was played"
