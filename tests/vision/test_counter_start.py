"""Who stands where before anything is known, and which way round a board of counters lies."""

import random

import chess
import numpy as np
import pytest

from rules.crowded import Crowded
from rules.observation import labels_of
from rules.quadwrangle import QuadWrangle
from tests.vision.counterboard import SeesHands, drawn, view_of
from vision.canvas import SQUARE_CENTRES
from vision.counter_start import faced, likest, nearest, read_set_up, turned_labels

READER = SeesHands()
STARTS = {name: labels_of(QuadWrangle.start(name)) for name in QuadWrangle.STARTS}


@pytest.mark.parametrize("seed", range(3))
def test_players_set_up_64_counters_as_they_like(seed: int) -> None:
    white = sum(chess.BB_SQUARES[cell] for cell in random.Random(seed).sample(range(64), 32))
    position = Crowded(white, chess.BB_ALL & ~white)
    # The reader says of no cell whether it is empty: here none is, which colours alone tell.
    found = read_set_up([drawn(position, n) for n in range(2)], view_of(8), READER)
    assert found is not None
    np.testing.assert_array_equal(found.labels, labels_of(position))


def test_what_a_hand_hides_is_not_guessed() -> None:
    assert read_set_up([drawn(Crowded.start("chequer"), 0, hand=chess.E4)], view_of(8), READER) is None


def test_counters_of_one_colour_are_not_sure() -> None:
    found = read_set_up([drawn(Crowded(chess.BB_ALL, 0), 0)], view_of(8), READER)
    assert found is None or not found.sure


@pytest.mark.parametrize("name", QuadWrangle.STARTS)
@pytest.mark.parametrize("quarters", range(4))
def test_a_named_start_is_told_whichever_way_it_lies(name: str, quarters: int) -> None:
    lying = turned_labels(STARTS[name], 7, -quarters)
    found = likest(lying, 7, STARTS)
    assert (found.name, found.wrong, found.sure) == (name, 0, True)
    np.testing.assert_array_equal(turned_labels(lying, 7, found.quarters), STARTS[name])


def test_no_start_is_told_where_none_stands() -> None:
    position = QuadWrangle.start("adjacent")
    for _ in range(12):
        position = position.after(next(iter(position.legal_moves())))
    assert not likest(labels_of(position), 7, STARTS).sure


@pytest.mark.parametrize("quarters", range(4))
def test_labels_turn_as_views_do(quarters: int) -> None:
    view, labels = view_of(7), STARTS["adjacent"]
    turned = view.turned(quarters)
    pixels = view.to_image(SQUARE_CENTRES)
    places = np.floor(turned.to_board(pixels)).astype(int)
    expected = turned_labels(labels, 7, quarters)
    for cell in chess.scan_forward(QuadWrangle.CELLS):
        assert expected[chess.square(*places[cell])] == labels[cell]


@pytest.mark.parametrize("quarters", range(4))
def test_by_default_whites_first_rank_is_the_nearest(quarters: int) -> None:
    image = drawn(Crowded.start("chequer"))
    view, told = faced(view_of(8).turned(quarters), image, READER, {})
    assert not told
    assert nearest(view) == 0
    np.testing.assert_allclose(view.corners(), view_of(8).corners(), atol=1e-3)


@pytest.mark.parametrize("quarters", range(4))
def test_the_start_of_quad_wrangle_tells_which_way_round(quarters: int) -> None:
    lying = turned_labels(STARTS["adjacent"], 7, -quarters)
    white, black = (sum(chess.BB_SQUARES[cell] for cell in np.flatnonzero(lying == kind)) for kind in (0, 6))
    view, told = faced(view_of(7), drawn(QuadWrangle(white, black)), READER, STARTS)
    assert told
    np.testing.assert_allclose(view.corners(), view_of(7).turned(quarters).corners(), atol=1e-3)
