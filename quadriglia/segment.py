"""One piece of recorded video, short enough to be forgotten one by one, that survives whatever ends the program.

A segment is a Matroska file of H.264 named after its board and the capture time of its first frame, as in
`A-000123.450.mkv`; each frame's stamp is its capture time less that start, in whole milliseconds. A fifth of a second
after a frame was encoded it is in the file, and a file that was cut short reads up to there. Capture times are those of
the monotonic clock, which starts anew with the machine: what an earlier clock stamped is renamed to `old-...`, and no
time is looked up in it.
"""

import contextlib
import errno
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

LONGEST_SIDE = 1280  # pixels; larger pictures are recorded smaller
KEY_SECONDS = 2  # between two frames from which decoding can begin
ENCODER = {"preset": "ultrafast", "tune": "zerolatency", "crf": "24", "maxrate": "4M", "bufsize": "4M"}
"""The next better preset takes twice the time and saves a sixth of the space. The limit is for cameras that rustle in
the dark: 1.8 GB an hour."""
MUXER = {"cluster_time_limit": "200", "flush_packets": "1"}
MILLISECOND = Fraction(1, 1000)
NAME = re.compile(r"(?P<old>old-)?(?P<board>[^-]+)-(?P<start>[0-9]+\.[0-9]{3})\.mkv")


@dataclass(frozen=True, slots=True)
class Segment:
    """`start`: capture time of its first frame in milliseconds, by an earlier clock if it is `old`."""

    path: Path
    board: str
    start: int
    old: bool


def segments(folder: Path) -> list[Segment]:
    """The segments of all boards in a ring's folder, oldest first; none if it cannot be read."""
    found: list[Segment] = []
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if match := NAME.fullmatch(path.name):
                start = round(float(match["start"]) * 1000)
                found.append(Segment(path, match["board"], start, match["old"] is not None))
    return sorted(found, key=lambda segment: (not segment.old, segment.start, segment.board))


class Recording:
    """A segment that is being written. Everything raises OSError or av.FFmpegError; see `fault_of`."""

    def __init__(self, folder: Path, board: str, time: int, fps: float, shape: tuple[int, ...]) -> None:
        """Begin with a frame of `shape` (height, width, 3), captured at `time` in milliseconds."""
        self.segment = Segment(folder / f"{board}-{time / 1000:010.3f}.mkv", board, time, old=False)
        self.shape = shape
        path = str(self.segment.path)
        self._container = av.open(path, "w", format="matroska", options=dict(MUXER))
        try:
            self._stream = self._container.add_stream("libx264", rate=round(fps), options=dict(ENCODER))
            self._stream.width, self._stream.height = _size(shape)
            self._stream.pix_fmt = "yuv420p"
            self._stream.codec_context.time_base = MILLISECOND
            self._stream.codec_context.gop_size = round(KEY_SECONDS * fps)
            self._stream.codec_context.thread_count = 1
            self._container.start_encoding()
        except Exception:
            self._container.close()
            raise

    def add(self, time: int, image: NDArray[np.uint8]) -> None:
        """Append a frame of the segment's shape, later than the one before."""
        planes = _planes(image, self._stream.width, self._stream.height)
        frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts, frame.time_base = time - self.segment.start, MILLISECOND
        self._container.mux(self._stream.encode(frame))

    def size(self) -> int:
        """Bytes in the file. A file whose folder was removed can be written all the same, but has no size."""
        return self.segment.path.stat().st_size

    def close(self) -> None:
        try:
            self._container.mux(self._stream.encode(None))
        finally:
            self._container.close()


def fault_of(error: Exception) -> str:
    """What went wrong with a file: `disk_full`, `missing` (the folder is gone), `not_writable`, `encoder`."""
    number = getattr(error, "errno", None)
    if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "disk_full"
    if number == errno.ENOENT:
        return "missing"
    return "not_writable" if isinstance(error, OSError) else "encoder"


def _size(shape: tuple[int, ...]) -> tuple[int, int]:
    """Width and height to record: both even, as the encoder wants them."""
    height, width = shape[:2]
    scale = min(1.0, LONGEST_SIDE / max(width, height))
    return max(2, round(width * scale / 2) * 2), max(2, round(height * scale / 2) * 2)


def _planes(image: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """(height * 3/2, width) planes Y, U and V. It takes OpenCV a third of the time that FFmpeg takes."""
    if image.shape[:2] != (height, width):
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
