"""How men read where they were dropped."""

import chess
import pytest

from rules.match import Match
from rules.seats import BoardName
from tests.rules.table import Table


@pytest.mark.parametrize("seconds", [0.1, 0.3, 1.0])
def test_how_a_dropped_man_reads_is_known_though_he_is_told_when_he_is_hidden_again(seconds: float) -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[B] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.WHITE] = "B"
    table.look(1.0)
    table.pockets["A", chess.WHITE] = ""
    table.put("A", e4="B")
    table.look(seconds)
    table.put("A", e4="")
    table.look(2.0, hidden="e4")
    (drop,) = table.tracker.match.plies
    assert table.tracker.sides["A"].dropped.looks[drop.number].argmax() + 1 == chess.BISHOP
