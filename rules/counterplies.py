"""What actions with counters do to a line of play: Quad Wrangle and Affollata.

Who acts moves or places one counter and then turns others, one after the other. An action is explained as a whole: the
cells that it fills, empties and turns. What was turned otherwise than it must be is against the rules.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import chess
import numpy as np

from rules.beam import BLIND, Beam
from rules.countermatch import CounterMatch, CounterPly
from rules.counters import Counters, read_written, written
from rules.gains import PLY
from rules.history import DOUBT, NEW, History
from rules.irregular import Illegal, TakenBack, has_illegal, mover, undoing
from rules.lines import Line
from rules.match import Ply
from rules.observation import EMPTY, label_index
from rules.seats import BoardName
from rules.sightings import DISORDER, INVERTED

AGAINST = 1.0  # nats that every action costs that the rules forbid, or of which not all was turned as it must be,
EACH = 0.5  # and every counter turned otherwise,
FAR = 2.0  # or far away from it
FORBIDDEN = 1.0  # and one that could not be played at all,
TWICE = 1.0  # or not by this player,
LONG_AGO = 4.0  # or is said to be a part of an action that had been over
OVER = 2.0  # seconds before
AWAY = 0.4  # seconds for which what lies around an action must have lain open: the hand may come back,
DONE = 1.5  # and where not all was done as it must be,
SEEN = 1.2  # or after which it must have been seen once more, where others have gone on
BACK = 1.0  # and every action taken back, unless it was forbidden
UNSEEN = 2.0  # nats against an action that was followed by another, for each cell that was never seen as it left it,
UNSEEABLE = 1.0  # and where that cell lay hidden until the other came
BRIEF, LONG = 0.05, 5.0  # seconds in which a cell that is not seen may change, at least and at most
TIE = 1.0  # nats against an action whose parts were seen in another order, at most: other actions may do the same
RULE = "004"
"""The text that all of this rests on."""


@dataclass(unsafe_hash=True)
class Wrong(Illegal):
    """An action against the rules. `turned`: the counters that changed colour by it, as they did."""

    turned: chess.Bitboard = 0


@dataclass(unsafe_hash=True)
class Turned(Wrong):
    """The last action, of which more was turned, or less, after it had been told."""


class CounterPlies:
    """As `rules.plies.Plies`. Positions never change: there is nothing to copy."""

    slow = True

    def copy(self, board: Counters) -> Counters:
        return board

    def key(self, line: Line) -> tuple[object, ...]:
        return line.moves  # two actions may leave the same counters; which it was, only time tells

    def as_good(self, line: Line, other: Line) -> bool:
        return len(line.moves) == len(other.moves) and line.board == other.board

    def passed(self, board: Counters) -> None:
        del board  # hands leave the board between two actions: none goes unseen

    def grow(self, beam: Beam, line: Line, changed: chess.Bitboard, hidden: chess.Bitboard) -> Iterator[chess.Move]:
        yield from _legal(line.board, changed, hidden)
        last = line.last if line is beam.told and line.before is not None else None
        if last is not None and line.before is not None and not _apart(line.before.board, line.board) & ~changed:
            yield undoing(last)
        white, black = (beam.history.showing(color) for color in (chess.WHITE, chess.BLACK))
        empty = beam.history.seen & ~white & ~black
        flipped = changed & (line.board.white & black | line.board.black & white)
        if line.before is not None and not has_illegal(line.moves[:-1]):
            yield from _turned_later(line, flipped & _turned(line))
            yield from _turned_later(line, flipped)
        if not beam.forbidden or has_illegal(line.moves):
            return
        for color, men in ((chess.WHITE, white), (chess.BLACK, black)):
            yield from _wrong(line.board, color, changed & men & ~line.board.occupied, flipped & men, flipped,
                              changed & empty)  # fmt: skip

    def after(self, beam: Beam, line: Line, move: chess.Move) -> Line:
        before: Counters = line.board
        if isinstance(move, TakenBack):
            assert line.before is not None
            child = Line(line, move, line.before.board)
            child.cost += PLY + (0.0 if isinstance(line.last, Illegal) else BACK)
            child.before, child.last = line.before.before, line.before.last
        elif isinstance(move, Turned):
            assert line.before is not None
            if line.moves[len(beam.told.moves) :]:  # nobody has been told of it yet
                if isinstance(line.last, Turned):
                    assert line.parent is not None
                    return self.after(beam, line.parent, move)
                return self.after(beam, line.before, Wrong(**vars(move)))
            acting = line.before.board.with_turn(move.color)
            child = Line(line, move, acting.forced(move, move.turned))
            child.cost += PLY + _amiss(acting, move)
            if move.turned != acting.turned(move) and beam.history.time - _done(line) > OVER:
                child.cost += LONG_AGO
            child.before = line.before
        elif isinstance(move, Wrong):
            acting = before.with_turn(move.color)
            child = Line(line, move, acting.forced(move, move.turned))
            child.cost += PLY + AGAINST + _amiss(acting, move)
            child.cost += FORBIDDEN if acting.refusal(move.plain()) else 0.0
            child.cost += TWICE if move.color != before.turn else 0.0
        else:
            child = Line(line, move, before.after(move))
            child.cost += PLY
        _carry(line, child, move)
        return child

    def seen_at(self, history: History, line: Line) -> float:
        """An action is looked for once all of the one before has been seen: before, its cells may seem to hold what
        they will."""
        before = line.parent
        if before is not None and before.parent is not None and _unseen(before, line):
            return np.inf
        return _noted(history, line.moves[-1].to_square, line)

    def disorder(self, history: History, line: Line, then: Line | None) -> float:
        """A counter leaves its cell before it comes to another, and then others are turned."""
        move = line.moves[-1]
        if isinstance(move, TakenBack | Turned) or line.parent is None:
            return 0.0
        _forget(line)
        if line.at == np.inf:
            return BLIND
        left, later, unseen = 0.0, 0.5, list[chess.Square]()
        for cell in _cells(line):
            if cell not in line.times:  # noted once: the next action may change it again
                at = _noted(history, cell, line)
                if at == np.inf:
                    unseen.append(cell)
                    continue
                line.times[cell] = history.open_until(cell, at), at
            if cell == move.from_square:
                left = line.times[cell][0] - line.at
            else:
                later = min(later, _before((line.after, line.at), line.times[cell]))
        against = min(INVERTED * max(left, 0.0), DISORDER) + min(-math.log(2 * later + 1e-9), TIE)
        if then is None:
            return against
        done, until = _done(line), min(then.at, history.time)
        return against + sum(UNSEEN if history.lay_open(cell, done, until) else UNSEEABLE for cell in unseen)

    def meanwhile(self, board: Counters, white: chess.Bitboard, black: chess.Bitboard) -> list[chess.Move]:
        del board, white, black
        return []

    def waits(self, history: History, line: Line, then: Line | None) -> bool:
        """Counters may still be turned, until those around have lain open for a while, or others have gone on."""
        move = line.moves[-1]
        if isinstance(move, TakenBack):
            return False
        right = not isinstance(move, Wrong)
        if right and _unseen(line, then):
            return True
        around = _around(move.to_square)
        if then is None:
            return any(history.lasting[cell] < (AWAY if right else DONE) for cell in chess.scan_forward(around))
        if right:
            return False
        if then.at == np.inf:
            return True
        beside = _around(then.moves[-1].to_square)
        if _missing(line) & beside and any(history.lasting[cell] < DONE for cell in chess.scan_forward(beside)):
            return True  # what the next action turns may tell that they had been turned after all
        noted = (_noted(history, cell, line) for cell in _cells(line))
        done = _done(line) if line.at < np.inf else max(noted, default=np.inf)
        return any(
            not history.open[cell] and history.open_until(cell, history.time) < done + SEEN
            for cell in chess.scan_forward(around)
        )

    def as_played(self, ply: Ply) -> chess.Move:
        if ply.legal:
            return ply.move
        move = ply.move
        return Wrong(move.from_square, move.to_square, None, move.drop, ply.color, read_written(ply.san)[1] or 0)

    def force(self, match: CounterMatch, name: BoardName, move: Wrong) -> tuple[CounterPly, str, str]:
        kind = breach(match, move)
        return match.force(name, move.plain(), move.color, move.turned), kind, f"{kind}: {RULE}" if kind else ""

    def written(self, board: Counters, move: chess.Move) -> str:
        del board
        return written(move, move.turned if isinstance(move, Wrong) else None)

    def end(self, match: CounterMatch, name: BoardName) -> tuple[str, str] | None:
        del name
        return (match.result, "counted") if match.is_over else None


@lru_cache(maxsize=4096)
def _before(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How likely it is that one thing happened before another, each at any time from when it had not yet been seen to
    when it was."""
    (since, until), (start, end) = ((max(min(low, high - BRIEF), high - LONG), high) for low, high in (one, other))

    def gone(time: float) -> float:
        """The integral, up to a time, of the share of the one's spell that has passed."""
        inside = min(max(time - since, 0.0), until - since)
        return inside**2 / (2 * (until - since)) + max(time - until, 0.0)

    return (gone(end) - gone(start)) / (end - start)


def _missing(line: Line) -> chess.Bitboard:
    """Counters that the last action of a line, which is wrong, should have turned and has not."""
    move = line.moves[-1]
    if line.before is None or not isinstance(move, Wrong):
        return 0
    acting: Counters = line.before.board.with_turn(move.color)
    return int(acting.turned(move.plain()) & ~move.turned)


def _around(cell: chess.Square) -> chess.Bitboard:
    """A cell and its neighbours."""
    return chess.BB_KING_ATTACKS[cell] | chess.BB_SQUARES[cell]


def _cells(line: Line) -> frozenset[chess.Square]:
    """Cells that the last action of a line changes, but that where its counter comes to stand."""
    assert line.parent is not None
    return _set(_apart(line.parent.board, line.board) & ~chess.BB_SQUARES[line.moves[-1].to_square])


@lru_cache(maxsize=4096)
def _set(cells: chess.Bitboard) -> frozenset[chess.Square]:
    """The same cells, made once: lines are scored by the thousand."""
    return frozenset(chess.scan_forward(cells))


def _done(line: Line) -> float:
    """When the last action of a line was last seen to change anything; long ago where nobody knows."""
    own = line.at if line.at < np.inf else -np.inf
    return max((own, *(at for _, at in line.times.values())))


def _unseen(line: Line, then: Line | None) -> frozenset[chess.Square]:
    """Cells that were not seen as the last action of a line left them, and that the next one has not changed."""
    cells = _cells(line) - line.times.keys()
    return cells - _cells(then) - {then.moves[-1].to_square} if then is not None and cells else cells


def _noted(history: History, cell: chess.Square, line: Line) -> float:
    """When a cell was first seen to hold what the last action of a line leaves there; infinity if it was not.

    What it held before the action before was seen is no sign of this one.
    """
    contents = line.contents[cell]
    if history.open[cell]:
        seen = history.lack(cell, contents[-1]) <= DOUBT
    else:
        seen = history.value(cell, contents) > history.value(cell, contents[:-1]) + DOUBT
    at = history.switched(cell, contents, -1) if seen else np.inf
    since = _since(line, cell)
    # It may never have been seen as the action before left it: then what it showed later may be either.
    return at if at > since else history.shown_after(cell, contents[-1], since)


def _since(line: Line, cell: chess.Square) -> float:
    """When a cell had been seen as the action before left it, or else that action had not begun."""
    before = line.parent
    if before is None or before.at == np.inf:
        return -np.inf
    if cell in before.times:
        return before.times[cell][1]
    return math.nextafter(_done(before), 0.0) if before.parent and cell in _cells(before) else before.after


def _forget(line: Line) -> None:
    """What was noted of the last action of a line, and has turned out to be older than the one before, is not of it."""
    if line.at <= _since(line, line.moves[-1].to_square):
        line.at = np.inf
    for cell in [cell for cell, (_, at) in line.times.items() if at <= _since(line, cell)]:
        del line.times[cell]


def breach(match: CounterMatch, move: Wrong) -> str:
    """The kind of alert for an action that is about to be forced; empty where it is none after all."""
    position, plain = match.board().with_turn(move.color), move.plain()
    if move.color != match.board().turn:
        return "two_moves" if match.plies and match.plies[-1].color == move.color else "out_of_turn"
    if position.refusal(plain):
        occupied = position.occupied >> move.to_square & 1
        return ("drop_occupied" if occupied else "illegal_drop") if move.drop else "illegal_move"
    missing, extra = position.turned(plain) & ~move.turned, move.turned & ~position.turned(plain)
    if missing and extra:
        return "wrongly_turned"
    return "not_turned" if missing else "turned_too_many" if extra else ""


def _legal(board: Counters, changed: chess.Bitboard, hidden: chess.Bitboard) -> Iterator[chess.Move]:
    """Actions that empty or fill a cell that changed, or a hidden one beside what was turned."""
    for move in board.legal_moves():
        source, target = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
        onto = target & (changed | hidden | board.opposing)
        if onto and (source & changed or target & changed or (target & hidden and board.turned(move) & changed)):
            yield move


def _apart(one: Counters, other: Counters) -> chess.Bitboard:
    """The cells on which two positions differ."""
    return (one.white ^ other.white) | (one.black ^ other.black)


def _turned(line: Line) -> chess.Bitboard:
    """The counters that the last action of a line turns, as it has it."""
    assert line.before is not None
    assert line.last is not None
    was, now = line.before.board, line.board
    return int((was.white & now.black) | (was.black & now.white)) & ~chess.BB_SQUARES[line.last.to_square]


def _turned_later(line: Line, flipped: chess.Bitboard) -> Iterator[Turned]:
    """The last action of a line, with these counters turned by it, too."""
    assert line.last is not None
    assert line.before is not None
    last = line.last
    color = mover(last, line.before.board)
    acting: Counters = line.before.board.with_turn(color)
    turned = (last.turned if isinstance(last, Wrong) else acting.turned(last)) ^ flipped
    if flipped and not flipped & chess.BB_SQUARES[last.to_square] and not turned & ~acting.forced(last, 0).occupied:
        yield Turned(last.from_square, last.to_square, None, last.drop, color, turned)


def _wrong(
    board: Counters,
    color: chess.Color,
    came: chess.Bitboard,
    covered: chess.Bitboard,
    flipped: chess.Bitboard,
    gone: chess.Bitboard,
) -> Iterator[Wrong]:
    """Actions of a player against the rules that account for all that changed. `came`, `covered`: cells where his
    counter shows where none stood, or another's; `gone`: cells that show none."""
    position = board.with_turn(color)
    if came.bit_count() > 1 or gone.bit_count() > 1:
        return  # no single action does this
    # Only where new counters come into the game one may be laid on another.
    new: list[chess.Square | None] = [None] if not gone and (came or position.placeable) else []
    sources: list[chess.Square | None] = [*chess.scan_forward(gone & position.own), *new]
    for target in chess.scan_forward(came or covered):
        for source in sources:
            turned = flipped & ~chess.BB_SQUARES[target]
            start = target if source is None else source
            move = Wrong(start, target, None, chess.PAWN if source is None else None, color, turned)
            allowed = color == board.turn and position.is_legal(move.plain()) and turned == position.turned(move)
            if not allowed:
                yield move


def _amiss(position: Counters, move: Wrong) -> float:
    otherwise = position.turned(move) ^ move.turned
    far = sum(chess.square_distance(cell, move.to_square) > 2 for cell in chess.scan_forward(otherwise))
    return EACH * otherwise.bit_count() + (FAR - EACH) * far


def _carry(line: Line, child: Line, move: chess.Move) -> None:
    """Tell what the cells hold that an action changed. A counter that is turned or taken may leave its cell first."""
    was, now = line.board, child.board
    for cell in chess.scan_forward(_apart(was, now)):
        held, color = line.contents.get(cell, (NEW + cell,)), now.color_at(cell)
        if color is None:
            child.contents[cell] = (*held, EMPTY)
            continue
        came = cell == move.to_square != move.from_square and not isinstance(move, Turned)
        content = line.content(move.from_square) if came else label_index(chess.Piece(chess.PAWN, color))
        child.contents[cell] = (*held, content) if was.color_at(cell) is None else (*held, EMPTY, content)
