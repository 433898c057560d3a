"""Who presses the clock of one board, and with which hand, as the arms tell that reach for it."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from rules.events import Event
from rules.observation import Observation, Reach
from rules.profile import Profile
from rules.seats import BoardName

BESIDE, FAR = 2.0, 8.0  # squares towards the pockets from the middle of a side beyond which nobody's arm comes in who
# sits there, and where his shoulder is not, before he has been at the clock;
FARTHER, TOGETHER = 2.5, 6.0  # squares from where it usually is towards the pockets where an arm comes in, and with its
# shoulder,
FARTHEST = 2.0  # or, where much is known, from the farthest of all, its shoulder beyond all: of 2,049 presses in 34
# films own arms came in at most 1.2 so, partners' at least 2.6
NEARER = 1.2, 2.5  # and towards the clock's side of where it comes in and of its shoulder,
ONCE = 2.0, 3.0  # or, if he has been there only once, these, where that was surely
OWN = 0.0, 2.5  # his own arm, which came in and had its shoulder no farther: of 298 in six films at most -2.1, 1.4
SPREADS, CLOSE = 3.0, (0.7, 1.0)  # or, where much is known, as many times as his visits differ, and that: of 2,646
# visits in 39 films the own ones came in so at most once, and then at most 0.7 squares nearer by the shoulder;
LESS, MOST = 1.5, 8  # as many times from so many visits on: of 460 in twelve films one own came in so by 0.8 times
OTHERWISE, OVER = (1.0, 1.5), 5.5  # or these, and in all so many from the arm that was over the board just before: of
# 5,331 own visits in 81 films six came in so, by 4.8 at most, of 30 of other hands 29, by 5.9 and more;
AT_FIRST = 8.0  # or so many, if he has not been there: of 309 own visits in 83 films two came in so by 7.0 and 7.8, of
# three of other hands one;
LEAPT, LEAP = 4.0, 80.0  # or so many, if it did not go there from the board at so many squares a second at most, from
# look to look: of first visits in 89 films 385 own hands did at 65 and less, five other ones seemed to at 98 and more
APART = 4.0, 4.0  # the same from the arm that was over the board just before, if too little is known of the player,
OPPOSITE = 2.4, 2.5  # and from the opponent's;
ALONE = 6.0, 6.0  # before anybody has been there, from the first alone: own hands, of 27, at most 5.1 and 3.6
ACROSS = 1.0, 4.0  # the same of the one arm that was there a look before it is at the clock, if it is a partner's: of
# 436 first visits in 57 films own ones had their shoulders at most 2.7 squares towards the pockets then
JUST = 0.5  # seconds before,
A_LOOK = 0.15  # and for a look
ALONG = 1.0, 2.0  # squares by which it comes in otherwise, and has its shoulder elsewhere, from look to look, at most
FEW, MANY = 2, 4  # visits from which something is known of that, of which one may have been another's; and much
WIDEST = 9.0  # squares; where the picture ends near the clock, a shoulder is told to be anywhere, and an arm that comes
ENDS = 0.5  # in there so much nearer than any before may be of either player: of 13 visits in 80 films from more than
# six squares nearer by the shoulder ten, all of other hands, came in 0.99 or more nearer, the others at most 0.09
BEYOND = 0.8  # squares farther out in two looks than usual, where an arm lays a man down behind the clock, or fetches
# him: of 335 visits in five films four did, two of them to lay one down, none of a partner's or another hand's presses;
SHORT = 1.2  # and less far out, where one goes by, or lifts who stands on the board's edge there: of 1,151 visits in 18
# films at which somebody pressed three were so, of 53 others twelve
LOOKS = 2  # in which an arm must have been at the clock, at least
GONE = 0.2  # seconds without one after which it has left
KEPT = 4  # plies of a colour, and presses, of which it is known when they may have been
ANYBODYS = 0.8  # seconds after which an arm that may be of either side is told to be of the one who has moved
TELLING = 4.0  # seconds after which a ply that was played before an arm came to the clock has been told


class _Look(NamedTuple):
    """When an arm was seen, where its shoulder is, where it came in, how many squares beside the board's middle it
    reaches, where to, and the longest step from look to look since it was over the board, in squares a second."""

    time: float
    aside: float
    enters: float
    out: float
    tip: tuple[float, float]
    leap: float


@dataclass(frozen=True, slots=True)
class _Visit:
    """An arm at the clock: when it came, from which shoulder, by all looks and at most, where it came into the picture,
    how far out it reached, at most and in two looks, how often it was seen there, and the longest step it took from
    the board, in squares a second."""

    since: float
    aside: float
    most: float
    enters: float
    out: float
    twice: float
    looks: int
    leap: float


@dataclass(slots=True)
class _Player:
    """One colour. `seen`: its arms when any were seen last. `looks`: while one is at the clock. `moving`: those over
    the board just before. `near`: those beside the board about then.
    `visits`: what they made, nearly all of the hand that moves. `doubtful`: those of a partner or of the other hand,
    and which, until it is clear whether anything was to be pressed."""

    seen: list[_Look] = field(default_factory=list)
    looks: list[_Look] = field(default_factory=list)
    moving: list[_Look] = field(default_factory=list)
    near: list[_Look] = field(default_factory=list)
    visits: list[_Visit] = field(default_factory=list)
    doubtful: list[tuple[str, float]] = field(default_factory=list)
    pressed: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))
    moved: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))


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
        self.before = -np.inf  # when it looked last

    def look(
        self, observation: Observation, told: Iterable[Event], surely: Callable[[], Mapping[chess.Color, float]]
    ) -> list[Event]:
        """An alert where a partner has pressed the clock, or a player with the hand that did not move. `told`: of the
        plies that this look has made certain. `surely`: of whom it is certain that he has played, though not yet what,
        since when he may have."""
        for event in told:
            if event.kind in ("move", "drop"):
                # It shows later than it was played: the hand lies over it; but it followed the other's, if by nothing.
                color = event.who()
                before = float(np.nextafter(min(_last(self.players[not color].moved), event.time), np.inf))
                self.players[color].moved.append(max(event.earliest or event.time, before))
        for color, player in self.players.items():
            arms = [reach for reach in observation.reaches if reach.color == color]
            looks = [_seen(reach, observation.time, self.before, player.seen) for reach in arms]
            for reach, seen in zip(arms, looks, strict=True):
                if reach.at_clock:
                    player.looks.append(seen)
                elif not 0 < reach.tip[0] < 8:
                    player.near.append(seen)
                elif not player.looks and _over_board(reach.tip):
                    player.moving.append(seen)
            player.seen = looks or player.seen
        self.before = observation.time
        alerts = []
        for color, player in self.players.items():
            self._leave(player, observation.time, self.players[not color])
        for color, player in self.players.items():
            if player.looks:
                continue  # it may be he who presses now
            player.moving = [seen for seen in player.moving if observation.time - seen.time < JUST]
            player.near = [seen for seen in player.near if observation.time - seen.time < JUST]
            for kind, since in list(player.doubtful):
                shared = (kind, since) in self.players[not color].doubtful
                if shared and observation.time - since < ANYBODYS:
                    continue  # until it is known who has moved
                if self._unpressed(color, since, surely(), shared):
                    player.pressed.append(since)
                    alerts.append(self._alert(kind, color, since, observation.time))
                    if shared:
                        self.players[not color].doubtful.remove((kind, since))
                elif observation.time - since < TELLING:
                    continue
                player.doubtful.remove((kind, since))
        return [alert for alert in alerts if alert.reason != "partner_press" or not self.allowed]

    def _unpressed(self, color: chess.Color, since: float, surely: Mapping[chess.Color, float], shared: bool) -> bool:
        """Whether a player had moved last before a time, and had not pressed until the reply. `shared`: whether the
        opponent may have pressed then instead, whose plies count though it is not known yet which."""
        player, theirs = self.players[color], [*self.players[not color].moved]
        if shared:
            theirs.append(surely.get(not color, np.inf))
        reply = min((moved for moved in theirs if moved >= since), default=np.inf)
        # What is not told yet followed all that is told, if by nothing.
        before = float(np.nextafter(_last(self.players[not color].moved), np.inf))
        moved = [*player.moved, max(surely.get(color, np.inf), before)]
        return max(_last(player.pressed, reply), _last(theirs, since)) < _last(moved, since)

    def _alert(self, kind: str, color: chess.Color, since: float, time: float) -> Event:
        return Event("alert", self.name, since, time, color, reason=kind, rule=self.rules[kind])

    @staticmethod
    def _leave(player: _Player, time: float, opponent: _Player) -> None:
        """Note who was at the clock, once nobody is any more."""
        if not player.looks or time - player.looks[-1].time <= GONE:
            return
        looks = _own_among(player.looks, player.visits)
        aside, enters = np.median([(look.aside, look.enters) for look in looks], axis=0).tolist()
        most, out = max(look.aside for look in looks), sorted(look.out for look in looks)[-LOOKS:]
        often = len(looks) + sum(_is_same_arm(look, looks[0]) for look in player.near)
        visit = _Visit(looks[0].time, aside, most, enters, out[-1], out[0], often, looks[0].leap)
        kind = _not_own(visit, player, opponent.visits)
        player.looks.clear()
        player.moving.clear()
        usual = _reach(player.visits if len(player.visits) >= FEW else player.visits + opponent.visits)
        if visit.out < usual - SHORT or (kind and visit.twice > usual + BEYOND):
            return
        if _is_anybodys(visit, player.visits + opponent.visits):
            player.doubtful.append(("other_hand", visit.since))
            opponent.doubtful.append(("other_hand", visit.since))
        elif kind:
            player.doubtful.append((kind, visit.since))
        elif visit.looks >= LOOKS or (len(player.visits) >= FEW and _is_usual(visit, player.visits)):
            player.pressed.append(visit.since)
        if visit.looks >= LOOKS and kind != "partner_press":  # where they may, partners press all the time
            player.visits.append(visit)


def _seen(reach: Reach, time: float, before: float, seen: Sequence[_Look]) -> _Look:
    """An arm as it is seen at a time. `before`: when it was looked before. `seen`: its player's arms when they were
    seen last, one of which it may be."""
    steps = [max(look.leap, math.dist(look.tip, reach.tip) / max(time - before, 0.001)) for look in seen]
    leap = 0.0 if _over_board(reach.tip) else min(steps, default=0.0)
    return _Look(time, reach.aside, reach.enters, abs(reach.tip[0] - 4), reach.tip, leap)


def _over_board(tip: tuple[float, float]) -> bool:
    return min(tip) > 0 and max(tip) < 8


def _last(times: Iterable[float], before: float = np.inf) -> float:
    """The latest of some times before another."""
    return max((time for time in times if time < before), default=-np.inf)


def _way(visit: _Visit) -> NDArray[np.float64]:
    """(2,) where an arm comes in, and its shoulder."""
    return np.array([visit.enters, visit.aside])


def _usual(visits: list[_Visit]) -> NDArray[np.float64]:
    """(2,) the same as most visits were."""
    return np.asarray(np.median([_way(visit) for visit in visits], axis=0))


def _came_across(visit: _Visit, moving: list[_Look]) -> bool:
    """Whether nobody's arm but one from beside the pockets was over the board a look before it was at the clock: there
    the picture may end so near that little of it is seen."""
    before = [look for look in moving if look.time == moving[-1].time > visit.since - A_LOOK]
    return bool(before) and all(look.enters > ACROSS[0] and look.aside > ACROSS[1] for look in before)


def _is_same_arm(near: _Look, at_clock: _Look) -> bool:
    """Whether an arm beside the board is on its way to the clock, or back."""
    way = abs(near.enters - at_clock.enters), abs(near.aside - at_clock.aside)
    return abs(near.time - at_clock.time) < A_LOOK and way[0] < ALONG[0] and way[1] < ALONG[1]


def _own_among(looks: list[_Look], before: list[_Visit]) -> list[_Look]:
    """The looks at a player's own arm, where a partner's was at the clock beside it: then he has pressed himself."""
    if len(before) < FEW:
        return looks
    usual = float(np.median([other.enters for other in before]))
    at_once = {look.time: look for look in sorted(looks, key=lambda look: -abs(look.enters - usual))}
    looks = sorted(at_once.values())  # of several at once the one most like his own
    own = [look for look in looks if look.enters < usual + FARTHER]
    return own if len(own) >= LOOKS else looks


def _not_own(visit: _Visit, player: _Player, others: list[_Visit]) -> str:
    """Which alert it calls for that an arm is at the clock, if it is not the one that usually is. `others`: the
    opponent's visits, which tell how an arm comes in as long as there are few of his own."""
    way = _way(visit)
    ways = [_way(before) for before in player.visits]
    if len(ways) < FEW and not _is_usual(visit, player.visits) and _came_across(visit, player.moving):
        return "partner_press"
    if _is_otherwise(visit, player) or (len(ways) == 1 and _is_much_nearer(way, ways[0])):
        return "other_hand"
    if len(ways) < FEW and others:
        ways.append(_usual(others))
    if len(ways) < FEW:
        if visit.enters > BESIDE and visit.aside > FAR:
            return "partner_press"
        return "other_hand" if _is_another(way, player.moving, ways[0] if ways else None) else ""
    if visit.looks < LOOKS and visit.aside < FAR:
        return ""
    # A camera that looks from aside sees the player's own arm come in near the pockets, too.
    usual = np.median(ways, axis=0)
    least, most = (np.min(ways, 0), np.max(ways, 0)) if len(ways) == FEW else (usual, usual)
    farther = way[0] > most[0] + FARTHER and (way - most).sum() > TOGETHER
    if farther or (len(ways) >= MANY and (way > np.max(ways, 0) + np.array([FARTHEST, 0.0])).all()):
        return "partner_press"
    nearer = (way < least - NEARER).all()
    if len(ways) > FEW:
        spreads = LESS if len(ways) >= MOST else SPREADS
        nearer |= (way < np.min(ways, 0) - np.maximum(spreads * np.ptp(ways, 0), CLOSE)).all()
    return "other_hand" if nearer and visit.most < least[1] and visit.aside > usual[1] - WIDEST else ""


def _reach(visits: list[_Visit]) -> float:
    """How many squares out an arm usually reaches, at most; nan as long as little is known."""
    return float(np.median([visit.out for visit in visits])) if len(visits) >= FEW else np.nan


def _is_anybodys(visit: _Visit, before: list[_Visit]) -> bool:
    """Whether so short a piece of an arm was seen, where the picture ends beside the clock, that nobody can tell whose
    it is: only that no hand of either player has come in there so far."""
    if visit.looks < LOOKS or len(before) < 2 * FEW:
        return False
    nearest, usual = min(other.enters for other in before), np.median([other.aside for other in before])
    always = visit.most < usual - NEARER[1]  # else a piece of his own arm was taken for another
    return bool(always and visit.enters < nearest - ENDS and visit.aside < usual - WIDEST)


def _is_usual(visit: _Visit, before: list[_Visit]) -> bool:
    """Whether an arm comes in where it did before, if it has been there."""
    return bool(before) and bool((np.abs(_way(visit) - _usual(before)) < NEARER).all())


def _is_much_nearer(way: NDArray[np.float64], once: NDArray[np.float64]) -> bool:
    """Whether an arm comes in much nearer to the clock than when the player was there, once."""
    return bool((once < OWN).all() and (way < once - ONCE).all() and way[1] > once[1] - WIDEST)


def _most_alike(way: NDArray[np.float64], moving: list[_Look]) -> NDArray[np.float64]:
    """(2,) where that arm of those over the board comes in, and its shoulder, which is most like it."""
    ways = np.array([(look.enters, look.aside) for look in moving])
    return np.asarray(ways[np.abs(ways - way).sum(1).argmin()])


def _is_otherwise(visit: _Visit, player: _Player) -> bool:
    """Whether an arm comes in nearer to the clock than the player's did before, if he has been there, and much nearer
    than the one that was over the board."""
    if visit.looks < LOOKS or not player.moving:
        return False
    way = _way(visit)
    across = float((way - _most_alike(way, player.moving)).sum())
    if not player.visits:
        return across < -(LEAPT if visit.leap > LEAP else AT_FIRST)
    return across < -OVER and bool((way < _usual(player.visits) - OTHERWISE).all())


def _is_another(way: NDArray[np.float64], moving: list[_Look], usual: NDArray[np.float64] | None) -> bool:
    """Whether an arm at the clock comes in nearer to it than the one most like it that was over the board just before,
    and than the opponent's, if he has been there. `way`, `usual`: where each of these two comes in, and its
    shoulder."""
    if not moving:
        return False
    nearest = _most_alike(way, moving)
    if usual is None:
        return bool((way < nearest - ALONE).all())
    nearer = (way < usual - np.array(OPPOSITE)).all() and (way < nearest - APART).all()
    return bool(nearer and way[1] > usual[1] - WIDEST)
