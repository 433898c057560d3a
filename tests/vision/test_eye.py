from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

import chess
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View, pockets_beside
from rules.observation import EMPTY, LABELS, Certain, Observation, labels_of
from vision import album
from vision.canvas import STRIDE
from vision.eye import Eye
from vision.frame import Frame
from vision.lean import by_pose
from vision.reader import FEATURES, HIDDEN, Answer, Floats, Reader
from vision.upright import bases_of

CORNERS = [(40, 40), (440, 40), (440, 440), (40, 440)]
VIEW = View.from_corners(CORNERS, (480, 480))
GROUND = 90


START = labels_of(chess.Board())


class BrightIsPawn(Reader):
    """Reads a white pawn where the place is bright, and a hand where it is black."""

    def __init__(self) -> None:
        self.manifest = {"temperature": 1.0, "adapted_temperature": 1.0, "strength": 1.0, "reluctance": 1.0}
        self.closer = {"strength": 1.0, "reluctance": 1.0}
        self.readings = 0
        self.pixels: list[int] = []
        self.looks: list[int] = []
        self.doubt = -8.0  # log-likelihood of nobody where it reads a pawn
        self.off = (0.0, 0.0)  # squares right and down at which bases are seen of men cut out

    def read(self, canvas: NDArray[np.uint8]) -> Answer:
        self.readings += 1
        self.pixels.append(canvas.shape[0] * canvas.shape[1])
        spot = cv2.blur(canvas[..., 0], (9, 9))[::STRIDE, ::STRIDE]
        labels = np.full((*spot.shape, HIDDEN + 1), -8.0, np.float32)
        kind = np.where(spot > 200, LABELS.index("P"), np.where(spot < 20, HIDDEN, EMPTY))
        labels[..., EMPTY] = self.doubt
        np.put_along_axis(labels, kind[..., None], -0.01, 2)
        return Answer(labels, np.zeros((*spot.shape, 2), np.float32), labels, labels, labels[..., 0])

    def look_closer(self, men: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats]:
        """To whom all is one."""
        self.looks.append(len(men))
        logits, features = np.zeros((len(men), len(LABELS)), np.float32), np.ones((len(men), FEATURES), np.float32)
        return logits, features, np.tile(np.array(self.off, np.float32), (len(men), 1)), np.zeros(len(men), np.float32)


def picture(pawns: dict[tuple[int, int], int]) -> NDArray[np.uint8]:
    image = np.full((480, 480, 3), GROUND, np.uint8)
    for (file, rank), grey in pawns.items():
        cv2.circle(image, (65 + 50 * file, 415 - 50 * rank), 18, (grey, grey, grey), -1)
    return image


def show(eye: Eye, image: NDArray[np.uint8], start: float, seconds: float) -> list[Observation]:
    rng = np.random.default_rng(int(start * 100))
    times = np.arange(start, start + seconds, 1 / 30)
    noise = [rng.normal(0, 2, image.shape) for _ in range(4)]
    frames = [np.clip(image + noise[i % 4], 0, 255).astype(np.uint8) for i in range(len(times))]
    return [eye.observe(Frame("A", float(t), frame)) for t, frame in zip(times, frames, strict=True)]


def test_a_piece_that_moved_is_read_where_it_came_to_rest() -> None:
    eye = Eye(VIEW, BrightIsPawn(), START)
    before = show(eye, picture({(4, 1): 255}), 0.0, 0.5)[-1]
    assert before.seen.all()
    assert before.squares[12].argmax() == LABELS.index("P")
    after = show(eye, picture({(4, 3): 255}), 0.5, 0.5)
    assert not after[0].seen[[12, 28]].any()  # it has just moved
    assert after[0].seen[56]  # far from it all is at rest
    assert after[-1].seen.all()
    assert after[-1].squares[28].argmax() == LABELS.index("P")
    assert after[-1].squares[12].argmax() == EMPTY


def test_what_both_networks_say_of_a_man_goes_with_him() -> None:
    eye = Eye(VIEW, BrightIsPawn(), START)
    show(eye, picture({(4, 1): 255}), 0.0, 0.5)
    after = show(eye, picture({(4, 3): 255}), 0.5, 0.5)[-1]
    first, second = after.features[:, :-FEATURES], after.features[:, -FEATURES:]
    assert first.shape == (64, HIDDEN + 1)
    assert first[28].any()
    assert second[28].all()
    assert not np.delete(second, 28, 0).any()


def test_what_changed_beside_something_that_moves_is_read_as_soon_as_that_rests() -> None:
    eye = Eye(VIEW, BrightIsPawn(), START)
    show(eye, picture({}), 0.0, 0.5)
    beside = [picture({(3, 3): 255}) for _ in range(2)]
    for image, grey in zip(beside, (60, 140), strict=True):  # a finger trembles above the pawn that it has put down
        cv2.circle(image, (215, 222), 3, (grey, grey, grey), -1)
    trembling = [eye.observe(Frame("A", 0.5 + n / 30, beside[n % 2])) for n in range(15)]
    assert not any(look.seen[chess.D4] for look in trembling)
    after = show(eye, picture({(3, 3): 255}), 1.0, 0.4)
    assert all(look.squares[chess.D4].argmax() == LABELS.index("P") for look in after if look.seen[chess.D4])
    assert after[-1].seen[chess.D4]


def test_what_a_hand_covers_is_not_seen_though_it_rests() -> None:
    eye = Eye(VIEW, BrightIsPawn(), START)
    show(eye, picture({(4, 1): 255}), 0.0, 0.5)
    covered = show(eye, picture({(4, 1): 0}), 0.5, 0.6)[-1]
    assert not covered.seen[12]
    assert covered.seen[0]
    assert covered.hand


def test_a_still_picture_is_read_about_once_a_second() -> None:
    reader = BrightIsPawn()
    show(Eye(VIEW, reader, START), picture({(4, 1): 255}), 0.0, 4.0)
    assert 3 <= reader.readings <= 6


def test_only_the_surroundings_of_what_changed_are_read() -> None:
    reader = BrightIsPawn()
    eye = Eye(VIEW, reader, START)
    pawns = {(4, 1): 255, (0, 7): 255, (7, 0): 255}
    show(eye, picture(pawns), 0.0, 0.5)
    whole, reader.pixels = reader.pixels[0], []
    after = show(eye, picture({(4, 3): 255, (0, 7): 255, (7, 0): 255}), 0.5, 0.5)[-1]
    assert 0 < sum(reader.pixels) < 0.5 * whole
    read = [chess.square_name(s) for s in chess.SQUARES if after.squares[s].argmax() == LABELS.index("P")]
    assert read == ["h1", "e4", "a8"]


def test_what_was_read_doubtfully_is_read_again_though_elsewhere_something_always_changes() -> None:
    reader = BrightIsPawn()
    eye = Eye(VIEW, reader, START)
    show(eye, picture({(4, 1): 255}), 0.0, 0.5)
    reader.doubt = -0.3
    doubtful = show(eye, picture({(4, 3): 255}), 0.5, 0.4)[-1]
    reader.doubt = -8.0
    for blink in range(5):
        after = show(eye, picture({(4, 3): 255, (0, 7): 255 * (blink % 2) or GROUND}), 0.9 + 0.3 * blink, 0.3)[-1]
    assert doubtful.probabilities()[chess.E4].max() < 0.7
    assert after.probabilities()[chess.E4].max() > 0.8


def test_while_the_view_does_not_fit_nothing_is_misread_and_then_it_is_read_where_it_lies_now() -> None:
    board = chequer()
    eye = Eye(VIEW, BrightIsPawn(), START)
    before = show(eye, board, 0.0, 0.5)[-1]
    assert before.camera == "steady"
    assert before.seen[28]
    bumped = np.roll(board, (9, 14), (0, 1))
    after = show(eye, bumped, 0.5, 2.0)
    fits = next(n for n, look in enumerate(after) if look.shift)
    for look in after[:fits]:  # what shows no change is as it was
        assert (look.squares.argmax(1) == before.squares.argmax(1))[look.seen].all()
    assert after[-1].camera == "steady"
    assert after[-1].seen.all()
    assert after[-1].shift > 0.2
    assert after[-1].squares[28].argmax() == LABELS.index("P")


def chequer() -> NDArray[np.uint8]:
    """A board with one bright pawn on e4."""
    image = np.full((480, 480, 3), GROUND, np.uint8)
    for file in range(8):
        for rank in range(8):
            x, y = 40 + 50 * file, 390 - 50 * rank
            image[y : y + 50, x : x + 50] = 150 if (file + rank) % 2 else 60
    cv2.circle(image, (265, 265), 18, (255, 255, 255), -1)
    return image


class Taught(BrightIsPawn):
    """Whose second network has learnt that all are knights."""

    def look_closer(self, men: NDArray[np.uint8]) -> tuple[Floats, Floats, Floats, Floats]:
        """To whom all are knights."""
        logits, features, bases, lying = super().look_closer(men)
        logits[:, LABELS.index("N")] = 9
        return logits, features, bases, lying


@pytest.mark.parametrize("fault", [None, MemoryError()])
def test_the_board_is_looked_at_anew_once_the_second_network_has_learnt_the_set(fault: Exception | None) -> None:
    lesson = Future[Reader]()
    asked: list[Callable[[], Reader]] = []

    def school(work: Callable[[], Reader]) -> Future[Reader]:
        asked.append(work)
        return lesson

    start = np.full(64, EMPTY)
    start[[12, 28]] = LABELS.index("P")
    eye = Eye(VIEW, BrightIsPawn(), start, school)
    before = show(eye, picture({(4, 1): 255, (4, 3): 255}), 0.0, 0.5)[-1]
    assert len(asked) == 1
    assert before.squares[12].argmax() == LABELS.index("P")
    assert before.features.shape == (64, 0), "they would not compare with those after"
    if fault:
        lesson.set_exception(fault)
    else:
        lesson.set_result(Taught())
    after = show(eye, picture({(4, 1): 255, (4, 3): 255}), 0.5, 0.5)[-1]
    assert after.seen.all()
    assert after.squares[12].argmax() == LABELS.index("P" if fault else "N")
    assert after.features.shape[1] > 0


def test_the_second_network_is_taught_again_by_who_has_come_and_nothing_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(album, "ENOUGH", 2)
    lessons: list[Future[Reader]] = []

    def school(work: Callable[[], Reader]) -> Future[Reader]:
        del work
        lessons.append(Future())
        return lessons[-1]

    start = np.full(64, EMPTY)
    start[[12, 28]] = LABELS.index("P")
    eye = Eye(VIEW, BrightIsPawn(), start, school)
    show(eye, picture({(4, 1): 255, (4, 3): 255}), 0.0, 0.5)
    lessons[0].set_result(BrightIsPawn())
    show(eye, picture({(4, 2): 255, (4, 4): 255}), 0.5, 0.5)
    came = np.full(64, EMPTY)
    came[[chess.E3, chess.E5]] = LABELS.index("P")
    eye.learn(Certain(0.45, came, came != EMPTY))
    assert len(lessons) == 1, "they had not come yet"
    eye.learn(Certain(0.95, came, came != EMPTY))
    assert len(lessons) == 2
    meanwhile = show(eye, picture({(4, 2): 255, (4, 4): 255}), 1.0, 0.3)[-1]
    assert meanwhile.squares[chess.E3].argmax() == LABELS.index("P")
    assert meanwhile.features.shape[1] > 0
    lessons[1].set_result(Taught())
    after = show(eye, picture({(4, 2): 255, (2, 4): 255}), 1.3, 0.5)[-1]
    assert after.squares[chess.C5].argmax() == LABELS.index("N")


def test_who_is_known_in_a_reserve_reads_as_who_he_is_from_then_on() -> None:
    reader, view = BrightIsPawn(), View.from_corners(CORNERS, (720, 480))
    eye = Eye(replace(view, pockets=pockets_beside("h")), reader, START)
    table = np.full((480, 720, 3), GROUND, np.uint8)
    cv2.circle(table, (515, 265), 18, (255, 255, 255), -1)
    before = show(eye, table, 0.0, 0.5)[-1].pockets[chess.WHITE]
    assert [LABELS[row.argmax()] for row in before.pieces] == ["P"]
    x, y = before.centres[0].tolist()
    nothing, label = np.zeros(64, np.bool_), LABELS.index("B")
    eye.learn(Certain(0.4, START, nothing, ((x, y + 0.5, label),)))
    after = show(eye, table, 0.5, 1.2)[-1].pockets[chess.WHITE]
    assert [LABELS[row.argmax()] for row in after.pieces] == ["P"], "nobody stands there"
    eye.learn(Certain(0.4, START, nothing, ((x, y, label),)))
    after = show(eye, table, 1.7, 1.2)[-1].pockets[chess.WHITE]
    assert [LABELS[row.argmax()] for row in after.pieces] == ["B"]
    assert np.abs(after.centres - before.centres).max() < 0.05


def test_where_a_man_stands_the_second_network_tells() -> None:
    reader = BrightIsPawn()
    reader.off = (0.25, -0.1)
    seen = show(Eye(VIEW, reader, START), picture({(4, 1): 255}), 0.0, 0.5)[-1]
    (base,) = bases_of(VIEW, [(4.5, 1.5)], by_pose(VIEW), [reader.off])
    np.testing.assert_allclose(seen.offsets[chess.E2], base - (4.5, 1.5), atol=0.02)
    assert np.hypot(*seen.offsets[chess.E2]) > 0.2
    assert not np.delete(seen.offsets, chess.E2, 0).any()


def test_where_a_man_stands_whom_another_hides_is_not_told() -> None:
    low = View.from_corners([(150, 200), (330, 200), (470, 380), (10, 380)], (480, 480))
    image = np.full((480, 480, 3), GROUND, np.uint8)
    for x, y in low.to_image([(4.5, 1.5), (4.5, 2.5), (1.5, 2.5)]).round().astype(int).tolist():
        cv2.circle(image, (x, y), 12, (255, 255, 255), -1)
    seen = show(Eye(low, BrightIsPawn(), START), image, 0.0, 0.5)[-1]
    for hidden in (np.isnan(seen.offsets[:, 0]), seen.behind):
        assert hidden[chess.E3]
        assert not hidden[[chess.E2, chess.B3]].any()
    assert not np.isnan(
        show(Eye(VIEW, BrightIsPawn(), START), picture({(4, 1): 255, (4, 2): 255}), 0.0, 0.5)[-1].offsets
    ).any()
