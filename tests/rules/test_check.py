"""The referee for records: every style there is, every fault named where it stands, and reading on after it."""

from pathlib import Path

import chess
import pytest

from rules.bpgn import write
from rules.check import Refereed, check
from rules.match import Match
from rules.notation import parse
from rules.profiles import PROFILES, adapted
from rules.records import Game, read

GAMES = Path(__file__).parents[2] / ".." / "shared" / "games"
MOVES = "1A. e4 1a. d5 2A. exd5 2a. Qxd5 1B. e4 1b. P@d3 2B. cxd3 2b. e5"


def refereed(text: str, profile: str | None = None) -> Refereed:
    (record,) = parse(text)
    return check(record, PROFILES[profile] if profile else None)


def found(text: str, profile: str | None = None) -> list[tuple[str, int, str, str]]:
    """Board, ply, SAN and reason of every fault."""
    return [(f.board or "", f.ply, f.san, f.finding.reason) for f in refereed(text, profile).faults]


def illegal(moves: str, profile: str | None = None) -> list[tuple[str, int, str, str]]:
    """Only what breaks a rule, without the men that then do not add up."""
    return [
        (f.board or "", f.ply, f.san, f.finding.reason)
        for f in refereed(moves, profile).faults
        if f.finding.word == "ILLEGAL" and f.finding.rule != "conservation"
    ]


STYLES = {
    "our own": '[Event "x"]\n[WhiteA "a"]\n\n' + MOVES + " *",
    "fics": '[Event "fics rated bughouse match"]\n[Result "1-0"]\n\n'
    "1A. e4 {178} 1a. d5 {180} 2A. exd5 {177} 2a. Qxd5 {179} 1B. e4 {178} 1b. P@d3 {179} 2B. cxd3 {176} "
    "2b. e5 {178}{WhiteB resigns} 1-0",
    "bughouse-db": '[Event "x"]\r\n[WhiteA "a"][WhiteAElo "2100"]\r\n[BlackA "b"][BlackAElo "2100"]\r\n\r\n'
    "{C:This is game number 100}\r\n1A. e4{299.000} 1a. d5{299.000} 2A. exd5{295.000} 2a. Qxd5{294.1}\r\n"
    "1B. e4{298.000} 1b. P@d3{297.000} 2B. cxd3{296.0} 2b. e5{295.0}\r\n{a wins} 1-0\r\n",
    "chess.com viewer": '[Event "x"][Site "Chess.com"][TimeControl "180"][Result "1-0"]{C:chess.com/live/game/1}'
    "1A. e2e4 {180} 1a. d7d5 {180} 2A. e4xd5 {179.6} 2a. Qd8xd5 {179.7} 1B. e2-e4 {179.3} 1b. P@d3 {178.7} "
    "2B. c2xd3 {178} 2b. e7e5 {177} {a won on time} *",
    "chess.com clocks": "1A. e4 {[%clk 0:02:59.9]} 1a. d5 {[%clk 0:02:59.8]} 2A. exd5 2a. Qxd5 {[ts=175000]} "
    "1B. e4 1b. $146@d3 2B. cxd3! 2b. e5 $1 *",
    "no spaces": "1A.e4 1a.d5 2A.exd5 2a.Qxd5 1B.e4 1b.@d3 2B.cxd3 2b.e5 *",
    "a variation": MOVES.replace("2a. Qxd5", "2a. Qxd5 (2a. Nf6 {better (much)} 3A. c4 (3A. d4)) ") + " *",
    "no result": MOVES,
    "marks": MOVES.replace("Qxd5", "Qxd5??").replace("e5", "e5!?").replace("cxd3", "cxd3 !") + " 1/2-1/2",
}


@pytest.mark.parametrize("style", STYLES)
def test_every_style_is_read_and_checks_clean(style: str) -> None:
    done = refereed(STYLES[style])
    assert not done.faults
    assert len(done.match.plies) == 8
    assert [ply.move.uci() for ply in done.match.plies] == [
        "e2e4", "d7d5", "e4d5", "d8d5", "e2e4", "P@d3", "c2d3", "e7e5",
    ]  # fmt: skip
    (game,) = read(STYLES[style])
    assert [ply.san for ply in game.match.plies][5] == "P@d3"


def test_a_result_in_the_tags_stands_where_the_moves_end_in_a_star() -> None:
    assert refereed(STYLES["chess.com viewer"]).record.result == "1-0"
    assert refereed(STYLES["chess.com viewer"]).end == "time"


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (("2a. Qxd5", "2a. Qxe6"), ("A", 4, "Qxe6", "moves_otherwise")),
        (("2a. Qxd5", "2a. Qd4"), ("A", 4, "Qd4", "moves_otherwise")),
        (("2a. Qxd5", "2a. Kd7 3A. Bb5+ 3a. Qe8"), ("A", 6, "Qe8", "king_in_check")),
        (("1b. P@d3", "1b. N@d3"), ("B", 2, "N@d3", "drop_not_in_reserve")),
        (("1b. P@d3", "1b. P@d8"), ("B", 2, "P@d8", "drop_occupied")),
        (("1b. P@d3", "1b. P@e4"), ("B", 2, "P@e4", "drop_occupied")),
        (("1b. P@d3", "2B. Nf3 1b. P@d3"), ("B", 2, "Nf3", "not_on_move")),
        (("2b. e5", "2b. O-O"), ("B", 4, "O-O", "castle_blocked")),
        (("2b. e5", "2b. Zz9"), ("B", 4, "Zz9", "unreadable")),
        (("2b. e5", "2b. Nd7"), ("B", 4, "Nd7", "moves_otherwise")),
    ],
)
def test_faults_are_named_where_they_stand(broken: tuple[str, str], fault: tuple[str, int, str, str]) -> None:
    first = illegal(MOVES.replace(*broken))[0]
    assert first == fault


def test_a_capture_that_takes_nothing() -> None:
    assert found(MOVES.replace("2a. Qxd5", "2a. Qxd6")) == [("A", 4, "Qxd6", "takes_nothing")]


def test_an_ambiguous_move() -> None:
    assert illegal("1A. Nc3 1a. e6 2A. Nf3 2a. e5 3A. Nd4 3a. e4 4A. Nb5") == [("A", 7, "Nb5", "ambiguous")]


def test_after_an_illegal_move_the_board_stands_as_the_record_leaves_it() -> None:
    done = refereed("1A. e4 1a. e5 2A. Bc4 2a. Nc6 3A. Qh5 3a. Nf6 4A. Qxe5 4a. Nxe5 1B. e4 1b. Q@h4")
    assert not [f for f in done.faults if f.board == "A"], "Qxe5+ is legal"
    wrong = refereed("1A. e4 1a. e5 2A. Bd4 2a. exd4 1B. e4 1b. P@d3")
    assert [(f.ply, f.finding.reason) for f in wrong.faults] == [(3, "moves_otherwise"), (3, "board_lost")]
    forced = refereed("1A. e4 1a. e5 2A. Ke3 2a. d5 3A. Kf3 3a. dxe4")
    assert [(f.board, f.ply, f.finding.reason) for f in forced.faults] == [("A", 3, "moves_otherwise")]
    assert len(forced.match.plies) == 6, "it reads on"


def test_the_other_board_is_not_blamed_for_what_cannot_be_followed() -> None:
    text = "1A. e4 1a. e5 2A. Xx 2a. d5 3A. exd5 1B. e4 1b. P@d3 2B. cxd3 2b. Ke6 3B. a3 3b. N@e4"
    assert [fault[:2] + fault[3:] for fault in illegal(text)] == [
        ("A", 3, "unreadable"),
        ("B", 4, "moves_otherwise"),
    ]


def test_men_that_do_not_add_up_are_named() -> None:
    faults = {f.finding.reason: f.finding.values for f in refereed("1A. e4 1a. N@e5").faults}
    assert faults["men_surplus"]["men"] == "n"
    faults = {f.finding.reason: f.finding.values for f in refereed(MOVES.replace("P@d3", "P@e4")).faults}
    assert faults["men_missing"]["men"] == "P"


def test_a_promoted_man_comes_back_as_a_pawn() -> None:
    start = '[SetUp "1"]\n[FEN "r3k3/6P1/8/8/8/8/8/4K3[] w - - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1"]\n\n'
    moves = "1A. g8=Q+ 1a. Ke7 2A. Qh7+ 2a. Ke6 3A. Qh8 3a. Rxh8 1B. "
    assert illegal(start + moves + "Q@e4+") == [("B", 1, "Q@e4+", "drop_not_in_reserve")]
    assert not illegal(start + moves + "P@e4")


def test_profiles_decide() -> None:
    start = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1"]\n\n'
    assert not illegal(start + "1A. N@c7+")
    assert illegal(start + "1A. N@c7+", "knsb") == [("A", 1, "N@c7+", "drop_check")]
    named = '[RuleProfile "knsb"]\n' + start + "1A. N@c7+"
    assert illegal(named) == [("A", 1, "N@c7+", "drop_check")], "the record names its profile"
    assert not illegal(named, "scacco-bratto"), "the one asked for goes before"
    changed = '[RuleProfile "knsb"]\n[RuleChanges "drop_check=yes"]\n' + start + "1A. N@c7+"
    assert not illegal(changed)
    assert found('[RuleProfile "mars"]\n' + start + "1A. N@c7+") == [("", 0, "", "unknown_choice")]
    assert found('[RuleChanges "drop_check=maybe"]\n' + start + "1A. N@c7+") == [("", 0, "", "unknown_choice")]


@pytest.mark.parametrize(
    "fen",
    [
        "8/8 w - - 0 1 | 8/8 w - - 0 1",
        "8/8/8/8/8/8/8/8[] w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1",
        "kk6/8/8/8/8/8/8/4K3 w - - 0 1",
    ],
)
def test_an_impossible_position_is_one_fault(fen: str) -> None:
    assert found(f'[FEN "{fen}"]\n[WhiteA "x"]\n\n1A. e4') == [("", 0, "", "bad_position")]


MATE = (
    '[SetUp "1"]\n[FEN "6rk/6pp/8/6N1/8/8/8/4K3[] w - - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1"]\n[Result "{}"]\n\n'
    "1A. Nf7# {} {}"
)


def test_result_and_ending() -> None:
    good = refereed(MATE.format("1-0", "{BlackA checkmated}", "1-0"))
    assert (good.faults, good.end, good.record.result) == ([], "checkmate", "1-0")
    assert found(MATE.format("0-1", "", "0-1")) == [("", 0, "", "result_differs")]
    assert found(MATE.format("1-0", "", "0-1"))[0] == ("", 0, "", "result_differs")
    assert found(MATE.format("1-0", "{WhiteA checkmated}", "1-0")) == [("", 0, "", "termination_differs")]
    assert found("1A. e4 1a. e5 {WA checkmated} 0-1") == [("", 0, "", "termination_differs")], "nobody is mated"
    assert found("1A. e4 1a. e5 {WA resigns} 1-0") == [("", 0, "", "termination_differs")]
    assert found("1A. e4 1a. e5 {WA resigns} 0-1") == []
    assert found("1A. e4 1a. e5 {BlackB won on time} 1-0") == []
    assert refereed("1A. e4 1a. e5 {White A perde per il tempo} 0-1").end == "time"


def test_a_check_that_the_partner_can_help_against_is_no_mate_in_a_record() -> None:
    start = '[FEN "6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1"]\n[WhiteA "x"]\n\n1A. Ra8# '
    assert found(start + "{BlackA checkmated} 1-0") == [("", 0, "", "termination_differs")]
    assert found(start + "{BlackA forfeits on time} 1-0") == []


def test_what_goes_on_after_a_mate() -> None:
    one = MATE.format("1-0", "", "").strip() + " 1B. Kd2 1-0"
    assert found(one) == [], "a move under way on the other board"
    two = MATE.format("1-0", "", "").strip() + " 1B. Kd2 1b. Kd7 1-0"
    assert found(two) == [("B", 2, "Kd7", "after_end")]


def test_clocks_and_numbers() -> None:
    tag = '[TimeControl "180+0"]\n\n'
    assert found(tag + "1A. e4 {170} 1a. e5 {175} 2A. d4 {172}") == [("A", 3, "d4", "clock_rises")]
    assert found(tag.replace("+0", "+5") + "1A. e4 {170} 1a. e5 {175} 2A. d4 {172}") == []
    assert found("1A. e4 1a. e5 4A. d4 4a. d5") == [("A", 3, "d4", "wrong_number")]
    assert found("1A. e4 1a. e5 2a. d5 3A. d4") == [("A", 3, "d5", "not_on_move")]


def test_records_without_sense() -> None:
    assert list(parse("")) == []
    assert list(parse("\n\n{only a comment}\n")) == []
    assert found('[Event "x"]\n') == [("", 0, "", "no_moves")]
    assert found("hello world")[0][3] == "unreadable"
    assert found("1A. e4 1a. e5 2A. d") == [("A", 3, "d", "unreadable"), ("A", 3, "", "board_lost")], "cut off"


def test_several_games_and_a_comment_that_nobody_closed() -> None:
    text = '[Event "1"]\n\n1A. e4 {oops\n\n[Event "2"]\n\n1A. d4 *\n\n1A. c4 *\n'
    assert [record.words[0].san for record in parse(text)] == ["e4", "d4", "c4"]


def test_moves_without_numbers() -> None:
    assert [word.mover for word in next(parse("e4 e5 Nf3 {x} Nc6 *")).words] == ["A", "a", "A", "a"]
    assert found('[White "x"]\n\n1. e4 e5 Nf3 Nc6 3. Bb5 *') == []


@pytest.mark.parametrize("sign", ["ep", "e.p.", "+-", "+/=", "=", "ch", "N", "TN", "!", "$6", "\u2213"])
def test_signs_that_are_no_moves(sign: str) -> None:
    assert found(MOVES.replace("2a. Qxd5", f"2a. Qxd5 {sign}")) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Qxd5", "♛xd5"),
        ("Qxd5", "Qd8xd5"),
        ("Qxd5", "d8d5"),
        ("e4 1b.", "e2\u2013e4 1b."),
        ("P@d3", "P@d3+"),
        ("cxd3", "c2:d3"),
    ],
)
def test_other_spellings(one: str, other: str) -> None:
    assert found(MOVES.replace(one, other, 1)) == []


PROMOTING = '[FEN "4k3/8/8/8/8/8/p5p1/1N2K2R[] b K - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1"]\n[WhiteA "x"]\n\n'


@pytest.mark.parametrize("san", ["gxh1=Q", "gxh1(Q)+", "gxh1Q", "gxh1/Q", "gxh1=q", "g2xh1=Q+"])
def test_promotions_in_every_spelling(san: str) -> None:
    done = refereed(f"{PROMOTING}1a. {san} 2A. Kd2 2a. axb1=N+")
    assert done.faults == []
    assert [ply.move.promotion for ply in done.match.plies] == [chess.QUEEN, None, chess.KNIGHT]


def test_a_promotion_whose_kind_is_not_written() -> None:
    text = f"{PROMOTING}1a. gxh1 2A. Kd2 2a. Qh2+"
    assert found(text) == [("A", 1, "gxh1", "promotion_unnamed")]
    assert found(text, "schwaigern") == [], "there it is a queen"
    assert illegal(f"{PROMOTING}1a. gxh1=K 2A. Kd2")[0] == ("A", 1, "gxh1=K", "promotion_missing")


def test_castling_with_a_king_that_has_moved_is_named_and_followed() -> None:
    text = "1A. e4 1a. e5 2A. Nf3 2a. Nc6 3A. Be2 3a. d6 4A. Kf1 4a. a6 "
    for end, ply in (("5A. O-O 5a. a5", 9), ("5A. Ke1 5a. a5 6A. O-O 6a. a4", 11)):
        done = refereed(text + end)
        assert [(f.ply, f.finding.reason) for f in done.faults] == [(ply, "castle_king_moved")]
        assert len(done.match.plies) == ply + 1, "it reads on"
    far = refereed("1A. e4 1a. e5 2A. Ke2 2a. Nc6 3A. O-O 3a. Nf6")
    assert far.faults[0].finding.reason == "castle_king_moved"
    alone = "1A. Nf3 1a. a6 2A. Rg1 2a. a5 3A. O-O 3a. a4"
    assert refereed(alone).faults[0].ply == 5
    assert len(refereed(alone).match.plies) == 6


def test_a_king_is_never_taken() -> None:
    text = "1A. e4 1a. f6 2A. Qh5+ 2a. a6 3A. Qxe8 3a. a5"
    assert illegal(text) == [("A", 4, "a6", "king_in_check"), ("A", 5, "Qxe8", "takes_king")]
    assert not refereed(text).match.pocket("B", chess.BLACK)


def test_an_illegal_move_mates_nobody() -> None:
    start = '[FEN "6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1"]\n[WhiteA "x"]\n\n'
    done = refereed(start + "1A. N@f7# {WhiteA loses on time} 0-1", "mso")
    assert [fault.finding.reason for fault in done.faults] == ["drop_mate"]
    assert done.end == "time"


def test_what_is_never_closed() -> None:
    assert found("1A. e4 1a. e5 (1a. d5 2A. d4 2a. c6 1-0") == [("", 0, "", "not_closed")]
    assert found("1A. e4 1a. e5 {what 2A. d4 2a. c6 1-0") == [("", 0, "", "not_closed")]


def test_a_game_of_tags_alone_is_a_game() -> None:
    text = '[Event "1"]\n[Result "1-0"]\n\n[Event "2"]\n\n1A. e4 1a. e5 *\n'
    one, two = parse(text)
    assert [fault.finding.reason for fault in check(one).faults] == ["no_moves"]
    assert (two.tags, check(two).faults) == ({"Event": "2"}, [])


NAMES = '[WhiteA "Ann"][BlackA "Bob"][WhiteB "Cy"][BlackB "Dee"]\n\n1A. e4 1a. e5 '


@pytest.mark.parametrize(
    "end",
    [
        "{Bob resigns} 1-0", "{WhiteA resigns}{good game} 0-1", "{Ann won on time} 1-0",
        "{BlackA ha vinto per il tempo} 0-1", "{Bob's flag fell, team 1 won} 1-0",
        "{Bob resigned. White won} 1-0", "{Cy ran out of time} 1-0",
        "{Ann is the winner on time} 1-0", "{Dee forfeits on time} 0-1", "{Ann and Dee win on time} 1-0",
        "{Game drawn by agreement} 1/2-1/2", "{patta per accordo} 1/2-1/2", "{Bob abbandona} 1-0", "{nice game} 1-0",
    ],
)  # fmt: skip
def test_ends_in_words_that_fit(end: str) -> None:
    assert found(NAMES + end) == []


@pytest.mark.parametrize(
    "end",
    [
        "{Bob resigns} 0-1", "{WhiteA resigns}{good game} 1-0", "{Ann won on time} 0-1",
        "{Game drawn by agreement} 1-0",
        "{Cy checkmated} 1-0", "{Dee ran out of time} 1-0", "{BlackA ha vinto per il tempo} 1-0",
    ],
)  # fmt: skip
def test_ends_in_words_that_contradict(end: str) -> None:
    assert [fault[3] for fault in found(NAMES + end)] == ["termination_differs"]


def test_results_that_are_none_or_two() -> None:
    assert [fault[3] for fault in found('[Result "2-0"]\n\n1A. e4 1a. e5')] == ["result_differs"]
    assert [fault[3] for fault in found("1A. e4 1a. e5 1-0 0-1")] == ["result_differs"]
    assert found("1A. e4 1a. e5 1-0 1-0") == []


def test_who_is_mated_has_to_be_who_is_said_to_be() -> None:
    named = MATE.format("1-0", "{WhiteB checkmated}", "1-0")
    assert found(named) == [("", 0, "", "termination_differs")]


def test_one_board_names_and_ends() -> None:
    tags = '[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n[Termination "{}"]\n\n1. e4 e5 1-0\n'
    assert found(tags.format("Ann won by resignation")) == []
    assert [fault[3] for fault in found(tags.format("Bob won by resignation"))] == ["termination_differs"]
    kings = '[FEN "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"]\n\n1. Kxe2 Ke7 1/2-1/2\n'
    assert (refereed(kings).faults, refereed(kings).end) == ([], "insufficient")
    assert found('[Variant "From Position"]\n[FEN "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"]\n\ne5 Kd2') == []


def test_a_record_written_board_by_board_is_refereed_by_its_clocks() -> None:
    timed = "1A. e4 {179} 1a. d5 {179} 2A. exd5 {178} 1B. e4 {176} 1b. P@d3 {177} 2B. cxd3 {175}"
    turned = "1B. e4 {176} 1b. P@d3 {177} 2B. cxd3 {175} 1A. e4 {179} 1a. d5 {179} 2A. exd5 {178}"
    tag = '[TimeControl "180+0"]\n\n'
    assert found(tag + timed) == []
    assert found(tag + turned) == [("", 0, "", "order_by_clocks")]


def test_a_stalemate_ends_the_match_where_it_does() -> None:
    start = '[FEN "7k/8/8/6Q1/8/8/8/4K3[] w - - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1"]\n[WhiteA "x"]\n\n'
    text = start + "1A. Qg6 1B. Kd2 1b. Kd7 2B. Kd3 1/2-1/2"
    assert [fault[3] for fault in found(text, "deidesheim")] == ["after_end"]
    assert found(text.replace("1/2-1/2", "*")) == []


def test_one_board_games() -> None:
    chess_game = '[Event "x"]\n[White "a"]\n[Black "b"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 {oh} 2... Qh4# 0-1\n'
    done = refereed(chess_game)
    assert (done.faults, done.match.game, done.end) == ([], "chess", "checkmate")
    assert illegal(chess_game.replace("g4", "g5"))[0] == ("A", 3, "g5", "moves_otherwise")
    house = '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 Qxe4+ *'
    assert (refereed(house).faults, refereed(house).match.game) == ([], "crazyhouse")
    assert illegal(house.replace("P@e4", "N@e4")) == [("A", 5, "N@e4", "drop_not_in_reserve")]
    assert found('[Variant "Atomic"]\n\n1. e4 *') == [("", 0, "", "unknown_choice")]


@pytest.mark.parametrize(
    ("name", "count"), [("real-blitz.bpgn", 37), pytest.param("selfplay.bpgn", 100, marks=pytest.mark.thorough)]
)
def test_recorded_matches_check_clean_and_survive_a_round_trip(name: str, count: int) -> None:
    if not (GAMES / name).exists():
        pytest.skip(f"needs the shared {name}")
    text = (GAMES / name).read_text("utf-8")
    records = list(parse(text))
    assert len(records) == count
    for number, record in enumerate(records, 1):
        done = check(record)
        assert not done.faults, (number, done.faults)
        assert len(done.match.plies) == len(record.words)
    for game in read(text):
        (again,) = read(write(game))
        assert (again.match.plies, again.clocks, again.result, again.comment) == (
            game.match.plies, game.clocks, game.result, game.comment,
        )  # fmt: skip
        assert {key: value for key, value in again.tags.items() if key != "RuleProfile"} == {
            "Date": again.tags["Date"], **game.tags, "Result": game.result,
        }  # fmt: skip


def test_the_profile_is_written_and_read_back() -> None:
    profile = adapted(PROFILES["gallarate"], {"drop_castle": "no", "pawn_ranks": (2, 6), "pass_tolerance": 4})
    match = Match("bughouse", profile)
    match.push("A", match.parse_san("A", "e4"))
    text = write(Game(match))
    assert '[RuleProfile "gallarate"]' in text
    assert '[RuleChanges "pawn_ranks=2-6, drop_castle=no, pass_tolerance=4.0"]' in text
    (again,) = read(text)
    assert again.match.profile == profile
    assert again.match.profile.authority("drop_castle") == "venue"
