"""Observations in, events out: what was played on both boards and passed between them."""

from dataclasses import replace
from itertools import zip_longest
from typing import Any, Literal

import chess
import numpy as np
from numpy.typing import NDArray

from rules.agreement import agreed_plies, but_for_kind, rivals, sans, shown
from rules.alerts import ALERTS
from rules.around import AroundBoard
from rules.beam import LEFT, STRAINED, Beam, Line, Plies, Seen, in_common
from rules.breaches import Breaches
from rules.cameras import Camera
from rules.chessplies import ChessPlies
from rules.countermatch import CounterMatch
from rules.counterplies import CounterPlies, Turned
from rules.events import Event
from rules.evidence import Experience
from rules.hands import Hands
from rules.history import History
from rules.irregular import Illegal, TakenBack, has_illegal, is_drop_back, is_held
from rules.lag import Lag, Timeline
from rules.match import IllegalMoveError, Match, Ply
from rules.misread import dropped_at, otherwise, reading_better, stands, with_kind
from rules.observation import EMPTY, LABELS, Certain, Observation, as_expected, groups, labels_of
from rules.passing import Passing, Pocket
from rules.poses import Poses
from rules.presses import Presses
from rules.profile import Profile
from rules.seats import BoardName, partner, won
from rules.signals import Signals
from rules.slots import BLUR, Slot

State = Literal["waiting", "ready", "running", "unsure", "paused", "ended"]

HOLD = 0.15  # seconds for which a ply must have been agreed upon
DOUBTFUL = 1.0  # and where the line leaves something unexplained
TAKING = 1.5  # and where a hand hides what was taken from the pocket, or where a man went who was dropped
STUCK = 0.3  # seconds without an explanation after which what the rules forbid is thought of, too,
STUCK_HIDDEN = 1.0  # and where something is hidden
IRREGULAR = 0.4  # seconds for which such a ply must have been agreed upon,
NOT_HELD = 0.6  # and a drop of what nobody is known to have passed on, while the other board is not all seen
WAITED = 5.0  # seconds of that after which a player is done, whatever is still hidden
APART = 2.0  # and after which nothing that came later is a part of it
OVERDUE = 2.0  # seconds for which a ply that its squares do not show must have been agreed upon, if a later one shows
MENDING = 1.0  # and where it contradicts what was told
PATIENCE = 1.2  # seconds after which the best line is taken though others come near,
UNDECIDED = 4.0  # and the better of two that differ in the kind of a drop, by turns
CLEAR, AT_LAST = 1.5, 0.5  # nats it must gain over what was told, and where nothing will be seen any more
RIDDLE = 2.0  # nats unexplained from which what the rules forbid is thought of
TOO_MUCH = 12.0  # and from which nothing is told
LOST = 3.0  # seconds without an explanation after which the search begins afresh,
LOST_SLOW = 12.0  # and where one ply takes as many
SETTING_UP = 5.0  # seconds for which a square counts as it was seen, before the start
QUIET = 0.5  # seconds without change after which squares are learnt from
ACCEPT = 2.0  # seconds after which a small difference that no ply explains is taken for the piece's look
SURE = 8.0  # nats by which what was told must beat all that contradicts it to be in doubt no more,
SETTLED = 1.0  # seconds after it was told
OLD = 8.0  # or so long after it,
LONG = 4  # or with so many plies
MISREAD = 2.5  # nats by which a piece may look more like what was told than like what its moves say
RETOLD = 0.7  # and by which he must look more like another when he comes to the partner's reserve
CONTRARY, STILL_CONTRARY = 2.0, 1.0  # or where he stands, by how many, for so many seconds
LOOKED = 0.2  # weight of a new look in how a dropped man reads
GRACE = 2.0  # seconds the other board is still read after a mate


class _Side:
    """One board's running state."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name = name
        self.camera = Camera()
        self.poses = Poses(name, profile)
        self.signals = Signals()
        self.hands = Hands(name, profile)
        self.presses = Presses(name, profile)
        self.about: Event | None = None  # the alert of the last ply, while who played it may not be done
        self.experience = Experience()
        self.found = np.zeros((64, len(LABELS)))  # how each square read last, before the start,
        self.found_at = np.full(64, -np.inf)  # and when
        self.shown_at_start: tuple[chess.Bitboard, chess.Bitboard] | None = None  # where men of both stood then
        self.meanwhile: tuple[list[chess.Move], float] = ([], 0.0)  # what may have been played before, and since when
        self.state: State = "waiting"
        self.history = History(self.experience)
        self.beam: Beam | None = None
        self.labels = np.zeros(64, np.int64)  # of the beam's root
        self.agreed: list[tuple[chess.Move, float]] = []  # plies agreed upon beyond the root, and since when
        self.dropped: dict[int, NDArray[np.float64]] = {}  # how men read where they were dropped, by ply
        self.stand: dict[chess.Square, Ply] = {}  # those who stand there still,
        self.stood: tuple[Any, int] = (None, 0)  # after so many plies of this match,
        self.contrary: dict[int, float] = {}  # and since when one reads as another than was told, by ply
        self.told_at: list[float] = []  # when each told ply beyond the root was told,
        self.shown: list[NDArray[np.bool_]] = []  # and (64,) squares that showed then what it has left there
        self.unwatched: list[Event] = []  # plies told that may have been played during the last time without a look
        self.leading: tuple[tuple[chess.Move, ...], float] = ((), 0.0)  # the next ply of the best line, and since when
        self.alike_since = 0.0  # since when it may have been a drop of another kind
        self.began = 0.0  # when its lines began at what was told
        self.unsure_since = 0.0
        self.calm_since = 0.0  # since when nothing is unexplained
        self.solved = 0.0  # when nothing at all was
        self.quiet_since = 0.0  # since when nothing at all has changed
        self.learnt = -np.inf

    def begin_anew(self, time: float) -> None:
        """Nobody has looked for a while: nothing has been doubtful, or agreed upon, all the time."""
        self.calm_since = self.solved = self.quiet_since = self.alike_since = time
        self.leading = self.leading[0], time
        self.unwatched = []
        self.agreed = [(move, time) for move, _ in self.agreed]


class Tracker:
    """Follows one match, from before its first ply. Time comes from the observations, which are in order of time."""

    def __init__(self, match: Match | CounterMatch | None = None, lag: Lag | None = None) -> None:
        """`lag`: as another tracker has found it."""
        self.match: Any = match or Match()
        self.counters = isinstance(self.match, CounterMatch)
        self.plies: Plies = ChessPlies(self.match.game == "crazyhouse")
        if self.counters:
            self.plies = CounterPlies()
        self.sides = {name: _Side(name, self.match.profile) for name in self.match.boards}
        self.pockets = {
            (name, color): Pocket(name, color, held=self.match.pocket(name, color))
            for name in (self.match.boards if self.match.game == "bughouse" else ())
            for color in chess.COLORS
        }
        self.breaches = {player: Breaches(*player) for player in self.pockets}
        self.paused = False
        self.over: float | None = None  # when the match was decided
        self.lag, self.timeline = lag or Lag(), Timeline()
        self._certain: dict[BoardName, list[Certain]] = {name: [] for name in self.sides}

    def state(self, board: BoardName) -> State:
        """What a person should be told about this board."""
        state = self.sides[board].state
        return "paused" if self.paused and state != "ended" else state

    def amiss_at_start(self, board: BoardName) -> dict[str, tuple[str, str]]:
        """While it waits for the start: FEN letters of what should stand on a square and of what is seen, `.` for none.

        Squares that read as another kind of the right colour are not named: kinds are not what is waited for.
        """
        side, expected = self.sides[board], labels_of(self.match.board(board))
        read = side.found.argmax(1)
        wrong = (side.found_at > -np.inf) & (groups(read) != groups(expected))
        return {chess.square_name(s): (LABELS[expected[s]], LABELS[read[s]]) for s in np.flatnonzero(wrong).tolist()}

    def provisional(self, board: BoardName) -> list[str]:
        """What seems to have been played after what is certain: to be shown at once, and to change without a word."""
        beam = self.sides[board].beam
        return [] if beam is None else sans(beam, beam.best())

    def explanations(self, board: BoardName) -> list[list[str]]:
        """The two best explanations, other than that nothing was played, as `choose` counts them; SAN of each ply."""
        beam = self.sides[board].beam
        return [] if beam is None else [sans(beam, line) for line in rivals(beam)]

    def update(self, observation: Observation) -> list[Event]:
        """Take in one look; what has been told by it, or by those that were held back until now."""
        due = self.timeline.put(observation, self.lag.seconds)
        return [event for look in due for event in self._look(look)]

    def certain(self, board: BoardName) -> list[Certain]:
        """What looks at a board have made certain of it since this was asked last, also as it was before."""
        found, self._certain[board] = self._certain[board], []
        return [replace(certain, time=self.shown_at(board, certain.time)) for certain in found]

    def shown_at(self, board: BoardName, time: float) -> float:
        """When a board's own pictures show what is told to have been at a time."""
        return self.timeline.told(board, time)

    def _look(self, observation: Observation) -> list[Event]:
        side, time = self.sides[observation.board], observation.time
        if side.state == "ended" or (self.over is not None and time > self.over + GRACE):
            return []
        events = side.camera.look(observation)
        if self.paused:
            return events
        if observation.camera != "steady":
            side.history.look(observation, side.labels)  # nothing lies open
            return events
        side.experience.lessons.look(observation)
        if side.beam is None:
            return events + self._wait_for_start(side, observation)
        events += self._watch_pockets(observation)
        side.history.look(observation, side.labels)
        if side.history.missed_until == time:
            side.begin_anew(time)
        stuck = STUCK if side.history.seen == chess.BB_ALL else STUCK_HIDDEN
        riddle = time - side.solved
        side.beam.think(AroundBoard(self.pockets, side.name), riddle > stuck and not side.history.missed, riddle)
        events += self._decide(side, side.beam, time)
        self._settle(side, side.beam, time)
        if self.pockets:  # else nobody sits beside
            self._look_at_dropped(side)
            events += self._retell(side, time)
            events += side.hands.look(observation, events)
            events += side.presses.look(observation, events, side.beam.surely)
        return events if self.counters else events + self._watch_men(side, observation)

    def _look_at_dropped(self, side: _Side) -> None:
        """How men read where they were dropped: later plies may say that they were of another kind."""
        plies = self.match.plies
        if side.stood != (self.match, len(plies)):
            side.stood, side.stand = (self.match, len(plies)), {}
            for ply in (ply for ply in plies if ply.board == side.name):
                side.stand.pop(ply.move.from_square, None)
                side.stand.pop(ply.move.to_square, None)
                if ply.move.drop:
                    side.stand[ply.move.to_square] = ply
        showing = {color: side.history.showing(color) for color in chess.COLORS}
        for square, ply in side.stand.items():
            if showing[ply.color] >> square & 1:  # and not who took him, which may not have been told yet
                now = side.history.kinds(square)
                before = side.dropped.get(ply.number, now)
                side.dropped[ply.number] = before + LOOKED * (now - before)

    def _reads(self, ply: Ply) -> NDArray[np.float64]:
        """(6,) log-likelihood of each kind for the man of a drop, as he reads where he was dropped."""
        side = self.sides[ply.board]
        looks = np.exp(side.dropped.get(ply.number, np.zeros(6)))
        trust = side.experience.trust
        return np.asarray(np.log(trust * looks / looks.sum() + (1 - trust) / 6))

    def _retell(self, side: _Side, time: float) -> list[Event]:
        """Who goes on reading as of another kind than was told when he was dropped was one, if the record can be put
        right so that all reads better: what was told before may have left no other to be dropped."""
        before, side.contrary = side.contrary, {}
        for ply in side.stand.values():
            reads = self._reads(ply)
            if reads.max() - reads[(ply.move.drop or 0) - 1] < CONTRARY or not ply.legal:
                continue
            since = side.contrary[ply.number] = before.get(ply.number, time)
            if time - since > STILL_CONTRARY and all(pocket.tells() for pocket in self.pockets.values()):
                side.contrary[ply.number] = np.inf  # once is enough
                if events := self._read_better(ply, time):
                    return events
        return []

    def _read_better(self, ply: Ply, time: float) -> list[Event]:
        """The record put right, if a drop can have been of the kind that it reads most like."""
        best, most = self.match, CONTRARY
        for gain, match in reading_better(self.match, self.match.plies.index(ply), self._reads):
            players = self.pockets.items()
            gain += sum(pocket.gain(self.match.pocket(*player), match.pocket(*player)) for player, pocket in players)
            if gain > most:
                best, most = match, gain
        events = self._put_right(best, time)
        if events:
            self._restart_all(time)
        return events

    def _watch_men(self, side: _Side, observation: Observation) -> list[Event]:
        """How men stand, and what their players say by it."""
        time, events = observation.time, side.poses.look(observation, self.match.board(side.name))
        signal = side.signals.look(observation, self.match.board(side.name))
        if signal is not None and self.over is None:
            result = "1/2-1/2" if signal.winner is None else won(side.name, signal.winner)
            events.append(self.end(side.name, result, signal.reason, signal.since, time))
        return events

    def finish(self, time: float) -> list[Event]:
        """The sources have ended: what was as good as certain is told."""
        events = [event for look in self.timeline.rest() for event in self._look(look)]
        for side in self.sides.values():
            if side.beam is not None and side.state in ("ready", "running"):
                events += self._decide(side, side.beam, time + DOUBTFUL, AT_LAST)
        return events

    def _wait_for_start(self, side: _Side, observation: Observation) -> list[Event]:
        found, seen = side.experience.readings.look(observation.probabilities(), observation.seen, observation.time)
        side.found[seen], side.found_at[seen] = found[seen], observation.time
        fresh = side.found_at > observation.time - SETTING_UP
        labels = labels_of(self.match.board(side.name))
        certain = as_expected(side.found, labels, fresh)
        if certain is None:
            return self._catch_up(side, observation.time) if fresh.all() else []
        for _ in range(6):  # these 64 squares are certain: learn them thoroughly
            side.experience.learn(side.found, labels, certain)
        odd = fresh & ~certain
        if not ((labels != EMPTY) & odd).any() or not ((labels == EMPTY) & odd).any():  # else a man may have moved
            side.experience.expect(side.found, odd)
        self._restart(side, observation.time)
        side.state, side.calm_since = "ready", observation.time
        return []

    def _catch_up(self, side: _Side, time: float) -> list[Event]:
        """Tell what was played while nobody looked, once the board has shown it for a while."""
        seen = groups(side.found.argmax(1))
        white, black = (sum(1 << square for square in np.flatnonzero(seen == group).tolist()) for group in (0, 1))
        if (white, black) != side.shown_at_start:
            side.shown_at_start = white, black
            side.meanwhile = (self.plies.meanwhile(self.match.board(side.name), white, black), time)
        moves, since = side.meanwhile
        if not moves or time - since < MENDING:
            return []
        side.meanwhile = ([], time)
        events = []
        for move in moves:
            ply = self.match.push(side.name, move)
            events.append(_event(_told_as(move, False), ply, since, time))
            if self.pockets:
                events += self._account(ply, since, time)
        return events

    def _restart(self, side: _Side, time: float) -> None:
        """Nothing that was told on this board is in doubt any more."""
        board = self.match.board(side.name)
        played = -np.inf
        if side.beam is not None:
            side.experience.carry(side.beam.told.contents_of_all())
            played = max([side.beam.played, *(after for _, after in side.beam.seen(side.beam.told, time))])
        side.began = time
        side.labels = labels_of(board)
        side.history = History(side.experience)
        side.beam = Beam(board, side.history, self.plies, self._before(side.name), played)
        side.agreed, side.told_at, side.shown, side.leading = [], [], [], ((), time)
        side.quiet_since = time

    def _before(self, name: BoardName) -> tuple[Line, chess.Move] | None:
        """The position before the last ply of a board, and that ply; None where another board's plies rest on it, or
        the arbiter has set the position since."""
        played = [index for index, ply in enumerate(self.match.plies) if ply.board == name]
        if not played or any(setting.board == name and setting.after > played[-1] for setting in self.match.settings):
            return None
        try:
            earlier = self.match.without_last(name)
        except IllegalMoveError:
            return None
        line = Line(None, None, self.plies.copy(earlier.board(name)))
        return line, self.plies.as_played(self.match.plies[played[-1]])

    def _decide(self, side: _Side, beam: Beam, time: float, gain: float = CLEAR) -> list[Event]:
        """Tell the plies that all good lines agree upon. `gain`: nats they must gain over what was told."""
        told, best = beam.told.moves, beam.leading()
        if best.left <= LEFT:
            side.calm_since = time
        certain = best is beam.told or (
            best.total >= beam.told.total + CLEAR
            and len(best.known()) == len(best.moves)
            and best.strain < beam.told.strain + STRAINED
        )
        if best.left <= RIDDLE and certain and not has_illegal(best.moves[len(told) :]):
            side.solved = time
        if best is not beam.told:
            side.quiet_since = time
        agreed = agreed_plies(beam, best)
        coming = best.moves[: len(told) + 1]
        if len(coming) != len(side.leading[0]) or in_common(coming, side.leading[0], but_for_kind) < len(coming):
            side.alike_since = time
        if coming != side.leading[0]:
            side.leading = coming, time
        patient = time - side.leading[1] > PATIENCE or time - side.alike_since > UNDECIDED
        if best.left <= LEFT and patient:
            agreed = max(agreed, best.known()[: len(told) + 1], key=len)
        same = in_common(tuple(move for move, _ in side.agreed), agreed)
        side.agreed = side.agreed[:same] + [(move, time) for move in agreed[same:]]
        clear = CLEAR / 3 if has_illegal(best.moves) else gain
        if best.total < beam.told.total + clear or best.left > TOO_MUCH or beam.contradicted(best):
            return self._doubt(side, beam, best, time)
        common = in_common(agreed, told)
        enough = HOLD if best.left <= LEFT else DOUBTFUL
        if common < len(told):
            if len(agreed) < len(told) or best.left > LEFT:
                return self._doubt(side, beam, best, time)
            enough = MENDING
        ready = len(agreed)
        path = best.path()
        # Plies that much speaks against are told when it is clear that nothing against the rules explains it better.
        if not certain and best.known() == best.moves and not beam.forbidden:
            return self._doubt(side, beam, best, time)
        for number in range(common, len(agreed)):
            age = time - side.agreed[number][1]
            hold = self._hold(side, path[number:], enough, age, best.left <= LEFT)
            showing = path[number : len(agreed) if age > OVERDUE else number + 1]
            if age < hold or not any(shown(side.history, line, best) for line in showing):
                ready = number
                break
        if ready <= common or ready < len(told):
            return self._doubt(side, beam, best, time)
        return self._tell(side, beam, best, ready, common, time)

    def _hold(self, side: _Side, coming: list[Line], enough: float, agreed: float, explained: bool) -> float:
        """Seconds for which the first of these plies must have been agreed upon to be told. `explained`: whether their
        line leaves nothing unexplained."""
        line, move = coming[0], coming[0].moves[-1]
        waits = [self.plies.waits(side.history, *two) for two in zip_longest(coming, coming[1:])]
        if (agreed < WAITED and waits[0]) or (agreed < APART and any(waits)):
            return np.inf  # more may come to it
        if isinstance(move, Illegal | TakenBack):
            if not explained:
                return np.inf
            if is_drop_back(move) and side.history.seen != chess.BB_ALL:
                return TAKING  # who was dropped may have gone to where an arm still is
            if enough > HOLD:
                return enough
            assert line.parent is not None
            if not isinstance(move, Illegal) or not move.drop or is_held(line.parent.board, move):
                return IRREGULAR
            others = (other for other in self.sides.values() if other is not side)
            return IRREGULAR if all(other.history.seen == chess.BB_ALL for other in others) else NOT_HELD
        return enough if agreed > TAKING or self._told_apart(side, line) else TAKING

    def _told_apart(self, side: _Side, line: Line) -> bool:
        """Whether the pocket can say of which kind a drop was."""
        drop = line.moves[-1].drop
        if not drop or not self.pockets or line.parent is None:
            return True
        pocket = self.pockets[side.name, line.parent.board.turn]
        return (pocket.seen and pocket.settled) or not pocket.choice()

    def _doubt(self, side: _Side, beam: Beam, best: Line, time: float) -> list[Event]:
        """What is hidden may explain the rest: doubt begins where all is seen."""
        everything = side.history.seen == chess.BB_ALL
        if time - side.calm_since > ALERTS["unsure"].delay and side.state in ("ready", "running") and everything:
            side.state, side.unsure_since = "unsure", side.calm_since
            return [Event("alert", side.name, side.calm_since, time, beam.told.board.turn, reason="unsure")]
        if side.state == "unsure" and best.left <= LEFT and everything and time - side.began > SETTLED:
            return self._sure_again(side, time)
        if time - max(side.calm_since, side.began) > (LOST_SLOW if self.plies.slow else LOST):
            self._restart(side, time)  # what misled it may be over: look at the board as it stands
        return []

    @staticmethod
    def _sure_again(side: _Side, time: float) -> list[Event]:
        """What the board shows is explained; an alert that it was not is withdrawn."""
        unsure, side.state = side.state == "unsure", "running"
        return [Event("withdrawn", side.name, side.unsure_since, time, None, reason="unsure")] if unsure else []

    def _tell(self, side: _Side, beam: Beam, best: Line, ready: int, common: int, time: float) -> list[Event]:
        """Tell the first plies of a line, after those in common with what was told before, which it may mend."""
        path = best.path()[:ready]
        back = len(beam.told.moves) - common
        gone, events, unwatched = list[Ply](), list[Event](), list[Event]()
        if back:
            try:
                gone = self._take_back(side, back, time)
            except IllegalMoveError:  # a drop on the other board needs what they passed
                return []
            side.told_at, side.shown = side.told_at[:common], side.shown[:common]
        irregular = next((n for n, line in enumerate(path) if isinstance(line.moves[-1], Illegal | TakenBack)), None)
        if irregular is not None:
            path = path[: irregular + 1]
        # What is mended is told anew, ply by ply; what is left over was not played.
        events += [_event("take_back", ply, time, time) for ply in reversed(gone[len(path) - common :])]
        beam.tell(path[-1], AroundBoard(self.pockets, side.name))
        seen = beam.seen(best, time)[common:]
        for number, (line, (since, after)) in enumerate(zip(path[common:], seen, strict=False)):
            try:
                if isinstance(line.moves[-1], Illegal | TakenBack):
                    events += self._tell_irregular(side, line, (since, after), time, number < back)
                    break
                ply = self.match.push(side.name, line.moves[-1])
            except IllegalMoveError:  # what was mended on the other board meanwhile forbids it
                self._restart(side, time)
                return events
            events.append(_event(_told_as(ply.move, number < back), ply, since, time, after))
            if min(line.after, after or line.after) < side.history.missed_until:
                unwatched.append(events[-1])
            if self.pockets:
                events += self._account(ply, since, time, line.after)
            side.told_at.append(time)
            side.shown.append(side.history.open & side.history.as_labelled(labels_of(line.board)))
        side.calm_since = side.quiet_since = time
        events += [*self._unwatched(side, unwatched, time), *self._sure_again(side, time)]
        if irregular is None and (end := self.plies.end(self.match, side.name)) is not None:
            events.append(self.end(side.name, *end, time, time))
        return events

    @staticmethod
    def _unwatched(side: _Side, told: list[Event], time: float) -> list[Event]:
        """Where several plies may have been played while nobody looked, others may have led to the same: each of them
        is named."""
        before, side.unwatched = len(side.unwatched), side.unwatched + told
        if not told or len(side.unwatched) < 2:
            return []
        named = told if before > 1 else side.unwatched
        first, sans = named[0], " ".join(event.san for event in named)
        since = first.earliest or first.time
        return [Event("alert", side.name, since, time, None, first.ply, sans, reason="unwatched")]

    def _tell_irregular(self, side: _Side, line: Line, seen: Seen, time: float, mends: bool) -> list[Event]:
        """A ply that the rules forbid stands on the board until the arbiter rules or it is taken back. `mends`: it
        comes in place of one that was told."""
        move, name, (since, after) = line.moves[-1], side.name, seen
        if isinstance(move, Illegal) and self.pockets and (mended := self._misread(side, move, time)):
            ply = self.match.push(name, move.plain())
            told = _event(_told_as(move, mends), ply, since, time, after)
            events = [*mended, told, *self._account(ply, since, time, line.after)]
            self._restart_all(time)
            return events
        last = next((ply for ply in reversed(self.match.plies) if ply.board == name), None)
        if isinstance(move, TakenBack | Turned):
            assert last is not None
            self._take_back(side, 1, time)
        if isinstance(move, TakenBack):
            assert last is not None
            events = [_event("take_back", last, since, time)]
            if last.legal:
                events.append(replace(events[0], kind="alert", reason="take_back"))
        else:
            ply, kind, rule = self.plies.force(self.match, name, move)
            again = isinstance(move, Turned)
            events = [_event(_told_as(move, again or mends), ply, since, time, after)]
            if again and side.about is not None and side.about.ply == ply.number:
                events.append(replace(side.about, kind="withdrawn", committed=time))
            side.about = replace(events[0], kind="alert", reason=kind, rule=rule) if kind else None
            if side.about is not None:
                events.append(side.about)
            if self.pockets:
                events += self._account(ply, since, time, line.after)
        self._restart(side, time)
        return events

    def _misread(self, side: _Side, move: Illegal, time: float) -> list[Event]:
        """A ply against the rules shows that a piece was of another kind than was told when it was dropped: the record
        is put right. Nothing where the looks of the piece say otherwise."""
        best, most = self.match, -MISREAD
        for index, kind, other in otherwise(self.match, side.name, move):
            ply = self.match.plies[index]
            square = stands(self.match, index)
            if ply.board == side.name and square == move.from_square and not move.drop:
                square = move.to_square
            history = self.sides[ply.board].history
            likely = self.sides[ply.board].dropped.get(ply.number, np.zeros(6))
            if square is not None and history.open[square]:
                likely = history.kinds(square)
            gain = float(likely[kind - 1] - likely[(ply.move.drop or 0) - 1])
            if move.drop and (pocket := self.pockets[ply.board, ply.color]).tells():
                gain += pocket.fit([kind]) - pocket.fit()  # it would have been gone before
            if gain > most:
                best, most = other, gain
        return self._put_right(best, time)

    def _put_right(self, match: Match, time: float) -> list[Event]:
        """Tell what is otherwise in another match of as many plies, and let the pockets know."""
        events = []
        for told, ply in zip(self.match.plies, match.plies, strict=True):
            if (told.move, told.san, told.passed) == (ply.move, ply.san, ply.passed):
                continue
            if told.move.drop != ply.move.drop and told.move.drop and ply.move.drop:
                self.pockets[ply.board, ply.color].exchange(ply.move.drop, told.move.drop)
            if told.passed != ply.passed and told.passed and ply.passed:
                self.pockets[partner(ply.board, ply.color)].exchange(told.passed, ply.passed)
            events.append(_event("correction", ply, time, time))
        self.match = match
        return events

    def _settle(self, side: _Side, beam: Beam, time: float) -> None:
        """Leave behind what is in doubt no more, and learn from what stands still."""
        told = beam.told
        while told.moves:
            age = time - side.told_at[0]
            against = [line.total for line in beam.lines if line.moves[:1] != told.moves[:1]]
            sure = told.total > max(against, default=-np.inf) + SURE and age > SETTLED
            if not (sure or age > OLD or len(told.moves) > LONG):
                break
            side.experience.carry(told.path()[0].contents_of_all())
            beam.advance()
            side.labels = labels_of(beam.root.board)
            self._certain[side.name].append(Certain(side.told_at.pop(0), side.labels, side.shown.pop(0)))
            side.agreed = side.agreed[1:]
            side.leading = side.leading[0][1:], side.leading[1]
            certain = self._lies_open(side, told)
            side.experience.lessons.learn(side.labels, certain)
            self._certain[side.name].append(Certain(time, side.labels, certain))
        if beam.best() is not told or told.left > LEFT or time - side.learnt < QUIET:
            return
        if time - side.quiet_since > (ACCEPT if told.left else QUIET):
            side.learnt = time
            certain = self._lies_open(side, told)
            side.experience.learn(side.history.probabilities, side.labels, certain)
            side.history.settle(certain)
            self._certain[side.name].append(Certain(time, side.labels, certain))
            if told.left:
                wrong = self._never_right(side, told)
                side.experience.mistake(side.history.probabilities, told.contents_of_all(), wrong)

    @staticmethod
    def _lies_open(side: _Side, told: Line) -> NDArray[np.bool_]:
        """(64,) squares that lie open and hold what they should, and that no ply in doubt has changed."""
        certain = side.history.open & side.history.as_labelled(side.labels)
        certain[list(told.contents)] = False
        return certain

    @staticmethod
    def _never_right(side: _Side, told: Line) -> NDArray[np.bool_]:
        """(64,) squares to which men have come who have not once read as of their colour there."""
        labels = labels_of(told.board)
        wrong: NDArray[np.bool_] = side.history.open & (labels != EMPTY) & ~side.history.as_labelled(labels)
        came = {ply.moves[-1].to_square: ply.at for ply in told.path()}
        for square in np.flatnonzero(wrong).tolist():
            right = side.history.has_been(square, int(labels[square] // 6), came.get(square, -np.inf))
            wrong[square] = not right and (square in came or not side.experience.known[square])
        return wrong

    def _take_back(self, side: _Side, back: int, time: float) -> list[Ply]:
        """The last plies of a board were not played after all. Raises IllegalMoveError where others rest on them."""
        gone = [ply for ply in self.match.plies if ply.board == side.name][-back:]
        self.match = self.match.without_last(side.name, back)
        self._put_back(gone)
        for other in (other for other in self.sides.values() if other is not side):
            passed = [(not ply.color, ply.passed) for ply in gone if ply.passed is not None]
            if other.beam is not None and not all(other.beam.starve(*piece) for piece in passed):
                self._restart(other, time)
        return gone

    def _put_back(self, gone: list[Ply]) -> None:
        """The pieces of plies that were taken back are where they were."""
        for ply in gone if self.pockets else ():
            self.sides[ply.board].dropped.pop(ply.number, None)
            if ply.passed is not None:
                self.pockets[partner(ply.board, ply.color)].withdraw(ply)
            if ply.move.drop:
                self.pockets[ply.board, ply.color].put_back(ply.move.drop)

    def _account(self, ply: Ply, since: float, time: float, after: float = np.inf) -> list[Event]:
        """Move the pieces between boards and pockets that a ply moves. `after`: until when it was seen not to have been
        played."""
        if ply.passed is not None:
            name, color = partner(ply.board, ply.color)
            self.pockets[name, color].credit(ply, since, after)
            if self.sides[ply.board].history.missed_until <= after < np.inf:  # else it is not known when that was
                self.lag.capture((name, color), ply.number, ply.passed, self.shown_at(ply.board, since))
            beam = self.sides[name].beam
            if beam is not None:
                beam.feed(color, ply.passed)
        if ply.move.drop:
            pocket = self.pockets[ply.board, ply.color]
            # Who was dropped against the rules is none of those whom the record still holds.
            held = self.match.pocket(ply.board, ply.color)[ply.move.drop]
            stray = not ply.legal and held >= pocket.count(ply.move.drop)
            return pocket.take(ply.move.drop, time, since, stray)
        return []

    # what the arbiter rules

    def end(self, board: BoardName, result: str, reason: str, since: float, time: float) -> Event:
        """The match is over: `result` as in BPGN; `board`: where it ended."""
        self.sides[board].state = "ended"
        self.over = time
        winner = {"1-0": board == "A", "0-1": board == "B"}.get(result)
        return Event("end", board, since, time, winner, result=result, reason=reason)

    def pause(self) -> None:
        """Nothing that happens on the boards counts until `resume`."""
        self.paused = True

    def resume(self, time: float) -> None:
        """The match goes on from what was told."""
        self.paused = False
        self.timeline.rest()
        self._restart_all(time)

    def undo(self, board: BoardName, time: float) -> list[Event]:
        """Take back the last ply of a board, and whatever on the other could not have been played without it."""
        if not self.match.count(board):
            return []
        self.match, lost = self.match.without_dependents(board)
        self._put_back(lost)
        self._reopen(time)
        return [_event("take_back", ply, time, time) for ply in reversed(lost)]

    def set_position(self, board: BoardName, fen: str, time: float) -> list[Event]:
        """What stands on a board and in its reserves, and whose turn it is. Raises ValueError for a bad FEN."""
        self.match.set_position(board, fen)
        for name, color in self.pockets:
            if name == board:
                held = self.match.pocket(name, color)
                self.pockets[name, color] = Pocket(name, color, held=held)
        self._reopen(time)
        return [Event("position", board, time, time, None, fen=fen)]

    def choose(self, board: BoardName, number: int, time: float) -> list[Event]:
        """Tell one of the `explanations`, from 0. Raises IndexError where there is none of that number."""
        side = self.sides[board]
        beam = side.beam
        if beam is None:
            raise IndexError(number)
        line = rivals(beam)[number]
        return self._tell(side, beam, line, len(line.moves), in_common(line.moves, beam.told.moves), time)

    def _reopen(self, time: float) -> None:
        """What the arbiter has put right is played on, though it had ended."""
        self.over = None
        self.timeline.rest()  # what was held back shows the boards as they were before
        for side in self.sides.values():
            side.state = "running" if side.state == "ended" else side.state
        self._restart_all(time)

    def _restart_all(self, time: float) -> None:
        for side in self.sides.values():
            if side.beam is not None and side.state != "ended":
                self._restart(side, time)

    def _watch_pockets(self, observation: Observation) -> list[Event]:
        events = []
        unknown = self.sides[observation.board].history.missed_until + QUIET  # when what shows until then came
        for color, seen in observation.pockets.items():
            pocket = self.pockets.get((observation.board, color))
            if pocket is not None:
                awaited = self.pockets[partner(pocket.board, color)].coming
                events += pocket.look(seen, observation.time, bool(awaited))
                for slot in (slot for slot in pocket.came() if slot.since > unknown):
                    self.lag.arrive((pocket.board, color), self.shown_at(pocket.board, slot.since), slot.look)
                events += self._judge_reserve(pocket, observation.time)
                for passing, slot in pocket.arrived:
                    events += self._reconsider(passing, slot, observation.time)
                if pocket.owed and (
                    mistaken := pocket.mistaken(self._looks_dropped(observation.board, color, pocket.owed[0]))
                ):
                    events += self._mend(observation.board, color, *mistaken, observation.time)
        return events

    def _reconsider(self, passing: Passing, slot: Slot, time: float) -> list[Event]:
        """A man whom nobody saw where he was dropped, and who was taken there, has come to the partner's reserve: how
        he reads says, beside what is left where he came from, whether he is of another kind than was told."""
        capture, plies = (passing.board, passing.number, passing.kind), self.match.plies
        taken = next((n for n, p in enumerate(plies) if (p.board, p.number, p.passed) == capture), None)
        if taken is None:  # it was taken back, or a position set since
            return []
        index = dropped_at(self.match, passing.board, plies[taken].move.to_square, taken)
        if index is None:
            return []
        ply = plies[index]
        told, pocket = ply.move.drop or chess.PAWN, self.pockets[ply.board, ply.color]
        if ply.number in self.sides[ply.board].dropped or not pocket.tells():
            return []
        best, most = self.match, RETOLD
        for kind, gain in pocket.gains(told, slot.look + BLUR).items():
            if gain > most:
                try:
                    best, most = with_kind(self.match, index, kind), gain
                except IllegalMoveError:
                    continue
        events = self._put_right(best, time)
        if events:
            self._restart_all(time)
        return events

    def _looks_dropped(self, name: BoardName, color: chess.Color, told: chess.PieceType) -> NDArray[np.float64]:
        """(6,) probability of each kind for the man who was last told to be dropped as one, as he reads there."""
        drops = [ply for ply in self.match.plies if (ply.board, ply.color, ply.move.drop) == (name, color, told)]
        return np.exp(self._reads(drops[-1])) if drops else np.full(6, 1 / 6)

    def _judge_reserve(self, pocket: Pocket, time: float) -> list[Event]:
        """What has been amiss for longer than the profile tolerates."""
        profile, events = self.match.profile, list[Event]()
        astray = self.pockets[partner(pocket.board, pocket.color)].astray(time)
        amiss = pocket.amiss(astray)
        if profile.reserve == "visible":
            events = pocket.overdue(time, profile.pass_tolerance, astray)
        else:
            amiss.pop("hidden_reserve", None)
        breaches = self.breaches[pocket.board, pocket.color]
        if pocket.seen and pocket.settled:
            began = pocket.began() if amiss else {}
            found = breaches.look(amiss, pocket.doubtful(), time, profile.pass_tolerance, began)
            pocket.mark(found)
            events += found
        return events

    def _mend(
        self,
        name: BoardName,
        color: chess.Color,
        told: chess.PieceType,
        dropped: chess.PieceType,
        time: float,
    ) -> list[Event]:
        """The pocket shows that the last drop was of another kind: put it right, unless later moves forbid it."""
        plies = self.match.plies
        last = max(n for n, p in enumerate(plies) if (p.board, p.color, p.move.drop) == (name, color, told))
        try:
            self.match = with_kind(self.match, last, dropped)
        except IllegalMoveError:
            return []
        self._restart_all(time)
        return [_event("correction", self.match.plies[last], time, time)]


def _told_as(move: chess.Move, mends: bool) -> str:
    """The kind of the event for a ply. `mends`: it comes in place of one that was told."""
    return "correction" if mends else "drop" if move.drop else "move"


def _event(kind: str, ply: Ply, since: float, time: float, after: float = -np.inf) -> Event:
    """What a ply is told as. `after`: until when it was seen not to have been played."""
    event = Event(kind, ply.board, since, time, ply.color, ply.number, ply.san, ply.move.uci())  # type: ignore[arg-type]
    return replace(event, earliest=after) if 0 < after < since else event
