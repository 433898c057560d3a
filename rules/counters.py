"""Positions of games with two-colour counters, and how an action is written: what Quad Wrangle and Affollata share.

Cells are `chess.Square`s; a smaller board lies in the corner of a1. An action is a `chess.Move`: a new counter is a
dropped pawn, `chess.Move(f4, f4, drop=chess.PAWN)`, and counters stand in FEN as `P` (White) and `p` (Black).
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import chess

CounterGame = Literal["quadwrangle", "affollata"]

PLACINGS = tuple(chess.Move(cell, cell, drop=chess.PAWN) for cell in chess.SQUARES)
MOVES = tuple(tuple(chess.Move(source, target) for target in chess.SQUARES) for source in chess.SQUARES)
"""Actions are made once: games are searched by the million."""

WHITE_LETTERS, BLACK_LETTERS = "PWw", "pBb"
COLORS = {"w": chess.WHITE, "b": chess.BLACK}


@dataclass(frozen=True, slots=True)
class Counters(ABC):
    """Where counters stand and whose turn it is. `white`, `black`: disjoint bitboards within `CELLS`."""

    GAME: ClassVar[CounterGame]
    SIZE: ClassVar[int]
    CELLS: ClassVar[chess.Bitboard]
    STARTS: ClassVar[Mapping[str, str]]
    """Positions by the name under which a start may be asked for."""

    white: chess.Bitboard
    black: chess.Bitboard
    turn: chess.Color = chess.WHITE

    @classmethod
    def start(cls, text: str) -> Self:
        """A start by its name in `STARTS`, or any position as `from_fen` has it. Raises ValueError, in one line."""
        return cls.from_fen(cls.STARTS.get(text, text))

    @classmethod
    def from_fen(cls, text: str) -> Self:
        """`1PPPPP1/P5p/.../1ppppp1 w`: rows from the highest rank down, then whose turn it is, White's if not said.

        A row may stand on a line of its own; `W` and `w` are White's counters too, `B` and `b` Black's, `.` an empty
        cell. Raises ValueError, in one line.
        """
        words = text.replace("/", " ").split()
        turn = words.pop() if len(words) == cls.SIZE + 1 else "w"
        if len(words) != cls.SIZE or turn not in COLORS:
            raise ValueError(
                f"{cls.GAME}: a position is {cls.SIZE} rows and w or b, or one of {', '.join(cls.STARTS)}; "
                f"not {' '.join(text.split())[:80]!r}"
            )
        white = black = 0
        for rank, row in zip(range(cls.SIZE - 1, -1, -1), words, strict=True):
            cells = re.sub(r"[1-8]", lambda found: "." * int(found[0]), row)
            if len(cells) != cls.SIZE or set(cells) - set(WHITE_LETTERS + BLACK_LETTERS + "."):
                raise ValueError(f"{cls.GAME}: rank {rank + 1} is {cls.SIZE} of P, p and empty, not {row[:20]!r}")
            for file, letter in enumerate(cells):
                white |= (letter in WHITE_LETTERS) << chess.square(file, rank)
                black |= (letter in BLACK_LETTERS) << chess.square(file, rank)
        return cls(white, black, COLORS[turn])

    def fen(self) -> str:
        """The position as `from_fen` reads it."""
        return f"{self.board_fen()} {'w' if self.turn else 'b'}"

    def board_fen(self) -> str:
        """The counters alone."""
        return "/".join(re.sub(r"\.+", lambda found: str(len(found[0])), row) for row in str(self).split())

    def __str__(self) -> str:
        letters = {chess.WHITE: "P", chess.BLACK: "p", None: "."}
        cells, ranks = range(self.SIZE), range(self.SIZE - 1, -1, -1)
        return "\n".join("".join(letters[self.color_at(chess.square(file, rank))] for file in cells) for rank in ranks)

    @property
    def occupied(self) -> chess.Bitboard:
        """Cells with a counter."""
        return self.white | self.black

    @property
    def empty(self) -> chess.Bitboard:
        """Cells without one."""
        return self.CELLS & ~self.occupied

    @property
    def own(self) -> chess.Bitboard:
        """Counters of the side to move."""
        return self.white if self.turn else self.black

    @property
    def opposing(self) -> chess.Bitboard:
        """Counters of the other side."""
        return self.black if self.turn else self.white

    @property
    def occupied_co(self) -> tuple[chess.Bitboard, chess.Bitboard]:
        """Counters by `chess.Color`."""
        return self.black, self.white

    def color_at(self, cell: chess.Square) -> chess.Color | None:
        """Whose counter stands on a cell, None for nobody's."""
        if self.occupied >> cell & 1:
            return bool(self.white >> cell & 1)
        return None

    def pieces_mask(self, piece_type: chess.PieceType, color: chess.Color) -> chess.Bitboard:
        """One side's counters if it is asked for its pawns; it has nothing else."""
        return self.occupied_co[color] if piece_type == chess.PAWN else chess.BB_EMPTY

    def piece_map(self) -> dict[chess.Square, chess.Piece]:
        """The counters as pawns, by cell."""
        return {
            cell: chess.Piece(chess.PAWN, self.white >> cell & 1 == 1) for cell in chess.scan_forward(self.occupied)
        }

    @property
    @abstractmethod
    def placeable(self) -> chess.Bitboard:
        """Cells where the side to move may place a new counter."""

    @abstractmethod
    def reach(self, cell: chess.Square) -> chess.Bitboard:
        """Where a counter of the side to move on a cell may go."""

    @abstractmethod
    def turned(self, move: chess.Move) -> chess.Bitboard:
        """Opposing counters that an action of the side to move turns, legal or not."""

    @abstractmethod
    def refusal(self, move: chess.Move) -> str:
        """Why the side to move may not do this, in a few words; empty where it may."""

    def legal_moves(self) -> Iterator[chess.Move]:
        """Actions of the side to move: new counters by cell, then those that move."""
        for cell in chess.scan_forward(self.placeable):
            yield PLACINGS[cell]
        for cell in chess.scan_forward(self.own):
            moves = MOVES[cell]
            for target in chess.scan_forward(self.reach(cell)):
                yield moves[target]

    def count_moves(self) -> int:
        """How many actions `legal_moves` has, without making them."""
        return self.placeable.bit_count() + sum(self.reach(cell).bit_count() for cell in chess.scan_forward(self.own))

    def is_legal(self, move: chess.Move) -> bool:
        """Whether the side to move may do this."""
        if move.drop:
            return move == PLACINGS[move.to_square] and bool(self.placeable >> move.to_square & 1)
        ours = self.own >> move.from_square & 1 and move.promotion is None
        return bool(ours and self.reach(move.from_square) >> move.to_square & 1)

    def after(self, move: chess.Move) -> Self:
        """The position after a legal action; nothing is checked."""
        return self.forced(move, self.turned(move))

    def forced(self, move: chess.Move, turned: chess.Bitboard) -> Self:
        """The position after any action of the side to move, with the counters that changed colour as they did.

        `turned`: cells whose counter is of the other colour afterwards, Black's or White's; the action's own are none.
        """
        source = 0 if move.drop else 1 << move.from_square
        target = 1 << move.to_square
        own, opposing = (self.own & ~source) | target, self.opposing & ~target
        own, opposing = (own & ~turned) | (opposing & turned), (opposing & ~turned) | (own & turned)
        white, black = (own, opposing) if self.turn else (opposing, own)
        return type(self)(white, black, not self.turn)

    def with_turn(self, color: chess.Color) -> Self:
        """The same counters, with this side to move."""
        return self if self.turn == color else replace(self, turn=color)

    @property
    def score(self) -> tuple[int, int]:
        """Counters of White and of Black."""
        return self.white.bit_count(), self.black.bit_count()

    @property
    def is_over(self) -> bool:
        """Whether the side to move can do nothing, which in these games ends the game for both: nobody passes."""
        return next(self.legal_moves(), None) is None

    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """Who has more counters once the game is over; `*` before."""
        white, black = self.score
        if not self.is_over:
            return "*"
        return "1/2-1/2" if white == black else "1-0" if white > black else "0-1"

    def _cells_amiss(self, move: chess.Move) -> str:
        """What is wrong with the cells of an action in any game: where it starts and whether it stays on the board."""
        if move.promotion or move.drop not in (None, chess.PAWN) or (move.drop and move.from_square != move.to_square):
            return "counters have no kinds"
        for cell in (move.from_square, move.to_square):
            if not self.CELLS >> cell & 1:
                return f"{chess.square_name(cell)} is off the board"
        if not move.drop and not self.own >> move.from_square & 1:
            return f"{'White' if self.turn else 'Black'} has no counter on {chess.square_name(move.from_square)}"
        return ""


WRITTEN = re.compile(
    r"(?:(?P<source>[a-h][1-8])[-x:]?)?(?P<target>[a-h][1-8])(?P<mark>~(?P<turned>(?:,?[a-h][1-8])*))?", re.IGNORECASE
)


def written(move: chess.Move, turned: chess.Bitboard | None = None) -> str:
    """`f4` for a new counter, `g5-f6` for one that moves.

    What it turns follows from the rules. Where it was against them, `turned` tells what did: `g5-f6~f7e7`, `f4~`.
    """
    target = chess.square_name(move.to_square)
    text = target if move.drop else f"{chess.square_name(move.from_square)}-{target}"
    return text if turned is None else f"{text}~{''.join(map(chess.square_name, chess.scan_forward(turned)))}"


def read_written(text: str) -> tuple[chess.Move, chess.Bitboard | None]:
    """What `written` wrote, legal or not. Also understands `g5f6`, `g5xf6` and `G5-F6`. Raises ValueError."""
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:20]!r} is no action: one is written f4 or g5-f6")
    target = chess.parse_square(found["target"].lower())
    source = found["source"]
    move = MOVES[chess.parse_square(source.lower())][target] if source else PLACINGS[target]
    if found["mark"] is None:
        return move, None
    cells = re.findall("..", found["turned"].lower().replace(",", ""))
    return move, sum(chess.BB_SQUARES[cell] for cell in set(map(chess.parse_square, cells)))
