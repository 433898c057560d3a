"""When the plies of the lines of one board were seen, and what speaks against those that were seen in another order."""

from collections.abc import Sequence
from itertools import accumulate, pairwise, zip_longest

import chess
import numpy as np

from rules.history import NEW, History
from rules.irregular import Illegal, TakenBack
from rules.lines import Alone, Line, Seen, changes_again, ends
from rules.observation import EMPTY, group_of
from rules.plies import Plies

UNWITNESSED = 0.3  # nats that every ply costs that nothing that was seen speaks for
HASTY, CARRIED = 8.0, 0.1  # against a man carried in no time, and seconds that a hand needs at least,
AT_MOST = 0.5  # and at most, in telling when a ply was played
PROMPT, PROMPTLY = 0.4, 5.0  # seconds from one man put down to the next on a board, at least, and nats against none: of
# 5,371 plies in 76 films none followed within 0.52 s
INVERTED = 3.0  # and every second by which a ply was seen before the one it follows,
DISORDER = 9.0  # at most,
UNLIKELY = 18.0  # or so much, of one against the rules: that is told before anybody replies
BETWEEN, PASSING = 0.8, 5.0  # seconds a square must lie hidden for a man to come and go unseen; nats for each less
VACANT = 1.0  # seconds from when a man is taken off to when who takes him stands there, at most
REPLACED = 3.0  # nats against a drop where another man has stood, if nobody has seen the square empty since
RETURNED, AWAY = 2.0, 3.0  # nats against who is back where he stood, if nobody has seen him gone, nor hidden so long,
THERE_AND_BACK = 1.5  # and more in less seconds, in which he went, another ply was played, and he came back
ORDER = 1.0  # nats against a reply seen while who moved still stood where he had, beside what that square says of it


class Sightings:
    """`began`: no ply beyond the root is older. `played`: the last of those up to the root, after this, by its own
    square; `least`: by what was seen of others, too."""

    def __init__(self, history: History, plies: Plies, played: float) -> None:
        self.history, self.plies = history, plies
        self.began, self.played, self.least = history.time, played, played

    def seen(self, line: Line, now: float) -> list[Seen]:
        """When the plies of a line were seen: of one that was not, when those after it were, at most `now`, and until
        when those before it had not been played."""
        path = line.path()
        seen = [self.when(ply, line) for ply in path]
        gone = [*(self._gone(ply, line) for ply in path), np.inf]
        # Who was seen gone is put down soon after, and the ply before has been played.
        latest = [
            min(at, self._down(ply, mine), reply)
            for ply, (at, _), (mine, reply) in zip(path, seen, pairwise(gone), strict=True)
        ]
        at = list(accumulate(reversed(latest), min, initial=now))[:0:-1]
        least = (self._not_until(ply, line, mine, by) for ply, mine, by in zip(path, seen, at, strict=True))
        after = list(accumulate(least, max, initial=self.least))[1:]
        return list(zip(at, after, strict=True))

    def _not_until(self, ply: Line, line: Line, seen: Seen, by: float) -> float:
        """Until when a ply that had been played `by` then was seen not to have been. `seen`: as its square tells, which
        is empty, too, while who came there unseen is just being taken."""
        at, after = seen
        limit = min(by, self._gone(ply, line)) if at == np.inf else by
        if after > limit:
            after = self.history.open_until(ply.moves[-1].to_square, limit)
        stood = self._stood_until(ply, line)
        return max(after, stood) if stood < by else after

    def advance(self, best: Line) -> None:
        """The first ply of a line has been told, and is the root's now."""
        first = best.path()[0]
        if first.at < np.inf:
            self.least = self.seen(best, self.history.time)[0][1]
            self.began, self.played = first.at, max(self.played, first.after)

    def missed(self, line: Line) -> bool:
        """Whether the ply after a line may have been played while nobody looked."""
        return self._until(line) <= self.history.missed_until

    def _until(self, line: Line) -> float:
        """Until when the last ply of a line was seen not to have been played, or one before."""
        return max((ply.after for ply in line.path()), default=self.began)

    def since(self, line: Line) -> float:
        """From when on the ply after a line may have been played: where nobody looked, before the last was seen."""
        looked_away = self.history.missed_until > -np.inf and self.missed(line)
        return self._until(line) if looked_away else self.latest(line)

    def latest(self, line: Line) -> float:
        """When the last ply of a line that was seen was first seen."""
        seen = (self.when(ply, line)[0] for ply in line.path())
        return max((at for at in seen if at < np.inf), default=self.began)

    def against(self, line: Line) -> tuple[float, float]:
        """Nats against plies that were seen in another order; and how many of them may be for a man who has moved on in
        a ply to come."""
        against, left_again, latest, put = 0.0, 0.0, self.played, -np.inf
        path = line.path()
        alone = [self._alone(ply, line) for ply in path]
        seen = [ply.seen for ply in alone]
        replied = list(accumulate((at for at, _ in reversed(seen)), min, initial=np.inf))[-2::-1]
        for number, (ply, then) in enumerate(zip_longest(path, path[1:]), 1):
            square, ((at, after), left, stood, by_itself) = ply.moves[-1].to_square, alone[number - 1]
            against += by_itself
            left_again += self._answered(ply, line, at, replied[number - 1])
            first = min(at, left)
            if first < latest:  # one seen to have come before he left has been taken for another
                first = max(first, stood)
            if first < latest:
                most = UNLIKELY if isinstance(ply.moves[-1], Illegal) else DISORDER
                against += min(INVERTED * (latest - first), most)
            if at < put + PROMPT and type(ply.moves[-1]) is chess.Move:
                against += min(PROMPTLY * (1 - (at - put) / PROMPT), PROMPTLY)
            if at < np.inf and not changes_again(ply, line, square):  # else it may be a later one who was seen there
                put = max(put, min(after, left + AT_MOST))
            # A reply seen while he still stood there is none, unless it may be who stood on its square before him.
            elsewhere = then is not None and then.moves[-1].to_square != square
            if elsewhere and seen[number][0] < stood - self.history.step:
                against += min(HASTY, ORDER + self._seen_to_stay(ply, line, seen[number][0])[1])
            if at < np.inf:
                latest = max(latest, min(after, left))
            else:
                against += UNWITNESSED
                latest = max(latest, stood)
                if changes_again(ply, line, square):
                    against += self._came_and_went(ply, square, path[number:], seen[number:])
                elif ply.moves[-1]:  # he stands there since, and did not while it lay open, or reads as another
                    latest = max(latest, min(after, left))
            against += self.plies.disorder(self.history, ply, then)
        return against + left_again, left_again

    def _alone(self, ply: Line, line: Line) -> Alone:
        """What is seen of one ply of a line. Where its squares do not change again, all lines that go on from there
        share it."""
        move, version = ply.moves[-1], self.history.version
        again = any(changes_again(ply, line, square) for square in (move.from_square, move.to_square))
        if not again and ply.alone is not None and ply.alone[0] == version:
            return ply.alone[1]
        at, after = self.when(ply, line)
        against = ply.unseen + min(INVERTED * max(after - ply.vacant - VACANT, 0.0), DISORDER)
        if self.began <= after and at < np.inf:
            against += self._stayed(ply, line, at) + self._came_before(ply, line, at)
        if not after < self.history.missed_until <= at:
            against += self._replaced(ply, move.to_square) + self._returned(ply, move.to_square)
        found = Alone((at, after), self._left_at(ply, line), self._stood_until(ply, line), against)
        if not again:
            ply.alone = version, found
        return found

    def when(self, ply: Line, line: Line) -> Seen:
        """When a ply of a line was first seen on the square it comes to, and until when it was seen not to have been
        played; what came there later is not taken for it."""
        square, history = ply.moves[-1].to_square, self.history
        if ply.settled is not None:
            return ply.settled
        doubtful = ply.at == np.inf or ply.turn != history.turns[square]
        if doubtful and ply.looked != history.version and ply.moves[-1] and square in ply.contents:
            ply.looked = history.version
            ply.at, ply.turn = self._seen_at(ply, square), history.turns[square]
            ply.after = history.open_until(square, ply.at)
            ply.vacant = self._vacant(ply, square)
            if ply.unseen and ply.parent is not None:
                shown = history.has_shown(square, ply.by(), self.latest(ply.parent))
                ply.unseen = 0.0 if shown else ply.unseen
        if self.plies.slow or not ply.moves[-1] or not changes_again(ply, line, square):
            return ply.at, ply.after
        held, number = line.contents[square], len(ply.contents[square])
        at, gone = (history.switched(square, held, n) for n in (number - 1, number))
        seen = self.began < at < gone and history.has_been(square, group_of(ply.by()), at, gone)
        if seen and not self._is_his_like(ply, line, at):
            return at, history.open_until(square, at)
        return np.inf, history.stayed(square, held, number - 1, np.inf)[0]

    def _seen_at(self, ply: Line, square: chess.Square) -> float:
        """When the last ply of a line was first seen; one who comes where his like was taken, from when on it can only
        be he."""
        at = self.plies.seen_at(self.history, ply)
        if self.plies.slow:
            return at
        assert ply.parent is not None
        before = ply.parent.path()
        like = [number for number, other in enumerate(before, 1) if _alike(other, ply)]
        if not like:
            return at
        taken = max((gone for other in before[like[-1] :] if (gone := self._gone(other, ply)) < np.inf), default=np.inf)
        first = self.history.shown_after(square, ply.contents[square][-1], taken + AT_MOST)
        return min(at, first) if first > taken + AT_MOST + self.history.step else at

    def is_followed(self, ply: Line, line: Line, at: float) -> bool:
        """Whether the ply that follows one of a line had long begun when that was first seen."""
        number = len(ply.path())
        return any(self._gone(then, line) + VACANT < at for then in line.path()[number : number + 1])

    def _is_his_like(self, ply: Line, line: Line, at: float) -> bool:
        """Whether who was seen on the square of a ply of a line, which changes again, came there later in it: who left
        so long before is not carried still."""
        if at <= self._gone(ply, line) + VACANT:
            return False
        return any(_alike(other, ply) for other in line.path()[len(ply.path()) :])

    def _left_at(self, ply: Line, line: Line) -> float:
        """When the man that a ply of a line moves was first seen not to stand where he had stood from the root on;
        infinity where he was not, or never seen to stand there."""
        at = self._gone(ply, line)
        return at if at > self.began else np.inf

    def _gone(self, ply: Line, line: Line) -> float:
        """The same, though the root's own ply may have been seen only later."""
        move = ply.moves[-1]
        held = ply.contents.get(move.from_square, ())
        if self.plies.slow or move.from_square == move.to_square or len(held) != 2:
            return np.inf
        if changes_again(ply, line, move.from_square):
            return self.history.switched(move.from_square, line.contents[move.from_square], 1)
        turn = self.history.turns[move.from_square]
        if ply.left_at[1] != turn:
            ply.left_at = self.history.switched(move.from_square, held, -1), turn
        return ply.left_at[0]

    @staticmethod
    def _down(ply: Line, gone: float) -> float:
        """Until when who was seen gone must stand where the ply has brought him; castling moves another after him."""
        assert ply.parent is not None
        castles = gone < np.inf and ply.parent.board.is_castling(ply.moves[-1])
        return np.inf if castles else gone + AT_MOST

    def _stood_until(self, ply: Line, line: Line) -> float:
        """When the man that a ply of a line moves was last seen where he had stood."""
        left = ply.moves[-1].from_square
        if self.plies.slow or not ply.moves[-1] or left == ply.moves[-1].to_square:
            return -np.inf
        return self._seen_to_stay(ply, line, np.inf)[0]

    def _seen_to_stay(self, ply: Line, line: Line, time: float) -> tuple[float, float]:
        """When the man that a ply of a line moves was last seen where he had stood, and nats against his having left it
        by a time."""
        left = ply.moves[-1].from_square
        return self.history.stayed(left, line.contents[left], len(ply.contents[left]) - 1, time)

    def _stayed(self, ply: Line, line: Line, at: float) -> float:
        """Nats against a ply of a line, seen at a time, if the man that it moves was seen to stay where he had stood
        after he came to where he went, or until so shortly before that no hand could have carried him."""
        left, to = ply.moves[-1].from_square, ply.moves[-1].to_square
        if self.plies.slow or left == to:
            return 0.0
        until, against = self._seen_to_stay(ply, line, at)
        last = until - self.history.step  # he was not seen there any more when that ended
        if until <= at < last + CARRIED:
            return min(HASTY * (1 - (at - last) / CARRIED), self._seen_to_stay(ply, line, last)[1])
        return min(INVERTED * max(until - at, 0.0), DISORDER, against)

    def _came_before(self, ply: Line, line: Line, at: float) -> float:
        """Nats against a ply of a line, seen at a time as where its man had stood tells it, by what the square to which
        he came had shown before."""
        square = ply.moves[-1].to_square
        if self.plies.slow or ply.settled is not None or changes_again(ply, line, square):
            return 0.0
        return min(self.history.stayed(square, line.contents[square], len(ply.contents[square]) - 1, at)[1], DISORDER)

    def _answered(self, ply: Line, line: Line, at: float, by: float) -> float:
        """Nats against a ply, seen at a time, where its square has not shown who came there though a ply after it had
        been seen `by` then, infinity for none."""
        square = ply.moves[-1].to_square
        if at <= by or self.plies.slow or not ply.moves[-1] or changes_again(ply, line, square):
            return 0.0
        # Of which kind he reads is told elsewhere.
        others = {0, 1, 2} - {group_of(ply.by())}
        if not any(self.history.has_been(square, group, by) for group in others):
            return 0.0
        until, against = self.history.stayed(square, line.contents[square], len(ply.contents[square]) - 1, by)
        return min(INVERTED * max(until - by, 0.0), DISORDER, against)

    def _vacant(self, ply: Line, square: chess.Square) -> float:
        """When who is captured was first seen gone; infinity for no capture, for one whom nobody has seen there, and
        where nobody has seen the square empty."""
        held = ply.contents[square]
        assert ply.parent is not None
        if self.plies.slow or held[-2] != EMPTY or ply.parent.content(square) == EMPTY:
            return np.inf
        came = [other for other in ply.parent.path() if other.moves[-1] and other.moves[-1].to_square == square]
        if came and came[-1].at == np.inf:
            return np.inf
        at = self.history.switched(square, held, -2)
        # Who reads as anybody from then on, but not as gone, has just been seen badly.
        return at if self.history.has_been(square, 2, at) else np.inf

    def _replaced(self, ply: Line, square: chess.Square) -> float:
        """Nats against a drop where another man has stood whom nobody has seen gone."""
        if self.plies.slow or not ply.moves[-1].drop or len(ply.contents[square]) < 3:
            return 0.0
        root = ply.path()[0].parent
        assert root is not None
        stood = root.board.piece_at(square) and not self.history.has_been(square, 2, self.began)
        return REPLACED if stood else 0.0

    def _returned(self, ply: Line, square: chess.Square) -> float:
        """Nats against a man having gone and come back, if not taken back, whom nobody has seen gone."""
        back = not isinstance(ply.moves[-1], TakenBack) and ply.contents.get(square, ())[-1:] == (NEW + square,)
        if self.plies.slow or not back:
            return 0.0
        if self.history.has_been(square, 2, self.began):
            return 0.0
        hidden = self.history.hidden_for(square, self.began)
        return 0.0 if hidden > AWAY else RETURNED + PASSING * max(THERE_AND_BACK - hidden, 0.0)

    def _came_and_went(self, ply: Line, square: chess.Square, then: Sequence[Line], seen: Sequence[Seen]) -> float:
        """Nats against a man having come to a square whom nobody saw there, and who is there no more. `then`: the plies
        after it, by one of which he went, and when they were `seen`."""
        if self.history.has_been(square, group_of(ply.by()), self.began):
            return 0.0
        going = next((n for n, p in enumerate(then, 1) if square in ends(p.moves[-1])), 0)
        stood = (
            min((at for at, _ in seen[:going]), default=np.inf),
            max((to for _, to in seen[:going]), default=-np.inf),
        )
        if stood[0] < stood[1] and self.history.lay_open(square, *stood):
            return DISORDER
        return PASSING * max(BETWEEN - self.history.hidden_for(square, self.began), 0.0)


def _alike(one: Line, other: Line) -> bool:
    """Whether the last plies of two lines bring men of the same side to the same square."""
    return one.moves[-1].to_square == other.moves[-1].to_square and one.by() == other.by()
