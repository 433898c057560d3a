"""What can be reported to the referee: things that happened on the boards, in the reserves, to clocks, among players.

All times are seconds of one clock. A player is given by board and colour.
"""

from dataclasses import dataclass
from typing import Literal

import chess

from rules.seats import BoardName, Player


@dataclass(frozen=True, slots=True)
class Made:
    """A man was let go after a move or drop; the clock is not pressed yet.

    `instead`: of what the same player had just made and not completed. `color`: whose move; the side to move if not
    given. `by`: whose hand it was, if that is another player's.
    """

    board: BoardName
    move: chess.Move
    time: float
    color: chess.Color | None = None
    instead: bool = False
    by: Player | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was last made on a board stands as before; the clock had not been pressed."""

    board: BoardName
    time: float


@dataclass(frozen=True, slots=True)
class Pressed:
    """A clock was pressed. `by`: who did it, if not the player; `other_hand`: not with the hand that moved."""

    board: BoardName
    color: chess.Color
    time: float
    by: Player | None = None
    other_hand: bool = False


@dataclass(frozen=True, slots=True)
class ReserveSeen:
    """The men that stand in a player's reserve area, whatever their colour. `visible`: to all four players."""

    board: BoardName
    color: chess.Color
    men: tuple[chess.Piece, ...]
    time: float
    visible: bool = True


@dataclass(frozen=True, slots=True)
class HandedOver:
    """A player's hand has put a man into his partner's reserve."""

    board: BoardName
    color: chess.Color
    man: chess.PieceType
    time: float


@dataclass(frozen=True, slots=True)
class Standing:
    """How the man on a square stands."""

    board: BoardName
    square: chess.Square
    pose: Literal["lying", "upright", "upside_down"]


@dataclass(frozen=True, slots=True)
class FlagFell:
    """A player's time is up. `time` None: nobody saw when."""

    board: BoardName
    color: chess.Color
    time: float | None = None


@dataclass(frozen=True, slots=True)
class Resigned:
    """A player gives up."""

    board: BoardName
    color: chess.Color
    time: float


@dataclass(frozen=True, slots=True)
class Claimed:
    """A player calls the arbiter."""

    board: BoardName
    color: chess.Color
    what: Literal["illegal_move", "repetition", "fifty", "insufficient"]
    time: float


@dataclass(frozen=True, slots=True)
class Agreed:
    """These players agree on a draw; fewer than four: an offer, or one board's. `captains`: for their teams."""

    players: frozenset[Player]
    time: float
    captains: bool = False


@dataclass(frozen=True, slots=True)
class Spoke:
    """A player gave his partner advice."""

    board: BoardName
    color: chess.Color


@dataclass(frozen=True, slots=True)
class RefusedToShow:
    """A player was asked to show his reserve and did not."""

    board: BoardName
    color: chess.Color


@dataclass(frozen=True, slots=True)
class Waited:
    """A player with a move lets his clock run."""

    board: BoardName
    color: chess.Color
    time: float


@dataclass(frozen=True, slots=True)
class Passed:
    """Time went by: the referee looks at what is overdue."""

    time: float


@dataclass(frozen=True, slots=True)
class Ruled:
    """The arbiter's decision: the result, as in BPGN."""

    result: str
    time: float


Report = (
    Made
    | TakenBack
    | Pressed
    | ReserveSeen
    | HandedOver
    | Standing
    | FlagFell
    | Resigned
    | Claimed
    | Agreed
    | Spoke
    | RefusedToShow
    | Waited
    | Passed
    | Ruled
)
