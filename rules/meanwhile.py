"""What was played while nobody looked: before the cameras were ready, or while the program was not running."""

from collections.abc import Iterator

import chess

MOST = 8
"""Squares by which a board may differ: two plies of castling change no more."""


def played_meanwhile(board: chess.Board, white: chess.Bitboard, black: chess.Bitboard) -> list[chess.Move]:
    """The one ply or two that lead from a position to men of White and Black on these squares; none where no legal ones
    do, or several: which man was dropped, for one, these squares do not tell."""
    apart = (board.occupied_co[chess.WHITE] ^ white) | (board.occupied_co[chess.BLACK] ^ black)
    if not apart or apart.bit_count() > MOST:
        return []
    found = list(_leading(board.copy(stack=False), white, black, apart))
    return found[0] if len(found) == 1 else []


def _leading(
    board: chess.Board, white: chess.Bitboard, black: chess.Bitboard, apart: chess.Bitboard
) -> Iterator[list[chess.Move]]:
    for move in _touching(board, apart):
        board.push(move)
        if board.occupied_co[chess.WHITE] == white and board.occupied_co[chess.BLACK] == black:
            yield [move]
        else:
            for answer in _touching(board, apart):
                board.push(answer)
                if board.occupied_co[chess.WHITE] == white and board.occupied_co[chess.BLACK] == black:
                    yield [move, answer]
                board.pop()
        board.pop()


def _touching(board: chess.Board, squares: chess.Bitboard) -> list[chess.Move]:
    """Legal moves and drops that begin or end on one of these squares."""
    return [m for m in board.legal_moves if squares & (chess.BB_SQUARES[m.from_square] | chess.BB_SQUARES[m.to_square])]
