"""What the second network learns from."""

from pathlib import Path

import chess
import cv2
import numpy as np
import pytest

from calibration.view import View
from rules.observation import EMPTY, LABELS
from simulation.truth import COLUMNS, ROWS
from vision.upright import BASE, SIZE, SQUARE

pytest.importorskip("torch", reason="the extra `train` is not installed")

from models.data import Board
from models.mendata import BEHIND, MOST, NOTHING, covered, of_scene
from models.photos import Photo
from models.train_base import MOST as LOOKED_FOR
from models.train_base import looked_for
from models.train_lies import of_board

VIEW = View.from_corners([(80, 80), (400, 80), (400, 400), (80, 400)], (480, 480))
KNIGHT = LABELS.index("n")


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """White discs at the bases of knights, one hidden, one lying, one beside the board."""
    image = np.zeros((480, 480, 3), np.uint8)
    points = [(x + 0.5, y + 0.5) for x in range(0, 8, 2) for y in range(0, 8, 2)] + [(8.8, 4.0)]
    for x, y in VIEW.to_image(points).round().astype(int).tolist():
        cv2.circle(image, (x, y), 7, (255, 255, 255), -1)
    cv2.imwrite(str(tmp_path / "scene.png"), image)
    pieces = [(KNIGHT, x, y, number == 1, 0.1 if number == 0 else 1.0) for number, (x, y) in enumerate(points)]
    return Board(tmp_path / "scene.png", VIEW.homography, pieces, np.ones((ROWS, COLUMNS)))


def test_men_who_stand_and_are_seen_are_cut_out_about_their_bases(board: Board) -> None:
    cut = of_scene(board, 0, 0, np.random.default_rng(0))
    men = cut.labels == KNIGHT
    assert men.sum() == 15
    assert 0 < (cut.labels == EMPTY).sum() <= NOTHING + BEHIND
    assert len(cut.men) == len(cut.labels) == len(cut.weights) == len(cut.picture) <= MOST
    assert cut.men.shape[1:] == (SIZE[1], SIZE[0], 3)
    x, y = BASE.astype(int)
    middles = cut.men[:, y - 6 : y + 7, x - 6 : x + 7].mean((1, 2, 3))
    assert middles[men].min() > middles[~men].max()


def test_only_the_start_position_teaches_and_only_on_its_board(board: Board) -> None:
    rng = np.random.default_rng(0)
    assert set(of_scene(board, 3, 0, rng).picture.tolist()) == {3, -1}
    assert set(of_scene(board, 4, 0, rng).picture.tolist()) == {4}


def test_men_looked_for_beside_their_bases_are_told_where_these_are(board: Board) -> None:
    men, off = looked_for(board, np.random.default_rng(0))
    assert len(men) == len(off) == min(15, LOOKED_FOR)
    assert np.abs(off).max() > 0.2
    places = BASE + SQUARE * off
    whole = ((places > 8) & (places < np.array(SIZE) - 8)).all(1)
    assert whole.sum() > 10
    for man, (x, y) in zip(men[whole], places[whole], strict=True):
        bright = np.argwhere(man.mean(2) > (float(man.max()) + float(np.median(man))) / 2)[:, ::-1]
        near = bright[np.hypot(*(bright - (x, y)).T) < SQUARE / 3]
        np.testing.assert_allclose(near.mean(0), (x, y), atol=2.5)


def test_of_men_who_are_seen_it_is_known_who_lies(board: Board) -> None:
    found = of_board(board, np.random.default_rng(0))
    assert found.lies.tolist().count(1) == 1
    assert len(found.men) == len(found.lies) == len(found.weights) == 16
    assert (found.weights == 1).all()


def test_an_empty_square_is_covered_where_the_man_before_it_is_seen(tmp_path: Path) -> None:
    low = View.from_corners([(200, 150), (440, 150), (540, 400), (100, 400)], (640, 480))
    labels = np.full(64, EMPTY)
    labels[chess.E1] = LABELS.index("K")
    bare = np.array([chess.D1, chess.E2, chess.E4, chess.F2])
    assert covered(Photo(tmp_path / "photo.jpg", low, labels, None), bare).tolist() == [False, True, False, False]
