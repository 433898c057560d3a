"""Both boards as a good reader sees them, set up by hand: for trying the tracker without pictures."""

import chess
import numpy as np
from numpy.typing import NDArray

from rules.events import Event
from rules.match import Match
from rules.observation import LABELS, UPRIGHT, Observation, PocketObservation, Reach
from rules.seats import BoardName
from rules.tracker import Tracker


class Table:
    """Both boards as a good reader sees them. `put` changes what stands; `look` lets time pass."""

    def __init__(
        self,
        match: Match | None = None,
        put: dict[BoardName, dict[str, str]] | None = None,
        read: dict[tuple[BoardName, str], NDArray[np.float32]] | None = None,
    ) -> None:
        """`put`: what stands otherwise than in the match when it is first seen; `read`: what reads otherwise."""
        match = match or Match()
        self.tracker = Tracker(match)
        self.boards = {name: chess.Board() for name in match.boards}
        for name, board in self.boards.items():
            board.set_board_fen(match.board(name).board_fen(promoted=False))
        self.pockets: dict[tuple[BoardName, bool], str] = {}
        self.shut: set[tuple[BoardName, bool]] = set()  # pockets that nobody sees
        self.lying: dict[BoardName, set[str]] = {name: set() for name in match.boards}
        self.flat = UPRIGHT  # how surely these lie, as log-odds,
        self.upright = UPRIGHT  # and how surely the others stand
        self.pushed: dict[tuple[BoardName, str], float] = {}
        self.covered: dict[BoardName, set[str]] = {name: set() for name in match.boards}  # by men before them,
        self.behind: dict[BoardName, set[str]] = {name: set() for name in match.boards}  # if only in part
        self.reaches: dict[BoardName, tuple[Reach, ...]] = {}
        self.reads = dict(read or {})  # squares that read otherwise than they are
        self.time = 0.0
        self.pace = 0.1  # seconds from look to look
        self.events: list[Event] = []
        for name, squares in (put or {}).items():
            self.put(name, **squares)
        self.look(1.0)

    def put(self, board: BoardName, **squares: str) -> None:
        """Set squares of a board: `e4="P"`, `e2=""`."""
        for name, letter in squares.items():
            square = chess.parse_square(name)
            self.boards[board].set_piece_at(square, chess.Piece.from_symbol(letter) if letter else None)

    def look(self, seconds: float, hidden: str = "", on: BoardName = "A") -> None:
        """Looks at each board, at its pace; `hidden`: squares of board `on` that a hand covers."""
        covered = [chess.parse_square(name) for name in hidden.split()]
        for _ in range(round(seconds / self.pace)):
            self.time += self.pace
            for name, board in self.boards.items():
                seen = np.ones(64, np.bool_)
                if name == on:
                    seen[covered] = False
                squares = np.array([row(board.piece_at(square)) for square in chess.SQUARES])
                for (where, square), read in self.reads.items():
                    if where == name:
                        squares[chess.parse_square(square)] = read
                pockets = {
                    color: pocket(self.pockets.get((name, color), ""), color, (name, color) not in self.shut)
                    for color in chess.COLORS
                }
                lies = np.full(64, -self.upright, np.float32)
                lies[_among(self.lying[name])] = self.flat
                offsets = np.zeros((64, 2), np.float32)
                for (where, square), gap in self.pushed.items():
                    offsets[chess.parse_square(square), 0] = gap if where == name else 0.0
                behind = np.isnan(offsets[:, 0]) | _among(self.behind[name])
                hand = bool(covered)
                look = Observation(
                    name, self.time, squares, seen, pockets, hand, hand, lying=lies, offsets=offsets,
                    reaches=self.reaches.get(name, ()), covered=_among(self.covered[name]), behind=behind,
                )  # fmt: skip
                self.events += self.tracker.update(look)

    def moves(self) -> list[str]:
        return [f"{event.board}:{event.san}" for event in self.events if event.kind in ("move", "drop", "correction")]

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]


def row(piece: chess.Piece | None) -> NDArray[np.float32]:
    return torn(**{piece.symbol() if piece else ".": 0.94})


def _among(squares: set[str]) -> NDArray[np.bool_]:
    """(64,) which squares are among these."""
    return np.isin(chess.SQUARES, [chess.parse_square(square) for square in squares])


def torn(**letters: float) -> NDArray[np.float32]:
    """What reads as one letter or another, with so much probability each."""
    p = np.full(len(LABELS), 0.005)
    p[[LABELS.index(letter) for letter in letters]] = list(letters.values())
    return np.asarray(np.log(p), np.float32)


def pocket(letters: str, color: chess.Color, seen: bool = True) -> PocketObservation:
    """What stands in a pocket of that colour: `pn`; letters of the other colour are strangers."""
    own = [letter for letter in letters if letter.isupper() == color]
    rows = np.array([row(chess.Piece.from_symbol(letter)) for letter in own], np.float32).reshape(-1, len(LABELS))
    centres = np.array([(9.0, 0.5 + n) for n in range(len(own))], np.float32).reshape(-1, 2)
    others = np.array([(10.0, 0.5 + n) for n in range(len(letters) - len(own))], np.float32).reshape(-1, 2)
    return PocketObservation(rows, centres, seen, others)
