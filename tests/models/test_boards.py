"""What boards hold, and where, is found in games."""

from pathlib import Path

import chess
import numpy as np
import pytest

from models import boards as module
from models.boards import boards_of_bughouse, boards_of_chess, counts_of, fitted
from rules.observation import EMPTY, LABELS, labels_of
from rules.records import read

SAMPLE = Path(__file__).parents[2] / "quadriglia" / "sample" / "truth.bpgn"
GAMES = """[Event "one"]
[Result "*"]

1. e4 e5 2. Nf3 *

[Event "two"]
[Result "*"]

1. d4 {a comment} d5 *
"""


def test_boards_of_chess_are_those_after_each_ply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("\n" + GAMES)
    monkeypatch.setattr(module, "PLIES", 1)
    found = {tuple(labels) for labels in boards_of_chess(path)}
    expected = set()
    for moves in ("e4 e5 Nf3", "d4 d5"):
        board = chess.Board()
        for san in moves.split():
            board.push_san(san)
            expected.add(tuple(labels_of(board)))
    assert found == expected


def test_boards_of_bughouse_are_those_after_each_ply() -> None:
    found = boards_of_bughouse(SAMPLE)
    match = next(read(SAMPLE.read_text())).match
    assert len(found) == len(match.plies)
    assert (found[-1] == labels_of(match.board(match.plies[-1].board))).all()


def test_men_are_counted_by_side() -> None:
    boards = np.stack([labels_of(chess.BaseBoard(fen)) for fen in ("4k3/pp6/8/8/8/8/P7/4K3", "4k3/8/8/8/8/8/8/4K2Q")])
    counts = counts_of(boards)
    assert counts.sum(1) == pytest.approx(np.ones(6))
    assert counts[0, :4] == pytest.approx([0.5, 0.25, 0.25, 0])  # pawns
    assert counts[4, :2] == pytest.approx([0.75, 0.25])  # queens


def test_sorts_of_boards_are_found_in_both_colours() -> None:
    """Three quarters castled short, whose queen stands anywhere, and a quarter that castled long."""
    lot = np.random.default_rng(1)
    boards = []
    for number in range(400):
        board = chess.BaseBoard("5rk1/8/8/8/8/8/8/5RK1" if number % 4 else "2kr4/8/8/8/8/8/8/2KR4")
        board.set_piece_at(int(lot.integers(16, 48)), chess.Piece(chess.QUEEN, bool(lot.integers(2))))
        boards.append(labels_of(board))
    shares, places = fitted(np.stack(boards), 2)
    short = places[:, chess.G1, LABELS.index("K")]
    assert shares.sum() == pytest.approx(1, abs=1e-3)
    assert shares[short > 0.5].sum() == pytest.approx(0.75, abs=0.02)
    for sort, here in zip(places, short > 0.5, strict=True):
        assert sort[chess.F1 if here else chess.D1, LABELS.index("R")] > 0.8
        assert sort[chess.F8 if here else chess.D8, LABELS.index("r")] > 0.8
        assert sort[chess.D1 if here else chess.F1, EMPTY] > 0.8
    swap = [*range(6, 12), *range(6), EMPTY]
    assert places[2:] == pytest.approx(places[:2, np.arange(64) ^ 56][..., swap])
