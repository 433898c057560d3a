"""What the arbiter rules, and how it stands in the record."""

import chess
import pytest

from rules import bpgn, pgn
from rules.check import check
from rules.match import Match
from rules.notation import parse
from rules.records import Game, RecordError, read
from rules.tracker import Tracker
from tests.rules.table import Table

E4 = {"e2": "", "e4": "P"}
D5 = {"d7": "", "d5": "p"}
TAKES = {"e4": "", "d5": "P"}


def passed_and_dropped() -> Table:
    """WhiteA takes a pawn, and BlackB has dropped it."""
    table = Table()
    for squares in (E4, D5, TAKES):
        table.put("A", **squares)
        table.look(0.8)
    table.pockets["B", chess.BLACK] = "p"
    table.put("B", d2="", d4="P")
    table.look(1.0)
    table.pockets["B", chess.BLACK] = ""
    table.put("B", e4="p")
    table.look(1.0)
    return table


def test_undoing_a_capture_undoes_the_drop_that_rests_on_it() -> None:
    table = passed_and_dropped()
    assert table.moves() == ["A:e4", "A:d5", "A:exd5", "B:d4", "B:P@e4"]
    gone = table.tracker.undo("A", table.time)
    assert [(event.kind, event.board, event.san) for event in gone] == [
        ("take_back", "B", "P@e4"),
        ("take_back", "A", "exd5"),
    ]
    assert [ply.san for ply in table.tracker.match.plies] == ["e4", "d5", "d4"]


def test_a_mate_that_the_arbiter_undoes_is_none() -> None:
    table = Table(Match("chess"))
    for squares in ({"f2": "", "f3": "P"}, {"e7": "", "e5": "p"}, {"g2": "", "g4": "P"}, {"d8": "", "h4": "q"}):
        table.put("A", **squares)
        table.look(0.8)
    assert table.tracker.state("A") == "ended"
    (gone,) = table.tracker.undo("A", table.time)
    assert gone.san == "Qh4#"
    table.put("A", h4="", d8="q", b8="", c6="n")
    table.look(1.0)
    assert table.tracker.state("A") == "running"
    assert [ply.san for ply in table.tracker.match.plies] == ["f3", "e5", "g4", "Nc6"]


def test_undoing_nothing_does_nothing() -> None:
    table = Table()
    assert table.tracker.undo("A", table.time) == []


def test_play_goes_on_from_a_position_that_was_set() -> None:
    table = passed_and_dropped()
    fen = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR[N] b KQkq - 0 3"
    (event,) = table.tracker.set_position("A", fen, table.time)
    assert (event.kind, event.board, event.fen) == ("position", "A", fen)
    table.put("A", g8="", f6="n")
    table.look(1.0)
    assert table.moves()[-1] == "A:Nf6"
    table.pockets["A", chess.WHITE] = "N"
    table.look(0.5)
    table.pockets["A", chess.WHITE] = ""
    table.put("A", e5="N")
    table.look(1.0)
    assert table.moves()[-1] == "A:N@e5"
    assert table.of("alert") == []


def test_a_ply_is_not_taken_back_once_the_arbiter_has_set_the_position() -> None:
    table = Table()
    table.put("A", **E4)
    table.look(1.0)
    table.tracker.set_position("A", table.tracker.match.board("A").fen(), table.time)
    table.put("A", e2="P", e4="")  # as if it were taken back
    table.look(2.0)
    assert table.of("take_back") == []  # the arbiter's word stands; it is a move of its own


def test_a_bad_position_is_refused_and_changes_nothing() -> None:
    table = Table()
    before = table.tracker.match.board("A").fen()
    with pytest.raises(ValueError, match="king"):
        table.tracker.set_position("A", "8/8/8/8/8/8/8/8[] w - - 0 1", table.time)
    assert table.tracker.match.board("A").fen() == before


def test_what_is_set_stands_in_the_record_and_is_read_again() -> None:
    match = Match()
    for name, san in (("A", "e4"), ("B", "d4")):
        match.push(name, match.parse_san(name, san))  # type: ignore[arg-type]
    match.set_position("A", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR[Q] b KQkq - 0 1")
    match.push("A", match.parse_san("A", "d5"))
    match.push("A", match.parse_san("A", "Q@e5"))
    text = bpgn.write(Game(match))
    (game,) = read(text)
    assert [ply.san for ply in game.match.plies] == ["e4", "d4", "d5", "Q@e5"]
    assert game.match.board("A").fen() == match.board("A").fen()
    assert game.comment == ""
    (record,) = parse(text)
    assert check(record).word == "OK"


def test_a_bad_position_in_a_record_is_one_line() -> None:
    with pytest.raises(RecordError, match="line 1"):
        list(read("1A. e4 {[%setup A nonsense]} 1a. e5 *"))


def test_the_last_ply_goes_and_what_was_set_before_it_stays() -> None:
    match = Match()
    match.set_position("A", "4k3/8/8/8/8/8/4P3/4K3[] w - - 0 1")
    for san in ("e4", "Kd7"):
        match.push("A", match.parse_san("A", san))
    shorter = match.without_last("A")
    assert shorter.board("A").board_fen() == "4k3/8/8/8/4P3/8/8/4K3"


def test_a_record_with_a_move_against_the_rules_can_be_written_and_refereed() -> None:
    match = Match()
    match.push("A", match.parse_san("A", "e4"))
    match.force("A", chess.Move.from_uci("b8b6"), san="Nb8-b6")
    (record,) = parse(bpgn.write(Game(match)))
    assert [fault.san for fault in check(record).faults if fault.finding.word == "ILLEGAL"] == ["Nb8-b6"]
    game = Match("chess")
    game.push("A", game.parse_san("A", "e4"))
    game.force("A", chess.Move.from_uci("b8b6"), san="Nb8-b6")
    assert "1. e4 { then, against the rules or set by hand: Nb8-b6 }" in pgn.write(Game(game))


def test_while_the_match_is_paused_nothing_counts() -> None:
    table = Table()
    table.put("A", **E4)
    table.look(1.0)
    table.tracker.pause()
    assert table.tracker.state("A") == "paused"
    table.put("A", a7="", a6="p", b7="", b6="p")
    table.look(2.0)
    table.put("A", a6="", a7="p", b6="", b7="p")
    table.look(1.0)
    table.tracker.resume(table.time)
    table.put("A", **D5)
    table.look(1.0)
    assert table.moves() == ["A:e4", "A:d5"]
    assert table.of("alert") == []


def test_one_of_two_explanations_can_be_chosen() -> None:
    table = Table()
    for squares in (E4, D5):
        table.put("A", **squares)
        table.look(0.8)
    # A knight is gone, and d4 is hidden for good: it may stand there, or be taken away.
    table.put("A", b1="")
    table.look(2.0, hidden="a3 c3 d2")
    offered = table.tracker.explanations("A")
    assert {tuple(sans) for sans in offered} <= {("Na3",), ("Nc3",), ("Nd2",)}
    assert len(offered) == 2
    table.tracker.choose("A", 1, table.time)
    assert table.tracker.match.plies[-1].san == offered[1][0]
    with pytest.raises(IndexError):
        table.tracker.choose("A", 5, table.time)


def test_what_seems_to_have_been_played_is_shown_before_it_is_certain() -> None:
    table = Table()
    table.put("A", **E4)
    table.look(0.1)
    assert table.moves() == []
    assert table.tracker.provisional("A") == ["e4"]
    table.look(0.5)
    assert table.tracker.provisional("A") == []


def test_what_is_missing_before_the_start_is_named() -> None:
    table = Table(Match("chess"))
    table.tracker = Tracker(Match("chess"))
    table.put("A", e2="", e4="P", a7="", b8="")
    table.look(0.5)
    assert table.tracker.state("A") == "waiting"
    assert table.tracker.amiss_at_start("A") == {
        "e2": ("P", "."), "e4": (".", "P"), "a7": ("p", "."), "b8": ("n", "."),
    }  # fmt: skip
