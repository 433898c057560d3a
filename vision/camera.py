"""A live camera: its newest frame, how it is doing, and that it comes back by itself.

A source is the number of a webcam (`0`), a device (`/dev/video2`), a stream (`rtsp://`, `http://`) or a recorded file,
which plays in real time as a camera would. Frames are stamped when they arrive, on one monotonic clock for all
cameras. A thread per camera reads as fast as frames come and keeps only the newest: whoever is slow skips frames.
"""

import threading
import time as wall
from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Literal

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from rules.seats import BoardName
from vision.frame import Frame
from vision.source import Source, SourceError

cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # a camera that is not there is ours to tell

Picture = NDArray[np.uint8]
State = Literal["opening", "live", "slow", "lost"]

SIZE = (1280, 720)
FPS = 30.0
GONE = 1.2
"""Seconds without a frame after which a camera is lost and opened anew."""
RETRY = 1.0
"""Seconds between two attempts to open it."""
SLOW = 8.0
"""Frames a second under which a blitz move may be missed."""
TIMEOUT = (4.0, 2.0)
"""Seconds for a stream to open, and for its next packet."""
STREAMS = ("rtsp://", "rtsps://", "http://", "https://", "udp://", "tcp://")


class Camera:
    """Reads `source` from a thread of its own until closed. `clock`: seconds, monotonic, the same for all cameras."""

    def __init__(
        self,
        board: BoardName,
        source: str,
        clock: Callable[[], float],
        keep: Callable[[float, Picture], None] | None = None,
    ) -> None:
        """`keep` gets the time and picture of every frame, for recording; it must return at once."""
        self.board, self.source, self.clock, self.keep = board, source, clock, keep
        self.fault = ""  # why it could not be opened or read last
        self.opened = 0
        self.ended = False  # a recorded file has come to its end
        self._newest: Frame | None = None
        self._times: deque[float] = deque(maxlen=60)
        self._news = threading.Condition()
        self._closed = threading.Event()
        self._began = self._tried = clock()
        self._turn = 0
        self._start()
        self._guard = threading.Thread(target=self._watch, name=f"guard-{board}", daemon=True)
        self._guard.start()

    def newest(self, after: float, timeout: float = 0.2) -> Frame | None:
        """The newest frame, once there is one later than `after`; None if none comes in `timeout` seconds."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None and self._newest.time > after, timeout)
            return self._newest if self._newest is not None and self._newest.time > after else None

    @property
    def age(self) -> float:
        """Seconds since the newest frame, or since the camera was asked for."""
        return self.clock() - (self._newest.time if self._newest else self._began)

    @property
    def fps(self) -> float:
        """Frames a second over the last two seconds."""
        now = self.clock()
        return sum(time > now - 2.0 for time in list(self._times)) / 2.0

    @property
    def state(self) -> State:
        """`opening` until the first frame; then `live`, `slow` or `lost`."""
        if self._newest is None:
            return "lost" if self.fault else "opening"
        if self.age > GONE:
            return "lost"
        return "slow" if self.fps < SLOW and self.clock() - self._times[0] > 2.0 else "live"

    def close(self) -> None:
        """Stop reading. A driver that hangs is left behind."""
        self._closed.set()
        self._guard.join(1.0)
        self._reader.join(1.0)

    def _start(self) -> None:
        self._turn += 1
        self._tried = self.clock()
        self._reader = threading.Thread(target=self._read, args=(self._turn,), name=f"camera-{self.board}", daemon=True)
        self._reader.start()

    def _watch(self) -> None:
        """Open again what has gone or hangs: a driver may never return, so its thread is left to itself."""
        while not self._closed.wait(0.1):
            quiet = min(self.age, self.clock() - self._tried)
            stuck = quiet > (GONE if self._newest and self._newest.time > self._tried else TIMEOUT[0] + 1)
            gone = not self._reader.is_alive() and self.clock() - self._tried > RETRY
            if not self.ended and (stuck or gone):
                self._start()

    def _read(self, turn: int) -> None:
        """Read one opening of the source to its end."""
        try:
            with closing(_frames(self.source)) as frames:
                for image in frames:
                    if self._closed.is_set() or turn != self._turn:
                        return
                    self._take(image)
            self.fault, self.ended = "ended", turn == self._turn and not _is_live(self.source)
        except (OSError, av.FFmpegError, SourceError, cv2.error) as error:
            self.fault = type(error).__name__ if not str(error) else str(error).splitlines()[0]

    def _take(self, image: Picture) -> None:
        frame = Frame(self.board, self.clock(), image)
        with self._news:
            if self._newest is None or self.age > GONE:
                self.opened += 1
            self.fault = ""
            self._newest = frame
            self._times.append(frame.time)
            self._news.notify_all()
        if self.keep:
            self.keep(frame.time, image)


class CameraSource:
    """The next `SECONDS` of a live camera, for what reads recorded sources. `path`: its name."""

    SECONDS = 12.0

    def __init__(self, board: BoardName, source: str) -> None:
        self.board, self.source, self.path = board, source, Path(source)

    def __iter__(self) -> Generator[Frame, None, None]:
        """Frames as they come, none older than another is new. SourceError where the camera gives none."""
        camera = Camera(self.board, self.source, wall.monotonic)
        began, last = wall.monotonic(), -np.inf
        try:
            while wall.monotonic() - began < self.SECONDS and not (camera.ended and camera.age > GONE):
                frame = camera.newest(last)
                if frame is not None:
                    last = frame.time
                    yield frame
                elif camera.state == "lost" and last < 0:
                    break
            if last < 0:
                raise SourceError("no_camera", self.path)
        finally:
            camera.close()


def _is_live(source: str) -> bool:
    return source.startswith((*STREAMS, "/dev/")) or source.isdigit()


def _frames(source: str) -> Generator[Picture, None, None]:
    """Pictures as they come. Raises OSError, av.FFmpegError, SourceError or cv2.error."""
    if source.startswith(STREAMS):
        return _stream(source)
    if _is_live(source):
        return _webcam(int(source) if source.isdigit() else source)
    return _recorded(Path(source))


def _webcam(device: int | str) -> Generator[Picture, None, None]:
    """A USB camera. Asked for are MJPG, which alone brings full frames at full rate over USB 2, and that exposure and
    focus stay as they are: what changes by itself looks like a move. Not every camera obeys."""
    capture = cv2.VideoCapture(device)
    try:
        if not capture.isOpened():
            raise OSError(f"camera {device} cannot be opened")
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_FPS, FPS)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        began, locked = wall.monotonic(), False
        while True:
            got, image = capture.read()
            if not got:
                raise OSError(f"camera {device} gives no picture")
            if not locked and wall.monotonic() - began > SETTLING:
                locked = True
                _lock(capture)
            yield np.asarray(image, np.uint8)
    finally:
        capture.release()


SETTLING = 2.0
"""Seconds in which a webcam may find exposure and focus."""


def _lock(capture: cv2.VideoCapture) -> None:
    exposure = capture.get(cv2.CAP_PROP_EXPOSURE)
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
    capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2's manual mode
    if exposure > 0:
        capture.set(cv2.CAP_PROP_EXPOSURE, exposure)


def _stream(address: str) -> Generator[Picture, None, None]:
    options = {"rtsp_transport": "tcp", "fflags": "nobuffer", "flags": "low_delay", "probesize": "65536"}
    options |= {"analyzeduration": "200000"}
    with av.open(address, timeout=TIMEOUT, options=options) as container:
        if not container.streams.video:
            raise OSError("the stream has no picture")
        for picture in container.decode(video=0):
            yield np.asarray(picture.to_ndarray(format="bgr24"), np.uint8)


def _recorded(path: Path) -> Generator[Picture, None, None]:
    """A file as a camera would give it; what comes late because the machine is busy is left out."""
    began: float | None = None
    for frame in Source("A", path):
        now = wall.monotonic()
        began = now - frame.time if began is None else began
        ahead = frame.time - (now - began)
        if ahead > 0:
            wall.sleep(ahead)
        elif ahead < -0.1:
            continue
        yield frame.image


def list_cameras(most: int = 10) -> list[tuple[str, int, int, float]]:
    """USB cameras that answer: source, width, height and frames a second."""
    found = []
    for number in range(most):
        capture = cv2.VideoCapture(number)
        if capture.isOpened():
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
            size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
            found.append((str(number), *size, float(capture.get(cv2.CAP_PROP_FPS))))
        capture.release()
    return found
