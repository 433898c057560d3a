"""F: the conduct of the four players."""

import chess
import pytest

from rules.profiles import PROFILES
from rules.reports import HandedOver, Made, Pressed, RefusedToShow, ReserveSeen, Spoke, Waited
from rules.setup import TEAMS, SetUp, check_setup
from tests.rules.cases.scene import BLACK, ITALIAN, START, WHITE, named, play, referee, uci, word

every = pytest.mark.parametrize("profile", ITALIAN)


@every
def test_f1_the_partner_moves_on_the_other_board(profile: str) -> None:
    watch = referee(b=START.replace("w KQkq", "b KQkq"), profile=profile)
    found = watch.see(Made("B", uci("e7e5"), 1.0, by=("A", WHITE)))
    assert (word(found), found[0].reason, found[0].values["seat"]) == ("FLAG", "partner_moved", "WhiteA")
    assert watch.match.board("B").piece_at(chess.E5), "the position is kept for the arbiter"
    allowed = referee(b=START.replace("w KQkq", "b KQkq"), profile="landskrone")
    assert {one.word for one in allowed.see(Made("B", uci("e7e5"), 1.0, by=("A", WHITE)))} == {"OK"}


@every
def test_f2_a_hand_over_is_no_move(profile: str) -> None:
    watch = referee("4k3/8/8/3r4/4P3/8/8/4K3[] w - -", profile=profile)
    play(watch, "A:e4d5")
    plies = len(watch.match.plies)
    (found,) = watch.see(HandedOver("A", WHITE, chess.ROOK, 1.0))
    assert (found.word, found.values["taker"], len(watch.match.plies)) == ("OK", "BlackB", plies)


@every
def test_f3_advice_is_allowed(profile: str) -> None:
    (found,) = referee(profile=profile).see(Spoke("B", BLACK))
    assert found.word == "OK"


def test_f4_advice_where_silence_is_the_rule() -> None:
    (found,) = referee(profile="csc").see(Spoke("B", BLACK))
    assert (found.word, found.reason) == ("FLAG", "advice_forbidden")


@pytest.mark.parametrize(
    ("profile", "expected"),
    [("schwaigern", "FLAG"), ("landskrone", "OK"), ("bivacco", "FLAG"), ("scacco-bratto", "ASK"), ("gallarate", "ASK")],
)
def test_f5_the_partners_clock(profile: str, expected: str) -> None:
    watch = referee(b=START.replace("w KQkq", "b KQkq"), profile=profile)
    watch.see(Made("B", uci("e7e5"), 1.0))
    assert word(watch.see(Pressed("B", BLACK, 1.2, by=("A", WHITE)))) == expected
    rival = referee(profile=profile)
    rival.see(Made("B", uci("e2e4"), 1.0))
    assert word(rival.see(Pressed("B", WHITE, 1.2, by=("A", WHITE)))) == "FLAG", "not even the partner's"


@pytest.mark.parametrize(
    ("profile", "expected"), [("gallarate", "FLAG"), ("knsb", "FLAG"), ("czech", "FLAG"), ("deidesheim", "LOST")]
)
def test_f6_a_player_does_not_show_his_reserve(profile: str, expected: str) -> None:
    watch = referee(profile=profile)
    (found,) = watch.see(RefusedToShow("B", BLACK))
    assert (found.word, watch.result) == (expected, "*")


@pytest.mark.parametrize("profile", ["lampaquattro", "scacco-bratto"])
def test_f7_a_reserve_behind_the_clock(profile: str) -> None:
    pawn = chess.Piece.from_symbol("p")
    watch = referee(b=START.replace("[]", "[p]"), profile=profile)
    found = watch.see(ReserveSeen("B", BLACK, (pawn,), 1.0, visible=False))
    assert named(found, "reserve_unseen").word == "FLAG"


@every
def test_f8_partners_have_opposite_colours(profile: str) -> None:
    wrong = SetUp(teams=(frozenset({("A", WHITE), ("B", WHITE)}), frozenset({("A", BLACK), ("B", BLACK)})))
    (found,) = check_setup(PROFILES[profile], wrong)
    assert (found.word, found.reason) == ("ILLEGAL", "seats_wrong")
    assert not check_setup(PROFILES[profile], SetUp(teams=TEAMS))


@pytest.mark.parametrize("profile", ["bivacco", "palermo", "czech"])
@pytest.mark.parametrize("found", [SetUp(clocks=1), SetUp(clocks_outside=False)])
def test_f9_two_clocks_on_the_outer_sides(profile: str, found: SetUp) -> None:
    (warning,) = check_setup(PROFILES[profile], found)
    assert (warning.word, warning.reason) == ("WARN", "clocks_wrong")


def test_f10_the_other_hand_presses() -> None:
    watch = referee(profile="uscf")
    watch.see(Made("A", uci("e2e4"), 1.0))
    (found,) = watch.see(Pressed("A", WHITE, 1.2, other_hand=True))
    assert (found.word, found.reason, watch.result) == ("WARN", "other_hand", "*")


@every
def test_f11_sitting(profile: str) -> None:
    (found,) = referee(profile=profile).see(Waited("A", WHITE, 60.0))
    assert (found.word, found.reason) == ("OK", "sitting")


def test_f12_a_team_changes_its_colours() -> None:
    (found,) = check_setup(PROFILES["palermo"], SetUp(colours_changed=True))
    assert (found.word, found.reason) == ("FLAG", "colours_changed")
    assert not check_setup(PROFILES["scacco-bratto"], SetUp(colours_changed=True))


def test_f13_one_board_starts_before_the_other() -> None:
    (found,) = check_setup(PROFILES["czech"], SetUp(starts={"A": 10.0, "B": 14.0}))
    assert (found.word, found.reason, found.values["seconds"]) == ("WARN", "start_apart", "4.0")
    assert not check_setup(PROFILES["czech"], SetUp(starts={"A": 10.0, "B": 10.2}))


def test_king_and_queen_on_each_others_square() -> None:
    board = chess.Board("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")
    (found,) = check_setup(PROFILES["uscf"], SetUp(boards={"A": board, "B": chess.Board()}))
    assert (found.word, found.reason, found.authority) == ("WARN", "swapped_castling", "USCF 2004 8c")
    (found,) = check_setup(PROFILES["bivacco"], SetUp(boards={"A": board, "B": chess.Board()}))
    assert (found.word, found.reason, found.authority) == ("WARN", "swapped_king_queen", "default")
