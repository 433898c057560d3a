"""How the men on one board stand: what has fallen, what was promoted and does not lie, and what was pushed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import chess
import numpy as np
from numpy.typing import NDArray

from rules.alerts import ALERTS
from rules.breaches import OVER, Breach
from rules.events import Event
from rules.history import bitboard
from rules.observation import EMPTY, LABELS, LIES, UPRIGHT, Observation, groups, labels_of, next_to
from rules.profile import Profile
from rules.seats import BoardName

PAWN = LABELS.index("P")
FALLEN = "lying_pawn", "fallen"
PROMOTED = "promotion_unmarked", "substitution"
PUSHED = 0.16  # squares by which a base must have moved
# Over eight looks on end 5 of 36,009 men at rest had moved by more than 0.1 in seven films, one of them by more than
# 0.13: far men, whose bases others hide in part. Three who were pushed by 0.26 had moved by 0.23 to 0.25.
ASIDE = 0.19  # or by so much where somebody has come or gone beside it,
FAR, SOON = 0.21, 0.2  # squares from which on it is told after so many seconds: before a hand may hide him again. In 14
# films who was seen so far from where he stood, twice, had been pushed
VEILED = 4.0  # and not if he reads by so many nats more as one who lies, beside an arm
AT_ONCE = 2  # pieces that one hand pushes at a time, at most
AT_REST = 0.35  # seconds after which a piece that has come stands where it will: some are put right at once
CLEARLY = 0.8  # probability of what a square reads as, up to which a hand beside a man may hide him in part, and an
# empty one show one who lies
HIDDEN = 1.2  # seconds for which it is waited until those are seen who may have taken a man and lie where he stood
DRIFT = 0.05  # weight of a new look in where a piece stands
FALLS = 5.0  # nats by which one who lies reads more so than while he stood: light changes slowly,
TIPS = 7.0  # and by which so much that it is enough where he stands elsewhere and does not surely stand: of real men
# who lie, four in two photographs, three read as -2 to -3, where most who stand read as -9,
SURELY, ALSO = 8.0, -3.0  # and from so many on though another hides his base, if these are his log-odds, too,
LATELY = -0.25  # or these, if somebody has come beside him since: of 443,875 looks at men who stood so, in 77 films, by
# the first network alone, 126 read 8 nats more than before, 125 of them at one behind a rook who had just come, and at
# most -1.5,
BY_ITSELF = -0.25  # or these: of the same 443,875 one look read above -0.9;
BESIDE = 1.0  # and of a pawn beside a taller man who lies: one who stood read -0.8 where the head of such a one lay
HIMSELF, STAYS, FLAT = 0.98, 0.08, 1.0  # probability of his kind, squares by which his base has moved and log-odds with
# which a man has not fallen: of eight who lay in seven films all read 2.5 and more, the kinds of all as 0.96 at most
VISIBLY = 0.8  # probability of his kind with which one whose base another hides has not fallen: of 13 looks at such who
# lay, in 86 films, none read as his own by more than 0.68, of standing ones most by 0.9 and more
A_MOMENT = 1.0  # seconds for which one who lies may be hidden meanwhile
STANDS = -4.0  # log-odds that one lies, up to which he surely stands: 99.8% of 62,266 looks at men in five films
AS_BEFORE = 0.2  # probability from which a man reads as he did before, though rather as another: far from the middle of
# his square kinds are told worse
SLOWLY = 0.02  # weight of a new look in how one who stands reads


class _Men(NamedTuple):
    """What a look shows of men. `labels`: (64,) of those known to stand on the `board`. `lying`: (64,) who lies.
    `read`: (64,) labels as which squares read. `by_arm`: (64,) beside what an arm hides."""

    observation: Observation
    board: chess.Board
    labels: NDArray[np.int64]
    lying: NDArray[np.bool_]
    read: NDArray[np.int64]
    by_arm: NDArray[np.bool_]


class Poses:
    """Watches one board."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name, self.profile = name, profile
        self.found: dict[tuple[str, chess.Square], Breach] = {}
        self.alerts: dict[tuple[str, chess.Square], Event] = {}  # of those that were told
        self.labels = np.full(64, EMPTY)
        self.plies = 0
        self.shown = np.full(64, np.inf)  # since when each square reads as it does, or is in sight again
        self.seen = np.zeros(64, np.bool_)  # at the last look
        self.now = np.full(64, EMPTY)  # as what each was read last,
        self.told = np.full(64, EMPTY)  # and when it was told that its man had come
        self.came = np.full(64, np.inf)  # since when it has been seen there what stands on each
        self.bases = np.full((64, 2), np.nan)  # where it stands, once it is at rest,
        self.before = self.bases.copy()  # and before the men beside it changed,
        self.read = np.full(64, EMPTY)  # and as what it read then,
        self.veiled = np.zeros(64, np.bool_)  # and whether another stood before its base when it was last seen there
        self.beside = np.zeros(64, np.bool_)  # beside whom men have come or gone since then
        self.far = np.full(64, np.inf)  # since when it has been seen far from where it stands,
        self.himself = np.zeros(64, np.bool_)  # and all others like it where they should be
        self.stood = np.full(64, -UPRIGHT)  # log-odds that each lies, as it read while it stood,
        self.known = np.zeros(64, np.bool_)  # if it has been seen to,
        self.lay = np.zeros(64, np.bool_)  # and which lay when it was seen last
        self.behind = np.zeros(64, np.bool_)  # who has not been seen to stand since somebody came to hide his base
        self.flat = np.full(64, np.inf)  # since when each square shows one who lies, whoever he is,
        self.flat_at = np.full(64, -np.inf)  # and when it last did

    def look(self, observation: Observation, board: chess.Board) -> list[Event]:
        """The alerts that this look raises or withdraws. `board`: what is known to stand there."""
        time, events = observation.time, []
        # How one stands whose base another hides cannot be told, but where, if he hides little of it.
        shows, placed = observation.seen & ~observation.behind, observation.seen & ~np.isnan(observation.offsets[:, 0])
        labels, read = labels_of(board), observation.squares.argmax(1)
        played, self.plies = board.move_stack[self.plies :], len(board.move_stack)
        self._follow(played)
        otherwise = observation.seen & (groups(read) != groups(labels))  # what has come or gone shows before it is told
        changed = labels != self.labels
        come = (changed & (labels != EMPTY)) | (otherwise & (read != EMPTY))
        self.told = np.where(changed, np.where(observation.seen, read, labels), self.told)
        still = observation.seen & (observation.lying - self.stood < FALLS)  # he stands there as before
        self.behind = ((self.behind & ~still) | next_to(come)) & self.known & ~shows & (labels == self.labels)
        lying, lies = self._lying(observation, labels, shows)
        flat = observation.seen & (observation.lying > LIES) & (observation.squares[:, EMPTY] < np.log(CLEARLY))
        self.flat[(observation.seen & ~flat) | (time - self.flat_at > A_MOMENT)] = np.inf
        self.flat[flat] = np.minimum(self.flat[flat], time)
        self.flat_at[flat] = time
        men = _Men(observation, board, labels, lying, read, next_to(~observation.seen))
        found = *self._amiss(men, lies), *self._pushed(men, placed, played)
        amiss = dict.fromkeys(found)
        for key in amiss:
            # Who lay where he came has done so since he was seen there, though that he came is told only now.
            since = float(self.flat[key[1]]) if key[0] in FALLEN else time
            breach = self.found.setdefault(key, Breach(min(since, time)))
            breach.gone = np.inf
            sure, soon = not self._partly_hidden(men, key[1]), False
            if key[0] in FALLEN:
                sure = sure and not self._may_have_taken(men, otherwise, key[1], time - breach.since)
            elif key[0] == "nudge":
                there, gone = self._alike(men, key[1])
                # Where one like him has come elsewhere, he may be that one, and who reads so here a neighbour.
                gone |= bool(((self.now == labels[key[1]]) & (groups(self.now) != groups(labels))).any())
                far = time - self.far[key[1]]
                self.himself[key[1]] |= there
                coming = next_to(otherwise)[key[1]]  # whose base he hides seems to be pushed
                # Who reads otherwise than he stood, beside an arm, may be hidden by it in part.
                more = observation.lying[key[1]] - self.stood[key[1]] if men.by_arm[key[1]] else 0.0
                sure = sure and not gone and more <= TIPS and (far > 0 or not coming)
                soon = self.himself[key[1]] and far >= SOON and more <= VEILED
            if key not in self.alerts and sure and (soon or time - breach.since >= ALERTS[key[0]].delay):
                alert = self._alert(*key, breach.since, time, board)
                events.append(alert)
                if key[0] == "nudge":  # told once: it stands there from now on
                    self.bases[key[1]], self.before[key[1]] = observation.offsets[key[1]], np.nan
                    del self.found[key]
                else:
                    self.alerts[key] = alert
        stands = shows | (observation.seen & (observation.lying - self.stood < FALLS))
        for key, breach in list(self.found.items()):
            known = placed if key[0] == "nudge" else stands
            if key in amiss or not known[key[1]]:  # what a hand hides is neither so nor otherwise
                continue
            if breach.gone_for(time) >= (OVER if key in self.alerts else 0.0):
                del self.found[key]
                if key in self.alerts:
                    events.append(replace(self.alerts.pop(key), kind="withdrawn", committed=time))
        return events

    def _follow(self, played: Sequence[chess.Move]) -> None:
        """What was told of a promoted man stays so where he goes on."""
        for kind, move in product(PROMOTED, played):
            left, come = (kind, move.from_square), (kind, move.to_square)
            if left in self.alerts and come not in self.found:
                self.found[come], self.alerts[come] = self.found.pop(left), self.alerts.pop(left)

    @staticmethod
    def _may_have_taken(men: _Men, otherwise: NDArray[np.bool_], square: chess.Square, lasted: float) -> bool:
        """Whether who lies on a square may be a pawn who has taken the man who stood there, or a man who has taken a
        pawn, which is not told yet: one who could has left his square, or is hidden, if it has not `lasted` too
        long."""
        board = men.board
        kinds = ~board.pawns if board.piece_type_at(square) == chess.PAWN else board.pawns
        takers = list(board.attackers(not board.color_at(square), square) & kinds)
        return bool(otherwise[takers].any() or (lasted < HIDDEN and not men.observation.seen[takers].all()))

    @staticmethod
    def _clearly(observation: Observation, square: chess.Square) -> bool:
        """Whether a square reads surely as what it reads as."""
        return bool(observation.squares[square].max() >= np.log(CLEARLY))

    def _partly_hidden(self, men: _Men, square: chess.Square) -> bool:
        """Whether a hand beside a square may hide in part who stands there."""
        return bool(men.by_arm[square]) and not self._clearly(men.observation, square)

    def _lying(
        self, observation: Observation, labels: NDArray[np.int64], shows: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """(64,) who lies, and of whom that is seen. `shows`: whose base is."""
        more = observation.lying - self.stood
        surely = (more > SURELY) & (observation.lying > np.where(self.behind, LATELY, ALSO))
        surely |= observation.lying > BY_ITSELF
        lies = shows | (observation.seen & surely)
        changed = labels != self.labels
        self.stood[changed], self.known[changed], self.lay[changed] = -UPRIGHT, False, False
        # Who came as one who lies does not teach how he reads while he stands.
        lying = (observation.lying > LIES) & (~self.known | (more > FALLS))
        moved = np.hypot(*(observation.offsets - self.bases).T)
        # Who lay does so until he surely stands.
        tipped = shows & self.known & (more > TIPS) & (moved > PUSHED)
        lying |= (tipped | self.lay) & (observation.lying > STANDS)
        lying |= surely & ~shows
        reads, hidden = observation.squares[np.arange(64), labels], np.isnan(observation.offsets[:, 0])
        himself = ((reads > np.log(HIMSELF)) & (moved < STAYS)) | ((reads > np.log(VISIBLY)) & hidden)
        lying &= ~(self.known & himself & (observation.lying < FLAT))
        pawns = (labels != EMPTY) & (labels % 6 == PAWN)
        taller = next_to(lying & (labels != EMPTY) & ~pawns)
        lying &= ~(pawns & taller & (observation.lying < BESIDE))
        self.lay = np.where(lies, lying, self.lay)
        return lying, lies

    def _amiss(self, men: _Men, shows: NDArray[np.bool_]) -> Iterator[tuple[str, chess.Square]]:
        observation, board, labels, lying, read, _ = men
        still = observation.seen & ~lying
        self.stood[still] += np.where(self.known, SLOWLY, 1.0)[still] * (observation.lying - self.stood)[still]
        self.known |= still
        marked = self.profile.promotion == "lying_pawn" and self.profile.promotion_lies
        for square in chess.scan_forward(board.occupied & bitboard(shows) & (bitboard(lying) | board.promoted)):
            reads = read[square]
            # Of one who surely lies little may show where he stood.
            if reads == EMPTY and observation.lying[square] > FLAT and not self._clearly(observation, square):
                reads = observation.squares[square, :EMPTY].argmax()
            # Who reads as the other side's, and did not when he came, may be one who took him, which is not told yet.
            if reads // 6 != labels[square] // 6 and reads != self.told[square]:
                continue
            promoted = bool(board.promoted >> square & 1)
            if lying[square] and not (promoted and self.profile.promotion_lies):
                pawn = board.piece_type_at(square) == chess.PAWN
                yield FALLEN[0 if pawn else 1], square
            elif promoted and marked and observation.lying[square] < STANDS:
                pawn = LABELS[reads].upper() == "P"
                yield ("promotion_unmarked" if pawn else "substitution"), square

    def _pushed(
        self, men: _Men, placed: NDArray[np.bool_], played: Sequence[chess.Move]
    ) -> list[tuple[str, chess.Square]]:
        observation, _, labels, lying, read, by_arm = men
        time = observation.time
        empty = read == EMPTY  # who lifts a piece may put it down elsewhere on its square
        new = (labels != self.labels) | (observation.seen & (empty | lying))
        new[[move.to_square for move in played]] = True  # who took another may look like him
        seen = observation.seen
        self.shown[seen & (~self.seen | (read != self.now))] = time
        self.seen, self.now = seen, np.where(seen, read, self.now)
        beside = self.beside | next_to(labels != self.labels)
        # Who has come shows before it is told, though a hand may hide him again by then.
        self.came = np.where(new, np.where(seen | (self.now == labels), self.shown, time), self.came)
        self.labels = labels
        self.bases[new] = self.before[new] = np.nan
        rests = placed & (labels != EMPTY) & ~empty & ~lying & (time - self.came > AT_REST)
        self.beside = beside & ~rests
        in_part = observation.behind & by_arm  # where he stands whose base another hides an arm hides, too
        first = rests & np.isnan(self.bases[:, 0]) & ~in_part
        self.bases[first], self.read[first] = observation.offsets[first], read[first]
        gaps = [np.hypot(*(observation.offsets - bases).T) for bases in (self.bases, self.before)]
        far = rests & (gaps[0] > FAR)
        self.far[(rests & ~far) | new] = np.inf  # while a hand hides him it is neither so nor otherwise
        self.far[far] = np.minimum(self.far[far], time)
        self.himself &= self.far < np.inf
        pushed = rests & (gaps[0] > PUSHED) & ~(gaps[1] <= PUSHED)
        # Who has come or gone before him hides his base otherwise than before, or an arm that is still there does.
        veiled = beside & (self.veiled | observation.behind | by_arm)
        veiled |= observation.behind & ~self.veiled
        hidden = pushed & np.where(veiled, gaps[0] <= FAR, beside & (gaps[0] <= ASIDE))
        self.before[hidden], self.bases[hidden] = self.bases[hidden], observation.offsets[hidden]
        pushed &= ~hidden
        if pushed.sum() > AT_ONCE:  # it is the view that has moved
            self.bases[pushed] = observation.offsets[pushed]
            return []
        still = rests & ~pushed
        self.veiled = np.where(still, observation.behind, self.veiled)
        self.bases[still] += DRIFT * (observation.offsets[still] - self.bases[still])
        # Who reads not at all as before may be one who took him, which is not told yet.
        as_before = observation.squares[np.arange(64), self.read] > np.log(AS_BEFORE)
        return [("nudge", int(square)) for square in np.flatnonzero(pushed & as_before)]

    @staticmethod
    def _alike(men: _Men, square: chess.Square) -> tuple[bool, bool]:
        """Of all others like who stands there: whether each is seen where he should be, and whether one is seen to be
        gone: he may have come there in his place. Of whom only the kind reads otherwise is misread."""
        alike, stays = men.labels == men.labels[square], groups(men.read) == groups(men.labels)
        alike[square] = False
        return bool((men.observation.seen & stays)[alike].all()), bool((men.observation.seen & ~stays)[alike].any())

    def _alert(self, reason: str, square: chess.Square, since: float, time: float, board: chess.Board) -> Event:
        piece = board.piece_at(square)
        return Event(
            "alert", self.name, since, time, piece.color if piece else None,
            piece=piece.symbol() if piece else "", square=chess.square_name(square), reason=reason,
        )  # fmt: skip
