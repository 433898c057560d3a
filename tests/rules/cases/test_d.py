"""D: mate, and waiting for the partner."""

from pathlib import Path
from typing import Any

import chess
import pytest

from rules.clocks import Clocks, TimeControl
from rules.ends import standing
from rules.records import read
from rules.referee import Referee
from rules.reports import FlagFell, Made, Passed, Pressed
from tests.rules.cases.scene import BLACK, ITALIAN, WHITE, match, named, play, referee, uci, word

GAMES = Path(__file__).parents[3] / ".." / "shared" / "games"
BACK_RANK = "R5k1/5ppp/8/8/8/8/8/4K3[{}] b - -"
EVERYTHING = "[QRBNPqrbnp]"


def stands(fen: str, profile: str = "scacco-bratto", **changes: Any) -> list[str]:
    return [found.word for found in standing(match(fen, profile=profile, **changes), "A")]


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto", "chess-com", "geneva", "gallarate", "bivacco"])
def test_d1_a_check_that_the_partner_can_help_against(profile: str) -> None:
    watch = referee("6k1/5ppp/8/8/8/8/8/R3K3[] w - -", profile=profile)
    found = play(watch, "A:a1a8")
    assert named(found, "wait_check").word == "WAIT"
    assert "MATE" not in {one.word for one in found}
    assert watch.match.plies[-1].san == "Ra8+"
    assert chess.Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").is_checkmate(), "what must not be asked"


@pytest.mark.parametrize("profile", ITALIAN)
def test_d2_a_pawn_in_the_reserve_does_not_help_on_the_last_rank(profile: str) -> None:
    fen = BACK_RANK.format("p")
    assert not list(match(fen, profile=profile).legal_moves("A"))
    assert stands(fen, profile) == ["WAIT"]


WAITED = "1rb1kr2/p1pb1pQ1/2pb1p1B/3p4/5Np1/1P1Q4/1Pp1NPPP/3Nq1K1[] w - -"


def test_d3_the_position_in_which_white_waited() -> None:
    assert stands(WAITED) == ["WAIT"]
    fed = match(WAITED.replace("[]", "[PPPP]"))
    assert not list(fed.legal_moves("A")), "four pawns are useless on f1"
    helped = match(WAITED.replace("[]", "[PPPPR]"))
    assert [helped.san("A", move) for move in helped.legal_moves("A")] == ["R@f1"]


def test_d3_the_real_game_white_waits_35_seconds_for_a_rook() -> None:
    """chess.com, 2025: Q@e1+ with an empty reserve, four pawns arrive, then a rook: R@f1 saves the game."""
    path = GAMES / "real-blitz.bpgn"
    if not path.exists():
        pytest.skip("needs the shared real-blitz.bpgn")
    game = next(read(path.read_text()))
    watch, clocks = referee(), {(name, color): 180.0 for name in "AB" for color in chess.COLORS}
    waited = False
    for ply, clock in zip(game.match.plies, game.clocks, strict=True):
        assert clock is not None
        used, clocks[ply.board, ply.color] = clocks[ply.board, ply.color] - clock, clock
        found = watch.see(Made(ply.board, ply.move, 0.0))
        watch.see(Pressed(ply.board, ply.color, 0.0))
        assert found[0].word == "OK", ply
        assert "MATE" not in {one.word for one in found}, ply
        if ply.board == "A" and ply.san == "Q@e1+":
            waited = True
            assert watch.match.board("A").board_fen() == WAITED.split("[")[0]
            assert not watch.match.pocket("A", WHITE)
            assert named(found, "wait_check").values["seat"] == "WhiteA"
        if ply.board == "A" and ply.san == "R@f1":
            assert waited
            assert used == pytest.approx(35.5, abs=0.1)
    assert waited
    assert watch.result == "*", "nothing on the boards decided it"
    (lost,) = watch.see(FlagFell("A", BLACK, 1.0))
    assert (lost.word, lost.result, game.result) == ("LOST", "1-0", "1-0")


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_d4_a_knights_check_mates_whatever_the_reserve_holds(profile: str) -> None:
    assert stands(f"6rk/5Npp/8/8/8/8/8/4K3{EVERYTHING} b - -", profile) == ["MATE"]


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_d5_a_contact_check_mates_whatever_the_reserve_holds(profile: str) -> None:
    assert stands(f"7k/7Q/8/8/8/3B4/8/4K3{EVERYTHING} b - -", profile) == ["MATE"]


@pytest.mark.parametrize("profile", [*ITALIAN, "geneva"])
def test_d6_a_double_check_from_afar_mates_too(profile: str) -> None:
    fen = f"3rkr2/5p2/8/1B6/8/8/8/4RK2{EVERYTHING} b - -"
    assert stands(fen, profile) == ["MATE"]
    one_line = fen.replace("1B6", "8")
    assert not stands(one_line, profile), "a single check can be parried"


def test_d7_mate_where_no_drop_parries_a_check() -> None:
    assert stands(BACK_RANK.format(""), "gallarate", drop_in_check=False) == ["MATE"]
    assert stands(BACK_RANK.format(""), "gallarate") == ["WAIT"]


def test_d8_waiting_without_clocks() -> None:
    watch = Referee(match("6k1/5ppp/8/8/8/8/8/R3K3[] w - -", profile="gallarate"), timed=False)
    found = watch.see(Made("A", uci("a1a8"), 0.0))
    assert named(found, "wait_no_clock").word == "FLAG"
    assert watch.result == "*"


@pytest.mark.parametrize("profile", ["lampaquattro", "gallarate", "scacco-bratto"])
def test_d9_the_flag_falls_while_waiting(profile: str) -> None:
    clocks = Clocks(TimeControl(180.0))
    watch = Referee(match("6k1/5ppp/8/8/8/8/8/R3K3[] w - -", profile=profile), clocks)
    clocks.start("A", 0.0)
    watch.see(Made("A", uci("a1a8"), 5.0))
    watch.see(Pressed("A", WHITE, 5.5))
    assert not watch.see(Passed(185.0))
    (lost,) = watch.see(Passed(185.5))
    assert (lost.word, lost.reason, lost.result, lost.values["seat"]) == ("LOST", "flag", "1-0", "BlackA")
    assert watch.result == "1-0"


def test_d10_nothing_left_that_could_be_passed() -> None:
    bare = "4k3/8/8/8/8/8/8/4K3[] w - -"
    held = BACK_RANK.format("")
    geneva, others = match(held, bare, "geneva"), match(held, bare)
    assert [found.reason for found in standing(geneva, "A")] == ["checkmate_stock"]
    assert [found.reason for found in standing(others, "A")] == ["wait_check", "stock_empty"]
    for elsewhere in ("4k3/8/8/8/4r3/8/8/4K3[] w - -", "4k3/8/8/8/8/8/8/4K3[n] w - -"):
        assert [found.word for found in standing(match(held, elsewhere, "geneva"), "A")] == ["WAIT"]
    pawns = "4k3/4p3/8/8/8/8/8/4K3[] w - -"
    assert [found.word for found in standing(match(held, pawns, "geneva"), "A")] == ["MATE"]


def test_d11_an_unprotected_queen_next_to_the_king() -> None:
    watch = referee("6k1/5pQp/8/8/8/8/8/4K3[] b - -")
    assert not standing(watch.match, "A")
    assert word(play(watch, "A:g8g7")) == "OK"
    assert watch.match.pocket("B", WHITE)[chess.QUEEN] == 1


@pytest.mark.parametrize("profile", ITALIAN)
def test_d12_what_is_played_after_the_mate_is_void(profile: str) -> None:
    watch = referee("6rk/6pp/8/6N1/8/8/8/4K3[] w - -", "4k3/8/8/3p4/4P3/8/8/4K3[] w - -", profile)
    assert named(play(watch, "A:g5f7", time=10.0), "checkmate").word == "MATE"
    (late,) = watch.see(Made("B", uci("e4d5"), 11.0))
    assert (late.word, late.reason) == ("WARN", "after_end")
    assert [ply.board for ply in watch.match.plies] == ["A"]
    assert watch.result == "1-0"
