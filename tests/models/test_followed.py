"""What moves teach while a sequence of pictures is judged."""

from typing import Any

import chess
import numpy as np
import pytest

from models.followed import Followed, Squares
from rules.observation import LABELS, labels_of
from vision import album
from vision.album import ENOUGH, Album
from vision.closer import Closer, nothing
from vision.teach import Shown

N = len(LABELS)
ALL = np.ones(64, np.bool_)
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
    return Squares(logs, ALL, features, nothing(64).cuts, ALL)


class Again:
    """A reader who counts how often he has been taught."""

    def __init__(self, lessons: int = 0) -> None:
        self.lessons, self.closer = lessons, {"strength": 1.0, "reluctance": 1.0}


def taught(reader: Again, start: Shown, since: Shown, number: int) -> Again:
    """As `teach.taught`."""
    assert (start.labels == labels_of(chess.Board())).all()
    assert number == reader.lessons
    assert len(since.labels) >= ENOUGH * (number + 1)
    return Again(reader.lessons + 1)


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Followed:
    monkeypatch.setattr(album, "taught", taught)
    start = labels_of(chess.Board())
    reader: Any = Again()
    return Followed(Closer(reader), Album(Shown(nothing(64).cuts, start), start))


def test_what_moves_have_shown_puts_right_how_the_next_men_read(game: Followed) -> None:
    board = chess.Board()
    for _ in range(2):
        game.right(shown(board))
    first = None
    for san in ("e4", "e5", "Nf3", "Nc6", "c4", "Nf6", "Nc3", "Be7", "d4"):
        move = board.push_san(san)
        read, _ = game.right(shown(board))
        label = int(read[move.to_square].argmax())
        if first is None:
            first = LABELS[label]
    assert (first, LABELS[label]) == ("B", "P")


def test_moves_that_are_certain_teach_the_second_network_again(game: Followed) -> None:
    board = chess.Board()
    game.right(shown(board))
    plies = "e4 e5 Nf3 Nc6 c4 Nf6 Nc3 Be7 d3 O-O Be2 d6 O-O Bg4 h3 Bh5 a3 a6 b4 b6 Be3 Qd7 Qd2 Rfd8".split()  # noqa: SIM905
    lessons = []
    for san in plies:
        board.push_san(san)
        game.right(shown(board))
        reader: Any = game.closer.reader
        lessons.append(reader.lessons)
    assert lessons[ENOUGH - 1] == 0
    assert ENOUGH * lessons[-1] <= len(plies) < ENOUGH * (lessons[-1] + 3)
