"""A line of play: plies that could have followed a position, and what its squares held then, one after the other."""

import operator
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from rules.history import NEW, Contents
from rules.irregular import Illegal, TakenBack, has_illegal, mover

LEFT = 4.0  # nats unexplained from which something is unexplained,
LESS = 2.5  # and by so many more than by a line against the rules, another explains less than that

UNSEEN = chess.Move.null()
"""A ply of which it is not known yet what it was."""
Pieces = tuple[tuple[chess.Color, chess.PieceType], ...]
"""Pieces dropped or captured, by player and kind."""
Men = tuple[chess.Bitboard, chess.Bitboard]
"""Where men of each side stand."""
Seen = tuple[float, float]
"""When something was first seen, infinity where it never was; and until when it was seen not to have happened."""


class Alone(NamedTuple):
    """What is seen of one ply: when it was, when its man had `left` where he stood, infinity if nobody has seen that,
    until when he `stood` there, and nats `against` the ply, whichever others are played."""

    seen: Seen
    left: float
    stood: float
    against: float


class Line:
    """A line of play from the root. `contents`: by changed square, what it held one after the other.

    `total`: nats over "nothing happened". `left`: nats that it does not explain. `hope`: what the total could become if
    plies that follow explained these, and took away what speaks against the order of its own, where nobody looked;
    `least`: of that, what no square adds to.
    `strain`: nats that speak against its plies, beyond what each costs. `at`: when its last ply was first seen,
    infinity where it was not; it was played `after`. `times`: the same two of other squares of that ply, the earlier
    first, as far as its game asks. `before`, `last`: the position before the last ply that stands on the board, and
    that ply, where they are known.
    """

    __slots__ = ("after", "alone", "at", "before", "board", "captured", "contents", "cost", "dropped", "grown", "hope",
                 "last", "least", "left", "left_at", "looked", "moves", "parent", "plies", "settled", "strain",
                 "times", "total", "turn", "unseen", "vacant")  # fmt: skip

    def __init__(self, parent: "Line | None", move: chess.Move | None, board: Any) -> None:
        self.parent = parent
        self.board = board
        self.moves: tuple[chess.Move, ...] = (*parent.moves, move) if parent and move is not None else ()
        self.contents: dict[chess.Square, Contents] = dict(parent.contents) if parent else {}
        self.cost: float = parent.cost if parent else 0.0
        self.dropped: Pieces = parent.dropped if parent else ()
        self.captured: Pieces = parent.captured if parent else ()
        self.plies: dict[chess.Move, Line] = {}
        self.grown: object = None
        self.total = self.left = self.hope = self.least = self.strain = 0.0
        self.at: float = np.inf
        self.turn = 0  # of the square it comes to, when that was found out,
        self.looked = -1  # and the version of the history, when it was last asked
        self.alone: tuple[int, Alone] | None = None  # that version, and what is seen of its last ply then
        self.settled: Seen | None = None  # when its last ply was told and had been seen: when
        # When the man of its last ply was first seen gone, and the turn of that square then.
        self.left_at = np.inf, -1
        self.unseen = 0.0  # nats against its last ply as long as nobody has seen the man that came
        self.vacant = np.inf  # when the square where its last ply captures was seen empty
        self.times: dict[chess.Square, tuple[float, float]] = {}
        self.after: float = -np.inf
        self.before: Line | None = parent
        self.last = move

    def path(self) -> list["Line"]:
        """The lines from the root's first ply to this one."""
        lines: list[Line] = []
        line = self
        while line.parent is not None:
            lines.append(line)
            line = line.parent
        return lines[::-1]

    def by(self) -> chess.Color:
        """Who played its last ply."""
        assert self.parent is not None
        return mover(self.moves[-1], self.parent.board)

    def standing(self) -> list["Line"]:
        """Of `path`, what was not taken back."""
        lines: list[Line] = []
        for line in self.path():
            if not isinstance(line.moves[-1], TakenBack):
                lines.append(line)
            elif lines:
                lines.pop()
        return lines

    @property
    def forbidden(self) -> bool:
        """Whether it needs a move against the rules."""
        return any(isinstance(move, Illegal) and not move.drop for move in self.moves)

    def known(self) -> tuple[chess.Move, ...]:
        """Its plies up to the first that nobody has seen."""
        return self.moves[: self.moves.index(UNSEEN)] if UNSEEN in self.moves else self.moves

    def content(self, square: chess.Square) -> int:
        """What a square holds at the end of the line."""
        found = self.contents.get(square)
        return found[-1] if found else NEW + square

    def contents_of_all(self) -> NDArray[np.int64]:
        """(64,) what each square holds at the end of the line."""
        return np.array([self.content(square) for square in chess.SQUARES])


def took(line: Line) -> bool:
    """Whether the last ply of a line took a man, which would be put back if it were taken back."""
    men = [one.board.occupied.bit_count() for one in (line, line.before) if one is not None]
    return line.last is not None and men[0] < men[-1]


def ends(move: chess.Move) -> tuple[chess.Square, ...]:
    """The squares that a ply leaves and comes to; none of one that nobody has seen."""
    return (move.from_square, move.to_square) if move else ()


def changes_again(ply: Line, line: Line, square: chess.Square) -> bool:
    """Whether a square that a ply of a line has changed changes once more later in that line."""
    return len(line.contents.get(square, ())) > len(ply.contents.get(square, ()))


def in_common(
    some: tuple[chess.Move, ...],
    others: tuple[chess.Move, ...],
    same: Callable[[chess.Move, chess.Move], bool] = operator.eq,
) -> int:
    """How many plies two lines have in common."""
    number = 0
    for one, other in zip(some, others, strict=False):
        if not same(one, other):
            break
        number += 1
    return number


def as_much(line: Line, best: Line) -> bool:
    """Whether a line explains about as much as the best, which is against the rules."""
    return line.left <= min(LEFT, best.left + LESS)


def rather(line: Line, best: Line) -> bool:
    """Whether such a line is within the rules and leads to men on other squares."""
    return not has_illegal(line.moves) and men(line) != men(best) and as_much(line, best)


def men(line: Line) -> Men:
    """Where men stand at the end of a line."""
    return line.board.occupied_co[chess.WHITE], line.board.occupied_co[chess.BLACK]


def best_by_men(lines: Iterable[Line]) -> dict[Men, float]:
    """The highest total of lines by where men stand at their end."""
    best: dict[Men, float] = {}
    for line in lines:
        best[men(line)] = max(line.total, best.get(men(line), -np.inf))
    return best
