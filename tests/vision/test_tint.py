"""Whose a man is, by his colour."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS
from tests.vision.test_closer import Brightness, logits
from vision.closer import Closer, both, nothing
from vision.tint import Tint, are_apart, colours_of
from vision.upright import SIZE

GROUNDS = np.array([(40, 90, 30), (210, 220, 225), (120, 60, 40)], np.uint8)
SIDES = np.eye(len(LABELS))[[0, 0, 0, 6, 6, 6, EMPTY]]


def men(colours: list[tuple[int, int, int]]) -> NDArray[np.uint8]:
    """Cut out, on all kinds of ground."""
    shown = np.zeros((len(colours), SIZE[1], SIZE[0], 3), np.uint8)
    for number, colour in enumerate(colours):
        shown[number] = GROUNDS[number % len(GROUNDS)]
        shown[number, 40:88, 26:46] = colour
    return shown


BROWN, LIGHT = (45, 60, 80), (120, 150, 180)
SHADE = [(0, 0, 0), (8, 9, 12), (-9, -9, -9)]


def learnt() -> Tint:
    tint = Tint()
    light, dark = ([tuple(np.add(colour, by).tolist()) for by in SHADE] for colour in (LIGHT, BROWN))
    tint.learn(colours_of(men([*light, *dark, (120, 60, 40)])), SIDES)
    return tint


def test_colours_tell_the_sides_apart_on_any_ground() -> None:
    found = learnt()(colours_of(men([(118, 146, 176), (50, 62, 84), (130, 160, 190), (38, 50, 70)])), 3.0)
    assert (found * [1, -1, 1, -1] > 2).all()
    assert np.abs(found).max() <= 3.0


def test_a_man_half_hidden_by_one_of_the_other_side_is_told_by_neither() -> None:
    shown = men([LIGHT, LIGHT, BROWN])
    shown[1, :, 36:] = shown[2, :, 36:]
    alone, half, other = learnt()(colours_of(shown), 3.0)
    assert alone > 2.5
    assert other < -2.5
    assert abs(half) < 1


DARKER = (70, 85, 105)


@pytest.mark.parametrize(("dark", "odd", "told"), [(DARKER, 0, 1), (DARKER, 1, 1), (DARKER, 4, 0), (LIGHT, 0, 0)])
def test_two_sides_are_told_apart_if_as_good_as_all_of_one_are_lighter(
    dark: tuple[int, int, int], odd: int, told: int
) -> None:
    """Black's men are light, too; past `odd` of them, who are thin, the ground is seen."""
    looks = colours_of(men([LIGHT] * 16 + [(215, 220, 225)] * odd + [dark] * (16 - odd)))
    assert are_apart(looks, np.arange(32) < 16) == told
    assert not are_apart(looks, np.arange(32) >= 16)


def test_nothing_is_told_before_both_sides_are_known() -> None:
    tint = Tint()
    assert not tint(colours_of(men([LIGHT, BROWN])), 3.0).any()
    tint.learn(colours_of(men([LIGHT] * 3)), SIDES[:3])
    assert not tint(colours_of(men([LIGHT, BROWN])), 3.0).any()
    assert not len(tint(colours_of(men([])), 3.0))


def test_the_men_around_one_who_is_misread_tell_his_side() -> None:
    tint = Tint()
    colours = colours_of(men([LIGHT] * 4 + [BROWN] * 3))
    likely = 0.9 * SIDES[[0, 0, 0, 3, 3, 3, 3]] + 0.1 * SIDES[[3, 3, 3, 0, 0, 0, 0]]
    tint.learn(colours, likely)
    assert (tint(colours, 3.0) * [1, 1, 1, 1, -1, -1, -1] > 1).all()


def test_a_man_whose_side_is_misread_is_put_right_and_stays_as_surely_a_man() -> None:
    closer = Closer(Brightness())
    closer.tint = learnt()
    look = replace(nothing(1), logits=logits("n", 2.0), colours=colours_of(men([LIGHT])))
    found = closer.says(look, 3.0)
    first = np.log(np.full((1, len(LABELS)), 1 / len(LABELS), np.float32))
    assert LABELS[both(first, found)[0].argmax()] == "N"
    there = [np.logaddexp.reduce(row[:EMPTY]) - row[EMPTY] for row in (look.logits[0], found[0])]
    assert there[0] == pytest.approx(there[1], abs=1e-4)


def test_what_one_who_lies_shows_where_others_stand_says_nothing_of_his_side() -> None:
    closer = Closer(Brightness())
    closer.tint = learnt()
    look = replace(
        nothing(1), logits=logits("n", 2.0), colours=colours_of(men([LIGHT])), lying=np.array([3.0], np.float32)
    )
    assert closer.says(look, 3.0) == pytest.approx(closer.says(look, 0.0))
