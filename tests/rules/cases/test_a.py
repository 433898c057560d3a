"""A: captured men: passing, reserves, conservation."""

from collections import Counter

import chess
import pytest

from rules.material import difference, men
from rules.reports import HandedOver, Made, Passed, Pressed, ReserveSeen, Standing, TakenBack
from tests.rules.cases.scene import BLACK, ITALIAN, START, WHITE, match, named, play, referee, uci, word

PAWN_TAKEN = ("A:e2e4", "A:d7d5", "A:e4d5")
PROMOTED_ON_A1 = "4k3/8/8/8/8/8/1r6/Q~3K3[] b - -"
MEN = {symbol: chess.Piece.from_symbol(symbol) for symbol in "PNBRQpnbrq"}


@pytest.mark.parametrize("profile", ITALIAN)
def test_a1_a_captured_pawn_goes_to_the_partner_alone(profile: str) -> None:
    watch = referee(profile=profile)
    assert word(play(watch, *PAWN_TAKEN)) == "OK"
    held = {(name, color): watch.match.pocket(name, color) for name in "AB" for color in chess.COLORS}  # type: ignore[arg-type]
    assert held.pop(("B", BLACK)) == Counter({chess.PAWN: 1})
    assert not any(held.values())


@pytest.mark.parametrize("profile", ITALIAN)
def test_a2_en_passant_passes_one_pawn(profile: str) -> None:
    watch = referee("4k3/3p4/8/4P3/8/8/8/4K3[] b - -", profile=profile)
    assert word(play(watch, "A:d7d5", "A:e5d6")) == "OK"
    assert watch.match.board("A").piece_at(chess.D5) is None
    assert watch.match.pocket("B", BLACK) == Counter({chess.PAWN: 1})


@pytest.mark.parametrize("profile", [*ITALIAN, "fics", "chess-com", "wikipedia", "czech"])
def test_a3_a_promoted_man_is_passed_as_a_pawn(profile: str) -> None:
    watch = referee(PROMOTED_ON_A1.replace("1r6", "r7"), profile=profile)
    found = play(watch, "A:a2a1")
    assert word(found) == "OK"
    assert watch.match.pocket("B", WHITE) == Counter({chess.PAWN: 1})


def test_a4_without_the_reverting_rule_a_queen_is_passed_if_there_is_one() -> None:
    watch = referee("4k3/1P6/8/8/8/8/8/r3K3[] w - -", profile="gallarate", promoted_reverts=False)
    play(watch, "A:b7b8q", "A:a1a8")
    play(watch, "A:e1e2", "A:a8b8")
    assert watch.match.pocket("B", WHITE) == Counter({chess.QUEEN: 1})
    assert not difference(watch.match)
    lying = referee("4k3/1P6/8/8/8/8/8/r3K3[] w - -", profile="gallarate", promoted_reverts=False)
    play(lying, "A:b7b8q")
    assert named(lying.see(Standing("A", chess.B8, "lying")), "promoted_man_missing").word == "FLAG"


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_a5_a_captured_man_not_passed_after_the_tolerance(profile: str) -> None:
    watch = referee("4k3/8/8/3n4/4P3/8/8/4K3[] w - -", profile=profile)
    play(watch, "A:e4d5", time=100.0)
    assert not watch.see(ReserveSeen("B", BLACK, (), 100.0))
    assert not watch.see(Passed(109.0))
    found = named(watch.see(Passed(110.0)), "not_passed")
    assert (found.word, found.values["piece"], found.values["seat"]) == ("FLAG", "N", "WhiteA")
    assert not watch.see(Passed(111.0)), "told once"
    assert watch.match.pocket("B", BLACK) == Counter({chess.KNIGHT: 1}), "the model still credits BlackB"
    strict = referee("4k3/8/8/3n4/4P3/8/8/4K3[] w - -", profile=profile, pass_tolerance=3.0)
    play(strict, "A:e4d5", time=100.0)
    strict.see(ReserveSeen("B", BLACK, (), 100.0))
    assert named(strict.see(Passed(103.0)), "not_passed").word == "FLAG"


def test_a6_a_reserve_man_that_nobody_sees() -> None:
    watch = referee(b=START.replace("[]", "[np]"), profile="gallarate")
    assert not watch.see(ReserveSeen("B", BLACK, (MEN["n"], MEN["p"]), 0.0))
    assert not watch.see(ReserveSeen("B", BLACK, (MEN["p"],), 5.0))
    found = named(watch.see(Passed(15.0)), "reserve_missing")
    assert (found.word, found.values["piece"], found.authority) == ("FLAG", "N", "001 1.16")
    assert watch.match.pocket("B", BLACK) == Counter({chess.KNIGHT: 1, chess.PAWN: 1}), "never changed silently"


def test_a7_hidden_reserves_where_they_are_allowed() -> None:
    watch = referee(b=START.replace("[]", "[np]"), profile="gallarate", reserve="may_be_hidden")
    assert not watch.see(ReserveSeen("B", BLACK, (), 0.0, visible=False))
    assert not watch.see(Passed(100.0))
    assert watch.match.pocket("B", BLACK) == Counter({chess.KNIGHT: 1, chess.PAWN: 1})


@pytest.mark.parametrize("profile", ITALIAN)
def test_a8_a_man_too_many_in_a_reserve(profile: str) -> None:
    watch = referee(b=START.replace("[]", "[p]"), profile=profile)
    assert not watch.see(ReserveSeen("B", BLACK, (MEN["p"], MEN["p"]), 0.0))
    found = named(watch.see(Passed(10.0)), "reserve_surplus")
    assert (found.word, found.values["seat"], found.values["piece"]) == ("FLAG", "BlackB", "P")


@pytest.mark.parametrize("profile", ITALIAN)
def test_a9_a_captured_man_in_the_capturers_own_zone(profile: str) -> None:
    watch = referee("4k3/8/8/3b4/4P3/8/8/4K3[] w - -", profile=profile)
    play(watch, "A:e4d5", time=0.0)
    watch.see(ReserveSeen("A", WHITE, (MEN["b"],), 1.0))
    watch.see(ReserveSeen("B", BLACK, (), 1.0))
    found = named(watch.see(Passed(12.0)), "wrong_zone")
    assert (found.word, found.values["seat"], found.values["piece"]) == ("FLAG", "WhiteA", "B")


@pytest.mark.parametrize("profile", ITALIAN)
def test_a10_who_captures_does_not_drop(profile: str) -> None:
    watch = referee(profile=profile)
    play(watch, *PAWN_TAKEN, "A:a7a6")
    found = play(watch, "A:P@e4")
    assert (word(found), found[0].reason) == ("ILLEGAL", "drop_not_in_reserve")


QUEEN_TAKEN = "4k3/8/8/3q4/4P3/8/8/4K3[] w - -"


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_a11_a_man_is_passed_as_soon_as_it_is_taken(profile: str) -> None:
    watch = referee(QUEEN_TAKEN, START.replace("w KQkq", "b KQkq"), profile)
    watch.see(Made("A", uci("e4d5"), 0.0))
    assert {found.word for found in watch.see(Made("B", uci("Q@d4"), 0.5))} == {"OK"}


@pytest.mark.parametrize("profile", ["knsb", "knights", "czech"])
def test_a11_a_man_passed_before_the_clock_was_pressed(profile: str) -> None:
    watch = referee(QUEEN_TAKEN, START.replace("w KQkq", "b KQkq"), profile)
    watch.see(Made("A", uci("e4d5"), 0.0))
    assert named(watch.see(Made("B", uci("Q@d4"), 0.5)), "passed_before_press").word == "FLAG"
    late = referee(QUEEN_TAKEN, START.replace("w KQkq", "b KQkq"), profile)
    late.see(Made("A", uci("e4d5"), 0.0))
    late.see(Pressed("A", WHITE, 0.3))
    assert {found.word for found in late.see(Made("B", uci("Q@d4"), 0.5))} == {"OK"}


@pytest.mark.parametrize("profile", ["czech", "uscf", "exeter"])
def test_a12_two_boards_depend_on_a_move_that_is_taken_back(profile: str) -> None:
    watch = referee(QUEEN_TAKEN, START.replace("w KQkq", "b KQkq"), profile)
    before = [watch.match.board(name).fen() for name in watch.match.boards]
    watch.see(Made("A", uci("e4d5"), 0.0))
    watch.see(Made("B", uci("Q@d4"), 0.5))
    watch.see(Pressed("B", BLACK, 0.6))
    assert named(watch.see(TakenBack("A", 1.0)), "dependent_take_back").word == "FLAG"
    assert [ply.board for ply in watch.undo("A")] == ["A", "B"]
    assert [watch.match.board(name).fen() for name in watch.match.boards] == before


def test_a13_a_man_has_to_arrive_before_the_givers_next_turn() -> None:
    watch = referee("4k3/8/8/3n4/4P3/8/8/4K3[] w - -", profile="czech")
    assert not [found for found in play(watch, "A:e4d5") if found.word != "OK"]
    watch.see(ReserveSeen("B", BLACK, (), 1.0))
    assert named(play(watch, "A:e8e7", time=2.0), "passed_late").word == "FLAG"
    prompt = referee("4k3/8/8/3n4/4P3/8/8/4K3[] w - -", profile="czech")
    play(prompt, "A:e4d5")
    prompt.see(HandedOver("A", WHITE, chess.KNIGHT, 0.5))
    prompt.see(ReserveSeen("B", BLACK, (MEN["n"],), 1.0))
    assert not [found for found in play(prompt, "A:e8e7", time=2.0) if found.word != "OK"]


def test_a14_the_men_of_two_sets_always_add_up() -> None:
    watch = referee()
    full = Counter({"P": 16, "N": 4, "B": 4, "R": 4, "Q": 2, "K": 2})
    for color in chess.COLORS:
        of_color = {man.symbol().upper(): n for man, n in men(watch.match).items() if man.color == color}
        assert of_color == full
    play(watch, "A:e2e4", "A:d7d5", "A:e4d5", "B:e2e4", "B:P@e5", "A:d8d5", "A:b1c3", "A:d5a2", "A:c3a2")
    assert not difference(watch.match)
    promoted = match("4k3/P7/8/8/8/8/8/4K3[] w - -")
    promoted.push("A", uci("a7a8q"))
    assert not difference(promoted), "a promoted man counts as the pawn it is"
    watch.match.force("A", uci("N@e4"))
    assert difference(watch.match) == Counter({MEN["n"]: 1})
