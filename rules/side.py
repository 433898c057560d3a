"""What is known of one board from look to look."""

from typing import Literal

import chess
import numpy as np
from numpy.typing import NDArray

from rules.beam import Beam
from rules.cameras import Camera
from rules.dropped import Dropped
from rules.events import Event
from rules.evidence import Experience
from rules.hands import Hands
from rules.history import History
from rules.lines import LEFT, Line
from rules.observation import EMPTY, Certain, labels_of
from rules.poses import Poses
from rules.presses import Presses
from rules.profile import Profile
from rules.seats import BoardName
from rules.signals import Signals
from rules.start import Start

State = Literal["waiting", "ready", "running", "unsure", "paused", "ended"]

QUIET = 0.5  # seconds without change after which squares are learnt from
ACCEPT = 2.0  # seconds after which a small difference that no ply explains is taken for the piece's look
SURE = 8.0  # nats by which what was told must beat all that contradicts it to be in doubt no more,
SETTLED = 1.0  # seconds after it was told
OLD = 8.0  # or so long after it,
LONG = 4  # or with so many plies
ONE_KIND = 6.0  # nats that one misread kind leaves unexplained, at most


class Side:
    """One board's running state."""

    def __init__(self, name: BoardName, profile: Profile) -> None:
        self.name = name
        self.camera = Camera()
        self.poses = Poses(name, profile)
        self.signals = Signals()
        self.hands = Hands(name, profile)
        self.presses = Presses(name, profile)
        self.about: Event | None = None  # the alert of the last ply, while who played it may not be done
        self.experience = Experience()
        self.dropped = Dropped(name, self.experience)
        self.start = Start(self.experience)
        self.state: State = "waiting"
        self.history = History(self.experience)
        self.beam: Beam | None = None
        self.labels = np.zeros(64, np.int64)  # of the beam's root
        self.agreed: list[tuple[chess.Move, float]] = []  # plies agreed upon beyond the root, and since when
        self.told_at: list[float] = []  # when each told ply beyond the root was told,
        self.shown: list[NDArray[np.bool_]] = []  # and (64,) squares that showed then what it has left there
        self.certain: list[Certain] = []  # what looks have made certain, until somebody asks
        self.unwatched: list[Event] = []  # plies told that may have been played during the last time without a look
        self.leading: tuple[tuple[chess.Move, ...], float] = ((), 0.0)  # the next ply of the best line, and since when
        self.alike_since = 0.0  # since when it may have been a drop of another kind
        self.began = 0.0  # when its lines began at what was told
        self.unsure_since = 0.0
        self.calm_since = 0.0  # since when nothing is unexplained
        self.solved = 0.0  # when nothing at all was,
        self.puzzling = chess.BB_EMPTY  # what was else,
        self.thought = 0.0  # and when that was known last
        self.quiet_since = 0.0  # since when nothing at all has changed
        self.learnt = -np.inf

    def begin_anew(self, time: float) -> None:
        """Nobody has looked for a while: nothing has been doubtful, or agreed upon, all the time."""
        self.calm_since = self.solved = self.quiet_since = self.alike_since = time
        self.leading = self.leading[0], time
        self.unwatched = []
        self.agreed = [(move, time) for move, _ in self.agreed]

    def settle(self, beam: Beam, time: float) -> None:
        """Leave behind what is in doubt no more, and learn from what stands still."""
        told = beam.told
        while told.moves:
            age = time - self.told_at[0]
            against = [line.total for line in beam.lines if line.moves[:1] != told.moves[:1]]
            # What was played before it, behind hands or while nobody looked, shows by what it does not explain.
            explains = told.left <= LEFT
            sure = told.total > max(against, default=-np.inf) + SURE and age > SETTLED and explains
            if not (sure or age > OLD or len(told.moves) > LONG):
                break
            self.experience.carry(told.path()[0].contents_of_all())
            beam.advance()
            self.labels = labels_of(beam.root.board)
            self.certain.append(Certain(self.told_at.pop(0), self.labels, self.shown.pop(0)))
            self.agreed = self.agreed[1:]
            self.leading = self.leading[0][1:], self.leading[1]
            certain = self._lies_open(told)
            self.experience.lessons.learn(self.labels, certain)
            self.certain.append(Certain(time, self.labels, certain))
        explained = told.left <= LEFT or self.misread_alone(told)
        if beam.best() is not told or not explained or time - self.learnt < QUIET:
            return
        if time - self.quiet_since > (ACCEPT if told.left else QUIET):
            self.learnt = time
            certain = self._lies_open(told)
            self.experience.learn(self.history.probabilities, self.labels, certain)
            self.history.settle(certain)
            self.certain.append(Certain(time, self.labels, certain))
            if told.left:
                wrong = self._never_right(told)
                self.experience.mistake(self.history.probabilities, told.contents_of_all(), wrong)

    def misread_alone(self, told: Line) -> bool:
        """Whether men of the right colours stand where they were told to, and the kind of one reads otherwise."""
        return told.left <= ONE_KIND and bool(self.history.as_labelled(labels_of(told.board)).all())

    def _lies_open(self, told: Line) -> NDArray[np.bool_]:
        """(64,) squares that lie open and hold what they should, and that no ply in doubt has changed."""
        certain = self.history.open & self.history.as_labelled(self.labels)
        certain[list(told.contents)] = False
        return certain

    def _never_right(self, told: Line) -> NDArray[np.bool_]:
        """(64,) squares to which men have come who have not once read as of their colour there."""
        labels = labels_of(told.board)
        wrong: NDArray[np.bool_] = self.history.open & (labels != EMPTY) & ~self.history.as_labelled(labels)
        came = {ply.moves[-1].to_square: ply.at for ply in told.path()}
        for square in np.flatnonzero(wrong).tolist():
            right = self.history.has_been(square, int(labels[square] // 6), came.get(square, -np.inf))
            wrong[square] = not right and (square in came or not self.experience.known[square])
        return wrong
