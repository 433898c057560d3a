"""The men of a match are always the same: two sets, wherever they are."""

from collections import Counter
from collections.abc import Iterator

import chess

from rules.board import ReserveBoard
from rules.match import Match

Men = Counter[chess.Piece]
"""How many men of each colour and kind there are; a promoted man counts as the pawn it is."""


def standing_men(board: chess.Board) -> Iterator[tuple[chess.Square, chess.Piece]]:
    """What stands on a board, a promoted man as the pawn it is."""
    for square, piece in board.piece_map().items():
        yield square, chess.Piece(chess.PAWN, piece.color) if board.promoted >> square & 1 else piece


def men(match: Match) -> Men:
    """On the boards, in the reserves, and exchanged for others at a promotion (those count against their stand-ins)."""
    count: Men = Counter()
    for name in match.boards:
        board = match.board(name)
        count.update(man for _, man in standing_men(board))
        if isinstance(board, ReserveBoard):
            for color in chess.COLORS:
                for kind, number in match.pocket(name, color).items():
                    count[chess.Piece(kind, color)] += number
    for ply in match.plies:
        if ply.move.promotion and not match.profile.promotion_lies:
            count[chess.Piece(chess.PAWN, ply.color)] += 1
            if match.profile.promotion != "substitution":  # it came from outside the match
                count[chess.Piece(ply.move.promotion, ply.color)] -= 1
    return count


def difference(match: Match) -> Men:
    """Men too many (positive) or missing (negative) against the start of the match, those that differ only.

    In chess captured men leave the board and in crazyhouse they change colour, so there nothing is compared.
    """
    if match.game != "bughouse":
        return Counter()
    now, start = men(match), men(match.fresh())
    return Counter({man: now[man] - start[man] for man in now | start if now[man] != start[man]})
