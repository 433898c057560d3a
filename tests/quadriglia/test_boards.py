"""Corners: given, found, pooled."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.find import BoardNotFoundError, Found
from calibration.view import View, pockets_beside
from quadriglia.boards import check_corners, parse_corners, place, pool, search, view_by_corners
from quadriglia.errors import UserError
from quadriglia.sight import Sight
from vision.source import Source

SIGHT = Sight(None)  # type: ignore[arg-type]  # nothing is read here
SQUARE = np.array([(8, 8), (56, 8), (56, 56), (8, 56)], np.float64)


def key_of(action: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(UserError) as caught:
        action(*arguments)
    return caught.value.key


def test_corners_from_text() -> None:
    assert parse_corners("8,8 56,8  56,56 8,56.5").tolist() == [[8, 8], [56, 8], [56, 56], [8, 56.5]]
    for text in ("", "1,2 3,4 5,6", "1,2 3,4 5,6 7", "a,b c,d e,f g,h", "1,2,3 4,5,6 7,8,9 1,2,3", "0,0 nan,1 1,1 0,1"):
        assert key_of(parse_corners, text) == "corners_form", text


def test_corners_have_to_lie_in_the_picture_and_run_round_the_board() -> None:
    check_corners(SQUARE, (64, 64))
    check_corners(np.roll(SQUARE, 1, 0), (64, 64))
    assert key_of(check_corners, SQUARE + 30, (64, 64)) == "corners_outside"
    assert key_of(check_corners, SQUARE - 20, (64, 64)) == "corners_outside"
    assert key_of(check_corners, SQUARE[::-1], (64, 64)) == "corners_order"
    assert key_of(check_corners, SQUARE[[0, 2, 1, 3]], (64, 64)) == "corners_order"
    assert key_of(check_corners, np.full((4, 2), 8.0), (64, 64)) == "corners_order"


def test_a_wrong_look_does_not_pull_the_others() -> None:
    turned = np.roll(SQUARE, 1, 0)
    looks = [View.from_corners(corners, (64, 64), bend=0.02) for corners in (SQUARE + 0.2, turned, SQUARE - 0.2)]
    assert pool(looks).corners() == pytest.approx(SQUARE, abs=1e-3)
    assert pool(looks).bend == 0.02


def test_corners_are_looked_for_again_until_found(film: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def late(image: Any) -> Found:
        asked.append(float(image.mean()))
        if len(asked) == 1:
            raise BoardNotFoundError("not yet")
        corners = SQUARE if len(asked) > 2 else SQUARE + 30
        return Found(View.from_corners(corners, (64, 64)), 0.9, orientation_sure=len(asked) > 2)

    monkeypatch.setattr("quadriglia.sight.find_board", late)
    monkeypatch.setattr("quadriglia.sight.facing", lambda _image, corners, _reader: (corners, False))
    assert search(Source("A", film("a.mp4", 4)), SIGHT)[0].corners() == pytest.approx(SQUARE, abs=1e-3)
    # Half a second apart, and no more than needed.
    assert len(asked) == 5
    assert np.diff(asked) == pytest.approx([5] * 4, abs=2.5)


def test_no_board_in_the_first_seconds(script: Any, film: Callable[..., Path]) -> None:
    script.found = False
    assert key_of(search, Source("B", film("b.mp4")), SIGHT) == "board_not_found"


@pytest.mark.usefixtures("script")
def test_place(film: Callable[..., Path]) -> None:
    source = Source("A", film("a.mp4"))
    found, given = (
        place(source, None, pockets_beside("a"), SIGHT),
        place(source, view_by_corners(SQUARE + 1, (64, 64)), None, SIGHT),
    )
    assert (found.found, given.found) == (True, False)
    assert given.view.corners() == pytest.approx(SQUARE + 1, abs=1e-3)
    assert given.view.size == (64, 64)
    assert all(region.x1 < 0 for region in found.view.pockets.values())
    assert key_of(view_by_corners, SQUARE * 10, (64, 64)) == "corners_outside"
