"""C: castling with a dropped rook."""

import pytest

from rules.verdict import Verdict
from tests.rules.cases.scene import named, play, referee, word

WHITE_KING = "4k3/p7/8/8/8/8/P7/4K3[RRrr] {} KQkq -"
TOLD = ["lampaquattro", "scacco-bratto"]


def after(*moves: str, profile: str = "scacco-bratto", fen: str = WHITE_KING.format("w")) -> list[Verdict]:
    return play(referee(fen, profile=profile), *(f"A:{move}" for move in moves))


@pytest.mark.parametrize("profile", [*TOLD, "ennigerloh", "czech"])
def test_c1_castling_with_a_dropped_rook(profile: str) -> None:
    watch = referee(WHITE_KING.format("w"), profile=profile)
    found = play(watch, "A:R@h1", "A:a7a6", "A:e1g1")
    assert (word(found), found[0].reason) == ("OK", "castles_dropped_rook")
    assert watch.match.board("A").fen().split()[0].startswith("4k3/8/p7/8/8/8/P7/5RK1")


@pytest.mark.parametrize("profile", ["fatics", "amatveiakin"])
def test_c2_where_a_dropped_rook_has_moved(profile: str) -> None:
    found = after("R@h1", "a7a6", "e1g1", profile=profile)
    assert (word(found), found[0].reason) == ("ILLEGAL", "castle_dropped_rook")


@pytest.mark.parametrize("profile", TOLD)
def test_c3_the_king_has_moved(profile: str) -> None:
    found = after("e1e2", "a7a6", "e2e1", "a6a5", "R@h1", "a5a4", "e1g1", profile=profile)
    assert (word(found), found[0].reason) == ("ILLEGAL", "castle_king_moved")


@pytest.mark.parametrize("profile", TOLD)
def test_c4_the_dropped_rook_has_moved_since(profile: str) -> None:
    found = after("R@h1", "a7a6", "h1h2", "a6a5", "h2h1", "a5a4", "e1g1", profile=profile)
    assert (word(found), found[0].reason) == ("ILLEGAL", "castle_rook_moved")


@pytest.mark.parametrize("profile", TOLD)
def test_c5_black_castles_long(profile: str) -> None:
    found = after("R@a8", "a2a3", "e8c8", profile=profile, fen=WHITE_KING.format("b"))
    assert (word(found), found[0].reason) == ("OK", "castles_dropped_rook")


@pytest.mark.parametrize("profile", TOLD)
def test_c6_a_rook_on_the_wrong_first_rank(profile: str) -> None:
    fen = "8/p3k3/8/8/8/8/P7/4K3[Rr] w KQ -"
    found = after("R@a8", "a7a6", "e1c1", profile=profile, fen=fen)
    assert (word(found), found[0].reason) == ("ILLEGAL", "castle_no_rook")


def test_c7_the_king_crosses_an_attacked_square() -> None:
    found = after("R@h1", "a7a6", "e1g1", fen="4kr2/p7/8/8/8/8/P7/4K3[R] w KQ -")
    assert (word(found), found[0].reason) == ("ILLEGAL", "castle_through_check")


@pytest.mark.parametrize("profile", ["gallarate", "bivacco"])
def test_c8_the_texts_that_are_silent_ask(profile: str) -> None:
    watch = referee(WHITE_KING.format("w"), profile=profile)
    found = play(watch, "A:R@h1", "A:a7a6", "A:e1g1")
    assert (word(found), named(found, "castle_option").word) == ("OK", "ASK")
    settled = referee(WHITE_KING.format("w"), profile=profile, drop_castle="no")
    assert word(play(settled, "A:R@h1", "A:a7a6", "A:e1g1")) == "ILLEGAL"
