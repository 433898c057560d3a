"""Who presses the clock of one board, as the arms tell that reach for it."""

import chess
import numpy as np

from rules.events import Event
from rules.observation import Observation
from rules.profile import Profile
from rules.seats import BoardName

BESIDE = 2.0  # squares towards the pockets from the middle of a side; the player's arm and its shadow come in before
LOOKS = 2  # in which an arm must have been at the clock, at least
GONE = 0.2  # seconds without one after which it has left


class Presses:
    """Watches one board."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name = name
        self.rule = f"partner_clock: {profile.authority('partner_clock')}"
        self.allowed = profile.partner_clock == "allowed"
        self.visits: dict[chess.Color, list[tuple[float, float]]] = {color: [] for color in chess.COLORS}
        """When an arm from each side was at the clock, and where it came in."""

    def look(self, observation: Observation) -> list[Event]:
        """An alert where a partner has just pressed the clock."""
        if self.allowed:
            return []
        for reach in observation.reaches:
            if reach.at_clock:
                self.visits[reach.color].append((observation.time, reach.enters))
        alerts = []
        for color, visit in self.visits.items():
            if not visit or observation.time - visit[-1][0] <= GONE:
                continue
            if len(visit) >= LOOKS and np.median([enters for _, enters in visit]) > BESIDE:
                since, now = visit[0][0], observation.time
                alerts.append(Event("alert", self.name, since, now, color, reason="partner_press", rule=self.rule))
            visit.clear()
        return alerts
