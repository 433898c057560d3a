"""A match: one board or two, with the pockets wired across.

In bughouse a captured piece goes to the partner's pocket on the other board, a promoted one as the pawn it was. In
crazyhouse it changes colour and goes to the capturer's own pocket. In chess there are no pockets.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import chess
import chess.variant

from rules.seats import BOARDS, BoardName, partner, seat

Game = Literal["bughouse", "crazyhouse", "chess"]


class IllegalMoveError(ValueError):
    """A move that the rules do not allow; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move or drop. `number`: from 1, on its own board. `passed`: the kind handed over to the partner."""

    board: BoardName
    color: chess.Color
    number: int
    move: chess.Move
    san: str
    passed: chess.PieceType | None


class _Board(chess.variant.CrazyhouseBoard):
    """A board of bughouse: it keeps what was captured last instead of pocketing it."""

    captured: chess.PieceType | None = None

    def push(self, move: chess.Move) -> None:
        self.captured = None
        super().push(move)

    def _push_capture(
        self, move: chess.Move, capture_square: chess.Square, piece_type: chess.PieceType, was_promoted: bool
    ) -> None:
        del move, capture_square
        self.captured = chess.PAWN if was_promoted else piece_type

    def is_checkmate(self) -> bool:
        """Mate for good: no piece the partner might still pass could be dropped in between."""
        return super().is_checkmate() and not self._can_be_blocked()

    def _can_be_blocked(self) -> bool:
        king = self.king(self.turn)
        checkers = list(self.checkers())
        return king is not None and len(checkers) == 1 and bool(chess.between(king, checkers[0]))


class Match:
    """The state of a match and how it came about. `boards`: their names; one-board games have only board A."""

    def __init__(self, game: Game = "bughouse") -> None:
        self.game: Game = game
        self.boards: tuple[BoardName, ...] = BOARDS if game == "bughouse" else BOARDS[:1]
        self.plies: list[Ply] = []
        kind = {"bughouse": _Board, "crazyhouse": chess.variant.CrazyhouseBoard, "chess": chess.Board}[game]
        self._boards: dict[BoardName, chess.Board] = {name: kind() for name in self.boards}
        self._counts: dict[BoardName, int] = dict.fromkeys(self.boards, 0)

    def board(self, name: BoardName) -> chess.Board:
        """The position, for reading only: moves go through `push`."""
        return self._boards[name]

    def pocket(self, name: BoardName, color: chess.Color) -> Counter[chess.PieceType]:
        """What a player may drop: kinds and how many."""
        board = self._boards[name]
        if not isinstance(board, chess.variant.CrazyhouseBoard):
            return Counter()
        pocket = board.pockets[color]
        return Counter({kind: pocket.count(kind) for kind in chess.PIECE_TYPES if pocket.count(kind)})

    def legal_moves(self, name: BoardName) -> Iterator[chess.Move]:
        """Moves and drops of the side to move."""
        yield from self._boards[name].legal_moves

    def is_legal(self, name: BoardName, move: chess.Move) -> bool:
        """Whether the side to move may play it."""
        return self._boards[name].is_legal(move)

    def san(self, name: BoardName, move: chess.Move) -> str:
        """SAN of a legal move (`P@e4` for a pawn's drop); nothing changes. Raises IllegalMoveError."""
        self._check(name, move)
        # On a copy: python-chess pushes the move to find out about check.
        san = self._boards[name].copy(stack=False).san(move)
        return "P" + san if san.startswith("@") else san

    def parse_san(self, name: BoardName, san: str) -> chess.Move:
        """The legal move that a SAN means; raises IllegalMoveError."""
        try:
            return self._boards[name].parse_san(san)
        except ValueError as error:
            raise IllegalMoveError(f"board {name}, ply {self._counts[name] + 1}: {san} is not a legal move") from error

    def push(self, name: BoardName, move: chess.Move) -> Ply:
        """Play a move, feed the partner's pocket, and return its record. Raises IllegalMoveError."""
        san = self.san(name, move)
        return self.push_named(name, move, san)

    def push_named(self, name: BoardName, move: chess.Move, san: str) -> Ply:
        """`push` for a move known to be legal, with its SAN known or not wanted: for those who try many."""
        board = self._boards[name]
        color = board.turn
        board.push(move)
        passed = board.captured if isinstance(board, _Board) else None
        if passed is not None:
            self._feed(name, color, passed)
        self._counts[name] += 1
        ply = Ply(name, color, self._counts[name], move, san, passed)
        self.plies.append(ply)
        return ply

    def is_mate(self, name: BoardName) -> bool:
        """Mate that nothing can parry, in bughouse not even a piece yet to be passed."""
        return self._boards[name].is_checkmate()

    def copy(self) -> "Match":
        """Independent of this one."""
        other = Match.__new__(Match)
        other.game, other.boards, other.plies = self.game, self.boards, self.plies.copy()
        other._boards = {name: board.copy(stack=False) for name, board in self._boards.items()}
        other._counts = self._counts.copy()
        return other

    @classmethod
    def replayed(cls, game: Game, moves: Iterable[tuple[BoardName, chess.Move]]) -> "Match":
        """A match from its moves in order. Raises IllegalMoveError."""
        match = cls(game)
        for name, move in moves:
            match.push(name, move)
        return match

    def without_last(self, name: BoardName, count: int = 1) -> "Match":
        """The match with the last `count` plies of one board taken back.

        Raises IllegalMoveError where a later drop needs a piece that they had passed, and where there are too few.
        """
        keep = self._counts[name] - count
        if keep < 0:
            raise IllegalMoveError(f"board {name}: only {self._counts[name]} plies to take back")
        left = [(ply.board, ply.move) for ply in self.plies if ply.board != name or ply.number <= keep]
        return Match.replayed(self.game, left)

    def _check(self, name: BoardName, move: chess.Move) -> None:
        if not self._boards[name].is_legal(move):
            who = seat(name, self._boards[name].turn)
            raise IllegalMoveError(f"board {name}, ply {self._counts[name] + 1}: {move.uci()} is not legal for {who}")

    def _feed(self, name: BoardName, color: chess.Color, kind: chess.PieceType) -> None:
        their_board, their_color = partner(name, color)
        board = self._boards[their_board]
        if isinstance(board, chess.variant.CrazyhouseBoard):
            board.pockets[their_color].add(kind)
