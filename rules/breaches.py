"""What is amiss in a reserve, told once it has lasted, and taken back when it is over."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

import chess
import numpy as np

from rules.events import Event
from rules.seats import BoardName

OVER = 2.0  # seconds for which something must be seen to be so no more to be over
LASTING = 6.0  # the same once it was told: a man who is lifted to be dropped is still of the reserve meanwhile
UNSEEN = 1.5  # seconds out of sight that count as if it had been so already, at most


@dataclass(slots=True)
class Breach:
    """One thing that is amiss. `gone`: since when it has been seen to be so no more, infinity while it is so."""

    since: float
    gone: float = np.inf
    told: bool = False

    def gone_for(self, time: float) -> float:
        """Seconds for which it has been seen to be so no more, at a look that shows that: it may have been so as long
        as nobody looked."""
        self.gone = min(self.gone, time)
        return time - self.gone


@dataclass(slots=True)
class Breaches:
    """Everything that is amiss in one player's reserve, by kind of alert."""

    board: BoardName
    color: chess.Color
    found: dict[str, Breach] = field(default_factory=dict)
    looked: float = -np.inf  # when the reserve was last seen

    def look(
        self,
        now: Mapping[str, str],
        doubtful: Container[str],
        time: float,
        tolerance: float,
        began: Mapping[str, float],
    ) -> list[Event]:
        """The alerts that are raised, and those that are withdrawn. `now`: what is amiss, and the FEN letter of a man.

        `doubtful`: what may be so still, if it was. `tolerance`: seconds for which it may be so. `began`: since when it
        has been so, where what was told since says more than the looks did.
        """
        events = []
        for kind, piece in now.items():
            breach = self.found.setdefault(kind, Breach(max(self.looked, time - UNSEEN)))
            if not breach.told and began.get(kind, np.inf) < np.inf:
                breach.since = began[kind]
            if not breach.told and time - breach.since >= tolerance:
                breach.told = True
                events.append(Event("alert", self.board, breach.since, time, self.color, piece=piece, reason=kind))
        self.looked = time
        for kind, breach in list(self.found.items()):
            if kind in now or (breach.told and kind in doubtful):
                breach.gone = np.inf
                continue
            if breach.gone_for(time) <= (LASTING if breach.told else OVER):
                continue
            del self.found[kind]
            if breach.told:
                events.append(Event("withdrawn", self.board, breach.since, time, self.color, reason=kind))
        return events
