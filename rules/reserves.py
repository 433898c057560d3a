"""What stands in the reserve areas against what must be in them. It never changes the record."""

from collections import Counter
from dataclasses import dataclass, field

import chess

from rules.match import Match
from rules.reports import ReserveSeen
from rules.seats import Player, partner, seat
from rules.verdict import Verdict, verdict


@dataclass(slots=True)
class Coming:
    """A captured man on its way. `turn_began`: the giver was on move again since. `told`: already reported."""

    kind: chess.PieceType
    since: float
    turn_began: bool = False
    told: bool = False


@dataclass(slots=True)
class Reserve:
    """One player's reserve. `seen`: its own men as last seen, None before; `odd`: since when what is amiss is so."""

    coming: list[Coming] = field(default_factory=list)
    seen: Counter[chess.PieceType] | None = None
    foreign: Counter[chess.PieceType] = field(default_factory=Counter)
    odd: dict[tuple[str, chess.PieceType], float] = field(default_factory=dict)
    told: set[tuple[str, chess.PieceType]] = field(default_factory=set)


class ReserveWatch:
    """Compares the four reserves with the match."""

    def __init__(self) -> None:
        self.reserves: dict[Player, Reserve] = {}

    def of(self, player: Player) -> Reserve:
        """A player's reserve as it was last seen."""
        return self.reserves.setdefault(player, Reserve())

    def captured(self, giver: Player, kind: chess.PieceType, time: float) -> None:
        """A man was taken for the giver's partner."""
        self.of(partner(*giver)).coming.append(Coming(kind, time))

    def handed_over(self, match: Match, giver: Player, kind: chess.PieceType) -> bool:
        """A man was put into the partner's reserve; False if no such man was on its way."""
        self._settle(match)
        coming = self.of(partner(*giver)).coming
        man = next((man for man in coming if man.kind == kind), None)
        if man is not None:
            coming.remove(man)
        return man is not None

    def _settle(self, match: Match) -> None:
        """Who was dropped already, or whose capture was taken back, is not on its way any more."""
        for player, reserve in self.reserves.items():
            held = match.pocket(*player)
            for kind in chess.PIECE_TYPES:
                waiting = [man for man in reserve.coming if man.kind == kind]
                for man in waiting[: max(len(waiting) - held[kind], 0)]:
                    reserve.coming.remove(man)

    def turn(self, match: Match, player: Player) -> list[Verdict]:
        """A player's turn begins: by then, some rule, what he took has to have been passed on."""
        self._settle(match)
        late = [man for man in self.of(partner(*player)).coming if not man.turn_began]
        for man in late:
            man.turn_began = True
        if match.profile.pass_by != "next_turn":
            return []
        return [self._passing(match, "passed_late", player, man) for man in late]

    def look(self, match: Match, report: ReserveSeen) -> list[Verdict]:
        """What stands in a reserve now; what is amiss is told once it has lasted longer than the tolerance."""
        player = report.board, report.color
        reserve = self.of(player)
        reserve.seen = Counter(man.piece_type for man in report.men if man.color == report.color)
        reserve.foreign = Counter(man.piece_type for man in report.men if man.color != report.color)
        missing = match.pocket(*player) - reserve.seen
        for kind in chess.PIECE_TYPES:
            waiting = [man for man in reserve.coming if man.kind == kind]
            for man in waiting[: max(len(waiting) - missing[kind], 0)]:
                reserve.coming.remove(man)
        found = self.overdue(match, report.time)
        if not report.visible and match.profile.reserve == "visible":
            found.append(verdict(match.profile, "FLAG", "reserve_unseen", seat=seat(*player)))
        return found

    def overdue(self, match: Match, time: float) -> list[Verdict]:
        """What has been amiss for longer than the tolerance, each once."""
        self._settle(match)
        found = []
        for player, reserve in self.reserves.items():
            found += self._not_passed(match, player, reserve, time)
            found += self._amiss(match, player, reserve, time)
        return found

    def _not_passed(self, match: Match, player: Player, reserve: Reserve, time: float) -> list[Verdict]:
        if reserve.seen is None or match.profile.reserve != "visible":
            return []
        late = [man for man in reserve.coming if not man.told and time - man.since >= match.profile.pass_tolerance]
        for man in late:
            man.told = True
        return [self._passing(match, "not_passed", partner(*player), man) for man in late]

    def _amiss(self, match: Match, player: Player, reserve: Reserve, time: float) -> list[Verdict]:
        now = self._differences(match, player, reserve)
        reserve.odd = {key: reserve.odd.get(key, time) for key in now}
        reserve.told &= set(now)
        due = {key for key, since in reserve.odd.items() if time - since >= match.profile.pass_tolerance}
        new = sorted(due - reserve.told)
        reserve.told |= due
        return [
            verdict(match.profile, "FLAG", reason, seat=seat(*player), piece=chess.piece_symbol(kind).upper())
            for reason, kind in new
        ]

    @staticmethod
    def _differences(match: Match, player: Player, reserve: Reserve) -> set[tuple[str, chess.PieceType]]:
        if reserve.seen is None:
            return set()
        held = match.pocket(*player)
        on_the_way = Counter(man.kind for man in reserve.coming)
        found = {("reserve_surplus", kind) for kind in reserve.seen - held}
        found |= {("wrong_zone", kind) for kind in reserve.foreign}
        if match.profile.reserve == "visible":
            found |= {("reserve_missing", kind) for kind in held - reserve.seen - on_the_way}
        return found

    @staticmethod
    def _passing(match: Match, reason: str, giver: Player, man: Coming) -> Verdict:
        piece = chess.piece_symbol(man.kind).upper()
        return verdict(match.profile, "FLAG", reason, seat=seat(*giver), taker=seat(*partner(*giver)), piece=piece)
