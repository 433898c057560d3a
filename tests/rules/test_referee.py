"""The referee beyond the arbiter's cases: results that last, take-backs that leave nothing behind, kept books."""

import chess
import pytest

from rules.clocks import Clocks, TimeControl
from rules.ends import End, decide, standing
from rules.profiles import PROFILES
from rules.referee import Referee
from rules.reports import (
    Agreed,
    Claimed,
    FlagFell,
    HandedOver,
    Made,
    Passed,
    Pressed,
    ReserveSeen,
    Resigned,
    Ruled,
    Standing,
    TakenBack,
)
from rules.seats import Player
from tests.rules.cases.scene import BLACK, START, WHITE, match, named, play, referee, uci, word

MATING = "6rk/6pp/8/6N1/8/8/8/4K3[] w - -"
KNIGHT_TAKEN = "4k3/8/8/3n4/4P3/8/8/4K3[] w - -"
ALL: frozenset[Player] = frozenset((name, color) for name in ("A", "B") for color in chess.COLORS)


@pytest.mark.parametrize("profile", ["mso", "schwaigern", "bad-homburg"])
def test_a_forbidden_mate_wins_nothing(profile: str) -> None:
    watch = referee("6rk/6pp/8/8/8/8/8/4K3[N] w - -", START, profile)
    found = play(watch, "A:N@f7")
    assert (word(found), watch.result, watch.over) == ("ILLEGAL", "*", None)
    assert "MATE" not in {one.word for one in found}


def test_an_impossible_move_that_would_mate_wins_nothing() -> None:
    watch = referee("6rk/6pp/8/8/4N3/8/8/4K3[] w - -", START, "uscf")
    assert word(play(watch, "A:e4f7")) == "ILLEGAL"
    assert watch.result == "*"
    (claim,) = watch.see(Claimed("A", BLACK, "illegal_move", 1.0))
    assert (claim.word, claim.result, watch.result) == ("LOST", "0-1", "*")


def test_what_comes_after_the_end_changes_nothing() -> None:
    watch = referee(MATING)
    play(watch, "A:g5f7", time=10.0)
    for late in (
        Resigned("B", BLACK, 60.0),
        Agreed(ALL, 61.0),
        Claimed("A", WHITE, "repetition", 62.0),
        FlagFell("B", BLACK, 63.0),
        Made("B", uci("e2e4"), 64.0),
    ):
        assert [one.reason for one in watch.see(late)] == ["after_end"]
        assert watch.result == "1-0"
    watch.see(Ruled("1/2-1/2", 70.0))
    assert watch.result == "1/2-1/2", "the arbiter has the last word"
    assert [one.reason for one in watch.see(FlagFell("B", WHITE, 70.2))] == ["after_end"]


def test_a_resignation_is_final() -> None:
    watch = referee(profile="bivacco")
    watch.see(Resigned("B", BLACK, 5.0))
    for late in (Resigned("A", BLACK, 6.0), FlagFell("A", BLACK, 5.1), Claimed("A", WHITE, "repetition", 7.0)):
        assert [one.reason for one in watch.see(late)] == ["after_end"]
    assert watch.result == "0-1"


@pytest.mark.parametrize("looks", [(185.0, 300.0), (300.0,), (185.0, 186.0, 187.0, 300.0)])
def test_two_flags_do_not_depend_on_how_often_one_looks(looks: tuple[float, ...]) -> None:
    clocks = Clocks(TimeControl(180.0))
    watch = Referee(match(), clocks)
    clocks.start("A", 0.0)
    clocks.start("B", 30.0)
    found = [one for time in looks for one in watch.see(Passed(time))]
    assert [one.reason for one in found] == ["flag"]
    assert watch.result == "0-1"
    assert clocks.left("B", WHITE, 300.0) == pytest.approx(30.0), "the clocks were stopped when the first flag fell"


@pytest.mark.parametrize(("apart", "expected"), [(0.2, "1/2-1/2"), (2.0, "*"), (300.0, "0-1")])
def test_a_second_flag_counts_while_nobody_can_have_noticed(apart: float, expected: str) -> None:
    watch = referee(profile="bivacco")
    watch.see(FlagFell("A", WHITE, 100.0))
    watch.see(FlagFell("B", WHITE, 100.0 + apart))
    assert watch.result == expected


def test_a_mate_taken_back_is_no_mate() -> None:
    watch = referee(MATING, START, "uscf")
    watch.see(Made("A", uci("g5f7"), 10.0))
    assert watch.result == "1-0"
    watch.see(TakenBack("A", 10.3))
    assert (watch.result, watch.over, watch.match.plies) == ("*", None, [])
    assert word(watch.see(Made("A", uci("g5e4"), 12.0))) == "OK"
    instead = referee(MATING, START, "uscf")
    instead.see(Made("A", uci("g5f7"), 10.0))
    instead.see(Made("A", uci("g5e4"), 10.3, instead=True))
    assert instead.result == "*"


def test_a_capture_taken_back_is_not_missed_in_the_reserve() -> None:
    watch = referee(KNIGHT_TAKEN)
    watch.see(ReserveSeen("B", BLACK, (), -1.0))
    watch.see(Made("A", uci("e4d5"), 0.0))
    watch.see(TakenBack("A", 0.5))
    assert watch.see(Passed(20.0)) == []
    late = referee(KNIGHT_TAKEN, START, "czech")
    late.see(Made("A", uci("e4d5"), 0.0))
    late.see(Made("A", uci("e4e5"), 0.5, instead=True))
    late.see(Pressed("A", WHITE, 0.6))
    assert not [one for one in play(late, "A:e8e7", time=2.0) if one.word != "OK"]


def test_a_promotion_taken_back_leaves_no_ghost() -> None:
    watch = referee("k7/6P1/8/8/8/8/r7/4K3[] w - -")
    watch.see(Made("A", uci("g7g8"), 0.0))
    assert watch.promoted["A"].men
    watch.see(TakenBack("A", 0.5))
    assert not watch.promoted["A"].men
    assert [one.reason for one in watch.see(Standing("A", chess.G8, "lying"))] == ["fallen"]


def test_undo_closes_what_was_open_on_both_boards() -> None:
    watch = referee("4k3/8/8/3q4/4P3/8/8/4K3[] w - -", START.replace("w KQkq", "b KQkq"), "czech")
    watch.see(Made("A", uci("e4d5"), 0.0))
    watch.see(Made("B", uci("Q@d4"), 0.5))
    assert set(watch.open) == {"A", "B"}
    watch.undo("A")
    assert not watch.open


def test_a_man_that_was_dropped_at_once_is_not_missed() -> None:
    for profile in ("scacco-bratto", "czech"):
        watch = referee(KNIGHT_TAKEN, START.replace("w KQkq", "b KQkq"), profile)
        watch.see(ReserveSeen("B", BLACK, (), -1.0))
        play(watch, "A:e4d5", time=0.0)
        play(watch, "B:N@d4", time=3.0)
        assert not [one for one in play(watch, "A:e8e7", time=4.0) if one.word != "OK"]
        assert watch.see(Passed(20.0)) == []


def test_a_hand_over_is_one_only_of_what_was_captured() -> None:
    watch = referee(KNIGHT_TAKEN, START, "czech")
    play(watch, "A:e4d5")
    assert word(watch.see(HandedOver("A", WHITE, chess.KNIGHT, 0.5))) == "OK"
    assert not [one for one in play(watch, "A:e8e7", time=2.0) if one.word != "OK"], "it has arrived in time"
    for man in (chess.KNIGHT, chess.QUEEN):
        (found,) = watch.see(HandedOver("A", WHITE, man, 3.0))
        assert (found.word, found.reason, found.values["seat"]) == ("FLAG", "reserve_surplus", "BlackB")


def test_what_was_put_right_and_goes_wrong_again_is_told_again() -> None:
    knight = chess.Piece.from_symbol("n")
    watch = referee(START, START.replace("[]", "[n]"))
    watch.see(ReserveSeen("B", BLACK, (), 0.0))
    assert [one.reason for one in watch.see(Passed(10.0))] == ["reserve_missing"]
    assert watch.see(ReserveSeen("B", BLACK, (knight,), 12.0)) == []
    watch.see(ReserveSeen("B", BLACK, (), 14.0))
    assert watch.see(Passed(20.0)) == []
    assert [one.reason for one in watch.see(Passed(24.0))] == ["reserve_missing"]


def test_what_is_on_its_way_is_not_missing() -> None:
    watch = referee("4k3/8/8/3n4/4P3/8/8/4K3[] w - -", START.replace("[]", "[n]"))
    watch.see(ReserveSeen("B", BLACK, (chess.Piece.from_symbol("n"),), 0.0))
    play(watch, "A:e4d5", time=5.0)
    watch.see(ReserveSeen("B", BLACK, (chess.Piece.from_symbol("n"),), 6.0))
    assert [one.reason for one in watch.see(Passed(16.0))] == ["not_passed"]


def test_a_promoted_man_is_shown_whatever_went_wrong_elsewhere() -> None:
    watch = referee("k7/6P1/8/8/8/8/r7/4K3[] w - -")
    play(watch, "B:e2e5")
    play(watch, "A:g7g8", "A:a8a7")
    found = play(watch, "A:g8e7")
    assert (word(found), named(found, "promotion_shown").word) == ("OK", "OK")
    assert [ply.legal for ply in watch.match.plies] == [False, True, True, True]


def test_a_king_that_castles_with_nobody_can_be_claimed() -> None:
    watch = referee("4k3/8/8/8/8/8/8/4K3[] w KQ -")
    assert word(play(watch, "A:e1g1")) == "ILLEGAL"
    assert watch.match.board("A").king(WHITE) == chess.G1
    (claim,) = watch.see(Claimed("A", BLACK, "illegal_move", 1.0))
    assert claim.reason == "illegal_claimed"


def test_captains_do_not_speak_for_all_players_everywhere() -> None:
    captains: frozenset[Player] = frozenset({("A", WHITE), ("B", WHITE)})
    (found,) = referee(profile="ennigerloh").see(Agreed(captains, 5.0, captains=True))
    assert found.reason == "agreed_not_all"
    assert referee(profile="ennigerloh").see(Agreed(ALL, 5.0))[0].word == "DRAW"


def test_ends_that_cannot_be_told_apart() -> None:
    mate, flag = End("mate", "A", BLACK, 10.0), End("flag", "B", BLACK, 10.0)
    assert decide(PROFILES["gallarate"], [mate, flag]).reason == "ends_together"
    later = End("mate", "B", BLACK, 12.0)
    assert decide(PROFILES["ennigerloh"], [mate, later]).result == "1-0", "two seconds are no instant"
    assert decide(PROFILES["gallarate"], [later, mate]).result == "1-0", "in whatever order they are told"


def test_check_on_one_board_and_stalemate_on_the_other_is_no_draw() -> None:
    stalemate, check = "7k/8/6Q1/8/8/8/8/4K3[] b - -", "R5k1/5ppp/8/8/8/8/8/4K3[] b - -"
    both = match(stalemate, check)
    assert [one.reason for one in standing(both, "A")] == ["wait_stalemate"]


def test_a_promoted_man_can_only_come_as_a_pawn() -> None:
    check = "R5k1/5ppp/8/8/8/8/8/4K3[] b - -"
    promoted = match(check, "4k3/8/8/8/8/8/8/q~3K3[] w - -", "geneva")
    assert [one.reason for one in standing(promoted, "A")] == ["checkmate_stock"]


def test_bare_kings_with_a_man_in_reserve_are_alive() -> None:
    bare, held = "4k3/8/8/8/8/8/8/4K3[] w - -", "4k3/8/8/8/8/8/8/4K3[n] w - -"
    (found,) = referee(bare, held).see(Claimed("A", WHITE, "insufficient", 5.0))
    assert found.reason == "insufficient_never"


def test_a_second_man_of_the_kind_may_be_dropped_before_the_press() -> None:
    watch = referee("4k3/8/8/3q4/4P3/8/8/4K3[] w - -", START.replace("w KQkq", "b KQkq").replace("[]", "[q]"), "knsb")
    watch.see(Made("A", uci("e4d5"), 0.0))
    assert {one.word for one in watch.see(Made("B", uci("Q@d4"), 0.5))} == {"OK"}


def test_under_substitution_a_pawn_stays_one_only_without_a_man() -> None:
    held = match("k7/6P1/8/8/8/8/r7/4K3[N] w - -", START, "bivacco", promotion="substitution")
    to_g8 = [move for move in held.legal_moves("A") if move.to_square == chess.G8 and not move.drop]
    assert [move.promotion for move in to_g8] == [chess.KNIGHT]


def test_a_rook_that_walked_into_the_corner_was_not_dropped_there() -> None:
    watch = referee("4k3/p7/8/8/8/8/P6R/4K3[] w - -", START, "fatics")
    found = play(watch, "A:h2h1", "A:a7a6", "A:e1g1")
    assert found[0].reason in ("castle_king_moved", "castle_rook_moved")


def test_upright_promotions_are_those_of_two_texts() -> None:
    assert {name for name, profile in PROFILES.items() if profile.promotion == "upright_pawn"} == {"knsb", "geneva"}
