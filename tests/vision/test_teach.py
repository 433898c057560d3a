import chess
import numpy as np
import pytest

from calibration.view import View, pockets_beside
from quadriglia.boards import place
from quadriglia.demo import SAMPLE
from quadriglia.sight import Sight
from rules.observation import LABELS, labels_of
from vision import teach
from vision.canvas import SQUARE_CENTRES
from vision.disturb import BRIM
from vision.lean import by_pose
from vision.reader import Floats, Reader
from vision.source import Source
from vision.upright import SIZE, upright

START = labels_of(chess.Board())
N, B, R = (LABELS.index(letter) for letter in "NBR")
SWAPPED = np.where(START == N, B, np.where(START == B, N, START))
TAUGHT = np.isin(SWAPPED, [N, B]) & (np.arange(64) < 4)  # one knight and one bishop
ASKED = np.isin(SWAPPED, [N, B]) & ~TAUGHT  # and the others, who were not shown


def read(reader: Reader, image: np.ndarray, view: View, squares: np.ndarray) -> Floats:
    """(n, 13) log-probabilities."""
    logits, *_ = reader.look_closer(upright(image, view, SQUARE_CENTRES[squares], by_pose(view)))
    return np.asarray(logits - np.logaddexp.reduce(logits, 1, keepdims=True), np.float32)


@pytest.fixture(scope="module")
def table() -> tuple[np.ndarray, View]:
    """A picture of the start position, and where the board lies in it."""
    source = Source("A", SAMPLE / "a.mp4")
    return next(iter(source)).image, place(source, None, pockets_beside("h"), Sight(Reader())).view


def shown(table: tuple[np.ndarray, View], squares: np.ndarray) -> teach.Shown:
    """Squares of the picture, as of a set whose knights look like bishops."""
    image, view = table
    return teach.Shown(upright(image, view, SQUARE_CENTRES[squares], by_pose(view), BRIM), SWAPPED[squares])


def test_a_set_whose_knights_look_like_bishops_is_learnt_from_a_picture_of_its_start(
    monkeypatch: pytest.MonkeyPatch, table: tuple[np.ndarray, View]
) -> None:
    monkeypatch.setattr(teach, "FIRST", 24)
    reader = Reader()
    start = shown(table, TAUGHT | ~np.isin(SWAPPED, [N, B, R]))
    pupil = teach.taught(reader, start, teach.Shown(start.cuts[:0], start.labels[:0]), 0)
    before, after = (read(r, *table, ASKED)[np.arange(2), SWAPPED[ASKED]] for r in (reader, pupil))
    assert (after > before + 2).all()
    rooks = START == R
    assert (read(pupil, *table, rooks).argmax(1) == R).all(), "who was not shown reads as before"
    assert all((old == new).all() for old, new in zip(Reader().weights(), reader.weights(), strict=True))


def test_who_has_come_to_stand_elsewhere_is_learnt_beside_the_start_position(table: tuple[np.ndarray, View]) -> None:
    reader = Reader()
    start = shown(table, ~np.isin(SWAPPED, [N, B]) & (np.arange(64) % 3 > 0))
    pupils = [teach.taught(reader, start, shown(table, TAUGHT), number) for number in (1, 1, 2)]
    assert pupils[0].content == pupils[1].content != pupils[2].content
    before, after = (read(r, *table, ASKED)[np.arange(2), SWAPPED[ASKED]] for r in (reader, pupils[0]))
    assert (after > before + 2).all()
    rooks = START == R
    assert (read(pupils[0], *table, rooks).argmax(1) == R).all(), "who was not shown reads as before"


def test_the_weights_are_those_of_the_file() -> None:
    reader = Reader()
    again = reader.with_weights(reader.weights())
    assert again.content == reader.content
    men = np.random.default_rng(0).integers(0, 255, (2, *SIZE[::-1], 3), np.uint8)
    none = reader.with_weights([np.zeros_like(weight) for weight in reader.weights()])
    assert not none.look_closer(men)[0].any()
    assert again.look_closer(men)[0].any()
