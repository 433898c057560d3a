"""Observations in, events out: what was played on both boards and passed between them."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from rules import retold
from rules.agreement import rivals, sans
from rules.alerts import ALERTS
from rules.amiss import Amiss
from rules.around import AroundBoard
from rules.beam import Beam
from rules.chessplies import ChessPlies
from rules.contents import exchanges
from rules.countermatch import CounterMatch
from rules.counterplies import CounterPlies, Turned
from rules.dropped import Kinds
from rules.events import Event, told_as
from rules.halves import in_halves
from rules.history import History
from rules.irregular import Illegal, TakenBack
from rules.lag import Lag, Timeline
from rules.lines import LEFT, Line, Seen, in_common
from rules.match import IllegalMoveError, Match, Ply
from rules.misread import with_kind
from rules.observation import Certain, Observation, labels_of
from rules.plies import Plies
from rules.pocket import Pocket
from rules.seats import BoardName, partner, won
from rules.side import QUIET, SETTLED, Side, State
from rules.slots import BLUR
from rules.telling import AT_LAST, CLEAR, DOUBTFUL, Telling

STUCK = 0.25  # seconds without an explanation after which what the rules forbid is thought of, too,
STUCK_HIDDEN = 0.35  # and where something is hidden,
CAUTIOUS, STUCK_MISSED = 20.0, 0.5  # or so long after nobody has looked
LOST = 3.0  # seconds without an explanation after which the search begins afresh,
LOST_SLOW = 12.0  # and where one ply takes as many
BEHIND_HANDS = 10.0  # seconds before it is seen that a capture may have been played, at most
GRACE = 2.0  # seconds the other board is still read after a mate


class Tracker:
    """Follows one match, from before its first ply. Time comes from the observations, which are in order of time."""

    def __init__(self, match: Match | CounterMatch | None = None, lag: Lag | None = None) -> None:
        """`lag`: as another tracker has found it."""
        self.match: Any = match or Match()
        self.counters = isinstance(self.match, CounterMatch)
        self.plies: Plies = ChessPlies(self.match.game == "crazyhouse")
        if self.counters:
            self.plies = CounterPlies()
        self.sides = {name: Side(name, self.match.profile) for name in self.match.boards}
        self.pockets = {
            (name, color): Pocket(name, color, held=self.match.pocket(name, color))
            for name in (self.match.boards if self.match.game == "bughouse" else ())
            for color in chess.COLORS
        }
        self.amiss = Amiss(self.pockets, self.match.profile)
        self.paused = False
        self.over: float | None = None  # when the match was decided
        self.unheld: list[tuple[Event, Ply]] = []  # drops of men whom nobody held, and the alerts of them
        self.lag, self.timeline = lag or Lag(), Timeline()
        self.telling = Telling(self.sides, self.pockets)

    def state(self, board: BoardName) -> State:
        """What a person should be told about this board."""
        state = self.sides[board].state
        return "paused" if self.paused and state != "ended" else state

    def amiss_at_start(self, board: BoardName) -> dict[str, tuple[str, str]]:
        """While it waits for the start: what should stand on a square and what is seen, as `Start.amiss` tells."""
        return self.sides[board].start.amiss(labels_of(self.match.board(board)))

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
        side = self.sides[board]
        found, side.certain = side.certain, []
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
        hidden = STUCK_HIDDEN
        if time - side.history.missed_until < CAUTIOUS:
            hidden, side.puzzling = STUCK_MISSED, chess.BB_EMPTY
        stuck = STUCK if side.history.seen == chess.BB_ALL else hidden
        riddle = time - side.solved
        side.beam.think(AroundBoard(self.pockets, side.name), riddle > stuck and not side.history.missed, riddle)
        events += self._decide(side, side.beam, time)
        side.settle(side.beam, time)
        if self.pockets:  # else nobody sits beside
            side.dropped.look(self.match, side.history)
            events += self._retell(side, time)
            events += side.hands.look(observation, events)
            events += side.presses.look(observation, events, side.beam.surely)
        return events if self.counters else events + self._watch_men(side, observation)

    def _retell(self, side: Side, time: float) -> list[Event]:
        """Who goes on reading as of another kind than was told when he was dropped was one, if all reads better so."""
        for ply in side.dropped.contrary(time, all(pocket.tells() for pocket in self.pockets.values())):
            if events := self._begin_right(retold.by_looks(self.match, ply, self._reads, self.pockets), time):
                return events
        return []

    def _reads(self, ply: Ply) -> Kinds:
        """How the man of a drop reads, where he was dropped."""
        return self.sides[ply.board].dropped.reads(ply)

    def _looks(self, ply: Ply, square: chess.Square | None) -> Kinds:
        """How the man of a drop looks who stands on a square now, or looked where he was dropped."""
        side = self.sides[ply.board]
        if square is not None and side.history.open[square]:
            return np.asarray(side.history.kinds()[square])
        return side.dropped.looks.get(ply.number, np.zeros(6))

    def _watch_men(self, side: Side, observation: Observation) -> list[Event]:
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

    def _wait_for_start(self, side: Side, observation: Observation) -> list[Event]:
        time, board = observation.time, self.match.board(side.name)
        if side.start.look(observation, labels_of(board)):
            self._restart(side, time)
            side.state, side.calm_since = "ready", time
            return []
        moves, since = side.start.played(partial(self.plies.meanwhile, board), time)
        events = []
        for move in moves:
            ply = self.match.push(side.name, move)
            events.append(Event.of(told_as(move, False), ply, since, time))
            if self.pockets:
                events += self._account(ply, since, time)
        return events

    def _restart(self, side: Side, time: float) -> None:
        """Nothing that was told on this board is in doubt any more."""
        board = self.match.board(side.name)
        played = -np.inf
        if side.beam is not None:
            side.experience.carry(side.beam.told.contents_of_all())
            sightings = side.beam.sightings
            played = max([sightings.played, *(after for _, after in sightings.seen(side.beam.told, time))])
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

    def _decide(self, side: Side, beam: Beam, time: float, gain: float = CLEAR) -> list[Event]:
        """Tell the plies that all good lines agree upon. `gain`: nats they must gain over what was told."""
        best = beam.leading()
        ready = self.telling.ready(side, beam, best, time, gain)
        return self._doubt(side, beam, best, time) if ready is None else self._tell(side, beam, best, *ready, time)

    def _doubt(self, side: Side, beam: Beam, best: Line, time: float) -> list[Event]:
        """What is hidden may explain the rest: doubt begins where all is seen."""
        everything = side.history.seen == chess.BB_ALL
        doubtful = time - side.calm_since > ALERTS["unsure"].delay and side.state in ("ready", "running") and everything
        if doubtful and not (best is beam.told and side.misread_alone(best)):
            side.state, side.unsure_since = "unsure", side.calm_since
            return [Event("alert", side.name, side.calm_since, time, beam.told.board.turn, reason="unsure")]
        if side.state == "unsure" and best.left <= LEFT and everything and time - side.began > SETTLED:
            return self._sure_again(side, time)
        if time - max(side.calm_since, side.began) > (LOST_SLOW if self.plies.slow else LOST):
            self._restart(side, time)  # what misled it may be over: look at the board as it stands
        return []

    @staticmethod
    def _sure_again(side: Side, time: float) -> list[Event]:
        """What the board shows is explained; an alert that it was not is withdrawn."""
        unsure, side.state = side.state == "unsure", "running"
        return [Event("withdrawn", side.name, side.unsure_since, time, None, reason="unsure")] if unsure else []

    def _tell(self, side: Side, beam: Beam, best: Line, ready: int, common: int, time: float) -> list[Event]:
        """Tell the first plies of a line, after those in common with what was told before, which it may mend."""
        path = best.path()[:ready]
        back = len(beam.told.moves) - common
        gone, events, unwatched = list[Ply](), list[Event](), list[Event]()
        if back:
            try:
                gone = self._take_back(side, back, time)
            except IllegalMoveError:  # a drop on the other board needs what they passed
                return self._tell_instead(side, beam, best, common, time)
            side.told_at, side.shown = side.told_at[:common], side.shown[:common]
        irregular = next((n for n, line in enumerate(path) if isinstance(line.moves[-1], Illegal | TakenBack)), None)
        if irregular is not None:
            path = path[: irregular + 1]
        # What is mended is told anew, ply by ply; what is left over was not played.
        events += [Event.of("take_back", ply, time, time) for ply in reversed(gone[len(path) - common :])]
        beam.tell(path[-1], AroundBoard(self.pockets, side.name))
        seen = beam.sightings.seen(best, time)[common:]
        for number, (line, (since, after)) in enumerate(zip(path[common:], seen, strict=False)):
            try:
                if isinstance(line.moves[-1], Illegal | TakenBack):
                    events += self._tell_irregular(side, line, (since, after), time, number < back)
                    break
                ply = self.match.push(side.name, line.moves[-1])
            except IllegalMoveError:  # what was mended on the other board meanwhile forbids it
                self._restart(side, time)
                return events
            events.append(Event.of(told_as(ply.move, number < back), ply, since, time, after))
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

    def _tell_instead(self, side: Side, beam: Beam, best: Line, common: int, time: float) -> list[Event]:
        """Mend plies of one board, on which some of the other rest, by as many in their place that drop the same."""
        told = len(beam.told.moves)
        path, moves = best.path()[common:told], best.moves[common:told]
        gone = [ply for ply in self.match.plies if ply.board == side.name][common - told :]
        irregular = any(isinstance(move, Illegal | TakenBack) for move in moves)
        if irregular or [move.drop for move in moves] != [ply.move.drop for ply in gone]:
            return []
        try:
            self.match = self.match.instead(side.name, moves)
        except IllegalMoveError:
            return []
        new = [ply for ply in self.match.plies if ply.board == side.name][common - told :]
        beam.tell(path[-1], AroundBoard(self.pockets, side.name))
        seen = beam.sightings.seen(best, time)[common:told]
        events = [
            Event.of("correction", ply, since, time, after) for ply, (since, after) in zip(new, seen, strict=True)
        ]
        # What both pass on has been passed on, whichever ply it was.
        self._withdraw(side, _beyond(gone, new), time)
        for ply in _beyond(new, gone):
            since, after = seen[new.index(ply)]
            events += self._account(ply, since, time, after)
        side.told_at[common:] = [time] * len(new)
        side.shown[common:] = [side.history.open & side.history.as_labelled(labels_of(line.board)) for line in path]
        side.calm_since = side.quiet_since = time
        return events

    @staticmethod
    def _unwatched(side: Side, told: list[Event], time: float) -> list[Event]:
        """Where several plies may have been played while nobody looked, others may have led to the same: each of them
        is named."""
        before, side.unwatched = len(side.unwatched), side.unwatched + told
        if not told or len(side.unwatched) < 2:
            return []
        named = told if before > 1 else side.unwatched
        first, sans = named[0], " ".join(event.san for event in named)
        since = first.earliest or first.time
        return [Event("alert", side.name, since, time, None, first.ply, sans, reason="unwatched")]

    def _tell_irregular(self, side: Side, line: Line, seen: Seen, time: float, mends: bool) -> list[Event]:
        """A ply that the rules forbid stands on the board until the arbiter rules or it is taken back. `mends`: it
        comes in place of one that was told."""
        move, name, (since, after) = line.moves[-1], side.name, seen
        if isinstance(move, Illegal) and self.pockets and (mended := self._misread(name, move, time)):
            ply = self.match.push(name, move.plain())
            told = Event.of(told_as(move, mends), ply, since, time, after)
            events = [*mended, told, *self._account(ply, since, time, line.after)]
            self._restart_all(time)
            return events
        last = next((ply for ply in reversed(self.match.plies) if ply.board == name), None)
        if isinstance(move, TakenBack | Turned):
            assert last is not None
            self._take_back(side, 1, time, since)
        if isinstance(move, TakenBack):
            assert last is not None
            events = [Event.of("take_back", last, since, time)]
            if last.legal:
                events.append(replace(events[0], kind="alert", reason="take_back"))
        else:
            ply, kind, rule = self.plies.force(self.match, name, move)
            again = isinstance(move, Turned)
            events = [Event.of(told_as(move, again or mends), ply, since, time, after)]
            if again and side.about is not None and side.about.ply == ply.number:
                events.append(replace(side.about, kind="withdrawn", committed=time))
            side.about = replace(events[0], kind="alert", reason=kind, rule=rule) if kind else None
            if side.about is not None:
                events.append(side.about)
                if kind == "drop_not_held":
                    self.unheld.append((side.about, ply))
            if self.pockets:
                events += self._account(ply, since, time, line.after)
        self._restart(side, time)
        return events

    def _misread(self, name: BoardName, move: Illegal, time: float) -> list[Event]:
        """A ply against the rules shows that a piece was of another kind than was told when it was dropped: the record
        is put right. Nothing where the looks of the piece say otherwise."""
        return self._put_right(retold.by_move(self.match, name, move, self._looks, self.pockets), time)

    def _put_right(self, match: Match, time: float) -> list[Event]:
        """Tell what is otherwise in another match of as many plies, and let the pockets know."""
        if match is self.match:
            return []
        changed = [
            (told, ply)
            for told, ply in zip(self.match.plies, match.plies, strict=True)
            if (told.move, told.san, told.passed) != (ply.move, ply.san, ply.passed)
        ]
        events = [Event.of("correction", ply, time, time) for _, ply in changed]
        dropped = {(ply.board, ply.color) for told, ply in changed if told.move.drop != ply.move.drop}
        for player, pocket in self.pockets.items():
            for before, kind in exchanges(self.match.pocket(*player), match.pocket(*player)):
                if player in dropped and not pocket.held[before]:
                    events += pocket.dropped_straight(before, kind, time)
                else:
                    pocket.exchange(before, kind)
        self.match = match
        return events

    def _begin_right(self, match: Match, time: float) -> list[Event]:
        """Put the record right, and begin anew where it was not."""
        if events := self._put_right(match, time):
            self._restart_all(time)
        return events

    def _take_back(self, side: Side, back: int, time: float, since: float | None = None) -> list[Ply]:
        """The last plies of a board were taken back, `since` then, or not played after all. Raises IllegalMoveError
        where others rest on them."""
        gone = [ply for ply in self.match.plies if ply.board == side.name][-back:]
        self.match = self.match.without_last(side.name, back)
        self._withdraw(side, gone, time, since)
        return gone

    def _withdraw(self, side: Side, gone: list[Ply], time: float, since: float | None = None) -> None:
        """The pieces that such plies moved between boards and pockets are where they were."""
        self._put_back(gone, since)
        for other in (other for other in self.sides.values() if other is not side):
            passed = [(not ply.color, ply.passed) for ply in gone if ply.passed is not None]
            if other.beam is not None and not all(other.beam.starve(*piece) for piece in passed):
                self._restart(other, time)

    def _put_back(self, gone: list[Ply], since: float | None = None) -> None:
        """The pieces of plies that were taken back are where they were: `since` then, or all the time."""
        for ply in gone if self.pockets else ():
            self.sides[ply.board].dropped.looks.pop(ply.number, None)
            if ply.passed is not None:
                self.pockets[partner(ply.board, ply.color)].withdraw(ply)
            if ply.move.drop:
                self.pockets[ply.board, ply.color].put_back(ply.move.drop, since)

    def _account(self, ply: Ply, since: float, time: float, after: float = np.inf) -> list[Event]:
        """Move the pieces between boards and pockets that a ply moves. `after`: until when it was seen not to have been
        played."""
        if ply.passed is not None:
            name, color = partner(ply.board, ply.color)
            self.pockets[name, color].credit(ply, since, after)
            if self.sides[ply.board].history.missed_until <= after < np.inf:  # else it is not known when that was
                self.lag.capture((name, color), ply.number, ply.passed, self.shown_at(ply.board, since))
            if held := self._held_after_all(self.pockets[name, color], ply.passed, time):
                return held  # his board's lines have begun anew
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

    def _held_after_all(self, pocket: Pocket, kind: chess.PieceType, time: float) -> list[Event]:
        """Where the last capture shows that a man who was dropped against the rules had been taken before: the alert is
        withdrawn."""
        if not pocket.never[kind] or not pocket.coming or pocket.coming[-1].kind != kind:
            return []
        taken = max(pocket.coming[-1].earliest, pocket.coming[-1].since - BEHIND_HANDS)
        for alert, drop in self.unheld:
            theirs = (drop.board, drop.color, drop.move.drop) == (pocket.board, pocket.color, kind)
            match = retold.by_capture(self.match, drop) if theirs and alert.time > taken else self.match
            if match is not self.match:
                self.match = match
                self.unheld.remove((alert, drop))
                self._restart(self.sides[pocket.board], time)
                return [*pocket.dropped_before(kind, time), replace(alert, kind="withdrawn", committed=time)]
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
        return [Event.of("take_back", ply, time, time) for ply in reversed(lost)]

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
        pockets = {color: pocket for (name, color), pocket in self.pockets.items() if name == observation.board}
        giving = {color: self.pockets[partner(observation.board, color)].coming for color in pockets}
        kinds = {color: {passing.kind for passing in coming} for color, coming in giving.items()}
        for color, seen in in_halves(observation.pockets, pockets, kinds).items():
            pocket = pockets.get(color)
            if pocket is not None:
                coming = giving[color]
                awaited = min((passing.begins for passing in coming), default=np.inf)
                kinds_on_time = {passing.kind for passing in coming if not passing.late}
                neighbour = pockets.get(not color)
                beside = (*neighbour.slots, *neighbour.newcomers) if neighbour else ()
                events += pocket.look(seen, observation.time, awaited, kinds_on_time, beside)
                for slot in (slot for slot in pocket.came() if slot.since > unknown):
                    self.lag.arrive((pocket.board, color), self.shown_at(pocket.board, slot.since), slot.look)
                events += self.amiss.look(pocket, observation.time)
                if known := pocket.known(observation.time):
                    side = self.sides[observation.board]
                    side.certain.append(Certain(observation.time, side.labels, np.zeros(64, np.bool_), tuple(known)))
                for passing, slot in pocket.arrived:
                    match = retold.by_arrival(self.match, passing, slot.look + BLUR, self._unseen, self.pockets)
                    events += self._begin_right(match, observation.time)
                if pocket.owed and (
                    mistaken := pocket.mistaken(self._looks_dropped(observation.board, color, pocket.owed[0]))
                ):
                    events += self._mend(observation.board, color, *mistaken, observation.time)
        return events

    def _unseen(self, ply: Ply) -> bool:
        """Whether nobody has seen the man of a drop where he was dropped."""
        return ply.number not in self.sides[ply.board].dropped.looks

    def _looks_dropped(self, name: BoardName, color: chess.Color, told: chess.PieceType) -> NDArray[np.float64]:
        """(6,) probability of each kind for the man who was last told to be dropped as one, as he reads there."""
        drops = [ply for ply in self.match.plies if (ply.board, ply.color, ply.move.drop) == (name, color, told)]
        return np.exp(self._reads(drops[-1])) if drops else np.full(6, 1 / 6)

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
            match = with_kind(self.match, last, dropped)
        except IllegalMoveError:
            return []
        return self._begin_right(match, time)


def _beyond(plies: list[Ply], others: list[Ply]) -> list[Ply]:
    """Of some plies those that pass on what others do not."""
    found, more = list[Ply](), _passed(plies) - _passed(others)
    for ply in plies:
        if more[ply.color, ply.passed]:
            more[ply.color, ply.passed] -= 1
            found.append(ply)
    return found


def _passed(plies: list[Ply]) -> Counter[tuple[chess.Color, chess.PieceType | None]]:
    """What plies pass on, and by whom."""
    return Counter((ply.color, ply.passed) for ply in plies if ply.passed)
