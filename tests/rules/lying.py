"""How well lying men are told from standing ones, twice a second, where they stay as they are."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess

from rules.observation import LIES, Observation
from rules.seats import BOARDS
from tests.rules.reserves import around, states_of

EVERY = 0.5  # seconds

Stances = frozenset[tuple[chess.Square, chess.Piece, bool]]


def read_lying(looks: Iterator[Observation], truth: Path) -> dict[str, Any]:
    """Of all looks at men on squares that are seen: how many lie, and of how many that is told; likewise of those who
    stand; of pawns and of all. `truth`: the folder of a filmed match."""
    states = states_of(truth)
    tally, last = Counter[str](), dict.fromkeys(BOARDS, -EVERY)
    for look in looks:
        if look.time - last[look.board] < EVERY:
            continue
        last[look.board] = look.time
        for square, piece, lies in _staying(states[look.board], look.time):
            if look.seen[square]:
                told = (look.lying[square] > LIES) == lies
                for men in ("pawns", "men") if piece.piece_type == chess.PAWN else ("men",):
                    tally[f"{men} lying" if lies else f"{men} standing"] += 1
                    tally[f"{men} lying, told" if lies else f"{men} standing, told"] += int(told)
    return dict(sorted(tally.items()))


def _staying(states: list[dict[str, Any]], time: float) -> Stances:
    """Men who stand or lie on the same square, around this time. `states`: of their board."""
    return frozenset.intersection(*map(_stances, around(states, time)))


def _stances(row: dict[str, Any]) -> Stances:
    men = chess.BaseBoard(row["placement"]).piece_map()
    return frozenset((square, piece, chess.square_name(square) in row["lying"]) for square, piece in men.items())
