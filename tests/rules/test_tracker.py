"""The tracker on hand-made looks, and on a whole scripted match with a middling reader."""

import importlib.util
import random
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import chess
import chess.variant
import numpy as np
import pytest

from rules.around import AroundBoard
from rules.events import Event
from rules.lines import Line
from rules.match import Match
from rules.meanwhile import played_meanwhile
from rules.observation import LABELS, Certain, Observation
from rules.profiles import PROFILES, SCACCO_BRATTO, adapted
from rules.records import read
from rules.seats import BoardName
from rules.tracker import Tracker
from tests.rules.table import Table, row, torn

SAMPLE = Path(__file__).parents[2] / "quadriglia" / "sample" / "truth.bpgn"


def test_a_move_is_told_soon_after_it_can_be_seen() -> None:
    table = Table()
    table.look(1.0, hidden="e2 e3 e4")
    assert table.moves() == []
    table.put("A", e2="", e4="P")
    table.look(1.0)
    assert table.moves() == ["A:e4"]
    assert table.events[0].committed - 2.0 < 0.5


def test_what_a_ply_has_left_on_the_board_is_certain_as_it_was_then_though_another_has_changed_it() -> None:
    table = Table(Match("chess"))
    certain: list[Certain] = []
    table.tracker.certain("A")  # of the start position
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}, {"d8": "", "d5": "q"}):
        table.put("A", **squares)
        for _ in range(5):
            table.look(0.1)
            certain += table.tracker.certain("A")
    for _ in range(10):
        table.look(0.1)
        certain += table.tracker.certain("A")
    assert table.moves() == ["A:e4", "A:d5", "A:exd5", "A:Qxd5"]
    told = [event.committed for event in table.events]
    stood = [(LABELS[one.labels[chess.D5]], one.time) for one in certain if one.squares[chess.D5]]
    assert stood == list(zip(".pP", told, strict=False)), (
        "each as it was when it was told; of the last is not known yet"
    )
    table.look(0.1)
    assert table.tracker.certain("A") == []


def test_who_has_come_to_a_reserve_is_certain_by_his_capture() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
        table.put("A", **squares)
        table.look(0.6)
    table.pockets["B", chess.BLACK] = "n"  # as which he reads
    table.look(6.0)
    beside = [man for one in table.tracker.certain("B") for man in one.beside]
    assert beside == [(9.0, 0.5, LABELS.index("p"))]


def test_a_square_that_reads_half_as_the_man_that_left_it_is_where_he_came_from() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"e7": "", "e5": "p"}):
        table.put("A", **squares)
        table.look(0.6)
    table.put("A", f1="", d3="B")
    table.reads["A", "f1"] = torn(**{"B": 0.38, "R": 0.05, ".": 0.51})
    table.look(1.5, hidden="a8 b8 a7 b7")
    assert table.moves() == ["A:e4", "A:e5", "A:Bd3"]


def test_a_man_gone_from_the_reserve_was_dropped_where_he_is_hardly_seen() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[N] w KQkq - 0 1"}
    for held, told in (("", ["A:N@e3", "A:e5"]), ("N", ["A:e7-e5"])):
        table = Table(Match("bughouse", start=fen))
        table.pockets["A", chess.WHITE] = "N"
        table.look(1.0)
        table.pockets["A", chess.WHITE] = held
        table.reads["A", "e3"] = torn(N=0.31, n=0.27, **{".": 0.29})
        table.look(1.0)
        table.put("A", e7="", e5="p")
        table.look(1.0)
        assert table.moves() == told


def test_a_man_whom_the_reader_has_never_seen_has_not_moved() -> None:
    table = Table(read={("A", "b1"): torn(**{"N": 0.1, "P": 0.1, ".": 0.8})})
    for squares in (
        {"d2": "", "d4": "P"}, {"d7": "", "d5": "p"}, {"g1": "", "f3": "N"}, {"g8": "", "f6": "n"},
        {"e2": "", "e3": "P"}, {"e7": "", "e6": "p"}, {"a2": "", "a3": "P"}, {"a7": "", "a6": "p"},
        {"h2": "", "h3": "P"}, {"h7": "", "h6": "p"}, {"c1": "", "d2": "B"},
    ):  # fmt: skip
        table.look(0.3, hidden="b1")  # each time he is seen anew speaks against him
        table.put("A", **squares)
        table.look(0.5)
    assert table.moves()[8:] == ["A:h3", "A:h6", "A:Bd2"]
    del table.reads["A", "b1"]
    for squares in ({"b7": "", "b6": "p"}, {"b1": "", "c3": "N"}):
        table.put("A", **squares)
        table.look(0.5)
    assert table.moves()[11:] == ["A:b6", "A:Nc3"]
    assert not table.of("alert")


def test_two_moves_that_appear_at_once_come_in_their_order() -> None:
    table = Table()
    table.put("A", e2="", e4="P", e7="", e5="p")
    table.look(1.0)
    assert table.moves() == ["A:e4", "A:e5"]


def test_what_a_hand_hides_is_not_empty() -> None:
    table = Table()
    table.put("A", e2="", e4="P")
    table.look(3.0, hidden="e4 d4 f4 e3 e5 d5")
    assert table.moves() == []
    assert table.of("alert") == []


def test_capture_hand_over_and_drop() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
        table.put("A", **squares)
        table.look(0.6)
    assert table.of("hand_over") == []
    table.pockets["B", chess.BLACK] = "p"
    table.look(0.6)
    (passed,) = table.of("hand_over")
    assert (passed.board, passed.color, passed.piece) == ("A", chess.WHITE, "p")
    table.put("B", d2="", d4="P")
    table.look(0.6)
    table.put("B", e4="p")
    table.pockets["B", chess.BLACK] = ""
    table.look(0.6)
    assert table.moves() == ["A:e4", "A:d5", "A:exd5", "B:d4", "B:P@e4"]
    assert table.of("alert") == []


def test_the_piece_that_is_gone_from_the_pocket_is_the_one_dropped() -> None:
    table = Table()
    for squares in (
        {"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}, {"g8": "", "f6": "n"},
        {"b1": "", "c3": "N"}, {"f6": "", "d5": "n"}, {"c3": "", "d5": "N"}, {"a7": "", "a6": "p"},
    ):  # fmt: skip
        table.put("A", **squares)
        table.look(0.6)
        table.pockets["B", chess.BLACK] = "pn"[
            : sum(ply.passed is not None and ply.color for ply in table.tracker.match.plies)
        ]
        table.look(0.6)
    table.put("B", d2="", d4="P")
    table.look(0.6)
    table.put("B", e4="b")  # the reader takes the knight for a bishop, of which there is none
    table.pockets["B", chess.BLACK] = "p"
    table.look(2.5)
    assert table.moves()[-1] == "B:N@e4"


def test_what_stood_in_a_pocket_long_before_was_not_captured_just_now() -> None:
    around = AroundBoard({}, "A")
    around.surplus[chess.WHITE], around.since[chess.WHITE] = [5.0], 10.0
    soon, late, unseen = (chess.WHITE, 12.0), (chess.WHITE, 20.0), (chess.WHITE, -np.inf)
    assert around.term([], [soon]) == around.term([], [unseen]) == around.term([], [late, soon]) > 0
    assert around.term([], [late]) == around.term([], [(chess.BLACK, 12.0)]) == 0


def before_castling() -> Table:
    table = Table(Match("chess"))
    for squares in (
        {"g1": "", "f3": "N"}, {"a7": "", "a6": "p"}, {"g2": "", "g3": "P"}, {"b7": "", "b6": "p"},
        {"f1": "", "g2": "B"}, {"c7": "", "c6": "p"},
    ):  # fmt: skip
        table.put("A", **squares)
        table.look(0.6)
    return table


def test_castling_slowly_is_no_king_move() -> None:
    table = before_castling()
    table.put("A", e1="", g1="K")
    table.look(1.5)
    assert len(table.moves()) == 6
    table.put("A", h1="", f1="R")
    table.look(0.6)
    assert table.moves()[-1] == "A:O-O"


def test_castling_is_told_though_the_king_leans_over_where_the_rook_stood() -> None:
    table = Table(Match("chess"))
    for squares in (
        {"g1": "", "f3": "N"}, {"b8": "", "c6": "n"}, {"e2": "", "e4": "P"}, {"e7": "", "e5": "p"},
        {"f1": "", "c4": "B"}, {"g8": "", "f6": "n"},
    ):  # fmt: skip
        table.put("A", **squares)
        table.look(0.6)
    table.put("A", e1="", f1="R", g1="K", h1="")
    table.reads["A", "f1"] = torn(R=0.48, B=0.19, N=0.18)
    table.reads["A", "g1"] = torn(P=0.44, B=0.29, R=0.11)
    table.reads["A", "h1"] = torn(R=0.46, P=0.24, B=0.13)
    table.look(0.4)
    table.put("A", f8="", c5="b")
    table.look(0.6, hidden="f1 g1 h1 e8 f8")
    del table.reads["A", "h1"]
    table.reads["A", "f1"] = torn(B=0.55, P=0.31, R=0.06)
    table.reads["A", "g1"] = torn(B=0.52, R=0.26, Q=0.14)
    table.look(2.0)
    assert table.moves()[6:] == ["A:O-O", "A:Bc5"]


def test_castling_out_of_check_did_not_come_before_the_check() -> None:
    """Behind White's hand the bishop could have gone elsewhere, Black have castled, and the bishop have taken the
    knight; but the king was seen where he stood after that."""
    fen: dict[BoardName, str] = {"A": "r1bqk2r/ppp1bppp/2n1p3/1B6/3Pn3/2P2N2/PPP2PPP/R1BQK2R[] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.look(2.0)
    table.look(1.0, hidden="a4 b5 c6 b6 a5 a6 d7")
    table.put("A", b5="", c6="B")
    table.look(0.4, hidden="a4 a5 a6")
    table.look(1.0, hidden="e8 f8 g8 h8")
    table.put("A", e8="", h8="", g8="k", f8="r")
    table.look(4.0)
    assert table.moves() == ["A:Bxc6+", "A:Ke8-g8"]
    assert [event.reason for event in table.of("alert")] == ["illegal_castling"]


def test_castling_rook_first_is_mended() -> None:
    table = before_castling()
    table.put("A", h1="", f1="R")
    table.look(1.0)
    table.put("A", e1="", g1="K")
    table.look(3.0)
    assert [ply.san for ply in table.tracker.match.plies][-1] == "O-O"
    (mended,) = table.of("correction")
    assert (mended.san, mended.ply) == ("O-O", 7)


def test_what_no_legal_move_explains_is_unsure_and_then_forgiven() -> None:
    table = Table()
    table.put("A", a1="")
    table.look(5.0)
    assert table.moves() == []
    assert [event.reason for event in table.of("alert")] == ["unsure"]
    assert table.tracker.state("A") == "unsure"
    table.put("A", a1="R", e2="", e4="P")
    table.look(1.0)
    assert table.moves() == ["A:e4"]
    assert table.tracker.state("A") == "running"


def test_an_exchange_behind_hands_comes_before_what_was_told_while_it_was_hidden() -> None:
    fen: dict[BoardName, str] = {"A": "rB2k1nr/p2q1pb1/4p3/1p4Pp/4Q3/4P1BN/P1PnrPKP/3R3R[Pnnp] w kq - 0 33"}
    table = Table(Match("bughouse", start=fen))
    table.put("A", d1="", d2="r", e2="")
    table.look(1.5, hidden="d1 d2 e2")
    table.put("A", e4="", a8="Q")
    table.look(1.0, hidden="d1 d2 e2")
    assert table.moves() == ["A:Qxa8"]
    table.look(2.0)
    assert [ply.san for ply in table.tracker.match.plies] == ["Rxd2", "Rxd2", "Qxa8"]


@pytest.mark.parametrize(("others", "told"), [({}, []), ({"c1": "N", "b1": "B"}, ["unsure"])])
def test_where_a_man_reads_as_of_another_kind_alone_nothing_is_unsure(others: dict[str, str], told: list[str]) -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"e7": "", "e5": "p"}):
        table.put("A", **squares)
        table.look(0.8)
    table.tracker.sides["A"].experience.trust = 0.95
    table.put("A", d1="", e2="Q")
    table.reads["A", "e2"] = torn(R=0.93)
    table.look(2.5)
    table.reads |= {("A", square): torn(**{letter: 0.93}) for square, letter in others.items()}
    table.look(8.0)
    assert table.moves()[-1] == "A:Qe2"
    assert [event.reason for event in table.of("alert")] == told


def test_a_piece_that_never_arrives_is_reported_once() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
        table.put("A", **squares)
        table.look(0.6)
    table.look(15.0)
    (alert,) = table.of("alert")
    assert (alert.reason, alert.board, alert.color, alert.piece) == ("not_passed", "A", chess.WHITE, "p")


def test_the_profile_sets_the_tolerance_for_passing() -> None:
    for changes, told in (({"pass_tolerance": 3.0}, 1), ({"pass_tolerance": 3.0, "reserve": "may_be_hidden"}, 0)):
        table = Table(Match("bughouse", adapted(SCACCO_BRATTO, changes)))
        for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
            table.put("A", **squares)
            table.look(0.6)
        table.look(4.0)
        assert len(table.of("alert")) == told


@pytest.mark.parametrize(("profile", "castles"), [("scacco-bratto", True), ("fatics", False)])
def test_castling_with_a_dropped_rook_as_the_profile_has_it(profile: str, castles: bool) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/5NPB/PPPPPP1P/RNBQK3[R] w KQkq - 0 1"
    table = Table(Match("bughouse", PROFILES[profile], {"A": fen}))
    table.pockets["A", chess.WHITE] = "R"
    table.look(1.0)
    table.put("A", h1="R")
    table.pockets["A", chess.WHITE] = ""
    table.look(1.0)
    table.put("A", a7="", a6="p")
    table.look(1.0)
    assert table.moves() == ["A:R@h1", "A:a6"]
    table.put("A", e1="", g1="K", h1="", f1="R")
    table.look(2.0)
    assert table.moves()[2:] == ["A:O-O" if castles else "A:Ke1-g1"]
    assert [event.reason for event in table.of("alert")] == ([] if castles else ["illegal_castling"])


def test_mate_ends_the_match_for_the_right_team() -> None:
    table = Table()
    for squares in ({"f2": "", "f3": "P"}, {"e7": "", "e5": "p"}, {"g2": "", "g4": "P"}, {"d8": "", "h4": "q"}):
        table.put("A", **squares)
        table.look(0.6)
    # A queen's check from afar can be blocked by a piece still to come, here on g3: no mate in bughouse.
    assert table.of("end") == []
    chess_table = Table(Match("chess"))
    for squares in ({"f2": "", "f3": "P"}, {"e7": "", "e5": "p"}, {"g2": "", "g4": "P"}, {"d8": "", "h4": "q"}):
        chess_table.put("A", **squares)
        chess_table.look(0.6)
    (end,) = chess_table.of("end")
    assert (end.result, end.reason) == ("0-1", "checkmate")
    assert chess_table.tracker.state("A") == "ended"


def test_the_start_is_known_though_a_hand_goes_over_it() -> None:
    tracker = Tracker(Match("chess"))
    squares = np.array([row(chess.Board().piece_at(square)) for square in chess.SQUARES])
    for number in range(20):
        seen = np.arange(64) // 8 % 2 == number % 2  # never more than half of it at once
        tracker.update(Observation("A", number / 10, squares, seen, {}, True, True))
    assert tracker.state("A") == "ready"


def test_a_piece_that_is_taken_leaves_before_the_other_comes() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}):
        table.put("A", **squares)
        table.look(0.6)
    table.put("A", d5="")
    table.look(0.5)
    table.put("A", e4="")
    table.look(0.5)
    assert table.moves() == ["A:e4", "A:d5"]
    table.put("A", d5="P")
    table.look(0.6)
    assert table.moves()[2:] == ["A:exd5"]


def test_what_was_seen_between_two_hands_counts_when_it_is_hidden_again() -> None:
    table = Table()
    around = "d1 e1 f1 d2 e2 f2 d3 e3 f3 d4 e4 f4"
    table.look(0.5, hidden=around)
    table.put("A", e2="", e4="P")
    table.look(0.3)
    table.look(0.5, hidden=around)
    table.put("A", e7="", e5="p")
    table.look(0.6, hidden=around)
    assert table.moves() == ["A:e4", "A:e5"]


def test_a_reply_that_nobody_has_seen_holds_back_what_follows() -> None:
    table = Table()
    corner = "a5 b5 c5 d5 a6 b6 c6 d6 a7 b7 c7 d7 a8 b8 c8 d8"
    table.put("A", e2="", e4="P")
    table.look(0.6)
    table.put("A", b8="", c6="n")
    table.look(0.5, hidden=corner)
    table.put("A", g1="", f3="N")
    table.look(2.0, hidden=corner)
    assert table.moves() == ["A:e4"]
    table.look(0.6)
    assert table.moves() == ["A:e4", "A:Nc6", "A:Nf3"]
    assert table.of("correction") == []


def test_who_takes_back_may_read_as_he_who_was_taken() -> None:
    match = Match()
    for san in ("e4", "d5"):
        match.push("A", match.board("A").parse_san(san))
    table = Table(match)
    table.put("A", e4="", d5="P")
    table.reads["A", "d5"] = torn(**{".": 0.5, "P": 0.4})
    table.look(0.2)
    table.put("A", d8="", d5="q")
    table.reads["A", "d5"] = torn(p=0.85, q=0.09)
    table.look(3.0)
    assert table.moves() == ["A:exd5", "A:Qxd5"]


@pytest.mark.parametrize(("seconds", "told"), [(0.0, ["A:B@e2", "A:Nxf3+"]), (0.6, ["A:Be2", "A:Nf3+"])])
def test_nobody_carries_a_man_in_no_time(seconds: float, told: list[str]) -> None:
    """A bishop is dropped, and then the knight takes the one who looks as if he had gone there, unless he had time."""
    board = "rnbqkb1r/pppppppp/8/8/7n/5B2/PPPP1PPP/RNBQK1NR[B] w KQkq - 0 1"
    table = Table(Match("bughouse", start={"A": board}))
    table.pockets["A", chess.WHITE] = "B"
    table.pace = 1 / 15
    table.look(0.6, hidden="e2 d1 e1")
    table.put("A", e2="B")
    table.pockets["A", chess.WHITE] = ""
    table.shut.add(("A", chess.WHITE))
    table.look(seconds, hidden="e2 f3")
    table.look(0.3, hidden="f3 g4 h4")
    table.put("A", f3="")
    table.look(0.2, hidden="h4")
    table.put("A", h4="", f3="n")
    table.look(0.3, hidden="f3 g4 h4")
    table.look(2.0)
    assert table.moves() == told


@pytest.mark.parametrize(("showed", "told"), [(0.0, []), (0.4, ["A:N@e4"])])
def test_a_drop_is_told_at_once_if_its_reserve_has_been_seen_since(showed: float, told: list[str]) -> None:
    table = Table(Match("bughouse", start={"A": f"{chess.STARTING_BOARD_FEN}[NB] w KQkq - 0 1"}))
    table.pockets["A", chess.WHITE] = "NB"
    table.pace = 1 / 15
    table.look(1.0)
    table.shut.add(("A", chess.WHITE))
    table.put("A", e4="N")
    table.reads["A", "e4"] = torn(N=0.5, B=0.48)
    table.look(0.1)
    table.shut.clear()
    table.pockets["A", chess.WHITE] = "B"
    table.look(showed, hidden="h8")
    table.shut.add(("A", chess.WHITE))
    table.look(0.6, hidden="h8")
    assert table.moves() == told


def test_a_drop_that_nobody_has_seen_is_known_by_where_its_piece_goes() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
        table.put("A", **squares)
        table.look(0.6)
    table.pockets["B", chess.BLACK] = "p"
    table.look(0.6)
    table.put("B", d2="", d4="P")
    table.look(0.6)
    lane = "f3 g3 h3 f4 g4 h4 f5 g5 h5"
    table.pockets["B", chess.BLACK] = ""
    table.put("B", g3="p")
    table.look(1.5, hidden=lane, on="B")
    table.put("B", a2="", a3="P")
    table.look(0.6, hidden=lane, on="B")
    table.put("B", g3="", h2="p")
    table.look(1.5, hidden=lane, on="B")
    table.look(0.6)
    assert table.moves()[3:] == ["B:d4", "B:P@g3", "B:a3", "B:gxh2"]


def test_a_drop_that_nobody_has_seen_is_known_by_the_man_who_has_gone_to_take_it() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"a2": "", "a3": "P"}, {"d5": "", "e4": "p"}):
        table.put("A", **squares)
        table.look(0.6)
    table.pockets["B", chess.WHITE] = "P"
    table.look(0.6)
    for squares in (
        {"d2": "", "d4": "P"}, {"d7": "", "d5": "p"}, {"g2": "", "g3": "P"},
        {"b8": "", "c6": "n"}, {"f1": "", "h3": "B"}, {"c6": "", "e5": "n"},
    ):  # fmt: skip
        table.put("B", **squares)
        table.look(0.6)
    lane = "c6 d6 e6 c7 d7 e7"
    table.pockets["B", chess.WHITE] = ""
    table.look(1.5, hidden=lane, on="B")
    for squares in ({"e5": ""}, {"h3": ""}, {"d8": "", "d7": "q"}, {"b2": "", "b3": "P"}):
        table.put("B", **squares)
        table.look(1.5, hidden=lane, on="B")
    table.put("B", d7="", f5="q")
    table.look(0.6, hidden=lane, on="B")
    table.look(2.0)
    assert table.moves()[10:] == ["B:P@d7+", "B:Nxd7", "B:Bxd7+", "B:Qxd7", "B:b3", "B:Qf5"]


@pytest.mark.parametrize(
    ("other", "left", "mends", "waits"), [(7.8, 0.0, False, False), (10.5, 0.0, False, True), (7.8, 4.8, True, False)]
)
def test_what_was_told_is_mended_when_another_line_is_much_better_or_explains_what_it_does_not(
    other: float, left: float, mends: bool, waits: bool
) -> None:
    """Else nothing more is told as long as another is better by some nats. `left`: what it does not explain."""
    beam = Table().tracker.sides["A"].beam
    assert beam is not None
    beam.told, rival = (Line(beam.root, chess.Move.from_uci(move), chess.Board()) for move in ("e2e4", "d2d4"))
    beam.told.total, beam.told.left, rival.total = 6.5, left, other
    beam.lines = [beam.told, rival]
    assert beam.leading() is (rival if mends else beam.told)
    assert beam.contradicted(beam.leading()) == waits


def test_a_capture_is_dated_when_it_was_seen_and_not_when_its_square_last_lay_open() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}):
        table.put("A", **squares)
        table.look(0.6)
    table.look(5.0)
    table.put("A", e4="")  # it is lifted: to take the pawn, for one
    table.look(0.3)
    lifted = table.time
    table.put("A", d5="P")
    table.look(0.5, hidden="d5 d4 d3 e4")
    table.look(1.0)
    (exd5,) = [event for event in table.of("move") if event.san == "exd5"]
    assert exd5.time > lifted


@pytest.mark.parametrize(
    ("before", "strained"), [({"K": 0.41, "k": 0.24, "N": 0.15, "n": 0.15}, False), ({".": 0.94}, True)]
)
def test_who_is_taken_was_gone_long_before_only_if_his_square_was_seen_empty(
    before: dict[str, float], strained: bool
) -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 2"}
    table = Table(Match("bughouse", start=fen))
    table.look(2.0)
    table.reads["A", "d5"] = torn(**before)
    table.look(2.5)
    table.look(2.0, hidden="d5")
    table.put("A", e4="", d5="P")
    del table.reads["A", "d5"]
    table.look(0.2)
    beam = table.tracker.sides["A"].beam
    assert beam is not None
    (takes,) = [line for line in beam.lines if line.moves == (chess.Move(chess.E4, chess.D5),)]
    assert (takes.strain > 1) == strained


@pytest.mark.parametrize(("covered", "told"), [(set(), []), ({"e2"}, ["A:e4"])])
def test_whom_a_king_hides_may_have_gone_though_he_still_seems_to_stand_there(
    covered: set[str], told: list[str]
) -> None:
    table = Table()
    table.covered["A"] = covered
    table.look(2.0)
    table.put("A", e2="", e4="P")
    table.reads["A", "e2"] = torn(P=0.7, **{".": 0.25})
    table.look(3.0)
    assert table.moves() == told


def test_another_piece_may_come_to_the_same_place_of_a_pocket() -> None:
    table = Table()
    moves = (
        {"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}, {"g8": "", "f6": "n"},
        {"a2": "", "a3": "P"}, {"f6": "", "d5": "n"}, {"b1": "", "c3": "N"}, {"a7": "", "a6": "p"},
    )  # fmt: skip
    for number, squares in enumerate(moves):
        table.put("A", **squares)
        table.look(0.6)
        if number == 2:
            table.pockets["B", chess.BLACK] = "p"
            table.look(0.6)
    table.put("B", d2="", d4="P")
    table.look(0.6)
    table.put("A", c3="", d5="N")  # a knight for the pocket of the pawn
    table.look(0.6)
    table.put("B", e4="b")  # a pawn that reads as a bishop, and the knight is put where it stood
    table.shut.add(("B", chess.BLACK))
    table.look(0.4)
    table.shut.clear()
    table.pockets["B", chess.BLACK] = "n"
    table.look(2.5)
    assert table.moves()[-1] == "B:P@e4"


def test_what_was_played_before_the_camera_was_ready_is_told() -> None:
    table = Table(put={"A": {"e2": "", "e4": "P", "e7": "", "e5": "p"}, "B": {"g1": "", "f3": "N"}})
    table.look(2.0)
    assert sorted(table.moves()) == ["A:e4", "A:e5", "B:Nf3"]
    table.put("A", d2="", d4="P")
    table.look(1.0)
    assert table.moves()[-1] == "A:d4"


def after_a_missed_capture() -> Table:
    """e4 d5 exd5, played while nobody looked."""
    table = Table()
    table.look(1.0)
    table.time += 5.0
    table.put("A", e2="", d7="", d5="P")
    return table


def test_what_was_played_while_nobody_looked_is_told_in_its_order() -> None:
    table = after_a_missed_capture()
    table.look(1.5, hidden="d7 d8 e7 e8")
    table.look(1.0)
    assert table.moves() == ["A:e4", "A:d5", "A:exd5"]
    (alert,) = table.of("alert")
    assert (alert.reason, alert.san, round(alert.time, 1)) == ("unwatched", "e4 d5 exd5", 2.0)
    told = table.of("move")
    assert [round(event.time, 1) for event in told] == [7.1, 7.1, 7.1], "before the first that was seen after it"
    assert [round(event.earliest, 1) for event in told] == [2.0, 2.0, 2.0]


def test_a_time_without_a_look_counts_neither_as_doubt_nor_as_agreement() -> None:
    """An arm hides who took and who was taken for so long that the search would begin anew."""
    table = after_a_missed_capture()
    table.look(2.5, hidden="d7 d8 e7 e8 d5 e4")
    table.look(1.5)
    assert table.moves() == ["A:e4", "A:d5", "A:exd5"]
    assert [event.reason for event in table.of("alert")] == ["unwatched"]


def test_who_is_taken_by_turns_while_nobody_looks_has_not_been_gone_since() -> None:
    """The knight is lifted from c3 before the bishop takes him, and the pawn that retook before a knight takes it."""
    table = Table(Match("bughouse", start={"A": "4k3/8/8/3p4/1b2n3/2N5/1P6/7K[] b - - 0 1"}))
    table.put("A", c3="")
    table.look(0.2, hidden="b4 a4 a5")
    table.time += 3.5
    table.put("A", b4="", b2="")
    table.look(0.1, hidden="c3 c4 d3")
    table.look(0.2)
    table.put("A", e4="")
    table.look(0.3, hidden="c3 d3")
    table.put("A", c3="n")
    table.look(2.0)
    assert table.moves() == ["A:Bxc3", "A:bxc3", "A:Nxc3"]
    assert [(event.reason, event.san) for event in table.of("alert")] == [("unwatched", "Bxc3 bxc3")]


def test_a_man_dropped_while_nobody_looks_may_stand_where_another_stood() -> None:
    table = Table(Match("bughouse", start={"A": "4k3/8/8/8/8/8/6n1/4K3[Pp] b - - 0 1"}))
    table.pockets["A", chess.BLACK], table.pockets["A", chess.WHITE] = "p", "P"
    table.look(1.0)
    table.time += 4.0
    table.put("A", g2="p", h4="n", a5="P")
    table.pockets["A", chess.BLACK] = table.pockets["A", chess.WHITE] = ""
    table.look(2.0)
    assert table.moves() == ["A:Nh4", "A:P@a5", "A:P@g2"]
    alerts = table.of("alert")
    assert {event.reason for event in alerts} == {"unwatched"}
    assert " ".join(event.san for event in alerts) == "Nh4 P@a5 P@g2", "each is named"


def test_a_man_dropped_while_nobody_looks_may_move_on_as_soon_as_somebody_does() -> None:
    """White's hand is over h6 already, where the pawn was dropped that takes on g7."""
    table = Table(Match("bughouse", start={"A": "4k3/6p1/8/8/8/8/8/4K3[Pbn] b - - 0 1"}))
    table.pockets["A", chess.BLACK], table.pockets["A", chess.WHITE] = "bn", "P"
    table.look(1.0)
    table.time += 3.5
    table.put("A", f8="b", f5="n", g7="")
    table.pockets["A", chess.BLACK] = table.pockets["A", chess.WHITE] = ""
    table.look(0.3, hidden="h6 h7")
    table.put("A", g7="P")
    table.look(0.3, hidden="g7 h6 h7")
    table.look(2.0)
    moves = table.moves()
    assert moves[1::2] == ["A:P@h6", "A:hxg7"]
    assert sorted(moves[::2]) == ["A:B@f8", "A:N@f5"], "which of them came first nobody has seen"


def test_a_ply_taken_back_on_one_board_leaves_what_the_other_has_shown() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}, {"e4": "", "d5": "P"}):
        table.put("A", **squares)
        table.look(0.6)
    table.look(1.0)
    table.put("B", e2="", e4="P")
    table.look(0.3, hidden="e2", on="B")
    assert table.tracker.provisional("B") == ["e4"]
    table.put("A", e4="P", d5="p")
    table.look(2.0, hidden="e2 e4", on="B")
    assert [event.reason for event in table.of("alert")] == ["take_back"]
    assert table.tracker.provisional("B") == ["e4"]


def test_white_has_rather_begun_with_a_pawn_where_nobody_saw_the_order() -> None:
    table = Table()
    table.look(1.0)
    table.time += 5.0
    table.put("A", g1="", f3="N", e7="", e6="p", e2="", e4="P", d7="", d5="p")
    table.look(2.0)
    assert table.moves()[0] == "A:e4"
    told = table.of("move")
    assert len(told) == 4
    assert len({(round(event.earliest, 1), round(event.time, 1)) for event in told}) == 1, "in any order"


def test_what_is_still_being_set_up_is_no_ply() -> None:
    table = Table(put={"A": dict.fromkeys(("a1", "b1", "h8", "e8"), ""), "B": {}})
    table.look(3.0)
    assert table.events == []
    assert table.tracker.state("A") == "waiting"
    table.put("A", a1="R", b1="N", h8="r", e8="k")
    table.look(1.0)
    assert table.tracker.state("A") == "ready"
    assert table.events == []


def test_several_ways_to_what_is_seen_are_none() -> None:
    board = chess.variant.CrazyhouseBoard("4k3/8/8/8/8/8/8/4K3[QR] w - - 0 1")
    assert played_meanwhile(board, chess.BB_E1 | chess.BB_A5, chess.BB_E8) == []  # a queen or a rook on a5
    (move,) = played_meanwhile(board, chess.BB_E2, chess.BB_E8)
    assert move.uci() == "e1e2"
    assert played_meanwhile(board, chess.BB_E1, chess.BB_E8) == []
    assert played_meanwhile(board, chess.BB_A1, chess.BB_E8) == []


def test_nothing_is_told_before_the_pieces_are_set_up() -> None:
    tracker = Tracker(Match("chess"))
    squares = np.array([row(None)] * 64)
    for number in range(30):
        look = Observation("A", number / 10, squares, np.ones(64, np.bool_), {}, False, False)
        assert tracker.update(look) == []
    assert tracker.state("A") == "waiting"


def test_a_man_is_taken_when_he_is_seen_gone_and_not_long_after() -> None:
    """Both pawns have gone from d4 and d6 for e5 before the knight leaves c6, who cannot have taken on d4 then."""
    table = Table(Match("bughouse", start={"A": "r2qk2r/ppp1bppp/2np1n2/4P3/3P4/2N2N2/PPP2PPP/R1BQ1RK1[] b kq - 0 1"}))
    table.look(1.0, hidden="c6 d4 d5 d6 e5 e6")
    table.put("A", d6="", d4="")
    table.look(0.3, hidden="a1 b1")
    table.look(0.9, hidden="c6 d4 d5 d6 e5 e6")
    table.put("A", e5="")
    table.look(0.2, hidden="c6 d6 c7 d7")
    table.put("A", c6="")
    table.look(0.2, hidden="d4 d5 d6 e5 e6")
    table.look(0.8, hidden="c6 d4 d5 d6 e5 e6")
    assert table.moves() == ["A:dxe5"]
    table.put("A", e5="n")
    table.look(2.0)
    assert table.moves() == ["A:dxe5", "A:dxe5", "A:Nxe5"]


@pytest.fixture(scope="module")
def stream() -> ModuleType:
    spec = importlib.util.spec_from_file_location("stream", Path(__file__).with_name("stream.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seed", [0, *(pytest.param(more, marks=pytest.mark.thorough) for more in (1, 2))])
def test_a_whole_match_with_hands_and_a_reader_that_gets_a_quarter_of_the_kinds_wrong(
    stream: ModuleType, seed: int
) -> None:
    (game,) = read(SAMPLE.read_text())
    script, tracker, events = stream.track(game, seed, 0.75)
    assert stream.wrong(script, tracker) == []
    given: Iterable[Event] = [event for event in events if event.kind == "hand_over"]
    true = sorted((row["seat"], row["piece"]) for row in script.truth if row["kind"] == "hand_over")
    seats = sorted((("White" if e.color else "Black") + e.board, e.piece) for e in given)
    assert seats == true
    assert [event.result for event in events if event.kind == "end"] == [game.result]


def test_a_square_seen_empty_may_have_been_taken_on_meanwhile_by_who_is_being_taken() -> None:
    fen: dict[BoardName, str] = {"A": "rnbqk1nr/pppppppp/8/8/1b6/2n5/PPPP1PPP/R1BQKBNR[] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    lane = "b2 b4 c3"
    table.look(1.0)
    table.look(0.5, hidden=lane)
    table.put("A", b2="", c3="")
    table.look(0.2, hidden="b4 c3")
    lifted = table.time
    table.look(0.1, hidden=lane)
    table.look(0.1, hidden="b2 b4")
    table.look(1.0, hidden=lane)
    assert table.moves() == ["A:bxc3"]
    assert table.of("move")[0].earliest < lifted


def test_who_left_long_before_is_not_who_is_seen_where_his_like_was_taken_meanwhile() -> None:
    """Of three captures on c3 under hands men are seen to go, and the last to have come: a knight as the first was."""
    fen: dict[BoardName, str] = {"A": "rnbqk1r1/ppp2ppp/4p3/3n3N/3Pn3/2PB1N2/P1PB1PPP/R2QK2R[] b KQq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    lane = "b3 c3 c4 d2 d3 d5 e4"

    def look(seconds: float, at: str = "") -> None:
        table.look(seconds, hidden=" ".join(square for square in lane.split() if square not in at.split()))

    table.look(1.0)
    for square, seconds in (("c3", 0.2), ("e4", 1.2), ("d2", 0.9)):
        table.put("A", **{square: ""})
        look(0.2, at=square)
        look(seconds)
    look(0.2, at="c3")
    look(0.5)
    came = table.time
    table.put("A", d5="", c3="n")
    look(0.2, at="c3")
    look(0.5)
    table.put("A", d3="", h7="B")
    look(0.5, at="d3")
    look(0.2, at="c3 c4")
    table.look(1.0, hidden="e4")
    assert table.moves() == ["A:Nexc3", "A:Bxc3", "A:Nxc3", "A:Bxh7"]
    assert [round(event.time - came, 1) for event in table.events if event.san == "Nxc3"] == [0.1]


def test_a_capture_under_hands_was_made_when_who_took_was_seen_gone() -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"d7": "", "d5": "p"}):
        table.look(1.0)
        table.put("A", **squares)
    table.look(2.0)
    lifted = table.time
    table.put("A", e4="")
    table.look(1.0, hidden="d5")
    table.put("A", d8="")
    table.look(1.0, hidden="d5")
    table.put("A", d5="")  # who took is being taken
    table.look(0.2)
    table.put("A", d5="q")
    table.look(2.0, hidden="d5")
    table.look(2.0)
    taking, taken = [event for event in table.events if event.san in ("exd5", "Qxd5")]
    assert lifted < taking.time < lifted + 1.0
    assert taking.earliest <= lifted + 0.2
    assert taken.time < lifted + 2.0


def test_who_moved_and_took_on_from_there_behind_hands_is_told_when_all_opens_at_once() -> None:
    """A pawn in the reserve could have been dropped there instead."""
    fen: dict[BoardName, str] = {"A": "r1bqkb1r/ppp2ppp/2n1p3/1B1n4/3P4/2N2N2/PPP2PPP/R1BQK2R[p] b KQkq - 1 6"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.BLACK] = "p"
    table.look(2.0)
    table.look(1.5, hidden="c8 d7 e6 c6 b5 d6 b7")
    table.put("A", c8="", b5="", c6="b")
    table.look(1.5, hidden="c8 d7 e6 c6 b5 d6 b7")
    table.look(3.0)
    assert table.moves() == ["A:Bd7", "A:Bxc6", "A:Bxc6"]


@pytest.mark.parametrize(("shown", "told"), [("", ["A:e6", "A:dxe6"]), ("e5", ["A:e5", "A:dxe6"])])
def test_a_pawn_taken_behind_hands_was_hardly_taken_in_passing(shown: str, told: list[str]) -> None:
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/pppppppp/8/3P4/8/8/PPP1PPPP/RNBQKBNR[] b KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.look(1.0)
    if shown:
        table.put("A", e7="", e5="p")
        table.look(0.1)
    table.look(1.0, hidden="e7 e6 e5 d5")
    table.put("A", e7="", d5="", e5="", e6="P")
    table.look(0.1, hidden="e6 e5 d5")
    table.look(0.5, hidden="e7 e6 e5 d5")
    table.look(1.5)
    assert table.moves() == told


def test_what_reserves_say_for_a_capture_counts_for_whatever_else_took_so() -> None:
    """A pawn that is gone from the reserve seems to have been dropped where another went, unseen, on his way."""
    fen: dict[BoardName, str] = {"A": "rnbqkb1r/pppp1ppp/4pn2/8/1p1PP3/2N5/PPP1BPPP/R1BQK1NR[PN] w KQkq - 1 5"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.WHITE] = "PN"
    table.look(0.5)
    table.look(1.5, hidden=" ".join(chess.SQUARE_NAMES[chess.A3 : chess.A7]))
    table.pockets["A", chess.WHITE] = table.pockets["B", chess.WHITE] = "N"
    table.put("A", b4="", c3="p", e4="", f6="P")
    for hidden in ("e4 e5 f6 g7", "e4 e5 g7", "e4 g7"):
        table.look(0.4, hidden)
    assert table.moves() == ["A:P@e5", "A:bxc3", "A:exf6"]
    table.look(2.0, "g7")
    assert table.moves()[3:] == ["A:e5", "A:bxc3", "A:exf6"]


@pytest.mark.parametrize("seed", [0, 8, 13])
def test_three_plies_under_hands_are_told_right_in_the_end_however_their_squares_open(seed: int) -> None:
    """While who is gone from the reserve seems to have been dropped."""
    choice = random.Random(seed)
    fen: dict[BoardName, str] = {"A": "rnbqkb1r/pppp1ppp/4pn2/8/1p1PP3/2N5/PPP1BPPP/R1BQK1NR[PN] w KQkq - 1 5"}
    table = Table(Match("bughouse", start=fen))
    table.pockets["A", chess.WHITE] = "PN"
    table.look(0.5)
    middle = chess.SQUARE_NAMES[chess.A3 : chess.A8]
    table.look(choice.uniform(1.0, 2.5), " ".join(middle))
    table.pockets["A", chess.WHITE] = choice.choice(["PN", "N", "P"])
    table.pockets["B", chess.WHITE], table.pockets["B", chess.BLACK] = choice.choices(["N", ""], k=2)
    table.put("A", b4="", c3="p", e4="", f6="P")
    changed = ["c3", "b4", "f6", "e4", "e5"]
    open_ = set(choice.sample(middle, choice.randint(0, 20))) - {*changed}
    for square in choice.sample(changed, len(changed)):
        open_.add(square)
        table.look(choice.choice([0.1, 0.2, 0.4]), " ".join(set(middle) - open_))
    table.look(2.5)
    assert table.moves()[-3:] == ["A:e5", "A:bxc3", "A:exf6"]


def test_what_was_told_is_mended_by_fewer_plies(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    for squares in ({"e2": "", "e4": "P"}, {"e7": "", "e5": "p"}):
        table.put("A", **squares)
        table.look(0.6)
    beam = table.tracker.sides["A"].beam
    assert beam is not None
    rival = beam._played([chess.Move.from_uci("d2d4")])
    assert rival is not None
    rival.total, beam.told.left, beam.lines = beam.told.total + 20, 10.0, [beam.told, rival]
    monkeypatch.setattr(beam, "think", lambda *_: None)
    table.put("A", e4="", e2="P", e5="", e7="p", d2="", d4="P")
    table.look(1.0)
    assert [(event.kind, event.san) for event in table.events][2:] == [("take_back", "e5"), ("correction", "d4")]


def test_what_another_board_rests_on_is_mended_in_its_place() -> None:
    """A pawn has taken the knight that is dropped on the other board, and not the one that seemed to."""
    fen: dict[BoardName, str] = {"A": "rnbqkbnr/pp1ppppp/2p5/4N3/8/8/PPPPPPPP/RNBQKB1R[] w KQkq - 0 1"}
    table = Table(Match("bughouse", start=fen))
    table.put("A", e5="", c6="N")
    table.look(1.0)
    table.put("A", c6="p", b7="")
    table.reads["A", "b7"], table.reads["A", "d7"] = torn(**{"p": 0.6, ".": 0.35}), torn(**{"p": 0.3, ".": 0.65})
    table.pockets["B", chess.WHITE] = "N"
    table.look(2.0)
    table.put("B", e4="N")
    table.pockets["B", chess.WHITE] = ""
    table.look(2.0)
    assert table.moves() == ["A:Nxc6", "A:dxc6", "B:N@e4"]
    table.reads.clear()
    table.look(5.0)
    assert [ply.san for ply in table.tracker.match.plies] == ["Nxc6", "bxc6", "N@e4"]
    assert table.of("alert") == []
