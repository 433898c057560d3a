import chess
import numpy as np
import pytest

from calibration.view import View, pockets_beside
from quadriglia.boards import place
from quadriglia.demo import SAMPLE
from quadriglia.sight import Sight
from rules.observation import LABELS, labels_of
from vision import teach
from vision.canvas import STRIDE, Canvas
from vision.lean import UNKNOWN
from vision.reader import Reader, board_of
from vision.source import Source

START = labels_of(chess.Board())
N, B = LABELS.index("N"), LABELS.index("B")
SWAPPED = np.where(START == N, B, np.where(START == B, N, START))


def loss(reader: Reader, image: np.ndarray, view: View, labels: np.ndarray) -> float:
    canvas = Canvas.over(view)
    return -float(board_of(reader.read(canvas.warp(image, view)), canvas)[np.arange(64), labels].mean())


def test_a_set_whose_knights_look_like_bishops_is_learnt_from_a_picture_of_its_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {"CANVASES": 8, "EPOCHS": 10, "SHARE": 1.0}.items():
        monkeypatch.setattr(teach, name, value)
    reader = Reader()
    source = Source("A", SAMPLE / "a.mp4")
    view = place(source, None, pockets_beside("h"), Sight(reader)).view
    image = next(iter(source)).image
    known = np.where(LABELS.index("R") == START, UNKNOWN, SWAPPED)
    pupil = teach.taught(reader, image, view, known)
    assert loss(pupil, image, view, SWAPPED) < 0.8 * loss(reader, image, view, SWAPPED)
    canvas = Canvas.over(view)
    columns, rows = np.meshgrid(*(np.arange(side // STRIDE) for side in canvas.size))
    points = canvas.points(np.stack([columns, rows], 2)).reshape(*rows.shape, 2)
    beside = ((points < -0.6) | (points > 8.6)).any(2)
    answer, before = (r.read(canvas.warp(image, view)).labels.argmax(2)[beside] for r in (pupil, reader))
    assert (answer == before).mean() > 0.97, "what is beside the board reads as before"
    assert all((old == new).all() for old, new in zip(Reader().weights(), reader.weights(), strict=True))


def test_the_weights_are_those_of_the_file() -> None:
    reader = Reader()
    again = reader.with_weights(reader.weights())
    assert again.content == reader.content
    view = View.from_corners([(40, 40), (440, 40), (440, 440), (40, 440)], (480, 480))
    canvas = Canvas.over(view).warp(np.random.default_rng(0).integers(0, 255, (480, 480, 3), np.uint8), view)
    none = reader.with_weights([np.zeros_like(weight) for weight in reader.weights()])
    assert not none.read(canvas).logits.any()
    assert again.read(canvas).logits.any()
