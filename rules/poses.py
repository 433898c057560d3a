"""How the men on one board stand: what has fallen, and what was promoted and does not lie."""

from collections.abc import Iterator

import chess

from rules.alerts import ALERTS
from rules.breaches import OVER, Breach
from rules.events import Event
from rules.observation import LABELS, Observation
from rules.profile import Profile
from rules.seats import BoardName


class Poses:
    """Watches one board."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name, self.profile = name, profile
        self.found: dict[tuple[str, chess.Square], Breach] = {}

    def look(self, observation: Observation, board: chess.Board) -> list[Event]:
        """The alerts that this look raises or withdraws. `board`: what is known to stand there."""
        time, events = observation.time, []
        amiss = dict.fromkeys(self._amiss(observation, board))
        for key in amiss:
            breach = self.found.setdefault(key, Breach(time, time))
            breach.last = time
            if not breach.told and time - breach.since >= ALERTS[key[0]].delay:
                breach.told = True
                events.append(self._event("alert", *key, breach.since, time, board))
        for key, breach in list(self.found.items()):
            # What a hand hides is neither so nor otherwise.
            if key not in amiss and observation.seen[key[1]] and time - breach.last > (OVER if breach.told else 0.0):
                del self.found[key]
                if breach.told:
                    events.append(self._event("withdrawn", *key, breach.since, time, board))
        return events

    def _amiss(self, observation: Observation, board: chess.Board) -> Iterator[tuple[str, chess.Square]]:
        lying = observation.lying > 0
        marked = self.profile.promotion == "lying_pawn" and self.profile.promotion_lies
        read = observation.squares.argmax(1)
        for square in chess.scan_forward(board.occupied):
            if not observation.seen[square] or LABELS[read[square]] == ".":
                continue
            promoted = bool(board.promoted >> square & 1)
            if lying[square] and not (promoted and self.profile.promotion_lies):
                pawn = board.piece_type_at(square) == chess.PAWN
                yield ("lying_pawn" if pawn else "fallen"), square
            elif promoted and marked and not lying[square]:
                pawn = LABELS[read[square]].upper() == "P"
                yield ("promotion_unmarked" if pawn else "substitution"), square

    def _event(
        self, kind: str, reason: str, square: chess.Square, since: float, time: float, board: chess.Board
    ) -> Event:
        piece = board.piece_at(square)
        return Event(
            "alert" if kind == "alert" else "withdrawn",
            self.name, since, time, piece.color if piece else None,
            piece=piece.symbol() if piece else "", square=chess.square_name(square), reason=reason,
        )  # fmt: skip
