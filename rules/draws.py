"""What a claim of a draw rests on: repeated positions, and moves without check, pawn advance or capture."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass

import chess

from rules.match import Match
from rules.seats import BoardName


@dataclass(frozen=True, slots=True)
class Repetition:
    """How often the position that stands on a board has stood there: by board alone, with both reserves, and by board
    since the last drop on it."""

    without_reserves: int
    with_reserves: int
    since_drop: int


@dataclass(frozen=True, slots=True)
class Fifty:
    """Plies of a board since the last that counts. `literal`: no check, no pawn advance, a pawn's drop being one;
    `literal_drops`: a pawn's drop being none; `fide`: no capture, no pawn move, no drop."""

    literal: int
    literal_drops: int
    fide: int


def repetition(match: Match, name: BoardName) -> Repetition:
    """How often the current position of a board has occurred, side to move, castling and en passant included."""
    again = match.fresh()
    boards, whole = Counter([_key(again, name)]), Counter([(_key(again, name), _reserves(again, name))])
    since: Counter[Hashable] = Counter([_key(again, name)])
    for ply in match.plies:
        again.force(ply.board, ply.move, ply.color)
        if ply.board == name:
            if ply.move.drop:
                since.clear()
            since[_key(again, name)] += 1
            boards[_key(again, name)] += 1
            whole[_key(again, name), _reserves(again, name)] += 1
    here = _key(match, name)
    return Repetition(boards[here], whole[here, _reserves(match, name)], since[here])


def fifty(match: Match, name: BoardName) -> Fifty:
    """Plies without what the texts' own 50-move rule names, and without what FIDE's names."""
    again = match.fresh()
    literal = literal_drops = fide = 0
    for ply in match.plies:
        board = again.board(name)
        pawn = ply.board == name and not ply.move.drop and board.piece_type_at(ply.move.from_square) == chess.PAWN
        capture = ply.board == name and not ply.move.drop and board.is_capture(ply.move)
        again.force(ply.board, ply.move, ply.color)
        if ply.board != name:
            continue
        check = board.is_check()
        literal = 0 if check or pawn or ply.move.drop == chess.PAWN else literal + 1
        literal_drops = 0 if check or pawn else literal_drops + 1
        fide = 0 if pawn or capture or ply.move.drop else fide + 1
    return Fifty(literal, literal_drops, fide)


def _key(match: Match, name: BoardName) -> Hashable:
    board = match.board(name)
    return (
        board.board_fen(promoted=True),
        board.turn,
        board.clean_castling_rights(),
        board.ep_square if board.has_legal_en_passant() else None,
    )


def _reserves(match: Match, name: BoardName) -> Hashable:
    return tuple(tuple(sorted(match.pocket(name, color).items())) for color in chess.COLORS)
