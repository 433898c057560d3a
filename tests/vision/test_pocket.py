import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View, pockets_beside
from rules.observation import EMPTY, LABELS, UPRIGHT, PocketObservation
from vision.canvas import PIXELS, STRIDE, Canvas
from vision.closer import Second
from vision.lean import by_pose
from vision.pocket import once, places_in, read_pocket
from vision.reader import HIDDEN, Answer

VIEW = View.from_corners([(300, 100), (900, 100), (900, 700), (300, 700)], (1280, 800), pockets_beside("h"))
CANVAS = Canvas.over(VIEW)
REGION = VIEW.pockets[chess.WHITE]
PLACES = places_in(REGION, CANVAS)
LEAN = by_pose(VIEW)


Looks = tuple[Second, Second]
Seen = tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float32]]


def agreeing(chosen: NDArray[np.bool_], points: NDArray[np.float64]) -> Seen:
    """A second network to which all is one."""
    nothing = np.zeros((len(points[chosen]), len(LABELS)), np.float32)
    return nothing, points[chosen], nothing[:, EMPTY]


AGREEING = agreeing, agreeing


def seeing(pieces: list[tuple[str, float, float]]) -> Looks:
    """A second network that sees the nearest of these pieces, and where he stands."""

    def second(chosen: NDArray[np.bool_], points: NDArray[np.float64]) -> Seen:
        logits, bases = np.zeros((len(points[chosen]), len(LABELS)), np.float32), points[chosen].copy()
        for row, base in zip(logits, bases, strict=True):
            letter, *place = min(pieces, key=lambda piece: np.hypot(*(base - piece[1:])))
            row[LABELS.index(letter)], base[:] = 8.0, place
        return logits, bases, np.full(len(logits), -UPRIGHT, np.float32)

    return second, second


def doubting(probability: float) -> Looks:
    """A second network that is as sure of a pawn everywhere."""

    def second(chosen: NDArray[np.bool_], points: NDArray[np.float64]) -> Seen:
        logits = np.full((len(points[chosen]), len(LABELS)), -8.0, np.float32)
        logits[:, LABELS.index("P")], logits[:, EMPTY] = np.log(probability), np.log(1 - probability)
        return logits, points[chosen], np.zeros(len(logits), np.float32)

    return second, second


def answer(pieces: list[tuple[str, float, float]], hidden: bool = False) -> Answer:
    """What a perfect network says of pieces standing at board coordinates."""
    columns, rows = CANVAS.size[0] // STRIDE, CANVAS.size[1] // STRIDE
    labels = np.full((rows, columns, HIDDEN + 1), -8.0, np.float32)
    labels[..., EMPTY] = -0.01
    offsets = np.zeros((rows, columns, 2), np.float32)
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1)
    for letter, x, y in pieces:
        gap = (CANVAS.places([(x, y)])[0] - grid) * STRIDE / PIXELS
        near = np.hypot(gap[..., 0], gap[..., 1]) < 0.37
        labels[near] = -8.0
        labels[near, LABELS.index(letter)] = -0.01
        offsets[near] = gap[near]
    if hidden:
        labels[...] = -8.0
        labels[..., HIDDEN] = -0.01
    return Answer(labels, offsets, labels, labels, np.full((rows, columns), -6.0, np.float32))


def test_each_piece_is_found_once_where_it_stands() -> None:
    standing = [("P", 8.9, 0.7), ("N", 9.74, 0.9), ("Q", 10.6, 2.4), ("P", 8.9, 1.5)]
    pocket = read_pocket(answer(standing), CANVAS, REGION, PLACES, chess.WHITE, AGREEING, LEAN)
    assert pocket.seen
    found = sorted(
        (LABELS[row.argmax()], *np.round(c, 2)) for row, c in zip(pocket.pieces, pocket.centres, strict=True)
    )
    expected = sorted(standing)
    assert [f[0] for f in found] == [e[0] for e in expected]
    np.testing.assert_allclose([f[1:] for f in found], [e[1:] for e in expected], atol=0.02)


def test_a_place_between_two_men_hides_neither() -> None:
    """It is as sure of a man as theirs are; a closer look tells which of them it sees."""
    seen = answer([("P", 9.09, 3.53), ("P", 9.82, 3.51)])
    column, row = np.round(CANVAS.places([(9.5, 3.5)])[0]).astype(int)
    seen.labels[row, column] = np.log(1e-6)
    seen.labels[row, column, LABELS.index("P")] = 0.0
    seen.offsets[row, column] = 0.0
    men = seeing([("P", 9.09, 3.53), ("P", 9.82, 3.51)])
    pocket = read_pocket(seen, CANVAS, REGION, PLACES, chess.WHITE, men, LEAN)
    np.testing.assert_allclose(sorted(pocket.centres[:, 0]), [9.09, 9.82], atol=0.02)


@pytest.mark.parametrize(("y", "beside"), [(2.0, 9.9), (2.0, 9.7), (3.73, 9.9)])  # there the next pocket is near
def test_a_piece_of_the_other_colour_is_a_stranger(y: float, beside: float) -> None:
    standing = [("n", 9.0, y), ("P", beside, 2.0)]
    pocket = read_pocket(answer(standing), CANVAS, REGION, PLACES, chess.WHITE, seeing(standing), LEAN)
    assert [LABELS[row.argmax()] for row in pocket.pieces] == ["P"]
    np.testing.assert_allclose(pocket.strangers, [(9.0, y)], atol=0.02)


@pytest.mark.parametrize(("y", "probability", "found"), [(3.5, 0.6, 1), (3.9, 0.6, 0), (3.9, 0.9, 1), (4.2, 0.9, 0)])
def test_at_the_border_a_piece_may_be_the_head_of_the_next_pockets_man(
    y: float, probability: float, found: int
) -> None:
    look = answer([("P", 9.0, y)])
    men = look.labels.argmax(2) == LABELS.index("P")
    look.labels[men, LABELS.index("P")] = np.log(probability)
    look.labels[men, EMPTY] = np.log(1 - probability)
    pocket = read_pocket(look, CANVAS, REGION, PLACES, chess.WHITE, doubting(probability), LEAN)
    assert len(pocket.pieces) == found
    sure = read_pocket(answer([("P", 9.0, y)]), CANVAS, REGION, PLACES, chess.WHITE, doubting(0.999), LEAN)
    assert len(sure.pieces) == 1


def test_a_piece_of_which_nobody_knows_whose_it_is_is_the_owners() -> None:
    standing = answer([("n", 9.0, 2.0)])
    standing.labels[..., LABELS.index("N")] = standing.labels[..., LABELS.index("n")]
    for color in chess.COLORS:
        pocket = read_pocket(standing, CANVAS, REGION, PLACES, color, AGREEING, LEAN)
        assert len(pocket.pieces) == 1
        assert (np.argmax(pocket.pieces) < 6) == color
        assert not len(pocket.strangers)


def test_a_head_that_leans_beside_is_the_man_it_belongs_to() -> None:
    seen = answer([("Q", 9.0, 2.0), ("P", 9.2, 2.8)])
    pocket = read_pocket(seen, CANVAS, REGION, PLACES, chess.WHITE, seeing([("Q", 9.0, 2.0)]), LEAN)
    assert [LABELS[likely.argmax()] for likely in pocket.pieces] == ["Q"]
    np.testing.assert_allclose(pocket.centres, [(9.0, 2.0)], atol=0.02)


def test_who_was_seen_beside_where_he_stands_is_looked_at_again_there() -> None:
    asked = []

    def second(chosen: NDArray[np.bool_], points: NDArray[np.float64]) -> Seen:
        asked.append(points[chosen])
        logits, bases, lying = seeing([("N", 9.3, 2.0)])[0](chosen, points)
        return np.where(np.hypot(*(points[chosen] - (9.3, 2.0)).T)[:, None] < 0.05, logits, 0), bases, lying

    pocket = read_pocket(answer([("B", 9.0, 2.0)]), CANVAS, REGION, PLACES, chess.WHITE, (second, second), LEAN)
    np.testing.assert_allclose(asked[1], [(9.3, 2.0)], atol=0.02)
    assert [LABELS[likely.argmax()] for likely in pocket.pieces] == ["N"]
    np.testing.assert_allclose(pocket.centres, [(9.3, 2.0)], atol=0.02)


@pytest.mark.parametrize(("lying", "men"), [(-6.0, 2), (5.0, 1)])
def test_the_head_of_one_who_lies_is_no_other(lying: float, men: int) -> None:
    standing = [("P", 9.0, 2.0), ("P", 9.7, 2.0)]
    seen = answer(standing)
    seen.lying[:] = lying
    pocket = read_pocket(seen, CANVAS, REGION, PLACES, chess.WHITE, seeing(standing), LEAN)
    assert len(pocket.pieces) == men


@pytest.mark.parametrize(
    ("own", "man", "y", "found"),
    [(0.4, 0.99, 3.8, 1), (0.2, 0.99, 3.8, 0), (0.2, 0.99, 2.0, 1), (0.4, 0.9, 2.0, 0)],
)
def test_who_is_surely_a_man_may_be_the_owners_above_all_far_from_the_next_pocket(
    own: float, man: float, y: float, found: int
) -> None:
    look = answer([("P", 9.0, y)])
    there = look.labels.argmax(2) == LABELS.index("P")
    for label, probability in (("P", own / 6), ("p", man - own), (".", 1 - man)):
        look.labels[there, LABELS.index(label)] = np.log(probability)
    pocket = read_pocket(look, CANVAS, REGION, PLACES, chess.WHITE, AGREEING, LEAN)
    assert len(pocket.pieces) == found


def test_the_place_that_is_surest_of_a_piece_says_what_it_is() -> None:
    standing = answer([("N", 9.0, 2.0)])
    column, row = np.round(CANVAS.places([(9.0, 2.0)])[0]).astype(int)
    standing.labels[row, column + 1] = np.log(0.6 * np.eye(HIDDEN + 1)[LABELS.index("B")] + 0.02)
    standing.labels[row, column + 1, EMPTY] = np.log(0.3)
    standing.offsets[row, column + 1] = 0.0
    standing.offsets[row, column] = 0.2
    pocket = read_pocket(standing, CANVAS, REGION, PLACES, chess.WHITE, AGREEING, LEAN)
    assert [LABELS[likely.argmax()] for likely in pocket.pieces] == ["N"]


@pytest.mark.parametrize("away", [0.1, -0.2])
def test_a_piece_on_the_brim_or_right_at_the_border_is_no_stranger(away: float) -> None:
    beside = answer([("n", 9.0, REGION.y1 + away)])
    assert len(read_pocket(beside, CANVAS, REGION, PLACES, chess.WHITE, AGREEING, LEAN).strangers) == 0


def holding(*centres: tuple[float, float]) -> PocketObservation:
    count = len(centres)
    return PocketObservation(
        np.zeros((count, len(LABELS)), np.float32), np.array(centres, np.float32).reshape(-1, 2), seen=True
    )


def test_who_is_seen_in_both_pockets_is_his_in_whose_region_he_stands() -> None:
    white, black = holding((9.0, 1.0), (10.1, 4.1), (8.9, 4.1)), holding((10.0, 4.4), (9.0, 5.2), (9.9, 4.1))
    found = once({chess.WHITE: white, chess.BLACK: black}, VIEW.pockets)
    np.testing.assert_allclose(found[chess.WHITE].centres, [(9.0, 1.0), (8.9, 4.1)])
    assert len(found[chess.WHITE].pieces) == 2
    assert len(found[chess.BLACK].pieces) == 3
    assert once({chess.WHITE: white}, {chess.WHITE: REGION}) == {chess.WHITE: white}


def test_the_other_players_pocket_is_left_alone() -> None:
    assert len(read_pocket(answer([("p", 9.0, 6.0)]), CANVAS, REGION, PLACES, chess.WHITE, AGREEING, LEAN).pieces) == 0


def test_a_covered_pocket_says_nothing() -> None:
    assert not read_pocket(answer([], hidden=True), CANVAS, REGION, PLACES, chess.WHITE, AGREEING, LEAN).seen


@pytest.mark.parametrize(("y", "count"), [(4.1, 1), (4.35, 0)])
def test_who_stands_well_beyond_the_border_is_in_the_pocket_beside_it(y: float, count: int) -> None:
    standing = [("N", 8.9, y)]
    pocket = read_pocket(answer(standing), CANVAS, REGION, PLACES, chess.WHITE, seeing(standing), LEAN)
    assert len(pocket.pieces) == count
