"""Quad Wrangle (Keith Carter, 2001): 7x7 cells, and the most counters once the board is full.

A turn is one of three actions: a) a new counter on an empty cell that touches no counter of one's own, b) a counter of
one's own moves like a queen, c) a new counter on an empty cell beside one of one's own. After b) and c) the opposing
counters around it turn. Cells touch by side or corner.

An empty cell is always open to a) or c), so nobody is ever without an action. The full board has 49 counters: no draw.
"""

from typing import ClassVar, Literal

import chess

from rules.counters import CounterGame, Counters

CELLS = sum(chess.BB_SQUARES[chess.square(file, rank)] for rank in range(7) for file in range(7))

Kind = Literal["a", "b", "c"]


class QuadWrangle(Counters):
    """A position of Quad Wrangle."""

    __slots__ = ()

    GAME: ClassVar[CounterGame] = "quadwrangle"
    SIZE = 7
    CELLS = CELLS
    STARTS: ClassVar = {
        "adjacent": "1PPPPP1/P5p/P5p/P5p/P5p/P5p/1ppppp1 w",
        "opposite": "1PPPPP1/p5p/p5p/p5p/p5p/p5p/1PPPPP1 w",
    }
    """Ten counters a side. White has the top and the left edge, as programs have it (`adjacent`), or top and bottom."""

    @property
    def placeable(self) -> chess.Bitboard:
        return self.empty

    def reach(self, cell: chess.Square) -> chess.Bitboard:
        return queen(cell, self.occupied) & self.empty

    def kind(self, move: chess.Move) -> Kind:
        """Which of the three actions a move of the side to move is: touching decides, not what a player calls it."""
        if not move.drop:
            return "b"
        return "c" if chess.BB_KING_ATTACKS[move.to_square] & self.own else "a"

    def turned(self, move: chess.Move) -> chess.Bitboard:
        around = chess.BB_KING_ATTACKS[move.to_square]
        if move.drop and not around & self.own:
            return chess.BB_EMPTY
        return around & self.opposing

    def refusal(self, move: chess.Move) -> str:
        if amiss := self._cells_amiss(move):
            return amiss
        source, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
        if move.from_square == move.to_square and not move.drop:
            return f"the counter on {source} stays where it is"
        if not self.empty >> move.to_square & 1:
            return f"{target} is taken"
        if move.drop or self.reach(move.from_square) >> move.to_square & 1:
            return ""
        if not queen(move.from_square, 0) >> move.to_square & 1:
            return f"no queen goes from {source} to {target}"
        return f"a counter stands between {source} and {target}"


def queen(cell: chess.Square, blockers: chess.Bitboard) -> chess.Bitboard:
    """Squares that a queen attacks on a chess board, those of the first blockers included."""
    return (
        chess.BB_RANK_ATTACKS[cell][chess.BB_RANK_MASKS[cell] & blockers]
        | chess.BB_FILE_ATTACKS[cell][chess.BB_FILE_MASKS[cell] & blockers]
        | chess.BB_DIAG_ATTACKS[cell][chess.BB_DIAG_MASKS[cell] & blockers]
    )
