"""What stands in one player's pocket, and what of it was passed on, is on its way, or dropped."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

import chess
import numpy as np

from rules.amounts import Amounts
from rules.arrivals import AWAITED, NEVER, SLOW, UNLIKE, arrivals
from rules.contents import Contents, each_kind
from rules.events import Event
from rules.match import Ply
from rules.observation import PocketObservation, label_index
from rules.passing import LAG, Passing, event_of, has_come
from rules.seats import BoardName, Player
from rules.seen import Men, Seen
from rules.slots import ANY, IMPOSSIBLE, OTHER, SAME, STRAY, Floats, Slot, alike, hidden_by

FOUND = 5.0  # nats for a capture that explains a piece already standing here, at most
ON_THE_WAY = 0.7  # seconds that a piece needs from where it is captured to where it is dropped, at least
HASTE = 3.0  # nats for every second less
STRAIGHT = 2.0  # and against one dropped straight from the partner's hand while his like lies here
ASTRAY = 4.0  # nats against who is seen to lie with the giver having been dropped
IN_HAND, LONGER = 3.0, 2.0  # seconds for which who is dropped is in the hand, at most, and nats for every second more
MISTAKEN = 1.75  # nats by which another kind must explain a pocket better to mend what was told
UNTOLD = 0.1  # likeness of a newcomer with what is not on its way: a capture may not have been told yet
HIMSELF = 2.0  # seconds before a drop is seen to have been taken back from which on who comes may be who was dropped
AWAY = 1.0  # seconds without any look, in which he may have come who was awaited
WHILE, KNOWN = 1.0, 0.98  # seconds for which one stands here, and probability, from which his kind is certain,
FEW = 6  # beside so many more at most of whom it is not
STEADY, FORGOTTEN = 0.5, 6.0  # seconds after which more pieces count as having stood here, and fewer, or no more


@dataclass(slots=True, eq=False)
class Pocket:
    """One player's pocket. `slots`: what stands in it; `held`: the kinds of these; `coming`: not seen here yet.

    Which slot is of which kind is never decided: only all of them together are what was captured.
    """

    board: BoardName
    color: chess.Color  # the owner
    slots: list[Slot] = field(default_factory=list)
    held: Counter[chess.PieceType] = field(default_factory=Counter)
    coming: list[Passing] = field(default_factory=list)
    astray: list[Passing] = field(default_factory=list)  # those of them who were last seen to lie with the giver
    undone: list[Passing] = field(default_factory=list)  # of captures just taken back
    latest: dict[chess.PieceType, tuple[Passing, float]] = field(default_factory=dict)  # who came, and since when
    never: Counter[chess.PieceType] = field(default_factory=Counter)  # dropped, though nothing had brought them
    straight: dict[chess.PieceType, Passing] = field(default_factory=dict)  # who was dropped and never seen here
    odd: int = 0  # pieces too many here of which that was told,
    odd_look: Floats = field(default_factory=lambda: ANY)  # and (6,) how they read
    strange: int = 0  # pieces here that nothing is known to have brought,
    strange_since: float = -np.inf  # and since when there are so many
    stood: int = 0  # pieces that stood here, before the last of them may have been dropped
    counted: float = -np.inf  # when the newcomers were last all too many: who was one then is none of those to come
    seen: Seen = field(default_factory=Seen)
    owed: list[chess.PieceType] = field(default_factory=list)  # dropped while nobody saw which slot they left
    looked: float = -np.inf  # when it was last seen and settled,
    watched: tuple[float, float] = (-np.inf, -np.inf)  # and from when to when somebody has looked, if only at a hand
    amounts: Amounts = field(default_factory=Amounts)
    arrived: list[tuple[Passing, Slot]] = field(default_factory=list)  # in the last look
    veiled: int = 0  # pieces before whose place another has come since they were seen
    newcomers: list[Slot] = field(default_factory=list)  # what stands here in no slot,
    ghostly: list[Floats] = field(default_factory=list)  # where of it only who has been seen beside others stands,
    visitors: list[Slot] = field(default_factory=list)  # and what did for a while, and has gone

    def credit(self, ply: Ply, time: float, after: float) -> None:
        """A piece was captured for this pocket. `time`: when that was first seen, `after`: until when it was not."""
        assert ply.passed is not None
        new = Passing(ply.board, ply.color, ply.passed, time, min(after, time), ply.number)
        self.amounts.recount(new.begins, -1)
        # Who seemed to have come late was captured just now, though that was told later: the other is still kept back.
        came = self.latest.get(new.kind)
        if came is not None and time - came[1] < SLOW and (came[0].late or self._slow(*came, new)):
            self._has_not_come(new.kind)
            return
        # What was taken back only to be told otherwise has come already, if what was told before had.
        before = min(self.undone, key=lambda undone: (undone.kind != new.kind, not undone.arrived), default=None)
        if before is None or not (before.arrived or before.kind == new.kind):
            self._came_before(new)
            self.coming.append(new)
            return
        self.undone.remove(before)
        if before.arrived:
            self.exchange(before.kind, new.kind)
        else:
            self.coming.append(before)

    @staticmethod
    def _slow(came: Passing, since: float, new: Passing) -> bool:
        """Whether one who came so late, if not too late, has come since another was captured."""
        return since - came.since > SLOW and since >= new.begins

    def _came_before(self, new: Passing) -> None:
        """Who was found elsewhere since his capture, which is told only now, is he: the next look finds him new."""
        elsewhere = (slot for slot in self.slots if slot.there and slot.left and slot.since >= new.begins)
        slot = next((slot for slot in elsewhere if slot.look[new.kind - 1] >= OTHER), None)
        if slot is not None:
            slot.was_another()
            self.amounts.recount(np.inf, -1, slot.last)  # who stood there has been gone since then

    def withdraw(self, ply: Ply) -> None:
        """A capture for this pocket was taken back."""
        assert ply.passed is not None
        self.amounts.forget()
        fitting = [p for p in self.coming if p.kind == ply.passed and p.color == ply.color]
        if fitting:
            self.coming.remove(fitting[-1])
            self.undone.append(fitting[-1])
        elif self.held[ply.passed]:
            self.undone.append(Passing(ply.board, ply.color, ply.passed, np.nan, np.nan, arrived=True))

    def dropped_before(self, kind: chess.PieceType, time: float) -> list[Event]:
        """Who was just credited is one who was told to be dropped though nobody held him: he had been taken by then."""
        self.never[kind] -= 1
        passing = self.coming.pop()
        return has_come(passing, time, time)

    def _forget(self, time: float) -> list[Event]:
        """What was taken back, and not told otherwise, is not to be here."""
        undone, self.undone = self.undone, []
        for passing in undone:
            if passing.arrived and self.held[passing.kind]:
                self.held[passing.kind] -= 1
                self._vacate(passing.kind, self.slots)
        return [event_of("withdrawn", passing, passing.since, time, "not_passed") for passing in undone if passing.late]

    def take(self, kind: chess.PieceType, time: float, since: float, stray: bool = False) -> list[Event]:
        """A piece was dropped; one never seen here must have been handed over on the way. `since`: when he was first
        seen where he was dropped. `stray`: he came from elsewhere."""
        self.straight.pop(kind, None)
        if stray:
            self.never[kind] += 1
            return []
        # Who was still seen here when he stood there was not dropped.
        gone = [slot for slot in self._gone() if slot.last < since + LAG] if self.held[kind] else []
        if all(since - slot.gone > IN_HAND for slot in gone) and any(s.there and s.last < since for s in self.slots):
            gone = []  # they were taken away long ago, and nobody has seen since that all others are here
        if self.held[kind] and not gone and (guest := self._guest(kind)) is not None:
            if guest.most[kind - 1] >= OTHER:
                guest.since = since  # until then he stood there who was dropped
            self.amounts.recount(guest.since, 1)
            self.held[kind] -= 1
            self.slots.remove(guest)
            self.newcomers.append(guest)
            return []
        self.amounts.drop(kind, time, since, max((slot.last for slot in gone), default=np.inf))
        # What is kept back is not what has just come.
        fitting = sorted(self.coming, key=lambda passing: passing.late)
        passing = next((passing for passing in fitting if passing.kind == kind), None)
        if self.held[kind] and not (passing and self._all_here(since)):
            self.stood -= 1
            if not self._vacate(kind, gone):
                self.owed.append(kind)
            self.held[kind] -= 1
            return []
        if passing is None:
            self.never[kind] += 1
            return []
        self.coming.remove(passing)
        if self.seen.count <= self._most():
            self.stood = min(self.stood, self._most())  # he had been put down here before it was known that he came
        self.straight[kind] = passing
        return has_come(passing, time, time)[passing.told :]

    def _guest(self, kind: chess.PieceType) -> Slot | None:
        """Who was taken for one of a kind when he came, as nobody else had come, or stands where that one stood, and
        does not look it, nor like one who is held."""
        here = [slot for slot in self.slots if slot.there]
        looks = Counter(int(slot.look.argmax()) + 1 for slot in here)
        guests = (slot for slot in here if slot.came.argmax() == kind - 1 and slot.look[kind - 1] < UNLIKE)
        return next((slot for slot in guests if looks[k := int(slot.look.argmax()) + 1] > self.held[k]), None)

    def _all_here(self, since: float) -> bool:
        """Whether all who are held have been seen here after then."""
        return sum(slot.there and slot.last >= since + LAG for slot in self.slots) >= self.held.total()

    def count(self, kind: chess.PieceType) -> int:
        """How many of a kind are here or on their way."""
        return self.held[kind] + sum(passing.kind == kind for passing in self.coming)

    def put_back(self, kind: chess.PieceType, since: float | None) -> None:
        """A drop was taken back: the piece must be about here again, if it ever was. `since`: when the player took it
        back, None where it was not played after all."""
        if self.never[kind]:
            self.never[kind] -= 1
            return
        kept = self.straight.pop(kind, None)
        if since is None:
            self.amounts.never_dropped(kind)
        else:
            self.amounts.returned(since)
        if kept is not None and (kept.late or since is None):
            earliest = kept.earliest if since is None else since
            self.coming.append(replace(kept, late=False, earliest=earliest, told=True))
            return
        if since is not None and self._came_himself(kind, since):
            awaited, since_other = self._has_not_come(kind)
            self.amounts.recount(awaited.begins, -1)
            self.amounts.recount(since_other, 1)
            return
        self.held[kind] += 1
        if kind in self.owed:
            self.owed.remove(kind)
            self.stood += 1
        else:
            # He may have stood here for a while before that was told.
            self.stood = max(self.stood, min(self.stood + 1, self._most() + self.odd))
            # Who has stood here since before he was taken back is another.
            last = -np.inf if since is None else since - HIMSELF
            himself = np.eye(6)[kind - 1]
            self.slots.append(Slot(np.full(2, np.nan), himself, himself, last=last, there=False))

    def _came_himself(self, kind: chess.PieceType, since: float) -> bool:
        """Whether who seemed to be passed on is who was dropped, and taken back `since` then: nobody else came."""
        came = self.latest.get(kind)
        return came is not None and came[1] >= since - HIMSELF and self.seen.count <= sum(self.held.values())

    def _has_not_come(self, kind: chess.PieceType) -> tuple[Passing, float]:
        """Who seemed to have come last of a kind is still on his way: another of his like was taken for him, and stands
        here since then."""
        passing, since = self.latest.pop(kind)
        self.coming.append(replace(passing, late=False))
        return passing, since

    def exchange(self, told: chess.PieceType, kind: chess.PieceType) -> None:
        """A piece that was told to be here, or on its way, is of another kind."""
        self._doubt()
        if self.held[told]:
            self.held[told] -= 1
            self.held[kind] += 1
            return
        for passing in [passing for passing in self.coming if passing.kind == told][:1]:
            passing.kind = kind

    def dropped_straight(self, kind: chess.PieceType, told: chess.PieceType, time: float) -> list[Event]:
        """A piece that was told to be dropped from here was not: one was that came straight from the partner's hand."""
        self._doubt()
        self.put_back(told, None)
        return self.take(kind, time, time)

    def contents(self) -> Contents:
        """What stands here, and may, as it is now."""
        return Contents(
            tuple((slot.likely, slot.sure) for slot in (*self.slots, *self.newcomers) if slot.there),
            Counter(self.held),
            tuple(passing.kind for passing in self.coming),
            tuple(max(self.looked - max(passing.since, self.watched[0]), 0.0) for passing in self.coming),
            *(bool(self.newcomers), self._odd(), self.odd_look),
        )

    def look(
        self,
        observation: PocketObservation,
        time: float,
        awaited: float = np.inf,
        kinds: Collection[chess.PieceType] = (),
        beside: Sequence[Slot] = (),
    ) -> list[Event]:
        """What stands here now; pieces that arrived give events. `awaited`: since when the partner has one to come.
        `kinds`: of those whom he has to come, unless it has been told that they are late. `beside`: who stands in the
        neighbour's pocket."""
        events = self._forget(time)
        self.watched = self.watched[0] if time - self.watched[1] < AWAY else time, time
        self.arrived = []
        due = min((passing.begins for passing in self.coming), default=np.inf)
        before = [slot for slot in self.newcomers if slot.since + LAG < awaited]
        men = self.seen.look(observation, time, self.color, self.slots, before, awaited, kinds, due)
        if men is None:
            return events
        if time - self.seen.alike_since >= (STEADY if len(men) > self.stood else FORGOTTEN):
            self.stood = len(men)
            if not self.odd and self._odd():
                self.odd_look = _left_over(men.kinds, self.held)
        since = [self._since(centre) for centre in men.centres]
        new = self.seen.recognise(self.slots, men, since, [passing.kind for passing in self.coming], time)
        dropped = self.amounts.dropped(time)
        self._read(men, new, dropped)
        self.looked = time
        strange = max(len(new) - len(self.coming), 0)
        self.strange_since = time if strange > self.strange else self.strange_since
        self.strange = strange
        for index, arrived, came in arrivals(self.coming, new, men.kinds, since, time, self.seen.alike_since, dropped):
            self._arrive(arrived, men.slot(index, came, since[index], time))
            self.arrived.append((arrived, self.slots[-1]))
            self.latest[arrived.kind] = arrived, since[index]
            new.remove(index)
            events += has_come(arrived, self.seen.alike_since, time)
        excess = len(self.slots) - sum(self.held.values()) - len(self.owed)
        gone = self._gone()[: max(excess, 0)]
        self.slots = [slot for slot in self.slots if slot not in gone]
        if excess - len(gone) > self._odd():
            self._release()
        on_the_way = [sum(passing.kind == kind for passing in self.coming) for kind in chess.PIECE_TYPES]
        came = np.array(on_the_way) / len(self.coming) + UNTOLD if self.coming else np.ones(6)
        before = self.newcomers
        self.newcomers = [men.slot(index, came, since[index], time) for index in new]
        events += self._been_here(before, time)
        for man in self.newcomers:
            if not self.seen.beside(man) and any(math.dist(man.centre, place) < SAME for place in self.ghostly):
                self.amounts.recount(man.since, 1)  # who stands here alone was no ghost before
        self.ghostly = [man.centre for man in self.newcomers if self.seen.beside(man)]
        if not self.coming and not self.newcomers and len(self.slots) == len(men) == sum(self.held.values()):
            self.seen.alone = men.centres  # as many as there should be: none of them is a ghost
        steady = self.newcomers and time - self.seen.alike_since >= STEADY
        too_many = self._excess()
        if steady and not self._gone() and len(self.newcomers) == too_many:
            self.counted = time
        self.veiled = self._behind([*self.slots, *self.newcomers, *beside])
        self.amounts.look(time, too_many, sum(self.held.values()) - len(men) - self.veiled)
        return events

    def _read(self, men: Men, new: Sequence[int], dropped: Sequence[chess.PieceType]) -> None:
        """Who is new and looks like one of those who were `dropped` lately may have been taken back: he reads as in all
        the looks since he stands here. `new`: indices in `men`."""
        for index in new:
            here = (man for man in self.newcomers if math.dist(man.centre, men.centres[index]) < SAME)
            man = next((man for man in here if alike(man.look, men.kinds[index]) >= OTHER), None)
            if man is not None and any(man.look[kind - 1] >= OTHER for kind in dropped):
                man.read(men.kinds[index])
                men.kinds[index] = man.look

    def _behind(self, others: Sequence[Slot]) -> int:
        """How many who are seen no more stood where one who came since then hides them: once it was so they are seen
        now and then."""
        men, gone = [man for man in others if man.there], self._gone()
        if not men or not gone:
            return 0
        bases = np.array([man.centre for man in men])
        heads = bases + np.array([man.lean for man in men])
        places = np.array([slot.centre for slot in gone])
        beside = np.hypot(*np.moveaxis(places[:, None] - bases, -1, 0)) >= SAME  # and not in his place
        hidden = hidden_by(places, bases, heads) & beside
        since = np.array([[slot.hidden_since(man.since) for man in men] for slot in gone])
        veiled = (hidden & since).any(1)
        for slot in compress(gone, veiled):
            slot.veiled = min(slot.last, slot.veiled)
        return int(veiled.sum())

    def _been_here(self, before: list[Slot], time: float) -> list[Event]:
        """Who is on his way, and stood here for a while before his capture was told, has come, though he is gone since.
        `before`: who stood here in no slot at the last look."""
        here = [slot for slot in (*self.slots, *self.newcomers) if slot.there]
        for man in before:
            where = (slot for slot in here if math.dist(slot.centre, man.centre) < SAME)
            if all(alike(slot.look, man.look) < OTHER for slot in where):
                man.there, man.gone = False, time
                self.visitors.append(man)
        self.visitors = [man for man in self.visitors if man.gone > time - FORGOTTEN]
        events = []
        for passing in list(self.coming):
            fitting = (man for man in self.visitors if man.since >= passing.begins)
            came = next((man for man in fitting if man.look[passing.kind - 1] >= OTHER), None)
            if came is None:
                continue
            self.visitors.remove(came)
            self._arrive(passing, came, came.last)
            events += has_come(passing, came.since, time)
        return events

    def _arrive(self, passing: Passing, slot: Slot, until: float = np.inf) -> None:
        """Who was on his way is one who stands here, or stood `until` then."""
        self.coming.remove(passing)
        self.held[passing.kind] += 1
        self.slots.append(slot)
        # Until then he was none of those who stood here.
        self.amounts.recount(passing.begins, 1)
        self.amounts.recount(slot.since, -1, until)

    def _release(self) -> None:
        """Who stands here beyond those who came is one of those on their way, if he looks like one: he came where
        another had stood, before his capture was told."""
        kinds = [passing.kind - 1 for passing in self.coming]
        likely = {number: max(slot.look[kinds], default=0.0) for number, slot in enumerate(self.slots)}
        number = max(likely, key=lambda number: likely[number])
        if likely[number] >= OTHER:
            del self.slots[number]  # the next look finds him new

    def _since(self, centre: Floats) -> float:
        """Since when something new stands in a place."""
        known = [slot.since for slot in self.newcomers if math.dist(slot.centre, centre) < SAME]
        return min(known, default=max(self.seen.alike_since, self.looked))

    def gains(self, told: chess.PieceType, looks: Floats, straight: bool = False) -> dict[chess.PieceType, float]:
        """Nats by which every other kind that is held explains better what was dropped from here than the one that was
        told. `looks`: (6,) how likely each kind is, as the man reads who was dropped. `straight`: whether he may have
        come straight from the partner's hand."""
        reads, contents = np.log(looks), self.contents()
        may_be = self.count if straight else self.held.get
        others = [kind for kind in chess.PIECE_TYPES if kind != told and may_be(kind)]
        return {k: float(reads[k - 1] - reads[told - 1]) + contents.gain([k], told) for k in others}

    def mistaken(self, looks: Floats) -> tuple[chess.PieceType, chess.PieceType] | None:
        """The kind that was told to be dropped from here, and the one that the slot it left says; told once. `looks`:
        (6,) probability of each kind as the man reads who was dropped."""
        if not self.owed or not self.seen.open:
            return None
        told = self.owed.pop(0)
        gone = self._gone()
        if len(self.slots) > sum(self.held.values()) + self._odd() and any(p.kind == told for p in self.coming):
            gone = gone or self.slots  # one that was passed on meanwhile stands there
        self._vacate(told, gone)
        gains = self.gains(told, looks)
        likely = max(gains, key=lambda kind: gains[kind], default=told)
        return None if gains.get(likely, -np.inf) < MISTAKEN else (told, likely)

    def came(self) -> list[Slot]:
        """What the last look has found here that was not known to be."""
        return [*self.newcomers, *(slot for _, slot in self.arrived)]

    def with_giver(self, astray: Sequence[float]) -> list[Passing]:
        """Those on their way who stand with the giver instead, `astray` since when: each was captured last of all
        before he stood there."""
        here, there = list(self.coming), list[Passing]()
        for since in astray[: len(here)]:
            before = [passing for passing in here if passing.begins <= since]
            there.append(max(before, key=lambda passing: passing.begins, default=here[0]))
            here.remove(there[-1])
        return there

    def known(self, time: float) -> list[tuple[float, float, int]]:
        """Who stands here for a while and is of one kind for certain, each told once: his place, and his label."""
        here = [slot for slot in self.slots if slot.there]
        disputed = self.owed or self.coming or self.newcomers or self._odd()
        if disputed or not self.seen.open or not self.seen.count == len(here) == len(self.slots) == self.held.total():
            return []
        told = Counter(slot.known for slot in here if slot.known)
        if told - self.held:  # not all of them were who they were taken for
            self._doubt()
            told.clear()
        others = [slot for slot in here if not slot.known]
        still = [time - max(slot.since, self.seen.alike_since) > WHILE for slot in others]
        if not any(still) or len(others) > FEW:
            return []
        found, kinds = [], each_kind([slot.likely for slot in others], self.held - told)
        for slot, likely, stands in zip(others, kinds, still, strict=True):
            if stands and likely.max() > KNOWN:
                slot.known = int(likely.argmax()) + 1
                x, y = slot.centre.tolist()
                found.append((x, y, label_index(chess.Piece(slot.known, self.color))))
        return found

    def _doubt(self) -> None:
        """Nobody who stands here is known any more."""
        for slot in self.slots:
            slot.known = 0

    def overdue(self, time: float, tolerance: float, astray: Sequence[float]) -> list[Event]:
        """An alert for each piece that should have been here by now, once. `tolerance`: seconds it may take.

        `astray`: since when pieces stand with the giver instead, which is told there.
        """
        if not self.seen.open:
            return []
        elsewhere = self.with_giver(astray)
        here = [passing for passing in self.coming if passing not in elsewhere]
        late = [passing for passing in here if not passing.late and time - passing.begins > tolerance]
        kinds = [passing.kind - 1 for passing in late]
        perhaps = [man for man in self.newcomers if max(man.look[kinds], default=0.0) >= NEVER]
        late = late[len(perhaps) :]  # what stands here and is not recognised yet may be one of them
        for passing in late:
            passing.late = True
        return [event_of("alert", passing, passing.since, time, "not_passed") for passing in late]

    def amiss(self, astray: Sequence[float]) -> dict[str, str]:
        """What is not as it should be here: kinds of alert, and the FEN letters of the men where they are known, the
        likeliest first. `astray`: as for `overdue`."""
        if not self.seen.open:
            return {}
        found = {"wrong_zone": ""} if self.seen.strangers.here else {}
        if self._excess() > 0:
            found["extra_man"] = ""
        missing = sum(self.held.values()) - self.seen.count - max(len(astray) - len(self.coming), 0) - self.veiled
        if missing > 0:
            found["hidden_reserve"] = self._missing(missing)
        return found

    def _missing(self, count: int) -> str:
        """FEN letters of so many men who stand here no more, the likeliest first."""
        contents, gone = self.contents(), list[chess.PieceType]()
        for _ in range(count):
            held = +(self.held - Counter(gone))
            gone.append(max(sorted(held), key=lambda kind: contents.gain([*gone, kind])))
        return "".join(chess.Piece(kind, self.color).symbol() for kind in gone)

    def _gone(self) -> list[Slot]:
        """Slots of which the piece is not seen."""
        return [slot for slot in self.slots if not slot.there]

    def _vacate(self, kind: chess.PieceType, among: list[Slot]) -> bool:
        """Give up the slot that is most likely of a kind; False if there is none."""
        if among:
            self.slots.remove(max(among, key=lambda slot: float(slot.likely[kind - 1])))
        return bool(among)

    def _most(self) -> int:
        """Pieces that may be here."""
        return sum(self.held.values()) + len(self.owed) + len(self.coming)

    def _odd(self) -> int:
        """Pieces that stood here beyond those that may, or that were told."""
        return max(self.odd, self.stood - self._most(), sum(man.since < self.counted for man in self.newcomers))

    def _excess(self) -> int:
        """Pieces here beyond those that may be. Who stood here long before the first of those on their way was captured
        is none of them."""
        first = min((passing.begins for passing in self.coming), default=-np.inf) - AWAITED
        before = sum(man.since < first for man in self.newcomers)
        unseen = sum(self.held.values()) + len(self.owed) - sum(slot.there for slot in self.slots)
        beyond, strays = self.seen.certain - self._most() + min(before, len(self.coming)), self._strays() - unseen
        return max(beyond, strays) if strays > 0 else beyond

    def _strays(self) -> int:
        """Who stood here alone before anybody came who may be a ghost beside another: he is none of those passed on."""
        doubtful = [slot.since for slot in self.slots if slot.there and self.seen.beside(slot)]
        first = min([*doubtful, *(passing.begins - AWAITED for passing in self.coming)], default=np.inf)
        return sum(man.since < first and not self.seen.beside(man) for man in self.newcomers) - len(self.seen.halved)

    def mark(self, events: Sequence[Event]) -> None:
        """What is told to be too many here is none of those that are dropped from here, until that is withdrawn."""
        for event in events:
            if event.reason == "extra_man":
                self.odd = max(self._excess(), 0) if event.kind == "alert" else 0
                told = self.newcomers[: self.odd]
                self.slots += told
                self.odd_look = np.mean([slot.look for slot in told], 0) if told else ANY
                del self.newcomers[: self.odd]

    def doubtful(self) -> set[str]:
        """What may still be amiss here if it was: one too many, where that many stand here that one may have come."""
        return {"extra_man"} if self.seen.count > sum(self.held.values()) else set()

    def choice(self) -> bool:
        """Whether more than one kind could be dropped from here."""
        return len(set(+self.held) | {passing.kind for passing in self.coming}) > 1

    def surplus(self) -> list[float]:
        """Nats for each piece that stands here though nothing is known that would have brought it, the surest first."""
        if not self.seen.open:
            return []
        sure = sorted((min(slot.sure, 1 - STRAY) for slot in self.newcomers), reverse=True)
        return [min(max(math.log(p / (1 - p)), 0.0), FOUND) for p in sure[: self.strange]]

    def tells(self) -> bool:
        """Whether what stands here lies open, and all that was dropped has been seen to be gone."""
        return self.seen.open and not self.owed

    def lacks(self) -> bool:
        """Whether fewer men stand here than were not dropped, as far as was told."""
        return self.tells() and self.seen.count + self.veiled < sum(self.held.values())

    def drop_term(self, drops: Sequence[tuple[chess.PieceType, float, float]], contents: Contents) -> float:
        """Nats for or against these kinds having been dropped from here, each with its times: `rules.plies.Drop`.
        `contents`: as they are."""
        late, haste, here = 0.0, 0.0, Counter(self.held)
        coming = sorted(self.coming, key=lambda passing: (passing in self.astray, passing.since))
        for kind, at, _ in drops:
            here[kind] -= 1
            # It came straight from the partner's hand, or may have, if there was time for that.
            passing = next((passing for passing in coming if passing.kind == kind), None)
            since = passing.earliest if passing else np.inf
            against = min(max(HASTE * (since + ON_THE_WAY - at), 0.0), IMPOSSIBLE)
            if here[kind] < 0:
                late += against + ASTRAY * (passing in self.astray)
                coming = [other for other in coming if other is not passing]
            elif passing:
                haste += STRAIGHT + against
        gain = contents.gain([kind for kind, *_ in drops], haste=haste)
        # Who has been gone for long is in nobody's hand any more: that he is says nothing of who was dropped just now.
        lifted = max((slot.gone for slot in self._gone()), default=np.inf)
        gain -= min(sum(LONGER * max(after - lifted - IN_HAND, 0.0) for *_, after in drops), max(gain, 0.0))
        if self.tells() or (not self.owed and all(at < self.looked for _, at, _ in drops)):
            return max(gain - late, -IMPOSSIBLE * len(drops))
        # That a man was gone is no less true now that the pocket is hidden; who was there may have been dropped since.
        gone = self._gone() and not self.owed
        return (max(gain, 0.0) if gone else 0.0) - late


AllPockets = Mapping[Player, Pocket]
"""Those of all players."""


def _left_over(kinds: Floats, held: Counter[chess.PieceType]) -> Floats:
    """(6,) how those of (n, 6) pieces read, on an average, that are none of those held."""
    left = list(range(len(kinds)))
    for kind in held.elements():
        if left:
            left.remove(max(left, key=lambda index: float(kinds[index, kind - 1])))
    return np.asarray(kinds[left].mean(0) if left else ANY, np.float64)
