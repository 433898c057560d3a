"""Whether a move is legal under the profile, and if not, why not: the finding a referee would give."""

import chess

from rules.board import CORNERS, HOMES, ReserveBoard
from rules.force import takes_in_passing
from rules.match import Match
from rules.seats import BoardName
from rules.verdict import Verdict, verdict

REMOVED = ("drop_pawn_rank", "drop_mate")  # illegal drops that cost the man where the profile says so


def judge(match: Match, name: BoardName, move: chess.Move, color: chess.Color | None = None) -> list[Verdict]:
    """Findings on a move that is about to be made, the ruling first, remarks after it; nothing changes.

    `color`: who makes it; the side to move if not given.
    """
    board = match.board(name)
    if color is not None and color != board.turn:
        return [verdict(match.profile, "ILLEGAL", "not_on_move")]
    if board.is_legal(move):
        return [_approval(match, board, move), *_remarks(match, board, move)]
    if move.drop:
        reason = _drop_fault(match, board, move)
    elif board.color_at(move.from_square) != board.turn:
        reason = "no_man"
    elif board.piece_type_at(move.to_square) == chess.KING:
        reason = "takes_king"
    elif _wants_castling(board, move):
        reason = _castling_fault(match, name, board, move)
    else:
        reason = _move_fault(board, move)
    found = [verdict(match.profile, "ILLEGAL", reason)]
    if match.profile.illegal_drop == "removed" and reason in REMOVED:
        found.append(verdict(match.profile, "FLAG", "drop_removed"))
    return found


def _approval(match: Match, board: chess.Board, move: chess.Move) -> Verdict:
    """OK under the rule that the move makes use of, or MATE's forerunner: a drop that mates."""
    reason = "legal"
    if move.drop:
        after = board.copy(stack=False)
        after.push(move)
        reason = "legal_drop"
        if after.is_checkmate():
            reason = "drop_mates"
        elif after.is_check():
            reason = "drop_gives_check"
        elif board.is_check():
            reason = "drop_parries"
    elif isinstance(board, ReserveBoard):
        if board.is_castling(move) and _rook_dropped(match, board, move):
            reason = "castles_dropped_rook"
        elif board.dropped_pawns >> move.from_square & 1 and abs(move.to_square - move.from_square) == 16:
            reason = "dropped_pawn_steps"
        elif match.profile.promotion == "substitution" and chess.BB_SQUARES[move.to_square] & chess.BB_BACKRANKS:
            if move.promotion:
                reason = "substituted"
            elif board.piece_type_at(move.from_square) == chess.PAWN:
                reason = "stays_pawn"
    return verdict(match.profile, "OK", reason)


def _remarks(match: Match, board: chess.Board, move: chess.Move) -> list[Verdict]:
    """What else there is to say of a legal move."""
    profile = match.profile
    found = []
    if move.promotion and isinstance(board, ReserveBoard):
        if profile.promotion_kinds == "queen_knight" and move.promotion not in (chess.QUEEN, chess.KNIGHT):
            found.append(verdict(profile, "FLAG", "promotion_kind"))
        held = board.pockets[board.turn].count(move.promotion)
        if profile.promotion_kinds == "queen_or_reserve" and move.promotion != chess.QUEEN and not held:
            found.append(verdict(profile, "FLAG", "promotion_not_in_reserve"))
        if profile.promotion == "substitution":
            found.append(verdict(profile, "ASK", "substituted_pawn"))
    if profile.drop_castle == "ask" and board.is_castling(move) and _rook_dropped(match, board, move):
        found.append(verdict(profile, "ASK", "castle_option"))
    return found


def _drop_fault(match: Match, board: chess.Board, move: chess.Move) -> str:
    square = chess.BB_SQUARES[move.to_square]
    if not isinstance(board, ReserveBoard) or not move.drop or not board.pockets[board.turn].count(move.drop):
        return "drop_not_in_reserve"
    if board.occupied & square:
        return "drop_occupied"
    if move.drop == chess.PAWN and not board.pawn_zone() & square:
        return "drop_pawn_rank"
    if not match.profile.drop_in_check and board.is_check():
        return "drop_in_check"
    checkers = list(board.checkers())
    if len(checkers) > 1:
        return "drop_double_check"
    if checkers and not board.shield() & square:
        if board.piece_type_at(checkers[0]) == chess.KNIGHT:
            return "drop_knight_check"
        return "drop_beside_check" if board.shield() else "drop_contact_check"
    return board.refusal(move)


def _wants_castling(board: chess.Board, move: chess.Move) -> bool:
    king = board.piece_type_at(move.from_square) == chess.KING
    home = bool(chess.BB_SQUARES[move.from_square] & (chess.BB_E1 | chess.BB_E8))
    apart = chess.square_file(move.to_square) - chess.square_file(move.from_square)
    level = chess.square_rank(move.to_square) == chess.square_rank(move.from_square)
    return king and home and level and abs(apart) >= 2


def _corner(board: chess.Board, move: chess.Move) -> chess.Square:
    """The square of the rook that a castling move means."""
    file = 7 if chess.square_file(move.to_square) > chess.square_file(move.from_square) else 0
    return chess.square(file, 0 if board.turn == chess.WHITE else 7)


def _rook_dropped(match: Match, board: chess.Board, move: chess.Move) -> bool:
    """Whether the rook in the corner was dropped there."""
    corner = _corner(board, move)
    here = [ply for ply in match.plies if match.board(ply.board) is board and ply.move.to_square == corner]
    return bool(here) and here[-1].move.drop == chess.ROOK


def _castling_fault(match: Match, name: BoardName, board: chess.Board, move: chess.Move) -> str:
    corner = _corner(board, move)
    rook = board.piece_at(corner)
    moved_king = not board.unmoved & HOMES[board.turn] if isinstance(board, ReserveBoard) else False
    if not chess.BB_SQUARES[move.from_square] & HOMES[board.turn] or moved_king:
        return "castle_king_moved"
    if rook != chess.Piece(chess.ROOK, board.turn):
        return "castle_no_rook"
    if not board.clean_castling_rights() & CORNERS[board.turn] & chess.BB_SQUARES[corner]:
        if not _king_stayed(match, name, board):
            return "castle_king_moved"
        dropped = _rook_dropped(match, board, move) and match.profile.drop_castle == "no"
        return "castle_dropped_rook" if dropped else "castle_rook_moved"
    if board.is_check():
        return "castle_in_check"
    if chess.between(move.from_square, corner) & board.occupied:
        return "castle_blocked"
    return "castle_through_check"


def _king_stayed(match: Match, name: BoardName, board: chess.Board) -> bool:
    """Whether no king of the side to move has left its square in this match."""
    home = chess.E1 if board.turn == chess.WHITE else chess.E8
    return all(ply.board != name or ply.move.drop or ply.move.from_square != home for ply in match.plies)


def _move_fault(board: chess.Board, move: chess.Move) -> str:
    # By FIDE's laws alone, without what the profile takes away.
    source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
    stuck = bool(board.pawns & source & chess.BB_BACKRANKS)
    if not stuck and move in chess.Board.generate_pseudo_legal_moves(board, source, target):
        if board.is_into_check(move):
            return "king_in_check"
        if move.promotion:
            return "promotion_substitute"
        return "dropped_pawn_double"
    pawn = board.piece_type_at(move.from_square) == chess.PAWN
    if pawn and target & chess.BB_BACKRANKS and not stuck and not move.promotion:
        whole = chess.Move(move.from_square, move.to_square, chess.QUEEN)
        able = whole in chess.Board.generate_pseudo_legal_moves(board, source, target)
        return "promotion_missing" if able else "moves_otherwise"
    if takes_in_passing(board, move):
        return "en_passant_late"
    return "moves_otherwise"
