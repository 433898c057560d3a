"""What the squares of one board have shown: a spell for each time a square lay open.

While a square lies open it shows the same thing in every picture, so a spell counts once however long it lasts; only
the first fraction of a second adds to its weight. Nor do several count much more than one, if they show the same and
nothing came between; to hold that it did, each counts in full. A spell that has ended still counts: what stood there
between two arms has been seen.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from rules.appearance import Appearance
from rules.evidence import Experience, N, likelihoods
from rules.observation import EMPTY, Observation, group_of, groups, next_to

Floats = NDArray[np.float64]

NEW = N  # the first content that is no label
FULL = 0.25  # seconds after which a spell has its whole weight
FIRST = 0.1  # seconds by which a spell counts as longer than from its first look to its last
AGAIN = 0.3  # weight of a spell that shows what those before it showed: readers err the same way again;
STILL = 0.8  # of what an open square calls for, in such a one: so does one who sees half of what stands there
LASTING = 0.5  # seconds for which a man must be seen to stand somewhere to have surely stood there
BLIP = 0.2  # seconds for which an open square must read otherwise to have changed, where
RESTLESS = 0.01  # of them do from look to look,
FLICKERING = 2.0  # seconds long
STEADY = 0.1  # seconds for which a square must lie open to count as seen
SHORT = 0.15  # weight under which a spell that has ended is forgotten
GAP = 1.0  # seconds without a look after which nothing is known to have lain open meanwhile
KEPT = 10  # spells a square
RECENT = 2.0  # seconds for which the last spell of a hidden square still calls for an explanation
CLEAR = 4.0  # nats by which a square must show who stood there rather than that he has gone, to be sure of it
DOUBT = 1.0  # nats by which another content must explain a square better before it counts as changed

SURELY = 0.95  # probability from which a man is surely read,
FADED = 0.3, 0.8  # and of nobody, between which he has gone, though it says little, once his square has lain open
AWHILE = 0.8  # for so many seconds:
GONE = 3.0  # nats against him. Of 12,516 such in 13 filmed matches who stood there still none faded so, of 737 who had
# gone all had; in a 14th one did, before whom a taller man had been dropped.

UNLIKE = 0.5  # nats by which it must have shown earlier to have come earlier

Contents = tuple[int, ...]
"""What a square has held, one after the other. Below 13: a label newly come; 13 + s: what stood on square s before."""


class Spell(NamedTuple):
    """One time for which a square lay open. `values`: 77 weighted log-likelihoods, by content that came to it since the
    spell before; `again`: if it held the same then; `group`: white, black or empty (0, 1, 2), as it read."""

    start: float
    end: float
    values: list[float]
    again: list[float]
    group: int


class Moved(NamedTuple):
    """If what a square holds has changed before each of its spells, or after all: `likely`, log-likelihoods of what it
    has shown, one more than spells; `highest` of these up to each; `until`: when it was last seen to hold what it held
    before; `ends` of the spells."""

    likely: list[float]
    highest: list[float]
    until: float
    ends: list[float]


class History:
    """The spells of 64 squares. By square and content, (64, 77) weighted log-likelihoods of what each shows or last
    showed: `now`, by itself; `came`, if that has come there since the spell before; `again`, if it was there then."""

    def __init__(self, experience: Experience) -> None:
        self.experience = experience
        self.appearance = Appearance()
        self.spells: list[list[Spell]] = [[] for _ in range(64)]
        # From when to when each lay open, also where that is no riddle any more.
        self.spans: list[deque[tuple[float, float]]] = [deque(maxlen=KEPT) for _ in range(64)]
        self.probabilities = np.full((64, N), 1 / N)
        self.open = np.zeros(64, np.bool_)
        self.since = np.zeros(64)  # what it shows has been seen there,
        self.opened = np.zeros(64)  # and it has lain open
        self.group = np.full(64, -1)  # white, black or empty, as it reads
        self.odd = np.full(64, -1)  # as which an open square reads that has read otherwise,
        self.odd_since = np.zeros(64)  # and since when
        self.last = np.full(64, -1)  # the label that the last spell showed
        self.surely = np.zeros(64, np.bool_)  # whether it was so surely,
        self.told = np.zeros(64)  # weight of the spells that have shown that since another,
        self.factor = np.ones(64)  # and of this one, if nothing has changed
        self.ended = np.full(64, -np.inf)
        self.now = np.zeros((64, NEW + 64))
        self.again = np.zeros((64, NEW + 64))
        self.came = np.zeros((64, NEW + 64))
        self.best = np.zeros(64)  # the highest of `now`, by square
        self.recent: chess.Bitboard = 0  # squares for which `now` holds
        self.seen: chess.Bitboard = 0
        self.covered: chess.Bitboard = 0  # squares of which men before them hide much
        self.missed: chess.Bitboard = 0  # squares that have not been seen since a time without any look,
        self.missed_until = -np.inf  # and when that ended
        self.left: chess.Bitboard = 0  # squares that look about as empty as if he stood there who did
        self.time = self.step = 0.0  # of the last look, and since the one before
        self.lasting = np.zeros(64)  # seconds for which a square has lain open
        self.turns = [0] * 64  # how often each has been opened or hidden
        self.version = 0  # of all that is told here
        self._likely: Floats | None = None
        self._grouped = np.zeros((64, NEW + 64))
        # Whether each may show a man of the colour that a content has, or nobody if that is empty.
        self._may_hold = np.ones((64, NEW + 64), np.bool_)
        # What the spells of each square say, and how often these have changed.
        self._splits: list[dict[Contents, list[float]]] = [{} for _ in range(64)]
        self._moved: list[dict[tuple[Contents, int], Moved]] = [{} for _ in range(64)]
        self._switched: list[dict[tuple[object, ...], float]] = [{} for _ in range(64)]
        self._changes = [0] * 64

    def look(self, observation: Observation, labels: NDArray[np.int64]) -> None:
        """Take in a look. `labels`: (64,) of the position against which contents are counted."""
        before, time = self.time, observation.time
        self.time, self.step = time, time - before
        self.version += 1
        found, seen = self.experience.readings.look(observation.probabilities(), observation.seen, time)
        read = found.argmax(1)
        group = groups(read)
        gap = time - before > GAP
        if gap and before:
            self.missed, self.missed_until = chess.BB_ALL, time
        # Nothing comes or goes in the open: where squares flicker, what reads otherwise for a moment is misread.
        other = self.open & seen & (group != self.group)
        fresh = other & (group != self.odd)
        share = fresh.sum() / max(int((self.open & seen).sum()), 1)
        experience = self.experience
        experience.flicker += min((time - before) / FLICKERING, 1.0) * (share - experience.flicker)
        self.odd_since[~other | fresh] = time
        self.odd = np.where(other, group, -1)
        if experience.flicker > RESTLESS and not gap:
            blip = other & (time - self.odd_since < BLIP)
            found = np.where(blip[:, None], self.probabilities, found)
            read, group = found.argmax(1), np.where(blip, self.group, group)
        ends = self.open & (~seen | (group != self.group) | gap)
        for square in np.flatnonzero(ends):
            self._close(int(square), before if gap else time)
        begins = seen & (~self.open | ends)
        for square in np.flatnonzero(begins | ends):
            self.turns[square] += 1
        self.told *= ~begins | (read == self.last)
        self.factor[begins] = 1 - (1 - AGAIN) * self.told[begins]
        self.since[begins] = np.minimum(time, observation.since[begins])
        self.opened[begins] = time
        if self._likely is None or not np.array_equal(found[seen], self.probabilities[seen]):
            self.probabilities[seen] = found[seen]
            self._likely = likelihoods(
                *(self.probabilities, labels, self.experience, observation.covered, observation.lying)
            )
            self._grouped = _by_group(self._likely, labels)
            self._may_hold = self._grouped >= self._grouped.max(1)[:, None] - DOUBT
        self.open, self.group = seen.copy(), np.where(seen, group, self.group)
        self.lasting = np.where(seen, time - self.opened, 0.0)
        came = np.minimum((time - self.since + FIRST) / FULL, 1.0)[:, None] * self._likely
        again = self.factor[:, None] * came
        both, otherwise = came.copy(), self.appearance.look(observation)
        like = np.flatnonzero(self.factor < 1)  # those that have shown the same before
        if len(like):
            factor, weight = self.factor[like, None], np.minimum((time - self.since[like] + FIRST) / FULL, 1.0)[:, None]
            both[like] = (again[like] + (1 - factor) * (weight * self._grouped[like])) * STILL
            as_read = np.concatenate([np.arange(NEW), labels]) == read[like, None]
            against = weight * otherwise[like, None] * as_read
            came[like] -= against
            again[like] -= against
        for kept, new in (self.now, both), (self.came, came), (self.again, again):
            np.copyto(kept, new, where=seen[:, None])
        gone = np.flatnonzero(self._faded(labels))
        for shown in self.now, self.again:
            shown[gone, NEW + gone] -= GONE
        self.best = self.now.max(1)
        self.seen, self.covered = bitboard(seen), bitboard(observation.covered)
        self.missed &= ~self.seen
        self.left = self.doubtful(EMPTY)
        self.recent = bitboard(seen | (time - self.ended < RECENT))

    def _faded(self, labels: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(64,) squares that show little of who was surely seen there; not where one newly come beside him may stand
        before him."""
        nobody = self.probabilities[:, EMPTY]
        little = (nobody > FADED[0]) & (nobody < FADED[1]) & (self.lasting > AWHILE)
        little &= self.surely & (self.last == labels)
        return little & ~next_to(self.open & ~self.as_labelled(labels)) if little.any() else little

    def _close(self, square: int, time: float) -> None:
        weight = min((time - self.since[square] + FIRST) / FULL, 1.0)
        self.open[square] = False
        if weight < SHORT + FIRST / FULL:
            return
        self.spans[square].append((float(self.since[square]), time))
        values, again = self.came[square].tolist(), self.again[square].tolist()
        group = int(groups(self.came[[square], :NEW].argmax(1))[0])
        self.spells[square].append(Spell(float(self.since[square]), time, values, again, group))
        del self.spells[square][:-KEPT]
        read = int(self.probabilities[square].argmax())
        same = bool(read == self.last[square])
        if not same:
            self.appearance.forget(square)
        if weight == 1.0:  # while an arm goes by men look otherwise
            self.appearance.hide(square)
        self.told[square] = max(self.told[square] * same, weight)
        self.last[square] = read
        self.surely[square] = read != EMPTY and self.probabilities[square, read] > SURELY
        self.ended[square] = time
        self._forget(square)

    def _forget(self, square: int) -> None:
        for known in self._splits[square], self._moved[square], self._switched[square]:
            known.clear()
        self._changes[square] += 1

    def value(self, square: int, contents: Contents) -> float:
        """Log-likelihood of all a square has shown, if it held these in turn, changing when it fits best."""
        known = self._splits[square].get(contents)
        if known is None:
            known = self._splits[square][contents] = _split(self.spells[square], contents)
        if not self.open[square]:
            return max(known)
        best = known[-1] + float(self.again[square, contents[-1]])
        if len(known) > 1:
            best = max(best, max(known[:-1]) + float(self.came[square, contents[-1]]))
        return best

    def lack(self, square: int, content: int) -> float:
        """Nats by which some other content would explain better what a square shows."""
        return float(self.best[square] - self.now[square, content])

    def lacking(self) -> tuple[chess.Bitboard, Floats]:
        """Squares better explained by a change, and (64,) how much better, 0 for the others."""
        lack = self.best - _own(self.now)
        changed = bitboard(lack > DOUBT) & self.recent
        return changed, lack

    def stands(self, square: int) -> bool:
        """Whether an open square clearly shows who stood there, and not that he has gone."""
        return bool(self.open[square] and self.again[square, NEW + square] - self.came[square, EMPTY] > CLEAR)

    def doubtful(self, content: int) -> chess.Bitboard:
        """Squares that lie open and show about as well what has come there as what stood there."""
        return bitboard(self.open & (self.came[:, content] > _own(self.again) - DOUBT))

    def kinds(self) -> Floats:
        """(64, 6) log-likelihoods of the kinds of man that open squares show."""
        return np.asarray(np.log(self.probabilities[:, :12].reshape(64, 2, 6).sum(1) + 1e-3))

    def open_until(self, square: int, time: float) -> float:
        """When a square had last lain open before a time."""
        return next((end for _, end in reversed(self.spans[square]) if end <= time), -np.inf)

    def lay_open(self, square: int, start: float, end: float) -> bool:
        """Whether a square was seen at some time between two."""
        now = self.open[square] and self.since[square] < end and self.time > start
        return bool(now) or any(e > start and s < end for s, e in self.spans[square])

    def hidden_for(self, square: int, since: float) -> float:
        """The longest time for which a square lay hidden, since then."""
        spans = [span for span in self.spans[square] if span[1] > since]
        if self.open[square]:
            spans.append((float(self.since[square]), self.time))
        ends = [since, *(end for _, end in spans)]
        starts = [*(start for start, _ in spans), self.time]
        return max(start - end for end, start in zip(ends, starts, strict=True))

    def has_shown(self, square: int, color: chess.Color, since: float) -> bool:
        """Whether a square has read as a man of a colour since a time."""
        group = group_of(color)
        return bool(self.open[square] and self.group[square] == group) or self.has_been(square, group, since)

    def has_been(self, square: int, group: int, since: float, before: float = np.inf) -> bool:
        """Whether a square has lain open since a time and read as white, black or empty (0, 1, 2), and no more does;
        `before`: in a spell that began by then."""
        return any(s.group == group and s.end > since and s.start < before for s in self.spells[square])

    def stood(self, square: int, color: chess.Color, since: float) -> bool:
        """Whether a square that is hidden or shows otherwise now has read as a man of a colour for a while since then:
        that is no accident."""
        return any(
            spell.end - spell.start > LASTING and spell.group == group_of(color)
            for spell in self.spells[square]
            if spell.start >= since
        )

    def showing(self, color: chess.Color) -> chess.Bitboard:
        """Squares that lie open and read as a man of a colour."""
        return bitboard(self.open & (self.group == group_of(color)))

    def as_labelled(self, labels: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(64,) whether squares read as full of the right colour, or as empty, as they should."""
        return np.asarray(self.group == groups(labels))

    def switched(self, square: int, contents: Contents, number: int, left: tuple[int, Contents] | None = None) -> float:
        """When the contents from `number` on were first seen there; infinity if they never were. `left`: the square
        that who came has left, and what it held up to then and since: he was not on both."""
        opened = self.open[square] and self._may_hold[square, contents[-1]]
        now = float(self.since[square]) if opened else np.inf
        key = contents, number, left, now, left and self._changes[left[0]]
        at = self._switched[square].get(key)
        if at is None:
            at = self._switched[square][key] = self._first_shown(square, contents, number, left, now)
        return at

    def _first_shown(
        self, square: int, contents: Contents, number: int, left: tuple[int, Contents] | None, now: float
    ) -> float:
        """The same. `now`: since when the square has been seen to hold the last of them, infinity if it does not."""
        spells, before, after = self.spells[square], contents[:number], contents[number:]
        values = self._sums(square, contents, number).likely
        at, best = now, values[-1] + self._gone_by(now, left)
        # Where a piece of a kind has taken back what took its like, what stood there first may pass for it.
        more = UNLIKE if len(before) > 1 and before[0] != after[-1] and EMPTY not in (before[0], after[-1]) else 0.0
        for k in range(len(spells) - 1, -1, -1):
            value = values[k] + self._gone_by(spells[k].start, left)
            if value > best + more:
                best, at = value, spells[k].start
        return at

    def _gone_by(self, time: float, left: tuple[int, Contents] | None) -> float:
        """Log-likelihood of what a square has shown if who stood there had left it by a time."""
        if left is None:
            return 0.0
        moved = self._sums(*left, -1)
        return moved.highest[bisect_right(moved.ends, time)]

    def stayed(self, square: int, contents: Contents, number: int, time: float) -> tuple[float, float]:
        """When a square was last seen to hold what came before the contents from `number` on, and nats against those
        having been there from a time on."""
        moved = self._sums(square, contents, number)
        return moved.until, moved.highest[-1] - moved.likely[bisect_right(moved.ends, time)]

    def _sums(self, square: int, contents: Contents, number: int) -> Moved:
        """What was seen there, if the contents from `number` on came before each spell, or after."""
        known = self._moved[square].get((contents, number))
        if known is not None:
            return known
        spells, before, after = self.spells[square], contents[:number], contents[number:]
        likely = [
            max(_split(spells[:k], before)) + max(_split(spells[k:], after, True)) for k in range(len(spells) + 1)
        ]
        highest = list(accumulate(likely, max))
        first = next(k for k, value in enumerate(likely) if value >= highest[-1] - DOUBT)
        gone = spells[first].start if first < len(spells) else np.inf
        until = max((end for start, end in self.spans[square] if start < gone), default=-np.inf)
        moved = self._moved[square][contents, number] = Moved(likely, highest, until, [spell.end for spell in spells])
        return moved

    def shown_after(self, square: int, content: int, time: float) -> float:
        """When a square first lay open after a time and showed what it may hold; infinity if it did not."""
        for spell in self.spells[square]:
            if spell.end > time and spell.values[content] >= max(spell.values) - DOUBT:
                return max(spell.start, float(np.nextafter(time, np.inf)))
        if self.open[square] and self.lack(square, content) <= DOUBT:
            return max(float(self.since[square]), float(np.nextafter(time, np.inf)))
        return np.inf

    def shown(self, square: int, before: Contents, after: Contents) -> bool:
        """Whether a square has been seen to hold something new, or may hold it for all that it shows now."""
        gain = self.value(square, after) - self.value(square, before)
        if self.open[square]:
            likely = self._likely[square] if self._likely is not None else self.now[square]
            fits = float(likely[after[-1]] - likely[before[-1]]) > -DOUBT
            return fits and gain > -DOUBT and self.lasting[square] >= STEADY
        return gain > DOUBT

    def advance(self, contents: NDArray[np.int64], times: dict[int, float]) -> None:
        """Count contents anew, from a later position: (64,) what it holds in the old terms.

        `times`: by square that changed, when that was first seen; what it showed before is past.
        """
        columns = np.concatenate([np.arange(NEW), contents])
        in_order = itemgetter(*columns.tolist())
        for square, spells in enumerate(self.spells):
            at = times.get(square)
            kept = [s for s in spells if at is None or s.start >= at]
            self.spells[square] = [
                s._replace(values=list(in_order(s.values)), again=list(in_order(s.again))) for s in kept
            ]
            self._forget(square)
        self.now, self.came, self.again = self.now[:, columns], self.came[:, columns], self.again[:, columns]
        self._likely = None
        self.version += 1

    def settle(self, squares: NDArray[np.bool_]) -> None:
        """What these squares have shown so far is no riddle any more."""
        for square in np.flatnonzero(squares):
            if self.spells[square]:
                self.spells[square].clear()
                self._forget(int(square))
        self._likely = None
        self.version += 1


def _split(spells: Sequence[Spell], contents: Contents, came: bool = False) -> list[float]:
    """The best sum over spells, contents taking turns in their order, by which of them is the last. `came`: the first
    spell shows what has come there since the one before."""
    if len(contents) == 1:
        only = contents[0]
        return [sum(spell.values[only] if came and not n else spell.again[only] for n, spell in enumerate(spells))]
    sums = [0.0] + [-np.inf] * (len(contents) - 1)
    for spell in spells:
        best = 0.0 if came else -np.inf
        for number, content in enumerate(contents):
            here = sums[number]
            sums[number] = best + spell.values[content]
            if not came:
                sums[number] = max(sums[number], here + spell.again[content])
                best = max(best, here)
        came = False
    return sums


def _own(likely: Floats) -> Floats:
    """(64,) of (64, 77): what each square says of who stood there himself."""
    return likely[np.arange(64), NEW + np.arange(64)]


def _by_group(likely: Floats, labels: NDArray[np.int64]) -> Floats:
    """(64, 77): for each content the highest value of all that are white, black or empty as it is."""
    group = groups(np.concatenate([np.arange(NEW), labels]))
    return np.stack([likely[:, group == g].max(1) for g in range(3)], 1)[:, group]


def bitboard(mask: NDArray[np.bool_]) -> chess.Bitboard:
    """A (64,) mask as python-chess's integer."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")
