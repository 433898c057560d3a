"""G: promotion and its bookkeeping."""

from collections import Counter

import chess
import pytest

from rules.material import difference
from rules.promotion import promoted_men
from rules.referee import Referee
from rules.reports import Made, Standing
from tests.rules.cases.scene import START, WHITE, match, named, play, referee, uci, word

PAWN = "k7/6P1/8/8/8/8/r7/4K3[{}] w - -"
told = pytest.mark.parametrize("profile", ["lampaquattro", "gallarate", "scacco-bratto"])


def promoted(profile: str, unnamed: bool = True) -> Referee:
    watch = referee(PAWN.format(""), profile=profile)
    play(watch, "A:g7g8" if unnamed else "A:g7g8q")
    return watch


@told
def test_g1_a_pawn_laid_on_its_side_is_promoted(profile: str) -> None:
    watch = referee(PAWN.format(""), profile=profile)
    found = play(watch, "A:g7g8")
    assert {one.word for one in found} == {"OK"}
    assert named(found, "promotion_pending").values["square"] == "g8"
    assert not watch.see(Standing("A", chess.G8, "lying"))
    assert len(watch.promoted["A"].men[chess.G8].kinds) == 4
    shown = play(watch, "A:a8a7", "A:g8e7")
    assert named(shown, "promotion_shown").word == "OK"
    assert watch.match.board("A").piece_at(chess.E7) == chess.Piece(chess.KNIGHT, WHITE)
    assert [ply.san for ply in watch.match.plies] == ["g8=N", "Ka7", "Ne7"], "the record says what it turned out to be"


@told
def test_g2_a_promoted_pawn_left_standing(profile: str) -> None:
    (found,) = promoted(profile).see(Standing("A", chess.G8, "upright"))
    assert (found.word, found.reason) == ("WARN", "promotion_unmarked")
    assert not promoted("knsb").see(Standing("A", chess.G8, "upright")), "there it stays standing"
    substituted = referee(PAWN.format(""), profile="bivacco", promotion="substitution")
    play(substituted, "A:g7g8")
    assert not substituted.see(Standing("A", chess.G8, "upright")), "no man was available: it is a pawn"


@told
def test_g3_a_man_fallen_over(profile: str) -> None:
    watch = referee("4k3/8/8/3P4/8/8/8/4K3[] w - -", profile=profile)
    (found,) = watch.see(Standing("A", chess.D5, "lying"))
    assert (found.word, found.reason) == ("WARN", "fallen")
    assert not watch.match.board("A").promoted


@told
def test_g4_a_promoted_man_that_is_first_a_queen_then_a_knight(profile: str) -> None:
    watch = promoted(profile)
    assert named(play(watch, "A:a8a7", "A:g8d5"), "promotion_shown").word == "OK"
    play(watch, "A:a7a8")
    found = play(watch, "A:d5e7")
    assert word(found) == "ILLEGAL"
    flag = named(found, "promotion_inconsistent")
    assert (flag.word, flag.values["origin"], flag.values["move"]) == ("FLAG", "g8", "d5-e7")


def test_g5_an_unnamed_promotion_is_a_queen() -> None:
    watch = promoted("schwaigern")
    assert watch.promoted["A"].kinds(chess.G8) == {chess.QUEEN}


def test_g6_a_promotion_to_a_rook() -> None:
    watch = referee(PAWN.format(""), profile="czech")
    found = play(watch, "A:g7g8r")
    assert (word(found), named(found, "promotion_kind").word) == ("OK", "FLAG")
    assert {one.word for one in play(referee(PAWN.format(""), profile="czech"), "A:g7g8n")} == {"OK"}


def test_g7_the_pawn_is_replaced_by_a_man_of_the_reserve() -> None:
    watch = referee(PAWN.format("QN").replace("k7", "1k6"), profile="bivacco", promotion="substitution")
    found = play(watch, "A:g7g8q")
    assert (word(found), found[0].reason) == ("OK", "substituted")
    assert named(found, "substituted_pawn").word == "ASK"
    assert watch.match.pocket("A", WHITE) == Counter({chess.KNIGHT: 1})
    assert not difference(watch.match)
    play(watch, "A:b8c7", "A:e1f1", "A:a2a1", "A:f1f2")
    play(watch, "A:a1g1", "A:f2e2", "A:g1g8")
    assert watch.match.pocket("B", WHITE) == Counter({chess.QUEEN: 1}), "a real queen"


def test_g8_without_a_man_in_reserve_the_pawn_stays_a_pawn() -> None:
    for reserve in ("", "P"):
        watch = referee(PAWN.format(reserve), profile="bivacco", promotion="substitution")
        assert [move for move in watch.match.legal_moves("A") if move.promotion] == []
        found = play(watch, "A:g7g8")
        assert (word(found), found[0].reason) == ("OK", "stays_pawn")
        assert watch.match.board("A").piece_at(chess.G8) == chess.Piece(chess.PAWN, WHITE)
        play(watch, "A:a8a7")
        assert not [move for move in watch.match.legal_moves("A") if not move.drop and move.from_square == chess.G8]
    castling = match("4k3/8/8/8/8/8/8/4K2R[] w K -", START, "bivacco", promotion="substitution")
    assert castling.is_legal("A", uci("e1g1")), "only pawns are concerned"
    held = referee(PAWN.format("N"), profile="bivacco", promotion="substitution")
    assert word(play(held, "A:g7g8q")) == "ILLEGAL", "only by what lies in the reserve"


def test_g9_another_kind_only_if_such_a_man_is_in_reserve() -> None:
    found = play(referee(PAWN.format(""), profile="veloce"), "A:g7g8n")
    assert (word(found), named(found, "promotion_not_in_reserve").word) == ("OK", "FLAG")
    for reserve, kind in (("", "q"), ("N", "n")):
        found = play(referee(PAWN.format(reserve), profile="veloce"), f"A:g7g8{kind}")
        assert {one.word for one in found} == {"OK"}


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_g10_a_captured_promoted_man_is_a_pawn_again(profile: str) -> None:
    """White promotes on A, BlackA takes the man; his partner WhiteB drops it as a queen."""
    watch = referee("r3k3/6P1/8/8/8/8/8/4K3[] w - -", profile=profile)
    play(watch, "A:g7g8q", "A:e8e7", "A:g8h7", "A:e7e6", "A:h7h8", "A:a8h8")
    found = play(watch, "B:Q@e4")
    assert (word(found), found[0].reason) == ("ILLEGAL", "drop_not_in_reserve")
    again = referee("r3k3/6P1/8/8/8/8/8/4K3[] w - -", profile=profile)
    play(again, "A:g7g8q", "A:e8e7", "A:g8h7", "A:e7e6", "A:h7h8", "A:a8h8")
    assert word(play(again, "B:P@e4")) == "OK"


def test_g11_every_promoted_man_with_its_kind_and_origin() -> None:
    watch = referee(PAWN.format(""), profile="gallarate")
    play(watch, "A:g7g8r", "A:a8a7", "A:g8g4")
    (man,) = watch.promoted["A"].men.values()
    assert promoted_men(watch.match, "A") == {chess.G4: man}
    assert (man.square, man.origin, man.kinds) == (chess.G4, chess.G8, frozenset({chess.ROOK}))
    play(watch, "A:a2a4", "A:e1e2", "A:a4g4")
    assert not watch.promoted["A"].men


def test_g12_an_upside_down_rook() -> None:
    (found,) = promoted("scacco-bratto").see(Standing("A", chess.G8, "upside_down"))
    assert (found.word, found.reason) == ("ASK", "promotion_mark_unclear")


def test_a_promoted_man_that_never_could_have_moved_so_is_illegal() -> None:
    watch = promoted("scacco-bratto", unnamed=False)
    play(watch, "A:a8a7")
    assert word(watch.see(Made("A", uci("g8e7"), 1.0))) == "ILLEGAL", "it was declared a queen"
