"""Whose arms reach over one board: what a partner does there."""

from collections import deque
from collections.abc import Iterable

import chess
import numpy as np

from rules.events import Event
from rules.observation import Observation, Reach
from rules.profile import Profile
from rules.seats import BoardName

BESIDE = 6.5, 40.0  # squares from the middle of a side between which who reaches sits at the other board
ENTERS = 3.0  # squares beyond which his arm comes into the picture: of a short piece of one the shoulder is a guess
AT = 2.5  # squares from where a man came to stand within which the tip of the arm that put it there is seen
EARLIER, LATER = 0.3, 0.3  # seconds around the time in which a ply was made
LONGEST = 2.0  # seconds that a ply may take to be seen
LOOKS = 3  # in which an arm must have been told, at least,
SHARE = 0.65  # and of all of these the part that says so, the more the nearer its tip was
KEPT = 8.0  # seconds


class Hands:
    """Watches one board."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name = name
        self.rule = f"partner_hands: {profile.authority('partner_hands')}"
        self.forbidden = profile.partner_hands == "forbidden"
        self.reaches: deque[tuple[float, Reach]] = deque()

    def look(self, observation: Observation, told: Iterable[Event]) -> list[Event]:
        """The alerts about the plies that this look has made certain."""
        if not self.forbidden:
            return []
        self.reaches.extend((observation.time, reach) for reach in observation.reaches)
        while self.reaches and self.reaches[0][0] < observation.time - KEPT:
            self.reaches.popleft()
        return [
            Event("alert", self.name, event.time, observation.time, event.color, event.ply, event.san, event.uci,
                  reason="partner_hand", rule=self.rule)
            for event in told if event.kind in ("move", "drop") and self._by_partner(event)
        ]  # fmt: skip

    def _by_partner(self, event: Event) -> bool:
        square = chess.Move.from_uci(event.uci).to_square
        place = np.array([chess.square_file(square) + 0.5, chess.square_rank(square) + 0.5])
        since, until = max(event.earliest, event.time - LONGEST) - EARLIER, event.time + LATER
        votes = [
            (weight, BESIDE[0] < reach.aside < BESIDE[1] and reach.enters > ENTERS)
            for time, reach in self.reaches
            if since <= time <= until
            and reach.color == event.color
            and (weight := AT - float(np.hypot(*(place - reach.tip)))) > 0
        ]
        so = [weight for weight, beside in votes if beside]
        return len(so) >= LOOKS and sum(so) >= SHARE * sum(weight for weight, _ in votes)
