"""Tags laid at the corners of a board, found and printed."""

from itertools import product
from pathlib import Path

import chess
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.tags import DICTIONARY, FIRST, PLACES, TagsMissingError, find_tags, print_tags, view_by_tags
from calibration.view import View

SIZE = (1280, 720)
VIEW = View.from_corners([(420, 140), (820, 150), (900, 600), (330, 590)], SIZE)
SPOTS = ((0, 8), (8, 8), (8, 0), (0, 0), (9.8, 0.7), (12, 3.2), (9.8, 4.7), (12, 7.5))


def table(board: str, spots: dict[int, tuple[float, float]], turn: float = 0.3) -> NDArray[np.uint8]:
    """A grey table with papers of 0.7 squares whose marked corners lie at `spots` (board coordinates)."""
    image = np.full((*SIZE[::-1], 3), 130, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    for number, (x, y) in spots.items():
        tag = cv2.aruco.generateImageMarker(dictionary, FIRST[board] + number, 80)
        paper = cv2.cvtColor(
            cv2.copyMakeBorder(tag, 10, 10, 10, 10, cv2.BORDER_CONSTANT, value=255), cv2.COLOR_GRAY2BGR
        )
        angle = turn + np.arctan2(4 - y, 4 - x) + np.pi / 4  # away from the board, more or less
        side = 0.7 / 100
        along = np.array([np.cos(angle), np.sin(angle)]) * side
        down = np.array([along[1], -along[0]])
        start = np.array([x, y]) - 100 * (along + down)
        matrix = np.array([[along[0], down[0], start[0]], [along[1], down[1], start[1]], [0, 0, 1]])
        laid = cv2.warpPerspective(paper, VIEW.homography @ matrix, SIZE, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full((100, 100), 255, np.uint8), VIEW.homography @ matrix, SIZE)
        image[mask > 127] = laid[mask > 127]
    return image


@pytest.mark.parametrize(("board", "turn"), [*product("AB", (0.0, 0.5))])
def test_tags_give_board_and_pockets(board: str, turn: float) -> None:
    found = find_tags(table(board, dict(enumerate(SPOTS)), turn))
    assert found.keys() == {board}
    view = view_by_tags(found[board], SIZE)
    assert np.abs(view.corners() - VIEW.corners()).max() < 3
    white = view.pockets[chess.WHITE]
    assert (white.x0, white.y0, white.x1, white.y1) == pytest.approx((9.8, 0.7, 12, 3.2), abs=0.1)
    assert set(view.pockets) == {chess.WHITE, chess.BLACK}


def test_missing_tags_are_named() -> None:
    found = find_tags(table("A", {0: SPOTS[0], 2: SPOTS[2]}))
    with pytest.raises(TagsMissingError) as error:
        view_by_tags(found["A"], SIZE)
    assert error.value.seen == ("a8", "h1")
    assert find_tags(table("A", {})) == {}


def test_the_sheet_is_one_page(tmp_path: Path) -> None:
    print_tags(tmp_path / "tags.pdf", "A", {place: place for place in PLACES}, "Board A")
    text = (tmp_path / "tags.pdf").read_bytes()
    assert text.startswith(b"%PDF")
    assert text.count(b"/Type /Page\n") == 1
