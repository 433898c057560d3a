"""Which places see the same man."""

import numpy as np
import pytest

from vision.crowd import one_each, same_man, same_roughly

OVERHEAD, LOW = (0.3, 0.1), (0.4, 1.3)  # squares from a man's base to his head


def men(
    *places: tuple[float, float, float],
    heads: tuple[float, float] = OVERHEAD,
    lies: int | None = None,
    first: float = 1.0,
    moved: float = 0.0,
) -> list[int]:
    """Of places of which the base that they see and how well are given. `lies`: which of them does. `first`: what the
    first network says of all; `moved`: squares by which it sees the first one higher."""
    x, y, likely = np.array(places).T
    bases, tops = np.column_stack([x, y]), np.tile(heads, (len(places), 1))
    first_bases = bases + np.eye(len(places))[0][:, None] * (0, moved)
    fallen = np.arange(len(places)) == (-1 if lies is None else lies)
    return sorted(one_each(likely, same_man(bases, tops, fallen, np.full(len(places), first), first_bases)))


def test_of_what_sees_the_same_man_the_surest_counts() -> None:
    assert men((9.0, 3.5, 0.98), (9.2, 3.5, 0.99), (8.8, 3.4, 0.9)) == [1]


def test_men_side_by_side_are_two() -> None:
    assert men((9.0, 3.5, 0.99), (9.6, 3.5, 0.98)) == [0, 1]
    assert men((9.0, 3.5, 0.99), (9.4, 3.5, 0.98)) == [0]


@pytest.mark.parametrize("lies", [0, 1])
def test_who_lies_has_his_head_beside_him(lies: int) -> None:
    assert men((9.0, 3.5, 0.99), (9.6, 3.5, 0.98), lies=lies) == [0]


@pytest.mark.parametrize(("first", "moved", "found"), [(1.0, 0.0, [0, 1]), (0.7, 0.0, [0]), (1.0, 0.3, [0])])
def test_who_stands_where_a_head_appears_is_one_if_the_first_network_sees_him_there(
    first: float, moved: float, found: list[int]
) -> None:
    beside = (9.0, 3.5, 0.99), (9.2, 4.3, 0.98)
    assert men(*beside, heads=LOW, first=first, moved=moved) == found
    assert men(*beside, first=first, moved=moved) == [0, 1]


def test_a_first_look_tells_men_apart_roughly() -> None:
    assert same_roughly(np.array([(9.0, 3.5), (9.2, 3.5), (9.4, 3.5)])).tolist() == [
        [True, True, False],
        [True, True, True],
        [False, True, True],
    ]


def test_nobody_is_nobody() -> None:
    assert one_each(np.zeros(0), same_roughly(np.zeros((0, 2)))) == []
