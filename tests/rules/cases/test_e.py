"""E: the end of the match: flags, claims, draws, illegal moves."""

import chess
import pytest

from rules.draws import fifty, repetition
from rules.ends import standing
from rules.referee import Referee
from rules.reports import Agreed, Claimed, FlagFell, Made, Pressed, Resigned, Ruled
from rules.seats import Player
from rules.verdict import Verdict
from tests.rules.cases.scene import BLACK, ITALIAN, WHITE, match, named, play, referee, uci, word

MATING_A = "6rk/6pp/8/6N1/8/8/8/4K3[] w - -"
WHITE_A: Player = ("A", WHITE)
BLACK_A: Player = ("A", BLACK)
WHITE_B: Player = ("B", WHITE)
BLACK_B: Player = ("B", BLACK)
every = pytest.mark.parametrize("profile", ITALIAN)
told = pytest.mark.parametrize("profile", ["lampaquattro", "gallarate", "scacco-bratto"])


@every
def test_e1_mate_ends_both_boards(profile: str) -> None:
    watch = referee(MATING_A, profile=profile)
    mate = named(play(watch, "A:g5f7"), "checkmate")
    assert (mate.word, mate.result, mate.values["seat"]) == ("MATE", "1-0", "BlackA")
    assert named(watch.see(Made("B", uci("e2e4"), 60.0)), "after_end").word == "WARN"


@every
def test_e2_resignation_ends_both_boards(profile: str) -> None:
    watch = referee(profile=profile)
    (lost,) = watch.see(Resigned("B", BLACK, 5.0))
    assert (lost.word, lost.result) == ("LOST", "0-1"), "BlackB plays with WhiteA"
    assert watch.result == "0-1"


@every
def test_e3_a_fallen_flag_loses_for_the_team(profile: str) -> None:
    (lost,) = referee(profile=profile).see(FlagFell("B", WHITE, 5.0))
    assert (lost.word, lost.result) == ("LOST", "1-0"), "WhiteB plays with BlackA"


def illegal(profile: str, reply: bool = False, pressed: bool = False) -> tuple[Referee, Verdict]:
    """WhiteA makes an illegal move and presses; BlackA claims, after a reply if asked."""
    watch = referee(profile=profile)
    assert word(play(watch, "A:e2e5")) == "ILLEGAL"
    if reply:
        watch.see(Made("A", uci("a7a6"), 1.0))
        if pressed:
            watch.see(Pressed("A", BLACK, 1.2))
    (found,) = watch.see(Claimed("A", BLACK, "illegal_move", 1.5))
    return watch, found


@pytest.mark.parametrize("profile", ["bivacco", "uscf", "deidesheim", "mso"])
@pytest.mark.parametrize("reply", [False, True])
def test_e4_a_claimed_illegal_move_loses(profile: str, reply: bool) -> None:
    watch, found = illegal(profile, reply)
    assert (found.word, found.reason, found.result) == ("LOST", "illegal_lost", "0-1")
    assert watch.result == "*", "the program penalises nobody"
    watch.see(Ruled("0-1", 2.0))
    assert watch.result == "0-1"


@told
def test_e5_no_penalty_is_invented(profile: str) -> None:
    watch, found = illegal(profile)
    assert (found.word, found.reason, found.authority) == ("FLAG", "illegal_claimed", "default")
    assert watch.result == "*"


@pytest.mark.parametrize("profile", ["uscf", "knights"])
def test_e6_an_unclaimed_illegal_move_stands(profile: str) -> None:
    watch, found = illegal(profile, reply=True, pressed=True)
    assert (found.word, found.reason) == ("OK", "illegal_stands")
    assert watch.match.board("A").piece_at(chess.E5) == chess.Piece(chess.PAWN, WHITE), "the position stays as it is"
    assert [ply.legal for ply in watch.match.plies] == [False, True]


def test_e7_an_illegal_move_is_corrected() -> None:
    _, found = illegal("knights")
    assert (found.word, found.reason) == ("FLAG", "illegal_corrected")


@pytest.mark.parametrize("profile", ["bivacco", "hawaii", "deidesheim", "ennigerloh", "landskrone"])
def test_e8_two_flags_of_opposite_teams(profile: str) -> None:
    watch = referee(profile=profile)
    watch.see(FlagFell("A", WHITE))
    (found,) = watch.see(FlagFell("B", WHITE))
    assert (found.word, found.reason, watch.result) == ("DRAW", "flags_both", "1/2-1/2")


@pytest.mark.parametrize(("profile", "expected"), [("gallarate", "LOST"), ("amatveiakin", "LOST"), ("bivacco", "ASK")])
def test_e9_two_flags_whose_order_was_seen(profile: str, expected: str) -> None:
    watch = referee(profile=profile)
    watch.see(FlagFell("A", WHITE, 100.0))
    (found,) = watch.see(FlagFell("B", WHITE, 100.8))
    assert found.word == expected
    if expected == "LOST":
        assert (found.result, found.values["seat"]) == ("0-1", "WhiteA")
    else:
        assert (found.values["first"], found.values["second"], found.values["seconds"]) == ("WhiteA", "WhiteB", "0.8")
        assert watch.result == "*"


@every
def test_e10_two_flags_of_one_team(profile: str) -> None:
    watch = referee(profile=profile)
    watch.see(FlagFell("A", WHITE))
    (found,) = watch.see(FlagFell("B", BLACK))
    assert (found.word, found.result) == ("LOST", "0-1")


def both_mated(profile: str, apart: float, second: str = "black") -> Verdict:
    """Mate by WhiteA, and on B by the other team (WhiteB) or the same (BlackB)."""
    fen = MATING_A if second == "white" else "4k3/8/8/8/6n1/8/6PP/6RK[] b - -"
    watch = referee(MATING_A, fen, profile)
    watch.see(Made("A", uci("g5f7"), 100.0))
    found = watch.see(Made("B", uci("g5f7" if second == "white" else "g4f2"), 100.0 + apart))
    assert found[-1].result in ("", watch.result)
    return found[-1]


def test_e11_mates_of_both_teams_in_the_same_instant() -> None:
    for profile in ("ennigerloh", "mso", "wikipedia"):
        assert (both_mated(profile, 0.0, "white").word, both_mated(profile, 0.0, "white").result) == ("DRAW", "1/2-1/2")
    assert both_mated("gallarate", 0.1, "white").word == "FLAG", "within the tolerance"
    late = both_mated("gallarate", 0.8, "white")
    assert (late.word, late.reason) == ("WARN", "after_end"), "decided by the order"


@every
def test_e12_both_boards_mated_by_the_same_team(profile: str) -> None:
    found = both_mated(profile, 0.0)
    assert (found.word, found.result) == ("MATE", "1-0")


def test_e13_a_mate_before_a_flag() -> None:
    watch = referee(MATING_A, profile="gallarate")
    watch.see(Made("A", uci("g5f7"), 100.0))
    (found,) = watch.see(FlagFell("B", BLACK, 100.3))
    assert (found.word, found.result, watch.result) == ("MATE", "1-0", "1-0")


STALEMATE = "7k/8/6Q1/8/8/8/8/4K3[{}] b - -"


@pytest.mark.parametrize("profile", ["lampaquattro", "gallarate", "scacco-bratto", "geneva"])
def test_e14_a_stalemated_player_waits(profile: str) -> None:
    (found,) = standing(match(STALEMATE.format(""), profile=profile), "A")
    assert (found.word, found.reason) == ("WAIT", "wait_stalemate")


@told
def test_e15_no_stalemate_while_a_man_can_be_dropped(profile: str) -> None:
    held = match(STALEMATE.format("p"), profile=profile)
    assert not standing(held, "A")
    assert all(move.drop for move in held.legal_moves("A"))


@every
def test_e16_both_boards_stalemated(profile: str) -> None:
    both = match(STALEMATE.format(""), STALEMATE.format(""), profile)
    (found,) = standing(both, "B")
    assert (found.word, found.result) == ("DRAW", "1/2-1/2")
    held = match(STALEMATE.format(""), STALEMATE.format("p"), profile)
    assert [one.word for one in standing(held, "A")] == ["WAIT"]


@pytest.mark.parametrize("profile", ["deidesheim", "czech-open"])
def test_e17_one_stalemate_draws_the_match(profile: str) -> None:
    (found,) = standing(match(STALEMATE.format(""), profile=profile), "A")
    assert (found.word, found.result) == ("DRAW", "1/2-1/2")


@every
def test_e18_a_stalemate_is_no_loss_as_an_engine_has_it(profile: str) -> None:
    (found,) = standing(match(STALEMATE.format(""), profile=profile), "A")
    assert (found.word, found.result) == ("WAIT", "")


DANCE = ("A:g1f3", "A:g8f6", "A:f3g1", "A:f6g8")


def third_time(watch: Referee) -> list[Verdict]:
    play(watch, *DANCE, *DANCE)
    return watch.see(Claimed("A", WHITE, "repetition", 10.0))


def test_e19_a_threefold_repetition_on_one_board_draws_the_match() -> None:
    watch = referee(profile="bivacco")
    found = third_time(watch)
    assert (word(found), found[0].result, found[0].authority) == ("DRAW", "1/2-1/2", "002 2.7")
    early = referee(profile="bivacco")
    play(early, *DANCE)
    assert named(early.see(Claimed("A", WHITE, "repetition", 5.0)), "repetition_none").word == "WARN"


@told
def test_e20_a_repetition_draws_its_board_only(profile: str) -> None:
    watch = referee(profile=profile)
    found = third_time(watch)
    assert (word(found), found[0].reason, watch.result) == ("FLAG", "repetition_board", "*")
    play(watch, *(move.replace("A:", "B:") for move in DANCE * 2))
    found = watch.see(Claimed("B", WHITE, "repetition", 20.0))
    assert (named(found, "both_drawn").word, watch.result) == ("DRAW", "1/2-1/2")


FEEDING = "4k3/8/8/3p4/4P3/8/8/4K3[] b - -"


def test_e21_both_counts_where_the_reserves_differ() -> None:
    watch = referee(b=FEEDING, profile="bivacco")
    play(watch, *DANCE, "B:d5e4", *DANCE)
    counts = repetition(watch.match, "A")
    assert (counts.without_reserves, counts.with_reserves) == (3, 1), "a pawn came into White's reserve in between"
    found = watch.see(Claimed("A", WHITE, "repetition", 10.0))
    assert (word(found), found[0].values["without"], found[0].values["held"]) == ("ASK", 3, 1)
    for setting, expected in (("without_reserves", "DRAW"), ("with_reserves", "WARN")):
        settled = referee(b=FEEDING, profile="bivacco", repetition=setting)
        play(settled, *DANCE, "B:d5e4", *DANCE)
        assert word(settled.see(Claimed("A", WHITE, "repetition", 10.0))) == expected


QUIET = "7k/8/8/8/8/8/R7/K7[{}] w - -"
SHUFFLE = ("a2b2", "h8h7", "b2a2", "h7h8")


def shuffled(moves: int, profile: str, reserve: str = "") -> Referee:
    """So many moves of each side on A without anything happening."""
    watch = referee(QUIET.format(reserve), profile=profile)
    for number in range(2 * moves):
        assert word(play(watch, f"A:{SHUFFLE[number % 4]}")) == "OK"
    return watch


@told
def test_e22_fifty_moves_without_check_and_pawn_advance(profile: str) -> None:
    watch = shuffled(50, profile)
    found = watch.see(Claimed("A", WHITE, "fifty", 10.0))
    assert (word(found), found[0].reason) == ("FLAG", "fifty_board")
    assert (found[0].values["literal"], found[0].values["fide"]) == (50, 50)
    assert word(shuffled(49, profile).see(Claimed("A", WHITE, "fifty", 10.0))) == "WARN"


def test_e22_checks_reset_the_literal_count_and_captures_fides() -> None:
    checked = match("7k/8/8/8/8/8/R6p/K7[] w - -")
    for move in ("a2a3", "h8g8", "a3g3", "g8h8", "g3h3", "h8g8", "h3h2"):
        checked.push("A", uci(move))
    counts = fifty(checked, "A")
    assert (counts.literal, counts.fide) == (2, 0), "Rh3+ resets the one, Rxh2 the other"


@told
def test_e23_is_a_dropped_pawn_an_advance(profile: str) -> None:
    watch = shuffled(26, profile, "P")
    play(watch, "A:P@d4", "A:h8h7")
    for number in range(50):
        assert word(play(watch, f"A:{('a2b2', 'h7h8', 'b2a2', 'h8h7')[number % 4]}")) == "OK"
    found = watch.see(Claimed("A", WHITE, "fifty", 10.0))
    assert (word(found), found[0].reason) == ("ASK", "fifty_pawn_drop")
    assert (found[0].values["literal"], found[0].values["drops"]) == (25, 52)
    for setting, expected in (("resets", "WARN"), ("counts", "FLAG")):
        settled = referee(profile=profile, fifty_pawn_drop=setting)
        settled.match = watch.match.fresh()
        settled.match.profile = settled.profile
        for ply in watch.match.plies:
            settled.match.again(ply)
        assert word(settled.see(Claimed("A", WHITE, "fifty", 10.0))) == expected


@told
def test_e24_the_captains_of_both_teams_agree(profile: str) -> None:
    watch = referee(profile=profile)
    (found,) = watch.see(Agreed(frozenset({WHITE_A, WHITE_B}), 5.0, captains=True))
    assert (found.word, watch.result) == ("DRAW", "1/2-1/2")
    four = referee(profile=profile)
    assert word(four.see(Agreed(frozenset({WHITE_A, BLACK_A, WHITE_B, BLACK_B}), 5.0))) == "DRAW"
    silent = referee(profile="bivacco")
    (asked,) = silent.see(Agreed(frozenset({WHITE_A, WHITE_B}), 5.0, captains=True))
    assert (asked.word, asked.authority) == ("ASK", "002 2.7"), "002 lists its draws, and this is none"


@told
def test_e25_two_players_of_one_board_are_no_teams(profile: str) -> None:
    watch = referee(profile=profile)
    (found,) = watch.see(Agreed(frozenset({WHITE_A, BLACK_A}), 5.0))
    assert (found.word, found.reason, watch.result) == ("WARN", "agreed_not_all", "*")


@told
def test_e26_insufficient_material_is_no_draw(profile: str) -> None:
    bare = "4k3/8/8/8/8/8/8/4K3[] w - -"
    watch = referee(bare, bare, profile)
    (found,) = watch.see(Claimed("A", WHITE, "insufficient", 5.0))
    assert (found.word, found.reason, watch.result) == ("FLAG", "dead_position", "*")
    alive = referee(bare, profile=profile)
    (found,) = alive.see(Claimed("A", WHITE, "insufficient", 5.0))
    assert (found.word, found.reason) == ("WARN", "insufficient_never")


@told
def test_e27_an_offer_is_only_logged(profile: str) -> None:
    watch = referee(profile=profile)
    (found,) = watch.see(Agreed(frozenset({WHITE_A}), 5.0))
    assert (found.word, found.reason, watch.result) == ("OK", "draw_offer", "*")
