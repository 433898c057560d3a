"""What cameras do is told once, in time, and nothing that a blind camera shows becomes a move."""

import chess
import numpy as np

from rules.events import Event
from rules.match import Match
from rules.observation import CameraState, Observation
from rules.tracker import Tracker
from tests.rules.table import row


def looks(
    tracker: Tracker, board: chess.Board, camera: CameraState, start: float, seconds: float, shift: float = 0.0
) -> list[Event]:
    """Ten looks a second at one board."""
    squares = np.array([row(board.piece_at(square)) for square in chess.SQUARES])
    seen = np.full(64, camera == "steady")
    events: list[Event] = []
    for time in np.arange(start, start + seconds, 0.1):
        look = Observation("A", float(time), squares, seen, {}, False, False, camera=camera, shift=shift)
        events += tracker.update(look)
    return events


def test_a_bump_is_told_once_and_invents_nothing() -> None:
    tracker, board = Tracker(Match("chess")), chess.Board()
    assert looks(tracker, board, "steady", 0, 2) == []
    shifted = chess.Board("8/8/rnbqkbnr/pppppppp/8/8/PPPPPPPP/RNBQKBNR w - - 0 1")
    assert looks(tracker, shifted, "moving", 2, 1) == []
    (moved,) = looks(tracker, board, "steady", 3, 2, shift=1.2)
    assert (moved.reason, moved.color, moved.time) == ("camera_moved", None, 2.0)
    assert "seat" not in moved.as_json()
    board.push_san("e4")
    (move,) = looks(tracker, board, "steady", 5, 2, shift=1.2)
    assert move.san == "e4"


def test_a_lost_view_a_dark_and_a_frozen_picture_are_told_after_their_delay() -> None:
    for camera, kind, delay in (
        ("lost", "view_lost", 1.5),
        ("dark", "camera_dark", 1.5),
        ("frozen", "camera_frozen", 0),
    ):
        tracker, board = Tracker(Match("chess")), chess.Board()
        looks(tracker, board, "steady", 0, 1)
        (told,) = looks(tracker, board, camera, 1, 5)  # type: ignore[arg-type]
        assert (told.reason, round(told.committed - told.time, 1)) == (kind, delay)
        assert looks(tracker, board, "steady", 6, 2) == []
        assert [event.reason for event in looks(tracker, board, camera, 8, 3)] == [kind]  # type: ignore[arg-type]


def test_a_hand_that_covers_the_board_for_a_moment_is_no_alert() -> None:
    tracker, board = Tracker(Match("chess")), chess.Board()
    looks(tracker, board, "steady", 0, 1)
    assert looks(tracker, board, "lost", 1, 1) == []
    assert looks(tracker, board, "steady", 2, 1) == []
