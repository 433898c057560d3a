import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.view import View
from rules.observation import EMPTY, LABELS, label_index
from vision.facing import facing
from vision.reader import Reader

CORNERS = np.array([(40, 40), (440, 40), (440, 440), (40, 440)], np.float64)
VIEW = View.from_corners(CORNERS, (480, 480))
IMAGE = np.zeros((480, 480, 3), np.uint8)


class KnowsTheBoard(Reader):
    """Reads a position whose a8 corner lies where the test put it."""

    def __init__(self, fen: str, a8: tuple[float, float]) -> None:
        self.board, self.a8 = chess.BaseBoard(fen), a8

    def read_board(self, image: NDArray[np.uint8], view: View) -> NDArray[np.float32]:
        del image
        turned = not np.allclose(view.corners()[0], self.a8, atol=1)
        likelihoods = np.full((64, len(LABELS)), -4.0, np.float32)
        for square in chess.SQUARES:
            seen_at = 63 - square if turned else square
            likelihoods[seen_at, label_index(self.board.piece_at(square))] = -0.1
        return likelihoods

    def read_roughly(self, image: NDArray[np.uint8], view: View) -> NDArray[np.float32]:
        """Tells men from nothing, and neither kinds nor sides."""
        read = np.exp(self.read_board(image, view))
        read[:, :EMPTY] = read[:, :EMPTY].mean(1, keepdims=True)
        return np.asarray(np.log(read), np.float32)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.facing.read_roughly", lambda reader, image, view: reader.read_roughly(image, view))
    monkeypatch.setattr("vision.facing.read_closely", lambda reader, image, view, _: reader.read_board(image, view))


def test_the_board_is_turned_until_white_sits_at_the_first_rank() -> None:
    start = chess.STARTING_BOARD_FEN
    same, sure = facing(IMAGE, VIEW, KnowsTheBoard(start, (40, 40)))
    assert sure
    np.testing.assert_allclose(same.corners(), CORNERS, atol=1e-3)
    turned, sure = facing(IMAGE, VIEW, KnowsTheBoard(start, (440, 440)))
    assert sure
    np.testing.assert_allclose(turned.corners()[0], (440, 440), atol=1e-3)


def test_pieces_in_play_tell_it_by_where_they_stand() -> None:
    play = KnowsTheBoard("r4rk1/pp1b1ppp/2n5/3q4/8/2NB4/PPP2PPP/R2Q1RK1", (440, 440))
    turned, sure = facing(IMAGE, VIEW, play)
    assert sure
    np.testing.assert_allclose(turned.corners()[0], (440, 440), atol=1e-3)


def test_a_position_that_looks_the_same_both_ways_says_nothing() -> None:
    same, sure = facing(IMAGE, VIEW, KnowsTheBoard("8/8/8/3k4/4K3/8/8/8", (40, 40)))
    assert not sure
    np.testing.assert_allclose(same.corners(), CORNERS, atol=1e-3)
