"""What speaks against lines of play of which only the end was seen."""

import chess
import pytest

from rules.match import Match
from rules.seats import BoardName
from rules.sightings import PROMPTLY
from tests.rules.table import Table


def against(table: Table, *plies: str, told: bool = True) -> float:
    """Nats against these plies on board A beyond what was told, or what is in doubt no more."""
    beam = table.tracker.sides["A"].beam
    assert beam is not None
    line = beam.told if told else beam.root
    for uci in plies:
        line = beam.plies.after(beam, line, chess.Move.from_uci(uci))
    return beam.sightings.against(line)[0]


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
    return against(table, "f3g1", "h7h6", "g1f3")


def test_nobody_goes_and_comes_back_unseen_while_another_ply_is_played_in_no_time() -> None:
    long, short, at_once = against_return(3.5), against_return(2.0), against_return(0.9)
    assert long == pytest.approx(0.3)  # for what nobody saw, as of any ply
    assert short == pytest.approx(long + 2.0)
    assert at_once > short + 2.0


@pytest.mark.parametrize(("shows", "contrary"), [("Q", True), ("b", False)])
def test_what_stood_on_a_square_for_a_while_did_not_come_there_later(shows: str, contrary: bool) -> None:
    """A queen who took a knight on f3, and came to e4 after that, once the bishop had gone from there to d3; but the
    knight has been seen on f3 until then. If she was seen on e4 meanwhile, she came another way."""
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/pppppppp/8/8/4bQ2/5n2/PP3P1P/RK5R[] w kq - 0 1"}
    table, hand = Table(Match("bughouse", start=fen)), "d3 f3 e4 f4"
    table.look(1.0)
    table.look(1.3, hidden=hand)
    table.put("A", f4="", e4=shows)
    table.look(0.4)
    table.look(0.3, hidden=hand)
    table.put("A", f3="", e4="Q", d3="b")
    table.look(0.2)
    assert (against(table, "f4f3", "e4d3", "f3e4", told=False) > 3.0) == contrary


def test_of_who_is_taken_by_his_like_it_is_not_known_when_he_was_put_down() -> None:
    """It may be the other who was seen there, though he himself was told."""
    fen: dict[BoardName, str] = {"A": "r1bqkb1r/pppppppp/8/8/3n4/8/PPPP2PP/RNBQKB1R[n] b KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.BLACK] = "n"
    table.look(1.8, hidden="f3")
    table.put("A", d1="", f3="Q")
    table.look(0.5, hidden="f3")
    table.look(0.1)
    taken = table.time
    table.put("A", d4="", f3="n")
    table.look(0.1)
    beam = table.tracker.sides["A"].beam
    assert beam is not None
    line = beam._played([chess.Move.from_uci(move) for move in ("N@f3", "d1f3", "d4f3")])
    assert line is not None
    line.path()[0].settled = table.time, taken
    assert beam.sightings.against(line)[0] < PROMPTLY / 2
