"""What the four pockets say of explanations on one board."""

from collections.abc import Sequence
from functools import cached_property

import chess
import numpy as np

from rules.contents import Contents
from rules.plies import Capture, Drop
from rules.pocket import AllPockets
from rules.seats import BoardName, partner

EARLY = 4.0  # seconds for which a piece may have stood in the partner's pocket before its capture; cameras may lag


class AroundBoard:
    """The two pockets of the board itself speak of drops, the two of the partners of captures."""

    def __init__(self, pockets: AllPockets, board: BoardName) -> None:
        self.own = {color: pockets.get((board, color)) for color in chess.COLORS}
        self.surplus: dict[chess.Color, list[float]] = {color: [] for color in chess.COLORS}  # by giver
        self.since = dict.fromkeys(chess.COLORS, -np.inf)
        for color in chess.COLORS:
            if (pocket := pockets.get(partner(board, color))) is not None:
                self.surplus[color], self.since[color] = pocket.surplus(), pocket.strange_since
        self._terms: dict[tuple[object, ...], float] = {}  # many lines share their drops and captures

    @cached_property
    def contents(self) -> dict[chess.Color, Contents]:
        """Of the own pockets, where drops are weighed at all."""
        return {color: pocket.contents() for color, pocket in self.own.items() if pocket is not None}

    def term(self, dropped: Sequence[Drop], captured: Sequence[Capture]) -> float:
        """See `rules.plies.Pockets`."""
        key = tuple(dropped), tuple(captured)
        term = self._terms.get(key)
        if term is None:
            term = self._terms[key] = self._term(dropped, captured)
        return term

    def _term(self, dropped: Sequence[Drop], captured: Sequence[Capture]) -> float:
        total = 0.0
        for color, pocket in self.own.items():
            drops = [(kind, at, after) for player, kind, at, after in dropped if player == color]
            total += pocket.drop_term(drops, self.contents[color]) if drops and pocket is not None else 0.0
        for color in chess.COLORS:
            # What stood there long before it was captured came from somewhere else.
            fitting = sum(giver == color and after < self.since[color] + EARLY for giver, after in captured)
            total += sum(self.surplus[color][:fitting])
        return total

    def hope(self) -> float:
        """See `rules.plies.Pockets`."""
        return sum(map(sum, self.surplus.values()))

    def missed(self, color: chess.Color) -> bool:
        """See `rules.plies.Pockets`."""
        pocket = self.own[color]
        return pocket is not None and pocket.lacks()
