"""What a ring has recorded: clips and single pictures, also out of the segment that is being written."""

import contextlib
import os
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path

import av
import cv2
from av.container import InputContainer
from av.packet import Packet
from av.video.frame import PictureType
from av.video.stream import VideoStream

from quadriglia.ring import MOST_FPS
from quadriglia.segment import MILLISECOND, Segment, segments

NEAR = 2.0  # seconds: a picture from further away would not show what it is said to show
ENCODER = {"preset": "ultrafast", "crf": "26", "bf": "0"}  # veryfast takes 2.5 times as long for half the size
JPEG = [cv2.IMWRITE_JPEG_QUALITY, 90]


def clip(ring_folder: Path, board: str, start: float, end: float, out: Path) -> bool:
    """Write the frames captured from `start` to `end` (seconds, both included) as one MP4 that browsers play.

    Its time 0 is the first of them, and it has the first one's size. False if there is none; OSError or av.FFmpegError
    if `out` cannot be written. `out` is there as a whole or not at all."""
    frames = _frames(ring_folder, board, round(start * 1000), round(end * 1000))
    first = next(frames, None)
    if first is None:
        return False
    with (
        _whole(out) as beside,
        av.open(str(beside), "w", format="mp4", options={"movflags": "+faststart"}) as container,
    ):
        stream = container.add_stream("libx264", rate=round(MOST_FPS), options=dict(ENCODER))
        stream.width, stream.height, stream.pix_fmt = first[1].width, first[1].height, "yuv420p"
        stream.codec_context.time_base = MILLISECOND
        # One alert's clip is not to take the whole machine from the match.
        stream.codec_context.thread_count = 1
        for time, frame in chain([first], frames):
            picture = frame.reformat(width=stream.width, height=stream.height, format="yuv420p")
            picture.pts, picture.time_base, picture.pict_type = time - first[0], MILLISECOND, PictureType.NONE
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return True


def picture(ring_folder: Path, board: str, time: float, out: Path) -> bool:
    """Write the frame nearest to `time` as JPEG. False if there is none within 2 seconds; OSError if `out` cannot be
    written. `out` is there as a whole or not at all."""
    wanted, near = round(time * 1000), round(NEAR * 1000)
    found = [
        (abs(stamp - wanted), stamp, segment)
        for segment in _within(ring_folder, board, wanted - near, wanted + near)
        for stamp in _stamps(segment)
    ]
    away, stamp, segment = min(found, key=lambda one: one[0], default=(near + 1, 0, None))
    if away > near or segment is None:
        return False
    for _, frame in _decoded(segment, stamp, stamp):
        good, data = cv2.imencode(".jpg", frame.to_ndarray(format="bgr24"), JPEG)
        if good:
            with _whole(out) as beside:
                beside.write_bytes(data.tobytes())
            return True
    return False


@contextlib.contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """A file to write in place of `out`, which it becomes at the end, or is gone where that fails."""
    beside = out.with_name(out.name + ".new")
    try:
        yield beside
        os.replace(beside, out)
    except Exception:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def newest(ring_folder: Path, board: str) -> float | None:
    """Capture time in seconds of the last frame of a board that can be read; None if there is none."""
    for segment in reversed(_of(ring_folder, board)):
        if stamps := _stamps(segment):
            return stamps[-1] / 1000
    return None


def _of(folder: Path, board: str) -> list[Segment]:
    return [segment for segment in segments(folder) if segment.board == board and not segment.old]


def _within(folder: Path, board: str, since: int, until: int) -> list[Segment]:
    """Segments that may hold frames of that time: one ends before the next begins."""
    found = _of(folder, board)
    ends = [later.start for _, later in pairwise(found)] + [until + 1]
    return [segment for segment, end in zip(found, ends, strict=False) if segment.start <= until and end > since]


def _frames(folder: Path, board: str, since: int, until: int) -> Iterator[tuple[int, av.VideoFrame]]:
    for segment in _within(folder, board, since, until):
        yield from _decoded(segment, since, until)


def _stamps(segment: Segment) -> list[int]:
    """Capture times in milliseconds of its frames; nothing is decoded."""
    with contextlib.ExitStack() as stack:
        opened = _opened(segment, stack)
        return [_time(segment, packet) for packet in _packets(*opened)] if opened else []


def _decoded(segment: Segment, since: int, until: int) -> Iterator[tuple[int, av.VideoFrame]]:
    """Capture times in milliseconds and frames, from the last key frame before them on."""
    with contextlib.ExitStack() as stack:
        opened = _opened(segment, stack)
        if opened is None:
            return
        packets = [packet for packet in _packets(*opened) if _time(segment, packet) <= until]
        keys = [n for n, packet in enumerate(packets) if packet.is_keyframe and _time(segment, packet) <= since]
        decoder = opened[1].codec_context
        decoder.thread_count = 1
        for packet in [*packets[keys[-1] if keys else 0 :], None]:
            with contextlib.suppress(av.FFmpegError):
                for frame in decoder.decode(packet):
                    if frame.pts is not None and since <= segment.start + frame.pts <= until:
                        yield segment.start + frame.pts, frame


def _opened(segment: Segment, stack: contextlib.ExitStack) -> tuple[InputContainer, VideoStream] | None:
    """None for one that has only just been begun, or was forgotten meanwhile."""
    try:
        container = stack.enter_context(av.open(str(segment.path)))
    except (av.FFmpegError, OSError):
        return None
    return (container, container.streams.video[0]) if container.streams.video else None


def _packets(container: InputContainer, stream: VideoStream) -> "Iterator[Packet[VideoStream]]":
    """Whole packets in time order, up to where the file ends."""
    with contextlib.suppress(av.FFmpegError, OSError):
        for packet in container.demux(stream):
            if packet.pts is not None and not packet.is_corrupt:
                yield packet


def _time(segment: Segment, packet: "Packet[VideoStream]") -> int:
    return segment.start + (packet.pts or 0)
