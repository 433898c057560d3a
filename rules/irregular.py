"""Plies that the rules do not allow, and plies taken back: the unlikely transitions of a line of play."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import chess

from rules.board import ReserveBoard
from rules.force import passed_over, takes_in_passing
from rules.judge import judge
from rules.match import Match
from rules.seats import BoardName
from rules.verdict import Verdict, verdict

HOME = {chess.WHITE: (chess.E1, chess.BB_RANK_1), chess.BLACK: (chess.E8, chess.BB_RANK_8)}


@dataclass(unsafe_hash=True)
class Illegal(chess.Move):
    """A move or drop against the rules, out of turn or other; it stands on the board. `color`: who made it."""

    color: chess.Color = chess.WHITE

    def plain(self) -> chess.Move:
        """The move alone."""
        return chess.Move(self.from_square, self.to_square, self.promotion, self.drop)


@dataclass(unsafe_hash=True)
class TakenBack(chess.Move):
    """The last ply of the board is undone. From where its man went to where he was; of a drop: the square twice."""

    def __bool__(self) -> bool:
        return True  # on a1, too


Irregular = Illegal | TakenBack


def has_illegal(moves: Iterable[chess.Move]) -> bool:
    """Whether one of these is against the rules."""
    return any(isinstance(move, Illegal) for move in moves)


def is_drop_back(move: chess.Move) -> bool:
    """Whether it takes back a drop."""
    return isinstance(move, TakenBack) and move.from_square == move.to_square


def undoing(move: chess.Move) -> TakenBack:
    """The move back."""
    return TakenBack(move.to_square, move.from_square)


def irregular(
    board: chess.Board,
    changed: chess.Bitboard,
    empty: chess.Bitboard,
    left: chess.Bitboard,
    men: dict[chess.Color, chess.Bitboard],
) -> Iterator[Illegal]:
    """What was played against the rules, if all that changed shows. `empty`: squares from which men have gone; `left`:
    others, from which they may have; `men`: those that show whose."""
    for color in chess.COLORS:
        theirs = board.occupied_co[color]
        for target in chess.scan_forward(changed & men[color] & ~theirs & ~board.kings):
            if (empty | left) & theirs:
                yield from _moves(board, color, (empty | left) & theirs, target, changed)
            if not empty & theirs and isinstance(board, ReserveBoard):
                for kind in range(chess.PAWN, chess.KING):
                    drop = Illegal(target, target, drop=kind, color=color)
                    if not _legal(board, drop):
                        yield drop


def _moves(
    board: chess.Board, color: chess.Color, left: chess.Bitboard, target: chess.Square, changed: chess.Bitboard
) -> Iterator[Illegal]:
    king, rank = HOME[color]
    for source in chess.scan_forward(left):
        move = Illegal(source, target, color=color)
        if source == king and chess.BB_SQUARES[target] & rank and chess.square_distance(source, target) == 2:
            if not left & changed & rank & ~chess.BB_SQUARES[king]:
                continue  # without the rook he only jumps: then the rook's squares say otherwise
        elif takes_in_passing(board, move) and not changed >> passed_over(move) & 1:
            continue
        if not _legal(board, move):
            yield move


def _legal(board: chess.Board, move: Illegal) -> bool:
    if move.color != board.turn:
        return False
    plain = move.plain()
    pawn = not move.drop and board.piece_type_at(move.from_square) == chess.PAWN
    if pawn and chess.BB_SQUARES[move.to_square] & chess.BB_BACKRANKS:
        plain.promotion = chess.QUEEN
    return board.is_legal(plain)


def in_turn(board: chess.Board, move: Illegal) -> bool:
    """Whether a move would be within the rules if it were his turn who made it."""
    other = board.copy(stack=False)
    other.turn, other.ep_square = move.color, None
    return _legal(other, move)


def is_held(board: chess.Board, drop: Illegal) -> bool:
    """Whether the dropped man lay in the reserve of who dropped him."""
    return isinstance(board, ReserveBoard) and bool(drop.drop and board.pockets[drop.color].count(drop.drop))


def mover(move: chess.Move, before: Any) -> chess.Color:
    """Who played a move; `before`: the position, of chessmen or counters, in which he did."""
    return move.color if isinstance(move, Illegal) else bool(before.turn)


def restored(now: chess.Board, before: chess.Board, last: chess.Move) -> chess.Board:
    """The position with the last ply undone: that before it, with the reserves of `now` and the man dropped by it."""
    board = before.copy(stack=False)
    if isinstance(board, ReserveBoard) and isinstance(now, ReserveBoard):
        color = mover(last, before)
        held = board.pockets[color].count(last.drop or 0) > 0
        board.pockets = [pocket.copy() for pocket in now.pockets]
        if last.drop and held:
            board.pockets[color].add(last.drop)
    return board


BREACHES = {
    "drop_not_in_reserve": "drop_not_held",
    "drop_occupied": "drop_occupied",
    "drop_pawn_rank": "drop_wrong_rank",
    "king_in_check": "king_in_check",
    "en_passant_late": "late_en_passant",
}
"""Kind of alert by the reason for which a move is illegal; `illegal_move` for all others but those of `breach`."""


def breach(match: Match, name: BoardName, move: Illegal) -> tuple[str, Verdict]:
    """The kind of alert for a ply that is about to be forced, and the finding it rests on."""
    board = match.board(name)
    if match.strays(name, move.plain(), move.color):
        return "drop_not_held", verdict(match.profile, "ILLEGAL", "drop_not_in_reserve")
    finding = judge(match, name, move.plain(), move.color)[0]
    if finding.reason == "not_on_move":
        here = [ply for ply in match.plies if ply.board == name]
        return "two_moves" if here and here[-1].color == move.color else "out_of_turn", finding
    if finding.reason.startswith("castle_"):
        return "illegal_castling", finding
    if finding.reason == "moves_otherwise" and board.promoted >> move.from_square & 1:
        return "promoted_twice", finding
    if move.drop and finding.reason not in BREACHES:
        return "illegal_drop", finding
    return BREACHES.get(finding.reason, "illegal_move"), finding


def written(board: chess.Board, move: Illegal) -> str:
    """What stands in place of SAN: the man, where from and where to; SAN's rules need a legal move."""
    target = chess.square_name(move.to_square)
    if move.drop:
        return f"{chess.piece_symbol(move.drop).upper()}@{target}"
    kind = board.piece_type_at(move.from_square) or chess.PAWN
    letter = "" if kind == chess.PAWN else chess.piece_symbol(kind).upper()
    return (
        f"{letter}{chess.square_name(move.from_square)}{'x' if board.occupied >> move.to_square & 1 else '-'}{target}"
    )
