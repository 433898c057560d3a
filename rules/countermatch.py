"""A game of Quad Wrangle or Affollata: what was played and where it stands. It has the shape of `rules.match.Match`.

There is one board, A, and no reserve. A position is immutable, so whoever tries many actions asks the position
(`Counters.legal_moves`, `after`) and leaves the match alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import chess

from rules.counters import CounterGame, Counters, read_written, written
from rules.crowded import Crowded
from rules.match import IllegalMoveError, Ply, Setting
from rules.profiles import COUNTERS
from rules.quadwrangle import QuadWrangle
from rules.seats import BoardName

GAMES: Mapping[CounterGame, type[Counters]] = {"quadwrangle": QuadWrangle, "affollata": Crowded}
OWN_START: Mapping[CounterGame, str] = {"quadwrangle": "adjacent"}
"""Where a game starts if nothing else is said. Affollata's start is set up by the players."""

MOST_TURNED = 16  # twice what one counter touches; the record keeps 40 characters of an action


@dataclass(frozen=True, slots=True)
class CounterPly(Ply):
    """One action. `turned`: the counters that changed colour by it, as they did; where it is legal, as the rules say.

    An irregular one has `turned` in its `san` too, as `rules.counters.written` has it.
    """

    turned: chess.Bitboard = 0


def start_faults(position: Counters) -> list[str]:
    """What is wrong with counters set up for a new game, a line each; empty when nothing is."""
    white, black = position.score
    if position.GAME == "affollata":
        cells = " ".join(map(chess.square_name, chess.scan_forward(position.empty)))
        return [f"every cell holds a counter at the start; empty: {cells}"] if cells else []
    sides = (("White", white), ("Black", black))
    return [f"{side} starts with 10 counters, not {count}" for side, count in sides if count != 10]


class CounterMatch:
    """The state of a game and how it came about.

    `start`: by board (`A`), a name in the game's `STARTS` or a position as `Counters.from_fen` reads it. Raises
    ValueError for any other, and where none is given for Affollata, whose start is no fixed one.
    """

    boards: tuple[BoardName, ...] = ("A",)
    profile = COUNTERS

    def __init__(self, game: CounterGame = "quadwrangle", start: Mapping[BoardName, str] | None = None) -> None:
        self.game: CounterGame = game
        self.start: dict[BoardName, str] = dict(start or {})
        self.plies: list[CounterPly] = []
        self.settings: list[Setting] = []
        text = self.start.get("A", OWN_START.get(game, ""))
        if not text:
            raise ValueError(
                f"{game}: set up the start or give it as a position; {', '.join(GAMES[game].STARTS)} is one"
            )
        self._position = GAMES[game].start(text)
        self._before: list[Counters] = []

    def set_position(self, name: BoardName, fen: str) -> None:
        """Set the board and whose turn it is, as the arbiter wants. Raises ValueError for what is no position."""
        self._position = GAMES[self.game].from_fen(fen)
        self.settings.append(Setting(len(self.plies), name, self._position.fen()))

    def board(self, name: BoardName = "A") -> Counters:
        """The position."""
        del name  # there is one board
        return self._position

    def pocket(self, name: BoardName, color: chess.Color) -> Counter[chess.PieceType]:
        """Empty: new counters come from a common heap."""
        del name, color
        return Counter()

    def legal_moves(self, name: BoardName = "A") -> Iterator[chess.Move]:
        """Actions of the side to move; none once the game is over."""
        return self.board(name).legal_moves()

    def is_legal(self, name: BoardName, move: chess.Move) -> bool:
        """Whether the side to move may do this."""
        return self.board(name).is_legal(move)

    def is_mate(self, name: BoardName) -> bool:
        """Never: no counter is a king."""
        del name
        return False

    @property
    def is_over(self) -> bool:
        """Whether the game is played out."""
        return self._position.is_over

    @property
    def result(self) -> Literal["1-0", "0-1", "1/2-1/2", "*"]:
        """By the counters once the game is played out, `*` before."""
        return self._position.result

    @property
    def score(self) -> tuple[int, int]:
        """Counters of White and of Black."""
        return self._position.score

    def san(self, name: BoardName, move: chess.Move) -> str:
        """A legal action as it is written. Raises IllegalMoveError, with the reason."""
        if reason := self.board(name).refusal(move):
            raise IllegalMoveError(f"ply {len(self.plies) + 1}: {written(move)} is illegal: {reason}")
        return written(move)

    def parse_san(self, name: BoardName, san: str) -> chess.Move:
        """The legal action that a text means. Raises IllegalMoveError."""
        try:
            move, turned = read_written(san)
        except ValueError as error:
            raise IllegalMoveError(f"ply {len(self.plies) + 1}: {error}") from error
        if turned is not None:
            raise IllegalMoveError(f"ply {len(self.plies) + 1}: {san} was against the rules")
        self.san(name, move)
        return move

    def push(self, name: BoardName, move: chess.Move) -> CounterPly:
        """Play an action and return its record. Raises IllegalMoveError, with the reason."""
        return self.apply(name, move, self.san(name, move))

    def apply(self, name: BoardName, move: chess.Move, san: str = "") -> CounterPly:
        """`push` for an action known to be legal, with its text known or not wanted."""
        position = self.board(name)
        return self._act(name, position, move, san, position.turned(move), legal=True)

    def force(
        self,
        name: BoardName,
        move: chess.Move,
        color: chess.Color | None = None,
        turned: chess.Bitboard | None = None,
    ) -> CounterPly:
        """Set the board to what an action left there, legal or not: what stands there counts from then on.

        `color`: who acted; the side to move if not given. `turned`: which counters changed colour, of either side; what
        the rules turn if not given. Raises IllegalMoveError where no counter of theirs stands on the cell it starts
        from, where it leaves the board, and where a cell of `turned` holds no counter that it could turn.
        """
        position = self.board(name).with_turn(self.board(name).turn if color is None else color)
        by_rule = position.turned(move)
        turned = by_rule if turned is None else turned
        if position == self._position and turned == by_rule and position.is_legal(move):
            return self.apply(name, move, written(move))
        text, cells = written(move, turned), (move.from_square, move.to_square)
        if any(not position.CELLS >> cell & 1 for cell in cells) or not (
            move.drop or position.own >> move.from_square & 1
        ):
            raise IllegalMoveError(f"ply {len(self.plies) + 1}: {text} moves nothing")
        after = position.forced(move, 0)
        if turned & ~(after.occupied & ~chess.BB_SQUARES[move.to_square]) or turned.bit_count() > MOST_TURNED:
            raise IllegalMoveError(f"ply {len(self.plies) + 1}: {text} turns what is not there to turn")
        return self._act(name, position, move, text, turned, legal=False)

    def _act(
        self, name: BoardName, position: Counters, move: chess.Move, san: str, turned: chess.Bitboard, *, legal: bool
    ) -> CounterPly:
        """Note an action of the side to move in `position`: the one that stands, or the same with the other to move."""
        self._before.append(self._position)
        self._position = position.forced(move, turned)
        ply = CounterPly(name, position.turn, len(self.plies) + 1, move, san, None, legal, turned)
        self.plies.append(ply)
        return ply

    def pop(self) -> CounterPly:
        """Take back the last action and return it.

        Raises IndexError when there is none, or when the arbiter has set the position since.
        """
        if self.settings and self.settings[-1].after == len(self.plies):
            raise IndexError("the position was set since the last action")
        ply = self.plies.pop()
        self._position = self._before.pop()
        return ply

    def count(self, name: BoardName = "A") -> int:
        """Actions played."""
        del name
        return len(self.plies)

    def copy(self) -> "CounterMatch":
        """Independent of this one."""
        other = CounterMatch.__new__(CounterMatch)
        other.game, other.start, other._position = self.game, self.start, self._position
        other.plies, other.settings, other._before = self.plies.copy(), self.settings.copy(), self._before.copy()
        return other

    def fresh(self) -> "CounterMatch":
        """The same game before its first action."""
        return CounterMatch(self.game, self.start)

    def again(self, ply: Ply) -> None:
        """Play a ply of another match, legal or not as it was there. Raises IllegalMoveError."""
        if ply.legal:
            self.push(ply.board, ply.move)
        else:
            self.force(ply.board, ply.move, ply.color, read_written(ply.san)[1])

    def replay(self, moves: Iterable[tuple[BoardName, chess.Move]]) -> "CounterMatch":
        """The same game with these actions instead of its own. Raises IllegalMoveError."""
        match = self.fresh()
        for name, move in moves:
            match.push(name, move)
        return match

    def replayed(self, change: Callable[[int, CounterPly], CounterPly | None]) -> "CounterMatch":
        """The same game with each ply as `change` makes it, by its index, or without it where that is None.

        Raises IllegalMoveError where a ply, or one made of it, cannot be played any more.
        """
        match = self.fresh()
        for index in range(len(self.plies) + 1):
            for setting in self.settings:
                if setting.after == index:
                    match.set_position(setting.board, setting.fen)
            if index < len(self.plies) and (changed := change(index, self.plies[index])) is not None:
                match.again(changed)
        return match

    def without_last(self, name: BoardName = "A", count: int = 1) -> "CounterMatch":
        """The game with its last `count` actions taken back. Raises IllegalMoveError where there are too few."""
        keep = len(self.plies) - count
        if keep < 0:
            raise IllegalMoveError(f"board {name}: only {len(self.plies)} plies to take back")
        return self.replayed(lambda index, ply: ply if index < keep else None)

    def without_dependents(self, name: BoardName = "A") -> tuple["CounterMatch", list[CounterPly]]:
        """The game with its last action taken back, and that action: with one board nothing else rests on it."""
        return self.without_last(name), self.plies[-1:]
