"""Affollata, Quad Wrangle's crowded variant (João Pedro Neto): 8x8 cells, each with a counter, and ever fewer.

A counter moves onto an opposing one beside it, by side or corner, which is removed; the opposing counters around it
then turn. Nothing moves onto an empty cell or a counter of its own colour. Touching is mutual, so when one side can do
nothing neither can the other: the game is over, the most counters win, and equal numbers are a draw.

How the counters stand at the start is told, not assumed. The published game of these rules, Crusade (Keith Carter,
2002), has white counters on the light cells and black ones on the dark: `chequer`.
"""

from typing import ClassVar

import chess

from rules.counters import CounterGame, Counters


class Crowded(Counters):
    """A position of Affollata."""

    __slots__ = ()

    GAME: ClassVar[CounterGame] = "affollata"
    SIZE = 8
    CELLS = chess.BB_ALL
    STARTS: ClassVar = {"chequer": "/".join(["PpPpPpPp", "pPpPpPpP"] * 4) + " w"}

    @property
    def placeable(self) -> chess.Bitboard:
        return chess.BB_EMPTY

    def reach(self, cell: chess.Square) -> chess.Bitboard:
        return chess.BB_KING_ATTACKS[cell] & self.opposing

    def turned(self, move: chess.Move) -> chess.Bitboard:
        return chess.BB_KING_ATTACKS[move.to_square] & self.opposing

    def refusal(self, move: chess.Move) -> str:
        if amiss := self._cells_amiss(move):
            return amiss
        source, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
        if move.drop:
            return "no new counters come into this game"
        if move.from_square == move.to_square:
            return f"the counter on {source} stays where it is"
        if self.own >> move.to_square & 1:
            return f"{target} holds a counter of the same colour"
        if self.empty >> move.to_square & 1:
            return f"{target} is empty: a counter moves onto an opposing one"
        if not chess.BB_KING_ATTACKS[move.from_square] >> move.to_square & 1:
            return f"{target} is not beside {source}"
        return ""
