"""Recorded sources: a video file or a folder of pictures in, frames out.

A video keeps its own time stamps. A folder is read in name order (`2.png` before `10.png`) at `fps`
pictures a second, `FOLDER_FPS` unless told. A damaged source gives what can be read of it and says how
much was lost in `Source.lost`; only a source that gives nothing at all is an error.
"""

import re
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from rules.seats import BoardName
from vision.frame import Frame

PICTURES = frozenset((".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"))
FOLDER_FPS = 2.0
LOOK = 0.15  # seconds between two looks at a picture of a folder
MOST_LOOKS = 8  # at one of them
OFFSET = 60.0
"""Two recordings of one match may start apart, and their first stamps say so. A first stamp beyond this many
seconds is the origin of some clock instead, and the video then starts at 0."""

Fault = Literal["missing", "empty_file", "not_video", "not_picture", "no_pictures", "no_camera"]
FAULTS: dict[Fault, str] = {
    "missing": "{path}: no such file or folder. Check the name.",
    "empty_file": "{path}: the file is empty. Copy or record it again.",
    "not_video": "{path}: no picture can be read from it. Give a video file (MP4, AVI, MKV, WebM) "
    "that was closed properly, or a folder of pictures.",
    "not_picture": "{path}: not a picture that can be read. Give a whole JPEG, PNG, BMP, WebP or TIFF file.",
    "no_pictures": "{path}: no picture that can be read in this folder. It should hold JPEG, PNG, BMP, WebP "
    "or TIFF files, all of one size.",
    "no_camera": "{path}: this camera gives no picture. Plug it in, and close other programs that use it.",
}


class SourceError(ValueError):
    """A source that cannot be read. The message is one line: where, what is wrong, what to do."""

    def __init__(self, fault: Fault, path: Path) -> None:
        super().__init__(FAULTS[fault].format(path=path))
        self.fault = fault
        self.path = path


@dataclass(slots=True, eq=False)
class Source:
    """Frames of one board; iterate it as often as you like, each time from the start.

    `fps`: for a folder the pictures a second, for a video at most so many (None: all of them). `seconds`:
    how long it says it is, 0 when it does not say. `lost`: pictures or packets of the last run through that
    could not be read.
    """

    board: BoardName
    path: Path
    fps: float | None = None
    seconds: float = field(init=False, default=0.0)
    lost: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Raise SourceError unless a first frame can be read."""
        if not self.path.exists():
            raise SourceError("missing", self.path)
        if self.path.is_dir():
            self.seconds = len(_pictures(self.path)) / (self.fps or FOLDER_FPS)
        elif self.path.stat().st_size == 0:
            raise SourceError("empty_file", self.path)
        with closing(iter(self)) as frames:
            next(frames)

    def stands(self) -> list[float]:
        """Seconds after which a picture of a folder is to be looked at again: it stands still until the next one."""
        if not self.path.is_dir():
            return []
        lasts = 1 / (self.fps or FOLDER_FPS)
        return [LOOK * n for n in range(1, MOST_LOOKS + 1) if LOOK * n < lasts]

    def size(self) -> tuple[int, int]:
        """Width and height of its pictures."""
        with closing(iter(self)) as frames:
            height, width = next(frames).image.shape[:2]
        return width, height

    def __iter__(self) -> Generator[Frame, None, None]:
        """Frames in time order, all of one size. SourceError when there is not even one."""
        self.lost = 0
        frames = self._folder() if self.path.is_dir() else self._video()
        one = False
        for frame in frames:
            one = True
            yield frame
        if not one:
            raise SourceError("no_pictures" if self.path.is_dir() else "not_video", self.path)

    def _folder(self) -> Iterator[Frame]:
        size: tuple[int, ...] | None = None
        for number, path in enumerate(_pictures(self.path)):
            try:
                image = read_picture(path)
            except SourceError:
                self.lost += 1
                continue
            size = size or image.shape
            if image.shape != size:
                self.lost += 1
            else:
                yield Frame(self.board, number / (self.fps or FOLDER_FPS), image)

    def _video(self) -> Iterator[Frame]:
        try:
            container = av.open(str(self.path))
        except (av.FFmpegError, OSError) as error:
            raise SourceError("not_video", self.path) from error
        with container:
            if not container.streams.video:
                return
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            self.seconds = _seconds(container, stream)
            rate = float(stream.average_rate or 30)
            origin: float | None = None
            last, last_slot = -np.inf, -1
            size: tuple[int, int] | None = None
            for number, picture in enumerate(self._decoded(container, stream)):
                stamp = number / rate if picture.time is None else picture.time
                if origin is None:
                    origin = 0.0 if 0 <= stamp < OFFSET else stamp
                time = stamp - origin
                slot = int(time * self.fps + 1e-6) if self.fps else number
                # A stamp that does not move on cannot be ordered beside the other board's.
                if time <= last or slot <= last_slot:
                    continue
                last, last_slot = time, slot
                size = size or (picture.width, picture.height)
                yield Frame(self.board, time, _pixels(picture, size))

    def _decoded(self, container: Any, stream: Any) -> Iterator[Any]:
        """Decoded pictures; packets that cannot be decoded are counted and passed over."""
        packets = container.demux(stream)
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except (av.FFmpegError, OSError):
                self.lost += 1
                return
            try:
                pictures = packet.decode()
            except av.FFmpegError:
                self.lost += 1
                continue
            yield from pictures


def read_picture(path: Path) -> NDArray[np.uint8]:
    """(height, width, 3) BGR uint8. SourceError when it is missing, empty or no picture."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise SourceError("missing", path) from error
    except OSError as error:
        raise SourceError("not_picture", path) from error
    if not data:
        raise SourceError("empty_file", path)
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise SourceError("not_picture", path) from error
    if image is None:
        raise SourceError("not_picture", path)
    return np.asarray(image, np.uint8)


def _pictures(folder: Path) -> list[Path]:
    found = [path for path in folder.iterdir() if path.suffix.lower() in PICTURES and path.is_file()]
    return sorted(found, key=lambda path: _in_order(path.name))


def _in_order(name: str) -> list[str | int]:
    """Text and numbers in turn, text first: so numbers only ever meet numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r"([0-9]+)", name.lower())]


def _seconds(container: Any, stream: Any) -> float:
    if stream.duration is not None and stream.time_base is not None:
        return float(stream.duration * stream.time_base)
    return float(container.duration or 0) / av.time_base


def _pixels(picture: Any, size: tuple[int, int]) -> NDArray[np.uint8]:
    """BGR at the video's first size, upright: a telephone notes how it was held."""
    image = picture.to_ndarray(format="bgr24", width=size[0], height=size[1])
    turns = round(picture.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(image, turns), np.uint8) if turns else image
