"""Captured pieces on their way: from the capture to the partner's pocket, where they have to turn up."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import chess
import numpy as np

from rules.events import Event
from rules.explain import Pieces
from rules.match import Ply
from rules.observation import LABELS, PocketObservation
from rules.seats import BoardName, partner

SETTLE = 0.3  # seconds a count must hold before it is believed
LATE = 10.0  # seconds after which a piece counts as not passed on
FOUND = 5.0  # nats for a capture that explains a piece already standing in the partner's pocket
WRONG = 1.0  # nats for each piece too many or too few of a kind in a pocket


@dataclass(slots=True)
class Passing:
    """A captured piece that has not been seen to arrive."""

    board: BoardName
    color: chess.Color  # the giver
    kind: chess.PieceType
    since: float
    late: bool = False


@dataclass(slots=True, eq=False)
class Pocket:
    """One player's pocket. `here`: pieces believed to stand in it; `coming`: passed, not yet seen there."""

    board: BoardName
    color: chess.Color  # the owner
    here: Counter[chess.PieceType] = field(default_factory=Counter)
    coming: list[Passing] = field(default_factory=list)
    kinds: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = field(default_factory=lambda: np.zeros((0, 6)))
    seen: bool = False
    count: int = 0
    count_since: float = -np.inf
    seen_at: float = -np.inf

    def credit(self, ply: Ply, time: float) -> None:
        """A piece was captured for this pocket."""
        assert ply.passed is not None
        self.coming.append(Passing(ply.board, ply.color, ply.passed, time))

    def take(self, kind: chess.PieceType, time: float) -> list[Event]:
        """A piece was dropped; one never seen here must have been handed over on the way."""
        if self.here[kind]:
            self.here[kind] -= 1
            return []
        fitting = next((passing for passing in self.coming if passing.kind == kind), None)
        if fitting is None:
            return []
        self.coming.remove(fitting)
        return [_hand_over(fitting, time, time)]

    def look(self, observation: PocketObservation, time: float) -> list[Event]:
        """What stands here now; pieces that arrived give events."""
        self.seen = observation.seen
        if not observation.seen:
            return []
        self.kinds, self.seen_at = _kinds(observation), time
        if len(self.kinds) != self.count:
            self.count, self.count_since = len(self.kinds), time
        if time - self.count_since < SETTLE:
            return []
        events = []
        while self.coming and self.count > self.here.total():
            arrived = self._likeliest()
            self.coming.remove(arrived)
            self.here[arrived.kind] += 1
            events.append(_hand_over(arrived, self.count_since, time))
        return events

    def overdue(self, time: float) -> list[Event]:
        """An alert for each piece that should have been here by now, once."""
        late = [passing for passing in self.coming if not passing.late and self.seen and time - passing.since > LATE]
        for passing in late:
            passing.late = True
        return [_event("alert", passing, passing.since, time, "not_passed") for passing in late]

    def surplus(self) -> int:
        """Pieces that stand here though nothing is known that would have brought them."""
        settled = self.seen and self.seen_at - self.count_since >= SETTLE
        return max(self.count - self.here.total() - len(self.coming), 0) if settled else 0

    def drop_term(self, kind: chess.PieceType) -> float:
        """Nats for or against this kind having been dropped from here."""
        if not self.seen:
            return 0.0
        expected = self.here.copy()
        expected[kind] -= 1
        return self._fit(expected) - self._fit(self.here)

    def _fit(self, expected: Counter[chess.PieceType]) -> float:
        found = self.kinds.sum(0)
        return -WRONG * float(sum(abs(found[kind - 1] - max(expected[kind], 0)) for kind in chess.PIECE_TYPES))

    def _likeliest(self) -> Passing:
        """Of the pieces on their way the one that fits best what now stands here, the oldest where none does better."""
        return max(
            self.coming, key=lambda passing: self._fit(self.here + Counter({passing.kind: 1})) - 1e-3 * passing.since
        )


class AroundBoard:
    """What the four pockets say of explanations on one board: its own two of drops, the partners' of captures."""

    def __init__(self, pockets: Mapping[tuple[BoardName, chess.Color], Pocket], board: BoardName) -> None:
        self.own = {color: pockets.get((board, color)) for color in chess.COLORS}
        self.surplus = dict.fromkeys(chess.COLORS, 0)  # by giver
        for color in chess.COLORS:
            if (pocket := pockets.get(partner(board, color))) is not None:
                self.surplus[color] = pocket.surplus()

    def term(self, dropped: Pieces, captured: Pieces) -> float:
        """See `rules.explain.Pockets`."""
        total = 0.0
        for color, kind in dropped:
            pocket = self.own[color]
            total += pocket.drop_term(kind) if pocket is not None else 0.0
        for color in chess.COLORS:
            total += FOUND * min(self.surplus[color], sum(giver == color for giver, _ in captured))
        return total

    def hope(self) -> float:
        """See `rules.explain.Pockets`."""
        return FOUND * sum(self.surplus.values())


def _kinds(observation: PocketObservation) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """(n, 6) probabilities by kind, of either colour: a pocket holds its owner's colour only."""
    found = np.exp(observation.pieces.astype(np.float64))[:, :12].reshape(-1, 2, 6).sum(1)
    return np.asarray(found / np.maximum(found.sum(1, keepdims=True), 1e-9))


def _hand_over(passing: Passing, time: float, committed: float) -> Event:
    return _event("hand_over", passing, time, committed, "")


def _event(kind: str, passing: Passing, time: float, committed: float, reason: str) -> Event:
    owner = partner(passing.board, passing.color)[1]
    letter = chess.Piece(passing.kind, owner).symbol()
    assert letter in LABELS
    return Event(
        "alert" if kind == "alert" else "hand_over",
        passing.board, time, committed, passing.color, piece=letter, reason=reason,
    )  # fmt: skip
