"""Where arms come from, on drawn pictures of the table."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View, pockets_beside
from rules.observation import Reach
from vision.arms import Arms, clock_beside
from vision.canvas import STRIDE, Canvas
from vision.motion import CELL

SEATS = {"white": (4.5, -5.5), "black": (3.5, 13.5), "beside white": (13.0, -5.5), "beside black": (13.0, 13.5)}
Point = tuple[float, float]


class Film:
    """A table with pockets beside the h-file, fifteen pictures a second; its arms are bars of one colour."""

    def __init__(self, light: float = 90.0, above: int = 100, corners: list[tuple[int, int]] | None = None) -> None:
        """`above`: pixels that the picture shows beyond rank 8; `corners`: of a board not seen straight from above."""
        straight = [(300, above), (800, above), (800, above + 500), (300, above + 500)]
        view = View.from_corners(corners or straight, (1280, 720), pockets_beside("h"))
        self.canvas = Canvas.over(view, beside=[clock_beside(1)])
        pixels = self.canvas.warp(np.full((720, 1280, 3), 255, np.uint8), view)
        self.beyond = pixels[CELL // 2 :: CELL, CELL // 2 :: CELL].min(2) < 255
        self.shape = self.canvas.size[1] // CELL, self.canvas.size[0] // CELL
        self.arms, self.rng = Arms(self.canvas, view, 1), np.random.default_rng(1)
        self.table = self.rng.uniform(40, 140, (*self.shape, 3))
        self.light, self.time, self.last = light, 0.0, self.table
        self.moved, self.shade = np.zeros(self.shape), np.ones(self.shape)
        self.found: list[Reach] = []

    def show(
        self,
        *arms: tuple[Point, Point],
        seconds: float = 0.2,
        shadow: float = 0.0,
        sleeve: tuple[float, float] = (0, 0),
    ) -> None:
        """Arms from a shoulder to a tip, in board coordinates. `shadow`: squares to the right and up by which each
        casts one. `sleeve`: from where to where, as shares of its length, each looks like the table in a shadow."""
        for _ in range(round(seconds * 15)):
            self.time += 1 / 15
            picture = self.table * self.shade[..., None] * self.light / 90 + self.rng.normal(0, 1, self.table.shape)
            if shadow:
                dark = np.zeros(self.shape, np.uint8)
                for bar in arms:
                    cast = np.round(self.canvas.places(np.array(bar) + shadow) * STRIDE / CELL).astype(int)
                    cv2.line(dark, cast[0].tolist(), cast[1].tolist(), 1, 5)
                picture[dark > 0] *= 0.7
            for bar in arms:
                ends = np.round(self.canvas.places(bar) * STRIDE / CELL).astype(int)
                cv2.line(picture, ends[0].tolist(), ends[1].tolist(), (180, 190, 200), 5)
                if any(sleeve):
                    along = np.round(ends[0] + np.outer(sleeve, ends[1] - ends[0])).astype(int)
                    cloth = np.zeros(self.shape, np.uint8)
                    cv2.line(cloth, along[0].tolist(), along[1].tolist(), 1, 5)
                    picture[cloth > 0] = 0.6 * self.table[cloth > 0]
            picture[self.beyond] = 0
            self.moved[np.abs(picture - self.last).max(2) > 9] = self.time
            self.last = picture
            self.found += self.arms.look(picture.astype(np.float32), self.moved, self.time)

    def reach(self, seat: str, tip: Point, apart: float = 0.0) -> None:
        """An arm comes in, waits over its tip, and leaves. `apart`: squares by which its seat lies farther out."""
        shoulder = np.array([SEATS[seat][0] + apart, SEATS[seat][1]])
        for part in (0.4, 0.7, 1.0, 1.0, 1.0, 0.7, 0.4):
            end: NDArray[np.float64] = shoulder + part * (np.array(tip) - shoulder)
            self.show(((shoulder[0], shoulder[1]), (float(end[0]), float(end[1]))), seconds=0.14)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("tip", [(4.5, 3.5), (0.5, 4.5), (7.5, 4.5)])
def test_an_arm_is_told_with_the_seat_it_comes_from(seat: str, tip: Point) -> None:
    film = Film()
    film.show(seconds=1.0)
    assert film.found == []
    film.reach(seat, tip)
    there = [reach for reach in film.found if np.hypot(*(np.array(reach.tip) - tip)) < 1.0]
    assert len(there) >= 3
    assert {reach.color for reach in film.found} == {"white" in seat}
    assert np.median([reach.aside for reach in there]) == pytest.approx(SEATS[seat][0] - 4, abs=1.5)
    assert min(reach.length for reach in there) > 3.0
    film.found = []
    film.show(seconds=1.0)
    assert film.found == []


def test_a_hand_belongs_to_the_arm_whose_sleeve_has_the_tables_colour() -> None:
    film, shoulder, tip = Film(), SEATS["beside black"], (1.5, 4.5)
    film.show(seconds=1.0)
    film.show((shoulder, tip), sleeve=(0.65, 0.85), seconds=0.4)
    assert {reach.color for reach in film.found} == {False}
    assert all(np.hypot(*(np.array(reach.tip) - tip)) < 1.0 for reach in film.found)
    assert np.median([reach.aside for reach in film.found]) > 6


@pytest.mark.parametrize("seat", SEATS)
def test_an_arm_whose_sleeve_has_the_tables_colour_comes_in_over_the_board(seat: str) -> None:
    film = Film()
    film.show(seconds=1.0)
    shoulder, tip = SEATS[seat], (2.5, 6.5 if "white" in seat else 1.5)
    way = max((abs(at - 4) - 4) / abs(at - to) for at, to in zip(shoulder, tip, strict=True))
    film.show((shoulder, tip), sleeve=(0, way))
    assert len(film.found) > 1
    for reach in film.found:
        assert reach.color == ("white" in seat)
        assert (reach.aside > 6.5 and reach.enters > 3) == ("beside" in seat)
        assert reach.tip == pytest.approx(tip, abs=0.7)


@pytest.mark.parametrize(("color", "shoulder"), [(True, 4.6), (True, -1.4), (False, 4.6), (False, -1.4)])
def test_an_arm_whose_sleeve_has_the_tables_colour_and_whose_hand_ends_the_picture_comes_from_its_seat(
    color: bool, shoulder: float
) -> None:
    film = Film(corners=[(330, 100), (800, 100), (880, 600), (170, 600)])  # its left edge runs aslant past the clock
    film.show(seconds=1.0)
    seat, tip = (shoulder, -5.5 if color else 13.5), (-3.3, 3.3 if color else 4.7)
    film.show((seat, tip), sleeve=(0, 0.75), seconds=0.3)
    assert len(film.found) >= 2
    for reach in film.found:
        assert reach.color == color
        assert reach.at_clock
        assert reach.aside == pytest.approx(shoulder - 4, abs=2.0)


def test_what_men_in_the_shadow_of_an_arm_look_like_is_no_hand() -> None:
    film = Film()
    film.show(seconds=1.0)
    column, row = np.round(film.canvas.places([(7.0, 4.0)])[0] * STRIDE / CELL).astype(int)
    film.shade[row - 3 : row + 3, column - 2 : column + 3] = 0.55
    film.show((SEATS["white"], (4.5, 3.5)), seconds=0.3, shadow=2.5)
    assert film.found
    assert all(np.hypot(reach.tip[0] - 4.5, reach.tip[1] - 3.5) < 1.0 for reach in film.found)


def test_a_hand_belongs_to_no_arm_that_points_elsewhere() -> None:
    film = Film()
    film.show(seconds=1.0)
    film.show((SEATS["white"], (4.5, 2.0)), ((4.5, 2.0), (9.0, 2.0)), sleeve=(0.02, 0.5))
    assert film.found
    assert all(reach.tip[1] < 3.0 for reach in film.found)
    assert all(reach.tip[0] < 6.0 for reach in film.found)


def test_a_shadow_is_no_arm() -> None:
    film = Film()
    film.show(seconds=1.0)
    film.show((SEATS["white"], (4.5, 3.5)), seconds=0.5, shadow=3.0)
    assert len(film.found) >= 6
    tips = np.array([reach.tip for reach in film.found])
    assert np.hypot(*(tips - (4.5, 3.5)).T).max() < 1.0


@pytest.mark.parametrize("color", [True, False])
def test_a_players_other_arm_at_the_clock_comes_in_elsewhere(color: bool) -> None:
    film = Film()
    film.show(seconds=1.0)
    found = []
    for shoulder in (4.6, -1.4):
        film.found = []
        seat, tip = (shoulder, -5.5 if color else 13.5), (-2.0, 3.3 if color else 4.7)
        for part in (0.8, 1.0, 1.0, 0.8):
            end = np.array(seat) + part * (np.array(tip) - seat)
            film.show((seat, (float(end[0]), float(end[1]))), seconds=0.14)
        there = [reach for reach in film.found if reach.at_clock]
        assert len(there) >= 2
        assert {reach.color for reach in there} == {color}
        found.append(np.median([(reach.aside, reach.enters) for reach in there], axis=0))
    own, other = found
    assert own[0] - other[0] > 4.0
    assert own[1] - other[1] > 2.0


def test_an_arm_along_the_far_edge_comes_from_where_its_hand_is_not() -> None:
    film = Film(corners=[(330, 100), (800, 100), (880, 600), (170, 600)])  # its left edge runs aslant past the clock
    film.show(seconds=1.0)
    film.show(((-1.9, -1.5), (-2.5, 2.6)), ((-2.5, 2.6), (-2.2, 3.8)), seconds=0.3)
    there = [reach for reach in film.found if reach.at_clock]
    assert len(there) >= 2
    assert all(reach.color for reach in there)


@pytest.mark.parametrize("seat", ["black", "beside black"])
def test_an_arm_comes_in_where_the_picture_ends(seat: str) -> None:
    film = Film(above=20)
    film.show(seconds=1.0)
    film.reach(seat, (4.5, 3.5))
    assert len([reach for reach in film.found if np.hypot(reach.tip[0] - 4.5, reach.tip[1] - 3.5) < 1.0]) >= 3


def test_what_was_put_down_and_another_light_are_no_arms() -> None:
    film = Film()
    film.show(seconds=1.0)
    film.show(((3.0, 3.0), (3.2, 3.2)), seconds=0.5)
    film.light = 70.0
    film.show(((3.0, 3.0), (3.2, 3.2)), seconds=1.0)
    assert film.found == []


def test_two_arms_are_told_apart() -> None:
    film = Film()
    film.show(seconds=1.0)
    film.show((SEATS["white"], (4.5, 1.5)), (SEATS["beside black"], (9.5, 6.5)))
    assert {(reach.color, reach.aside > 6.5) for reach in film.found} == {(True, False), (False, True)}


def test_two_arms_from_both_sides_that_touch_are_told_as_they_came() -> None:
    film = Film()
    film.show(seconds=1.0)
    across, down = (SEATS["beside black"], (-2.0, 4.7)), SEATS["white"]
    film.show(across, (down, (4.5, 2.0)), seconds=0.2)
    film.found = []
    film.show(across, (down, (4.5, 5.6)), seconds=0.3)
    assert {(reach.color, reach.at_clock) for reach in film.found} == {(True, False), (False, True)}
    for reach in film.found:
        assert reach.tip == pytest.approx((4.5, 5.6) if reach.color else (-2.0, 4.7), abs=1.2)


@pytest.mark.parametrize("seat", SEATS)
def test_an_arm_at_the_clock_is_told_with_the_side_it_comes_in(seat: str) -> None:
    film = Film()
    film.show(seconds=1.0)
    film.reach(seat, (-1.7, 3.3 if "white" in seat else 4.7), apart=4.0 if "beside" in seat else 0.0)
    there = [reach for reach in film.found if reach.at_clock]
    assert len(there) >= 2
    assert all((reach.enters > 2.0) == ("beside" in seat) for reach in there)
    film.found = []
    film.reach(seat, (0.6, 4.0))
    assert not any(reach.at_clock for reach in film.found)


def test_a_partner_who_reaches_straight_across_is_told_of_both_sides() -> None:
    film = Film()
    film.show(seconds=1.0)
    film.show(((16.0, 3.8), (-1.5, 3.6)), seconds=0.3)
    assert {(reach.color, reach.at_clock) for reach in film.found} == {(True, True), (False, True)}
    assert all(reach.aside > 8 and reach.enters > 6 for reach in film.found)


def test_light_that_comes_back_where_the_table_had_followed_a_shadow_is_no_arm() -> None:
    film = Film()
    film.table[:] = 120, 125, 130
    film.show(seconds=1)
    left, right = np.round(film.canvas.places([(-3.0, 6.5), (-1.5, 6.5)]) * STRIDE / CELL).astype(int)
    for shade in (0.9, 0.81):
        film.shade[: left[1], left[0] : right[0]] = shade
        film.show(seconds=4)
    film.shade[:] = 1
    film.show(seconds=0.4)
    assert film.found == []
