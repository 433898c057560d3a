"""The four clocks of a match. Time is passed in, in seconds; each board has a clock of its own with two sides."""

from dataclasses import dataclass

import chess

from rules.profile import TIME_CONTROL
from rules.seats import BOARDS, BoardName, Player


@dataclass(frozen=True, slots=True)
class TimeControl:
    """`base` seconds for all moves, `increment` for each; `delay`: given back as far as it was used (Bronstein)."""

    base: float
    increment: float = 0.0
    delay: bool = False

    @classmethod
    def parse(cls, text: str) -> "TimeControl | None":
        """`180`, `180+2` or with Bronstein's delay `180d2`; None for anything else, such as `-` or `?`."""
        found = TIME_CONTROL.fullmatch(text.strip())
        if found is None:
            return None
        return cls(float(found["base"]), float(found["more"] or 0), found["kind"] == "d")


class Clocks:
    """Four clocks, stopped, with the time of `control` on them."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self._left: dict[Player, float] = {(name, color): control.base for name in BOARDS for color in chess.COLORS}
        self._running: dict[BoardName, tuple[chess.Color, float]] = {}

    def start(self, board: BoardName, time: float, color: chess.Color = chess.WHITE) -> None:
        """A clock begins to run, White's unless told; one that runs goes on."""
        self._running.setdefault(board, (color, time))

    def set(self, board: BoardName, color: chess.Color, seconds: float, time: float) -> None:
        """Put so many seconds on a clock, running or not."""
        self._left[board, color] = seconds
        running = self._running.get(board)
        if running and running[0] == color:
            self._running[board] = color, time

    def running(self, board: BoardName) -> chess.Color | None:
        """Whose clock runs on a board."""
        running = self._running.get(board)
        return running[0] if running else None

    def press(self, board: BoardName, color: chess.Color, time: float) -> None:
        """A player ends his move. One who presses while the other's time runs changes nothing."""
        running = self._running.get(board)
        if running is None or running[0] != color:
            return
        used = time - running[1]
        back = min(self.control.increment, used) if self.control.delay else self.control.increment
        self._left[board, color] += back - used
        self._running[board] = not color, time

    def stop(self, time: float) -> None:
        """The match is over."""
        for board in list(self._running):
            color, since = self._running.pop(board)
            self._left[board, color] -= time - since

    def left(self, board: BoardName, color: chess.Color, time: float) -> float:
        """Seconds on a clock, never below 0."""
        running = self._running.get(board)
        used = time - running[1] if running and running[0] == color else 0.0
        return max(self._left[board, color] - used, 0.0)

    def dump(self) -> dict[str, list[float | bool | None]]:
        """What stands on the clocks, by board: seconds of White and Black, who runs since when."""
        return {
            board: [
                self._left[board, chess.WHITE],
                self._left[board, chess.BLACK],
                *self._running.get(board, (None, 0.0)),
            ]
            for board in BOARDS
        }

    def flags(self, time: float) -> list[tuple[float, Player]]:
        """Players whose time is up, with the moment it was, the first one first."""
        fallen = []
        for board, (color, since) in self._running.items():
            end = since + self._left[board, color]
            if end <= time:
                fallen.append((end, (board, color)))
        return sorted(fallen)
