"""Captured pieces that a player has laid down on his own side, where they are of the other colour."""

from dataclasses import dataclass, replace

import chess
import numpy as np
from numpy.typing import NDArray

from rules.observation import PocketObservation
from rules.slots import SAME, Floats, men_of

CARRIED = 4.0  # seconds that a piece may need from the wrong side to the right one
STOOD = 1.0  # seconds for which one was seen, if that was no accident,
HIDES = 0.9  # and squares from a man within which it is seen no more


@dataclass(frozen=True, slots=True, eq=False)
class Stranger:
    """A piece of the other colour. `centre`: (2,) where it stands, since when. `beside`: (n, 2) which men stood so near
    when it was last seen that they could have hidden it, and did not."""

    centre: Floats
    since: float
    beside: Floats


class Strangers:
    """Those in one player's pocket."""

    def __init__(self) -> None:
        self.here: list[Stranger] = []
        self._carried: list[Stranger] = []  # these were here until
        self._carried_since = -np.inf  # somebody took them away

    def told_apart(
        self, observation: PocketObservation, color: chess.Color, awaited: bool, own: Floats
    ) -> PocketObservation:
        """The same, but who looks rather the other side's and can hardly be told is one of these if the partner has one
        to come. `color`: whose the pocket is. `awaited`: whether he has, and nobody has to come here. `own`: (n, 2)
        where the men of this pocket stand that are known; they stay so, and so do these."""
        white, black = men_of(observation).sum(2).T
        others = black > white if color == chess.WHITE else white > black
        here = np.array([man.centre for man in self.here]).reshape(-1, 2)
        strange = np.array(
            [
                other and (len(_near(here, centre, SAME)) or (awaited and not len(_near(own, centre, SAME))))
                for other, centre in zip(others, observation.centres, strict=True)
            ],
            np.bool_,
        )
        return replace(
            observation,
            pieces=observation.pieces[~strange],
            centres=observation.centres[~strange],
            strangers=np.concatenate([observation.strangers, observation.centres[strange]]),
        )

    def look(self, observation: PocketObservation, time: float, awaited: bool) -> None:
        """Which stand here, as long as the partner has one to come: else the reader sees what is not there. Who is seen
        no more since a man came beside him stands behind that one."""
        before, self.here = self.here, []
        for centre in observation.strangers if awaited else ():
            beside = _near(observation.centres, centre, HIDES)
            same = [man for man in before if len(_near(man.centre[None], centre, SAME))]
            known = min(same, default=Stranger(np.asarray(centre, np.float64), time, beside), key=lambda man: man.since)
            self.here.append(replace(known, beside=beside))
        for man in before if awaited else ():
            seen = len(_near(observation.strangers, man.centre, SAME))
            near = _near(observation.centres, man.centre, HIDES)
            hidden = any(not len(_near(man.beside, other, SAME)) for other in near)
            if not seen and hidden and time - man.since > STOOD:
                self.here.append(man)
        if len(self.here) < len(before):
            self._carried, self._carried_since = before, time

    def astray(self, time: float) -> list[float]:
        """Since when those stand here who do, or did who have just been taken from here to where they should be."""
        return [man.since for man in (self._carried if time - self._carried_since < CARRIED else self.here)]


def _near(men: NDArray[np.floating], centre: NDArray[np.floating], most: float) -> Floats:
    """Those of (n, 2) men who stand nearer to a place than so many squares."""
    return np.asarray(men[np.hypot(*(men - centre).T) < most], np.float64)
