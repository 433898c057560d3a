"""Boards drawn in perspective, and real photographs where they are at hand."""

import json
from pathlib import Path

import chess
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.evaluate import judge, worst
from calibration.find import BoardNotFoundError, find_board, find_boards
from calibration.view import View

SHARED = Path(__file__).parents[2] / ".." / "shared" / "photos"
SIZE = (960, 720)


def drawn(turns: int, tilt: float, board: chess.Board | None = None) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A board with disc pieces seen from a slant, a1 turned by quarter turns; the picture and its corners."""
    scale = 60
    flat = np.full((12 * scale, 12 * scale, 3), (96, 120, 140), np.uint8)
    rng = np.random.default_rng(turns)
    flat = np.clip(flat + rng.normal(0, 6, flat.shape), 0, 255).astype(np.uint8)
    cv2.rectangle(flat, (100, 100), (620, 620), (60, 80, 100), -1)
    for square in chess.SQUARES:
        x, y = 120 + 60 * chess.square_file(square), 540 - 60 * chess.square_rank(square)
        light = (chess.square_file(square) + chess.square_rank(square)) % 2
        cv2.rectangle(flat, (x, y), (x + 59, y + 59), (170, 210, 225) if light else (70, 100, 130), -1)
    for square, piece in (board or chess.Board()).piece_map().items():
        x, y = 150 + 60 * chess.square_file(square), 570 - 60 * chess.square_rank(square)
        grey = (215, 235, 245) if piece.color else (35, 30, 30)
        cv2.circle(flat, (x, y), 19, tuple(c // 3 for c in grey), -1, cv2.LINE_AA)
        cv2.circle(flat, (x + 3, y - 6), 17, grey, -1, cv2.LINE_AA)
    corners = np.array([(120, 120), (600, 120), (600, 600), (120, 600)], np.float32)
    square_on = np.array([(130, 40), (830, 60), (900 + tilt, 690), (60 - tilt, 660)], np.float32)
    plane = np.array([(40, 40), (680, 40), (680, 680), (40, 680)], np.float32)
    matrix = cv2.getPerspectiveTransform(plane, np.roll(square_on, turns, 0))
    image = cv2.warpPerspective(flat, matrix, SIZE, flags=cv2.INTER_AREA, borderValue=(90, 110, 130))
    image = np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)
    truth = cv2.perspectiveTransform(corners.reshape(-1, 1, 2), matrix).reshape(4, 2)
    return image, np.asarray(truth, np.float64)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("tilt", [-60.0, 40.0])
def test_the_start_position_is_found_whichever_way_it_lies(turns: int, tilt: float) -> None:
    image, truth = drawn(turns, tilt)
    found = find_board(image)
    assert worst(found.corners(), truth) < 0.1
    assert found.orientation_sure


def test_a_board_in_play_is_found_though_its_sides_are_a_guess() -> None:
    image, truth = drawn(0, 0.0, chess.Board("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 1"))
    found = find_board(image)
    assert min(worst(np.roll(found.corners(), turn, 0), truth) for turn in (0, 2)) < 0.1


def test_corners_given_by_hand_make_the_same_view() -> None:
    _, truth = drawn(1, 0.0)
    view = View.from_corners(truth, SIZE)
    np.testing.assert_allclose(view.corners(), truth, atol=1e-3)
    np.testing.assert_allclose(view.to_image([(0, 8), (8, 0)]), truth[[0, 2]], atol=1e-3)


def test_several_boards_are_told_apart() -> None:
    left, one = drawn(0, 0.0)
    right, two = drawn(2, -40.0, chess.Board("8/8/8/8/8/8/8/8 w - - 0 1"))
    small = cv2.resize(right, (720, 540), interpolation=cv2.INTER_AREA)
    image = np.full((720, 1680, 3), 100, np.uint8)
    image[:, :960] = left
    image[90:630, 960:] = small
    boards = find_boards(image)
    assert [worst(np.roll(boards[0].corners(), turn, 0), one) < 0.1 for turn in (0, 2)].count(True) == 1
    placed = two * 0.75 + [960, 90]
    assert min(worst(np.roll(boards[1].corners(), turn, 0), placed) for turn in range(4)) < 0.1
    assert len(boards) == 2
    assert worst(find_board(image).corners(), one) < 0.1  # the larger one


@pytest.mark.parametrize("kind", ["blank", "noise", "stripes", "grid of dots"])
def test_no_board_is_said(kind: str) -> None:
    rng = np.random.default_rng(3)
    image = np.full((480, 640, 3), 120, np.uint8)
    if kind == "noise":
        image = rng.integers(0, 256, image.shape).astype(np.uint8)
    if kind == "stripes":
        image[:, ::20] = 255
    if kind == "grid of dots":
        for x in range(40, 640, 40):
            for y in range(40, 480, 40):
                cv2.circle(image, (x, y), 6, (20, 20, 20), -1)
    with pytest.raises(BoardNotFoundError) as caught:
        find_board(image)
    assert "by hand" in str(caught.value)


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="uint8"):
        find_board(np.zeros((480, 640, 3), np.float32))
    with pytest.raises(ValueError, match="uint8"):
        find_board(np.zeros((480, 640), np.uint8))
    with pytest.raises(BoardNotFoundError, match="640x480"):
        find_board(np.zeros((50, 60, 3), np.uint8))


def test_real_boards_in_play() -> None:
    folder = SHARED / "train" / "afka-grey-background"
    if not folder.exists():
        pytest.skip("needs the shared photographs")
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    report = judge(folder, [row for row in rows if row.get("corners")][::8])
    assert report["found"] * report["near"] >= 0.7, report
