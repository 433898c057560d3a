"""How the boards of a game are found in pictures and read: chessmen, or counters of two colours."""

import numpy as np
from numpy.typing import NDArray

from calibration.counters import find_counter_board
from calibration.find import find_board
from calibration.view import View
from rules.countermatch import GAMES, OWN_START
from rules.games import AnyGame
from rules.history import bitboard
from rules.observation import groups, labels_of
from vision.counter_eye import CounterEye
from vision.counter_start import faced, likest, read_set_up
from vision.counters import BLACK, WHITE
from vision.eye import Eye
from vision.facing import facing
from vision.reader import Reader
from vision.school import School

Image = NDArray[np.uint8]


class Sight:
    """`side`: squares a side of the game's board."""

    def __init__(self, reader: Reader, game: AnyGame = "bughouse", school: School | None = None) -> None:
        """`school`: where the reader is taught each set thoroughly, else only its last layers are."""
        self.reader, self.school = reader, school
        self.counters = GAMES[game] if game == "quadwrangle" or game == "affollata" else None
        self.side = squares_of(game)
        # Affollata's start is set up by the players: it is known by nothing.
        fixed = self.counters.STARTS if self.counters and game in OWN_START else {}
        self.starts = {name: labels_of(self.counters.start(name)) for name in fixed} if self.counters else {}

    def look(self, image: Image) -> tuple[View, bool]:
        """The board's view in a picture, without pockets, and whether it shows which side is White's.
        BoardNotFoundError."""
        if self.counters:
            return faced(find_counter_board(image, self.side).view, image, self.reader, self.starts)
        found = find_board(image)
        view, certain = facing(image, found.view, self.reader)
        if not certain and found.orientation_sure:  # a set so unusual that only its colours tell
            return found.view, True
        return view, certain

    def eye(self, view: View, start: NDArray[np.int64]) -> Eye:
        """What observes a board of that view. `start`: (64,) labels of what stands there at first."""
        return CounterEye(view, self.reader, start) if self.counters else Eye(view, self.reader, start, self.school)

    def start(self, images: list[Image], view: View) -> str | None:
        """The start that pictures of counters show, as `CounterMatch` takes it; None where that is not certain."""
        assert self.counters
        found = read_set_up(images, view, self.reader)
        if found is None:
            return None
        if self.starts:
            like = likest(found.labels, self.side, self.starts)
            return like.name if like.sure and like.quarters == 0 else None
        if not found.sure:
            return None
        group = groups(found.labels)
        return self.counters(bitboard(group == WHITE), bitboard(group == BLACK)).fen()


def squares_of(game: AnyGame) -> int:
    """Squares a side of a game's board."""
    return GAMES[game].SIZE if game == "quadwrangle" or game == "affollata" else 8
