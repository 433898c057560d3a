"""Drops of which a later ply shows that the piece was of another kind than was told."""

from collections.abc import Iterator
from dataclasses import replace

import chess

from rules.irregular import Illegal
from rules.match import IllegalMoveError, Match
from rules.seats import BoardName

KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def otherwise(match: Match, name: BoardName, move: Illegal) -> Iterator[tuple[int, chess.PieceType, Match]]:
    """Drops under which a ply against the rules is within them: the index of each, its kind, and the match so.

    A man that moves as another may be one. So may the last of a kind: who drops it again dropped another before.
    """
    for index in _suspects(match, name, move):
        ply = match.plies[index]
        kinds = match.pocket(ply.board, ply.color) if move.drop else KINDS
        for kind in kinds:
            if kind == ply.move.drop:
                continue
            try:
                other = with_kind(match, index, kind)
            except IllegalMoveError:
                continue
            if other.board(name).turn == move.color and other.is_legal(name, move.plain()):
                yield index, kind, other


def with_kind(match: Match, index: int, kind: chess.PieceType) -> Match:
    """The match with a drop, given by its index, of another kind. Raises IllegalMoveError where later plies, or this
    one, cannot be played so."""
    ply = match.plies[index]
    square = ply.move.to_square
    instead = replace(ply, move=chess.Move(square, square, drop=kind), legal=True)
    return match.replayed(lambda n, played: instead if n == index else played)


def _suspects(match: Match, name: BoardName, move: Illegal) -> Iterator[int]:
    if move.drop:
        told = (name, move.color, move.drop)
        yield from (n for n, p in enumerate(match.plies) if p.legal and (p.board, p.color, p.move.drop) == told)
        return
    index = dropped_at(match, name, move.from_square, len(match.plies))
    if index is not None:
        yield index


def dropped_at(match: Match, name: BoardName, square: chess.Square, before: int) -> int | None:
    """The index of the drop that brought the man who stands on a square before a ply, given by its index; None where
    no drop within the rules did."""
    for index in reversed(range(before)):
        ply = match.plies[index]
        if ply.board == name and ply.move.to_square == square:
            if ply.move.drop or ply.move.promotion:
                return index if ply.legal and ply.move.drop else None
            square = ply.move.from_square
    return None


def stands(match: Match, index: int) -> chess.Square | None:
    """Where the man of a drop stands at the end of a match, None if he was taken."""
    dropped = match.plies[index]
    square = dropped.move.to_square
    for ply in match.plies[index + 1 :]:
        if ply.board != dropped.board:
            continue
        if ply.move.to_square == square:
            return None
        if ply.move.from_square == square and not ply.move.drop:
            square = ply.move.to_square
    return square
