"""The video ring: what a camera saw in the last hours, in segments. See `quadriglia/segment.py` for their files and
`quadriglia/footage.py` for what is made out of them."""

import contextlib
import math
import os
import queue
import shutil
import threading
import time as clocks
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quadriglia.segment import Recording, Segment, fault_of, segments

MOST_FPS = 15.0
FLOOR = 1 << 30  # bytes that stay free on the disk
KEPT = 7  # newest segments of each board that stay below the floor: the longest clip
DEEP = 8  # frames that wait for the encoder
RETRY = 5.0  # seconds until a faulty ring is tried again
IDLE = 2.0  # seconds without a frame after which a segment is ended, so that all of it can be read
LOOK = 1.0  # seconds between two looks at the file


@dataclass(frozen=True, slots=True)
class RingHealth:
    """`frames` written and `dropped`, `bytes` written since the start; `fault` while nothing is recorded:
    `disk_full`, `not_writable`, `missing` (the folder is gone), `encoder`."""

    frames: int
    dropped: int
    bytes: int
    fault: str | None


class Ring:
    """Keeps `hours` of one camera in segments of `seconds` in `folder`, which both boards may share.

    At most `fps` frames a second are kept. While the disk has less than `floor` bytes free the oldest segments of the
    folder go, whichever board's, except the newest few of each. Nothing here raises: see `health`.
    """

    def __init__(
        self, folder: Path, board: str, hours: float, seconds: float = 10.0, fps: float = MOST_FPS, floor: int = FLOOR
    ) -> None:
        self.folder = folder
        self.board = board
        self.hours = hours
        self.seconds = seconds
        self.fps = fps
        self.floor = floor
        # Of the caller's thread.
        self._last = self._due = -math.inf
        self._refused = 0
        self._closed = False
        # Of the worker's. Times in milliseconds.
        self._recording: Recording | None = None
        self._newest = self._looked = -1
        self._retry = 0.0
        self._made = self._alone = False
        self._frames = self._lost = self._ended_bytes = self._open_bytes = 0
        self._fault: str | None = None
        self._queue: queue.Queue[tuple[int, NDArray[np.uint8]] | None] = queue.Queue(DEEP)
        self._thread = threading.Thread(target=self._work, name=f"ring {board}", daemon=True)
        self._thread.start()

    def put(self, time: float, image: NDArray[np.uint8]) -> None:
        """Record a frame: capture time in seconds, (height, width, 3) BGR uint8 that nobody changes any more.

        From one thread. Never waits and never raises: what cannot be taken is dropped and counted."""
        if self._closed or not (0 <= time < math.inf and time > self._last):
            self._refused += 1
            return
        self._last = time
        # Stamps tremble: a frame that comes a little early is the one that was due.
        if time < self._due - 0.25 / self.fps:
            return
        self._due = max(self._due + 1 / self.fps, time)
        try:
            self._queue.put_nowait((round(time * 1000), image))
        except queue.Full:
            self._refused += 1

    @property
    def health(self) -> RingHealth:
        return RingHealth(self._frames, self._refused + self._lost, self._ended_bytes + self._open_bytes, self._fault)

    @property
    def fault(self) -> str | None:
        return self._fault

    def close(self, wait: float = 5.0) -> None:
        """Record what still waits and end the segment; give up after `wait` seconds."""
        self._closed = True
        with contextlib.suppress(queue.Full):
            self._queue.put(None, timeout=wait)
        self._thread.join(wait)

    def _work(self) -> None:
        while True:
            try:
                given = self._queue.get(timeout=IDLE)
            except queue.Empty:
                self._end()
                continue
            if given is None:
                self._end()
                return
            time, image = given
            try:
                if time < self._retry or time <= self._newest:
                    self._lost += 1
                else:
                    self._write(time, image)
            except Exception as error:
                self._lost += 1
                self._stop(error, time)

    def _write(self, time: int, image: NDArray[np.uint8]) -> None:
        recording = self._recording
        if recording and (image.shape != recording.shape or time - recording.segment.start >= self.seconds * 1000):
            self._close()
            recording = None
        if recording is None:
            recording = self._recording = self._begin(time, image.shape)
            self._looked = time
            self._forget(time, KEPT)
        recording.add(time, image)
        self._newest = time
        self._frames += 1
        if time - self._looked >= LOOK * 1000:
            self._looked = time
            self._open_bytes = recording.size()
            # That it could be begun does not yet mean that the disk takes anything.
            if self._open_bytes:
                self._fault = None

    def _begin(self, time: int, shape: tuple[int, ...]) -> Recording:
        # Not the folders above it again: where a disk was unplugged, its place is no place for the video.
        self.folder.mkdir(parents=not self._made, exist_ok=True)
        self._made = True
        if not self._alone:
            self._set_aside(time)
            self._alone = True
        return Recording(self.folder, self.board, time, self.fps, shape)

    def _set_aside(self, time: int) -> None:
        """What the folder holds of this board may be of a clock that ran before the machine was last started."""
        started = clocks.time() - clocks.monotonic()
        for segment in segments(self.folder):
            if segment.board == self.board and not segment.old:
                with contextlib.suppress(OSError):
                    if segment.start >= time or segment.path.stat().st_mtime < started:
                        os.replace(segment.path, segment.path.with_name(f"old-{segment.path.name}"))

    def _end(self) -> None:
        try:
            self._close()
        except Exception as error:
            self._stop(error, self._newest)

    def _stop(self, error: Exception, time: int) -> None:
        self._fault = fault_of(error)
        self._retry = time + RETRY * 1000
        with contextlib.suppress(Exception):
            self._close()
        if self._fault == "disk_full":
            # The record of the match needs the room more than the video does.
            self._forget(time, 0)

    def _close(self) -> None:
        recording, self._recording = self._recording, None
        if recording is None:
            return
        try:
            recording.close()
        finally:
            self._open_bytes = 0
            with contextlib.suppress(OSError):
                size = recording.size()
                self._ended_bytes += size
                if not size:
                    recording.segment.path.unlink()

    def _forget(self, time: int, kept: int) -> None:
        """Remove what is older than `hours`, and what the disk has no room for except the newest `kept` of each board.

        The newest of the other board stays: it is being written."""
        oldest = time - (self.hours * 3600 + self.seconds) * 1000
        left: list[Segment] = []
        for segment in segments(self.folder):
            if segment.old:
                gone = _age(segment.path) > self.hours * 3600
            else:
                gone = segment.board == self.board and segment.start < oldest
            if not (gone and _remove(segment.path)):
                left.append(segment)
        for number, segment in enumerate(left):
            if not self._short_of_room():
                return
            later = sum(other.board == segment.board for other in left[number + 1 :])
            if segment.old or later >= (kept if segment.board == self.board else max(kept, 1)):
                _remove(segment.path)

    def _short_of_room(self) -> bool:
        try:
            return shutil.disk_usage(self.folder).free < self.floor
        except OSError:
            return False


def _age(path: Path) -> float:
    try:
        return clocks.time() - path.stat().st_mtime
    except OSError:
        return 0.0


def _remove(path: Path) -> bool:
    # Windows does not remove what somebody reads; there will be another time.
    try:
        path.unlink()
    except OSError:
        return not path.exists()
    return True
