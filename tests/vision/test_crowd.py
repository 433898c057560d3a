"""Which places see the same man."""

import chess
import numpy as np
import pytest

from vision.crowd import mere_heads, one_each, same_man, same_roughly

OVERHEAD, LOW = (0.3, 0.1), (0.4, 1.3)  # squares from a man's base to his head


def men(
    *places: tuple[float, float, float], lies: int | None = None, kinds: tuple[chess.PieceType, ...] | None = None
) -> list[int]:
    """Of places of which the base that they see and how well are given. `lies`: which of them does. `kinds`: pawns if
    nothing else is told."""
    x, y, likely = np.array(places).T
    fallen = np.arange(len(places)) == (-1 if lies is None else lies)
    seen = np.array(kinds or [chess.PAWN] * len(places))
    return sorted(one_each(likely, same_man(np.column_stack([x, y]), fallen, seen)))


def test_of_what_sees_the_same_man_the_surest_counts() -> None:
    assert men((9.0, 3.5, 0.98), (9.2, 3.5, 0.99), (8.8, 3.4, 0.9)) == [1]


def test_men_side_by_side_are_two() -> None:
    assert men((9.0, 3.5, 0.99), (9.6, 3.5, 0.98)) == [0, 1]
    assert men((9.0, 3.5, 0.99), (9.4, 3.5, 0.98)) == [0]


def test_a_queen_seen_again_right_beside_herself_is_one() -> None:
    places = (9.7, 3.4, 0.96), (10.1, 3.8, 0.95)  # as in a film from 47 degrees
    assert men(*places, kinds=(chess.QUEEN, chess.QUEEN)) == [0]
    assert men(*places, kinds=(chess.QUEEN, chess.PAWN)) == [0, 1]
    assert men(*places) == [0, 1]


@pytest.mark.parametrize("lies", [0, 1])
def test_who_lies_has_his_head_beside_him(lies: int) -> None:
    places = (9.0, 3.5, 0.99), (9.6, 3.5, 0.98)
    assert men(*places, lies=lies) == [0]
    kinds = (chess.PAWN, chess.ROOK) if lies == 0 else (chess.ROOK, chess.PAWN)
    assert men(*places, lies=lies, kinds=kinds) == [0, 1], "no head reads as a rook who stands"


@pytest.mark.parametrize(
    ("heads", "second", "found"),
    [
        (LOW, (1.0, 0.5), [False, True]),
        (LOW, (1.0, 0.99), [False, False]),
        (LOW, (0.5, 0.5), [False, False]),
        (LOW, (0.5, 1.0), [False, False]),
        (OVERHEAD, (1.0, 0.5), [False, False]),
    ],
)
def test_what_shows_where_a_head_appears_is_a_man_if_a_second_look_is_sure_of_him(
    heads: tuple[float, float], second: tuple[float, float], found: list[bool]
) -> None:
    bases = np.array([(9.0, 3.5), (9.2, 4.3)])
    assert mere_heads(bases, np.array([heads, heads]), np.array(second)).tolist() == found


def test_a_first_look_tells_men_apart_roughly() -> None:
    assert same_roughly(np.array([(9.0, 3.5), (9.2, 3.5), (9.4, 3.5)])).tolist() == [
        [True, True, False],
        [True, True, True],
        [False, True, True],
    ]


def test_nobody_is_nobody() -> None:
    assert one_each(np.zeros(0), same_roughly(np.zeros((0, 2)))) == []
