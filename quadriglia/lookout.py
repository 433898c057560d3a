"""One camera of a live match: where its board lies, and what is seen of it. A thread of its own."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region, Side, View, pockets_beside
from quadriglia.boards import ENOUGH, SEARCH, STEP, Finding
from quadriglia.files import note_fault
from quadriglia.sight import Sight
from rules.observation import Certain, Observation
from rules.seats import BoardName
from vision.camera import GONE, Camera
from vision.eye import Eye
from vision.frame import Frame
from vision.overlay import draw

Labels = NDArray[np.int64]
SPACING = 0.045  # seconds between two looks, at least: fifteen a second are enough for blitz, and spare the machine
ABSENT = 0.2  # seconds between two observations of a camera that gives no picture
WIDTH = 960  # pixels of a picture for the pages
PATIENT = int(SEARCH / STEP)  # looks after which a board is taken though which side is White's is not certain


@dataclass(frozen=True, slots=True, eq=False)
class Post:
    """What a lookout is given. `view`: where the board lies, None to look for it. `pockets`: None for games without."""

    board: BoardName
    source: str
    view: View | None
    pockets: dict[chess.Color, Region] | None


class Lookout:
    """Watches one board until closed."""

    def __init__(
        self,
        post: Post,
        sight: Sight,
        clock: Callable[[], float],
        labels: Callable[[BoardName], Labels],
        tell: Callable[[Observation], None],
        keep: Callable[[float, NDArray[np.uint8]], None] | None = None,
        folder: Path | None = None,
    ) -> None:
        """`labels`: (64,) what stands on a board by the record, from which its set is learnt. `tell` gets every
        observation, `keep` every frame; both must return at once. `folder`: for faults of the program."""
        self.post, self.sight, self.clock, self.labels, self.tell = post, sight, clock, labels, tell
        self.pockets, self.folder = post.pockets, folder
        self.way = "given" if post.view else ""
        self.ages: deque[float] = deque(maxlen=300)  # seconds that frames were old when they were looked at,
        self.delays: deque[float] = deque(maxlen=300)  # and when they had been
        self.looked = 0
        self._eye: Eye | None = self._eye_for(post.view) if post.view else None
        self._finding: Finding | None = None
        self._found_at = -np.inf
        self._looked_in: deque[Frame] = deque(maxlen=ENOUGH)  # pictures in which the board was looked for
        self._wanted: list[Callable[[], None]] = []
        self._closed = threading.Event()
        self.camera = Camera(post.board, post.source, clock, keep)
        self._thread = threading.Thread(target=self._run, name=f"lookout-{post.board}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._closed.set()
        self.camera.close()
        self._thread.join(3.0)

    def calibrate(self, corners: NDArray[np.float64] | None, side: Side | None) -> None:
        """Take the board to lie there, or look for it anew; the pockets beside that file, or as before."""

        def change() -> None:
            if side and self.pockets is not None:
                self.pockets = pockets_beside(side)
            size = self.camera_size()
            if corners is not None and size:
                view = View.from_corners(corners, size, side=self.sight.side)
                self._eye, self.way = self._eye_for(view), "given"
            elif corners is None and side is None:
                self._eye, self._finding, self.way = None, None, ""
            elif self._eye:
                self._eye = self._eye_for(self._eye.view)

        self._wanted.append(change)

    def learn(self, answer: Sequence[Certain]) -> None:
        """Have the eye take in what has become certain by one of its looks."""

        def learn() -> None:
            if eye := self._eye:
                for certain in answer:
                    eye.learn(certain)

        self._wanted.append(learn)

    def camera_size(self) -> tuple[int, int] | None:
        """Width and height of the newest picture."""
        frame = self.camera.newest(-np.inf, 0.0)
        return None if frame is None else (frame.image.shape[1], frame.image.shape[0])

    def as_json(self) -> dict[str, Any]:
        """What pages are told of the camera."""
        camera, eye = self.camera, self._eye
        state = camera.state
        glance = "" if eye is None or state != "live" else eye.camera
        return {
            "state": {"frozen": "frozen", "dark": "dark"}.get(glance, state),
            "fps": round(camera.fps, 1),
            "age": round(camera.age, 3),
            "source": self.post.source,
            "fault": camera.fault,
            "found": eye is not None,
            "way": self.way,
            "corners": eye.view.corners().round(1).tolist() if eye else None,
            "size": list(eye.view.size if eye else self.camera_size() or (0, 0)),
            "pockets": self._side(),
        }

    def picture(self) -> bytes | None:
        """The newest frame as JPEG, with where the board and its pockets are taken to lie."""
        frame = self.camera.newest(-np.inf, 0.0)
        if frame is None:
            return None
        eye, image = self._eye, frame.image
        if eye is not None and eye.view.size == image.shape[1::-1]:
            image = draw(image, eye.view)
        scale = min(1.0, WIDTH / image.shape[1])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
        return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()

    def _run(self) -> None:
        last = -np.inf
        while not self._closed.is_set():
            while self._wanted:
                self._wanted.pop(0)()
            frame = self.camera.newest(last + SPACING)
            if frame is not None:
                last = frame.time
                self._try(frame)
            elif self._eye is not None and self.camera.age > GONE:
                self.tell(self._eye.absent(self.post.board, self.clock()))
                self._closed.wait(ABSENT)

    def _try(self, frame: Frame) -> None:
        """A fault of ours must not leave a board unseen: its set is learnt anew."""
        try:
            self._take(frame)
        except Exception:
            if self.folder:
                note_fault(self.folder, f"{frame.time:.3f} camera {frame.board}")
            self._eye = self._eye_for(self._eye.view) if self._eye else None

    def _take(self, frame: Frame) -> None:
        if self._eye is not None and self._eye.view.size != frame.image.shape[1::-1]:
            self._eye, self._finding, self.way = None, None, ""  # the camera came back with pictures of another size
        if self._eye is None:
            self._look_for(frame)
            return
        self.ages.append(self.clock() - frame.time)
        self.tell(self._eye.observe(frame))
        self.looked += 1
        self.delays.append(self.clock() - frame.time)

    def _look_for(self, frame: Frame) -> None:
        """One look for the board, every half second."""
        if frame.time - self._found_at < STEP:
            return
        self._found_at = frame.time
        finding = self._finding = self._finding or Finding(self.sight)
        try:
            finding.look(frame.image)
        except ValueError:  # a picture too small to look at
            return
        self._looked_in.append(frame)
        found = finding.result()
        if found is not None and (finding.enough or finding.looks >= PATIENT):
            self._eye, self.way, self._finding = self._eye_for(found[0]), "pieces" if found[1] else "assumed", None
            for earlier in self._looked_in:  # what stood there meanwhile counts: play may have begun since
                if earlier.image.shape == frame.image.shape:
                    self.tell(self._eye.observe(earlier))
            self._looked_in.clear()

    def _eye_for(self, view: View) -> Eye:
        placed = replace(view, pockets=dict(self.pockets or {}))
        return self.sight.eye(placed, self.labels(self.post.board))

    def _side(self) -> str | None:
        if not self.pockets:
            return None
        return "h" if self.pockets[chess.WHITE].x0 > 4 else "a"
