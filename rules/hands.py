"""Whose arms reach over one board: what a partner does there."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import dist

import chess

from rules.events import Event
from rules.force import rooks_way
from rules.observation import Observation, Reach
from rules.profile import Profile
from rules.seats import BoardName

BESIDE = 6.5, 40.0  # squares from the middle of a side between which who reaches sits at the other board
ENTERS = 3.0  # squares beyond which his arm comes into the picture: of a short piece of one the shoulder is a guess,
LONG = 4.0, 1.0  # but not if so many squares of it are seen; then these: of 16 looks at arms that came in nearer, 12 at
# partners' (4.9 squares or more, in at 1.7 or more), three of own ones at 1.3 at most, one of those farther in at -0.9
OWN = 3.0  # squares from the middle within which the player sits; between that and `BESIDE` nobody can tell
AT = 2.5  # squares from where a man came to stand within which the tip of the arm that put it there is seen
EARLIER, LATER = 0.3, 0.3  # seconds around the time in which a ply was made
LONGEST = 2.0  # seconds that a ply may take; if it may have been made long before it was seen, it was soon
STEP, GAP = 2.2, 0.15  # squares and seconds from one look to the next within which tips are of the same arm:
CAME = 0.5  # weight of a look at it on its way, where more of it may be seen than over the far edge
LOOKS = 3  # in which an arm must have been told, at least,
SHARE = 0.5  # and of all of these the part that says so, the more the nearer its tip was and the more of it is seen: of
# 1,378 plies in 18 films twelve of partners had 0.59 and more, all others at most 0.28
MERGED = 0.5  # seconds from a look in which two arms were told apart to the next, between which they are seen as one
KEPT = 8.0  # seconds


class Hands:
    """Watches one board."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name = name
        self.rule = f"partner_hands: {profile.authority('partner_hands')}"
        self.forbidden = profile.partner_hands == "forbidden"
        self.looks: deque[tuple[float, tuple[Reach, ...]]] = deque()

    def look(self, observation: Observation, told: Iterable[Event]) -> list[Event]:
        """The alerts about the plies that this look has made certain."""
        if not self.forbidden:
            return []
        self.looks.append((observation.time, observation.reaches))
        while self.looks[0][0] < observation.time - KEPT:
            self.looks.popleft()
        # Of two plies of a player to one square that are told together, the arm that was seen there made the last.
        last = {(event.color, event.uci[2:4]): event for event in told if event.kind in ("move", "drop")}
        return [
            Event("alert", self.name, event.time, observation.time, event.color, event.ply, event.san, event.uci,
                  reason="partner_hand", rule=self.rule)
            for event in last.values() if self._by_partner(event)
        ]  # fmt: skip

    def _by_partner(self, event: Event) -> bool:
        move = chess.Move.from_uci(event.uci)
        squares = [move.to_square]
        if event.san.startswith("O-O"):
            squares.append(rooks_way(move)[1])
        places = [(chess.square_file(square) + 0.5, chess.square_rank(square) + 0.5) for square in squares]
        earliest = event.earliest or event.time - LONGEST
        since, until = earliest - EARLIER, min(event.time, earliest + LONGEST) + LATER
        there = [
            (weight, time, reach)
            for time, reach in self._theirs(event.color, since, until)
            if (weight := AT - min(dist(place, reach.tip) for place in places)) > 0
        ]
        votes = [(weight, reach) for weight, _, reach in there]
        votes += [(CAME, reach) for _, time, first in there[:1] for reach in self._came(time, first)]
        votes = [(weight * min(max(reach.length, 1.0), LONG[0]), reach) for weight, reach in votes]
        so = [weight for weight, reach in votes if _beside(reach)]
        own = [weight for weight, reach in votes if reach.aside < OWN]
        return len(so) >= LOOKS and sum(so) >= SHARE * (sum(so) + sum(own))

    def _theirs(self, color: chess.Color | None, since: float, until: float) -> Iterator[tuple[float, Reach]]:
        """When the arms of one side were seen between two times. While two are seen as one, it is that of them which
        was the nearest before."""
        arms = [(time, [reach for reach in reaches if reach.color == color]) for time, reaches in self.looks]
        both = [time for time, seen in arms if len(seen) > 1]
        as_one = [(one, other) for one, other in pairwise(both) if other - one < MERGED]
        apart: list[Reach] = []
        for time, seen in arms:
            if not any(one < time < other for one, other in as_one):
                apart = list(seen)
            for reach in seen:
                nearest = min(range(len(apart)), key=lambda arm: dist(apart[arm].tip, reach.tip))
                apart[nearest] = replace(apart[nearest], tip=reach.tip)
                if since <= time <= until:
                    yield time, apart[nearest]

    def _came(self, time: float, reach: Reach) -> Iterator[Reach]:
        """The same arm in the looks before, as far back as it can be followed: not to where two were seen as one."""
        since, arms = time - LONGEST, 1
        for at, reaches in reversed(self.looks):
            theirs = [other for other in reaches if other.color == reach.color]
            if at >= time:
                arms = len(theirs)
                continue
            near = [other for other in theirs if dist(other.tip, reach.tip) < STEP]
            if at < max(time - GAP, since) or not near or len(theirs) < arms:
                return
            arms = len(theirs)
            time, reach = at, min(near, key=lambda other: dist(other.tip, reach.tip))
            yield reach


def _beside(reach: Reach) -> bool:
    """Whether an arm comes from who sits at the other board."""
    least = ENTERS if reach.length < LONG[0] else LONG[1]
    return BESIDE[0] < reach.aside < BESIDE[1] and reach.enters > least
