"""What speaks against lines of play of which only the end was seen."""

import chess
import pytest

from tests.rules.table import Table


def against_return(hidden: float) -> float:
    """Nats against White's knight having gone back to g1 and come to f3 again, Black having played h6 meanwhile, if the
    squares lay hidden for so many seconds."""
    table = Table()
    plies = {"e2": "", "e4": "P"}, {"e7": "", "e5": "p"}, {"g1": "", "f3": "N"}, {"b8": "", "c6": "n"}
    for squares in (*plies, {"f1": "", "b5": "B"}, {"a7": "", "a6": "p"}):
        table.put("A", **squares)
        table.look(0.8)
    table.look(6.0)
    table.put("A", h7="", h6="p")
    table.look(hidden, hidden="f3 g1 h7 h6")
    table.look(0.2)
    beam = table.tracker.sides["A"].beam
    assert beam is not None
    line = beam.told
    for uci in "f3g1", "h7h6", "g1f3":
        line = beam.plies.after(beam, line, chess.Move.from_uci(uci))
    return beam.sightings.against(line)[0]


def test_nobody_goes_and_comes_back_unseen_while_another_ply_is_played_in_no_time() -> None:
    long, short, at_once = against_return(3.5), against_return(2.0), against_return(0.9)
    assert long == pytest.approx(0.3)  # for what nobody saw, as of any ply
    assert short == pytest.approx(long + 2.0)
    assert at_once > short + 2.0
