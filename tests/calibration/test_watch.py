"""The watch over a view: bumps, sags, hands, a dark and a frozen picture."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View
from calibration.watch import Glance, Watch

SIZE = (640, 480)
CORNERS = [(140, 70), (480, 60), (540, 420), (90, 410)]
VIEW = View.from_corners(CORNERS, SIZE)
Picture = NDArray[np.uint8]


def scene(men: int = 20) -> Picture:
    """A board with some men on a plain table."""
    flat = np.full((480, 480, 3), 120, np.uint8)
    for file in range(8):
        for rank in range(8):
            flat[40 + 50 * rank : 90 + 50 * rank, 40 + 50 * file : 90 + 50 * file] = 60 if (file + rank) % 2 else 200
    rng = np.random.default_rng(1)
    for number in rng.permutation(64)[:men]:
        grey = 240 if number % 3 else 20
        cv2.circle(flat, (65 + 50 * int(number % 8), 65 + 50 * int(number // 8)), 18, (grey, grey, grey), -1)
    corners = np.array([[40, 40], [440, 40], [440, 440], [40, 440]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, np.array(CORNERS, np.float32))
    return np.asarray(
        cv2.warpPerspective(flat, matrix, SIZE, flags=cv2.INTER_AREA, borderValue=(90, 100, 110)), np.uint8
    )


def moved(image: Picture, right: float, down: float, degrees: float = 0.0) -> Picture:
    matrix = cv2.getRotationMatrix2D((320, 240), degrees, 1.0)
    matrix[:, 2] += np.array([right, down])
    return np.asarray(cv2.warpAffine(image, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def play(watch: Watch, images: list[Picture], start: float) -> list[Glance]:
    """Look at pictures, 20 a second, each with noise of its own."""
    rng = np.random.default_rng(int(100 * start))
    noisy = [np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8) for image in images]
    return [watch.look(image, start + number / 20) for number, image in enumerate(noisy)]


def apart(view: View, right: float, down: float) -> float:
    return float(np.abs(view.corners() - VIEW.corners() - [right, down]).max())


def test_a_view_that_fits_stays_as_it_is() -> None:
    looks = play(Watch(VIEW), [scene()] * 10, 0)
    assert {look.state for look in looks} == {"steady"}
    assert looks[-1].view is VIEW
    assert looks[-1].shift == 0


@pytest.mark.parametrize(("right", "down"), [(12, 0), (-9, 8), (40, 20), (70, -30)])
def test_after_a_bump_nothing_is_seen_until_the_view_fits_again(right: float, down: float) -> None:
    watch = Watch(VIEW)
    play(watch, [scene()] * 5, 0)
    after = play(watch, [moved(scene(), right, down)] * 50, 0.25)
    blind = next(n for n, look in enumerate(after) if look.state != "steady")
    assert blind <= 4  # a fifth of a second, for which the change alone keeps the eye from reading
    steady = next(n for n, look in enumerate(after) if look.state == "steady" and n > blind)
    assert all(look.state == "steady" for look in after[steady:])
    assert apart(after[steady].view, right, down) < 5  # a tenth of a square
    assert after[-1].shift == pytest.approx(np.hypot(right, down) / 44, rel=0.35)


def test_a_slow_sag_is_followed() -> None:
    watch = Watch(VIEW)
    looks = play(watch, [moved(scene(), 0, n * 0.15) for n in range(200)], 0)
    for number, look in enumerate(looks):
        assert apart(look.view, 0, number * 0.15) < 11  # a quarter of a square
    assert looks[-1].shift > 0.3


def test_an_arm_does_not_move_the_view() -> None:
    watch = Watch(VIEW)
    play(watch, [scene()] * 5, 0)
    arms = []
    for n in range(60):
        image = scene()
        cv2.line(image, (600, 470), (480 - 4 * n, 300 - 2 * n), (90, 120, 180), 70)
        arms.append(image)
    looks = play(watch, [*arms, *[scene()] * 20], 0.25)
    assert looks[-1].state == "steady"
    assert {look.view for look in looks} == {VIEW}


def test_men_come_and_go_without_a_shift() -> None:
    watch = Watch(VIEW)
    for number, men in enumerate((30, 20, 10, 4)):
        looks = play(watch, [scene(men)] * 50, 3.0 * number)
    assert looks[-1].state == "steady"
    assert looks[-1].view is VIEW


def test_a_board_that_is_gone_is_lost_until_it_is_back() -> None:
    watch = Watch(VIEW)
    play(watch, [scene()] * 5, 0)
    gone = play(watch, [np.full_like(scene(), 130)] * 30, 0.25)
    assert gone[-1].state == "lost"
    back = play(watch, [scene()] * 20, 2.0)
    assert back[-1].state == "steady"
    assert apart(back[-1].view, 0, 0) < 5


def test_a_camera_turned_upside_down_keeps_the_way_the_board_lies() -> None:
    watch = Watch(VIEW)
    play(watch, [scene()] * 5, 0)
    looks = play(watch, [moved(np.ascontiguousarray(scene()[::-1, ::-1]), 60, 40)] * 40, 0.25)
    assert looks[-1].state == "steady"
    assert np.abs(looks[-1].view.corners() - (np.array(SIZE) - 1 - VIEW.corners() + [60, 40])).max() < 5


def test_dark_and_frozen() -> None:
    watch = Watch(VIEW)
    play(watch, [scene()] * 5, 0)
    dark = play(watch, [np.asarray(scene() // 40, np.uint8)] * 3, 0.25)
    assert dark[-1].state == "dark"
    assert play(watch, [scene()] * 20, 0.4)[-1].state == "steady"
    frozen = [watch.look(scene(), 2 + n / 10).state for n in range(25)]
    assert frozen[5] == "steady"
    assert frozen[-1] == "frozen"
