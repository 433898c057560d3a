"""A sequence of pictures followed as a match is: what moves have shown for certain teaches how the next is read."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.match import Match
from rules.observation import Observation, labels_of
from rules.tracker import Tracker
from vision.album import Album
from vision.closer import Closer
from vision.source import LOOK
from vision.whole import Beforehand, just_after

APART = 2.0  # seconds between pictures: in each of them something has come to stand
LOOKS = int(APART / LOOK)  # at each


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
    """`likelihoods`: (64, 13) log-likelihoods. `seen`: (64,) what nothing hides. `features`: (64, 256), what they are
    made of. `cuts`: (64, 124, 100, 3), upright with a brim, of those that were looked at closely, `close`: (64,)."""

    likelihoods: NDArray[np.float32]
    seen: NDArray[np.bool_]
    features: NDArray[np.float32]
    cuts: NDArray[np.uint8]
    close: NDArray[np.bool_]


class Followed:
    """A game of chess from its start position on."""

    def __init__(self, closer: Closer, album: Album) -> None:
        """`closer`: the second network as the start position in the `album` has taught it. The next picture is to be
        read by `closer` as it has become."""
        self.closer, self.album = closer, album
        self.tracker = Tracker(Match("chess"))
        self.pictures = 0

    def right(self, read: Squares) -> tuple[NDArray[np.float32], Beforehand]:
        """(64, 13) log-likelihoods of the next picture, put right by the pictures before it, as a match's tracker puts
        them right, and what is known of its board by the moves before; then the tracker sees it, too, and what it is
        certain of teaches the second network again."""
        known = just_after(labels_of(self.tracker.match.board("A")))
        time = self.pictures * APART
        self.pictures += 1
        looks = [
            Observation(
                *("A", time + LOOK * number, read.likelihoods, read.seen, {}),
                hand=not read.seen.all(),
                moving=False,
                features=read.features,
            )
            for number in range(LOOKS)
        ]
        lessons = self.tracker.sides["A"].experience.lessons
        lessons.look(looks[0])
        right = np.log(lessons.right(looks[0].probabilities())).astype(np.float32)
        self.album.look(time, read.cuts, read.close)
        for look in looks:
            self.tracker.update(look)
            for certain in self.tracker.certain("A"):
                self.album.learn(certain)
        if self.album.due:
            self.closer = self.closer.with_reader(self.album.lesson(self.closer.reader)())
        return np.where(read.seen[:, None], right, read.likelihoods), known
