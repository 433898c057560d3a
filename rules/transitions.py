"""What a ply does to a board: the squares it changes, what they hold then, and which plies could explain a change."""

from collections.abc import Iterator
from typing import Protocol

import chess
import chess.variant

from rules.force import passed_over, rooks_way
from rules.observation import EMPTY, label_index


class Held(Protocol):
    """What knows which man stands on each square by where he stood before."""

    def content(self, square: chess.Square) -> int:
        """See `rules.history.Contents`."""


def differing(one: chess.Board, other: chess.Board) -> chess.Bitboard:
    """Squares on which two positions differ."""
    pairs = (
        (one.occupied_co[chess.WHITE], other.occupied_co[chess.WHITE]),
        (one.occupied_co[chess.BLACK], other.occupied_co[chess.BLACK]),
        (one.pawns, other.pawns), (one.knights, other.knights), (one.bishops, other.bishops),
        (one.rooks, other.rooks), (one.queens, other.queens), (one.kings, other.kings),
    )  # fmt: skip
    differing = chess.BB_EMPTY
    for mine, theirs in pairs:
        differing |= mine ^ theirs
    return differing


def origin(before: chess.Board, after: chess.Board, move: chess.Move, square: chess.Square) -> chess.Square | None:
    """Where the man on a square stood before a move against the rules, or one back; None for one newly come."""
    if square == move.to_square and move.from_square != move.to_square:
        return move.from_square
    gone = before.rooks & ~after.rooks & ~after.occupied
    castled = before.kings != after.kings and after.rooks & ~before.rooks >> square & 1
    return chess.lsb(gone) if castled and gone else None


def changed_by(board: chess.Board, move: chess.Move) -> chess.Bitboard:
    """Squares that a move changes: its own, the rook's in castling, the pawn's taken en passant."""
    squares = chess.BB_SQUARES[move.to_square]
    if move.drop:
        return squares
    squares |= chess.BB_SQUARES[move.from_square]
    if board.is_castling(move):
        for square in rooks_way(move):
            squares |= chess.BB_SQUARES[square]
    if board.is_en_passant(move):
        squares |= chess.BB_SQUARES[passed_over(move)]
    return squares


def changes(board: chess.Board, move: chess.Move, line: Held) -> dict[chess.Square, int]:
    """What the squares that a move changes hold after it."""
    if move.drop:
        return {move.to_square: label_index(chess.Piece(move.drop, board.turn))}
    after = dict.fromkeys(chess.scan_forward(changed_by(board, move)), EMPTY)
    after[move.to_square] = line.content(move.from_square)
    if move.promotion:
        lies = getattr(getattr(board, "profile", None), "promotion_lies", False)
        after[move.to_square] = label_index(chess.Piece(chess.PAWN if lies else move.promotion, board.turn))
    if board.is_castling(move):
        rook, target = rooks_way(move)
        after[target] = line.content(rook)
    return after


def candidates(
    board: chess.Board, changed: chess.Bitboard, hidden: chess.Bitboard, showing: chess.Bitboard, left: chess.Bitboard
) -> Iterator[chess.Move]:
    """Moves that touch a changed square; their other end may be hidden, or be where a recapture may follow. `left`:
    squares from which a man may have gone, for all that they show.

    What would happen wholly out of sight is left out: it is waited for instead. Only where all can be seen, another
    piece may have come to where one left for a changed square. `showing`: squares that show a man of the side to move.
    """
    theirs = board.occupied_co[not board.turn]
    free = ~(board.kings & theirs)  # what left its king in check may stand, and no king is ever taken
    onto = changed | hidden | theirs
    yield from chess.Board.generate_legal_moves(board, changed, onto & free)
    yield from chess.Board.generate_legal_moves(board, (hidden | left) & ~changed, changed & free)
    if not hidden:
        yield from chess.Board.generate_legal_moves(board, ~changed, changed & showing & free)
    if isinstance(board, chess.variant.CrazyhouseBoard):
        yield from board.generate_legal_drops(changed)


def origins(board: chess.Board, kind: chess.PieceType, color: chess.Color, square: chess.Square) -> chess.Bitboard:
    """Squares from which a piece of a kind could come to a square, or take on it."""
    if kind == chess.PAWN:
        behind = square - 8 if color else square + 8
        push = chess.BB_SQUARES[behind] if 0 <= behind < 64 else chess.BB_EMPTY
        return push | chess.BB_PAWN_ATTACKS[not color][square]
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    diagonal = chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & board.occupied]
    straight = (
        chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & board.occupied]
        | chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & board.occupied]
    )
    return (diagonal if kind != chess.ROOK else 0) | (straight if kind != chess.BISHOP else 0)


def taken_kind(board: chess.Board, move: chess.Move) -> chess.PieceType:
    """The kind that a capture takes, a promoted piece as the pawn it was."""
    square = chess.BB_SQUARES[move.to_square]
    return chess.PAWN if board.promoted & square else board.piece_type_at(move.to_square) or chess.PAWN
