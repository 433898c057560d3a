"""In whose half a man stands who is seen just beyond the border between two reserves.

Beside a thick board all men seem to stand nearer to the camera than they do: who lies near the border may seem to be in
the other half.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

import chess
import numpy as np

from rules.observation import PocketObservation
from rules.pocket import Pocket
from rules.slots import SAME, men_of, nearest

BORDER = 4.0  # the rank's edge between both halves
ALIKE = 0.7  # probability that he is of the kinds that his neighbour has to pass on, from which he may be one of them


def in_halves(
    seen: Mapping[chess.Color, PocketObservation],
    pockets: Mapping[chess.Color, Pocket],
    giving: Mapping[chess.Color, Collection[chess.PieceType]],
) -> dict[chess.Color, PocketObservation]:
    """What is seen in both reserves beside a board; but who stands beyond the border, and is not to come to him in
    whose reserve he is seen, is a stranger in the other if its owner has such a one to pass on: `giving`, by giver."""
    found = dict(seen)
    for color in pockets if len(pockets) == len(found) == len(chess.COLORS) else ():
        kinds, observation = [kind - 1 for kind in giving[not color]], found[color]
        if not kinds:
            continue
        beyond = (observation.centres[:, 1] - BORDER) * (1 if color == chess.WHITE else -1) > 0
        alike = men_of(observation).sum(1)[:, kinds].sum(1) > ALIKE
        here = np.array([man.centre for man in pockets[not color].seen.strangers.here]).reshape(-1, 2)
        own = np.array([slot.centre for slot in pockets[color].slots if slot.there]).reshape(-1, 2)
        may_be = [
            nearest(here, centre) < SAME or (not pockets[color].coming and nearest(own, centre) >= SAME)
            for centre in observation.centres
        ]
        strange = beyond & alike & np.array(may_be, np.bool_)
        if strange.any():
            other = found[not color]
            centres = np.concatenate([other.strangers, observation.centres[strange]])
            found[not color] = replace(other, strangers=centres)
            found[color] = observation.only(~strange)
    return found
