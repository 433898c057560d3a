"""The lines of play that could have led to what one board shows, kept from look to look.

Every line begins at a root, a position that is not in doubt any more. A line grows by a ply where it does not explain
a square that changed, and is scored anew after every look by all that its changed squares have shown since the root.
"""

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, permutations, product, zip_longest
from typing import Any, Protocol

import chess
import chess.variant
import numpy as np
from numpy.typing import NDArray

from rules.history import DOUBT, NEW, Contents, History
from rules.irregular import Illegal, TakenBack, has_illegal, mover
from rules.match import Ply
from rules.observation import EMPTY
from rules.seats import BoardName

PLY = 2.0  # nats that every ply costs: fewer moves explain better
UNWITNESSED = 0.3  # and every one that nothing that was seen speaks for
BLIND = 5.0  # and every one that was not seen at all
NO_TRACE = 4.0  # and one that was not, while all lies open
STRAINED = 1.5  # nats that speak against a line, from which one against the rules may be as good
KINDS = 4.0  # nats by which it must beat plies within the rules that differ in what kinds men are alone
PUZZLED = 0.3  # seconds for which nothing has explained what lies open, from which
GROWS, RELIEF = 4.0, 2.5  # by so many nats a second, and at most, it is less against a drop that the rules forbid it,
MISREAD = 3.0  # which leaves no more than this unexplained: the kind of one man
OTHER_KIND = 1.5  # nats by which a drop within the rules that differs in what kind a man is alone must be worse
HASTY, CARRIED = 8.0, 0.1  # against a man carried in no time, and seconds that a hand needs at least
INVERTED = 3.0  # and every second by which a ply was seen before the one it follows,
DISORDER = 9.0  # at most,
UNLIKELY = 18.0  # or so much, of one against the rules: that is told before anybody replies
BETWEEN, PASSING = 0.8, 5.0  # seconds a square must lie hidden for a man to come and go unseen; nats for each less
VACANT = 1.0  # seconds from when a man is taken off to when who takes him stands there, at most
REPLACED = 3.0  # nats against a drop where another man has stood, if nobody has seen the square empty since
RATHER = 5.0  # nats by which a line against the rules must beat any within them that explains as much by other men
LEFT = 4.0  # nats unexplained from which something is unexplained,
LESS = 2.5  # and by so many more than by a line against the rules, another explains less than that
EXACT = 6  # decimals by which totals differ, beyond what machines reckon differently
WRONG = 6.0  # nats by which a line must beat what was told to mend it, and what it leaves unexplained counts
STOOD = 2.5  # nats against a line in which no man has come to where he was told to, and seen to stand for a while
DISSENT = 3.0  # and from which on nothing more is told that goes on from there
WHICHEVER = 2.0  # nats by which lines without a ply of his must lie behind, for somebody surely to have played
WIDTH, SLOW = 80, 32  # lines kept, and where plies are slow
GROWN = 16  # lines that may grow after one look, of the best, of the most hopeful, and of those that might gain most,
SURELY = 3  # and where plies are slow, of those one ply beyond what was told, within the rules
MOST = 320  # plies tried after one look; where that is not enough, the next look goes on,
MISSED = 640  # and where some may have been played while nobody looked: anywhere, then
BEHIND = 16.0  # nats by which a line may lie behind the best and still hope
FEW = 3  # plies that are tried in any other order, too, with a drop among them where one is missed
DEPTH = 6  # plies by which a line may go beyond what has been told

UNSEEN = chess.Move.null()
"""A ply of which it is not known yet what it was."""
Pieces = tuple[tuple[chess.Color, chess.PieceType], ...]
"""Pieces dropped or captured, by player and kind."""
Men = tuple[chess.Bitboard, chess.Bitboard]
"""Where men of each side stand."""
Drop = tuple[chess.Color, chess.PieceType, float]
"""Who dropped what, and by when: it was first seen, or what followed it."""
Capture = tuple[chess.Color, float]
"""Who captured, and until when it was seen not to have happened."""
Seen = tuple[float, float]
"""When something was first seen, infinity where it never was; and until when it was seen not to have happened."""


class Pockets(Protocol):
    """What the pockets say of a line."""

    def term(self, dropped: Sequence[Drop], captured: Sequence[Capture]) -> float:
        """Nats for or against these drops and captures."""

    def hope(self) -> float:
        """Nats that captures not thought of yet could still gain."""

    def missed(self, color: chess.Color) -> bool:
        """Whether a man is gone from a player's pocket of whom no drop was told."""


class Line:
    """A line of play from the root. `contents`: by changed square, what it held one after the other.

    `total`: nats over "nothing happened". `left`: nats that it does not explain. `strain`: nats that speak against its
    plies, beyond what each costs. `at`: when its last ply was first seen, infinity where it was not; it was played
    `after`. `times`: the same two of other squares of that ply, the earlier first, as far as its game asks. `before`,
    `last`: the position before the last ply that stands on the board, and that ply, where they are known.
    """

    __slots__ = ("after", "at", "before", "board", "captured", "contents", "cost", "dropped", "grown", "last", "left",
                 "left_at", "moves", "parent", "plies", "settled", "strain", "times", "total", "turn", "unseen",
                 "vacant")  # fmt: skip

    def __init__(self, parent: "Line | None", move: chess.Move | None, board: Any) -> None:
        self.parent = parent
        self.board = board
        self.moves: tuple[chess.Move, ...] = (*parent.moves, move) if parent and move is not None else ()
        self.contents: dict[chess.Square, Contents] = dict(parent.contents) if parent else {}
        self.cost: float = parent.cost if parent else 0.0
        self.dropped: Pieces = parent.dropped if parent else ()
        self.captured: Pieces = parent.captured if parent else ()
        self.plies: dict[chess.Move, Line] = {}
        self.grown: object = None
        self.total = self.left = self.strain = 0.0
        self.at: float = np.inf
        self.turn = 0  # of the square it comes to, when that was found out
        self.settled: Seen | None = None  # when its last ply was told and had been seen: when
        # When the man of its last ply was first seen gone, and the turn of that square then.
        self.left_at = np.inf, -1
        self.unseen = 0.0  # nats against its last ply as long as nobody has seen the man that came
        self.vacant = np.inf  # when the square where its last ply captures was seen empty
        self.times: dict[chess.Square, tuple[float, float]] = {}
        self.after: float = -np.inf
        self.before: Line | None = parent
        self.last = move

    def path(self) -> list["Line"]:
        """The lines from the root's first ply to this one."""
        lines: list[Line] = []
        line = self
        while line.parent is not None:
            lines.append(line)
            line = line.parent
        return lines[::-1]

    def by(self) -> chess.Color:
        """Who played its last ply."""
        assert self.parent is not None
        return mover(self.moves[-1], self.parent.board)

    def standing(self) -> list["Line"]:
        """Of `path`, what was not taken back."""
        lines: list[Line] = []
        for line in self.path():
            if not isinstance(line.moves[-1], TakenBack):
                lines.append(line)
            elif lines:
                lines.pop()
        return lines

    @property
    def forbidden(self) -> bool:
        """Whether it needs a move against the rules."""
        return any(isinstance(move, Illegal) and not move.drop for move in self.moves)

    def known(self) -> tuple[chess.Move, ...]:
        """Its plies up to the first that nobody has seen."""
        return self.moves[: self.moves.index(UNSEEN)] if UNSEEN in self.moves else self.moves

    def content(self, square: chess.Square) -> int:
        """What a square holds at the end of the line."""
        found = self.contents.get(square)
        return found[-1] if found else NEW + square

    def contents_of_all(self) -> NDArray[np.int64]:
        """(64,) what each square holds at the end of the line."""
        return np.array([self.content(square) for square in chess.SQUARES])


class Plies(Protocol):
    """What plies do to a line in one game. A board is the game's own kind of position. `slow`: one ply takes many
    seconds, in which its parts are seen one after the other."""

    slow: bool

    def copy(self, board: Any) -> Any:
        """A board that may change without the other."""

    def key(self, line: Line) -> tuple[object, ...]:
        """Equal for lines of which one may stand for the other: what comes to the same position is as good."""

    def as_good(self, line: Line, other: Line) -> bool:
        """Whether two lines that are kept come to the same, and nobody will ever know which it was."""

    def passed(self, board: Any) -> Any | None:
        """The board after a ply of which nobody knows what it was; None where that cannot be."""

    def grow(self, beam: "Beam", line: Line, changed: chess.Bitboard, hidden: chess.Bitboard) -> Iterator[chess.Move]:
        """Plies by which a line may go on, that could explain `changed`."""

    def after(self, beam: "Beam", line: Line, move: chess.Move) -> Line:
        """The line that goes on by a ply."""

    def seen_at(self, history: History, line: Line) -> float:
        """When the last ply of a line was first seen on the square it comes to; infinity where it was not."""

    def disorder(self, history: History, line: Line, then: Line | None) -> float:
        """Nats against the last ply of a line, as its squares were not seen to change, or not in the order of its
        parts. `then`: the same with the ply after it."""

    def meanwhile(self, board: Any, white: chess.Bitboard, black: chess.Bitboard) -> list[chess.Move]:
        """Plies that lead from a board to men of each side on these squares; none where that is not clear."""

    def waits(self, history: History, line: Line, then: Line | None) -> bool:
        """Whether who made the last ply of a line may not be done with it yet. `then`: the same with the next ply."""

    def as_played(self, ply: Ply) -> chess.Move:
        """The ply as a line has it, if it was against the rules too."""

    def force(self, match: Any, name: BoardName, move: Any) -> tuple[Ply, str, str]:
        """Let a ply against the rules stand in the match: the ply, the kind of its alert (empty if there is nothing to
        tell), and the rule."""

    def written(self, board: Any, move: chess.Move) -> str:
        """A ply as people write it."""

    def end(self, match: Any, name: BoardName) -> tuple[str, str] | None:
        """Result and reason, where the last ply has decided the game."""


class Beam:
    """The lines of one board. `told`: the one that has been told so far."""

    def __init__(
        self,
        board: Any,
        history: History,
        plies: Plies,
        before: tuple[Line, chess.Move] | None = None,
        played: float = -np.inf,
    ) -> None:
        """`before`: the position before the last ply, and that ply, which was `played` after a time."""
        self.history, self.plies = history, plies
        self.root = self.told = Line(None, None, plies.copy(board))
        self.root.before, self.root.last = before or (None, None)
        self.lines = [self.root]
        self._last_best = self.root
        self.began = history.time  # no ply beyond the root is older
        self.played = played  # the last of those up to the root, after this
        self.fed = 0  # how often a pocket was filled
        self.changed: chess.Bitboard = 0  # squares that the root does not explain
        self.lack = np.zeros(64)  # by how much, where they lie open
        # By square and what it held, what that gains and leaves unexplained at this look: many lines share it.
        self.gained: dict[tuple[chess.Square, Contents], tuple[float, float]] = {}
        self.stood: tuple[tuple[chess.Square, chess.Color], ...] = ()  # who came there and was seen for a while

    def best(self) -> Line:
        """The line that explains most; of equals the shorter, or that which was best before, or goes on from there. One
        within the rules is taken for it unless one against them is much better: a square may be misread."""

        def rank(line: Line) -> tuple[float, int, int]:
            return round(line.total, EXACT), -len(line.moves), in_common(line.moves, self._last_best.moves)

        top = max(self.lines, key=rank)
        if has_illegal(top.moves) and not has_illegal(self.told.moves):
            within = [line for line in self.lines if line.total > top.total - RATHER and rather(line, top)]
            top = max(within, key=lambda line: line.total, default=top)
        self._last_best = top
        return top

    def leading(self) -> Line:
        """The best line, unless it contradicts what was told and is not so much better as to mend it: then the best of
        those that go on from there."""
        best = self.best()
        going_on = [line for line in self.lines if self._goes_on(line)]
        if best in going_on:
            return best
        likely = max(going_on, key=lambda line: (line.total, -len(line.moves)))
        return best if best.total - best.left >= likely.total - likely.left + WRONG else likely

    def surely(self) -> dict[chess.Color, float]:
        """Who has played a ply that is not told yet, whichever it is, and a time after which it was."""
        told, top = self.told.moves, self.best().total
        likely = [line for line in self.lines if line.total > top - WHICHEVER and self._goes_on(line)]
        played = [
            [ply for ply in line.path()[len(told) :] if not isinstance(ply.moves[-1], TakenBack)] for line in likely
        ]
        found = {}
        for color in chess.COLORS:
            first = [next((ply for ply in plies if ply.by() == color), None) for plies in played]
            times = [ply.after if ply.after > 0 else ply.at for ply in first if ply is not None]
            if times and len(times) == len(first):
                found[color] = max(times)
        return found

    def contradicted(self, leading: Line) -> bool:
        """Whether a line that contradicts what was told is better than all that go on from there, if not by so much as
        to mend it. `leading`: see there."""
        return self.best().total > leading.total + DISSENT

    def think(self, pockets: Pockets, forbidden: bool, riddle: float) -> None:
        """Score all lines anew and let the hopeful ones grow. `forbidden`: try what the rules forbid, too. `riddle`:
        seconds for which nothing has explained what lies open."""
        self.forbidden = forbidden
        self.gone = frozenset(color for color in chess.COLORS if pockets.missed(color))
        self.changed, lack = self.history.lacking()
        self.lack = np.where(self.history.open & (lack > DOUBT), lack, 0.0)
        self.whole = float(self.lack.sum())
        self.gained = {}
        self.stood = () if self.plies.slow else tuple(self._stood())
        for line in self.lines:
            self._score(line, pockets)
        more, tried, most = pockets.hope() - PLY, 0, MISSED if self._missed(self.told) else MOST
        always = self._sure()
        for _ in range(DEPTH):
            top = max(line.total for line in self.lines)
            best = sorted(self.lines, key=lambda line: -line.total)[:GROWN]
            hopeful = sorted(self.lines, key=lambda line: -line.total - line.left / 2)[:GROWN]
            # Of three plies on one square that nobody saw, the first two look bad until the third is there.
            boldest = sorted(self.lines, key=lambda line: -line.total - line.left)[:GROWN]
            grew = False
            for line in dict.fromkeys([*best, *hopeful, *boldest, *always]):
                if tried < most and (line in always or line.total + line.left + more > top - PLY):
                    for child in self._grow(line):
                        tried += 1
                        self._score(child, pockets)
                        if child.total + child.left + more > top - BEHIND and child not in self.lines:
                            self.lines.append(child)
                            grew = True
            self._prune(more)
            if not grew:
                break
        for line in () if self.plies.slow else (*self._reordered(), *self._with_drops()):
            if line not in self.lines:
                self._score(line, pockets)
                if line.total > top - BEHIND:
                    self.lines.append(line)
        if riddle > PUZZLED and not self.plies.slow:
            self._relieve(min((riddle - PUZZLED) * GROWS, RELIEF))

    def _reordered(self) -> Iterator[Line]:
        """The plies of the best line, if it is not told yet, in any other order."""
        moves = max(self.lines, key=lambda line: line.total).moves
        if moves != self.told.moves and 1 < len(moves) <= FEW and all(type(move) is chess.Move for move in moves):
            yield from filter(None, (self._played(order) for order in permutations(moves)))

    def _with_drops(self) -> Iterator[Line]:
        """What was told, in any order, with a drop of a man who was taken at once: where a pocket lacks one."""
        told = self.told.moves
        if not 0 < len(told) <= FEW or any(move.drop or type(move) is not chess.Move for move in told):
            return
        for color in self.gone:
            theirs = [line for line in self.told.path() if line.parent and line.parent.board.turn != color]
            squares = {line.moves[-1].to_square for line in theirs}
            kinds = [kind for kind in chess.PIECE_TYPES if self.root.board.pockets[color].count(kind)]
            for square, kind in product(squares, kinds):
                drop = chess.Move(square, square, drop=kind)
                yield from filter(None, (self._played(order) for order in permutations((*told, drop))))

    def _played(self, moves: Sequence[chess.Move]) -> Line | None:
        """The line of these plies; None where the rules forbid one."""
        line = self.root
        for move in moves:
            if move not in line.plies and not line.board.is_legal(move):
                return None
            line = self._after(line, move)
        return line

    def _relieve(self, nats: float) -> None:
        """Count it less against lines that explain everything but a kind that they need a drop against the rules: only
        one square speaks for it, and counts once, but a man who is not there is seldom read for so long."""
        legal = _best_by_men(line for line in self.lines if not has_illegal(line.moves))
        for line in self.lines:
            drops = any(isinstance(move, Illegal) and move.drop for move in line.moves)
            if drops and line.left < MISREAD and legal.get(men(line), -np.inf) < line.total - OTHER_KIND:
                line.total += nats

    def _sure(self) -> list[Line]:
        """What was told: the ply that follows may show late, behind many that seemed better. Where plies are slow, the
        likeliest lines that go on from there within the rules, too: what was seen again and again counts more often
        than it is left over."""
        if not self.plies.slow:
            return [self.told]
        then = [line for line in self.lines if line.parent is self.told and not isinstance(line.last, Illegal)]
        return [self.told, *sorted(then, key=lambda line: -line.total)[:SURELY]]

    def seen(self, line: Line, now: float) -> list[Seen]:
        """When the plies of a line were seen: of one that was not, when those after it were, at most `now`, and until
        when those before it had not been played."""
        path = line.path()
        seen, stood = [self._when(ply, line) for ply in path], [self._stood_until(ply, line) for ply in path]
        at = list(accumulate((at for at, _ in reversed(seen)), min, initial=now))[:0:-1]
        least = (max(after, until if until < at else -np.inf) for (at, after), until in zip(seen, stood, strict=True))
        after = list(accumulate(least, max, initial=self.played))[1:]
        return list(zip(at, after, strict=True))

    def tell(self, line: Line, pockets: Pockets) -> None:
        """A line has been told. What the pockets say for it now is kept: they will be told of its plies."""
        gain = self._term(line, pockets)
        for ply in line.path():
            seen = ply.at, ply.after = self._when(ply, line)
            ply.settled = seen if ply.at < np.inf else None
        self.told = line
        for other in self._alive():
            if line in (other, *other.path()):
                other.cost -= gain
        self._trim()

    def advance(self) -> None:
        """The first ply of what has been told is in doubt no more: lines that do not begin with it are dropped."""
        first = self.told.path()[0]
        history = self.history
        contents = first.contents_of_all()
        self.lines = [line for line in self.lines if first in line.path()] or [self.told]
        best = max(self.lines, key=lambda line: line.total)
        times = {
            square: history.switched(square, best.contents[square], len(held) - 1)
            for square, held in first.contents.items()
        }
        inverse = {int(content): NEW + square for square, content in enumerate(contents) if content >= NEW}
        past = {square: len(held) for square, held in first.contents.items()}
        for line in self._alive():
            if line is first:
                continue
            line.moves = line.moves[1:]
            line.cost -= first.cost
            line.dropped = line.dropped[len(first.dropped) :]
            line.captured = line.captured[len(first.captured) :]
            line.contents = {
                square: (NEW + square, *(inverse.get(c, c) for c in held[past.get(square, 1) :]))
                for square, held in line.contents.items()
                if len(held) > past.get(square, 1)
            }
        if first.at < np.inf:
            self.began, self.played = first.at, max(self.played, first.after)
        if self.root.before is not None:
            self.root.before.before = None
        self.root.plies = {}
        first.parent, first.moves, first.cost, first.contents = None, (), 0.0, {}
        first.dropped = first.captured = ()
        self.root = first
        self._trim()
        history.advance(contents, times)

    def feed(self, color: chess.Color, kind: chess.PieceType) -> None:
        """A piece has come into a player's pocket."""
        for line in self._trim():
            assert isinstance(line.board, chess.variant.CrazyhouseBoard)
            line.board.pockets[color].add(kind)
        self.fed += 1
        for line in list(self.lines):  # who dropped such a man before that was known did nothing against the rules
            moves = [_as_held(move, color, kind) for move in line.moves]
            other = self._played(moves) if moves != list(line.moves) else None
            if other is not None and other not in self.lines:
                self.lines.append(other)

    def starve(self, color: chess.Color, kind: chess.PieceType) -> bool:
        """A piece has not come into a player's pocket after all: lines in which he dropped it are forgotten. Whether
        what was told can have been played without."""

        def lacks(line: Line) -> bool:
            return not line.board.pockets[color].count(kind)

        if any(lacks(line) for line in (self.root, *self.told.path())):
            return False
        self.lines = [line for line in self.lines if not any(lacks(ply) for ply in line.path())]
        for line in self._trim():
            line.board.pockets[color].remove(kind)
        self.fed += 1
        return True

    def _goes_on(self, line: Line) -> bool:
        """Whether a line begins with what was told."""
        return line.moves[: len(self.told.moves)] == self.told.moves

    def _alive(self) -> list[Line]:
        """All lines kept, and those they grew from."""
        alive = {id(line): line for line in (self.root, self.told, *self.lines)}
        for kept in list(alive.values()):
            alive |= {id(line): line for line in kept.path()}
        return list(alive.values())

    def _trim(self) -> list[Line]:
        """Forget the lines that are not kept, and return the others."""
        alive = self._alive()
        kept = {id(line) for line in alive}
        for line in alive:
            line.plies = {move: child for move, child in line.plies.items() if id(child) in kept}
            line.grown = None
        return alive

    def _score(self, line: Line, pockets: Pockets) -> None:
        history = self.history
        total, left = -line.cost, self.whole
        for change in line.contents.items():
            gained = self.gained.get(change)
            if gained is None:
                gained = self.gained[change] = self._gain(*change)
            total, left = total + gained[0], left + gained[1]
        doubts = self._disorder(line) - self._term(line, pockets)
        if history.seen == chess.BB_ALL and UNSEEN in line.moves:
            doubts += NO_TRACE
        if self.stood and not self._goes_on(line) and not self._has_come(line):
            doubts += STOOD
        line.total, line.left = total - doubts, left
        line.strain = line.cost + doubts - PLY * len(line.moves)

    def _gain(self, square: chess.Square, contents: Contents) -> tuple[float, float]:
        """Nats over "nothing happened" if a square held these in turn, and by how many more it is left unexplained."""
        history = self.history
        gain = history.value(square, contents) - history.value(square, (NEW + square,))
        left = history.lack(square, contents[-1]) - float(self.lack[square]) if history.open[square] else 0.0
        return gain, left

    def _stood(self) -> Iterator[tuple[chess.Square, chess.Color]]:
        """Where men were told to have come and were seen to stand for a while, and whose."""
        for ply in self.told.path():
            move = ply.moves[-1]
            if ply.parent is not None and ply.at < np.inf and type(move) is chess.Move:
                square, color = move.to_square, ply.parent.board.turn
                if self.history.stood(square, color, ply.at):
                    yield square, color

    def _has_come(self, line: Line) -> bool:
        """Whether in a line men have come to all of these places, too."""
        came = {(ply.moves[-1].to_square, ply.parent.board.turn) for ply in line.path() if ply.parent is not None}
        return all(place in came for place in self.stood)

    def _disorder(self, line: Line) -> float:
        """Nats against plies that were seen in another order."""
        against, latest = 0.0, self.played
        path = line.path()
        seen = [self._when(ply, line) for ply in path]
        for number, (ply, then) in enumerate(zip_longest(path, path[1:]), 1):
            square, (at, after) = ply.moves[-1].to_square, seen[number - 1]
            against += ply.unseen + min(INVERTED * max(after - ply.vacant - VACANT, 0.0), DISORDER)
            left = self._left_at(ply, line)
            if self.began <= after and at < np.inf:
                against += self._stayed(ply, line, at)
            first = min(at, left)
            if first < latest:  # one seen to have come before he left has been taken for another
                first = max(first, self._stood_until(ply, line))
            if first < latest:
                most = UNLIKELY if isinstance(ply.moves[-1], Illegal) else DISORDER
                against += min(INVERTED * (latest - first), most)
            if at < np.inf:
                latest = max(latest, min(after, left))
            else:
                against += UNWITNESSED
                latest = max(latest, self._stood_until(ply, line))
                if _changes_again(ply, line, square):
                    against += self._came_and_went(ply, square, path[number:], seen[number:])
                elif ply.moves[-1]:  # he stands there since, and did not while it lay open, or reads as another
                    latest = max(latest, min(after, left))
            if not after < self.history.missed_until <= at:
                against += self._replaced(ply, square)
            against += self.plies.disorder(self.history, ply, then)
        return against

    def _when(self, ply: Line, line: Line) -> Seen:
        """When a ply of a line was first seen on the square it comes to, and until when it was seen not to have been
        played; what came there later is not taken for it."""
        square, history = ply.moves[-1].to_square, self.history
        if ply.settled is not None:
            return ply.settled
        doubtful = ply.at == np.inf or ply.turn != history.turns[square]
        if doubtful and ply.moves[-1] and square in ply.contents:
            ply.at, ply.turn = self.plies.seen_at(history, ply), history.turns[square]
            ply.after = history.open_until(square, ply.at)
            ply.vacant = self._vacant(ply, square)
            if ply.unseen and ply.parent is not None:
                mover = ply.parent.board.turn
                shown = history.has_shown(square, mover, self.latest(ply.parent))
                ply.unseen = 0.0 if shown else ply.unseen
        if self.plies.slow or not ply.moves[-1] or not _changes_again(ply, line, square):
            return ply.at, ply.after
        held, number = line.contents[square], len(ply.contents[square])
        at, gone = (history.switched(square, held, n) for n in (number - 1, number))
        assert ply.parent is not None
        if self.began < at < gone and history.has_been(square, 0 if ply.parent.board.turn else 1, at, gone):
            return at, history.open_until(square, at)
        return np.inf, history.stayed(square, held, number - 1, np.inf)[0]

    def _left_at(self, ply: Line, line: Line) -> float:
        """When the man that a ply of a line moves was first seen not to stand where he had stood from the root on;
        infinity where he was not, or never seen to stand there."""
        move = ply.moves[-1]
        held = ply.contents.get(move.from_square, ())
        if self.plies.slow or move.from_square == move.to_square or len(held) != 2:
            return np.inf
        if _changes_again(ply, line, move.from_square):
            at = self.history.switched(move.from_square, line.contents[move.from_square], 1)
            return at if at > self.began else np.inf
        turn = self.history.turns[move.from_square]
        if ply.left_at[1] != turn:
            at = self.history.switched(move.from_square, held, -1)
            ply.left_at = (at if at > self.began else np.inf), turn
        return ply.left_at[0]

    def _stood_until(self, ply: Line, line: Line) -> float:
        """When the man that a ply of a line moves was last seen where he had stood."""
        left = ply.moves[-1].from_square
        if self.plies.slow or not ply.moves[-1] or left == ply.moves[-1].to_square:
            return -np.inf
        return self.history.stayed(left, line.contents[left], len(ply.contents[left]) - 1, np.inf)[0]

    def _stayed(self, ply: Line, line: Line, at: float) -> float:
        """Nats against a ply of a line, seen at a time, if the man that it moves was seen to stay where he had stood
        after he came to where he went, or until so shortly before that no hand could have carried him."""
        left, to = ply.moves[-1].from_square, ply.moves[-1].to_square
        if self.plies.slow or left == to:
            return 0.0
        held, number = line.contents[left], len(ply.contents[left]) - 1
        until, against = self.history.stayed(left, held, number, at)
        last = until - self.history.step  # he was not seen there any more when that ended
        if until <= at < last + CARRIED:
            return min(HASTY * (1 - (at - last) / CARRIED), self.history.stayed(left, held, number, last)[1])
        return min(INVERTED * max(until - at, 0.0), DISORDER, against)

    def _vacant(self, ply: Line, square: chess.Square) -> float:
        """When who is captured was first seen gone; infinity for no capture, or of one whom nobody has seen there."""
        held = ply.contents[square]
        assert ply.parent is not None
        if self.plies.slow or held[-2] != EMPTY or ply.parent.content(square) == EMPTY:
            return np.inf
        came = [other for other in ply.parent.path() if other.moves[-1] and other.moves[-1].to_square == square]
        return np.inf if came and came[-1].at == np.inf else self.history.switched(square, held, -2)

    def _replaced(self, ply: Line, square: chess.Square) -> float:
        """Nats against a drop where another man has stood whom nobody has seen gone."""
        if self.plies.slow or not ply.moves[-1].drop or len(ply.contents[square]) < 3:
            return 0.0
        stood = self.root.board.piece_at(square) and not self.history.has_been(square, 2, self.began)
        return REPLACED if stood else 0.0

    def _came_and_went(self, ply: Line, square: chess.Square, then: Sequence[Line], seen: Sequence[Seen]) -> float:
        """Nats against a man having come to a square whom nobody saw there, and who is there no more. `then`: the plies
        after it, by one of which he went, and when they were `seen`."""
        assert ply.parent is not None
        if self.history.has_been(square, 0 if ply.parent.board.turn else 1, self.began):
            return 0.0
        going = next((n for n, p in enumerate(then, 1) if square in _ends(p.moves[-1])), 0)
        stood = (
            min((at for at, _ in seen[:going]), default=np.inf),
            max((to for _, to in seen[:going]), default=-np.inf),
        )
        if stood[0] < stood[1] and self.history.lay_open(square, *stood):
            return DISORDER
        return PASSING * max(BETWEEN - self.history.hidden_for(square, self.began), 0.0)

    def _term(self, line: Line, pockets: Pockets) -> float:
        told = self.told
        if line.dropped == told.dropped and line.captured == told.captured:
            return 0.0
        known, drops = Counter(told.dropped), list[Drop]()
        seen, captures = Counter(told.captured), list[Capture]()
        standing = line.standing() if line.dropped or line.captured else []
        # When each had been played at last: before the first that was seen after it.
        latest = accumulate((ply.at for ply in reversed(standing)), min)
        for ply, at in zip(standing, reversed(list(latest)), strict=True):
            if ply.parent is not None and len(ply.captured) > len(ply.parent.captured):
                if seen[ply.captured[-1]]:
                    seen[ply.captured[-1]] -= 1
                else:
                    captures.append((ply.captured[-1][0], ply.after))
            if ply.moves[-1].drop and ply.parent is not None and len(ply.dropped) > len(ply.parent.dropped):
                color, kind = ply.dropped[-1]
                if known[color, kind]:
                    known[color, kind] -= 1
                else:
                    drops.append((color, kind, at))
        return pockets.term(drops, captures)

    def _prune(self, more: float) -> None:
        top = max(line.total for line in self.lines)
        sure = self._sure()
        # Of lines that come to the same, what was told stays so unless another is so much better as to mend it.
        self.lines.sort(key=lambda line: -line.total - (WRONG if self._goes_on(line) else 0.0))
        kept: dict[tuple[object, ...], Line] = {}
        for line in self.lines:
            kept.setdefault(self._key(line), line)
        lines = [line for line in kept.values() if line.total + line.left + more > top - BEHIND]
        lines.sort(key=lambda line: -line.total)
        strained = self.told.strain + STRAINED
        regular = _best_by_men(line for line in lines if not has_illegal(line.moves) and line.strain < strained)
        lines = [line for line in lines if not line.forbidden or not self._only_by_kinds(line, regular)]
        half = (SLOW if self.plies.slow else WIDTH) // 2
        lines = lines[:half] + sorted(lines[half:], key=lambda line: -line.total - line.left / 2)[:half]
        self.lines = lines + [line for line in dict.fromkeys([self.root, self.told, *sure]) if line not in lines]

    def _key(self, line: Line) -> tuple[object, ...]:
        """Equal for lines that come to the same: position, and what went through the pockets."""
        return (*self.plies.key(line), tuple(sorted(line.dropped)), tuple(sorted(line.captured)))

    @staticmethod
    def _only_by_kinds(line: Line, regular: Mapping[Men, float]) -> bool:
        """Whether plies within the rules lead to men of the same colours on the same squares: kinds are misread."""
        return regular.get(men(line), -np.inf) > line.total - KINDS

    def _grow(self, line: Line) -> Iterator[Line]:
        changed, history = self.changed, self.history
        for square, contents in line.contents.items():
            bit = chess.BB_SQUARES[square]
            changed &= ~bit
            if history.recent & bit and history.lack(square, contents[-1]) > DOUBT:
                changed |= bit
        key = changed, history.seen, history.left, self.fed, self.forbidden, self.gone
        if not changed or line.grown == key or len(line.moves) - len(self.told.moves) >= DEPTH:
            return
        line.grown = key
        hidden = chess.BB_ALL & ~history.seen
        if hidden and all(line.moves) and (passed := self.plies.passed(line.board)) is not None:
            # One ply further, that nobody has seen yet: what follows can be told when it is.
            if UNSEEN not in line.plies:
                line.plies[UNSEEN] = Line(line, UNSEEN, passed)
                line.plies[UNSEEN].cost += PLY + BLIND
            yield line.plies[UNSEEN]
        if self._missed(line):
            hidden = chess.BB_ALL  # men may have come and gone anywhere
        for move in self.plies.grow(self, line, changed, hidden):
            yield self._after(line, move)

    def _missed(self, line: Line) -> bool:
        """Whether the ply after a line may have been played while nobody looked."""
        return self._until(line) <= self.history.missed_until

    def _until(self, line: Line) -> float:
        """Until when the last ply of a line was seen not to have been played, or one before."""
        return max((ply.after for ply in line.path()), default=self.began)

    def _after(self, line: Line, move: chess.Move) -> Line:
        if move not in line.plies:
            line.plies[move] = self.plies.after(self, line, move)
        return line.plies[move]

    def seen_in_turn(self, line: Line) -> bool:
        """Whether the last ply of a line has been seen on both squares, after those before it; what was told was."""
        if line.parent is None or len(line.moves) <= len(self.told.moves):
            return True
        move, since = line.moves[-1], self.latest(line.parent)
        mover = 0 if line.parent.board.turn else 1
        came = self.history.has_been(move.to_square, mover, since)
        return came and (bool(move.drop) or self.history.has_been(move.from_square, 2, since))

    def since(self, line: Line) -> float:
        """From when on the ply after a line may have been played: where nobody looked, before the last was seen."""
        looked_away = self.history.missed_until > -np.inf and self._missed(line)
        return self._until(line) if looked_away else self.latest(line)

    def latest(self, line: Line) -> float:
        """When the last ply of a line that was seen was first seen."""
        return max((ply.at for ply in line.path() if ply.at < np.inf), default=self.began)


def _as_held(move: chess.Move, color: chess.Color, kind: chess.PieceType) -> chess.Move:
    """A move; a drop of such a man as one within the rules."""
    return move.plain() if isinstance(move, Illegal) and (move.color, move.drop) == (color, kind) else move


def _ends(move: chess.Move) -> tuple[chess.Square, ...]:
    """The squares that a ply leaves and comes to; none of one that nobody has seen."""
    return (move.from_square, move.to_square) if move else ()


def _changes_again(ply: Line, line: Line, square: chess.Square) -> bool:
    """Whether a square that a ply of a line has changed changes once more later in that line."""
    return len(line.contents.get(square, ())) > len(ply.contents.get(square, ()))


def in_common(
    some: tuple[chess.Move, ...],
    others: tuple[chess.Move, ...],
    same: Callable[[chess.Move, chess.Move], bool] = operator.eq,
) -> int:
    """How many plies two lines have in common."""
    number = 0
    for one, other in zip(some, others, strict=False):
        if not same(one, other):
            break
        number += 1
    return number


def as_much(line: Line, best: Line) -> bool:
    """Whether a line explains about as much as the best, which is against the rules."""
    return line.left <= min(LEFT, best.left + LESS)


def rather(line: Line, best: Line) -> bool:
    """Whether such a line is within the rules and leads to men on other squares."""
    return not has_illegal(line.moves) and men(line) != men(best) and as_much(line, best)


def men(line: Line) -> Men:
    """Where men stand at the end of a line."""
    return line.board.occupied_co[chess.WHITE], line.board.occupied_co[chess.BLACK]


def _best_by_men(lines: Iterable[Line]) -> dict[Men, float]:
    """The highest total of lines by where men stand at their end."""
    best: dict[Men, float] = {}
    for line in lines:
        best[men(line)] = max(line.total, best.get(men(line), -np.inf))
    return best
