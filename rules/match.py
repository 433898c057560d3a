"""A match: one board or two under a rule profile, with the reserves wired across.

In bughouse a captured piece goes to the partner's reserve on the other board, a promoted one as the pawn it was. In
crazyhouse it changes colour and goes to the capturer's own reserve. In chess there are no reserves.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import chess
import chess.variant

from rules.board import ReserveBoard
from rules.force import force
from rules.profile import Profile
from rules.profiles import CHESS, CRAZYHOUSE, SCACCO_BRATTO
from rules.seats import BOARDS, BoardName, partner, seat

Game = Literal["bughouse", "crazyhouse", "chess"]
OWN_PROFILE: Mapping[Game, Profile] = {"bughouse": SCACCO_BRATTO, "crazyhouse": CRAZYHOUSE, "chess": CHESS}
"""What is played where nothing else is chosen."""


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
    legal: bool = True


def san_of(board: chess.Board, move: chess.Move) -> str:
    """SAN of a legal move on a board, `P@e4` for a pawn's drop; nothing changes."""
    # On a copy: python-chess pushes the move to find out about check.
    san = board.copy(stack=False).san(move)
    return "P" + san if san.startswith("@") else san


@dataclass(frozen=True, slots=True)
class Setting:
    """A position that the arbiter has set. `after`: how many plies of the match came before. `fen`: with reserves."""

    after: int
    board: BoardName
    fen: str


class Match:
    """The state of a match and how it came about. `boards`: their names; one-board games have only board A.

    `start`: FEN by board where a board does not start from the start position. Raises ValueError for a bad FEN.
    """

    def __init__(
        self, game: Game = "bughouse", profile: Profile | None = None, start: Mapping[BoardName, str] | None = None
    ) -> None:
        self.game: Game = game
        self.profile = profile or OWN_PROFILE[game]
        self.start: dict[BoardName, str] = dict(start or {})
        self.boards: tuple[BoardName, ...] = BOARDS if game == "bughouse" else BOARDS[:1]
        self.plies: list[Ply] = []
        self.settings: list[Setting] = []
        self._boards: dict[BoardName, chess.Board] = {
            name: self._new_board(name, self.start.get(name)) for name in self.boards
        }
        self._counts: dict[BoardName, int] = dict.fromkeys(self.boards, 0)

    def _new_board(self, name: BoardName, fen: str | None) -> chess.Board:
        if self.game == "chess":
            board = chess.Board(fen or chess.STARTING_FEN)
        else:
            board = ReserveBoard.under(self.profile, fen or ReserveBoard.starting_fen)
        if any(len(board.pieces(chess.KING, color)) != 1 for color in chess.COLORS):
            raise ValueError(f"board {name}: a position has one king of each colour, not {board.board_fen()}")
        return board

    def set_position(self, name: BoardName, fen: str) -> None:
        """Set a board, its reserves and whose turn it is, as the arbiter wants. Raises ValueError for a bad FEN."""
        self._boards[name] = self._new_board(name, fen)
        self.settings.append(Setting(len(self.plies), name, fen))

    def board(self, name: BoardName) -> chess.Board:
        """The position, for reading only: moves go through `push`."""
        return self._boards[name]

    def pocket(self, name: BoardName, color: chess.Color) -> Counter[chess.PieceType]:
        """What a player may drop: kinds and how many."""
        board = self._boards[name]
        if not isinstance(board, ReserveBoard):
            return Counter()
        pocket = board.pockets[color]
        return Counter({kind: pocket.count(kind) for kind in chess.PIECE_TYPES if pocket.count(kind)})

    def legal_moves(self, name: BoardName) -> Iterator[chess.Move]:
        """Moves and drops of the side to move."""
        return self._boards[name].generate_legal_moves()

    def is_legal(self, name: BoardName, move: chess.Move) -> bool:
        """Whether the side to move may play it."""
        return self._boards[name].is_legal(move)

    def san(self, name: BoardName, move: chess.Move) -> str:
        """SAN of a legal move (`P@e4` for a pawn's drop); nothing changes. Raises IllegalMoveError."""
        self._check(name, move)
        return san_of(self._boards[name], move)

    def parse_san(self, name: BoardName, san: str) -> chess.Move:
        """The legal move that a SAN means; raises IllegalMoveError."""
        try:
            move = self._boards[name].parse_san(san)
        except ValueError as error:
            raise IllegalMoveError(f"board {name}, ply {self._counts[name] + 1}: {san} is not a legal move") from error
        if not move:  # python-chess reads `--`: a null move, which is none of a game's
            raise IllegalMoveError(f"board {name}, ply {self._counts[name] + 1}: {san} is not a legal move")
        return move

    def push(self, name: BoardName, move: chess.Move) -> Ply:
        """Play a move, feed the partner's reserve, and return its record. Raises IllegalMoveError."""
        return self.apply(name, move, self.san(name, move))

    def apply(self, name: BoardName, move: chess.Move, san: str = "") -> Ply:
        """`push` for a move known to be legal, with its SAN known or not wanted: for those who try many."""
        board = self._boards[name]
        color = board.turn
        board.push(move)
        return self._record(name, color, move, san, legal=True)

    def _record(self, name: BoardName, color: chess.Color, move: chess.Move, san: str, *, legal: bool) -> Ply:
        """Pass on what a move took, and note it."""
        board = self._boards[name]
        passed = board.captured if isinstance(board, ReserveBoard) else None
        if passed is not None:
            self._reserve_fed_by(name, color).add(passed)
        self._counts[name] += 1
        ply = Ply(name, color, self._counts[name], move, san, passed, legal)
        self.plies.append(ply)
        return ply

    def strays(self, name: BoardName, move: chess.Move, color: chess.Color) -> bool:
        """Whether a drop that was against the rules would not be now: who was dropped was held by no reserve then, and
        it is another that has been passed on since."""
        board = self._boards[name]
        return bool(move.drop) and color == board.turn and board.is_legal(move)

    def force(
        self, name: BoardName, move: chess.Move, color: chess.Color | None = None, san: str = "", *, stray: bool = False
    ) -> Ply:
        """Set a board to what a move left there, legal or not: what stands on the board counts from then on.

        A man that no reserve held comes from nowhere, one that stood where another was dropped is gone: the men no
        longer add up, and `pop` cannot bring them back. `color`: who moved; the side to move if not given. `stray`: the
        man who is dropped comes from nowhere, though a reserve holds such a one. Raises IllegalMoveError where no man
        of the mover's stands on the square the move starts from.
        """
        board = self._boards[name]
        color = board.turn if color is None else color
        if stray:
            assert isinstance(board, ReserveBoard)
            assert move.drop
            board.pockets[color].add(move.drop)
        elif color == board.turn and board.is_legal(move):
            return self.apply(name, move, san)
        if not (isinstance(board, ReserveBoard) if move.drop else board.color_at(move.from_square) == color):
            raise IllegalMoveError(f"board {name}, ply {self._counts[name] + 1}: {move.uci()} moves nothing")
        force(board, color, move)
        return self._record(name, color, move, san, legal=False)

    def pop(self) -> Ply:
        """Take back the last ply of the match and return it.

        Raises IndexError when there is none, and on a copy for what was played before it.
        """
        if not self._boards[self.plies[-1].board].move_stack:
            raise IndexError("a copy cannot take back what was played before it")
        ply = self.plies.pop()
        self._boards[ply.board].pop()
        self._counts[ply.board] -= 1
        if ply.passed is not None:
            self._reserve_fed_by(ply.board, ply.color).remove(ply.passed)
        return ply

    def _reserve_fed_by(self, name: BoardName, color: chess.Color) -> "chess.variant.CrazyhousePocket":
        """The reserve that a player's captures go to."""
        their_board, their_color = partner(name, color) if self.game == "bughouse" else (name, color)
        board = self._boards[their_board]
        assert isinstance(board, ReserveBoard)
        return board.pockets[their_color]

    def is_mate(self, name: BoardName) -> bool:
        """Mate that nothing can parry, in bughouse not even a piece yet to be passed."""
        return self._boards[name].is_checkmate()

    def count(self, name: BoardName) -> int:
        """Plies played on a board."""
        return self._counts[name]

    def copy(self) -> "Match":
        """Independent of this one; it cannot take back what was played before the copy."""
        other = Match.__new__(Match)
        other.game, other.profile, other.start, other.boards = self.game, self.profile, self.start, self.boards
        other.plies, other.settings = self.plies.copy(), self.settings.copy()
        other._boards = {name: board.copy(stack=False) for name, board in self._boards.items()}
        other._counts = self._counts.copy()
        return other

    def fresh(self) -> "Match":
        """The same match before its first ply."""
        return Match(self.game, self.profile, self.start)

    def again(self, ply: Ply) -> None:
        """Play a ply of another match, legal or not as it was there. Raises IllegalMoveError."""
        if ply.legal:
            self.push(ply.board, ply.move)
        else:
            self.force(ply.board, ply.move, ply.color, ply.san, stray=self.strays(ply.board, ply.move, ply.color))

    def replay(self, moves: Iterable[tuple[BoardName, chess.Move]]) -> "Match":
        """The same match with these moves instead of its own. Raises IllegalMoveError."""
        match = self.fresh()
        for name, move in moves:
            match.push(name, move)
        return match

    def replayed(self, change: Callable[[int, Ply], Ply | None]) -> "Match":
        """The same match with each ply as `change` makes it, by its index, or without it where that is None.

        Raises IllegalMoveError where a ply, or one made of it, cannot be played any more.
        """
        match = self.fresh()
        for index, ply in self.onto(match):
            changed = change(index, ply)
            if changed is not None:
                match.again(changed)
        return match

    def onto(self, match: "Match") -> Iterator[tuple[int, Ply]]:
        """The plies in order, with their index; what the arbiter has set between them is set in another match."""
        for index in range(len(self.plies) + 1):
            for setting in self.settings:
                if setting.after == index:
                    match.set_position(setting.board, setting.fen)
            if index < len(self.plies):
                yield index, self.plies[index]

    def without_dependents(self, name: BoardName) -> tuple["Match", list[Ply]]:
        """The match with the last ply of a board taken back, and with it whatever could not have been played then.

        Returns the match and the plies that it lost, in order.
        """
        match, lost = self.fresh(), list[Ply]()
        last = max(index for index, ply in enumerate(self.plies) if ply.board == name)
        stopped: set[BoardName] = set()
        for index, ply in self.onto(match):
            try:
                if ply.board in stopped or index == last:
                    raise IllegalMoveError
                match.again(ply)
            except IllegalMoveError:
                stopped.add(ply.board)
                lost.append(ply)
        return match, lost

    def without_last(self, name: BoardName, count: int = 1) -> "Match":
        """The match with the last `count` plies of one board taken back.

        Raises IllegalMoveError where a later drop needs a piece that they had passed, and where there are too few.
        """
        keep = self._counts[name] - count
        if keep < 0:
            raise IllegalMoveError(f"board {name}: only {self._counts[name]} plies to take back")
        return self.replayed(lambda _, ply: ply if ply.board != name or ply.number <= keep else None)

    def instead(self, name: BoardName, moves: Sequence[chess.Move]) -> "Match":
        """The match with these in place of the last plies of one board, each where one was.

        Raises IllegalMoveError where one is against the rules, or a later drop needs another piece than they pass.
        """
        keep = self._counts[name] - len(moves)

        def change(_: int, ply: Ply) -> Ply:
            told = ply.board != name or ply.number <= keep
            return ply if told else replace(ply, move=moves[ply.number - keep - 1], legal=True)

        return self.replayed(change)

    def _check(self, name: BoardName, move: chess.Move) -> None:
        if not self._boards[name].is_legal(move):
            who = seat(name, self._boards[name].turn)
            raise IllegalMoveError(f"board {name}, ply {self._counts[name] + 1}: {move.uci()} is not legal for {who}")
