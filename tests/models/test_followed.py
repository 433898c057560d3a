"""What moves teach while a sequence of pictures is judged."""

import chess
import numpy as np

from models.followed import Followed, Squares
from rules.observation import LABELS, labels_of

N = len(LABELS)
LOOKS_OF = np.random.default_rng(0).normal(size=(2 * N, 32)).astype(np.float32)  # by label, at first and moved


def shown(board: chess.Board) -> Squares:
    """A board of a set whose pawns are taken for bishops once they have moved."""
    labels, start = labels_of(board), labels_of(chess.Board())
    moved = labels != start
    read = np.where(moved & (labels % 6 == 0) & (labels < 12), labels + 2, labels)
    probabilities = np.full((64, N), 0.02)
    probabilities[np.arange(64), labels] = 0.3
    probabilities[np.arange(64), read] = 0.6
    logs = np.log(probabilities / probabilities.sum(1, keepdims=True)).astype(np.float32)
    features = LOOKS_OF[labels + N * moved]
    return Squares(logs, np.ones(64, np.bool_), features)


def test_what_moves_have_shown_puts_right_how_the_next_men_read() -> None:
    followed, board = Followed(), chess.Board()
    for _ in range(2):
        followed.right(shown(board))
    first = None
    for san in ("e4", "e5", "Nf3", "Nc6", "c4", "Nf6", "Nc3", "Be7", "d4"):
        move = board.push_san(san)
        read = followed.right(shown(board))
        label = int(read[move.to_square].argmax())
        if first is None:
            first = LABELS[label]
    assert (first, LABELS[label]) == ("B", "P")
