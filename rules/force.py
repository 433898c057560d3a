"""What a move leaves on a board, legal or not: what stands there counts from then on."""

import chess

from rules.board import BACK, HOMES, ReserveBoard


def force(board: chess.Board, color: chess.Color, move: chess.Move) -> None:
    """Make a move that may be illegal. `color`: who made it; a man of his stands where it starts, or it is a drop.

    A man that no reserve held comes from nowhere; one that stood where another was dropped is gone, and
    `ReserveBoard.captured` is what the move took.
    """
    if isinstance(board, ReserveBoard):
        board.captured = None
    if _is_leap(board, move):
        _set_down(board, color, move)
    else:
        _make_possible(board, color, move)
        board.push(move)


def _is_leap(board: chess.Board, move: chess.Move) -> bool:
    """Whether a king goes further than a king does: python-chess would castle, or send him to the corner."""
    king = board.piece_type_at(move.from_square) == chess.KING and not move.drop
    home = chess.square_rank(move.to_square) in (0, 7) and chess.square_file(move.to_square) in (2, 6)
    return king and home and chess.square_distance(move.from_square, move.to_square) > 1


def _set_down(board: chess.Board, color: chess.Color, move: chess.Move) -> None:
    """A king is where castling would take him, and the rook of that corner beside him if there is one."""
    king = chess.Piece(chess.KING, color)
    corner, beside = rooks_way(move)
    board.remove_piece_at(move.from_square)
    if board.piece_at(corner) == chess.Piece(chess.ROOK, color):
        board.set_piece_at(beside, board.remove_piece_at(corner))
    board.set_piece_at(move.to_square, king)
    board.castling_rights &= ~BACK[color]
    if isinstance(board, ReserveBoard):
        board.unmoved &= ~HOMES[color]
    board.turn, board.ep_square = not color, None


def _make_possible(board: chess.Board, color: chess.Color, move: chess.Move) -> None:
    """Give the move to who made it, the man to the reserve it came from, and clear what python-chess trips over."""
    if board.turn != color:
        board.turn, board.ep_square = color, None
    if takes_in_passing(board, move):
        board.ep_square = move.to_square
    own = board.color_at(move.to_square) == color
    if move.drop or own or board.piece_type_at(move.to_square) == chess.KING:
        board.remove_piece_at(move.to_square)
    if isinstance(board, ReserveBoard):
        taken = move.drop or (move.promotion if board.profile.promotion == "substitution" else None)
        if taken and not board.pockets[color].count(taken):
            board.pockets[color].add(taken)


def takes_in_passing(board: chess.Board, move: chess.Move) -> bool:
    """Whether a pawn goes diagonally to an empty square behind an enemy pawn, as if it took it en passant."""
    color = board.color_at(move.from_square)
    if move.drop or color is None or board.piece_type_at(move.from_square) != chess.PAWN:
        return False
    ways = chess.BB_PAWN_ATTACKS[color][move.from_square] & ~board.occupied
    beside = passed_over(move)
    rank = 4 if color == chess.WHITE else 3
    there = chess.square_rank(beside) == rank and board.piece_at(beside) == chess.Piece(chess.PAWN, not color)
    return bool(ways & chess.BB_SQUARES[move.to_square]) and there


def passed_over(move: chess.Move) -> chess.Square:
    """The square of the pawn that a move takes if it takes en passant."""
    return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))


def rooks_way(castling: chess.Move) -> tuple[chess.Square, chess.Square]:
    """From where to where the rook goes when a king castles."""
    rank = chess.square_rank(castling.to_square)
    corner, beside = (7, 5) if chess.square_file(castling.to_square) > 4 else (0, 3)
    return chess.square(corner, rank), chess.square(beside, rank)
