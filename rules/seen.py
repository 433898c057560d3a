"""What the camera shows of one player's pocket, look by look, and who of it stood there before."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import chess
import numpy as np

from rules.arrivals import UNLIKE
from rules.observation import PocketObservation
from rules.slots import (
    OTHER,
    SAME,
    Floats,
    Slot,
    alike,
    apart,
    kinds_and_presence,
    nearest,
    seen_as_one,
    seen_as_two,
    seen_close,
    unmatched,
)
from rules.strangers import Strangers

SETTLE = 0.3  # seconds a count must hold before it is believed
BRIEF = 0.3  # seconds in which nobody takes one away and puts another in his place
AWAY = 2  # looks without a piece after which what stands in its place is another
NEAR = 0.6  # squares within which what is seen where nobody was is a man who just stood there
NOBODY = np.zeros((0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Men:
    """Who is seen: `centres` (n, 2), `kinds` (n, 6), `sure` (n,), the probability that somebody stands there, and
    `leans` (n, 2), from their bases to where their heads appear."""

    centres: Floats
    kinds: Floats
    sure: Floats
    leans: Floats

    def __len__(self) -> int:
        return len(self.centres)

    def slot(self, index: int, came: Floats, since: float, time: float) -> Slot:
        """One of them, who stands there since then. `came`: (6,) what he may be by when he came."""
        lean, sure = self.leans[index], float(self.sure[index])
        return Slot(self.centres[index], self.kinds[index], came, sure, since, time, lean=lean)


@dataclass(slots=True, eq=False)
class Seen:
    """`open`: the pocket is seen, and what stands there has not just changed. `certain`: how many stand there who are
    no ghosts beside others. `alone`: (n, 2) where those stand who surely are none. `halved`: who is seen as two."""

    open: bool = False
    strangers: Strangers = field(default_factory=Strangers)
    alike_since: float = -np.inf
    certain: int = 0
    halved: list[Slot] = field(default_factory=list)
    alone: Floats = field(default_factory=lambda: NOBODY)
    _centres: Floats = field(default_factory=lambda: NOBODY)

    @property
    def count(self) -> int:
        """Who was seen in the last look."""
        return len(self._centres)

    def look(
        self,
        observation: PocketObservation,
        time: float,
        color: chess.Color,
        slots: list[Slot],
        before: list[Slot],
        awaited: float,
        kinds: Collection[chess.PieceType],
        due: float,
    ) -> Men | None:
        """Who stands here now; None while that cannot be told. `color`: of the owner. `slots`: who stood here.
        `before`: who else did before the partner had one to come. `awaited`, `due`: since when he has, and somebody has
        to come here; infinity if not so. `kinds`: of those whom he has to come."""
        self.open = False
        if not observation.seen:
            return None
        own = np.array([slot.centre for slot in (*slots, *before) if slot.there]).reshape(-1, 2)
        observation = self.strangers.claimed(observation, color, own, due, awaited, time)
        observation = self.strangers.told_apart(observation, color, awaited < np.inf and due == np.inf, kinds, own)
        self.strangers.look(observation, time, awaited)
        men = _parted(observation, slots)
        self.halved = seen_as_two(slots, men.centres)
        certain, self.alone = apart(men.centres, men.sure, self.alone)
        self.certain = certain - len(self.halved)
        for slot in slots:
            here = nearest(men.centres, slot.centre) < SAME
            slot.away = 0 if here and slot.away < AWAY else slot.away + 1
        if len(unmatched(self._centres, men.centres)) or len(men) != len(self._centres):
            self.alike_since = time
        self._centres = men.centres
        self.open = time - self.alike_since >= SETTLE
        return men if self.open else None

    def recognise(
        self, slots: list[Slot], men: Men, since: Sequence[float], coming: Sequence[chess.PieceType], time: float
    ) -> list[int]:
        """Match who is seen with who stood here; those who are new. `since`: when each may have come. `coming`: who has
        to come here."""
        if not slots:
            return list(range(len(men)))
        gaps = np.hypot(*(men.centres[:, None] - np.array([slot.centre for slot in slots]).reshape(1, -1, 2)).T)
        left = set(range(len(men)))
        stood = [slot.there for slot in slots]
        for slot in slots:
            slot.there = False
        for number, index in sorted(np.ndindex(*gaps.shape), key=lambda pair: (not stood[pair[0]], gaps[pair])):
            slot, kinds = slots[number], men.kinds[index]
            new = stood[number] and since[index] >= slot.last
            if gaps[number, index] < (NEAR if new else SAME) and index in left and not slot.there:
                # Another piece may have come to the same place.
                other = alike(slot.look, kinds) < OTHER and time - slot.last >= BRIEF
                awaited = any(kinds[kind - 1] >= UNLIKE for kind in coming)
                if (other and (coming or not stood[number])) or (slot.away >= AWAY and awaited):
                    continue
                slot.stand(men.centres[index], max(slot.sure, float(men.sure[index])), time)
                slot.read(kinds)
                left.discard(index)
        for slot in (slot for slot in slots if np.isnan(slot.centre).any()):  # put back after a drop, anywhere
            fits = {index: float(men.kinds[index] @ slot.look) for index in left}
            index = max(fits, key=lambda index: fits[index], default=-1)
            if fits.get(index, 0.0) >= OTHER:
                slot.stand(men.centres[index], float(men.sure[index]), time)
                left.discard(index)
        for slot in (slot for slot in slots if not slot.there):
            # Where nobody has to come pieces were only moved about. What stood here beside a man is not him.
            free = [index for index in sorted(left) if since[index] >= slot.last and not coming]
            for index in free[:1]:
                slot.move(men.centres[index], float(men.sure[index]), since[index], time)
                if alike(slot.look, men.kinds[index]) < OTHER:
                    slot.look = men.kinds[index]  # another may have come, who was not captured yet as far as is told
                left.discard(index)
            if not slot.there:
                slot.gone = min(slot.gone, time)
        for slot in (slot for slot in slots if slot not in self.halved):
            slot.whole = slot.centre
        return sorted(left)

    def beside(self, man: Slot) -> bool:
        """Whether a man has never been seen with none beside him."""
        return nearest(self.alone, man.centre) > SAME


def _parted(observation: PocketObservation, slots: list[Slot]) -> Men:
    """Who is seen; two who are seen as one stand where they stood, and so does who is seen close to another."""
    centres = observation.centres.astype(np.float64)
    kinds, sure = kinds_and_presence(observation)
    leans = observation.heads - centres if len(observation.heads) else np.zeros_like(centres)
    for index, pair in seen_as_one(slots, centres).items():
        centres[index], kinds[index] = pair[0].centre, pair[0].look
        centres = np.vstack([centres, pair[1].centre])
        kinds, sure = np.vstack([kinds, pair[1].look]), np.append(sure, sure[index])
        leans = np.vstack([leans, pair[1].lean])
    for slot in seen_close(slots, centres, observation.close):
        centres = np.vstack([centres, slot.centre])
        kinds, sure = np.vstack([kinds, slot.look]), np.append(sure, slot.sure)
        leans = np.vstack([leans, slot.lean])
    return Men(centres, kinds, sure, leans)
