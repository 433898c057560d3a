"""What one player's pocket tells, by itself."""

from collections import Counter
from dataclasses import replace

import chess
import numpy as np
import pytest

from rules.amounts import Amounts
from rules.breaches import Breaches
from rules.events import Event
from rules.match import Match, Ply
from rules.observation import LABELS, PocketObservation
from rules.passing import Passing
from rules.pocket import Pocket
from tests.rules.table import pocket, torn


def watch(reserve: Pocket, letters: str, since: int, until: int) -> list[str]:
    """The same men stand there from one tenth of a second to another: kinds of what that tells."""
    looks = (reserve.look(pocket(letters, reserve.color), tenth / 10) for tenth in range(since, until))
    return [event.kind for events in looks for event in events]


def holding(kinds: tuple[chess.PieceType, ...]) -> Pocket:
    """A pocket to which men of these kinds have just been passed on."""
    reserve = Pocket("A", chess.WHITE)
    reserve.coming = [Passing("B", chess.BLACK, kind, -2.0, -2.0) for kind in kinds]
    return reserve


def drop_term(reserve: Pocket, *drops: tuple[chess.PieceType, float, float]) -> float:
    return reserve.drop_term(drops, reserve.contents())


@pytest.mark.parametrize(("looked_like", "told"), [(None, (chess.KNIGHT, chess.PAWN)), (chess.KNIGHT, None)])
def test_how_a_dropped_man_looks_counts_beside_what_is_left_in_the_pocket(
    looked_like: chess.PieceType | None, told: tuple[chess.PieceType, chess.PieceType] | None
) -> None:
    """Two knights and a pawn; a knight is said to have been dropped; one of the two that are left may be a knight."""
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.KNIGHT: 2, chess.PAWN: 1}))
    full, left = pocket("NNP", chess.WHITE), pocket("NN", chess.WHITE)
    left.pieces[1] = torn(N=0.6, P=0.03, B=0.3)
    for tenth in range(20):
        reserve.look(full, tenth / 10)
    reserve.take(chess.KNIGHT, 2.0, 2.0)
    for tenth in range(20, 40):
        reserve.look(left, tenth / 10)
    looks = np.full(6, 0.02 if looked_like else 1 / 6)
    if looked_like:
        looks[looked_like - 1] = 0.9
    assert reserve.mistaken(looks) == told


def test_what_stands_here_tells_whether_others_were_passed_on() -> None:
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.KNIGHT: 1, chess.PAWN: 1}))
    watch(reserve, "PP", 0, 20)
    told, otherwise = Counter({chess.KNIGHT: 1, chess.PAWN: 1}), Counter({chess.PAWN: 2})
    contents = reserve.contents()
    assert contents.exchanged(told, told) == 0
    assert contents.exchanged(told, otherwise) > 1.5
    assert contents.exchanged(told, Counter({chess.KNIGHT: 2})) < -1.5
    assert reserve.held == told


@pytest.mark.parametrize(("seconds", "awaited", "amiss"), [(3, True, True), (3, False, False), (0.4, True, False)])
def test_a_piece_in_the_wrong_reserve_is_there_though_another_comes_before_it(
    seconds: float, awaited: bool, amiss: bool
) -> None:
    """It was seen for some seconds, and the partner has not got it yet."""
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.PAWN: 1}))
    alone = replace(pocket("", chess.WHITE), strangers=np.array([(9.5, 0.7)], np.float32))
    for tenth in range(int(10 * seconds)):
        reserve.look(alone, tenth / 10, 0.0 if awaited else np.inf)
    assert len(reserve.seen.strangers.astray(seconds)) == awaited
    for tenth in range(20):
        reserve.look(pocket("P", chess.WHITE), seconds + tenth / 10, 0.0 if awaited else np.inf)
    assert ("wrong_zone" in reserve.amiss(astray=())) == amiss


@pytest.mark.parametrize(("awaited", "coming", "astray"), [(True, False, 1), (False, True, 0), (True, True, 0)])
def test_whose_a_man_is_of_hardly_any_colour_is_told_by_who_has_one_to_come(
    awaited: bool, coming: bool, astray: int
) -> None:
    """He looks rather Black's, in a pocket of White's, and stays whose he was when he came."""
    reserve = holding((chess.KNIGHT,) if coming else ())
    dim = pocket("N", chess.WHITE)
    dim.pieces[0] = torn(n=0.8, N=0.15)
    for later in (False, True):
        for tenth in range(20):
            reserve.look(dim, later * 2 + tenth / 10, 0.0 if awaited or later else np.inf)
        assert len(reserve.seen.strangers.astray(later * 2 + 2.0)) == astray
        assert reserve.held[chess.KNIGHT] == (1 - astray)


@pytest.mark.parametrize(("kinds", "theirs", "astray"), [
    ({chess.KNIGHT}, 0.1, 1), ({chess.KNIGHT}, 0.001, 0), ({chess.PAWN}, 0.1, 0), ((), 0.1, 0),
])  # fmt: skip
def test_who_may_be_the_other_sides_is_astray_if_just_such_a_man_has_to_come_there(
    kinds: set[chess.PieceType], theirs: float, astray: int
) -> None:
    """He looks rather White's, in a pocket of White's; a pawn that is captured later does not make him one of these."""
    reserve = Pocket("A", chess.WHITE)
    dim = pocket("N", chess.WHITE)
    dim.pieces[0] = torn(n=theirs, N=0.99 - theirs)
    for tenth in range(20):
        reserve.look(dim, tenth / 10, 0.0, kinds)
    assert len(reserve.seen.strangers.astray(2.0)) == astray
    reserve.credit(PAWN_TAKEN, 2.0, 1.8)
    for tenth in range(20, 60):
        reserve.look(dim, tenth / 10, 0.0, kinds)
    assert ("wrong_zone" in reserve.amiss(astray=())) == astray
    assert len(reserve.coming) == 1 or not astray


def test_who_stood_here_before_such_a_man_was_captured_is_not_he() -> None:
    reserve = Pocket("A", chess.WHITE)
    dim = pocket("N", chess.WHITE)
    dim.pieces[0] = torn(n=0.1, N=0.89)
    for tenth in range(60):
        reserve.look(dim, tenth / 10, 3.0 if tenth > 30 else np.inf, {chess.KNIGHT} if tenth > 30 else ())
    assert list(reserve.amiss(astray=())) == ["extra_man"]


@pytest.mark.parametrize(("came", "awaited", "told"), [
    (2.0, np.inf, True), (2.0, 4.0, True), (2.0, 1.0, False), (0.0, np.inf, False),
])  # fmt: skip
def test_who_surely_looks_the_other_sides_is_he_who_has_to_come_if_nobody_else_can_have_put_him_there(
    came: float, awaited: float, told: bool
) -> None:
    """He came after a capture that is passed on here, and before any that has to come to the partner."""
    reserve = Pocket("A", chess.WHITE)
    reserve.credit(KNIGHT_TAKEN, 1.0, 0.8)
    dark = replace(pocket("", chess.WHITE), strangers=np.array([(9.5, 0.7)], np.float32))
    events = []
    for tenth in range(80):
        look = dark if tenth / 10 >= came else pocket("", chess.WHITE)
        events += reserve.look(look, tenth / 10, awaited if tenth / 10 > awaited else np.inf)
    assert [event.kind for event in events] == (["hand_over"] if told else [])
    assert reserve.held[chess.KNIGHT] == told
    if told:  # he may be read rightly for once
        bright = replace(pocket("N", chess.WHITE), centres=dark.strangers)
        for tenth in range(80, 110):
            reserve.look(bright if tenth < 90 else dark, tenth / 10)
        assert reserve.amiss(astray=()) == {}


def test_who_looks_the_other_sides_and_came_while_another_was_awaited_is_astray_once_that_one_has_come() -> None:
    reserve = holding((chess.PAWN,))
    dim, both = pocket("N", chess.WHITE), pocket("NP", chess.WHITE)
    dim.pieces[0] = both.pieces[0] = torn(n=0.8, N=0.15)
    for tenth in range(30):
        reserve.look(dim if tenth < 10 else both, tenth / 10, awaited=0.0)
    assert reserve.held == Counter({chess.PAWN: 1})
    assert len(reserve.seen.strangers.astray(3.0)) == 1
    assert list(reserve.amiss(reserve.seen.strangers.astray(3.0))) == ["wrong_zone"]


@pytest.mark.parametrize("met", [True, False])
def test_who_stands_close_to_others_is_no_ghost_if_there_were_just_as_many_as_came(met: bool) -> None:
    """Two side by side, and a third elsewhere: the two may be one man and his head."""
    reserve = holding((chess.PAWN, chess.PAWN))
    if not met:
        reserve.coming, reserve.held = [], Counter({chess.PAWN: 2})
    three = pocket("PPP", chess.WHITE)
    three.centres[:, 1] = 0.5, 1.2, 3.0
    two = replace(three, pieces=three.pieces[:2], centres=three.centres[:2])
    for tenth in range(20 if met else 0):
        reserve.look(two, tenth / 10)
    for tenth in range(20, 40):
        reserve.look(three, tenth / 10)
    assert ("extra_man" in reserve.amiss(astray=())) == met


def test_who_was_dropped_and_taken_back_is_not_another_who_is_kept_back() -> None:
    """He lies in the reserve again before it is told that he was taken back."""
    reserve = holding((chess.QUEEN,))
    watch(reserve, "Q", 0, 20)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, -9.0, -9.0)]
    reserve.take(chess.QUEEN, 2.5, 2.0)
    watch(reserve, "", 20, 60)
    assert watch(reserve, "Q", 60, 100) == []
    reserve.put_back(chess.QUEEN, 6.0)
    watch(reserve, "Q", 100, 120)
    assert +reserve.held == Counter({chess.QUEEN: 1})
    assert [passing.kind for passing in reserve.coming] == [chess.PAWN]


def test_who_reads_once_as_one_who_is_kept_back_while_a_drop_is_taken_back_is_not_he() -> None:
    reserve = holding((chess.QUEEN,))
    watch(reserve, "Q", 0, 20)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, -9.0, -9.0, late=True)]
    watch(reserve, "", 20, 30)
    reserve.take(chess.QUEEN, 3.0, 2.8)
    watch(reserve, "", 30, 60)
    once = pocket("Q", chess.WHITE)
    once.pieces[0] = torn(Q=0.5, P=0.45)
    assert watch(reserve, "Q", 60, 68) == []
    assert reserve.look(once, 6.8) == []
    assert [passing.kind for passing in reserve.coming] == [chess.PAWN]


@pytest.mark.parametrize(("back", "held", "coming"), [(6.0, 1, 1), (12.0, 2, 0)])
def test_who_comes_as_his_like_is_taken_back_is_who_was_dropped(back: float, held: int, coming: int) -> None:
    reserve = holding((chess.PAWN,))
    watch(reserve, "P", 0, 20)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, 4.0, 4.0)]
    reserve.take(chess.PAWN, 2.5, 2.0)
    watch(reserve, "", 20, 50)
    watch(reserve, "P", 50, 90)
    assert reserve.coming == []
    reserve.put_back(chess.PAWN, back)
    assert (reserve.held[chess.PAWN], len(reserve.coming)) == (held, coming)
    watch(reserve, "PP", 130, 150)
    assert (reserve.held[chess.PAWN], len(reserve.coming)) == (2, 0)


def test_who_was_kept_back_until_he_was_dropped_is_missed_again_when_that_is_taken_back() -> None:
    reserve = Pocket("A", chess.WHITE)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, 1.0, 1.0)]
    watch(reserve, "", 0, 130)
    (missed,) = reserve.overdue(12.9, 10.0, ())
    assert [event.kind for event in reserve.take(chess.PAWN, 13.5, 13.0)] == ["hand_over", "withdrawn"]
    reserve.put_back(chess.PAWN, 20.0)
    watch(reserve, "", 200, 310)
    assert not reserve.overdue(29.0, 10.0, ())
    (again,) = reserve.overdue(30.9, 10.0, ())
    assert (again.reason, again.piece, again.time) == (missed.reason, missed.piece, missed.time)


def test_who_comes_where_another_stood_and_surely_looks_none_who_is_awaited_is_waited_for() -> None:
    reserve = holding((chess.PAWN,))
    watch(reserve, "P", 0, 20)
    reserve.coming = [Passing("B", chess.BLACK, chess.BISHOP, 2.0, 2.0)]
    watch(reserve, "P", 20, 80)
    reserve.look(pocket("", chess.WHITE, seen=False), 8.1)
    reserve.take(chess.PAWN, 8.2, 8.1)
    assert watch(reserve, "R", 86, 110) == []
    assert [passing.kind for passing in reserve.coming] == [chess.BISHOP]
    watch(reserve, "R", 110, 121)
    assert [event.piece for event in reserve.overdue(12.05, 10.0, ())] == ["B"]


def test_who_came_as_another_left_before_his_capture_was_told_is_not_that_one() -> None:
    reserve, two = holding((chess.PAWN, chess.BISHOP)), pocket("PB", chess.WHITE)
    for tenth in range(20):
        reserve.look(two, tenth / 10)
    queen = pocket("PQ", chess.WHITE)
    queen.centres[1] += 1.0
    for tenth in range(30, 40):
        reserve.look(queen, tenth / 10)
    reserve.credit(Ply("B", chess.BLACK, 8, chess.Move(0, 9), "Bxb2", chess.QUEEN), 2.9, 2.0)
    for tenth in range(40, 60):
        reserve.look(queen, tenth / 10)
    assert +reserve.held == Counter({chess.PAWN: 1, chess.BISHOP: 1, chess.QUEEN: 1})
    assert reserve.amiss(()) == {"hidden_reserve": "B"}
    assert reserve.amounts.began("hidden_reserve") < 3.1


def test_who_looks_like_one_who_is_held_is_none_taken_for_him_who_is_dropped() -> None:
    """He was passed on as a pawn, until what he takes shows that it was a knight; a pawn is held that nobody sees."""
    reserve = holding((chess.PAWN,))
    watch(reserve, "N", 0, 80)
    reserve.exchange(chess.PAWN, chess.KNIGHT)
    reserve.held[chess.PAWN] += 1
    reserve.take(chess.PAWN, 8.1, 8.0)
    assert len(reserve.slots) == 1
    assert reserve.newcomers == []


def test_who_is_seen_alone_later_was_too_many_since_he_came() -> None:
    """Beside another he may have been a ghost."""
    reserve, two = holding((chess.PAWN,)), pocket("PN", chess.WHITE)
    two.centres[:, 1] = 1.0, 1.6
    knight = replace(two, pieces=two.pieces[1:], centres=two.centres[1:])
    pawn = replace(two, pieces=two.pieces[:1], centres=two.centres[:1])
    for tenth in range(20):
        reserve.look(pawn, tenth / 10)
    for tenth in range(20, 80):
        reserve.look(two, tenth / 10)
    assert reserve.amiss(()) == {}
    for tenth in range(80, 90):
        reserve.look(knight, tenth / 10)
    reserve.take(chess.PAWN, 9.0, 8.0)
    reserve.look(knight, 9.0)
    assert list(reserve.amiss(())) == ["extra_man"]
    assert reserve.amounts.began("extra_man") < 3.0


def test_who_stood_here_before_a_drop_was_taken_back_is_not_who_was_put_back() -> None:
    reserve, two = holding((chess.PAWN,)), pocket("PN", chess.WHITE)
    knight = replace(two, pieces=two.pieces[1:], centres=two.centres[1:])
    watch(reserve, "P", 0, 20)
    watch(reserve, "PN", 20, 60)
    reserve.look(knight, 6.4)
    reserve.look(knight, 6.8)
    reserve.take(chess.PAWN, 7.0, 6.6)
    reserve.look(knight, 8.0)
    reserve.put_back(chess.PAWN, 8.5)
    reserve.look(knight, 9.0)
    assert [man.since for man in reserve.newcomers] == [pytest.approx(2.0)]


def test_who_stood_here_before_it_was_told_that_he_was_taken_back_does_not_count_twice() -> None:
    """Else one would seem to have gone since."""
    reserve = holding((chess.PAWN,))
    watch(reserve, "P", 0, 20)
    watch(reserve, "", 20, 40)
    reserve.take(chess.PAWN, 4.0, 3.0)
    watch(reserve, "P", 40, 60)
    reserve.put_back(chess.PAWN, 4.0)
    watch(reserve, "P", 60, 80)
    assert reserve.stood == 1
    assert drop_term(reserve, (chess.PAWN, 7.0, 6.0)) < 0.0


def test_who_is_dropped_while_all_others_are_in_sight_was_kept_back() -> None:
    reserve = Pocket("A", chess.WHITE)
    reserve.coming = [
        Passing("B", chess.BLACK, chess.PAWN, 1.0, 1.0, late=True),
        Passing("B", chess.BLACK, chess.PAWN, 14.0, 14.0),
    ]
    watch(reserve, "", 0, 145)
    watch(reserve, "P", 145, 170)
    assert [passing.since for passing in reserve.coming] == [1.0]
    assert [event.kind for event in reserve.take(chess.PAWN, 17.0, 16.0)] == ["hand_over", "withdrawn"]
    watch(reserve, "P", 170, 180)
    reserve.put_back(chess.PAWN, 20.0)
    watch(reserve, "P", 200, 210)
    assert reserve.amiss(()) == {}


def test_who_was_told_to_be_dropped_straight_and_was_not_is_missed_since_his_capture() -> None:
    reserve = Pocket("A", chess.WHITE)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, 1.0, 1.0)]
    watch(reserve, "", 0, 60)
    assert [event.kind for event in reserve.take(chess.PAWN, 6.0, 5.8)] == ["hand_over"]
    reserve.put_back(chess.PAWN, None)
    watch(reserve, "", 60, 120)
    assert reserve.amiss(()) == {}
    assert [event.reason for event in reserve.overdue(11.9, 10.0, ())] == ["not_passed"]
    assert [event.kind for event in reserve.take(chess.PAWN, 12.0, 11.8)] == ["withdrawn"]


def test_what_stands_with_the_giver_is_not_hidden_by_its_owner() -> None:
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.PAWN: 2}))
    watch(reserve, "P", 0, 10)
    assert reserve.amiss(astray=()) == {"hidden_reserve": "P"}
    assert reserve.amiss(astray=(0.0,)) == {}


@pytest.mark.parametrize(("since", "told"), [(3.0, 0), (9.0, 8)])
def test_who_stands_with_the_giver_is_whom_he_captured_last_before(since: float, told: int) -> None:
    reserve = Pocket("A", chess.WHITE)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, time, time, number=int(time)) for time in (0.0, 8.0)]
    watch(reserve, "", 190, 200)
    assert [event.time for event in reserve.overdue(20.0, 10.0, [since])] == [8.0 - told]


def test_what_was_just_taken_from_the_wrong_side_is_on_its_way() -> None:
    giver = Pocket("A", chess.WHITE)
    for tenth in range(10):
        giver.look(pocket("p", chess.WHITE), tenth / 10, awaited=0.0)
    assert len(giver.seen.strangers.astray(1.0)) == 1
    giver.look(pocket("", chess.WHITE), 1.0, awaited=0.0)
    assert len(giver.seen.strangers.astray(3.0)) == 1
    assert len(giver.seen.strangers.astray(6.0)) == 0


@pytest.mark.parametrize(("late", "after"), [(False, 10), (True, 10), (True, 50)])
def test_what_comes_is_what_was_just_captured_rather_than_what_is_kept_back(late: bool, after: int) -> None:
    reserve = Pocket("A", chess.WHITE)
    kept = Passing("B", chess.BLACK, chess.PAWN, 17.0, 17.0, late=late)
    just = Passing("B", chess.BLACK, chess.PAWN, 20.0, 20.0)
    reserve.coming = [kept, just]
    watch(reserve, "P", 200 + after, 210 + after)
    assert reserve.coming == [kept]


def captured(*moves: str) -> Ply:
    """The last of some moves on board B, by White: what it takes is for Black on board A."""
    match = Match()
    for move in moves:
        ply = match.push("B", chess.Move.from_uci(move))
    return ply


PAWN_TAKEN = captured("e2e4", "d7d5", "e4d5")
KNIGHT_TAKEN = captured("b1c3", "g8f6", "g1f3", "f6d5", "c3d5")


def test_what_is_told_to_have_been_captured_otherwise_has_come_already() -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(PAWN_TAKEN, 1.0, 0.5)
    told = watch(reserve, "p", 20, 30)
    assert told == ["hand_over"]
    reserve.withdraw(PAWN_TAKEN)
    reserve.credit(KNIGHT_TAKEN, 1.0, 0.5)
    told = watch(reserve, "p", 30, 40)
    assert (told, reserve.overdue(20.0, 10.0, astray=())) == ([], [])
    assert +reserve.held == Counter({chess.KNIGHT: 1})


@pytest.mark.parametrize(("left", "amiss"), [("", {}), ("p", {"extra_man": ""})])
def test_what_was_captured_and_taken_back_is_to_leave_the_reserve(left: str, amiss: dict[str, str]) -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(PAWN_TAKEN, 1.0, 0.5)
    watch(reserve, "p", 20, 30)
    reserve.withdraw(PAWN_TAKEN)
    watch(reserve, left, 30, 40)
    assert reserve.amiss(astray=()) == amiss


@pytest.mark.parametrize(("again", "told"), [(None, ["withdrawn"]), (PAWN_TAKEN, [])])
def test_what_is_late_and_was_not_captured_is_not_late(again: Ply | None, told: list[str]) -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(PAWN_TAKEN, 1.0, 0.5)
    watch(reserve, "", 20, 30)
    assert [event.reason for event in reserve.overdue(12.0, 10.0, astray=())] == ["not_passed"]
    reserve.withdraw(PAWN_TAKEN)
    if again:
        reserve.credit(again, 12.0, 12.0)
    assert [event.kind for event in reserve.look(pocket("", chess.BLACK), 12.1)] == told
    assert reserve.overdue(30.0, 10.0, astray=()) == []


@pytest.mark.parametrize(("came", "told"), [("n", ["hand_over"]), ("r", [])])
def test_who_came_before_his_capture_was_told_has_come_though_he_is_hidden_since(came: str, told: list[str]) -> None:
    reserve = Pocket("A", chess.BLACK)
    watch(reserve, "", 0, 10)
    watch(reserve, came, 10, 15)
    watch(reserve, "", 15, 20)
    reserve.credit(KNIGHT_TAKEN, 0.9, 0.8)
    assert watch(reserve, "", 20, 30) == told
    assert ("hidden_reserve" in reserve.amiss(astray=())) == bool(told)
    assert reserve.amounts.began("hidden_reserve") == (pytest.approx(1.4) if told else np.inf)


@pytest.mark.parametrize(("awaited", "astray"), [(0.0, 1), (3.0, 0), (np.inf, 0)])
def test_who_is_seen_no_more_beside_a_man_is_hidden_as_long_as_he_is_awaited(awaited: float, astray: int) -> None:
    reserve = Pocket("A", chess.WHITE)
    beside = replace(pocket("N", chess.WHITE), strangers=np.array([(9.6, 0.9)], np.float32))
    for tenth in range(20):
        reserve.look(beside, tenth / 10, awaited=0.0)
    for tenth in range(20, 80):
        reserve.look(pocket("N", chess.WHITE), tenth / 10, awaited)
    assert len(reserve.seen.strangers.astray(8.0)) == astray


def test_nobody_was_too_many_while_another_was_on_his_way() -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(KNIGHT_TAKEN, 1.0, 0.8)
    reserve.credit(PAWN_TAKEN, 2.0, 1.8)
    assert watch(reserve, "p", 30, 60) + watch(reserve, "pn", 60, 80) == ["hand_over", "hand_over"]
    assert reserve.amounts.began("extra_man") == np.inf


def test_a_man_who_came_while_another_was_dropped_stands_where_that_one_stood() -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(PAWN_TAKEN, 1.0, 0.5)
    watch(reserve, "p", 20, 30)
    reserve.credit(PAWN_TAKEN, 3.0, 2.5)
    reserve.take(chess.PAWN, 4.0, 4.0)
    reserve.look(pocket("p", chess.BLACK), 4.0)
    assert reserve.mistaken(np.full(6, 1 / 6)) is None
    assert [event.kind for event in reserve.look(pocket("p", chess.BLACK), 4.1)] == ["hand_over"]


def test_who_was_put_where_another_had_just_been_lifted_has_not_stood_there_since_that_one_came() -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(PAWN_TAKEN, 1.0, 0.5)
    watch(reserve, "p", 20, 60)
    watch(reserve, "n", 70, 90)
    reserve.take(chess.PAWN, 9.0, 6.5)
    reserve.credit(KNIGHT_TAKEN, 9.0, 6.0)
    assert watch(reserve, "n", 90, 120) == ["hand_over"]
    assert reserve.amounts.began("extra_man") == np.inf


def test_a_man_put_back_after_a_drop_is_not_one_who_is_late() -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(KNIGHT_TAKEN, 1.0, 0.5)
    watch(reserve, "n", 20, 30)
    late = Passing("B", chess.WHITE, chess.PAWN, 0.0, 0.0, late=True)
    reserve.coming = [late]
    watch(reserve, "", 30, 40)
    reserve.take(chess.KNIGHT, 4.0, 4.0)
    watch(reserve, "n", 40, 51)
    reserve.put_back(chess.KNIGHT, None)  # it takes a while until that is told
    watch(reserve, "n", 51, 90)
    assert reserve.coming == [late]
    assert reserve.amiss(astray=()) == {}


def test_a_man_hidden_before_a_drop_was_hidden_while_that_was_taken_back() -> None:
    reserve = Pocket("A", chess.BLACK, held=Counter({chess.PAWN: 1, chess.KNIGHT: 1}))
    watch(reserve, "pn", 0, 20)
    watch(reserve, "n", 20, 40)
    reserve.take(chess.KNIGHT, 4.5, 4.0)
    watch(reserve, "", 40, 60)
    reserve.put_back(chess.KNIGHT, 6.0)
    watch(reserve, "n", 60, 90)
    assert list(reserve.amiss(astray=())) == ["hidden_reserve"]
    assert 1.5 < reserve.amounts.began("hidden_reserve") < 2.5


def test_a_man_hidden_long_before_is_not_his_like_who_was_dropped_since_then() -> None:
    """Nobody has seen before the drop was told that the other had gone, too."""
    reserve = holding((chess.KNIGHT, chess.KNIGHT))
    watch(reserve, "NN", 0, 20)
    watch(reserve, "N", 20, 80)
    watch(reserve, "", 85, 87)
    reserve.take(chess.KNIGHT, 8.7, 8.5)
    watch(reserve, "", 87, 95)
    assert reserve.amiss(astray=()) == {"hidden_reserve": "N"}
    assert 1.5 < reserve.amounts.began("hidden_reserve") < 2.5


@pytest.mark.parametrize(("leans", "since", "hidden"), [(1.2, 20, True), (0.0, 20, False), (1.2, 10, False)])
def test_a_man_before_whom_another_has_come_since_he_was_seen_is_not_missing(
    leans: float, since: int, hidden: bool
) -> None:
    """One of the neighbour's; who stood there before does not hide him. He is seen again for a moment."""
    reserve, other = holding((chess.KNIGHT,)), Pocket("A", chess.BLACK)
    other.coming = [Passing("B", chess.WHITE, chess.QUEEN, 0.0, -2.0)]
    queen = pocket("q", chess.BLACK)
    queen.centres[:] = 9.0, -0.4
    queen = replace(queen, heads=queen.centres + np.array([0.0, leans], np.float32))
    for tenth in range(60):
        other.look(queen if tenth >= since else pocket("", chess.BLACK), tenth / 10)
        mine = pocket("N" if tenth < 20 or (30 <= tenth < 36 and hidden) else "", chess.WHITE)
        reserve.look(mine, tenth / 10, beside=(*other.slots, *other.newcomers))
    assert reserve.amiss(astray=()) == ({} if hidden else {"hidden_reserve": "N"})
    assert (reserve.amounts.began("hidden_reserve") == np.inf) == hidden


@pytest.mark.parametrize("hidden", [False, True])
def test_who_reads_otherwise_from_one_look_to_the_next_is_no_other_though_such_a_one_has_to_come(hidden: bool) -> None:
    """Unless a hand was there between."""
    reserve = holding((chess.QUEEN, chess.PAWN))
    watch(reserve, "Q", 0, 10)
    if hidden:
        reserve.look(pocket("", chess.WHITE, seen=False), 1.0)
    told = watch(reserve, "P", 15 if hidden else 10, 20)
    assert (told == ["hand_over"]) == hidden
    assert ("hidden_reserve" in reserve.amiss(astray=())) == hidden


def test_who_comes_before_his_capture_is_told_is_not_his_like_who_is_hidden() -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(KNIGHT_TAKEN, 0.0, -1.0)
    watch(reserve, "n", 0, 20)
    watch(reserve, "", 20, 40)
    other = pocket("n", chess.BLACK)
    other.centres[:] += 1.0
    for tenth in range(40, 50):
        assert reserve.look(other, tenth / 10) == []
    reserve.credit(KNIGHT_TAKEN, 5.0, 3.5)
    told = [event.kind for tenth in range(50, 70) for event in reserve.look(other, tenth / 10)]
    assert told == ["hand_over"]
    assert reserve.held[chess.KNIGHT] == 2
    assert list(reserve.amiss(astray=())) == ["hidden_reserve"]
    assert 1.5 < reserve.amounts.began("hidden_reserve") < 2.5


def test_who_was_put_down_and_dropped_before_it_was_told_that_he_came_leaves_nobody_too_many() -> None:
    reserve = Pocket("A", chess.BLACK, held=Counter({chess.KNIGHT: 1}))
    watch(reserve, "n", 0, 20)
    watch(reserve, "np", 20, 30)
    watch(reserve, "n", 30, 40)
    reserve.credit(PAWN_TAKEN, 4.0, 1.5)
    reserve.take(chess.PAWN, 4.0, 3.5)
    watch(reserve, "n", 40, 50)
    assert reserve.contents().gain([chess.KNIGHT]) < -3.0, "the knight has not been dropped"


def test_who_lies_here_still_was_not_dropped_though_his_like_is_on_his_way() -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(KNIGHT_TAKEN, 0.0, -1.0)
    watch(reserve, "n", 0, 20)
    reserve.credit(KNIGHT_TAKEN, 2.0, 0.5)
    watch(reserve, "n", 20, 25)
    assert reserve.drop_term([(chess.KNIGHT, 2.2, 1.5)], reserve.contents()) < -0.5
    bare = Pocket("A", chess.BLACK)
    bare.credit(KNIGHT_TAKEN, 2.0, 0.5)
    watch(bare, "", 20, 25)
    assert bare.drop_term([(chess.KNIGHT, 2.2, 1.5)], bare.contents()) > 0.0, "where none lies, straight from a hand"


def test_of_two_who_are_dropped_one_lay_here_and_the_other_came_straight_from_a_hand() -> None:
    reserve = Pocket("A", chess.BLACK)
    reserve.credit(KNIGHT_TAKEN, 0.0, -1.0)
    watch(reserve, "n", 0, 20)
    reserve.credit(KNIGHT_TAKEN, 2.0, 0.5)
    watch(reserve, "", 20, 25)
    drops = [(chess.KNIGHT, 2.2, 1.5), (chess.KNIGHT, 2.4, 2.2)]
    assert reserve.drop_term(drops, reserve.contents()) > 0.0


def test_a_man_hidden_before_a_drop_was_told_that_never_was() -> None:
    reserve = Pocket("A", chess.BLACK, held=Counter({chess.PAWN: 1}))
    watch(reserve, "p", 0, 20)
    watch(reserve, "", 20, 50)
    reserve.take(chess.PAWN, 5.0, 4.0)
    watch(reserve, "", 50, 90)
    assert reserve.amiss(astray=()) == {}
    reserve.put_back(chess.PAWN, None)
    watch(reserve, "", 90, 100)
    assert list(reserve.amiss(astray=())) == ["hidden_reserve"]
    assert 1.5 < reserve.amounts.began("hidden_reserve") < 2.5


def test_who_was_told_to_be_too_many_is_not_who_is_awaited() -> None:
    reserve = Pocket("A", chess.BLACK)
    watch(reserve, "p", 0, 60)
    reserve.mark([Event("alert", "A", 5.9, 5.9, chess.BLACK, reason="extra_man")])
    reserve.credit(KNIGHT_TAKEN, 7.0, 6.9)
    watch(reserve, "p", 70, 250)
    assert [event.reason for event in reserve.overdue(25.0, 10.0, astray=())] == ["not_passed"]


def test_who_came_while_another_was_dropped_is_too_many_since_then() -> None:
    """That the pawn was dropped is told three seconds after it was seen."""
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.PAWN: 1, chess.KNIGHT: 1}))
    watch(reserve, "PN", 0, 20)
    watch(reserve, "NN", 20, 50)
    assert reserve.amiss(astray=()) == {}
    reserve.take(chess.PAWN, 5.0, 2.0)
    assert reserve.mistaken(np.full(6, 1 / 6)) is None
    watch(reserve, "NN", 50, 60)
    assert reserve.amiss(astray=()) == {"extra_man": ""}
    assert reserve.amounts.began("extra_man") == pytest.approx(2.0, abs=0.4)


@pytest.mark.parametrize(("came", "amiss"), [(0, {"extra_man": ""}), (50, {})])
def test_who_stood_here_long_before_a_capture_is_not_who_was_taken(came: int, amiss: dict[str, str]) -> None:
    """Cameras may lag, but not so much."""
    reserve = Pocket("A", chess.BLACK)
    watch(reserve, "", 0, came)
    watch(reserve, "p", came, 60)
    reserve.credit(KNIGHT_TAKEN, 6.0, 5.9)
    watch(reserve, "p", 60, 65)
    assert reserve.coming
    assert reserve.amiss(astray=()) == amiss


def test_who_was_too_many_for_a_moment_is_not_since_then() -> None:
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.KNIGHT: 1}))
    watch(reserve, "NN", 0, 20)
    watch(reserve, "N", 20, 50)
    watch(reserve, "NN", 50, 60)
    assert reserve.amounts.began("extra_man") == pytest.approx(5.0, abs=0.4)


@pytest.mark.parametrize(("otherwise", "since"), [(0.1, 0.0), (2.5, 8.5)])
def test_a_look_after_a_hand_went_does_not_tell_that_nobody_is_too_many_any_more(
    otherwise: float, since: float
) -> None:
    amounts, breaches, told = Amounts(), Breaches("A", chess.WHITE), list[Event]()
    for time in np.concatenate([np.arange(-0.5, 2, 0.1), np.arange(6, 19.5, 0.1)]):
        many = time > -0.05 and not 6 <= time < 6 + otherwise - 0.01
        amounts.look(time, int(many), 0)
        told += breaches.look({"extra_man": ""} if many else {}, (), time, 10.0, lambda _: np.inf)
    assert amounts.began("extra_man") == pytest.approx(since, abs=0.2)
    assert [event.committed for event in told] == pytest.approx([max(since + 10, 10.0)], abs=0.2)


@pytest.mark.parametrize(("second", "told"), [(0.0, [("n", 0.0)]), (5.0, [("p", 0.0), ("n", 5.0)])])
def test_a_man_hidden_after_another_is_told_by_himself(second: float, told: list[tuple[str, float]]) -> None:
    breaches, alerts = Breaches("A", chess.BLACK), list[Event]()
    for time in np.arange(-1, 20, 0.1):
        men = "np" if time > second else "p"
        alerts += breaches.look({"hidden_reserve": men} if time > 0 else {}, (), time, 10.0, lambda _: np.inf)
    assert [event.piece for event in alerts] == [man for man, _ in told]
    assert [event.time for event in alerts] == pytest.approx([at for _, at in told], abs=0.2)
    assert breaches.look({"hidden_reserve": "n"}, (), 20, 10.0, lambda _: np.inf) == []
    over = breaches.look({"hidden_reserve": "n"}, (), 30, 10.0, lambda _: np.inf)
    assert [event.time for event in over] == [event.time for event in alerts[1:]]


@pytest.mark.parametrize(("looks", "told"), [((10, 20, 30, 40, 50), True), ((10, 50), False)])
def test_who_has_long_been_awaited_has_rather_been_dropped_straight_from_the_hand(
    looks: tuple[int, ...], told: bool
) -> None:
    """Where nobody has looked meanwhile, he may have come."""
    reserve = Pocket("A", chess.WHITE)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, 0.0, -1.0)]
    watch(reserve, "P", 0, 10)
    reserve.coming = [Passing("B", chess.BLACK, chess.BISHOP, 1.0, 0.9)]
    gains = []
    for tenth in looks:
        watch(reserve, "P", tenth, tenth + 10)
        gains.append(reserve.contents().gain([chess.BISHOP]))
    assert gains[0] > 0
    assert (gains[-1] > gains[0] + 1) == told


def test_who_has_been_gone_for_long_says_nothing_of_who_is_dropped_now() -> None:
    reserve = holding((chess.KNIGHT, chess.PAWN))
    watch(reserve, "NP", 0, 20)
    watch(reserve, "P", 20, 100)
    soon, late = (drop_term(reserve, (chess.KNIGHT, at, at)) for at in (3.0, 9.5))
    assert soon > 3
    assert late == pytest.approx(0)


def test_who_stood_here_before_is_not_who_comes_while_nobody_looks() -> None:
    reserve = Pocket("A", chess.BLACK)
    watch(reserve, "n", 0, 50)
    reserve.credit(KNIGHT_TAKEN, 5.0, 4.9)
    for tenth in range(50, 90):
        reserve.look(replace(pocket("nn", chess.BLACK), seen=False), tenth / 10)
    assert watch(reserve, "nn", 90, 110) == ["hand_over"]
    (other,) = reserve.newcomers
    assert other.since < 1


@pytest.mark.parametrize(("at_first", "since"), [("NNN", np.inf), ("NN", 1.0)])
def test_who_was_lifted_to_be_dropped_was_not_hidden(at_first: str, since: float) -> None:
    """That a knight was dropped is told a while after he was lifted; one may have been missing before."""
    reserve = holding((chess.KNIGHT, chess.KNIGHT, chess.KNIGHT))
    watch(reserve, "NNN", 0, 10)
    watch(reserve, at_first, 10, 50)
    watch(reserve, at_first[1:], 50, 60)
    reserve.take(chess.KNIGHT, 6.0, 5.8)
    watch(reserve, at_first[1:], 60, 65)
    assert reserve.amounts.began("hidden_reserve") == pytest.approx(since, abs=0.4)


@pytest.mark.parametrize(("dropped_at", "against"), [(1.5, True), (2.5, False)])
def test_who_stood_here_after_a_drop_was_not_dropped_though_nothing_is_seen_now(
    dropped_at: float, against: bool
) -> None:
    reserve = holding((chess.PAWN, chess.KNIGHT))
    watch(reserve, "NP", 0, 20)
    reserve.look(pocket("", chess.WHITE, seen=False), 2.1)
    assert (drop_term(reserve, (chess.KNIGHT, dropped_at, dropped_at)) < -1) == against


@pytest.mark.parametrize(("until", "in_time"), [(5.0, True), (9.5, False)])
def test_who_may_have_been_taken_earlier_than_was_seen_had_time_to_be_dropped(until: float, in_time: bool) -> None:
    """`until`: when it was still seen that he had not been taken; nobody looked then."""
    reserve = Pocket("A", chess.BLACK)
    for tenth in range(100):
        reserve.look(pocket("", chess.BLACK), tenth / 10)
    reserve.credit(KNIGHT_TAKEN, 10.0, until)
    assert (drop_term(reserve, (chess.KNIGHT, 9.0, 9.0)) > -1) == in_time


def test_one_man_gone_speaks_for_one_drop() -> None:
    reserve = holding((chess.PAWN, chess.PAWN, chess.KNIGHT))
    watch(reserve, "NPP", 0, 10)
    watch(reserve, "NP", 10, 20)
    one = drop_term(reserve, (chess.PAWN, 1.5, 1.5))
    assert one > 1 > drop_term(reserve, (chess.PAWN, 1.2, 1.2), (chess.PAWN, 1.5, 1.5))


def test_a_man_who_is_read_somewhat_aside_is_not_another() -> None:
    reserve = holding((chess.KNIGHT,))
    watch(reserve, "P", 0, 60)  # it reads as a pawn
    reserve.coming.append(Passing("B", chess.BLACK, chess.BISHOP, 6.0, 5.9))
    aside = pocket("PP", chess.WHITE)  # and so does the bishop
    aside.centres[:] = (9.4, 0.8), (9.0, 2.5)
    for tenth in range(65, 130):
        reserve.look(aside, tenth / 10)
    knight, bishop = (next(s for s in reserve.slots if s.came[kind - 1] > 0.5) for kind in (chess.KNIGHT, chess.BISHOP))
    assert (float(knight.centre[1]), float(bishop.centre[1])) == pytest.approx((0.8, 2.5))


@pytest.mark.parametrize(("coming", "against"), [((chess.PAWN,), True), ((chess.PAWN, chess.PAWN), False)])
def test_who_lies_with_the_giver_was_hardly_dropped(coming: tuple[chess.PieceType, ...], against: bool) -> None:
    reserve = holding(coming)
    watch(reserve, "", 0, 10)
    before = drop_term(reserve, (chess.PAWN, 1.0, 1.0))
    reserve.astray = reserve.with_giver([0.0])
    assert (drop_term(reserve, (chess.PAWN, 1.0, 1.0)) < before - 3) == against


def known(reserve: Pocket, time: float) -> list[str]:
    return [LABELS[label] for _, _, label in reserve.known(time)]


def test_who_stands_here_for_a_while_is_told_to_the_reader_once() -> None:
    reserve = holding((chess.KNIGHT,))
    assert known(reserve, 0.0) == []
    watch(reserve, "N", 0, 10)
    assert known(reserve, 0.9) == []
    watch(reserve, "P", 10, 30)  # as which he reads, on the whole
    assert reserve.known(2.9) == [(9.0, 0.5, LABELS.index("N"))]
    watch(reserve, "P", 30, 50)
    assert known(reserve, 4.9) == []
    reserve.coming = [Passing("B", chess.BLACK, chess.ROOK, 4.5, 4.5)]
    watch(reserve, "PR", 50, 80)
    assert known(reserve, 7.9) == ["R"]


def test_who_was_of_another_kind_than_told_is_told_to_the_reader_again() -> None:
    reserve = holding((chess.KNIGHT,))
    watch(reserve, "N", 0, 30)
    assert known(reserve, 2.9) == ["N"]
    reserve.exchange(chess.KNIGHT, chess.BISHOP)
    assert known(reserve, 2.9) == ["B"]


@pytest.mark.parametrize(("letters", "told"), [("PR", ["P", "R"]), ("P", []), ("PRQ", [])])
def test_of_whom_the_reader_is_told_nobody_is_in_doubt(letters: str, told: list[str]) -> None:
    reserve = holding((chess.ROOK, chess.PAWN))
    watch(reserve, letters, 0, 30)
    assert known(reserve, 2.9) == told


def test_who_may_be_either_of_two_is_not_told_to_the_reader() -> None:
    reserve, seen = holding((chess.ROOK, chess.BISHOP)), pocket("RB", chess.WHITE)
    seen.pieces[:] = torn(R=0.5, B=0.4)
    for tenth in range(60):
        reserve.look(seen, tenth / 10)
    assert reserve.held == Counter({chess.ROOK: 1, chess.BISHOP: 1})
    assert known(reserve, 5.9) == []


def beside_a_ghost(letters: str, sure: float) -> PocketObservation:
    """Men who stand there, the first in place 0, and what the reader sees beside them."""
    seen = pocket(letters + "P", chess.WHITE)
    seen.pieces[-1] = torn(P=sure)
    seen.centres[-1] = (9.0, 4.5)
    return seen


@pytest.mark.parametrize("before", [True, False])
def test_what_is_hardly_a_man_does_not_stand_for_one_who_was_dropped(before: bool) -> None:
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.QUEEN: 1, chess.ROOK: 1}))
    full, left = beside_a_ghost("QR", 0.7), beside_a_ghost("Q", 0.7)
    for tenth in range(20):
        reserve.look(full if before else pocket("QR", chess.WHITE), tenth / 10)
    assert drop_term(reserve, (chess.ROOK, 2.0, 2.0)) < 0
    for tenth in range(20, 100):
        reserve.look(left, tenth / 10)
    assert drop_term(reserve, (chess.ROOK, 10.0, 10.0)) > 1


@pytest.mark.parametrize(("letters", "speaks"), [("Q", True), ("QR", False)])
def test_what_a_pocket_showed_before_it_was_hidden_still_counts_for_a_drop(letters: str, speaks: bool) -> None:
    reserve = holding((chess.QUEEN, chess.ROOK))
    watch(reserve, "QR", 0, 10)
    watch(reserve, letters, 10, 20)
    reserve.look(pocket("", chess.WHITE, seen=False), 2.0)
    assert (drop_term(reserve, (chess.ROOK, 2.1, 2.1)) > 1) == speaks
    assert drop_term(reserve, (chess.ROOK, 2.1, 2.1)) >= 0


def test_two_men_who_are_read_as_one_between_them_still_stand() -> None:
    reserve = holding((chess.PAWN, chess.KNIGHT, chess.PAWN))
    three, two = pocket("PNP", chess.WHITE), pocket("PP", chess.WHITE)
    three.centres[:] = (9.0, 1.0), (9.0, 2.0), (9.0, 3.5)
    two.centres[:] = (9.0, 1.5), (9.0, 3.5)
    for tenth in range(40):
        reserve.look(three if tenth < 20 else two, tenth / 10)
    assert reserve.amiss(astray=()) == {}
    assert drop_term(reserve, (chess.KNIGHT, 3.0, 3.0)) < 0


def test_a_man_gone_speaks_for_his_drop_and_not_for_one_from_the_partners_hand() -> None:
    reserve = holding((chess.PAWN, chess.KNIGHT))
    watch(reserve, "PN", 0, 20)
    reserve.coming = [Passing("B", chess.BLACK, chess.QUEEN, 2.0, 2.0)]
    watch(reserve, "P", 20, 40)
    assert drop_term(reserve, (chess.KNIGHT, 3.9, 3.9)) > drop_term(reserve, (chess.QUEEN, 3.9, 3.9)) + 1


def at(*centres: tuple[float, float]) -> PocketObservation:
    """White pawns that stand there."""
    seen = pocket("P" * len(centres), chess.WHITE)
    seen.centres[:] = centres
    return seen


def looked(reserve: Pocket, *looks: PocketObservation) -> Pocket:
    """A pocket after seconds in which each of these was seen for one."""
    for second, seen in enumerate(looks):
        for tenth in range(10):
            reserve.look(seen, second + tenth / 10)
    return reserve


def test_one_beside_another_is_too_many_only_where_both_were_seen_alone() -> None:
    """Where one leans over another, the reader may see a third between them."""
    one, other, close = (9.0, 2.0), (10.0, 2.0), (9.0, 2.6)
    ghost = looked(Pocket("A", chess.WHITE, held=Counter({chess.PAWN: 1})), at(one), at(one, close))
    assert ghost.amiss(astray=()) == {}
    moved = Pocket("A", chess.WHITE, held=Counter({chess.PAWN: 1}))
    looked(moved, at(one), at(one, other), at(one, (9.7, 2.0)))
    assert moved.amiss(astray=()) == {"extra_man": ""}


@pytest.mark.parametrize(("other", "amiss"), [((9.0, 4.07), {}), ((9.0, 4.7), {"extra_man": ""})])
def test_one_who_is_read_as_two_is_not_too_many(other: tuple[float, float], amiss: dict[str, str]) -> None:
    two = at((8.95, 3.25), other)
    reserve = looked(holding((chess.PAWN,)), at((9.0, 3.5)), at((9.0, 3.5)), two, two, two)
    assert reserve.amiss(astray=()) == amiss


def test_since_when_one_is_too_many_is_not_counted_anew_with_each_who_comes() -> None:
    reserve = Pocket("A", chess.WHITE)
    watch(reserve, "P", 0, 50)
    reserve.coming.append(Passing("B", chess.BLACK, chess.KNIGHT, 5.0, 4.9))
    watch(reserve, "P", 50, 80)
    assert watch(reserve, "PN", 80, 110) == ["hand_over"]
    assert reserve.amounts.began("extra_man") < 1.0


def test_who_stood_alone_before_another_came_beside_him_is_too_many() -> None:
    """The other was awaited: he is no ghost that the reader sees beside the first."""
    reserve = looked(Pocket("A", chess.WHITE), at((9.0, 2.0)), at((9.0, 2.0)))
    reserve.coming.append(Passing("B", chess.BLACK, chess.PAWN, 1.9, 1.9))
    both = at((9.0, 2.0), (9.0, 2.7))
    for tenth in range(20, 60):
        reserve.look(both, tenth / 10)
    assert not reserve.coming
    assert reserve.amiss(astray=()) == {"extra_man": ""}


@pytest.mark.parametrize(("gone", "amiss"), [(20, {"hidden_reserve": "P"}), (0, {})])
def test_who_was_seen_to_be_gone_before_another_came_is_not_behind_him(gone: int, amiss: dict[str, str]) -> None:
    """`gone`: tenths of a second for which nobody stood there."""
    reserve = holding((chess.PAWN,))
    watch(reserve, "P", 0, 20)
    watch(reserve, "", 20, 20 + gone)
    reserve.coming = [Passing("B", chess.BLACK, chess.ROOK, 1.0, 1.0)]
    rook = replace(at((9.0, 1.2)), heads=np.array([(9.0, 0.2)], np.float32))
    rook.pieces[:] = pocket("R", chess.WHITE).pieces
    for tenth in range(20 + gone, 60):
        reserve.look(rook, tenth / 10)
    assert reserve.held == Counter({chess.PAWN: 1, chess.ROOK: 1})
    assert reserve.amiss(astray=()) == amiss


def test_what_stands_with_the_giver_and_has_not_come_hides_nobody() -> None:
    reserve = holding((chess.PAWN, chess.KNIGHT))
    watch(reserve, "PN", 0, 20)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, 1.0, 1.0)]
    watch(reserve, "P", 20, 40)
    assert reserve.amiss(astray=(0.0,)) == {"hidden_reserve": "N"}


@pytest.mark.parametrize("moved", [False, True])
def test_who_stands_for_one_who_was_dropped_from_the_hand_is_too_many_since_he_came(moved: bool) -> None:
    """Nobody else had come: the knight was taken for the pawn. Not so one who took his place when men were moved."""
    reserve = Pocket("A", chess.WHITE)
    watch(reserve, "P" if moved else "N", 0, 20)
    reserve.coming.append(Passing("B", chess.BLACK, chess.PAWN, 0.0, 0.0))
    watch(reserve, "P" if moved else "N", 20, 60)
    assert reserve.held == Counter({chess.PAWN: 1})
    if moved:
        reserve.look(pocket("", chess.WHITE), 6.0)
        for tenth in range(61, 120):
            other = pocket("N", chess.WHITE)
            other.centres[:] = (9.0, 1.5)
            reserve.look(other, tenth / 10)
    reserve.take(chess.PAWN, 12.0, 12.0)
    assert (reserve.amounts.began("extra_man") < 1.0) != moved


def test_what_is_kept_back_is_not_what_was_dropped_from_the_hand() -> None:
    reserve = Pocket("A", chess.WHITE)
    kept = Passing("B", chess.BLACK, chess.KNIGHT, 1.0, 1.0, late=True)
    reserve.coming = [kept, Passing("B", chess.BLACK, chess.KNIGHT, 20.0, 20.0)]
    assert [event.kind for event in reserve.take(chess.KNIGHT, 22.0, 21.5)] == ["hand_over"]
    assert reserve.coming == [kept]


def test_who_stands_here_is_none_of_those_on_their_way() -> None:
    """A pawn is gone and a knight is not, though another knight has not come: a pawn was dropped."""
    reserve = holding((chess.PAWN, chess.KNIGHT))
    watch(reserve, "PN", 0, 20)
    reserve.coming = [Passing("B", chess.BLACK, chess.KNIGHT, 1.0, 1.0)]
    knight = pocket("N", chess.WHITE)
    knight.centres[:] = (9.0, 1.5)
    for tenth in range(20, 40):
        reserve.look(knight, tenth / 10)
    assert drop_term(reserve, (chess.PAWN, 2.5, 2.5)) > drop_term(reserve, (chess.KNIGHT, 2.5, 2.5)) + 1


def test_who_was_too_many_is_still_though_his_like_has_come_and_another_is_on_his_way() -> None:
    """A bishop stands there too many. A bishop comes and is dropped, a pawn is taken on the other board and comes."""
    reserve = Pocket("A", chess.WHITE)
    watch(reserve, "B", 0, 20)
    reserve.coming = [Passing("B", chess.BLACK, chess.BISHOP, 1.5, 1.5)]
    watch(reserve, "BB", 20, 40)
    reserve.coming = [Passing("B", chess.BLACK, chess.PAWN, 4.0, 4.0)]
    reserve.look(pocket("", chess.WHITE, seen=False), 4.5)
    left = PocketObservation(
        pocket("BP", chess.WHITE).pieces, np.array([(9.0, 0.5), (9.0, 2.5)], np.float32), seen=True
    )
    for tenth in range(50, 60):
        reserve.look(left, tenth / 10)
    assert +reserve.held == Counter({chess.BISHOP: 1, chess.PAWN: 1})
    assert drop_term(reserve, (chess.BISHOP, 5.0, 4.5)) > 0


@pytest.mark.parametrize(("where", "amiss"), [(1.6, {}), (2.0, {"hidden_reserve": "N"})])
def test_who_is_seen_close_to_another_still_stands_where_he_stood(where: float, amiss: dict[str, str]) -> None:
    reserve = holding((chess.PAWN, chess.KNIGHT))
    watch(reserve, "PN", 0, 10)
    one = replace(pocket("P", chess.WHITE), close=np.array([(9.0, where)], np.float32))
    for tenth in range(10, 30):
        reserve.look(one, tenth / 10)
    assert reserve.amiss(astray=()) == amiss


@pytest.mark.parametrize(("reads", "amiss"), [({"P": 0.94}, {"extra_man": ""}), ({"P": 0.6, "R": 0.3}, {})])
def test_one_too_many_has_to_be_surely_a_man(reads: dict[str, float], amiss: dict[str, str]) -> None:
    reserve = holding((chess.KNIGHT,))
    watch(reserve, "N", 0, 10)
    more = pocket("NP", chess.WHITE)
    more.pieces[1] = torn(**reads, **{".": 0.05})
    for tenth in range(10, 30):
        reserve.look(more, tenth / 10)
    assert reserve.amiss(astray=()) == amiss


def test_who_was_dropped_straight_from_the_partners_hand_leaves_the_other_missing() -> None:
    """A pawn was hidden, a knight on his way dropped and taken unseen: a pawn was told, until the knight was seen."""
    reserve = Pocket("A", chess.WHITE, held=Counter({chess.PAWN: 1}))
    watch(reserve, "P", 0, 20)
    reserve.credit(KNIGHT_TAKEN, 2.0, 1.8)
    watch(reserve, "", 20, 50)
    reserve.take(chess.PAWN, 5.0, 4.0)
    looks = np.full(6, 0.08)
    looks[chess.KNIGHT - 1] = 1.0
    assert not reserve.gains(chess.PAWN, looks)
    assert reserve.gains(chess.PAWN, looks, straight=True)[chess.KNIGHT] > 0.7
    events = reserve.dropped_straight(chess.KNIGHT, chess.PAWN, 5.5)
    assert [event.kind for event in events] == ["hand_over"]
    assert reserve.held == Counter({chess.PAWN: 1})
    assert not reserve.coming
    watch(reserve, "", 50, 60)
    assert reserve.amiss(astray=()) == {"hidden_reserve": "P"}
    assert reserve.amounts.began("hidden_reserve") == pytest.approx(2.0, abs=1.5)
