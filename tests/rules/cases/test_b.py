"""B: drops."""

from typing import Any

import chess
import pytest

from rules.reports import Made, Pressed, TakenBack
from rules.verdict import Verdict
from tests.rules.cases.scene import BLACK, ITALIAN, START, WHITE, match, named, play, referee, uci, word

EMPTY = "4k3/8/8/8/8/8/8/4K3[{}] {} - -"
ALL = "[QRBNPqrbnp]"


def dropped(fen: str, move: str, profile: str = "scacco-bratto", **changes: Any) -> list[Verdict]:
    return play(referee(b=fen, profile=profile, **changes), f"B:{move}")


def ruling(fen: str, move: str, profile: str = "scacco-bratto", **changes: Any) -> tuple[str, str]:
    first = dropped(fen, move, profile, **changes)[0]
    return first.word, first.reason


every = pytest.mark.parametrize("profile", ITALIAN)


@every
def test_b1_a_drop_is_the_move(profile: str) -> None:
    watch = referee(b=START.replace("[]", "[N]"), profile=profile)
    assert word(play(watch, "B:N@e5")) == "OK"
    assert watch.match.board("B").turn == BLACK
    assert watch.match.plies[-1].san == "N@e5"


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_b2_a_drop_never_captures(profile: str) -> None:
    fen = "4k3/8/8/4p3/8/8/8/4K3[N] w - -"
    assert ruling(fen, "N@e5", profile) == ("ILLEGAL", "drop_occupied")


@every
def test_b3_not_on_an_own_man(profile: str) -> None:
    assert ruling("4k3/8/8/8/4P3/8/8/4K3[N] w - -", "N@e4", profile) == ("ILLEGAL", "drop_occupied")


@every
def test_b4_a_man_from_nowhere(profile: str) -> None:
    assert ruling(EMPTY.format("", "w"), "N@e5", profile) == ("ILLEGAL", "drop_not_in_reserve")


@every
def test_b5_a_move_and_a_drop_in_one_turn(profile: str) -> None:
    watch = referee(b=EMPTY.format("N", "w"), profile=profile)
    assert word(watch.see(Made("B", uci("e1e2"), 0.0))) == "OK"
    found = watch.see(Made("B", uci("N@e5"), 0.5, color=WHITE))
    assert named(found, "two_moves").word == "ILLEGAL"


@every
def test_b6_a_drop_out_of_turn(profile: str) -> None:
    watch = referee(b=EMPTY.format("N", "b"), profile=profile)
    found = watch.see(Made("B", uci("N@e5"), 0.0, color=WHITE))
    assert (found[0].word, found[0].reason) == ("ILLEGAL", "not_on_move")


@every
def test_b7_no_pawn_on_the_first_rank(profile: str) -> None:
    assert ruling(EMPTY.format("P", "w"), "P@a1", profile) == ("ILLEGAL", "drop_pawn_rank")


@every
def test_b8_no_pawn_on_the_eighth_rank(profile: str) -> None:
    assert ruling(EMPTY.format("P", "w"), "P@a8", profile) == ("ILLEGAL", "drop_pawn_rank")


@every
def test_b9_blacks_first_rank_is_the_eighth(profile: str) -> None:
    assert ruling(EMPTY.format("p", "b"), "P@a8", profile) == ("ILLEGAL", "drop_pawn_rank")


@every
def test_b10_blacks_last_rank_is_the_first(profile: str) -> None:
    assert ruling(EMPTY.format("p", "b"), "P@a1", profile) == ("ILLEGAL", "drop_pawn_rank")


@every
def test_b11_a_pawn_on_the_seventh_rank(profile: str) -> None:
    assert ruling(EMPTY.format("P", "w"), "P@b7", profile)[0] == "OK"
    low = ruling(EMPTY.format("P", "w"), "P@b5", profile, pawn_ranks=(2, 4))
    assert low == ("ILLEGAL", "drop_pawn_rank"), "German habit: not beyond the fourth"


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_b12_a_dropped_pawn_promotes(profile: str) -> None:
    watch = referee(b="7k/8/8/8/8/8/8/4K3[P] w - -", profile=profile)
    assert word(play(watch, "B:P@c7", "B:h8h7", "B:c7c8q")) == "OK"
    assert watch.match.board("B").piece_at(chess.C8) == chess.Piece(chess.QUEEN, WHITE)


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto", "chess-com", "wikipedia", "ennigerloh"])
def test_b13_a_dropped_pawn_steps_twice_and_is_taken_en_passant(profile: str) -> None:
    watch = referee(b="4k3/8/8/8/1p6/8/8/4K3[P] w - -", profile=profile)
    play(watch, "B:P@a2", "B:e8e7")
    step = play(watch, "B:a2a4")
    assert (word(step), step[0].reason) == ("OK", "dropped_pawn_steps")
    assert word(play(watch, "B:b4a3")) == "OK"
    assert watch.match.board("B").piece_at(chess.A4) is None


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_b14_en_passant_only_at_once(profile: str) -> None:
    watch = referee(b="4k3/8/8/8/1p6/8/8/4K3[P] w - -", profile=profile)
    found = play(watch, "B:P@a2", "B:e8e7", "B:a2a4", "B:e7e8", "B:e1e2", "B:b4a3")
    assert (word(found), found[0].reason) == ("ILLEGAL", "en_passant_late")


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_b15_blacks_second_rank_is_the_seventh(profile: str) -> None:
    watch = referee(b=EMPTY.format("p", "b"), profile=profile)
    assert word(play(watch, "B:P@h7", "B:e1e2", "B:h7h5")) == "OK"


@pytest.mark.parametrize("profile", ["gallarate", "bivacco"])
def test_b16_the_texts_that_are_silent_about_the_double_step(profile: str) -> None:
    watch = referee(b=EMPTY.format("P", "w"), profile=profile)
    found = play(watch, "B:P@a2", "B:e8e7", "B:a2a4")
    assert (word(found), found[0].rule, found[0].authority) == ("OK", "dropped_pawn_double", "default")
    forbidden = referee(b=EMPTY.format("P", "w"), profile=profile, dropped_pawn_double=False)
    found = play(forbidden, "B:P@a2", "B:e8e7", "B:a2a4")
    assert (word(found), found[0].authority) == ("ILLEGAL", "venue")


E_FILE_CHECK = "4r2k/8/8/8/8/8/8/4K3[N] w - -"


@every
def test_b17_a_drop_that_leaves_the_king_in_check(profile: str) -> None:
    assert ruling(E_FILE_CHECK, "N@a5", profile) == ("ILLEGAL", "drop_beside_check")


@pytest.mark.parametrize("profile", ["lampaquattro", "bivacco", "scacco-bratto"])
def test_b18_a_drop_parries(profile: str) -> None:
    assert ruling(E_FILE_CHECK, "N@e4", profile) == ("OK", "drop_parries")


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
@pytest.mark.parametrize("kind", "QRBNP")
def test_b19_nothing_parries_a_knights_check(profile: str, kind: str) -> None:
    fen = f"4k3/8/8/8/8/3n4/8/4K3{ALL} w - -"
    board = match(b=fen, profile=profile).board("B")
    assert not [move for move in board.legal_moves if move.drop]
    assert ruling(fen, f"{kind}@a3", profile) == ("ILLEGAL", "drop_knight_check")


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
@pytest.mark.parametrize("kind", "QRBNP")
def test_b20_nothing_parries_a_contact_check(profile: str, kind: str) -> None:
    fen = f"4k3/8/8/8/8/8/r3q3/4K3{ALL} w - -"
    assert ruling(fen, f"{kind}@a3", profile) == ("ILLEGAL", "drop_contact_check")


@pytest.mark.parametrize("kind", "QRBNP")
def test_b21_no_single_drop_answers_a_double_check(kind: str) -> None:
    fen = f"4r2k/8/8/8/1b6/8/8/4K3{ALL} w - -"
    for square in ("e4", "c3"):
        assert ruling(fen, f"{kind}@{square}") == ("ILLEGAL", "drop_double_check")


CHECKING = "6k1/8/8/8/8/8/8/4K3[N] w - -"
MATING = "6rk/6pp/8/8/8/8/8/4K3[N] w - -"


@pytest.mark.parametrize("profile", ["lampaquattro", "bivacco", "scacco-bratto", "chess-com", "exeter", "mso"])
def test_b22_a_drop_may_give_check(profile: str) -> None:
    assert ruling(CHECKING, "N@e7", profile) == ("OK", "drop_gives_check")


@pytest.mark.parametrize(
    "profile", ["lampaquattro", "bivacco", "scacco-bratto", "fics", "berlin", "geneva", "deidesheim"]
)
def test_b23_a_drop_may_mate(profile: str) -> None:
    watch = referee(b=MATING, profile=profile)
    found = play(watch, "B:N@f7")
    assert (word(found), found[0].reason) == ("OK", "drop_mates")
    mate = named(found, "checkmate")
    assert (mate.word, mate.result) == ("MATE", "0-1"), "the team of WhiteB and BlackA"
    assert watch.result == "0-1"


def test_b24_no_drop_gives_check() -> None:
    assert ruling(CHECKING, "N@e7", "knsb") == ("ILLEGAL", "drop_check")
    assert dropped(CHECKING, "N@e7", "knsb")[0].authority == "KNSB 2000 2.4, 1988 5A"
    assert ruling(CHECKING, "N@e6", "knsb")[0] == "OK"


@pytest.mark.parametrize("profile", ["mso", "schwaigern", "bad-homburg"])
def test_b25_no_drop_mates(profile: str) -> None:
    assert ruling(MATING, "N@f7", profile) == ("ILLEGAL", "drop_mate")
    blockable = "6k1/5ppp/8/8/8/8/8/4K3[R] w - -"
    assert ruling(blockable, "R@a8", profile)[0] == "OK", "a man from the partner may still save the king"
    assert ruling(blockable, "R@a8", profile, drop_mate="no_chess_mate") == ("ILLEGAL", "drop_mate")
    removed = [found for found in dropped(MATING, "N@f7", profile) if found.reason == "drop_removed"]
    assert bool(removed) == (profile == "schwaigern"), "elsewhere it is taken back"


BACK_RANK = "R5k1/5ppp/8/8/8/8/8/4K3[n] b - -"


def test_b26_no_drop_while_in_check() -> None:
    found = ruling(BACK_RANK, "N@b8", "gallarate", drop_in_check=False)
    assert found == ("ILLEGAL", "drop_in_check")
    for profile in ITALIAN:
        assert ruling(BACK_RANK, "N@b8", profile)[0] == "OK"


@every
def test_b27_a_third_bishop_on_the_same_colour(profile: str) -> None:
    assert ruling("4k3/8/8/8/8/3B4/4B3/4K3[B] w - -", "B@f1", profile)[0] == "OK"


@every
@pytest.mark.parametrize("square", ["a8", "d1"])
def test_b28_only_pawns_are_bound_to_ranks(profile: str, square: str) -> None:
    assert ruling("8/4k3/8/8/8/8/8/4K3[R] w - -", f"R@{square}", profile)[0] == "OK"


def test_b29_a_profile_with_lower_pawn_drops() -> None:
    assert ruling(EMPTY.format("P", "w"), "P@b7", "amatveiakin") == ("ILLEGAL", "drop_pawn_rank")
    assert ruling(EMPTY.format("p", "b"), "P@b2", "amatveiakin") == ("ILLEGAL", "drop_pawn_rank")
    assert ruling(EMPTY.format("P", "w"), "P@b6", "amatveiakin")[0] == "OK"
    assert ruling(EMPTY.format("p", "b"), "P@b3", "amatveiakin")[0] == "OK"


@pytest.mark.parametrize("profile", ["uscf", "czech", "exeter", "hawaii"])
def test_b30_what_stands_at_the_press_of_the_clock_counts(profile: str) -> None:
    watch = referee(b=EMPTY.format("NP", "w"), profile=profile)
    watch.see(Made("B", uci("N@e5"), 0.0))
    found = watch.see(Made("B", uci("N@f5"), 0.4, instead=True))
    assert {one.word for one in found} == {"OK"}
    watch.see(Pressed("B", WHITE, 0.6))
    assert [ply.san for ply in watch.match.plies] == ["N@f5"]


@pytest.mark.parametrize("profile", ["werner", "bad-homburg"])
def test_b31_a_man_let_go_stands(profile: str) -> None:
    watch = referee(b=EMPTY.format("NP", "w"), profile=profile)
    watch.see(Made("B", uci("N@e5"), 0.0))
    assert named(watch.see(Made("B", uci("N@f5"), 0.4, instead=True)), "touched").word == "FLAG"
    back = referee(b=EMPTY.format("NP", "w"), profile=profile)
    back.see(Made("B", uci("N@e5"), 0.0))
    assert named(back.see(TakenBack("B", 0.4)), "touched").word == "FLAG"
