"""Legal moves counted to depth 3 against Fairy-Stockfish, on one board of a match, with moves made and taken back."""

from pathlib import Path

import chess
import pytest

from rules.board import ReserveBoard
from rules.match import Game, Match
from rules.profiles import PROFILES

ROWS = [
    tuple(part.strip() for part in line.split(";"))
    for line in (Path(__file__).parent / "perft.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("game", "fen", "text"), ROWS, ids=[f"{game} {fen[:24]}" for game, fen, _ in ROWS])
def test_perft(game: Game, fen: str, text: str) -> None:
    # The reference gives dropped rooks no castling right.
    profile = PROFILES["fatics"] if game == "bughouse" else None
    match = Match(game, profile, {"A": fen})
    before = match.board("A").fen()
    for depth, count in enumerate(map(int, text.split()), 1):
        assert perft(match, depth) == count
    assert match.board("A").fen() == before


def perft(match: Match, depth: int) -> int:
    if depth == 1:
        return leaves(match)
    nodes = 0
    for move in list(match.legal_moves("A")):
        match.apply("A", move)
        nodes += perft(match, depth - 1)
        match.pop()
    return nodes


def leaves(match: Match) -> int:
    """The number of legal moves; drops are counted by the squares they may go to."""
    board = match.board("A")
    assert isinstance(board, ReserveBoard)
    kinds = [kind for kind in chess.PIECE_TYPES if board.pockets[board.turn].count(kind)]
    drops = sum(chess.popcount(board.drop_squares(kind)) for kind in kinds)
    return drops + sum(1 for _ in chess.Board.generate_legal_moves(board))


def test_drops_counted_are_the_drops_generated() -> None:
    for game, fen, _ in ROWS:
        match = Match(game, PROFILES["fatics"] if game == "bughouse" else None, {"A": fen})  # type: ignore[arg-type]
        assert leaves(match) == sum(1 for _ in match.legal_moves("A"))
