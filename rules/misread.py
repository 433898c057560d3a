"""Drops of which a later ply shows that the piece was of another kind than was told."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import chess
import numpy as np
from numpy.typing import NDArray

from rules.force import force
from rules.irregular import Illegal
from rules.match import IllegalMoveError, Match, Ply
from rules.seats import BoardName

KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


Looks = Callable[[Ply], NDArray[np.float64]]
"""(6,) log-likelihood of each kind for the man of a drop, as he reads where he was dropped."""


def otherwise(
    match: Match, name: BoardName, move: Illegal, looks: Looks
) -> Iterator[tuple[float, int, chess.PieceType, Match]]:
    """Drops under which a ply against the rules is within them: the index of each, its kind, and the match so; before
    them the nats by which all drops read better in it.

    A man that moves as another may be one, and one who attacks a king that goes there all the same. So may the last of
    a kind: who drops it again dropped another before.
    """
    for index in _suspects(match, name, move):
        ply = match.plies[index]
        kinds = match.pocket(ply.board, ply.color) if move.drop else KINDS
        for kind in (kind for kind in kinds if kind != ply.move.drop):
            found = _retold(match, index, kind, looks)
            if found and found[1].board(name).turn == move.color and found[1].is_legal(name, move.plain()):
                yield found[0], index, kind, found[1]


def with_kind(match: Match, index: int, kind: chess.PieceType) -> Match:
    """The match with a drop, given by its index, of another kind. Raises IllegalMoveError where later plies, or this
    one, cannot be played so."""
    return match.replayed(lambda n, played: _dropping(played, kind) if n == index else played)


def _dropping(ply: Ply, kind: chess.PieceType) -> Ply:
    """A drop of another kind, within the rules."""
    square = ply.move.to_square
    return replace(ply, move=chess.Move(square, square, drop=kind), legal=True)


def reading_better(match: Match, index: int, looks: Looks) -> Iterator[tuple[float, Match]]:
    """Matches in which the man of a drop, given by its index, is of the kind that he reads most like, each with the
    nats by which all drops read better in it. He may have been taken for another then; or another drop of that kind was
    of the kind that was told of this one; or one of the kind that was told, who was passed on as it."""
    read = looks(match.plies[index])
    told, kind = match.plies[index].move.drop or chess.PAWN, int(read.argmax()) + 1
    for other in range(index + 1):
        ply = match.plies[other]
        if ply.legal and ply.move.drop in (told, kind):
            found = _retold(match, other, kind if ply.move.drop == told else told, looks)
            if found and found[1].plies[index].move.drop == kind:
                yield found


def _retold(match: Match, index: int, kind: chess.PieceType, looks: Looks) -> tuple[float, Match] | None:
    """The match with a drop of another kind; who was dropped later, and cannot have been, was of that kind of those
    held which he reads most like. None where it could not be played so."""
    other, gain = match.fresh(), 0.0
    for number, ply in match.onto(other):
        told = ply.move.drop
        held = other.pocket(ply.board, ply.color)
        if told and (number == index or (number > index and ply.legal and not held[told])):
            read = looks(ply)
            now = kind if number == index else max(held, key=lambda kind: float(read[kind - 1]), default=told)
            gain += float(read[now - 1] - read[told - 1])
            ply = _dropping(ply, now)
        try:
            other.again(ply)
        except IllegalMoveError:
            return None
    return gain, other


def _suspects(match: Match, name: BoardName, move: Illegal) -> Iterator[int]:
    if move.drop:
        told = (name, move.color, move.drop)
        yield from (n for n, p in enumerate(match.plies) if p.legal and (p.board, p.color, p.move.drop) == told)
        return
    for square in (move.from_square, *chess.scan_forward(_giving_check(match, name, move))):
        index = dropped_at(match, name, square, len(match.plies))
        if index is not None:
            yield index


def _giving_check(match: Match, name: BoardName, move: Illegal) -> chess.Bitboard:
    """Where men stand who could take the king of who made a ply against the rules, after it."""
    board = match.board(name).copy(stack=False)
    force(board, move.color, move.plain())
    king = board.king(move.color)
    return chess.BB_EMPTY if king is None else board.attackers_mask(not move.color, king)


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
