"""Who presses the clock of one board, and with which hand, as the arms tell that reach for it."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise, product

import chess
import numpy as np

from rules.events import Event
from rules.observation import Observation, Reach
from rules.profile import Profile
from rules.seats import BoardName

BESIDE = 2.0  # squares towards the pockets from the middle of a side; the player's arm and its shadow come in before
FARTHER = 1.5  # squares from where a player's arm usually comes in
LOOKS = 2  # in which an arm must have been at the clock, at least
GONE = 0.2  # seconds without one after which it has left
TELLING = 2.5  # seconds after which a ply that was played before an arm came to the clock has been told
OWN = 6.0  # squares towards the pockets up to which who comes in sits at this board
STEP, SWIFT = 4.5, 4.8  # squares that a hand moves from one look to the next, usually and at most,
LEAP = 10.0  # and that no hand does
DEEP = 1.4  # squares from the player's edge within which a hand is that has just come,
FORTH = 2.2  # while the other was seen as far from it
BETWEEN = 0.14  # seconds from one look to the next, at most
COMES = 0.4  # seconds that a hand needs from there to the clock, at most
CLOCK = -1.7, 3.3  # where a hand presses it: file, and squares from the player's edge
ON_ITS_WAY = 0.2  # seconds before which a hand that comes from the board
NEARER = 1.5  # has come by so much nearer to it from one look to the next,
BEFORE_IT = 3.5  # or is as far from it along the ranks


@dataclass(slots=True)
class _Player:
    """One colour. `visit`: when an arm from its side was at the clock, and where it came in. `entered`: where those
    came in that were there before. `guests`, `others`: since when those of a partner, or a hand that had not been on
    the board, were there, until it is clear whether anything was to be pressed. `tips`: where own arms ended of late,
    as `_own` tells it.
    """

    visit: list[tuple[float, float]] = field(default_factory=list)
    entered: list[float] = field(default_factory=list)
    pressed: float = -np.inf
    moved: float = -np.inf
    guests: list[float] = field(default_factory=list)
    others: list[float] = field(default_factory=list)
    tips: deque[tuple[float, list[tuple[float, float]]]] = field(default_factory=deque)

    def owes(self, time: float) -> bool:
        """Whether a ply of this colour may have been played by then, and the clock not been pressed since."""
        return self.pressed < self.moved < time


class Presses:
    """Watches one board. What a partner does at the clock while there is nothing to press is no press: pieces are laid
    down there, too."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name = name
        self.rules = {
            "partner_press": f"partner_clock: {profile.authority('partner_clock')}",
            "other_hand": f"laws: {profile.authority('laws')}",
        }
        self.allowed = profile.partner_clock == "allowed"
        self.players = {color: _Player() for color in chess.COLORS}

    def look(self, observation: Observation, told: Iterable[Event]) -> list[Event]:
        """An alert where a partner has pressed the clock, or a player with the hand that did not move. `told`: of the
        plies that this look has made certain."""
        for event in told:
            if event.kind in ("move", "drop"):
                # It shows later than it was played: the hand lies over it.
                self.players[event.who()].moved = event.earliest or event.time
        for color, player in self.players.items():
            tips = [_own(reach) for reach in observation.reaches if reach.color == color and reach.enters < OWN]
            player.tips.append((observation.time, tips))
            while player.tips[0][0] < observation.time - COMES:
                player.tips.popleft()
        for reach in observation.reaches:
            if reach.at_clock:
                player = self.players[reach.color]
                if not player.visit and reach.enters < BESIDE and self._newly_come(player, reach):
                    player.others.append(observation.time)
                player.visit.append((observation.time, reach.enters))
        alerts = []
        for color, player in self.players.items():
            self._leave(player, observation.time)
            for kind, visits in (("partner_press", player.guests), ("other_hand", player.others)):
                for since in list(visits):
                    if player.owes(since) and player.moved > self.players[not color].moved:
                        player.pressed = since
                        alerts.append(self._alert(kind, color, since, observation.time))
                    elif observation.time - since < TELLING:
                        continue
                    visits.remove(since)
        return [alert for alert in alerts if alert.reason != "partner_press" or not self.allowed]

    def _alert(self, kind: str, color: chess.Color, since: float, time: float) -> Event:
        return Event("alert", self.name, since, time, color, reason=kind, rule=self.rules[kind])

    @staticmethod
    def _newly_come(player: _Player, reach: Reach) -> bool:
        """Whether the arm that has come to the clock was beside the player's edge at once, while another of his was on
        the board: a hand that leaves the board for the clock is seen on its way."""
        (time, present), *before = reversed(player.tips)
        if _on_its_way([tips for at, tips in before[::-1] if time - at <= ON_ITS_WAY]):
            return False
        hand = [_own(reach)]  # and what else it may have been: an arm's shadow comes apart from it at times
        stays = any(tip not in hand for tip in present)
        for at, tips in before:
            if not tips or time - at > BETWEEN:
                return False
            beside = [tip for tip in present if tip not in hand]
            if beside and not stays and max(tip[1] for tip in beside) > DEEP:
                return False  # it was over the board a look ago, and is at the clock now
            stays = stays or bool(beside)
            on = [tip for tip in tips if _nearest(tip, hand) <= min(SWIFT, _nearest(tip, beside))]
            if not on:
                was, come = min(((tip, other) for tip in tips for other in hand), key=lambda pair: _gap(*pair))
                forth = max(tip[1] for then, others in before if then <= at for tip in others)
                both = any(tip[0] > was[0] and _gap(was, tip) < STEP for tip in present)  # and goes on from the clock
                other = _gap(was, come) > LEAP or (come[1] < DEEP and (forth > FORTH or both))
                return bool(was[0] > 1 and other)
            hand, time, present = on, at, tips
        return False

    @staticmethod
    def _leave(player: _Player, time: float) -> None:
        """Note who was at the clock, once nobody is any more."""
        visit = player.visit
        if not visit or time - visit[-1][0] <= GONE:
            return
        if len(visit) >= LOOKS:
            enters = float(np.median([enters for _, enters in visit]))
            # A camera that looks from aside sees the player's own arm come in there, too.
            usual = np.median(player.entered) if player.entered else np.inf
            player.entered.append(enters)
            if enters > max(BESIDE, usual + FARTHER):
                player.guests.append(visit[0][0])
            elif visit[0][0] not in player.others:
                player.pressed = visit[0][0]
        visit.clear()


def _own(reach: Reach) -> tuple[float, float]:
    """Where an arm ends, the ranks counted from its own side."""
    x, y = reach.tip
    return x, y if reach.color else 8 - y


def _on_its_way(looks: list[list[tuple[float, float]]]) -> bool:
    """Whether a hand goes from the board to the clock. `looks`: where own arms ended, in each."""
    if any(tip[0] < BEFORE_IT and tip[1] > FORTH for tips in looks for tip in tips):
        return True
    steps = (step for one, other in pairwise(looks) for step in product(one, other))
    return any(_gap(*step) <= STEP and _gap(step[0], CLOCK) - _gap(step[1], CLOCK) > NEARER for step in steps)


def _nearest(tip: tuple[float, float], others: Iterable[tuple[float, float]]) -> float:
    return min((_gap(tip, other) for other in others), default=np.inf)


def _gap(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))
