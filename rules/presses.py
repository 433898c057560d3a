"""Who presses the clock of one board, as the arms tell that reach for it."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import chess
import numpy as np

from rules.events import Event
from rules.observation import Observation
from rules.profile import Profile
from rules.seats import BoardName

BESIDE = 2.0  # squares towards the pockets from the middle of a side; the player's arm and its shadow come in before
USUAL, FARTHER = 2, 1.5  # visits before which nobody knows where a player's arm comes in, and squares from there
LOOKS = 2  # in which an arm must have been at the clock, at least
GONE = 0.2  # seconds without one after which it has left
TELLING = 2.5  # seconds after which a ply that was played before an arm came to the clock has been told


@dataclass(slots=True)
class _Player:
    """One colour. `visit`: when an arm from its side was at the clock, and where it came in. `entered`: where those
    came in that were there before. `guests`: since when those of a partner were there, until it is clear whether
    anything was to be pressed."""

    visit: list[tuple[float, float]] = field(default_factory=list)
    entered: list[float] = field(default_factory=list)
    pressed: float = -np.inf
    moved: float = -np.inf
    guests: list[float] = field(default_factory=list)

    def owes(self, time: float) -> bool:
        """Whether a ply of this colour may have been played by then, and the clock not been pressed since."""
        return self.pressed < self.moved < time


class Presses:
    """Watches one board. What a partner does at the clock while there is nothing to press is no press: pieces are laid
    down there, too."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name = name
        self.rule = f"partner_clock: {profile.authority('partner_clock')}"
        self.allowed = profile.partner_clock == "allowed"
        self.players = {color: _Player() for color in chess.COLORS}

    def look(self, observation: Observation, told: Iterable[Event]) -> list[Event]:
        """An alert where a partner has pressed the clock. `told`: of the plies that this look has made certain."""
        if self.allowed:
            return []
        for event in told:
            if event.kind in ("move", "drop"):
                # It shows later than it was played: the hand lies over it.
                self.players[event.who()].moved = event.earliest or event.time
        for reach in observation.reaches:
            if reach.at_clock:
                self.players[reach.color].visit.append((observation.time, reach.enters))
        alerts = []
        for color, player in self.players.items():
            self._leave(player, observation.time)
            for since in list(player.guests):
                if player.owes(since) and player.moved > self.players[not color].moved:
                    player.pressed, now = since, observation.time
                    alerts.append(Event("alert", self.name, since, now, color, reason="partner_press", rule=self.rule))
                elif observation.time - since < TELLING:
                    continue
                player.guests.remove(since)
        return alerts

    @staticmethod
    def _leave(player: _Player, time: float) -> None:
        """Note who was at the clock, once nobody is any more."""
        visit = player.visit
        if not visit or time - visit[-1][0] <= GONE:
            return
        if len(visit) >= LOOKS:
            enters = float(np.median([enters for _, enters in visit]))
            # A camera that looks from aside sees the player's own arm come in there, too.
            usual = np.median(player.entered) if len(player.entered) >= USUAL else np.inf
            player.entered.append(enters)
            if enters > max(BESIDE, usual + FARTHER):
                player.guests.append(visit[0][0])
            else:
                player.pressed = visit[0][0]
        visit.clear()
