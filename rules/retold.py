"""The record put right where it is clear by now that a dropped man was of another kind than was told.

Each of these gives the match as it must have been, or the same one where nothing says otherwise clearly enough.
"""

from collections.abc import Callable
from dataclasses import replace

import chess
import numpy as np
from numpy.typing import NDArray

from rules.contents import Contents
from rules.dropped import CONTRARY, Kinds
from rules.irregular import Illegal
from rules.match import IllegalMoveError, Match, Ply
from rules.misread import Looks, dropped_at, otherwise, reading_better, stands, with_kind
from rules.passing import Passing
from rules.pocket import AllPockets
from rules.seats import BoardName, Player

MISREAD = 2.5  # nats by which a piece may look more like what was told than like what its moves say
RETOLD = 0.7  # and by which he must look more like another when he comes to the partner's reserve


def by_looks(match: Match, ply: Ply, reads: Looks, pockets: AllPockets) -> Match:
    """Where a drop reads as of another kind: what was told before may have left no other to be dropped."""
    best, most, shown = match, CONTRARY, _shown(pockets)
    for gain, other in reading_better(match, match.plies.index(ply), reads):
        gain += _explained(shown, match, other)
        if gain > most:
            best, most = other, gain
    return best


def by_move(
    match: Match,
    name: BoardName,
    move: Illegal,
    looks: Callable[[Ply, chess.Square | None], Kinds],
    pockets: AllPockets,
) -> Match:
    """Where a ply against the rules is within them so. `looks`: of the man of a drop, who stands on a square now."""

    def reads(ply: Ply) -> Kinds:
        square = stands(match, match.plies.index(ply))
        gone = ply.board == name and square == move.from_square and not move.drop
        return looks(ply, move.to_square if gone else square)

    best, most, shown = match, -MISREAD, _shown(pockets)
    for gain, index, kind, other in otherwise(match, name, move, reads):
        ply = match.plies[index]
        if not move.drop:
            gain += _explained(shown, match, other)
        elif held := shown.get((ply.board, ply.color)):
            gain += held.gain([kind])  # it would have been gone before
        if gain > most:
            best, most = other, gain
    return best


def _shown(pockets: AllPockets) -> dict[Player, Contents]:
    """What stands in the reserves that can tell it."""
    return {player: pocket.contents() for player, pocket in pockets.items() if pocket.tells()}


def _explained(shown: dict[Player, Contents], match: Match, other: Match) -> float:
    """Nats by which what the reserves show is explained better by another match."""
    return sum(held.exchanged(match.pocket(*player), other.pocket(*player)) for player, held in shown.items())


def by_capture(match: Match, drop: Ply) -> Match:
    """Where a man was dropped whom nobody held, and it is clear by now that the last ply, which took such a one, was
    played before the drop."""
    if match.settings or drop not in match.plies:
        return match
    at = match.plies.index(drop)
    later = match.plies[at + 1 :]
    after = [replace(drop, legal=True), *(ply for ply in later if ply.board == drop.board)]
    other = match.fresh()
    try:
        for ply in (*match.plies[:at], *(ply for ply in later if ply.board != drop.board), *after):
            other.again(ply)
    except IllegalMoveError:
        return match
    return other


def by_arrival(
    match: Match, passing: Passing, look: NDArray[np.float64], unseen: Callable[[Ply], bool], pockets: AllPockets
) -> Match:
    """Where a man whom nobody saw where he was dropped, and who was taken there, has come to the partner's reserve: how
    he reads there says it, beside what is left where he came from. `look`: (6,) probability of each kind."""
    capture, plies = (passing.board, passing.number, passing.kind), match.plies
    taken = next((n for n, p in enumerate(plies) if (p.board, p.number, p.passed) == capture), None)
    if taken is None:  # it was taken back, or a position set since
        return match
    index = dropped_at(match, passing.board, plies[taken].move.to_square, taken)
    if index is None or not unseen(plies[index]):
        return match
    told, pocket = plies[index].move.drop or chess.PAWN, pockets[plies[index].board, plies[index].color]
    best, most = match, RETOLD
    for kind, gain in pocket.gains(told, look, straight=True).items() if not pocket.owed else ():
        if gain > most:
            try:
                best, most = with_kind(match, index, kind), gain
            except IllegalMoveError:
                continue
    return best
