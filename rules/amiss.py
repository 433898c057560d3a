"""What is amiss in the reserves for longer than the profile tolerates."""

from functools import partial

import numpy as np

from rules.breaches import Breaches
from rules.events import Event
from rules.pocket import AllPockets, Pocket
from rules.profile import Profile
from rules.seats import partner

LIES_THERE = 2.0  # seconds for which a man is seen in the wrong reserve who lies there


class Amiss:
    """Judges all pockets of a match, one after the other."""

    def __init__(self, pockets: AllPockets, profile: Profile) -> None:
        """`pockets`: those of the match, also when one of them is replaced."""
        self.pockets, self.profile = pockets, profile
        self.breaches = {player: Breaches(*player) for player in pockets}

    def look(self, pocket: Pocket, time: float) -> list[Event]:
        """The alerts that are raised by a look at one of the pockets, and those that are withdrawn."""
        strangers = self.pockets[partner(pocket.board, pocket.color)].seen.strangers
        pocket.astray = pocket.with_giver([man.since for man in strangers.here])
        astray, tolerance = strangers.astray(time), self.profile.pass_tolerance
        amiss, events = pocket.amiss(astray), list[Event]()
        if self.profile.reserve == "visible":
            events = pocket.overdue(time, tolerance, astray)
        else:
            amiss.pop("hidden_reserve", None)
        if pocket.seen.open:
            breaches = self.breaches[pocket.board, pocket.color]
            found = breaches.look(amiss, pocket.doubtful(), time, tolerance, partial(self._began, pocket, time))
            pocket.mark(found)
            events += found
        return events

    def _began(self, pocket: Pocket, time: float, kind: str) -> float:
        """Since when something is amiss in a reserve, by what was told; infinity if that says nothing. Who has been
        seen in the wrong one for a while should have been passed on since he was captured."""
        if kind != "wrong_zone":
            return pocket.amounts.began(kind)
        seen = min(man.since for man in pocket.seen.strangers.here)
        captured = (passing.begins for passing in self.pockets[partner(pocket.board, pocket.color)].astray)
        return min(captured, default=np.inf) if time - seen > LIES_THERE else np.inf
