"""What has to be right before the first move: seats, clocks, colours, and king and queen on their squares."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import chess

from rules.profile import Profile
from rules.seats import BOARDS, BoardName, Player
from rules.verdict import Verdict, verdict

TEAMS: tuple[frozenset[Player], ...] = (
    frozenset({("A", chess.WHITE), ("B", chess.BLACK)}),
    frozenset({("A", chess.BLACK), ("B", chess.WHITE)}),
)


@dataclass(frozen=True, slots=True)
class SetUp:
    """What was found. `teams`: who plays with whom; `clocks_outside`: each clock on the outer side of its board;
    `starts`: seconds at which a board's first clock was started; `colours_changed`: against the team's last match;
    `boards`: the positions set up."""

    teams: tuple[frozenset[Player], ...] = TEAMS
    clocks: int = 2
    clocks_outside: bool = True
    starts: Mapping[BoardName, float] = field(default_factory=dict)
    colours_changed: bool = False
    boards: Mapping[BoardName, chess.Board] = field(default_factory=dict)


def check_setup(profile: Profile, found: SetUp) -> list[Verdict]:
    """What is wrong with a set-up; empty when nothing is."""
    verdicts = []
    if set(found.teams) != set(TEAMS):
        verdicts.append(verdict(profile, "ILLEGAL", "seats_wrong"))
    if found.clocks != len(BOARDS) or (profile.clocks == "outer_sides" and not found.clocks_outside):
        verdicts.append(verdict(profile, "WARN", "clocks_wrong", count=found.clocks))
    if len(found.starts) == len(BOARDS) and profile.start == "together":
        gap = abs(found.starts["A"] - found.starts["B"])
        if gap > profile.end_tolerance:
            verdicts.append(verdict(profile, "WARN", "start_apart", seconds=f"{gap:.1f}"))
    if found.colours_changed and profile.colours == "fixed":
        verdicts.append(verdict(profile, "FLAG", "colours_changed"))
    for name, board in found.boards.items():
        if any(_swapped(board, color) for color in chess.COLORS):
            exchanged = profile.swapped_king_queen == "castling_exchanged"
            reason = "swapped_castling" if exchanged else "swapped_king_queen"
            verdicts.append(verdict(profile, "WARN", reason, board=name))
    return verdicts


def _swapped(board: chess.Board, color: chess.Color) -> bool:
    rank = 0 if color == chess.WHITE else 7
    king, queen = chess.Piece(chess.KING, color), chess.Piece(chess.QUEEN, color)
    return board.piece_at(chess.square(3, rank)) == king and board.piece_at(chess.square(4, rank)) == queen
