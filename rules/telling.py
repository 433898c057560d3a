"""How many plies of the best line may be told by now."""

from collections.abc import Mapping
from itertools import zip_longest

import chess
import numpy as np

from rules.agreement import agreed_plies, but_for_kind, forbidden_alike, shown
from rules.beam import STRAINED, Beam
from rules.irregular import Illegal, TakenBack, has_illegal, is_drop_back, is_held
from rules.lines import LEFT, LESS, Line, in_common, took
from rules.pocket import AllPockets
from rules.seats import BoardName
from rules.side import Side

HOLD = 0.15  # seconds for which a ply must have been agreed upon
DOUBTFUL = 1.0  # and where the line leaves something unexplained
TAKING = 1.5  # and where a hand hides what was taken from the pocket, or where a man went who was dropped
PUTTING_BACK = 1.0  # and where a man who has taken another goes back to where he was: the other may be put back, too,
ROUNDABOUT = 1.6  # or other plies than that one alone lead there,
IRREGULAR = 0.35  # and where it is against the rules,
PLAIN, OUTRIGHT = 0.2, 5.0  # or this, if it beats all lines within them by so many nats,
TAKEN_FIRST = 2.0  # and a drop of whom nobody is known to have passed on, while the other board seems to have done so
NOT_HELD = 0.9  # seconds for which such a drop must have been seen, while the other board is not all seen
WAITED = 5.0  # seconds of waiting for more to come to it after which a player is done, whatever is still hidden
APART = 2.0  # and after which nothing that came later is a part of it
OVERDUE = 2.0  # seconds for which a ply that its squares do not show must have been agreed upon, if a later one shows
MENDING = 1.0  # and where it contradicts what was told,
REFUTED = 0.7  # if that leaves something unexplained in plain sight
PATIENCE = 1.2  # seconds after which the best line is taken though others come near,
UNDECIDED = 4.0  # and the better of two that differ in the kind of a drop, by turns
CLEAR, AT_LAST = 1.5, 0.5  # nats it must gain over what was told, and where nothing will be seen any more
RIDDLE = 2.0  # nats unexplained from which what the rules forbid is thought of
TOO_MUCH = 12.0  # and from which nothing is told


class Telling:
    """What is told of the boards, which share their pockets."""

    def __init__(self, sides: Mapping[BoardName, Side], pockets: AllPockets) -> None:
        self.sides, self.pockets = sides, pockets

    def ready(self, side: Side, beam: Beam, best: Line, time: float, gain: float) -> tuple[int, int] | None:
        """How many plies of the best line may be told, those that are told already included, and how many of these
        stay; None where nothing is to be told. `gain`: nats they must gain over what was told."""
        told = beam.told.moves
        if best.left <= LEFT:
            side.calm_since = time
        certain = best is beam.told or (
            best.total >= beam.told.total + CLEAR
            and len(best.known()) == len(best.moves)
            and best.strain < beam.told.strain + STRAINED
        )
        unexplained = beam.gains.unexplained(best) if best.left > 0.0 else chess.BB_EMPTY
        if best.left <= RIDDLE and certain and not has_illegal(best.moves[len(told) :]):
            # What an arm hides again, or has shown only just now, is no less a riddle.
            side.puzzling &= ~side.history.seen | unexplained
            side.solved = side.solved + time - side.thought if side.puzzling else time
        else:
            side.puzzling |= unexplained
        side.thought = time
        if best is not beam.told:
            side.quiet_since = time
        agreed = self._agreed(side, beam, best, time)
        clear = CLEAR / 3 if has_illegal(best.moves) else gain
        if best.total < beam.told.total + clear or best.left > TOO_MUCH or beam.contradicted(best):
            return None
        common = in_common(agreed, told)
        least = min(len(told), len(best.moves))  # not all that was told need have been played
        enough = HOLD if best.left <= LEFT else DOUBTFUL
        if common < len(told):
            if len(agreed) < least or best.left > LEFT:
                return None
            enough = MENDING if beam.told.left <= best.left + LESS else REFUTED
        # Plies that much speaks against are told when it is clear that nothing against the rules explains it better.
        if not certain and best.known() == best.moves and not beam.forbidden:
            return None
        ready, path = len(agreed), best.path()
        for number in range(common, len(agreed)):
            age = time - side.agreed[number][1]
            hold = self._hold(side, beam, path[number:], enough, age, best.left <= LEFT)
            showing = path[number : len(agreed) if age > OVERDUE else number + 1]
            if age < hold or not any(shown(side.history, line, best) for line in showing):
                ready = number
                break
        return None if ready <= common or ready < least else (ready, common)

    @staticmethod
    def _agreed(side: Side, beam: Beam, best: Line, time: float) -> tuple[chess.Move, ...]:
        """The first plies of the best line upon which the good ones agree, or which have been the best for long."""
        told = len(beam.told.moves)
        agreed, coming = agreed_plies(beam, best), best.moves[: told + 1]
        if len(coming) != len(side.leading[0]) or in_common(coming, side.leading[0], but_for_kind) < len(coming):
            side.alike_since = time
        if coming != side.leading[0]:
            side.leading = coming, time
        patient = time - side.leading[1] > PATIENCE or time - side.alike_since > UNDECIDED
        if best.left <= LEFT and patient:
            agreed = max(agreed, best.known()[: told + 1], key=len)
        same = in_common(tuple(move for move, _ in side.agreed), agreed, forbidden_alike)
        since = [since for _, since in side.agreed[:same]] + [time] * (len(agreed) - same)
        side.agreed = list(zip(agreed, since, strict=True))
        return agreed

    def _hold(self, side: Side, beam: Beam, coming: list[Line], enough: float, agreed: float, explained: bool) -> float:
        """Seconds for which the first of these plies must have been agreed upon to be told. `explained`: whether their
        line leaves nothing unexplained."""
        line, move = coming[0], coming[0].moves[-1]
        waits = [beam.plies.waits(side.history, *two) for two in zip_longest(coming, coming[1:])]
        if (agreed < WAITED and waits[0]) or (agreed < APART and any(waits)):
            return np.inf  # more may come to it
        if agreed < ROUNDABOUT and _goes_back(beam.told, coming):
            return PUTTING_BACK if len(coming) == 1 else ROUNDABOUT
        if isinstance(move, Illegal | TakenBack):
            if not explained:
                return np.inf
            if is_drop_back(move) and side.history.seen != chess.BB_ALL:
                return TAKING  # who was dropped may have gone to where an arm still is
            if enough > HOLD:
                return enough
            assert line.parent is not None
            irregular = PLAIN if _plainly(beam, coming[-1]) else IRREGULAR
            if not isinstance(move, Illegal) or not move.drop or is_held(line.parent.board, move):
                return irregular
            others = [other for other in self.sides.values() if other is not side]
            if any(_takes(other, (not move.color, move.drop)) for other in others):
                return TAKEN_FIRST
            seen = side.history.time - line.at >= NOT_HELD
            return irregular if seen or all(other.history.seen == chess.BB_ALL for other in others) else np.inf
        return enough if agreed > TAKING or self._told_apart(side, line) else TAKING

    def _told_apart(self, side: Side, line: Line) -> bool:
        """Whether the pocket can say of which kind a drop was, or could since he was seen where he was dropped."""
        drop = line.moves[-1].drop
        if not drop or not self.pockets or line.parent is None:
            return True
        pocket = self.pockets[side.name, line.parent.board.turn]
        return pocket.seen.open or pocket.looked >= line.at or not pocket.choice()


def _plainly(beam: Beam, best: Line) -> bool:
    """Whether nothing within the rules explains nearly as much as a line."""
    told = len(beam.told.moves)
    within = (line.total for line in beam.lines if not has_illegal(line.moves[told:]))
    return best.total > max(within, default=-np.inf) + OUTRIGHT


def _takes(side: Side, capture: tuple[chess.Color, chess.PieceType]) -> bool:
    """Whether somebody seems to have taken such a man, though that is not told yet."""
    beam = side.beam
    return beam is not None and capture in beam.best().captured[len(beam.told.captured) :]


def _goes_back(told: Line, coming: list[Line]) -> bool:
    """Whether the man who took another in what was told last, or one like him, is back where he was, and the other
    stays taken."""
    if not isinstance(told.board, chess.Board) or told.last is None or not took(told):
        return False
    if any(isinstance(line.moves[-1], TakenBack) for line in coming):
        return False
    here, board = told.last.to_square, coming[-1].board
    man = told.board.piece_at(here)
    return bool(board.piece_at(told.last.from_square) == man != board.piece_at(here))
