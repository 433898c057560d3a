"""What pockets have said for the drops and captures that were told, for as long as others may have been played."""

from itertools import accumulate
from typing import Literal

import chess

from rules.lines import Line
from rules.plies import Capture, Drop, Pockets

Item = tuple[Literal["drop", "capture"], chess.Color, chess.PieceType]
"""A drop or a capture: whose, and the kind of man."""


class Kept:
    """Of one board. Once a ply is told, the pockets count with it, and say nothing for it any more: what they said is
    kept for every line with such a drop or capture."""

    def __init__(self) -> None:
        self.items: list[tuple[Item, float]] = []  # in the order in which they were played, with the nats for each
        self.told = Line(None, None, None)

    def term(self, line: Line, pockets: Pockets) -> float:
        """Nats for or against a line by its drops and captures."""
        if line.dropped == self.told.dropped and line.captured == self.told.captured:
            return sum(nats for _, nats in self.items)
        drops, captures, found = self._beyond(line)
        return pockets.term(drops, captures) + sum(nats for _, nats in found if nats is not None)

    def hope(self) -> float:
        """Nats that a line may still gain by them."""
        return sum(max(nats, 0.0) for _, nats in self.items)

    def tell(self, line: Line, pockets: Pockets) -> None:
        """A line is told."""
        drops, captures, found = self._beyond(line)
        of_captures = pockets.term((), captures)
        of_drops = pockets.term(drops, captures) - of_captures
        gains = {"drop": of_drops / max(len(drops), 1), "capture": of_captures / max(len(captures), 1)}
        self.items = [(item, gains[item[0]] if nats is None else nats) for item, nats in found]
        self.told = line

    def settle(self, first: Line, before: Line) -> None:
        """The first ply of what was told is in doubt no more."""
        for item in _new(first, before):
            self.items.remove(next(one for one in self.items if one[0] == item))

    def _beyond(self, line: Line) -> tuple[list[Drop], list[Capture], list[tuple[Item, float | None]]]:
        """The drops and captures of a line that were not told, and all of them, with the nats kept for those that
        were."""
        known, found = list(self.items), list[tuple[Item, float | None]]()
        drops, captures = list[Drop](), list[Capture]()
        standing = line.standing() if line.dropped or line.captured else []
        # When each had been played at last: before the first that was seen after it.
        latest = accumulate((ply.at for ply in reversed(standing)), min)
        for ply, at in zip(standing, reversed(list(latest)), strict=True):
            assert ply.parent is not None
            for item in _new(ply, ply.parent):
                told = next((one for one in known if one[0] == item), None)
                if told is not None:
                    known.remove(told)
                elif item[0] == "drop":
                    drops.append((*item[1:], at, ply.after))
                else:
                    captures.append((item[1], ply.after))
                found.append(told or (item, None))
        return drops, captures, found


def _new(line: Line, before: Line) -> list[Item]:
    """What the last ply of a line has captured, and what it has dropped."""
    items: list[Item] = [("capture", *piece) for piece in line.captured[len(before.captured) :]]
    return items + [("drop", *piece) for piece in line.dropped[len(before.dropped) :]]
