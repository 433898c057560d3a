"""What the tracker makes of what should not happen, on hand-made looks."""

from dataclasses import replace

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.events import Event
from rules.irregular import Illegal, irregular
from rules.match import Match
from rules.observation import LABELS, Observation, Reach
from rules.poses import Poses
from rules.profiles import SCACCO_BRATTO, adapted
from rules.seats import BoardName
from rules.transitions import candidates
from tests.rules.table import Table, row, torn

E4 = {"e2": "", "e4": "P"}
E5 = {"e7": "", "e5": "p"}


def alerts(table: Table) -> list[tuple[str, str, str]]:
    return [(event.board, event.reason, event.san) for event in table.of("alert")]


def played(table: Table, board: str = "A") -> list[str]:
    """What stands in the record of a board."""
    return [ply.san for ply in table.tracker.match.plies if ply.board == board]


def after(*plies: dict[str, str]) -> Table:
    """Board A after these changes, one after the other."""
    table = Table()
    for squares in plies:
        table.put("A", **squares)
        table.look(0.8)
    return table


@pytest.mark.parametrize(
    ("change", "kind", "san"),
    [
        ({"b1": "", "b3": "N"}, "illegal_move", "Nb1-b3"),
        ({"g8": "", "f6": "n"}, "two_moves", "Ng8-f6"),
        ({"e1": "", "e3": "K"}, "illegal_move", "Ke1-e3"),
        ({"d4": "N"}, "drop_not_held", "N@d4"),
        ({"d7": "R"}, "drop_not_held", "R@d7"),
    ],
)
def test_what_the_rules_forbid_is_told_and_stands_until_it_is_put_right(
    change: dict[str, str], kind: str, san: str
) -> None:
    table = after(E4, E5)
    whole = table.boards["A"].board_fen()
    table.put("A", **change)
    table.look(2.0)
    assert alerts(table) == [("A", kind, san)]
    assert played(table) == ["e4", "e5", san]
    assert table.tracker.match.board("A").board_fen() == table.boards["A"].board_fen()
    table.boards["A"].set_board_fen(whole)
    table.look(1.5)
    assert played(table) == ["e4", "e5"]
    assert [event.san for event in table.of("take_back")] == [san]
    table.put("A", g1="", f3="N")
    table.look(1.0)
    assert played(table) == ["e4", "e5", "Nf3"]
    assert len(alerts(table)) == 1


def test_a_king_left_in_check_is_told_as_that() -> None:
    table = after(E4, E5, {"d2": "", "d4": "P"}, {"f8": "", "b4": "b"})
    table.put("A", h2="", h3="P")
    table.look(1.5)
    (alert,) = table.of("alert")
    assert (alert.reason, alert.color, alert.rule.partition(":")[0]) == ("king_in_check", chess.WHITE, "laws")


def test_who_may_have_left_a_square_has_gone_where_he_shows() -> None:
    """Who stands before it hides that nobody is there."""
    board = chess.Board("rnbqk1nr/pppp1ppp/8/4p3/1b1PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 3")
    shows = {color: board.occupied_co[color] for color in chess.COLORS}
    shows[chess.WHITE] |= chess.BB_D2
    found = irregular(board, chess.BB_D2, chess.BB_E1, chess.BB_EMPTY, shows)
    assert [move.uci() for move in found] == ["e1d2"]


def test_who_may_have_left_a_square_may_have_been_dropped_where_his_like_shows() -> None:
    board = Match().board("A")
    shows = {color: board.occupied_co[color] for color in chess.COLORS}
    shows[chess.WHITE] |= chess.BB_A4
    may_have, has = (
        {move.uci() for move in irregular(board, chess.BB_A4, empty, left, shows)}
        for empty, left in ((chess.BB_EMPTY, chess.BB_B1), (chess.BB_B1, chess.BB_EMPTY))
    )
    assert (may_have - has, has) == ({f"{kind}@a4" for kind in "PNBRQ"}, {"b1a4"})


@pytest.mark.parametrize("hidden", ["e2 e3 e4", ""])
def test_who_moved_at_once_after_the_reply_had_not_moved_twice_before_it(hidden: str) -> None:
    """A pawn who went two squares unseen may have gone there in two plies; not around a reply that came just then."""
    table = Table()
    table.look(0.8, hidden)
    table.put("A", e2="", e4="P")
    table.look(0.8, hidden)
    table.put("A", b8="", c6="n")
    table.look(0.1, hidden="c6")
    table.look(0.5)
    table.put("A", f7="", f5="p")
    table.look(0.5, hidden="f7 f5")
    table.look(2.0)
    assert [(event.san, event.reason) for event in table.of("alert")] == [("f7-f5", "two_moves")]


def test_what_is_against_the_rules_and_explains_all_is_rather_so_than_what_explains_more_but_not_all() -> None:
    table = Table()
    beam = table.tracker.sides["A"].beam
    assert beam is not None
    one, all_ = (beam._after(beam.root, Illegal(chess.B1, to, color=chess.WHITE)) for to in (chess.B3, chess.B4))
    one.total, one.left, all_.total, all_.left = 8.0, 5.0, 6.0, 0.0
    beam.lines += [one, all_]
    assert beam.best() is all_
    all_.total = 2.0
    assert beam.best() is one


def test_a_ply_against_the_rules_was_rather_in_turn() -> None:
    """Of two orders, the one in which it would be out of turn besides is less likely."""
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/ppppp1pp/8/8/4Pp2/7P/PPPP1PP1/RNBQKBNR[] w KQkq - 0 3"}
    table = Table(Match("bughouse", start=fen))
    table.look(1.0)
    hidden = "a2 a3 f4 e3 e4"
    table.look(1.0, hidden)
    table.put("A", a2="", a3="P", f4="", e3="p", e4="")
    table.look(1.0, hidden)
    table.look(1.1)
    assert [(event.san, event.reason) for event in table.of("alert")] == [("f4-e3", "late_en_passant")]


def test_one_move_against_the_rules_may_be_two_within_them_and_the_reply_between() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkb1r/pppp1ppp/4pn2/8/1p1PP3/2N5/PPP1BPPP/R1BQK1NR[] w KQkq - 1 5"}
    table = Table(Match("bughouse", start=fen))
    beam = table.tracker.sides["A"].beam
    assert beam is not None
    line = beam.root
    for move in (Illegal(chess.E4, chess.F6, color=chess.WHITE), chess.Move.from_uci("b4c3")):
        line = beam._after(line, move)
    line.total = 9.0
    beam.lines.append(line)
    assert [[move.uci() for move in other.moves] for other in beam._in_two()] == [["e4e5", "b4c3", "e5f6"]]


def test_a_match_goes_on_from_an_illegal_move_that_nobody_puts_right() -> None:
    table = after(E4, {"b8": "", "b6": "n"})
    table.look(1.0)
    for squares in ({"g1": "", "f3": "N"}, {"b6": "", "c4": "n"}):
        table.put("A", **squares)
        table.look(1.0)
    assert played(table) == ["e4", "Nb8-b6", "Nf3", "Nc4"]
    assert [kind for _, kind, _ in alerts(table)] == ["illegal_move"]


def test_a_legal_move_that_is_taken_back_is_no_part_of_the_record() -> None:
    table = after(E4, {"g8": "", "f6": "n"})
    table.put("A", g8="n", f6="")
    table.look(1.0)
    assert alerts(table) == [("A", "take_back", "Nf6")]
    assert played(table) == ["e4"]
    table.put("A", **E5)
    table.look(1.0)
    assert played(table) == ["e4", "e5"]


def test_a_rook_that_comes_back_has_not_castled_meanwhile() -> None:
    """Castling taken back would come to the same, and the square beside the rook reads as the king's."""
    table = after(E4, E5, {"g1": "", "f3": "N"}, {"b8": "", "c6": "n"}, {"f1": "", "c4": "B"}, {"f8": "", "c5": "b"})
    table.look(0.5, hidden="e1 f1 g1 h1 e2 f2 g2 h2")
    table.reads["A", "g1"] = torn(**{"K": 0.69, ".": 0.3})
    table.put("A", h1="", f1="R")
    table.look(0.1)
    table.look(0.3, hidden="e1 f1 g1 e2 f2 g2")
    table.look(0.5)
    table.look(1.0, hidden="e1 f1 g1 h1 e2 f2 g2 h2")
    table.put("A", h1="R", f1="")
    del table.reads["A", "g1"]
    table.look(1.0)
    assert alerts(table) == [("A", "take_back", "Rf1")]


def test_a_reply_that_a_hand_may_hide_is_waited_for() -> None:
    table = after(E4)
    table.put("A", g1="", f3="N")
    table.look(3.0, hidden="a8 b8 c8 a7 b7 c7 a6 b6 c6")
    assert alerts(table) == []
    assert played(table) == ["e4"]


def test_a_piece_passed_on_late_withdraws_the_alert() -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"})
    table.look(11.0)
    assert [kind for _, kind, _ in alerts(table)] == ["not_passed"]
    table.pockets["B", chess.BLACK] = "p"
    table.look(1.0)
    (withdrawn,) = table.of("withdrawn")
    assert (withdrawn.reason, withdrawn.time) == ("not_passed", table.of("alert")[0].time)


def test_who_comes_before_his_capture_is_told_is_not_his_like_who_is_kept_back() -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}, {"c7": "", "c6": "p"})
    table.look(11.0)
    table.put("A", d5="", c6="P")
    table.pockets["B", chess.BLACK] = "p"
    table.look(1.5, hidden="c6 d5")
    assert [event.reason for event in table.of("withdrawn")] == ["not_passed"]
    table.look(13.0)
    assert played(table)[-1] == "dxc6"
    first, again = table.of("alert")
    assert again.reason == first.reason == "not_passed"
    assert again.time == first.time


@pytest.mark.parametrize(("waited", "missed"), [(5.0, 1), (0.2, 0)])
def test_who_comes_before_his_capture_is_told_is_not_his_like_who_has_long_been_awaited(
    waited: float, missed: int
) -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}, {"c7": "", "c6": "p"})
    table.look(waited)
    table.put("A", d5="", c6="P")
    table.look(0.5, hidden="c6 d5")
    table.pockets["B", chess.BLACK] = "p"
    table.look(1.5, hidden="c6 d5")
    assert not table.of("alert")
    table.look(7.0)
    assert played(table)[-1] == "dxc6"
    assert [event.reason for event in table.of("alert")] == ["not_passed"] * missed


def test_reserves_that_do_not_agree_with_the_record_are_told_and_withdrawn() -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"})
    table.pockets["B", chess.BLACK] = "pn"
    table.look(12.0)
    assert [(event.board, event.reason) for event in table.of("alert")] == [("B", "extra_man")]
    table.pockets["B", chess.BLACK] = ""
    table.look(12.0)
    assert [(event.board, event.reason) for event in table.of("alert")][1:] == [("B", "hidden_reserve")]
    assert [event.reason for event in table.of("withdrawn")] == ["extra_man"]
    table.pockets["B", chess.BLACK] = "p"
    table.look(7.0)
    assert [event.reason for event in table.of("withdrawn")] == ["extra_man", "hidden_reserve"]


def test_one_man_too_many_is_told_once_while_others_come_and_go() -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"})
    table.pockets["B", chess.BLACK] = "np"
    table.look(12.0)
    table.pockets["B", chess.BLACK] = "n"  # the pawn is in the hand that will drop it
    table.look(3.0)
    table.put("B", e2="", e4="P")
    table.look(1.0)
    table.put("B", d5="p")
    table.look(3.0)
    table.put("A", d8="", d5="q")
    table.pockets["B", chess.WHITE] = "P"
    table.look(1.0)
    table.put("A", b1="", c3="N")
    table.look(1.0)
    table.put("A", d5="", a2="q")
    table.pockets["B", chess.WHITE] = "PP"
    table.look(1.0)
    table.put("A", c3="", a2="N")  # one more is on its way there
    table.look(8.0)
    table.pockets["B", chess.BLACK] = "nq"
    table.look(12.0)
    assert [event.san for event in table.of("drop")] == ["P@d5"]
    assert [event.reason for event in table.of("alert")] == ["extra_man"]
    assert not table.of("withdrawn")


def test_a_drop_is_told_at_once_though_one_too_many_stands_in_the_reserve() -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"})
    table.pockets["B", chess.BLACK] = "pn"  # nobody has passed on a knight
    table.look(2.0)
    table.put("B", e2="", e4="P")
    table.look(1.0)
    table.pockets["B", chess.BLACK] = "n"
    table.look(0.5, hidden="d5", on="B")
    table.put("B", d5="p")
    table.look(1.0)
    assert [event.san for event in table.of("drop")] == ["P@d5"]
    table.look(9.0)
    assert [event.reason for event in table.of("alert")] == ["extra_man"]


def test_a_square_that_hardly_shows_a_man_does_not_tell_a_drop_against_the_rules() -> None:
    """A move out of turn would be in turn if somebody had been dropped there."""
    table = after(E4, E5, {"b1": "", "c3": "N"})
    table.reads["A", "b1"] = torn(P=0.61, N=0.17, **{".": 0.12})
    table.look(1.0)
    table.look(0.3, hidden="b1")
    table.put("A", g8="", f6="n")
    table.look(1.0, hidden="g8 f6")
    table.look(1.0)
    table.put("A", b8="", c6="n")
    table.look(3.0)
    assert alerts(table) == [("A", "two_moves", "Nb8-c6")]


def test_who_came_and_reads_as_the_other_sides_from_the_first_was_not_dropped_upon() -> None:
    table = after(E4, E5)
    for squares in (E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
        table.put("B", **squares)
        table.look(1.0)
    table.pockets["A", chess.BLACK] = "p"
    table.look(1.0)
    table.shut.add(("A", chess.BLACK))
    table.look(0.4, hidden="d2 d4")
    table.put("A", d2="", d4="P")
    table.reads["A", "d4"] = torn(p=0.94, P=0.02)  # he stands before a queen
    table.look(5.0, hidden="a8")
    assert alerts(table) == []
    assert played(table) == ["e4", "e5", "d4"]


def test_of_who_took_another_and_goes_back_the_other_may_be_put_back_after_him() -> None:
    """A bishop dropped where the knight goes back to would explain it, too, as long as the pawn is not back."""
    fen: dict[BoardName, str] = {"A": "rnbqk1nr/p1pp1ppp/8/1p6/1b6/2N5/PPP1PPPP/R1BQKBNR[b] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.BLACK] = "b"
    table.look(1.0)
    table.put("A", c3="", b5="N")
    table.look(2.0)
    table.shut.add(("A", chess.BLACK))
    table.look(0.5, hidden="c3 b5")
    table.put("A", b5="")
    table.look(0.2, hidden="c3")
    table.put("A", c3="N")
    table.look(0.8)
    table.put("A", b5="p")
    table.look(2.0)
    assert alerts(table) == [("A", "king_in_check", "Nc3xb5")]
    assert table.moves() == ["A:Nc3xb5"]
    assert [event.san for event in table.of("take_back")] == ["Nc3xb5"]


def test_who_took_in_passing_and_goes_back_is_waited_for_though_other_plies_explain_it() -> None:
    """A bishop takes him there, and a pawn who is missing from the reserve is dropped where he came from; then the pawn
    he took is back."""
    fen: dict[BoardName, str] = {"A": "rnbqk1nr/pp3ppp/2p5/1B6/3Pp3/8/PPP2PPP/RNBQK1NR[p] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.BLACK] = "p"
    table.look(1.0)
    table.put("A", h2="", h3="P")
    table.look(1.0)
    table.put("A", e4="", d4="", d3="p")
    table.look(2.0)
    table.pockets["A", chess.BLACK] = ""
    table.look(0.6, hidden="a4 b4 c4 d4 e4 a5 b5 c5 d5 c3 d3 e3 b6")
    table.put("A", d3="", e4="p")
    table.look(0.4, hidden="b5 c4 d4")
    table.look(1.0)
    table.pockets["A", chess.BLACK] = "p"
    table.put("A", d4="P")
    table.look(2.0)
    assert alerts(table) == [("A", "late_en_passant", "e4-d3")]
    assert table.moves() == ["A:h3", "A:e4-d3"]
    assert [event.san for event in table.of("take_back")] == ["e4-d3"]


def test_who_takes_a_man_and_goes_back_without_putting_him_back_has_made_two_moves() -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"f1": "", "b5": "B"}, {"c7": "", "c6": "p"}, {"b5": "", "c6": "B"})
    table.look(1.0)
    table.put("A", c6="", b5="B")
    table.look(2.0)
    assert alerts(table) == [("A", "two_moves", "Bc6-b5")]


GIVEN: dict[BoardName, str] = {
    "A": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2",
    "B": "rnbqkbnr/ppp1pppp/8/3p4/4N3/8/PPPPPPPP/R1BQKBNR[] b KQkq - 0 2",
}
"""A knight may be taken on board B, and so given to White on board A."""


def test_a_move_against_the_rules_in_plain_sight_is_no_drop_of_one_on_his_way_that_leaves_a_man_missing() -> None:
    table = Table(Match("bughouse", start=GIVEN))
    table.put("B", d5="", e4="p")
    table.look(1.0)
    table.put("A", g1="", e6="N")
    table.look(1.5)
    assert alerts(table) == [("A", "illegal_move", "Ng1-e6")]


def test_who_is_dropped_while_it_is_not_clear_who_took_such_a_man_was_held() -> None:
    fen: dict[BoardName, str] = GIVEN | {"B": "rnbqkbnr/ppp1p1pp/8/3p1p2/4N3/8/PPPPPPPP/R1BQKBNR[] b KQkq - 0 2"}
    table = Table(Match("bughouse", start=fen))
    table.look(0.4)
    table.put("B", d5="", e4="p")
    table.look(0.4, hidden="d5 f5 e4", on="B")
    table.look(0.2, hidden="d5 f5", on="B")
    table.put("A", e6="N")
    table.look(0.8, hidden="d5 f5", on="B")
    table.look(1.0)
    assert table.moves()[-1] == "A:N@e6"
    assert alerts(table) == []


def test_a_man_from_nowhere_who_surely_reads_as_his_kind_is_none_whom_a_hidden_reserve_holds() -> None:
    table = Table(Match("bughouse", start={"A": f"{chess.STARTING_BOARD_FEN}[B] w KQkq - 0 1"}))
    table.pockets["A", chess.WHITE] = "B"
    for squares in (E4, E5, {"g1": "", "f3": "N"}, {"b8": "", "c6": "n"}, {"b1": "", "c3": "N"}, {"g8": "", "f6": "n"}):
        table.put("A", **squares)
        table.look(1.0)
    table.shut.add(("A", chess.WHITE))
    table.put("A", d4="P")
    table.reads["A", "d4"] = torn(P=0.97)
    table.look(2.5)
    assert alerts(table) == [("A", "drop_not_held", "P@d4")]


def test_a_man_dropped_from_nowhere_and_taken_back_was_never_in_the_reserve() -> None:
    table = after(E4)
    table.put("B", e2="", e4="P")
    table.look(1.0)
    table.put("B", e5="p")
    table.look(3.0)
    assert [kind for _, kind, _ in alerts(table)] == ["drop_not_held"]
    table.put("A", d7="", d5="p")
    table.look(1.0)
    table.put("A", e4="", d5="P")  # now such a man is on his way there
    table.look(1.0)
    table.put("B", e5="")
    table.look(3.0)
    table.pockets["B", chess.BLACK] = "p"
    table.look(14.0)
    assert table.of("take_back")
    assert [kind for _, kind, _ in alerts(table)] == ["drop_not_held"]


def test_a_man_from_nowhere_is_told_though_he_reads_as_one_kind_and_then_as_another() -> None:
    table = after(E4, E5)
    table.put("A", d4="N")
    for _ in range(8):
        for here in ({"N": 0.4, "R": 0.3}, {"R": 0.4, "N": 0.3}):
            table.reads["A", "d4"] = torn(**here, Q=0.1, B=0.1)
            table.look(0.2)
    assert [kind for _, kind, _ in alerts(table)] == ["drop_not_held"]


def test_a_man_from_nowhere_is_none_of_those_passed_on_before_he_is_told() -> None:
    table = after(E4, {"d7": "", "d5": "p"})
    table.put("B", e2="", e4="P")
    table.look(1.0)
    table.put("B", e5="p")
    table.look(0.3)
    table.put("A", e4="", d5="P")
    table.look(0.6)
    table.pockets["B", chess.BLACK] = "p"  # and there he stays
    table.look(3.0)
    assert [kind for _, kind, _ in alerts(table)] == ["drop_not_held"]
    assert table.tracker.match.pocket("B", chess.BLACK)[chess.PAWN] == 1
    table.put("B", e5="")
    table.look(2.0)
    assert table.of("take_back")
    table.put("B", d5="p")
    table.pockets["B", chess.BLACK] = ""
    table.look(14.0)
    assert [kind for _, kind, _ in alerts(table)] == ["drop_not_held"]
    assert table.of("drop")[-1].san == "P@d5"


def test_a_captured_piece_in_the_own_reserve_is_told_as_that_alone() -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"})
    table.pockets["A", chess.WHITE] = "p"
    table.look(12.0)
    assert [(event.board, event.reason, event.color) for event in table.of("alert")] == [
        ("A", "wrong_zone", chess.WHITE)
    ]
    where_he_belongs = table.tracker.pockets["B", chess.BLACK]
    assert [passing.kind for passing in where_he_belongs.astray] == [chess.PAWN]
    table.pockets["A", chess.WHITE] = ""
    table.look(1.0)
    assert where_he_belongs.astray == [], "somebody carries him"


@pytest.mark.parametrize(("shown", "told"), [(6.0, 10.0), (9.5, 11.5)])
def test_who_lies_in_the_wrong_reserve_is_told_by_when_he_was_captured(shown: float, told: float) -> None:
    """A taller man had stood before him; it takes two seconds to see that he lies there."""
    table = after(E4, {"d7": "", "d5": "p"})
    table.put("A", e4="", d5="P")
    captured = table.time
    table.look(shown)
    table.pockets["A", chess.WHITE] = "p"
    table.look(14.0 - shown)
    (alert,) = (event for event in table.of("alert") if event.reason == "wrong_zone")
    assert alert.committed - captured == pytest.approx(told, abs=0.5)


def test_where_reserves_may_be_hidden_nobody_is_told_on() -> None:
    table = Table(Match("bughouse", adapted(SCACCO_BRATTO, {"reserve": "may_be_hidden"})))
    for squares in (E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
        table.put("A", **squares)
        table.look(0.8)
    table.look(15.0)
    assert alerts(table) == []


def test_a_man_that_has_fallen_is_told_until_he_stands() -> None:
    table = after(E4, E5)
    table.lying["A"] = {"g1"}
    table.look(1.5)
    (alert,) = table.of("alert")
    assert (alert.reason, alert.square, alert.piece) == ("fallen", "g1", "N")
    table.lying["A"] = set()
    table.look(3.0)
    assert [event.reason for event in table.of("withdrawn")] == ["fallen"]


@pytest.mark.parametrize(("before", "told"), [(-1.4, ["fallen"]), (-2.0, [])])
def test_who_falls_as_he_comes_lies_though_he_hardly_reads_so(before: float, told: list[str]) -> None:
    """Who stood there before, and reads now as if he nearly lay, has not fallen: light changes slowly."""
    table = after(E4, E5)
    table.put("A", g1="", f3="N")
    table.lying["A"], table.flat = {"f3"}, before
    table.look(2.0)
    table.flat = -0.5
    table.look(2.0)
    assert [event.reason for event in table.of("alert")] == told


@pytest.mark.parametrize(("probability", "gap", "flat", "told"), [
    (0.99, 0.02, -0.4, 0), (0.9, 0.02, -0.4, 1), (0.99, 0.12, -0.4, 1), (0.99, 0.02, 1.5, 1),
])  # fmt: skip
def test_who_looks_himself_and_stands_where_he_did_has_not_fallen(
    probability: float, gap: float, flat: float, told: int
) -> None:
    table = Table()
    table.reads["A", "g1"], table.lying["A"], table.flat = torn(N=probability), {"g1"}, flat
    table.pushed["A", "g1"] = gap
    table.look(1.5)
    assert len(alerts(table)) == told


@pytest.mark.parametrize(("flat", "told"), [(0.5, ["fallen"]), (1.5, ["fallen", "lying_pawn"])])
def test_a_pawn_beside_a_taller_man_who_lies_has_to_read_so_surely(flat: float, told: list[str]) -> None:
    table = after(E4, E5)
    table.lying["A"], table.flat = {"g1", "g2"}, flat
    table.look(3.0)
    assert sorted(event.reason for event in table.of("alert")) == told


def test_whether_a_man_lies_whose_base_another_hides_is_told_where_it_is_plain() -> None:
    table = after(E4, E5)
    table.lying["A"], table.pushed["A", "g1"], table.flat = {"g1"}, np.nan, -0.5
    table.reads["A", "g1"] = torn(N=0.6, P=0.33)
    table.look(1.5)
    assert alerts(table) == []
    table.flat += 0.4
    table.look(1.5)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("fallen", "g1")]
    table.flat = 0.0
    table.look(3.0)
    assert table.of("withdrawn") == []
    table.lying["A"] = set()
    table.look(3.0)
    assert [event.reason for event in table.of("withdrawn")] == ["fallen"]


@pytest.mark.parametrize(("flat", "told"), [(2.5, ["P@e5"]), (1.0, [])])
def test_of_who_is_dropped_lying_little_may_show_where_he_lies(flat: float, told: list[str]) -> None:
    fen: dict[BoardName, str] = {"A": f"{chess.STARTING_BOARD_FEN}[P] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.WHITE] = "P"
    table.look(1.0)
    table.pockets["A", chess.WHITE] = ""
    table.flat, table.lying["A"] = flat, {"e5"}
    table.reads["A", "e5"] = torn(**{"P": 0.5, ".": 0.4})
    table.look(2.0)
    assert played(table) == told
    assert alerts(table) == [("A", "lying_pawn", "")] * len(told)


UNPROMOTED: dict[BoardName, str] = {"A": "rnbqkbn1/pppppppP/8/8/8/8/PPPPPPP1/RNBQKBNR[] w KQq - 0 1"}


def test_a_promoted_pawn_that_stands_is_told_once_wherever_it_goes() -> None:
    table = Table(Match("bughouse", start=UNPROMOTED))
    table.put("A", h7="", h8="P")
    table.look(3.0)
    table.put("A", g7="", g6="p")
    table.look(2.0)
    table.put("A", h8="", h4="P")
    table.look(4.0)
    assert table.moves()[-1] == "A:Qh4"
    assert [(event.reason, event.square) for event in table.of("alert")] == [("promotion_unmarked", "h8")]
    assert table.of("withdrawn") == []
    table.lying["A"] = {"h4"}
    table.look(3.0)
    assert [(event.reason, event.square) for event in table.of("withdrawn")] == [("promotion_unmarked", "h8")]


def test_a_lying_pawn_is_told_and_a_promoted_one_that_stands() -> None:
    table = Table(Match("bughouse", start=UNPROMOTED))
    table.lying["A"] = {"a7"}
    table.look(1.5)
    assert [event.reason for event in table.of("alert")] == ["lying_pawn"]
    table.lying["A"] = set()
    table.put("A", h7="", h8="P")
    table.look(3.0)
    assert [(event.reason, event.square) for event in table.of("alert")][1:] == [("promotion_unmarked", "h8")]
    table.lying["A"] = {"h8"}
    table.look(3.0)
    assert [event.reason for event in table.of("withdrawn")] == ["lying_pawn", "promotion_unmarked"]


def test_a_promoted_pawn_that_may_well_lie_is_no_alert() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbn1/pppppppP/8/8/8/8/PPPPPPP1/RNBQKBNR[] w KQq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.put("A", h7="", h8="P")
    table.lying["A"], table.flat = {"h8"}, -2.0
    table.look(3.0)
    assert table.moves() == ["A:h8=Q"]
    assert alerts(table) == []


def test_who_comes_and_lies_is_told_as_soon_as_if_it_had_been_known_at_once_who_came() -> None:
    table = Table()
    table.look(2.0)
    came = table.time
    table.put("A", g1="", f3="N")
    table.lying["A"] = {"f3"}
    while not table.moves():
        table.look(0.1)
    table.look(came + 0.85 - table.time)
    (alert,) = table.of("alert")
    assert (alert.reason, alert.square) == ("fallen", "f3")
    assert alert.time == pytest.approx(came + 0.1)


@pytest.mark.parametrize(("before", "told"), [({"n": 0.8, "N": 0.15}, ["fallen"]), ({"N": 0.9}, [])])
def test_who_reads_as_the_others_may_have_fallen_if_he_did_so_when_he_came(
    before: dict[str, float], told: list[str]
) -> None:
    """Else it may be one who has taken him, which is not told yet."""
    table = after(E4, E5)
    table.put("A", g1="", f3="N")
    table.reads["A", "f3"] = torn(**before)
    table.look(2.0)
    assert len(table.moves()) == 3
    table.reads["A", "f3"], table.lying["A"] = torn(n=0.8, N=0.15), {"f3"}
    table.look(1.5)
    assert [event.reason for event in table.of("alert")] == told


def test_who_has_left_has_not_fallen_though_his_square_was_empty_when_he_was_told_to_have_come() -> None:
    table = after(E4, E5, {"g1": "", "f3": "N"}, {"b8": "", "c6": "n"})
    table.upright = 15.0
    table.look(2.0)
    table.put("A", f3="", e5="")
    table.look(0.3, hidden="f3")
    table.put("A", e5="N")
    table.reads["A", "e5"] = torn(**{".": 0.94})  # as it was seen last
    table.look(1.5, hidden="e5")
    assert table.moves()[-1] == "A:Nxe5"
    del table.reads["A", "e5"]
    table.look(2.0)
    table.put("A", a7="", a6="p")
    table.look(2.0)
    table.put("A", e5="", c6="N")
    table.pushed["A", "e5"], table.lying["A"], table.flat = 0.25, {"e5"}, -2.0
    table.look(1.5, hidden="c6")
    table.look(1.5)
    assert table.of("alert") == []
    assert table.moves()[-1] == "A:Nxc6"


@pytest.mark.parametrize(("empty", "flat", "told"), [
    (0.55, 3.0, ["lying_pawn"]), (0.55, 0.5, []), (0.9, 3.0, []),
])  # fmt: skip
def test_of_one_who_surely_lies_little_may_show_where_he_stood(empty: float, flat: float, told: list[str]) -> None:
    table = Table()
    table.look(2.0)
    table.reads["A", "e2"] = torn(**{"P": 0.94 - empty, ".": empty})
    table.lying["A"], table.flat = {"e2"}, flat
    table.look(1.2)
    assert [event.reason for event in table.of("alert")] == told


def test_who_lies_does_so_until_he_surely_stands() -> None:
    table = Table()
    table.upright = 10.0
    table.look(20.0)
    table.lying["A"], table.flat, table.pushed["A", "e2"] = {"e2"}, -0.5, -0.3
    table.look(1.0)
    table.flat = -3.8
    table.look(3.0)
    assert [event.reason for event in table.of("alert")] == ["lying_pawn"]
    assert not table.of("withdrawn")
    table.lying["A"] = set()
    del table.pushed["A", "e2"]
    table.look(3.0)
    assert [event.reason for event in table.of("withdrawn")] == ["lying_pawn"]
    assert [event.reason for event in table.of("alert")] == ["lying_pawn"], "who is stood up is not pushed"


def test_who_was_taken_by_one_that_lies_has_not_fallen() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPp/RNBQKBN1[] b Qkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.put("A", h2="", g1="p")
    table.lying["A"] = {"g1"}
    table.look(0.8, hidden="h2")
    table.look(3.0)
    assert table.moves() == ["A:hxg1=Q"]
    assert alerts(table) == []


KNIGHT_TAKEN: dict[BoardName, str] = {"A": "rnbqkb1r/pppppppp/8/3n4/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 1"}


def test_who_lies_where_he_took_a_man_and_reads_as_that_side_s_is_not_that_man_fallen() -> None:
    table = Table(Match("bughouse", start=KNIGHT_TAKEN))
    table.put("A", e4="", d5="P")
    table.lying["A"], table.flat, table.reads["A", "d5"] = {"d5"}, 4.0, torn(n=0.5, p=0.35, P=0.05)
    table.look(0.8, hidden="e4 d5")
    table.look(1.5)
    assert "fallen" not in [event.reason for event in table.of("alert")]


@pytest.mark.parametrize(("seconds", "told"), [(1.0, []), (1.4, ["fallen"])])
def test_who_has_fallen_is_told_in_time_though_who_could_have_taken_him_is_hidden(
    seconds: float, told: list[str]
) -> None:
    table = Table(Match("bughouse", start=KNIGHT_TAKEN))
    table.look(1.0, hidden="e4 d5")
    table.lying["A"] = {"d5"}
    table.look(seconds, hidden="e4")
    assert [event.reason for event in table.of("alert")] == told


def test_a_piece_that_is_pushed_is_told_once() -> None:
    table = after(E4)
    table.look(2.0)
    table.pushed["A", "d2"] = 0.2
    table.look(3.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("nudge", "d2")]


@pytest.mark.parametrize(("rested", "told"), [(0.3, []), (1.5, [("nudge", "e4")])])
def test_who_has_just_come_may_be_put_right_at_once(rested: float, told: list[tuple[str, str]]) -> None:
    table = Table()
    table.put("A", **E4)
    table.look(rested)
    table.pushed["A", "e4"] = 0.2
    table.look(3.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == told


@pytest.mark.parametrize("then", ["", "e4"])
def test_who_was_seen_at_rest_before_he_was_told_may_be_pushed_right_after(then: str) -> None:
    table = Table()
    table.put("A", **E4)
    table.look(0.2)
    while not table.moves():
        table.look(0.1, hidden=then)
    table.look(0.2)
    table.pushed["A", "e4"] = 0.2
    table.look(0.5, hidden="e4")
    table.look(2.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("nudge", "e4")]


@pytest.mark.parametrize(("far", "told"), [(0.18, []), (0.25, [("nudge", "d2")])])
def test_who_is_pushed_far_is_told_before_a_hand_hides_him(far: float, told: list[tuple[str, str]]) -> None:
    table = Table()
    table.look(2.0)
    table.pushed["A", "d2"] = far
    table.look(0.4)
    table.look(2.0, hidden="d2")
    assert [(event.reason, event.square) for event in table.of("alert")] == told


@pytest.mark.parametrize(("before", "told"), [(0.42, [("nudge", "f1")]), (0.05, [])])
def test_who_is_pushed_may_read_as_another_kind(before: float, told: list[tuple[str, str]]) -> None:
    table = Table()
    table.look(2.0)
    table.pushed["A", "f1"] = 0.25
    table.reads["A", "f1"] = torn(B=before, P=0.9 - before)
    table.look(0.5)
    assert [(event.reason, event.square) for event in table.of("alert")] == told


def test_who_is_pushed_is_told_though_the_kind_of_his_like_is_misread() -> None:
    table = Table(read={("A", "h2"): torn(B=0.6, P=0.3)})
    table.look(2.0)
    table.pushed["A", "d2"] = 0.2
    table.look(2.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("nudge", "d2")]


def test_who_is_seen_a_little_farther_off_from_look_to_look_as_an_arm_goes_by_was_not_pushed() -> None:
    table = Table()
    table.look(2.0)
    for gap in (0.19, 0.19, 0.23):
        table.pushed["A", "d2"] = gap
        table.look(0.1)
    table.pushed["A", "d2"] = 0.0
    table.look(2.0)
    assert table.of("alert") == []


@pytest.mark.parametrize(("squares", "seconds"), [(E4, 3.0), ({"e1": ""}, 1.5)])
@pytest.mark.parametrize(("far", "told"), [(0.18, []), (0.25, [("nudge", "d2")])])
def test_whose_neighbour_has_gone_is_pushed_only_if_he_is_seen_far_away(
    far: float, told: list[tuple[str, str]], squares: dict[str, str], seconds: float
) -> None:
    """Also while it is not known yet where that one goes."""
    table = Table()
    table.behind["A"] = {"d2"}
    table.look(2.0)
    table.pushed["A", "d2"] = far
    table.put("A", **squares)
    table.behind["A"] = set()
    table.look(seconds)
    assert [(event.reason, event.square) for event in table.of("alert")] == told


@pytest.mark.parametrize(("far", "told"), [(0.18, []), (0.2, [("nudge", "d2")])])
def test_whose_neighbour_does_not_stand_before_him_is_pushed_if_he_is_seen_elsewhere(
    far: float, told: list[tuple[str, str]]
) -> None:
    table = Table()
    table.look(2.0)
    table.pushed["A", "d2"] = far
    table.put("A", **E4)
    table.look(2.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == told


def test_before_whom_another_comes_to_stand_from_afar_is_pushed_only_if_he_is_seen_far_away() -> None:
    table = Table()
    table.look(2.0)
    table.behind["A"], table.pushed["A", "c2"] = {"c2"}, 0.2
    table.look(2.0)
    assert table.of("alert") == []
    table.pushed["A", "c2"] = 0.45
    table.look(2.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("nudge", "c2")]


def test_who_is_seen_again_where_he_stood_before_his_neighbour_went_was_not_pushed() -> None:
    table = Table()
    table.look(2.0)
    for seen, arm in ((0.18, "c3"), (0.0, "")):
        table.pushed["A", "d2"] = seen
        table.put("A", **E4)
        table.look(2.0, hidden=arm)
    assert not table.of("alert")
    table.pushed["A", "d2"] = 0.4
    table.look(3.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("nudge", "d2")]


def test_who_stands_behind_another_is_pushed_only_where_his_base_is_seen() -> None:
    table = Table()
    table.look(2.0)
    for hidden, shown in ((np.nan, 0.0), (np.nan, 0.2)):
        table.pushed["A", "d2"] = hidden
        table.look(3.0)
        assert not table.of("alert")
        table.pushed["A", "d2"] = shown
        table.look(3.0)
    (alert,) = table.of("alert")
    assert (alert.reason, alert.square) == ("nudge", "d2")


@pytest.mark.parametrize(("flat", "told"), [(-10.0, ["nudge"]), (-2.0, [])])
def test_who_reads_otherwise_than_he_stood_beside_an_arm_was_not_pushed(flat: float, told: list[str]) -> None:
    """The arm hides him in part."""
    table = Table()
    table.flat, table.lying["A"] = -10.0, {"e2"}
    table.look(20.0)  # until it is known how he reads
    table.behind["A"] = {"e2"}
    table.look(1.0)
    table.flat, table.pushed["A", "e2"] = flat, 0.25
    table.look(0.4, hidden="d3")
    assert [event.reason for event in table.of("alert")] == told


def test_where_one_stands_whose_base_another_and_an_arm_hide_is_not_known() -> None:
    table = Table()
    table.behind["A"], table.pushed["A", "e4"] = {"e4"}, np.nan
    table.put("A", **E4)
    table.look(2.0)
    table.pushed["A", "e4"] = 0.4
    table.look(0.2, hidden="d5")
    table.behind["A"], table.pushed["A", "e4"] = set(), 0.0
    table.look(3.0)
    assert table.moves() == ["A:e4"]
    assert table.of("alert") == []
    table.pushed["A", "e4"] = 0.2
    table.look(3.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("nudge", "e4")]


def test_who_is_pushed_as_another_comes_before_him_is_told_where_that_one_hides_little_of_him() -> None:
    table = Table()
    table.look(2.0)
    table.behind["A"], table.pushed["A", "c2"] = {"c2"}, 0.24
    table.put("A", b1="", c3="N")
    table.look(2.0)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("nudge", "c2")]


def test_who_is_hidden_when_it_is_told_that_another_has_come_before_him_was_not_pushed() -> None:
    table = Table()
    table.look(2.0)
    table.behind["A"], table.pushed["A", "c2"] = {"c2"}, 0.18
    table.put("A", b1="", c3="N")
    table.look(0.1)
    table.look(1.0, hidden="c2")
    assert table.moves() == ["A:Nc3"]
    table.look(3.0)
    assert table.of("alert") == []


def test_who_may_have_gone_to_where_his_like_has_come_was_not_pushed() -> None:
    """A tall man behind the empty square reads as a pawn there, somewhat aside."""
    table = Table()
    table.look(2.0)
    table.pushed["A", "e2"] = 0.4
    table.put("A", e4="P")
    table.look(0.4)
    table.put("A", e2="")
    table.look(1.0)
    assert table.moves() == ["A:e4"]
    assert table.of("alert") == []


@pytest.mark.parametrize(
    ("flat", "himself", "told"), [(-3.5, 0.6, []), (-2.5, 0.6, ["lying_pawn"]), (-2.5, 0.9, []), (0.5, 0.9, [])]
)
def test_who_lies_though_another_hides_his_base_has_to_read_so_surely(
    flat: float, himself: float, told: list[str]
) -> None:
    """And not surely as who he is."""
    table = Table()
    table.lying["A"], table.flat = {"e2"}, -15.0
    table.look(20.0)  # until it is known how he reads
    table.pushed["A", "e2"], table.flat = np.nan, flat
    table.reads["A", "e2"] = torn(P=himself, p=0.93 - himself)
    table.look(3.0)
    assert [event.reason for event in table.of("alert")] == told


@pytest.mark.parametrize(("flat", "told"), [(-4.5, ["nudge"]), (-3.0, ["fallen"])])
def test_who_is_seen_elsewhere_and_reads_much_more_as_one_who_lies_has_fallen(flat: float, told: list[str]) -> None:
    """His head may point to the camera."""
    table = Table()
    table.lying["A"], table.flat = {"g1"}, -15.0
    table.look(20.0)
    table.pushed["A", "g1"], table.flat = 0.2, flat
    table.look(3.0)
    assert [event.reason for event in table.of("alert")] == told
    table.pushed["A", "g1"], table.flat = 0.0, -15.0
    table.look(3.0)
    assert [event.reason for event in table.of("withdrawn")] == [reason for reason in told if reason == "fallen"]


@pytest.mark.parametrize(("after_all", "told"), [(-2.0, []), (0.5, ["fallen"])])
def test_whose_base_somebody_hides_who_has_just_come_may_read_as_one_who_lies(
    after_all: float, told: list[str]
) -> None:
    table = Table()
    table.lying["A"], table.flat, table.pushed["A", "g8"] = {"g8"}, -11.0, np.nan
    table.reads["A", "g8"] = torn(n=0.6, p=0.33)
    table.look(20.0)
    for squares in (E4, {"h7": "", "h5": "p"}, {"d2": "", "d3": "P"}):
        table.put("A", **squares)
        table.look(2.0)
    table.put("A", h8="", h7="r")
    table.flat = -2.0
    table.look(3.0)
    assert not table.of("alert")
    table.flat = after_all
    table.look(3.0)
    assert [event.reason for event in table.of("alert")] == told


def test_who_was_seen_to_stand_behind_one_who_has_come_and_reads_much_flatter_now_has_fallen() -> None:
    table = Table()
    table.lying["A"], table.flat = {"e2"}, -12.0
    table.look(20.0)
    table.behind["A"] = {"e2"}
    table.put("A", g1="", f3="N")
    table.look(2.0)
    table.flat, table.pushed["A", "e2"] = -1.5, 0.1
    table.look(1.5)
    assert [(event.reason, event.square) for event in table.of("alert")] == [("lying_pawn", "e2")]


def test_who_is_seen_in_part_beside_an_arm_is_pushed_only_if_he_is_seen_so_clearly_too() -> None:
    table = Table()
    table.look(2.0)
    table.pushed["A", "d2"] = 0.2
    table.reads["A", "d2"] = torn(P=0.7)
    table.look(2.0, hidden="c2 c3 d3")
    assert not table.of("alert")
    del table.reads["A", "d2"]
    table.look(0.2, hidden="c2 c3 d3")
    assert [(event.reason, event.square) for event in table.of("alert")] == [("nudge", "d2")]


def test_a_piece_lifted_and_put_down_elsewhere_on_its_square_was_not_pushed() -> None:
    table = after(E4)
    table.look(2.0)
    table.put("A", d2="")
    table.look(0.3)
    table.put("A", d2="P")
    table.pushed["A", "d2"] = 0.2
    table.look(3.0)
    assert alerts(table) == []


@pytest.mark.parametrize(("at_first", "told"), [("", [("nudge", "f1")]), ("c1", [])])
def test_who_is_pushed_far_is_told_if_his_like_has_been_seen_where_he_stood_since(
    at_first: str, told: list[tuple[str, str]]
) -> None:
    table = Table()
    table.look(2.0)
    table.pushed["A", "f1"] = 0.25
    table.look(0.1, hidden=at_first)
    table.look(0.5, hidden="c1")
    table.look(2.0, hidden="f1")
    assert [(event.reason, event.square) for event in table.of("alert")] == told


def test_who_was_taken_and_taken_back_by_his_like_was_not_pushed() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/2N5/PPPPNPPP/R1BQKB1R[] b KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.look(2.0)
    table.put("A", b4="", e2="")
    table.pushed["A", "c3"] = 0.25
    table.look(5.0)
    assert table.moves() == ["A:Bxc3", "A:Nxc3"]
    assert [event.reason for event in table.of("alert") if event.reason == "nudge"] == []


def test_a_king_laid_down_resigns() -> None:
    table = after(E4, E5)
    table.lying["A"] = {"e8"}
    table.look(4.0)
    (end,) = table.of("end")
    assert (end.board, end.result, end.reason) == ("A", "1-0", "resigned")
    assert table.tracker.state("A") == "ended"


@pytest.mark.parametrize(
    ("white", "black", "result"), [("e4", "d5", "1-0"), ("d4", "e5", "0-1"), ("e4", "e5", "1/2-1/2")]
)
def test_kings_in_the_middle_end_the_match(white: str, black: str, result: str) -> None:
    table = after({"e2": "", "e3": "P"}, {"e7": "", "e6": "p"})
    table.put("A", e1="", e8="", **{white: "K", black: "k"})
    table.look(3.0)
    (end,) = table.of("end")
    assert (end.result, end.reason) == (result, "kings_in_the_middle")


def test_who_was_seen_to_stand_has_not_gone_elsewhere_at_once() -> None:
    """The bishop could have gone from c8 to h3 in one move, had he not stood on d7 for a while."""
    table = after(E4, {"d7": "", "d6": "p"}, {"d2": "", "d4": "P"})
    table.put("A", c8="", d7="b")
    table.look(1.0)
    table.look(0.8, hidden="d7 e6 f5 g4 h3 c8")
    table.put("A", d7="", h3="b")
    table.look(2.0)
    assert alerts(table) == [("A", "two_moves", "Bd7-h3")]
    assert played(table)[-2:] == ["Bd7", "Bd7-h3"]


@pytest.mark.parametrize(
    ("aside", "enters", "length", "told"),
    [
        (0.5, 0.5, 4.0, False),
        (11.0, 7.0, 5.0, True),
        (7.0, 1.8, 2.0, False),  # hardly an arm is seen
        (7.0, 1.8, 5.0, True),
    ],
)
def test_a_partner_who_moves_is_told_by_where_the_arm_comes_from(
    aside: float, enters: float, length: float, told: bool
) -> None:
    table = after(E4, E5)
    table.put("A", g1="", f3="N")
    arm = Reach((5.2, 2.9), chess.WHITE, aside, enters, length=length)
    table.reaches["A"] = (arm, Reach((9.0, 6.0), chess.BLACK, 11.0, 7.0))
    table.look(0.6, hidden="f1 g1 f2 g2 f3 g3")
    table.reaches["A"] = ()
    table.look(1.0)
    assert alerts(table) == [("A", "partner_hand", "Nf3")] * told
    assert all(alert.rule.startswith("partner_hands") for alert in table.of("alert"))


def test_of_two_plies_to_a_square_that_are_told_together_a_partner_made_the_last() -> None:
    table, hidden = after(E4, {"d7": "", "d5": "p"}, {"b1": "", "c3": "N"}, {"a7": "", "a6": "p"}), "e4 d5 c3 d8"
    table.look(1.0, hidden)
    table.reaches["A"] = (Reach((4.5, 4.5), chess.WHITE, 11.0, 7.0),)
    table.look(1.0, hidden)
    table.reaches["A"] = ()
    table.look(0.4, hidden)
    table.put("A", e4="", c3="", d8="", d5="N")
    table.look(2.0)
    assert played(table)[-3:] == ["exd5", "Qxd5", "Nxd5"]
    assert alerts(table) == [("A", "partner_hand", "Nxd5")]


def test_a_partner_made_a_ply_that_is_long_not_seen_if_his_arm_came_first() -> None:
    table, hidden = after(E4, E5), "g1 f3 f2"
    table.put("A", g1="", f3="N")
    table.reaches["A"] = (Reach((5.2, 3.2), chess.WHITE, 11.0, 7.0),)
    table.look(0.5, hidden)
    table.reaches["A"] = ()
    table.look(2.5, hidden)
    table.reaches["A"] = (Reach((5.2, 3.2), chess.WHITE, 0.5, 0.5),)
    table.look(0.8, hidden)
    table.look(1.0)
    assert alerts(table) == [("A", "partner_hand", "Nf3")]


@pytest.mark.parametrize(("length", "told"), [(1.5, True), (4.0, False)])
def test_the_less_is_seen_of_an_arm_the_less_it_says_whose_it_is(length: float, told: bool) -> None:
    """At the far edge of the picture a partner's arm may look as the player's own."""
    table, hidden = after(E4, E5), "g1 f3 f2"
    table.put("A", g1="", f3="N")
    table.reaches["A"] = (Reach((5.2, 3.2), chess.WHITE, 11.0, 7.0, length=4.0),)
    table.look(0.5, hidden)
    table.reaches["A"] = (Reach((5.4, 2.8), chess.WHITE, 1.0, 1.0, length=length),)
    table.look(0.8, hidden)
    table.reaches["A"] = ()
    table.look(1.0)
    assert alerts(table) == [("A", "partner_hand", "Nf3")] * told


def knight_moved(table: Table) -> Table:
    """White's knight comes to f3 under an arm of which little is seen."""
    table.put("A", g1="", f3="N")
    table.reaches["A"] = (Reach((5.2, 3.2), chess.WHITE, 4.5, 1.5),)
    table.look(0.5, hidden="f1 g1 f2 g2 f3 g3")
    table.reaches["A"] = ()
    table.look(1.0)
    return table


@pytest.mark.parametrize(
    ("came", "told"),
    [
        (((9.6, 5.4, 18.0, 8.2), (8.0, 5.0, 13.0, 8.2), (6.8, 3.8, 11.0, 7.0)), True),
        (((5.2, -1.5, 0.5, 0.5), (5.3, 0.2, 0.8, 0.6), (5.4, 1.8, 1.0, 0.6)), False),
        (((9.6, 5.4, 18.0, 8.2), (8.0, 5.0, 13.0, 8.2), (7.9, 5.0, 13.0, 8.2)), False),  # that one is elsewhere
        ((), False),
    ],
)
def test_whose_arm_it_is_of_which_little_is_seen_there_is_told_by_how_it_came(
    came: tuple[tuple[float, ...], ...], told: bool
) -> None:
    table = after(E4, E5)
    for x, y, aside, enters in came:
        table.reaches["A"] = (Reach((x, y), chess.WHITE, aside, enters),)
        table.look(0.1, hidden="f1 g1 f2 g2 f3 g3")
    assert alerts(knight_moved(table)) == [("A", "partner_hand", "Nf3")] * told


@pytest.mark.parametrize(("met", "told"), [(True, False), (False, True)])
def test_an_arm_that_was_seen_as_one_with_the_partners_is_not_followed_back_to_there(met: bool, told: bool) -> None:
    """He passes a man on, and the player drops him."""
    table = after(E4, E5)
    one, other = Reach((6.8, 3.8), chess.WHITE, 4.5, 4.5), Reach((9.6, 5.4), chess.WHITE, 17.4, 8.2)
    for x in (9.2, 8.9, 8.6, 8.0):
        table.reaches["A"] = (Reach((x, 4.7), chess.WHITE, 8.5, 6.2),)
        table.look(0.1, hidden="f1 g1 f2 g2 f3 g3")
    table.reaches["A"] = (one, other) if met else (one,)
    table.look(0.1, hidden="f1 g1 f2 g2 f3 g3")
    assert alerts(knight_moved(table)) == [("A", "partner_hand", "Nf3")] * told


@pytest.mark.parametrize(("again", "told"), [(True, False), (False, True)])
def test_where_two_arms_are_seen_as_one_for_a_moment_nobody_can_tell_whose_it_is(again: bool, told: bool) -> None:
    """The partner passes a man on beside the square to which the player moves."""
    table, hidden = after(E4, E5), "f1 g1 f2 g2 f3 g3"
    own, partner = Reach((4.0, 1.2), chess.WHITE, 1.5, 1.5), Reach((9.2, 3.5), chess.WHITE, 16.0, 8.3)
    as_one = Reach((5.4, 2.4), chess.WHITE, 8.5, 5.4)
    table.put("A", g1="", f3="N")
    for arms, looks in (((own, partner), 1), ((as_one,), 3), ((own, partner) if again else (as_one,), 1)):
        for _ in range(looks):
            table.reaches["A"] = arms
            table.look(0.1, hidden)
    table.reaches["A"] = ()
    table.look(1.0)
    assert alerts(table) == [("A", "partner_hand", "Nf3")] * told


def test_an_arm_is_not_taken_for_one_that_is_gone_for_a_moment_since_it_comes_to_where_that_was() -> None:
    table, hidden = after(E4, E5), "f1 g1 f2 g2 f3 g3"
    partner = Reach((7.0, 3.0), chess.WHITE, 11.0, 7.0)
    table.put("A", g1="", f3="N")
    for place, both in (((4.0, 1.2), True), ((4.8, 1.8), False), ((5.4, 2.4), False), ((5.4, 2.4), False)):
        table.reaches["A"] = (Reach(place, chess.WHITE, 1.5, 1.5), *([partner] if both else []))
        table.look(0.1, hidden)
    table.reaches["A"] = (Reach((4.0, 1.2), chess.WHITE, 1.5, 1.5), replace(partner, tip=(9.2, 3.5)))
    table.look(0.1, hidden)
    table.reaches["A"] = ()
    table.look(1.0)
    assert alerts(table) == []


@pytest.mark.parametrize("place", [(6.5, 0.5), (4.0, 0.5)])
def test_a_partner_who_castles_is_told_by_his_arm_where_the_king_comes_to_or_the_rook(
    place: tuple[float, float],
) -> None:
    table = after(E4, E5, {"g1": "", "f3": "N"}, {"b8": "", "c6": "n"}, {"f1": "", "c4": "B"}, {"g8": "", "f6": "n"})
    table.put("A", e1="", h1="", g1="K", f1="R")
    table.reaches["A"] = (Reach(place, chess.WHITE, 11.0, 7.0),)
    table.look(0.6, hidden="e1 f1 g1 h1")
    table.reaches["A"] = ()
    table.look(1.0)
    assert alerts(table) == [("A", "partner_hand", "O-O")]


@pytest.mark.parametrize(("beside", "told"), [(True, True), (False, False)])
def test_whose_arm_it_is_that_moves_is_told_best_where_it_lets_go(beside: bool, told: bool) -> None:
    """As it comes near it is told as another's for longer than where it puts the man down."""
    table = after(E4, E5)
    for place, far, seconds in (((5.5, 0.4), not beside, 0.6), ((5.4, 2.4), beside, 0.3)):
        aside, enters = (11.0, 7.0) if far else (0.5, 0.5)
        table.put("A", g1="", f3="N")
        table.reaches["A"] = (Reach(place, chess.WHITE, aside, enters),)
        table.look(seconds, hidden="f1 g1 f2 g2 f3 g3")
    table.reaches["A"] = ()
    table.look(1.0)
    assert alerts(table) == [("A", "partner_hand", "Nf3")] * told


def test_where_partners_may_move_for_each_other_nobody_is_told_on() -> None:
    table = Table(Match("bughouse", adapted(SCACCO_BRATTO, {"partner_hands": "allowed"})))
    table.put("A", **E4)
    table.reaches["A"] = (Reach((4.5, 3.5), chess.WHITE, 11.0, 7.0),)
    table.look(1.0)
    assert played(table) == ["e4"]
    assert alerts(table) == []


def pressed(table: Table, *reaches: Reach, looks: int = 3, hidden: str = "") -> Table:
    """Arms reach for a place on board A, and draw back. `hidden`: squares that hands cover meanwhile."""
    table.reaches["A"] = reaches
    for _ in range(looks):
        table.look(0.1, hidden)
    table.reaches["A"] = ()
    table.look(0.5, hidden)
    return table


def at_clock(color: chess.Color, enters: float, aside: float | None = None) -> Reach:
    """`aside`: by default as far beside where it comes in as the elbow of who reaches for the clock."""
    return Reach((-0.7, 3.3 if color else 4.7), color, enters + 3.0 if aside is None else aside, enters, at_clock=True)


def moved_last(color: chess.Color, usual: float = -2.5, match: Match | None = None, visits: int = 2) -> Table:
    """Both players have been at the clock before, and their arms come in there."""
    table = Table(match)
    for _ in range(visits):
        pressed(table, at_clock(chess.WHITE, usual), at_clock(chess.BLACK, usual))
    for squares in (E4,) if color else (E4, E5):
        table.put("A", **squares)
        table.look(1.0)
    return table


@pytest.mark.parametrize("color", chess.COLORS)
def test_a_partner_who_presses_the_clock_is_told_by_where_the_arm_comes_in(color: chess.Color) -> None:
    table = pressed(moved_last(color), at_clock(color, 5.0), at_clock(not color, -2.5))
    assert [(alert.reason, alert.color) for alert in table.of("alert")] == [("partner_press", color)]
    assert table.of("alert")[0].rule.startswith("partner_clock")
    pressed(table, at_clock(color, 5.0))
    assert len(table.of("alert")) == 1, "what has been pressed is pressed"


@pytest.mark.parametrize("visits", [1, 2])
@pytest.mark.parametrize(("farther", "told"), [(0.4, 1), (1.2, 0), (-0.9, 1), (-1.6, 0)])
def test_a_partner_who_reaches_beyond_the_clock_or_not_as_far_does_not_press_it(
    farther: float, told: int, visits: int
) -> None:
    """Beyond it he lays a man down, and nearer he goes by."""
    table, press = moved_last(chess.WHITE, visits=visits), at_clock(chess.WHITE, 5.0)
    pressed(table, replace(press, tip=(press.tip[0] - farther, press.tip[1])))
    assert alerts(table) == [("A", "partner_press", "")] * told


@pytest.mark.parametrize(("usual", "told"), [(-0.7, 0), (-2.0, 1)])
def test_who_lifts_a_man_from_the_edge_beside_the_clock_has_not_pressed_it(usual: float, told: int) -> None:
    table, own = Table(), replace(at_clock(chess.WHITE, -2.5), tip=(usual, 3.3))
    for _ in range(2):
        pressed(table, own, at_clock(chess.BLACK, -2.5))
    table.put("A", **E4)
    pressed(table, replace(own, tip=(-0.1, 3.5)))
    pressed(table, replace(at_clock(chess.WHITE, 5.0), tip=own.tip))
    table.look(1.0)
    assert alerts(table) == [("A", "partner_press", "")] * told


def test_a_partner_whose_arm_is_seen_farther_out_in_one_look_alone_presses() -> None:
    table, press = moved_last(chess.WHITE), at_clock(chess.WHITE, 5.0)
    table.reaches["A"] = (replace(press, tip=(press.tip[0] - 1.2, press.tip[1])),)
    table.look(0.1)
    assert alerts(pressed(table, press)) == [("A", "partner_press", "")]


@pytest.mark.parametrize(
    ("visits", "enters", "aside", "told"),
    [(4, -2.0, -0.9, True), (3, -2.0, -0.9, False), (4, -2.5, -0.9, False), (4, -2.0, -2.5, False)],
)
def test_a_partner_is_told_by_an_arm_little_farther_than_all_before_where_many_have_been_there(
    visits: int, enters: float, aside: float, told: bool
) -> None:
    """Where the picture ends near the clock, both come in there."""
    table = moved_last(chess.WHITE, usual=-4.3, visits=visits)
    pressed(table, at_clock(chess.WHITE, enters, aside))
    assert alerts(table) == [("A", "partner_press", "")] * told


def test_a_partner_who_presses_before_the_ply_shows_is_told_with_it() -> None:
    table = moved_last(chess.BLACK)
    table.put("A", g1="", f3="N")
    table.look(0.2, hidden="f3 g1")
    pressed(table, at_clock(chess.WHITE, 5.0), hidden="f3 g1")
    assert alerts(table) == []
    table.look(1.0)
    assert alerts(table) == [("A", "partner_press", "")]


def test_a_partner_who_presses_is_told_once_it_is_certain_that_his_player_had_moved_after_the_other() -> None:
    """Both plies were hidden since the same look, and where the second went still is."""
    table = pressed(moved_last(chess.BLACK), at_clock(chess.BLACK, -2.5))
    table.put("A", g1="", f3="N")
    table.put("A", d7="", d5="p")
    table.look(0.3, hidden="f3 g1 d7 d6 d5")
    pressed(table, at_clock(chess.BLACK, 5.0), hidden="f3 g1 d7 d6 d5")
    table.look(1.5, hidden="d6 d5")
    assert table.moves()[-1] == "A:Nf3"
    assert alerts(table) == [("A", "partner_press", "")]


def test_a_partner_who_presses_is_told_though_the_ply_shows_with_the_one_it_replied_to() -> None:
    table = moved_last(chess.BLACK)
    table.put("A", g1="", f3="N")
    table.look(0.2, hidden="f3 g1 b8 c6")
    pressed(table, at_clock(chess.WHITE, -2.5), hidden="f3 g1 b8 c6")
    table.put("A", b8="", c6="n")
    table.look(0.3, hidden="f3 g1 b8 c6")
    table.look(0.1)
    pressed(table, at_clock(chess.BLACK, 5.0))
    table.look(1.0)
    assert played(table)[-2:] == ["Nf3", "Nc6"]
    assert [(alert.reason, alert.color) for alert in table.of("alert")] == [("partner_press", chess.BLACK)]


def test_a_partner_who_presses_is_told_though_the_ply_shows_with_the_reply_alone() -> None:
    table = moved_last(chess.BLACK)
    table.put("A", g1="", f3="N")
    table.look(0.2, hidden="f3 g1")
    table.reaches["A"] = (at_clock(chess.WHITE, 5.0),)
    table.look(0.4, hidden="f3 g1")
    table.reaches["A"] = (Reach((2.5, 6.5), chess.BLACK, 0.0, 0.0),)
    table.look(2.2, hidden="f3 g1 b8 c6")
    table.put("A", b8="", c6="n")
    table.reaches["A"] = ()
    table.look(1.5)
    assert played(table)[-2:] == ["Nf3", "Nc6"]
    assert alerts(table) == [("A", "partner_press", "")]


def test_a_partner_who_presses_is_told_before_it_is_clear_which_ply_was_played() -> None:
    table = pressed(moved_last(chess.WHITE), at_clock(chess.WHITE, -2.5))
    table.put("A", d7="", d5="p")
    table.look(0.3, hidden="d5 d6 d7")
    pressed(table, at_clock(chess.BLACK, 5.0), hidden="d5 d6 d7")
    assert alerts(table) == []
    table.look(1.0, hidden="d5 d6")
    assert played(table)[1:] == []
    assert alerts(table) == [("A", "partner_press", "")]
    table.look(2.0)
    assert played(table)[1:] == ["d5"]
    assert len(alerts(table)) == 1


@pytest.mark.parametrize("color", chess.COLORS)
def test_a_partner_at_the_clock_presses_nothing_where_nothing_is_to_be_pressed(color: chess.Color) -> None:
    table = pressed(moved_last(color), at_clock(color, -2.5))
    pressed(table, at_clock(color, 5.0), at_clock(not color, 5.0))
    table.look(3.0)
    assert alerts(table) == []


@pytest.mark.parametrize(
    "reach",
    [at_clock(chess.WHITE, -2.5), Reach((0.5, 3.3), chess.WHITE, 11.0, 7.0), Reach((9.5, 2.0), chess.WHITE, 11.0, 7.0)],
)
def test_own_arms_at_the_clock_and_others_elsewhere_are_nothing(reach: Reach) -> None:
    assert alerts(pressed(moved_last(chess.WHITE), reach)) == []


@pytest.mark.parametrize(("usual", "told"), [(1.5, [("A", "partner_press", "")]), (4.5, [])])
def test_an_arm_that_comes_in_where_it_always_does_is_the_players_own(
    usual: float, told: list[tuple[str, str, str]]
) -> None:
    """A camera that looks from aside sees the players' own arms come in towards the pockets."""
    assert alerts(pressed(moved_last(chess.WHITE, usual), at_clock(chess.WHITE, 5.0))) == told


@pytest.mark.parametrize(
    ("visits", "aside", "told"), [(2, 7.0, True), (1, 7.0, True), (0, 7.0, False), (0, 12.0, True)]
)
def test_his_own_and_the_opponents_visits_tell_where_an_arm_comes_in_and_a_shoulder_whose_it_is_before(
    visits: int, aside: float, told: bool
) -> None:
    table = pressed(moved_last(chess.WHITE, visits=visits), at_clock(chess.WHITE, 5.0, aside))
    assert alerts(table) == [("A", "partner_press", "")] * told


@pytest.mark.parametrize("own", [False, True])
def test_a_partner_who_presses_first_is_told_by_how_the_arm_came_where_the_picture_ends_near_the_clock(
    own: bool,
) -> None:
    table = moved_last(chess.WHITE, visits=0)
    across, beside = Reach((0.3, 1.2), chess.WHITE, 6.8, 3.0), Reach((1.3, 2.2), chess.WHITE, -0.8, 0.3)
    table.reaches["A"] = (across, beside) if own else (across,)
    table.look(0.1)
    pressed(table, at_clock(chess.WHITE, -0.1, 3.5))
    assert alerts(table) == [("A", "partner_press", "")] * (not own)


def test_who_comes_to_the_clock_as_he_did_before_is_himself_however_his_arm_came_over_the_board() -> None:
    table = moved_last(chess.WHITE, usual=-0.1, visits=1)
    table.reaches["A"] = (Reach((0.3, 1.2), chess.WHITE, 6.8, 3.0),)
    table.look(0.1)
    assert alerts(pressed(table, at_clock(chess.WHITE, -0.1, 3.5))) == []


@pytest.mark.parametrize(("aside", "told"), [(2.0, False), (12.0, True)])
def test_an_arm_seen_only_once_at_the_clock_is_nothing_unless_its_shoulder_is_far(aside: float, told: bool) -> None:
    table = pressed(moved_last(chess.WHITE), at_clock(chess.WHITE, 5.0, aside), looks=1)
    assert alerts(table) == [("A", "partner_press", "")] * told


def test_where_partners_may_press_for_each_other_nobody_is_told_on() -> None:
    table = moved_last(chess.WHITE, match=Match("bughouse", adapted(SCACCO_BRATTO, {"partner_clock": "allowed"})))
    assert alerts(pressed(table, at_clock(chess.WHITE, 5.0))) == []


@pytest.mark.parametrize("color", chess.COLORS)
@pytest.mark.parametrize(
    ("shoulder", "told"),
    [
        (-4.5, True),
        (0.8, False),  # nobody tells a shoulder's place so well,
        (5.0, False),  # and his other arm is on the clock's side
    ],
)
def test_who_presses_with_the_other_hand_is_told(color: chess.Color, shoulder: float, told: bool) -> None:
    table = pressed(moved_last(color), at_clock(color, -5.5, shoulder))
    assert [(alert.reason, alert.color) for alert in table.of("alert")] == [("other_hand", color)] * told
    pressed(table, at_clock(color, -3.0))
    assert len(table.of("alert")) == told


@pytest.mark.parametrize("color", chess.COLORS)
@pytest.mark.parametrize(
    ("enters", "visits", "nearer", "told"),
    [
        (-3.4, 2, 0.0, True),
        (-2.9, 2, 0.0, False),
        (-5.5, 1, 0.0, False),
        (-3.4, 2, 1.5, False),  # it does not reach as far as the clock
    ],
)
def test_an_arm_at_the_clock_of_which_so_little_is_seen_that_it_may_be_anybodys_is_his_who_has_moved(
    color: chess.Color, enters: float, visits: int, nearer: float, told: bool
) -> None:
    for seen_as in chess.COLORS:
        arm = at_clock(seen_as, enters, -24.0)
        table = pressed(moved_last(color, visits=visits), replace(arm, tip=(arm.tip[0] + nearer, arm.tip[1])))
        table.look(0.5)
        assert [(alert.reason, alert.color) for alert in table.of("alert")] == [("other_hand", color)] * told
        pressed(table, at_clock(seen_as, enters, -24.0))
        assert len(table.of("alert")) == told, "it has come in there before, or is too little known of"


@pytest.mark.parametrize(("beside", "told"), [(-5.6, True), (-2.6, False)])
def test_an_arm_at_the_clock_in_one_look_is_told_if_it_is_seen_on_its_way(beside: float, told: bool) -> None:
    table = moved_last(chess.WHITE)
    coming = replace(at_clock(chess.WHITE, beside, -4.0), at_clock=False)
    for arm in (coming, at_clock(chess.WHITE, -5.5, -4.0)):
        table.reaches["A"] = (arm,)
        table.look(0.1)
    table.reaches["A"] = ()
    table.look(1.0)
    assert [kind for _, kind, _ in alerts(table)] == ["other_hand"] * told


def test_of_two_arms_at_once_the_one_most_like_his_own_has_pressed() -> None:
    table = moved_last(chess.WHITE)
    own = at_clock(chess.WHITE, -2.5)
    pressed(table, own, at_clock(chess.WHITE, 6.0, 12.0), looks=1)
    table.look(0.5)
    assert alerts(table) == []


def test_a_player_of_whose_arm_a_piece_is_taken_for_another_has_pressed_himself() -> None:
    table = moved_last(chess.WHITE)
    table.reaches["A"] = (at_clock(chess.WHITE, -2.5),)
    table.look(0.1)
    pressed(table, at_clock(chess.WHITE, -5.5, -24.0))
    table.look(0.5)
    assert alerts(table) == []


@pytest.mark.parametrize(
    ("visits", "wanders", "told"), [(2, 0.1, False), (3, 0.1, True), (4, 0.4, False), (8, 0.4, True), (8, 0.8, False)]
)
def test_a_hand_little_nearer_than_all_that_were_much_alike_is_the_other(
    visits: int, wanders: float, told: bool
) -> None:
    """Where the picture ends near the clock, both hands come in there."""
    table = Table()
    for number in range(visits):
        pressed(table, at_clock(chess.WHITE, -6.0 + wanders * (number % 2), -5.6 + wanders * (number % 2)))
    table.put("A", **E4)
    table.look(1.0)
    pressed(table, at_clock(chess.WHITE, -7.0, -7.0))
    assert alerts(table) == [("A", "other_hand", "")] * told


def test_an_arm_that_may_be_of_either_sides_partner_is_his_whose_player_moved_last() -> None:
    """He moved behind a hand, and the other's own press before was seen in one look, as he always comes."""
    table = moved_last(chess.BLACK)
    pressed(table, at_clock(chess.BLACK, -2.5), looks=1)
    table.look(0.3, hidden="g1 f3")
    table.put("A", g1="", f3="N")
    pressed(table, at_clock(chess.WHITE, 5.0), at_clock(chess.BLACK, 5.0), hidden="g1 f3")
    table.look(2.0)
    assert [(alert.reason, alert.color) for alert in table.of("alert")] == [("partner_press", chess.WHITE)]


def test_an_arm_that_may_be_of_either_sides_partner_is_nobodys_until_it_is_known_who_has_moved() -> None:
    """White's own press before was not seen at all."""
    table = moved_last(chess.WHITE)
    table.look(0.3, hidden="g8 f6")
    table.put("A", g8="", f6="n")
    pressed(table, at_clock(chess.WHITE, 5.0), at_clock(chess.BLACK, 5.0), hidden="g8 f6")
    table.look(2.0)
    assert [(alert.reason, alert.color) for alert in table.of("alert")] == [("partner_press", chess.BLACK)]


def test_before_a_hand_was_at_the_clock_nobody_knows_which_it_is() -> None:
    table = pressed(moved_last(chess.WHITE, visits=0), at_clock(chess.WHITE, -5.5, -5.0))
    assert alerts(table) == []


@pytest.mark.parametrize(
    ("before", "over", "told"),
    [
        (0, 0.5, True),
        (0, -5.0, False),  # it was this arm that was over the board,
        (0, None, False),  # or nobody has seen which;
        (1, None, True),  # the other has been at the clock before
    ],
)
def test_who_presses_with_the_other_hand_at_first_is_told_by_the_arm_that_moved(
    before: int, over: float | None, told: bool
) -> None:
    table = pressed(Table(), at_clock(chess.WHITE, -2.5))
    for _ in range(before):
        pressed(table, at_clock(chess.BLACK, -2.5))
    for squares in (E4, E5):
        table.put("A", **squares)
        table.look(1.0)
    if over is not None:
        table.reaches["A"] = (Reach((4.5, 4.5), chess.BLACK, over, over),)
        table.look(0.2)
    pressed(table, at_clock(chess.BLACK, -5.5, -6.0))
    assert alerts(table) == [("A", "other_hand", "")] * told


@pytest.mark.parametrize(("enters", "aside", "told"), [(-5.0, -3.1, True), (-4.3, -3.1, False), (-5.0, -1.5, False)])
def test_who_has_been_at_the_clock_once_comes_with_his_other_hand_from_much_nearer(
    enters: float, aside: float, told: bool
) -> None:
    """The opponent's arm comes in near the clock, as the camera sees it."""
    table = pressed(Table(), at_clock(chess.WHITE, -2.5, 0.9))
    for squares in (E4, E5, {"b1": "", "c3": "N"}):
        table.put("A", **squares)
        table.look(1.0)
        if squares == E5:
            pressed(table, at_clock(chess.BLACK, -5.0, -3.7))
    pressed(table, at_clock(chess.WHITE, enters, aside))
    assert alerts(table) == [("A", "other_hand", "")] * told


@pytest.mark.parametrize(
    ("over", "file", "told"),
    [
        (0.0, 4.5, True),
        (-3.0, 4.5, False),
        (-3.0, 7.8, True),  # no hand goes so far in a tenth of a second
    ],
)
def test_who_presses_first_with_the_other_hand_is_told_if_that_is_far_from_the_one_that_moved(
    over: float, file: float, told: bool
) -> None:
    table = Table()
    table.put("A", **E4)
    table.look(1.0)
    table.reaches["A"] = (Reach((file, 3.5), chess.WHITE, over, over),)
    table.look(0.2)
    pressed(table, at_clock(chess.WHITE, -5.5, -6.0))
    assert alerts(table) == [("A", "other_hand", "")] * told


def test_at_first_an_arm_little_nearer_to_the_clock_than_the_opponents_is_the_players_own() -> None:
    table = pressed(Table(), at_clock(chess.WHITE, -2.5))
    for squares in (E4, E5):
        table.put("A", **squares)
        table.look(1.0)
    table.reaches["A"] = (Reach((4.5, 4.5), chess.BLACK, 0.5, 0.5),)
    table.look(0.2)
    pressed(table, at_clock(chess.BLACK, -3.5, -2.0))
    assert alerts(table) == []


@pytest.mark.parametrize(("enters", "aside", "told"), [(-4.9, -4.0, True), (-4.9, -2.5, False), (-4.0, -4.0, False)])
def test_a_hand_nearer_than_before_and_far_from_the_one_that_moved_is_the_other(
    enters: float, aside: float, told: bool
) -> None:
    table = moved_last(chess.WHITE, usual=-3.5, visits=1)
    pressed(table, at_clock(chess.WHITE, -3.5, -2.0))
    for squares in (E5, {"g1": "", "f3": "N"}):
        table.put("A", **squares)
        table.look(1.0)
    table.reaches["A"] = (Reach((4.5, 3.5), chess.WHITE, 0.0, 0.0),)
    table.look(0.2)
    pressed(table, at_clock(chess.WHITE, enters, aside))
    assert alerts(table) == [("A", "other_hand", "")] * told


@pytest.mark.parametrize("first", [5.0, -5.5])
def test_after_one_odd_visit_the_players_own_are_nothing(first: float) -> None:
    table = pressed(Table(), at_clock(chess.WHITE, first))
    for number, squares in enumerate((E4, E5, {"g1": "", "f3": "N"}, {"b8": "", "c6": "n"}, {"f1": "", "c4": "B"})):
        table.put("A", **squares)
        table.look(1.0)
        pressed(table, at_clock(number % 2 == 0, -2.5))
    assert alerts(table) == []


def test_a_man_from_outside_is_not_taken_for_one_captured_later() -> None:
    table = Table()
    table.pockets["A", chess.BLACK] = "n"  # for the board of a partner who has captured nothing
    table.look(3.0)
    for squares in (E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
        table.put("B", **squares)
        table.look(0.6)
    captured = table.time
    table.look(1.0)
    table.pockets["A", chess.BLACK] = "np"
    table.look(12.0)
    assert [event.committed > captured + 0.9 for event in table.of("hand_over")] == [True]
    assert [event.reason for event in table.of("alert")] == ["extra_man"]


def test_a_dropped_man_who_was_seen_is_not_made_another_once_he_is_gone() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR[PN] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.WHITE] = "N"
    table.put("A", e3="P")
    table.look(1.0)
    table.put("A", d4="", e3="p")
    table.look(1.0)
    table.put("A", e4="P")  # another pawn, which nobody has passed on
    table.look(3.0)
    assert played(table)[:2] == ["P@e3", "dxe3"]
    assert [event.reason for event in table.of("alert")] == ["drop_not_held"]
    assert table.of("correction") == []


def test_who_was_surely_seen_has_gone_from_where_hardly_anybody_is_seen_still() -> None:
    table = after(E4, {"e7": "", "e5": "p"})
    table.reads["A", "b8"] = torn(n=4.0)
    table.look(1.0)
    table.look(0.5, hidden="b8 c6")
    table.put("A", b8="", c6="n")
    table.reads |= {("A", "b8"): torn(**{".": 0.6, "n": 0.35}), ("A", "c6"): torn(n=4.0)}
    table.look(2.5)
    assert alerts(table) == [("A", "two_moves", "Nb8-c6")]


def after_a_drop(monkeypatch: pytest.MonkeyPatch, likeness: float, open_: bool) -> Table:
    """White has dropped a knight, or so it seems; a bishop is in the reserve, too. `likeness`: of a knight to one.
    `open_`: whether it is seen afterwards who is left there."""

    def blurred(piece: chess.Piece | None) -> NDArray[np.float32]:
        found = row(piece)
        if piece is not None and piece.piece_type == chess.KNIGHT:
            found[LABELS.index("B" if piece.color else "b")] = found.max() + np.log(likeness)
        return found

    monkeypatch.setattr("tests.rules.table.row", blurred)
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[NB] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.WHITE] = "NB"
    table.look(1.0)
    table.pockets["A", chess.WHITE] = "B"
    table.put("A", e4="N")
    table.look(1.5)
    if not open_:
        table.shut.add(("A", chess.WHITE))
    for squares in (E5, {"e4": "", "b7": "N"}):
        table.put("A", **squares)
        table.look(1.5)
    return table


def test_a_piece_that_moves_as_another_was_that_when_it_was_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    table = after_a_drop(monkeypatch, 0.5, open_=False)
    assert played(table) == ["B@e4", "e5", "Bxb7"]
    assert table.moves() == ["A:N@e4", "A:e5", "A:B@e4", "A:Bxb7"]
    assert alerts(table) == []
    assert table.tracker.match.pocket("A", chess.WHITE) == {chess.KNIGHT: 1}


def test_who_was_taken_for_another_and_dropped_as_him_leaves_his_like_in_the_reserve() -> None:
    """A pawn's drop was told as a bishop's, he was taken, and dropped by the partner beside whose own pawn he lay."""
    fen: dict[BoardName, str] = {
        "A": "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR[BP] w KQkq - 0 1",
        "B": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[P] w KQkq - 0 1",
    }
    match = Match("bughouse", start=fen)
    match.push("A", chess.Move.from_uci("B@e3"))
    match.push("A", chess.Move.from_uci("d4e3"))
    match.push("B", chess.Move.from_uci("B@c3"))
    table = Table(match, put={"B": {"c3": "P"}})
    table.pockets = {("A", chess.WHITE): "B", ("B", chess.WHITE): "P"}
    moves: tuple[tuple[BoardName, dict[str, str]], ...] = (
        ("A", {"g1": "", "f3": "N"}),
        ("A", {"g8": "", "f6": "n"}),
        ("B", {"g8": "", "f6": "n"}),
        ("B", {"g1": "", "f3": "N"}),
        ("B", {"b8": "", "c6": "n"}),
    )
    for board, squares in moves:  # by these it is known how well men are read
        table.put(board, **squares)
        table.look(1.5)
    table.look(2.0)
    assert [event.san for event in table.of("correction")] == ["P@e3", "dxe3", "P@c3"]
    held = {player: +table.tracker.pockets[player].held for player in (("A", chess.WHITE), ("B", chess.WHITE))}
    assert held == {("A", chess.WHITE): {chess.BISHOP: 1}, ("B", chess.WHITE): {chess.PAWN: 1}}
    assert alerts(table) == []


@pytest.mark.parametrize(("likeness", "open_"), [(0.01, False), (0.5, True)])
def test_a_piece_that_looks_like_what_was_dropped_has_moved_against_the_rules(
    monkeypatch: pytest.MonkeyPatch, likeness: float, open_: bool
) -> None:
    """Or what is left in the reserve says that it was that."""
    table = after_a_drop(monkeypatch, likeness, open_)
    assert [kind for _, kind, _ in alerts(table)] == ["illegal_move"]
    assert played(table)[0] == "N@e4"


def test_who_was_just_given_a_man_has_not_dropped_him_at_once_to_be_taken() -> None:
    table = Table(Match("bughouse", start=GIVEN))
    table.put("A", g1="", f3="N")
    table.look(0.8)
    table.put("A", g8="", f6="n")
    table.look(0.8)
    table.put("B", d5="", e4="p")
    table.put("A", f8="", b4="b")
    table.look(0.5, hidden="b4")
    table.look(0.5, hidden="a8")
    table.look(1.0)
    assert alerts(table) == [("A", "two_moves", "Bf8-b4")]
    assert played(table, "B") == ["dxe4"]


def test_what_still_stands_in_the_reserve_was_not_dropped_before() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[NB] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.WHITE] = "NB"
    table.look(1.0)
    table.pockets["A", chess.WHITE] = "B"
    table.reads["A", "e3"] = torn(N=0.5, B=0.44)
    table.put("A", e3="N")
    table.look(1.0)
    table.put("A", **E5)
    table.look(1.0)
    table.put("A", d3="N")  # from outside: the bishop is still there
    table.look(2.0)
    assert played(table) == ["N@e3", "e5", "N@d3"]
    assert alerts(table) == [("A", "drop_not_held", "N@d3")]
    assert table.of("correction") == []


def test_what_was_told_and_may_have_been_otherwise_holds_nothing_up() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[NP] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.shut.add(("A", chess.WHITE))
    table.put("A", h3="N")
    table.look(2.0)
    assert played(table) == ["N@h3"]
    table.reads["A", "h3"] = torn(N=0.05, P=0.89)
    for squares in (E5, {"g1": "", "f3": "N"}):
        table.put("A", **squares)
        table.look(1.0)
    assert played(table) == ["N@h3", "e5", "Nf3"]
    assert table.of("correction") == []


def test_a_drop_onto_the_man_just_dropped_is_told_as_that() -> None:
    table = after(E4, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"})
    table.pockets["B", chess.BLACK] = "p"
    table.look(1.0)
    table.put("B", d2="", d4="P")
    table.look(1.0)
    table.pockets["B", chess.BLACK] = ""
    table.put("B", e3="p")
    table.look(1.0)
    table.put("B", e3="N")
    table.look(2.0)
    assert [(board, kind) for board, kind, _ in alerts(table)] == [("B", "drop_not_held")]
    assert table.of("take_back") == []


def test_a_pawn_behind_whom_a_head_is_seen_was_not_dropped() -> None:
    """From low cameras the head of who stands behind leans over the square that he left."""
    table = Table()
    table.put("A", **E4)
    table.reads["A", "e2"] = torn(P=0.8, **{".": 0.16})
    table.look(3.0)
    table.put("A", **E5)
    table.look(1.5)
    assert played(table) == ["e4", "e5"]
    assert alerts(table) == []


@pytest.mark.parametrize(("covered", "told"), [(set(), [("A", "drop_not_held", "B@g3")]), ({"g3"}, [])])
def test_a_man_dropped_from_nowhere_is_told_though_he_is_read_as_another(
    covered: set[str], told: list[tuple[str, str, str]]
) -> None:
    """As one of whom all can see that he still lies in the reserve; where another hides him, he is that one rather."""
    table = Table()
    table.covered["A"] = covered
    for squares in (E4, {"d7": "", "d5": "p"}, {"g1": "", "f3": "N"}, {"d5": "", "e4": "p"}):
        table.put("B", **squares)
        table.look(0.8)
    table.pockets["A", chess.WHITE] = "P"
    for squares in (E4, E5, {"d2": "", "d4": "P"}, {"f8": "", "b4": "b"}):
        table.put("A", **squares)
        table.look(0.8)
    table.put("A", g3="B")
    table.reads["A", "g3"] = torn(P=0.5, B=0.28)
    table.look(3.0)
    assert alerts(table) == told


def test_a_ply_against_the_rules_comes_in_place_of_one_that_was_told_before_it_was_all_seen() -> None:
    table = after(E4, E5, {"g1": "", "f3": "N"}, {"b8": "", "c6": "n"}, {"f1": "", "c4": "B"}, {"f8": "", "c5": "b"})
    for squares in ({"e1": "", "e2": "K"}, {"d7": "", "d6": "p"}, {"e2": "", "e1": "K"}, {"g8": "", "f6": "n"}):
        table.put("A", **squares)
        table.look(0.8)
    table.put("A", e1="", g1="K", h1="", f1="R")
    table.look(1.0, hidden="e1 g1")
    assert played(table)[-1] == "Rf1"
    table.look(2.5)
    assert played(table)[-2:] == ["Nf6", "Ke1-g1"]
    assert alerts(table) == [("A", "illegal_castling", "Ke1-g1")]
    assert [event.san for event in table.of("correction")] == ["Ke1-g1"]


def test_no_king_is_taken() -> None:
    board = chess.Board("4k3/8/8/8/8/5n2/6PP/4K3 b - - 0 1")
    moves = list(candidates(board, chess.BB_ALL, chess.BB_EMPTY, chess.BB_ALL, chess.BB_EMPTY))
    assert chess.Move.from_uci("f3h2") in moves
    assert all(move.to_square != chess.E1 for move in moves)


def test_who_moves_out_of_turn_is_told_though_a_drop_against_the_rules_would_explain_it() -> None:
    """That the bishop went to h3 from c8, and another was dropped there, would leave White's moves in turn."""
    fen: dict[BoardName, str] = {"A": "r1bq1rk1/ppp1bpp1/2n2n1p/3pN3/3P4/2N5/PPP1BPPP/R1BQR1K1[Bp] b - - 0 9"}
    table = Table(Match("bughouse", start=fen))
    table.shut = {("A", color) for color in chess.COLORS}
    table.put("A", h3="p")
    table.reads["A", "h3"] = torn(p=0.05, b=0.85)
    table.look(0.5, hidden="h3 g3 h4 g4 h5 g5 h6 g6 h7 g7 h8 g8 f8 e8 d8 c8 d7 e7 f6 f7 e6 f5")
    table.look(0.6)
    table.put("A", e2="", f1="B")
    table.look(1.0, hidden="e2 f1 e1 f2 d1")
    table.look(1.0)
    table.put("A", d1="", d3="Q")
    table.look(2.0)
    assert alerts(table) == [("A", "two_moves", "Qd1-d3")]
    assert played(table) == ["P@h3", "Bf1", "Qd1-d3"]


def test_where_who_has_left_goes_on_reading_a_little_nobody_was_dropped_instead() -> None:
    """Behind the king e2 looks much as it did: replies that were seen meanwhile say no more than the square itself."""
    table = Table()
    table.look(3.0)
    table.look(0.4, hidden="e2 e3 e4 d2 d3 d4")
    table.reads["A", "e2"] = torn(**{"P": 0.8, ".": 0.17})
    for squares, hidden in (
        (E4, ""),
        ({"g8": "", "f6": "n"}, "e2 c3 b1 d2 c2"),
        ({"b1": "", "c3": "N"}, ""),
        ({"b8": "", "c6": "n"}, "e2 g1 f3 f2 f1"),
    ):
        table.put("A", **squares)
        table.look(1.2)
        table.look(0.3, hidden)
    del table.reads["A", "e2"]
    table.put("A", g1="", f3="N")
    table.look(2.0)
    assert played(table) == ["e4", "Nf6", "Nc3", "Nc6", "Nf3"]
    assert alerts(table) == []


def test_who_was_dropped_on_another_did_not_come_from_where_nobody_stood() -> None:
    """Three plies would explain it by the rules, of a pawn that stood on a3 while that lay open."""
    fen: dict[BoardName, str] = {"A": "r1bqk2r/ppp2ppp/2n2n2/1B1p4/1b1P4/2N2N2/PPP1QPPP/R1B1K2R[NPp] b KQkq - 0 9"}
    table = Table(Match("bughouse", start=fen))
    table.pockets.update({("A", chess.WHITE): "NP", ("A", chess.BLACK): "p"})
    table.look(3.0)
    table.look(1.5, hidden="e4 e5 e6 e7 a3")
    table.put("A", e4="p")
    table.pockets["A", chess.BLACK] = ""
    table.look(4.0)
    table.look(0.5, hidden="b4 a3")
    table.put("A", b4="P")
    table.pockets["A", chess.WHITE] = "N"
    table.look(3.0)
    assert alerts(table) == [("A", "drop_occupied", "P@b4")]
    assert played(table) == ["P@e4", "P@b4"]


@pytest.mark.parametrize(("rise", "told"), [(0.04, False), (6.0, True)])
def test_a_man_lies_who_reads_so_at_once_and_not_by_and_by_as_the_light_changes(rise: float, told: bool) -> None:
    poses, board = Poses("A", SCACCO_BRATTO), chess.Board()
    squares = np.array([row(board.piece_at(square)) for square in chess.SQUARES])
    lying, kinds = np.full(64, -6.0, np.float32), list[str]()
    for tick in range(200):
        lying[chess.E2] = min(lying[chess.E2] + (rise if tick > 20 else 0.0), 0.5)
        look = Observation(
            "A", tick / 10, squares, np.ones(64, np.bool_), {}, hand=False, moving=False, lying=lying.copy()
        )
        kinds += [event.reason for event in poses.look(look, board)]
    assert kinds == ["lying_pawn"] * told


@pytest.mark.parametrize(("hidden", "told"), [(0.6, 1.9), (1.4, 2.5)])
def test_who_lies_does_so_since_he_came_though_he_reads_as_nobody_now_and_then(hidden: float, told: float) -> None:
    """It is told when his drop is, or later if he was hidden for long meanwhile."""
    poses, before = Poses("A", SCACCO_BRATTO), chess.Board()
    squares = np.array([row(before.piece_at(square)) for square in chess.SQUARES])
    lying, seen, alerts = np.full(64, -6.0, np.float32), np.ones(64, np.bool_), list[Event]()
    dropped = before.copy()
    dropped.set_piece_at(chess.E5, chess.Piece.from_symbol("P"))
    for tick in range(40):
        lying[chess.E5] = 2.5
        squares[chess.E5] = torn(**{"P": 0.55 - 0.2 * (tick % 2), ".": 0.35 + 0.2 * (tick % 2)})
        seen[chess.E5] = not 0.3 < tick / 10 < 0.35 + hidden
        look = Observation("A", tick / 10, squares, seen.copy(), {}, hand=False, moving=False, lying=lying.copy())
        alerts += poses.look(look, dropped if tick > 18 else before)
    (alert,) = alerts
    assert (alert.reason, alert.square) == ("lying_pawn", "e5")
    assert alert.committed == pytest.approx(told)


def test_who_was_taken_behind_a_hand_before_he_was_dropped_was_held() -> None:
    table, arm = Table(), "d5 e4 d4 e5"
    for squares in (E4, {"d7": "", "d5": "p"}):
        table.put("B", **squares)
        table.look(1.0)
    table.put("B", e4="", d5="P")
    table.look(1.0, hidden=arm, on="B")
    table.put("A", **E4)
    table.look(1.0, hidden=arm, on="B")
    table.put("A", e6="p")
    table.look(4.0, hidden=arm, on="B")
    assert alerts(table) == [("A", "drop_not_held", "P@e6")]
    table.put("A", d2="", d4="P")
    table.look(1.0)
    assert [(event.board, event.reason, event.san) for event in table.of("withdrawn")] == [
        ("A", "drop_not_held", "P@e6")
    ]
    assert [(ply.board, ply.san, ply.legal) for ply in table.tracker.match.plies[2:]] == [
        ("A", "e4", True),
        ("B", "exd5", True),
        ("A", "P@e6", True),
        ("A", "d4", True),
    ]
    table.look(15.0)
    assert len(alerts(table)) == 1  # he has been passed on


def test_nobody_is_dropped_and_taken_where_a_square_lay_hidden_for_a_moment() -> None:
    match = Match()
    match.set_position("A", "rnbqkb1r/pppppppp/8/3n4/8/2NP4/PPP1PPPP/R1BQKBNR[P] w KQkq - 0 1")
    table = Table(match)
    table.shut.add(("A", chess.WHITE))
    table.look(2.0)
    table.look(0.6, hidden="d5 b6")
    table.put("A", d5="", b6="n")
    table.look(1.0)
    assert alerts(table) == [("A", "out_of_turn", "Nd5-b6")]


def test_what_nothing_within_the_rules_nearly_explains_is_told_at_once() -> None:
    table = after(E4, E5)
    table.put("A", a1="", d5="R")
    table.look(0.6)
    assert alerts(table) == [("A", "illegal_move", "Ra1-d5")]


def test_what_an_arm_hides_for_a_while_is_no_less_a_riddle() -> None:
    """A pawn is dropped upon one of the other side's, and is seen for a moment before the arm is back."""
    fen: dict[BoardName, str] = {"A": f"{chess.STARTING_BOARD_FEN}[P] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.WHITE] = "P"
    table.look(1.0)
    table.pockets["A", chess.WHITE] = ""
    table.put("A", e7="P")
    table.look(0.5, hidden="d3")
    assert alerts(table) == []
    table.look(1.0, hidden="d3 e7")
    table.look(0.6, hidden="d3")
    assert alerts(table) == [("A", "drop_occupied", "P@e7")]
