"""Which places see the same man."""

import numpy as np
import pytest

from vision.crowd import men_among

OVERHEAD, LOW = (0.3, 0.1), (0.4, 1.3)  # squares from a man's base to his head


def men(*places: tuple[float, float, float, float], heads: tuple[float, float] = OVERHEAD) -> list[int]:
    """Of places of which base, probability, and that by the first network alone are given."""
    x, y, present, first = np.array(places).T
    needed, tops = np.full(len(places), 0.5), np.tile(heads, (len(places), 1))
    return sorted(men_among(present, first, needed, np.column_stack([x, y]), tops))


def test_of_what_sees_the_same_man_the_surest_counts() -> None:
    assert men((9.0, 3.5, 0.98, 0.99), (9.2, 3.5, 0.99, 0.99), (8.8, 3.4, 0.9, 0.99)) == [1]
    assert men((9.0, 3.5, 0.4, 0.4)) == []


@pytest.mark.parametrize(("present", "found"), [(0.9, [0, 1]), (0.7, [0])])
def test_one_near_to_another_has_to_be_clear(present: float, found: list[int]) -> None:
    assert men((9.0, 3.5, 0.99, 0.99), (9.75, 3.3, present, 0.99)) == found


BETWEEN = (9.0, 3.5, 0.99, 1.0), (9.4, 3.5, 0.999, 1.0), (9.75, 3.5, 0.99, 1.0)


def test_what_is_seen_between_two_men_is_neither() -> None:
    assert men(*BETWEEN) == [0, 2]
    doubtful = (9.75, 3.5, 0.99, 0.5)
    assert men(*BETWEEN[:2], doubtful) == [1]


@pytest.mark.parametrize(("heads", "found"), [(OVERHEAD, [0, 1]), (LOW, [0])])
def test_a_head_is_no_man_where_the_second_network_alone_takes_it_for_one(
    heads: tuple[float, float], found: list[int]
) -> None:
    assert men((9.0, 3.2, 1.0, 0.99), (9.2, 3.95, 0.97, 0.9), heads=heads) == found
    assert men((9.0, 3.2, 1.0, 0.99), (9.2, 3.95, 0.97, 0.99), heads=heads) == [0, 1]


def test_a_man_and_his_head_are_not_two_between_whom_something_is_seen() -> None:
    turned = [(y, x, present, first) for x, y, present, first in BETWEEN]
    assert men(*turned) == [0, 2]
    assert men(*turned, heads=LOW) == [1]
