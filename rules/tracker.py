"""Observations in, events out: what was played on both boards and passed between them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import chess
import numpy as np
from numpy.typing import NDArray

from rules.alerts import ALERTS
from rules.cameras import Camera
from rules.events import Event
from rules.evidence import Evidence, Experience, Origins, weigh
from rules.explain import Explanation, changed_by, explain, moved
from rules.match import IllegalMoveError, Match, Ply
from rules.observation import LABELS, Observation, as_expected, labels_of
from rules.passing import AroundBoard, Pocket
from rules.seats import BoardName, partner, won

State = Literal["waiting", "running", "unsure", "ended"]

HOLD = 0.15  # seconds an explanation must stay the best
DOUBTFUL = 1.0  # and where it leaves something unexplained
STEADY = 0.1  # seconds a square must have read alike to be remembered when it is hidden again
MEMORY = 2.0  # seconds for which it is
PATIENCE = 1.2  # seconds after which the best explanation is taken though others come near
CLEAR = 1.5  # nats it must gain over "nothing happened"
MARGIN = 1.5  # nats by which it must beat those that disagree
AGAIN = 0.09  # seconds between two searches on a board, at least
STUCK = 0.6  # seconds without an explanation after which plies are taken back to find one
LOST = 2.0  # seconds between two tries where it has lasted
LEFT = 4.0  # nats unexplained from which something is unexplained
QUIET = 0.5  # seconds without change after which squares are learnt from
ACCEPT = 2.0  # seconds after which a small difference that no move explains is taken for the piece's look
GRACE = 2.0  # seconds the other board is still read after a mate


@dataclass(slots=True, eq=False)
class _Side:
    """One board's running state."""

    name: BoardName
    camera: Camera = field(default_factory=Camera)
    experience: Experience = field(default_factory=Experience)
    state: State = "waiting"
    probabilities: NDArray[np.float64] = field(default_factory=lambda: np.full((64, len(LABELS)), 1 / len(LABELS)))
    seen: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(64, np.bool_))
    seen_at: NDArray[np.float64] = field(default_factory=lambda: np.full(64, -np.inf))
    alike_since: NDArray[np.float64] = field(default_factory=lambda: np.full(64, np.inf))  # read as the same label
    stale: bool = True  # something changed since the last search
    best: tuple[int, tuple[chess.Move, ...]] = (0, ())  # plies back and moves of the explanation that leads
    best_since: float = 0.0
    lead_since: float = 0.0  # since when the best explanation begins with the same move, agreed upon or not
    last: Explanation | None = None
    calm_since: float = 0.0  # since when nothing is unexplained
    quiet_since: float = 0.0  # since when nothing at all has changed
    learnt: float = -np.inf
    searched: float = -np.inf

    def look(self, observation: Observation) -> None:
        """Keep what is seen; what is hidden keeps its last reading."""
        found = np.exp(observation.squares.astype(np.float64))
        found /= found.sum(1, keepdims=True)
        seen = observation.seen
        if not np.array_equal(seen, self.seen) or not np.array_equal(found[seen], self.probabilities[seen]):
            self.stale = True
        same = found.argmax(1) == self.probabilities.argmax(1)
        goes_on = seen & same & (self.seen_at > -np.inf)
        self.alike_since = np.where(seen & ~goes_on, observation.time, self.alike_since)
        self.probabilities[seen] = found[seen]
        self.seen_at[seen] = observation.time
        self.seen = seen

    def remembered(self, time: float) -> NDArray[np.bool_]:
        """(64,) squares hidden now of which the last reading was steady and is not old."""
        steady = self.seen_at - self.alike_since >= STEADY
        return ~self.seen & steady & (time - self.seen_at < MEMORY)


class Tracker:
    """Follows one match, from before its first ply. Time comes from the observations, which are in order of time."""

    def __init__(self, match: Match | None = None) -> None:
        self.match = match or Match()
        self.sides = {name: _Side(name) for name in self.match.boards}
        self.pockets = {
            (name, color): Pocket(name, color)
            for name in (self.match.boards if self.match.game == "bughouse" else ())
            for color in chess.COLORS
        }
        self.over: float | None = None  # when the match was decided

    def state(self, board: BoardName) -> State:
        """What a person should be told about this board."""
        return self.sides[board].state

    def update(self, observation: Observation) -> list[Event]:
        """Take in one look; what became certain by it."""
        side, time = self.sides[observation.board], observation.time
        if side.state == "ended" or (self.over is not None and time > self.over + GRACE):
            return []
        events = side.camera.look(observation)
        if observation.camera != "steady":
            return events
        side.look(observation)
        if side.state == "waiting":
            self._wait_for_start(side, time)
            return events
        events += self._watch_pockets(observation)
        evidence = self._weigh(side, time)
        if evidence.changed:
            side.quiet_since = time
            events += self._search(side, evidence, time)
        else:
            side.best, side.last, side.calm_since = (0, ()), None, time
            if side.state == "unsure":
                side.state = "running"
            if time - side.quiet_since > QUIET:
                self._learn(side, time)
        return events

    def finish(self, time: float) -> list[Event]:
        """The sources have ended: nothing that is still uncertain becomes a move."""
        del time
        return []

    def _wait_for_start(self, side: _Side, time: float) -> None:
        labels = labels_of(self.match.board(side.name))
        certain = as_expected(side.probabilities, labels, side.seen)
        if certain is not None:
            side.state, side.calm_since, side.quiet_since = "running", time, time
            for _ in range(6):  # these 64 squares are certain: learn them thoroughly
                side.experience.learn(side.probabilities, labels, certain)

    def _weigh(self, side: _Side, time: float) -> Evidence:
        board = self.match.board(side.name)
        return weigh(side.probabilities, side.seen, side.remembered(time), board, side.experience)

    def _learn(self, side: _Side, time: float) -> None:
        if time - side.learnt > QUIET:
            side.learnt = time
            side.experience.learn(side.probabilities, labels_of(self.match.board(side.name)), side.seen)

    def _search(self, side: _Side, evidence: Evidence, time: float) -> list[Event]:
        if side.stale and time - side.searched >= (AGAIN if side.state == "running" else LOST / 2):
            side.stale, side.searched = False, time
            self._think(side, evidence, time)
        leader = side.last
        if leader is None:
            return []
        left = evidence.unexplained(leader.board, leader.origins)
        if left <= LEFT:
            side.calm_since = time
        back, moves = side.best
        held = time - side.best_since
        if not leader.moves and left <= LEFT and held > ACCEPT:
            self._learn(side, time)  # a piece that reads a little otherwise where it stands now
        if not moves and time - side.lead_since > PATIENCE and left <= LEFT and leader.gain >= CLEAR:
            moves = leader.moves[: max(back, 1)]
        enough = HOLD if left <= LEFT else DOUBTFUL
        if (
            len(moves) >= max(back, 1)
            and held >= enough
            and _visible(self._before(side.name, back), moves, evidence.seen)
        ):
            return self._commit(side, back, moves, time)
        if time - side.calm_since > STUCK and time - side.searched > (LOST if side.state == "unsure" else STUCK):
            side.stale = True
        # What is hidden may explain the rest: doubt begins where all is seen.
        if time - side.calm_since > ALERTS["unsure"].delay and side.state == "running" and not evidence.hidden:
            side.state = "unsure"
            turn = self.match.board(side.name).turn
            return [Event("alert", side.name, side.calm_since, time, turn, reason="unsure")]
        return []

    def _think(self, side: _Side, evidence: Evidence, time: float) -> None:
        """Find the explanations; note which moves they agree on, and since when."""
        found = explain(self.match.board(side.name), evidence, AroundBoard(self.pockets, side.name))
        if time - side.calm_since > STUCK and evidence.unexplained(found[0].board, found[0].origins) > LEFT:
            found = self._look_back(side, evidence, found)
        if side.last is None or found[0].moves[:1] != side.last.moves[:1] or found[0].back != side.last.back:
            side.lead_since = time
        agreed = _agreed(found) if found[0].gain >= CLEAR else ()
        if agreed[:1] != side.best[1][:1] or found[0].back != side.best[0] or side.last is None:
            side.best_since = time
        side.last, side.best = found[0], (found[0].back, agreed)

    def _look_back(self, side: _Side, evidence: Evidence, found: list[Explanation]) -> list[Explanation]:
        """Explanations that take back what was committed last: it may not have been what was meant."""
        for back in (1, 2):
            try:
                earlier = self.match.without_last(side.name, back)
            except IllegalMoveError:
                break
            board = earlier.board(side.name)
            gone = [ply.move for ply in self.match.plies if ply.board == side.name][-back:]
            found = found + explain(
                board, evidence, AroundBoard(self.pockets, side.name), back, _origins_back(board, gone)
            )
        return sorted(found, key=lambda explanation: -explanation.gain)

    def _before(self, name: BoardName, back: int) -> chess.Board:
        return (self.match.without_last(name, back) if back else self.match).board(name)

    def _commit(self, side: _Side, back: int, moves: Sequence[chess.Move], time: float) -> list[Event]:
        events: list[Event] = []
        since = side.best_since
        if back:
            self._take_back(side, back)
        for number, move in enumerate(moves):
            board = self.match.board(side.name)
            side.experience.carry(moved({}, board, move))
            ply = self.match.push(side.name, move)
            kind = "drop" if move.drop else "move"
            if number < back:
                kind = "correction"
            events.append(_event(kind, ply, since, time))
            if self.pockets:
                events += self._account(ply, time)
        side.best, side.last, side.calm_since, side.quiet_since = (0, ()), None, time, time
        side.state = "running"
        for other in self.sides.values():
            other.stale = True
        if self.match.is_mate(side.name):
            events.append(self._end(side, time))
        return events

    def _take_back(self, side: _Side, back: int) -> None:
        gone = [ply for ply in self.match.plies if ply.board == side.name][-back:]
        self.match = self.match.without_last(side.name, back)
        side.experience.known[:] = False  # whose past is whose is not certain now
        for ply in gone:
            if not self.pockets:
                continue
            if ply.passed is not None:
                pocket = self.pockets[partner(ply.board, ply.color)]
                fitting = [p for p in pocket.coming if p.kind == ply.passed and p.color == ply.color]
                if fitting:
                    pocket.coming.remove(fitting[-1])
            if ply.move.drop:
                self.pockets[ply.board, ply.color].put_back(ply.move.drop)

    def _account(self, ply: Ply, time: float) -> list[Event]:
        """Move the pieces between boards and pockets that a ply moves."""
        if ply.passed is not None:
            self.pockets[partner(ply.board, ply.color)].credit(ply, time)
        if ply.move.drop:
            return self.pockets[ply.board, ply.color].take(ply.move.drop, time)
        return []

    def _end(self, side: _Side, time: float) -> Event:
        winner = not self.match.board(side.name).turn
        side.state = "ended"
        self.over = time
        return Event("end", side.name, time, time, winner, result=won(side.name, winner), reason="checkmate")

    def _watch_pockets(self, observation: Observation) -> list[Event]:
        events = []
        for color, seen in observation.pockets.items():
            pocket = self.pockets.get((observation.board, color))
            if pocket is not None:
                events += pocket.look(seen, observation.time)
                if self.match.profile.reserve == "visible":
                    events += pocket.overdue(observation.time, self.match.profile.pass_tolerance)
                if mistaken := pocket.mistaken():
                    events += self._mend(observation.board, color, *mistaken, observation.time)
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
        square = plies[last].move.to_square
        moves = [(ply.board, ply.move) for ply in plies]
        moves[last] = (name, chess.Move(square, square, drop=dropped))
        try:
            self.match = self.match.replay(moves)
        except IllegalMoveError:
            return []
        for side in self.sides.values():
            side.stale = True
        return [_event("correction", self.match.plies[last], time, time)]


def _agreed(found: list[Explanation]) -> tuple[chess.Move, ...]:
    """The first moves that all explanations near the best have in common."""
    best = found[0]
    near = [other for other in found if other.gain > best.gain - MARGIN]
    if any(other.back != best.back for other in near):
        return ()
    agreed = []
    for step in zip(*(other.moves for other in near), strict=False):
        if any(move != step[0] for move in step):
            break
        agreed.append(step[0])
    return tuple(agreed)


def _origins_back(board: chess.Board, moves: Sequence[chess.Move]) -> Origins:
    """For the position before `moves`: where its pieces stand after them, by the squares they changed."""
    replay = board.copy(stack=False)
    now: Origins = {}
    for move in moves:
        now = moved(now, replay, move)
        replay.push(move)
    stands: Origins = dict.fromkeys(now)
    for square, origin in now.items():
        if origin is not None:
            stands[origin] = square
    return stands


def _visible(board: chess.Board, moves: Sequence[chess.Move], seen: chess.Bitboard) -> bool:
    """Whether every square these moves change can be seen."""
    board = board.copy(stack=False)
    squares = 0
    for move in moves:
        squares |= changed_by(board, move)
        board.push(move)
    return not squares & ~seen


def _event(kind: str, ply: Ply, since: float, time: float) -> Event:
    return Event(kind, ply.board, since, time, ply.color, ply.number, ply.san, ply.move.uci())  # type: ignore[arg-type]
