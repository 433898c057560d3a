"""The lines of play that could have led to what one board shows, kept from look to look.

Every line begins at a root, a position that is not in doubt any more. A line grows by a ply where it does not explain
a square that changed, and is scored anew after every look by all that its changed squares have shown since the root.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, permutations, product
from typing import Any

import chess
import chess.variant
import numpy as np

from rules.gains import PLY, Gains
from rules.history import DOUBT, NEW, History
from rules.irregular import Illegal, TakenBack, has_illegal
from rules.kept import Kept
from rules.lines import LEFT, UNSEEN, Line, Men, best_by_men, ends, in_common, men, rather
from rules.observation import group_of
from rules.plies import Plies, Pockets
from rules.sightings import Sightings

BLIND = 5.0  # and every one that was not seen at all
NO_TRACE = 4.0  # and one that was not, while all lies open
STRAINED = 1.5  # nats that speak against a line, from which one against the rules may be as good
KINDS = 4.0  # nats by which it must beat plies within the rules that differ in what kinds men are alone
WIDELY = 0.45  # seconds for which nothing has explained what lies open, from which lines are looked for that explain
# more by several plies,
PUZZLED = 0.3  # and from which
GROWS, RELIEF = 8.0, 2.5  # by so many nats a second, and at most, it is less against a ply that the rules forbid it,
MISREAD = 3.0  # which leaves no more than this unexplained: the kind of one man
OTHER_KIND = 1.0  # nats by which a drop within the rules that differs in what kind a man is alone must be worse
RATHER = 5.0  # nats by which a line against the rules must beat any within them that explains as much by other men
EXACT = 6  # decimals by which totals differ, beyond what machines reckon differently
WRONG = 6.0  # nats by which a line must beat what was told to mend it, and what it leaves unexplained counts
STOOD = 2.5  # nats against a line in which no man has come to where he was told to, and seen to stand for a while
DISSENT = 3.0  # and from which on nothing more is told that goes on from there
WHICHEVER = 2.0  # nats by which lines without a ply of his must lie behind, for somebody surely to have played
KEPT, SLOW = 40, 16  # lines kept of the best, and of the likely; and where plies are slow
GROWN = 16  # lines of each, and of those that hope most, that may grow after one look,
SURELY = 3  # and where plies are slow, of those one ply beyond what was told, within the rules
MOST = 320  # plies tried after one look; where that is not enough, the next look goes on
MISSED = 640  # and where some may have been played while nobody looked; those that hope most are kept then, too
BEHIND = 16.0  # nats by which a line may lie behind the best and still hope
FEW = 3  # plies that are tried in any other order, too, with a drop among them where one is missed
DEPTH = 6  # plies by which a line may go beyond what has been told


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
        self.sightings = Sightings(history, plies, played)
        self.fed = 0  # how often a pocket was filled
        self.gains = Gains(history)
        self.more = 0.0  # nats that plies could gain, by what shows in pockets, or showed of what was told
        self.wide = False  # whether lines are looked for that explain more by several plies
        self.kept = Kept()
        self.missed = False  # whether any beyond the root may have been played while nobody looked
        self.stood: tuple[tuple[chess.Square, chess.Color], ...] = ()  # who came there and was seen for a while

    def best(self) -> Line:
        """The line that explains most; of equals the shorter, or that which was best before, or goes on from there. One
        within the rules is taken for it unless one against them is much better: a square may be misread."""

        def rank(line: Line) -> tuple[float, int, int]:
            return round(line.total, EXACT), -len(line.moves), in_common(line.moves, self._last_best.moves)

        most = max(line.total for line in self.lines) - 10**-EXACT
        top = max((line for line in self.lines if line.total > most), key=rank)
        if top.left > LEFT and has_illegal(top.moves):
            explaining = [line for line in self.lines if line.left <= LEFT and line.total > top.total - RATHER]
            top = max(explaining, key=rank, default=top)
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
        """Who has played a ply that is not told yet, whichever it is, and since when he may have."""
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
                found[color] = min(times)
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
        self.gains = Gains(self.history)
        self.more = pockets.hope() + self.kept.hope()
        self.missed = self.history.missed_until > self.sightings.began
        self.wide = self.missed or (riddle > WIDELY and not self.plies.slow)
        self.stood = () if self.plies.slow else tuple(self._stood())
        for line in self.lines:
            self._score(line, pockets)
        kept, most = SLOW if self.plies.slow else KEPT, MISSED if self.missed else MOST
        tried, always, done = 0, self._sure(), set[Line]()
        for _ in range(DEPTH):
            top = max(line.total for line in self.lines)
            if self.wide:
                self.gains.survey()
            for line in self.lines:
                line.hope = self._hope(line)
            best = sorted(self.lines, key=lambda line: -line.total)[:GROWN]
            likely = sorted(self.lines, key=lambda line: -line.total - line.left / 2)[:GROWN]
            # Of three plies on one square that nobody saw, the first two look bad until the third is there.
            hopeful = sorted((line for line in self.lines if line not in done), key=lambda line: -line.hope)[:GROWN]
            growing = dict.fromkeys([*best, *likely, *hopeful, *always])
            grew = self.wide and not done.issuperset(growing)
            done.update(growing if self.wide else ())
            for line in growing:
                if tried < most and (line in always or line.hope > top - PLY):
                    for child in self._grow(line):
                        tried += 1
                        self._score(child, pockets)
                        child.hope = self._hope(child)
                        if child.hope > top - BEHIND and child not in self.lines:
                            self.lines.append(child)
                            grew = True
            self._prune(kept)
            if not grew:
                break
        for line in () if self.plies.slow else (*self._reordered(), *self._with_drops(), *self._in_two()):
            if line not in self.lines:
                self._score(line, pockets)
                if line.total > top - BEHIND:
                    self.lines.append(line)
        if riddle > PUZZLED and not self.plies.slow:
            self._relieve(min((riddle - PUZZLED) * GROWS, RELIEF))

    def _reordered(self) -> Iterator[Line]:
        """The plies of the best line, if it is not told yet, in any other order, and without one that nobody has seen:
        that may only have been thought of as it was the other side's turn."""
        best = max(self.lines, key=lambda line: line.total)
        moves = best.moves
        if moves == self.told.moves or any(type(move) is not chess.Move for move in moves):
            return
        unseen = [number for number, ply in enumerate(best.path()) if ply.at == np.inf]
        some = (moves, *(moves[:number] + moves[number + 1 :] for number in unseen))
        for plies in (plies for plies in some if 1 < len(plies) <= FEW):
            yield from filter(None, (self._played(order) for order in permutations(plies)))

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

    def _in_two(self) -> Iterator[Line]:
        """The plies of the best line, with two of one man within the rules, and the reply between them, in place of one
        against the rules: where he was meanwhile nobody has seen."""
        best = max(self.lines, key=lambda line: line.total)
        moves, told = best.moves, len(self.told.moves)
        for number, (move, reply) in enumerate(pairwise(moves)):
            if number < told or not isinstance(move, Illegal) or move.drop or type(reply) is not chess.Move:
                continue
            before = self._played(moves[:number])
            here = chess.BB_SQUARES[move.from_square]
            for first in before.board.generate_legal_moves(here) if before else ():
                then = chess.Move(first.to_square, move.to_square)
                yield from filter(None, [self._played((*moves[:number], first, reply, then, *moves[number + 2 :]))])

    def _played(self, moves: Sequence[chess.Move]) -> Line | None:
        """The line of these plies; None where the rules forbid one."""
        line = self.root
        for move in moves:
            if move not in line.plies and not line.board.is_legal(move):
                return None
            line = self._after(line, move)
        return line

    def _relieve(self, nats: float) -> None:
        """Count it less against lines that explain everything but a kind that they need a ply against the rules: only
        one square or two speak for it, and count once, but a man who is not there is seldom read for so long, unless
        another before him is. Not beyond what else against the rules explains as much, and better."""
        explaining = [line for line in self.lines if line.left < MISREAD]
        legal = best_by_men(line for line in explaining if not has_illegal(line.moves))
        explaining = [line for line in explaining if has_illegal(line.moves)]
        shown = [line for line in explaining if any(map(self._forbidden_in_sight, line.moves))]
        others = max((line.total for line in explaining if line not in shown), default=-np.inf)
        for line in shown:
            if legal.get(men(line), -np.inf) < line.total - OTHER_KIND:
                line.total = min(line.total + nats, others) if line.total < others else line.total + nats

    def _forbidden_in_sight(self, move: chess.Move) -> bool:
        """Whether it is against the rules, and no man hides its squares."""
        return isinstance(move, Illegal) and not any(self.history.covered >> square & 1 for square in ends(move))

    def _sure(self) -> list[Line]:
        """What was told: the ply that follows may show late, behind many that seemed better. Where plies are slow, the
        likeliest lines that go on from there within the rules, too: what was seen again and again counts more often
        than it is left over."""
        if not self.plies.slow:
            return [self.told]
        then = [line for line in self.lines if line.parent is self.told and not isinstance(line.last, Illegal)]
        return [self.told, *sorted(then, key=lambda line: -line.total)[:SURELY]]

    def tell(self, line: Line, pockets: Pockets) -> None:
        """A line has been told; the pockets will be told of its plies."""
        self.kept.tell(line, pockets)
        for ply in line.path():
            seen = ply.at, ply.after = self.sightings.when(ply, line)
            ply.looked, ply.alone = -1, None
            ply.settled = seen if ply.at < np.inf and not self.sightings.is_followed(ply, line, ply.at) else None
        self.told = line
        self._trim()

    def advance(self) -> None:
        """The first ply of what has been told is in doubt no more: lines that do not begin with it are dropped."""
        first = self.told.path()[0]
        history = self.history
        contents = first.contents_of_all()
        self.lines = [line for line in self.lines if first in line.path()] or [self.told]
        best = max(self.lines, key=lambda line: line.total)
        self.sightings.advance(best)
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
        if self.root.before is not None:
            self.root.before.before = None
        self.root.plies = {}
        self.kept.settle(first, self.root)
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
        total, left = -line.cost, self.gains.whole
        for change in line.contents.items():
            gain, less = self.gains.of(*change)
            total, left = total + gain, left + less
        against, left_again = self.sightings.against(line)
        if history.seen == chess.BB_ALL and UNSEEN in line.moves:
            against += NO_TRACE
        if self.stood and not self._goes_on(line) and not self._has_come(line):
            against += STOOD
        term = self.kept.term(line, pockets)
        doubts = against - term
        line.total, line.left = total - doubts, left
        line.least = line.total - PLY + max(self.more - max(term, 0.0), 0.0) + (against if self.wide else left_again)
        line.strain = line.cost + doubts - PLY * len(line.moves)

    def _hope(self, line: Line) -> float:
        return line.least + (self.gains.to_come(line) if self.wide else line.left)

    def _stood(self) -> Iterator[tuple[chess.Square, chess.Color]]:
        """Where men were told to have come and were seen to stand for a while, and whose."""
        for ply in self.told.path():
            move = ply.moves[-1]
            played = ply.parent is not None and ply.at < np.inf and type(move) is chess.Move
            if played and self.history.stood(move.to_square, ply.by(), ply.at):
                yield move.to_square, ply.by()

    def _has_come(self, line: Line) -> bool:
        """Whether in a line men have come to all of these places, too."""
        came = {(ply.moves[-1].to_square, ply.by()) for ply in line.path() if ply.parent is not None}
        return all(place in came for place in self.stood)

    def _prune(self, kept: int) -> None:
        top = max(line.total for line in self.lines)
        sure = self._sure()
        # Of lines that come to the same, what was told stays so unless another is so much better as to mend it.
        self.lines.sort(key=lambda line: -line.total - (WRONG if self._goes_on(line) else 0.0))
        alike: dict[tuple[object, ...], Line] = {}
        for line in self.lines:
            alike.setdefault(self._key(line), line)
        lines = [line for line in alike.values() if line.hope > top - BEHIND]
        lines.sort(key=lambda line: -line.total)
        strained = self.told.strain + STRAINED
        regular = best_by_men(line for line in lines if not has_illegal(line.moves) and line.strain < strained)
        lines = [line for line in lines if not line.forbidden or not self._only_by_kinds(line, regular)]
        rest = sorted(lines[kept:], key=lambda line: -line.total - line.left / 2)
        hopeful = sorted(rest[kept:], key=lambda line: -line.hope)[: kept if self.wide else 0]
        lines = lines[:kept] + rest[:kept] + hopeful
        self.lines = lines + [line for line in dict.fromkeys([self.root, self.told, *sure]) if line not in lines]

    def _key(self, line: Line) -> tuple[object, ...]:
        """Equal for lines that come to the same: position, and what went through the pockets."""
        return (*self.plies.key(line), tuple(sorted(line.dropped)), tuple(sorted(line.captured)))

    @staticmethod
    def _only_by_kinds(line: Line, regular: Mapping[Men, float]) -> bool:
        """Whether plies within the rules lead to men of the same colours on the same squares: kinds are misread."""
        return regular.get(men(line), -np.inf) > line.total - KINDS

    def _grow(self, line: Line) -> Iterator[Line]:
        changed, history = self.gains.changed, self.history
        for square, contents in line.contents.items():
            bit = chess.BB_SQUARES[square]
            changed &= ~bit
            if history.recent & bit and history.lack(square, contents[-1]) > DOUBT:
                changed |= bit
        key = changed, history.seen, history.left, self.fed, self.forbidden, self.gone, self.wide, round(self.more)
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
        if self.sightings.missed(line):
            hidden = chess.BB_ALL  # men may have come and gone anywhere
        for move in self.plies.grow(self, line, changed, hidden):
            yield self._after(line, move)

    def _after(self, line: Line, move: chess.Move) -> Line:
        if move not in line.plies:
            line.plies[move] = self.plies.after(self, line, move)
        return line.plies[move]

    def seen_in_turn(self, line: Line) -> bool:
        """Whether the last ply of a line has been seen on both squares, after those before it; what was told was."""
        if line.parent is None or len(line.moves) <= len(self.told.moves):
            return True
        move, since = line.moves[-1], self.sightings.latest(line.parent)
        came = self.history.has_been(move.to_square, group_of(line.by()), since)
        return came and (bool(move.drop) or self.history.has_been(move.from_square, 2, since))


def _as_held(move: chess.Move, color: chess.Color, kind: chess.PieceType) -> chess.Move:
    """A move; a drop of such a man as one within the rules."""
    return move.plain() if isinstance(move, Illegal) and (move.color, move.drop) == (color, kind) else move
