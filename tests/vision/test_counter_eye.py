"""Counters read by colour: on drawn boards, and on rendered ones where there is a renderer."""

import random

import chess
import cv2
import numpy as np
import pytest

from calibration.view import View
from rules.counters import Counters
from rules.crowded import Crowded
from rules.observation import EMPTY, LABELS, Observation, labels_of
from rules.quadwrangle import QuadWrangle
from tests.vision.counterboard import Picture, SeesHands, drawn, view_of
from vision.canvas import on_board
from vision.counter_eye import CounterEye
from vision.frame import Frame
from vision.reader import Reader

STARTS = {7: QuadWrangle.start("adjacent"), 8: Crowded.start("chequer")}


def game(position: Counters, plies: int) -> list[Counters]:
    rng, positions = random.Random(1), []
    for _ in range(plies):
        position = position.after(rng.choice(list(position.legal_moves())))
        positions.append(position)
    return positions


def show(eye: CounterEye, images: list[Picture], start: float = 0.0) -> Observation:
    """The last of the observations of pictures shown for half a second each."""
    for number, image in enumerate(images):
        for tick in range(5):
            observed = eye.observe(Frame("A", start + 0.5 * number + tick / 10, image))
    return observed


def eye_on(position: Counters, start: Counters) -> CounterEye:
    eye = CounterEye(view_of(start.SIZE), SeesHands(), labels_of(start))
    show(eye, [drawn(position, seed) for seed in range(2)])
    return eye


@pytest.mark.parametrize("side", [7, 8])
@pytest.mark.parametrize("ruled", [True, False])
def test_a_position_in_play_is_read_after_the_start(side: int, ruled: bool) -> None:
    start = STARTS[side]
    eye = CounterEye(view_of(side), SeesHands(), labels_of(start))
    show(eye, [drawn(start, seed, ruled) for seed in range(2)])
    later = game(start, 8)
    seen = show(eye, [drawn(position, 7, ruled) for position in later], 1.0)
    assert seen.seen.all()
    np.testing.assert_array_equal(seen.squares.argmax(1), labels_of(later[-1]))
    others = np.setdiff1d(np.arange(len(LABELS)), [LABELS.index("P"), LABELS.index("p"), EMPTY])
    assert seen.probabilities()[:, others].sum() < 1e-6


def test_squares_beyond_a_small_board_are_seen_and_empty_whatever_moves_there() -> None:
    start = STARTS[7]
    eye = eye_on(start, start)
    image = drawn(start, 1)
    image[:, 520:] = 255
    seen = eye.observe(Frame("A", 1.0, image))
    beyond = ~on_board(7)
    assert seen.seen[beyond].all()
    assert (seen.squares[beyond].argmax(1) == EMPTY).all()
    assert seen.seen[chess.G7]  # beside what moved, but it looks as it did


def test_what_a_hand_hides_is_not_seen() -> None:
    start = STARTS[7]
    eye = eye_on(start, start)
    seen = show(eye, [drawn(start, 0, hand=chess.D4)], 1.0)
    assert not seen.seen[chess.D4]
    assert seen.seen[chess.A1]
    assert seen.hand


@pytest.mark.parametrize("exposure", [0.55, 1.15])
def test_a_camera_may_change_its_exposure(exposure: float) -> None:
    """In half the light white counters are as dark as the ground was."""
    start, greys = STARTS[7], ((205, 205, 205), (105, 105, 105))
    eye = CounterEye(view_of(7), SeesHands(), labels_of(start))
    show(eye, [drawn(start, seed, men=greys) for seed in range(2)])
    later = game(start, 3)[-1]
    image = np.clip(drawn(later, 1, men=greys) * exposure, 0, 255).astype(np.uint8)
    np.testing.assert_array_equal(show(eye, [image], 1.0).squares.argmax(1), labels_of(later))


def test_a_light_counter_in_the_shadow_of_an_arm_is_none_the_less_one() -> None:
    start, men = STARTS[7], ((215, 225, 220), (90, 40, 40))
    eye = CounterEye(view_of(7), SeesHands(), labels_of(start))
    show(eye, [drawn(start, seed, men=men) for seed in range(2)])
    image = drawn(start, 5, men=men).astype(np.float32)
    image[:190] *= 0.62  # now it is as light as the bare ground in the sun
    seen = show(eye, [np.asarray(image, np.uint8)], 1.0)
    assert seen.seen.all()
    np.testing.assert_array_equal(seen.squares.argmax(1), labels_of(start))


def test_tall_counters_far_off_the_middle_are_read() -> None:
    start = STARTS[7]
    eye = CounterEye(view_of(7), SeesHands(), labels_of(start))
    show(eye, [drawn(start, seed, rise=0.28) for seed in range(2)])
    later = [drawn(position, 7, off=0.17, rise=0.28) for position in game(start, 6)]
    np.testing.assert_array_equal(show(eye, later, 1.0).squares.argmax(1), labels_of(game(start, 6)[-1]))


def test_where_another_position_stands_it_is_read_all_the_same_and_nothing_is_learnt_from_it() -> None:
    other = game(STARTS[7], 14)[-1]
    eye = eye_on(other, STARTS[7])
    np.testing.assert_array_equal(show(eye, [drawn(other, 5)], 1.0).squares.argmax(1), labels_of(other))
    assert not eye.lessons


def test_one_counter_amiss_at_the_start_is_read_as_it_stands() -> None:
    start = STARTS[7]
    assert isinstance(start, QuadWrangle)
    amiss = QuadWrangle(start.white ^ chess.BB_D7, start.black | chess.BB_D7)
    eye = eye_on(amiss, start)
    assert eye.lessons
    np.testing.assert_array_equal(show(eye, [drawn(amiss, 5)], 1.0).squares.argmax(1), labels_of(amiss))


@pytest.mark.parametrize("side", [7, 8])
def test_rendered_counters_are_read_without_a_mistake(side: int) -> None:
    pytest.importorskip("moderngl", reason="the extra `simulation` is not installed")
    from simulation.counterstill import make_stage, still
    from simulation.render import Renderer

    try:
        renderer = Renderer(1280, 720)
    except Exception as error:  # moderngl raises a plain Exception where there is no EGL
        pytest.skip(f"no EGL here: {error}")
    stage, start = make_stage(5001, side), STARTS[side]
    later = game(start, 4)[-1]
    before, after = still(stage, start, renderer, 1), still(stage, later, renderer, 2)
    renderer.release()
    corners = before.view.to_image([(0, side), (side, side), (side, 0), (0, 0)])
    view = View.from_corners(corners, before.view.size, bend=before.view.bend, side=side)
    eye = CounterEye(view, Reader(), labels_of(start))
    show(eye, [before.picture])
    seen = show(eye, [after.picture], 0.5)
    assert seen.seen.all()
    np.testing.assert_array_equal(seen.squares.argmax(1), labels_of(later))


def busy(image: Picture, cell: chess.Square, tick: int) -> Picture:
    """The picture with something that moves on a cell."""
    file, rank = chess.square_file(cell), chess.square_rank(cell)
    corners = view_of(8).to_image([(file, rank), (file + 1, rank), (file + 1, rank + 1), (file, rank + 1)])
    colour = (40 + 150 * (tick % 2),) * 3
    return np.asarray(cv2.fillConvexPoly(image.copy(), corners.round().astype(np.int32), colour), np.uint8)


def test_a_cell_beside_a_hand_is_seen_while_it_looks_as_it_did_and_its_change_is_dated() -> None:
    start, turned = STARTS[8], chess.C4
    after = Crowded(start.white ^ chess.BB_C4, start.black ^ chess.BB_C4)
    before, changed = drawn(start, 0), drawn(after, 0)
    eye = eye_on(start, start)
    show(eye, [before], 0.5)
    shown = [before] * 5 + [changed] * 10
    looks = [eye.observe(Frame("A", 1 + n / 10, busy(image, chess.C5, n))) for n, image in enumerate(shown)]
    assert all(look.seen[turned] for look in looks[:5])
    assert not any(look.seen[chess.C5] for look in looks[1:])
    assert not any(look.seen[turned] for look in looks[5:])
    calm = [eye.observe(Frame("A", 2.5 + n / 10, changed)) for n in range(6)]
    first = next(look for look in calm if look.seen[turned])
    assert first.squares[turned].argmax() == labels_of(after)[turned] != labels_of(start)[turned]
    assert first.since[turned] == pytest.approx(1.5, abs=0.11)
    assert np.isinf(first.since[chess.A8])
