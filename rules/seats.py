"""Who sits where: two boards, four players, two teams.

WhiteA and BlackB are one team, BlackA and WhiteB the other. What a player captures goes to the
partner, who plays the colour that was captured; so a pocket only ever holds its owner's own colour.
"""

from typing import Literal

import chess

BoardName = Literal["A", "B"]
Player = tuple[BoardName, chess.Color]
BOARDS: tuple[BoardName, BoardName] = ("A", "B")


def other(board: BoardName) -> BoardName:
    """The board beside this one."""
    return "B" if board == "A" else "A"


def seat(board: BoardName, color: chess.Color) -> str:
    """BPGN's name of a player: `WhiteA`, `BlackA`, `WhiteB` or `BlackB`."""
    return ("White" if color == chess.WHITE else "Black") + board


def partner(board: BoardName, color: chess.Color) -> tuple[BoardName, chess.Color]:
    """Board and colour of the team mate of the player of `color` on `board`."""
    return other(board), not color


def won(board: BoardName, color: chess.Color) -> Literal["1-0", "0-1"]:
    """The result of a match that a player's team wins."""
    return "1-0" if (color == chess.WHITE) == (board == "A") else "0-1"
