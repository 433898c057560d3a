"""Captured pieces that a player has laid down on his own side, where they are of the other colour."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace

import chess
import numpy as np

from rules.observation import LABELS, PocketObservation, group_of, side_of
from rules.passing import LAG
from rules.slots import SAME, Floats, men_of, nearest

CARRIED = 4.0  # seconds that a piece may need from the wrong side to the right one
STOOD = 1.0  # seconds for which one was seen, if that was no accident,
HIDES = 0.9  # and squares from a man within which it is seen no more
STAYS = 3.0  # seconds after which one whom nobody else has to come is he who has to come here, misread
PERHAPS, ALIKE = 0.03, 0.7  # probability that he is the other side's, and of their kinds, from which one may be one of
# those whom the partner has to come
UNLIKELY = -9.0  # nats of what he is not


@dataclass(frozen=True, slots=True, eq=False)
class Stranger:
    """A piece of the other colour. `centre`: (2,) where it stands, since when."""

    centre: Floats
    since: float


class Strangers:
    """Those in one player's pocket."""

    def __init__(self) -> None:
        self.here: list[Stranger] = []
        self._carried: list[Stranger] = []  # these were here until
        self._carried_since = -np.inf  # somebody took them away
        self._awaited = np.inf  # since when the partner has one to come
        self._seen: list[Stranger] = []  # all who look so, whether any is awaited or not,
        self._misread: list[Floats] = []  # and where those of them stand who are the owner's

    def told_apart(
        self,
        observation: PocketObservation,
        color: chess.Color,
        awaited: bool,
        kinds: Collection[chess.PieceType],
        own: Floats,
    ) -> PocketObservation:
        """The same, but who looks rather the other side's and can hardly be told is one of these if the partner has one
        to come; so is who may be the other side's and looks like those. `color`: whose the pocket is. `awaited`:
        whether he has, and nobody has to come here. `kinds`: of those. `own`: (n, 2) where the men of this pocket stand
        that are known; they stay so, and so do these."""
        if not len(observation.pieces):
            return observation
        men = men_of(observation)
        mine, theirs = men.sum(2).T[[group_of(color), group_of(not color)]]
        alike = men.sum(1)[:, [kind - 1 for kind in kinds]].sum(1)
        others = (theirs > mine) | ((theirs > PERHAPS) & (alike > ALIKE))
        here = np.array([man.centre for man in self.here]).reshape(-1, 2)
        strange = np.array(
            [
                other and (nearest(here, centre) < SAME or (awaited and nearest(own, centre) >= SAME))
                for other, centre in zip(others, observation.centres, strict=True)
            ],
            np.bool_,
        )
        strangers = np.concatenate([observation.strangers, observation.centres[strange]])
        return replace(observation.only(~strange), strangers=strangers)

    def claimed(
        self, observation: PocketObservation, color: chess.Color, own: Floats, due: float, awaited: float, time: float
    ) -> PocketObservation:
        """The same, but one who surely looks the other side's is the owner's if he came since somebody has to come
        here, stays, and came before any that the partner has to come. `own`: as for `told_apart`. `due`, `awaited`:
        since when somebody has to come here, and to the partner; infinity if nobody has."""
        self._seen = [_since(self._seen, centre, time) for centre in observation.strangers]
        if not self._seen and not self._misread:
            return observation
        known = [centre for centre in self._misread if due < np.inf or nearest(own, centre) < SAME]
        places = np.reshape(known, (-1, 2))
        mine = np.array(
            [
                nearest(places, man.centre) < SAME or due <= man.since + LAG < min(awaited, time - STAYS + LAG)
                for man in self._seen
            ],
            np.bool_,
        )
        found = observation.strangers[mine]
        self._misread = [*(centre for centre in known if nearest(found, centre) >= SAME), *found]
        if not len(found):
            return observation
        rows = np.full((len(found), len(LABELS)), UNLIKELY, np.float32)
        rows[:, side_of(color)] = -np.log(6)
        return replace(
            observation,
            pieces=np.concatenate([observation.pieces, rows]),
            centres=np.concatenate([observation.centres, found]),
            heads=np.concatenate([observation.heads, found]) if len(observation.heads) else observation.heads,
            strangers=observation.strangers[~mine],
        )

    def look(self, observation: PocketObservation, time: float, awaited: float) -> None:
        """Which stand here, as long as the partner has one to come: else the reader sees what is not there. `awaited`:
        since when he has, infinity if he has not. Who is seen no more beside a man stands behind that one, unless only
        such are awaited still who were captured later."""
        before, self.here, self._awaited = self.here, [], awaited
        if awaited < np.inf:
            self.here = [_since(before, centre, time) for centre in observation.strangers]
        for man in filter(self._is_awaited, before):
            seen = nearest(observation.strangers, man.centre) < SAME
            hidden = nearest(observation.centres, man.centre) < HIDES
            if not seen and hidden and time - man.since > STOOD:
                self.here.append(man)
        if len(self.here) < len(before):
            self._carried, self._carried_since = before, time

    def astray(self, time: float) -> list[float]:
        """Since when those stand here who do, or did who have just been taken from here to where they should be."""
        just_carried = time - self._carried_since < CARRIED
        return [man.since for man in (filter(self._is_awaited, self._carried) if just_carried else self.here)]

    def _is_awaited(self, man: Stranger) -> bool:
        """Whether one may be he whom the partner has to come: he was captured by then."""
        return self._awaited <= man.since + LAG


def _since(before: list[Stranger], centre: Floats, time: float) -> Stranger:
    """Who was seen there before, else one who is seen now for the first time."""
    same = [man for man in before if math.dist(man.centre, centre) < SAME]
    return min(same, default=Stranger(centre, time), key=lambda man: man.since)
