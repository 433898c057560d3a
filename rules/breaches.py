"""What is amiss in a reserve, told once it has lasted, and taken back when it is over."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field

import chess
import numpy as np

from rules.events import Event
from rules.seats import BoardName

OVER = 2.0  # seconds for which something must be seen to be so no more to be over
LASTING = 6.0  # the same once it was told: a man who is lifted to be dropped is still of the reserve meanwhile
UNSEEN = 2.5  # seconds out of sight that count as if it had been so already, at most


@dataclass(slots=True)
class Breach:
    """One thing that is amiss. `gone`: since when it has been seen to be so no more, infinity while it is so. `silent`:
    told with another that began with it. `man`: FEN letter, where it is known."""

    since: float
    gone: float = np.inf
    told: bool = False
    silent: bool = False
    man: str = ""

    def gone_for(self, time: float) -> float:
        """Seconds for which it has been seen to be so no more, at a look that shows that: it may have been so as long
        as nobody looked."""
        self.gone = min(self.gone, time)
        return time - self.gone


@dataclass(slots=True)
class Breaches:
    """Everything that is amiss in one player's reserve, by kind of alert and, of several men, one after the other."""

    board: BoardName
    color: chess.Color
    found: dict[tuple[str, int], Breach] = field(default_factory=dict)
    looked: float = -np.inf  # when the reserve was last seen

    def look(
        self,
        now: Mapping[str, str],
        doubtful: Container[str],
        time: float,
        tolerance: float,
        began: Callable[[str], float],
    ) -> list[Event]:
        """The alerts that are raised, and those that are withdrawn. `now`: what is amiss, and the FEN letters of the
        men, if any.

        `doubtful`: what may be so still, if it was. `tolerance`: seconds for which it may be so. `began`: since when a
        kind has been so, where what was told since says more than the looks did, else infinity.
        """
        events = []
        here = [(kind, number) for kind, men in now.items() for number in range(max(len(men), 1))]
        for kind, number in here:
            breach = self.found.setdefault((kind, number), Breach(max(self.looked, time - UNSEEN)))
            if breach.told:
                continue
            before = [self.found[kind, other] for other in range(number)]
            if number == 0 and (since := began(kind)) < np.inf:
                breach.since = since
            if number >= len(now[kind]) - 1 or not breach.man:
                breach.man = _another(now[kind], before)
            if time - breach.since >= tolerance:
                breach.told = True
                breach.silent = any(abs(breach.since - other.since) <= OVER for other in before)
                if not breach.silent:
                    event = Event("alert", self.board, breach.since, time, self.color, piece=breach.man, reason=kind)
                    events.append(event)
        self.looked = time
        for (kind, number), breach in list(self.found.items()):
            if (kind, number) in here or (breach.told and kind in doubtful):
                breach.gone = np.inf
                continue
            if breach.gone_for(time) <= (LASTING if breach.told else OVER):
                continue
            del self.found[kind, number]
            if breach.told and not breach.silent:
                events.append(Event("withdrawn", self.board, breach.since, time, self.color, reason=kind))
        return events


def _another(men: str, before: Sequence[Breach]) -> str:
    """The first of the men of whom something is amiss beside those of whom it was before."""
    for breach in before:
        men = men.replace(breach.man, "", 1)
    return men[:1]
