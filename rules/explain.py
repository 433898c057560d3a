"""Sequences of legal moves that explain what is seen on one board."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import chess
import chess.variant

from rules.evidence import Evidence, Origins

PLY = 2.0  # nats that every ply costs: fewer moves explain better
UNDER = 3.0  # and every promotion to anything but a queen
BACK = 4.0  # nats that every taken-back ply costs
DEPTH = 6  # plies at once, at most
MOST = 1500  # moves tried in one search; where that is not enough, waiting tells more than searching
WIDTH = 32  # explanations followed further at each ply

Pieces = tuple[tuple[chess.Color, chess.PieceType], ...]


class Pockets(Protocol):
    """What the pockets say of an explanation."""

    def term(self, dropped: Pieces, captured: Pieces) -> float:
        """Nats for or against these drops and captures, by player and kind."""

    def hope(self) -> float:
        """Nats that captures not thought of yet could still gain."""


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """`moves` played after taking back `back` plies. `gain`: nats over no change. `board`: the position after."""

    back: int
    moves: tuple[chess.Move, ...]
    gain: float
    board: chess.Board
    origins: Origins
    dropped: Pieces = ()
    captured: Pieces = ()


def explain(
    board: chess.Board, evidence: Evidence, pockets: Pockets, back: int = 0, origins: Origins | None = None
) -> list[Explanation]:
    """Explanations from `board`, best first, one for each position reached; the first node counts as one.

    `board` is the committed position, or with `back` the one before that many plies; `origins` then tells of its
    pieces on the squares which those had changed where they stand now.
    """
    back_to = origins or {}
    start = Explanation(back, (), evidence.gain(board, back_to) - BACK * back, board, back_to)
    best = {_key(start): start}
    frontier = [start]
    tried = 0
    for depth in range(1, DEPTH + 1):
        children: list[Explanation] = []
        for node in frontier:
            if tried > MOST:
                break
            for move in _candidates(node, evidence, depth < DEPTH):
                tried += 1
                child = _after(node, move, evidence, pockets)
                key = _key(child)
                if key not in best or child.gain > best[key].gain:
                    best[key] = child
                children.append(child)
        top = max(found.gain for found in best.values())
        more = pockets.hope() - PLY
        hopes = [(c.gain + evidence.unexplained(c.board, c.origins) + more, c) for c in children]
        hopes = sorted((h for h in hopes if h[0] > top - PLY), key=lambda h: -h[0])
        frontier = [child for _, child in hopes[:WIDTH]]
        if not frontier:
            break
    return sorted(best.values(), key=lambda found: -found.gain)


def changed_by(board: chess.Board, move: chess.Move) -> chess.Bitboard:
    """Squares that a move changes: its own, the rook's in castling, the pawn's taken en passant."""
    squares = chess.BB_SQUARES[move.to_square]
    if move.drop:
        return squares
    squares |= chess.BB_SQUARES[move.from_square]
    if board.is_castling(move):
        rank = chess.square_rank(move.from_square)
        for file in (7, 5) if chess.square_file(move.to_square) > 4 else (0, 3):
            squares |= chess.BB_SQUARES[chess.square(file, rank)]
    if board.is_en_passant(move):
        taken = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        squares |= chess.BB_SQUARES[taken]
    return squares


def moved(origins: Origins, before: chess.Board, move: chess.Move) -> Origins:
    """Where the pieces on changed squares come from after one more move."""
    after: Origins = dict(origins)
    for square in chess.scan_forward(changed_by(before, move)):
        after[square] = None
    if move.drop or move.promotion:
        return after
    after[move.to_square] = origins.get(move.from_square, move.from_square)
    if before.is_castling(move):
        rank = chess.square_rank(move.from_square)
        files = (7, 5) if chess.square_file(move.to_square) > 4 else (0, 3)
        rook, target = (chess.square(file, rank) for file in files)
        after[target] = origins.get(rook, rook)
    return after


def _key(found: Explanation) -> tuple[object, ...]:
    """Equal for explanations that come to the same: position, and what went through the pockets."""
    board = found.board
    kinds = board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings
    return (
        board.turn,
        board.occupied_co[chess.WHITE],
        *kinds,
        tuple(sorted(found.dropped)),
        tuple(sorted(found.captured)),
    )


def _candidates(node: Explanation, evidence: Evidence, more: bool) -> Iterator[chess.Move]:
    """Moves that touch a changed square; their other end may be hidden, or be where a recapture may follow.

    What would happen wholly out of sight is left out: it is waited for instead.
    """
    board = node.board
    changed = evidence.changed
    for square in node.origins:
        changed |= chess.BB_SQUARES[square]
    somewhere = changed | evidence.hidden
    onto = somewhere | (board.occupied_co[not board.turn] if more else 0)
    yield from chess.Board.generate_legal_moves(board, changed, onto)
    yield from chess.Board.generate_legal_moves(board, evidence.hidden & ~changed, changed)
    if isinstance(board, chess.variant.CrazyhouseBoard):
        yield from board.generate_legal_drops(changed)


def _after(node: Explanation, move: chess.Move, evidence: Evidence, pockets: Pockets) -> Explanation:
    before, board = node.board, node.board.copy(stack=False)
    origins = moved(node.origins, before, move)
    dropped, captured = node.dropped, node.captured
    if move.drop:
        dropped = (*dropped, (before.turn, move.drop))
    elif before.is_capture(move):
        captured = (*captured, (before.turn, _taken(before, move)))
    board.push(move)
    cost = PLY + (UNDER if move.promotion not in (None, chess.QUEEN) else 0.0)
    gain = node.gain - cost + evidence.gain(board, origins) - evidence.gain(before, node.origins)
    if dropped != node.dropped or captured != node.captured:
        gain += pockets.term(dropped, captured) - pockets.term(node.dropped, node.captured)
    return Explanation(node.back, (*node.moves, move), gain, board, origins, dropped, captured)


def _taken(board: chess.Board, move: chess.Move) -> chess.PieceType:
    """The kind that a capture takes, a promoted piece as the pawn it was."""
    square = chess.BB_SQUARES[move.to_square]
    return chess.PAWN if board.promoted & square else board.piece_type_at(move.to_square) or chess.PAWN
