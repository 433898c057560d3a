"""The video ring and the evidence cut out of it, with real files and a real encoder."""

import os
import shutil
import signal
import subprocess
import sys
import time as clocks
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import quadriglia.ring
from quadriglia.evidence import LOOK, PATIENCE, Evidence
from quadriglia.footage import clip, newest, picture
from quadriglia.ring import DEEP, Ring
from quadriglia.segment import Recording, segments

SIZE = (320, 180)
BITS = 12
RATE = 10  # frames a second that the tests feed
Usage = namedtuple("Usage", "total used free")


def numbered(number: int, size: tuple[int, int] = SIZE) -> NDArray[np.uint8]:
    """A picture that says its number: one upright bar for each bit."""
    bars = [255 if number >> bit & 1 else 0 for bit in range(BITS)]
    row = np.asarray([bars[x * BITS // size[0]] for x in range(size[0])], np.uint8)
    return np.ascontiguousarray(np.broadcast_to(row[None, :, None], (size[1], size[0], 3)))


def number_of(image: NDArray[np.uint8]) -> int:
    row = image[image.shape[0] // 2, :, 1]
    return sum(1 << bit for bit in range(BITS) if row[int((bit + 0.5) * len(row) / BITS)] > 127)


def frames_of(path: Path) -> list[tuple[int, int]]:
    """Milliseconds and the numbers seen in a video."""
    with av.open(str(path)) as container:
        found = []
        for frame in container.decode(video=0):
            assert frame.pts is not None
            assert frame.time_base is not None
            seen = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
            found.append((round(frame.pts * frame.time_base * 1000), number_of(seen)))
    return found


def until(done: Callable[[], bool], seconds: float = 8.0) -> None:
    end = clocks.monotonic() + seconds
    while not done():
        assert clocks.monotonic() < end, "it never came"
        clocks.sleep(0.001)


def feed(ring: Ring, first: int, last: int, size: tuple[int, int] = SIZE, rate: float = RATE) -> None:
    """Frames `first` to `last`, number n at n / rate seconds, no faster than the encoder takes them."""
    for number in range(first, last + 1):
        done = ring.health.frames + ring.health.dropped
        ring.put(number / rate, numbered(number, size))
        until(lambda done=done: ring.health.frames + ring.health.dropped > done)  # type: ignore[misc]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "ring"


@pytest.fixture
def ring(folder: Path) -> Iterator[Ring]:
    ring = Ring(folder, "A", hours=1, floor=0)
    yield ring
    ring.close()


def names(folder: Path) -> list[str]:
    return [segment.path.name for segment in segments(folder)]


def test_segments_of_ten_seconds_with_exact_times(folder: Path, ring: Ring) -> None:
    times = [123.45 + n / RATE + (n % 7) * 0.0013 for n in range(250)]
    for number, time in enumerate(times):
        ring.put(time, numbered(number))
        until(lambda number=number: ring.health.frames == number + 1)  # type: ignore[misc]
    ring.close()
    assert names(folder) == ["A-000123.450.mkv", "A-000133.453.mkv", "A-000143.455.mkv"]
    found = [
        (segment.start + stamp, number) for segment in segments(folder) for stamp, number in frames_of(segment.path)
    ]
    assert found == [(round(time * 1000), number) for number, time in enumerate(times)]
    health = ring.health
    assert (health.frames, health.dropped, health.fault) == (250, 0, None)
    assert health.bytes == sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.parametrize(("rate", "kept"), [(30.0, 15.0), (25.0, 15.0), (20.0, 15.0), (15.0, 15.0), (12.0, 12.0)])
def test_no_more_frames_than_wanted(folder: Path, rate: float, kept: float) -> None:
    ring = Ring(folder, "A", hours=1, floor=0)
    rng = np.random.default_rng(1)
    for number in range(int(4 * rate)):
        ring.put(number / rate + rng.uniform(0, 0.008), np.zeros((16, 16, 3), np.uint8))
        clocks.sleep(0.0005)
    ring.close()
    health = ring.health
    assert health.frames + health.dropped == pytest.approx(4 * kept, abs=2)


def test_a_clip_across_a_border(tmp_path: Path, folder: Path, ring: Ring) -> None:
    feed(ring, 0, 220)
    ring.close()
    out = tmp_path / "clip.mp4"
    assert clip(folder, "A", 8.05, 12.0, out)
    assert frames_of(out) == [((n - 81) * 100, n) for n in range(81, 121)]
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["clip.mp4"]
    data = out.read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")
    with av.open(str(out)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == SIZE


def test_no_clip_of_another_time_or_board(tmp_path: Path, folder: Path, ring: Ring) -> None:
    feed(ring, 100, 110)
    ring.close()
    out = tmp_path / "out"
    assert not clip(folder, "A", 0, 9.9, out)
    assert not clip(folder, "B", 10, 11, out)
    assert not clip(folder, "A", 12, 13, out)
    assert not picture(folder, "B", 10, out)
    assert not picture(folder, "A", 14, out)
    assert not clip(tmp_path / "nowhere", "A", 0, 100, out)
    assert not out.exists()


def test_a_clip_of_what_is_being_written(tmp_path: Path, folder: Path, ring: Ring) -> None:
    feed(ring, 0, 45)
    out = tmp_path / "clip.mp4"
    seen = newest(folder, "A")
    assert seen is not None
    assert 4.2 <= seen <= 4.5, "all but the last fifths of a second can be read"
    assert clip(folder, "A", 1.0, 9.0, out)
    assert frames_of(out) == [((n - 10) * 100, n) for n in range(10, round(seen * RATE) + 1)]
    feed(ring, 46, 60)
    assert clip(folder, "A", 4.0, 5.5, out), "and again"
    assert frames_of(out) == [((n - 40) * 100, n) for n in range(40, 56)]


def test_the_nearest_picture(tmp_path: Path, folder: Path, ring: Ring) -> None:
    feed(ring, 0, 120)
    ring.close()
    for time, number in ((2.0, 20), (2.04, 20), (2.06, 21), (11.9, 119), (-1.0, 0), (13.0, 120)):
        assert picture(folder, "A", time, tmp_path / "one.jpg")
        read = cv2.imread(str(tmp_path / "one.jpg"))
        assert read is not None
        assert read.shape == (SIZE[1], SIZE[0], 3)
        assert number_of(np.asarray(read, np.uint8)) == number


def test_a_camera_that_stops_leaves_all_its_frames(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(quadriglia.ring, "IDLE", 0.1)
    ring = Ring(folder, "A", hours=1, floor=0)
    ring.put(5.0, numbered(0))
    until(lambda: newest(folder, "A") == 5.0)
    ring.put(5.1, numbered(1))
    ring.close()
    assert names(folder) == ["A-000005.000.mkv", "A-000005.100.mkv"]


KILLED = """
import sys
from pathlib import Path
sys.path[:0] = [{here!r}, {tests!r}]
from quadriglia.ring import Ring
from test_ring import feed
ring = Ring(Path(sys.argv[1]), "A", hours=1, floor=0)
feed(ring, 0, 130)
print("fed", flush=True)
sys.stdin.read()
"""


def child(script: str, *arguments: object) -> "subprocess.Popen[str]":
    here = Path(__file__).parents[2]
    text = script.format(here=str(here), tests=str(Path(__file__).parent))
    return subprocess.Popen(
        [sys.executable, "-c", text, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 on this system")
def test_killed_while_writing(tmp_path: Path, folder: Path) -> None:
    with child(KILLED, folder) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "fed\n"
        os.kill(killed.pid, signal.SIGKILL)
    assert names(folder) == ["A-000000.000.mkv", "A-000010.000.mkv"]
    seen = newest(folder, "A")
    assert seen is not None
    assert 12.7 <= seen <= 13.0
    assert clip(folder, "A", 9.0, 13.0, tmp_path / "clip.mp4")
    assert frames_of(tmp_path / "clip.mp4") == [((n - 90) * 100, n) for n in range(90, round(seen * RATE) + 1)]

    # The next run goes on beside what is there.
    ring = Ring(folder, "A", hours=1, floor=0)
    feed(ring, 150, 170)
    ring.close()
    assert names(folder)[2:] == ["A-000015.000.mkv"]
    assert clip(folder, "A", 12.5, 15.5, tmp_path / "clip.mp4")
    numbers = [number for _, number in frames_of(tmp_path / "clip.mp4")]
    assert numbers == [*range(125, round(seen * RATE) + 1), *range(150, 156)]


def test_cut_short_anywhere(tmp_path: Path, folder: Path, ring: Ring) -> None:
    feed(ring, 0, 40)
    ring.close()
    whole = segments(folder)[0].path
    data = whole.read_bytes()
    longest = 0
    for length in range(0, len(data), max(1, len(data) // 25)):
        whole.write_bytes(data[:length])
        if clip(folder, "A", 0, 5, tmp_path / "clip.mp4"):
            found = frames_of(tmp_path / "clip.mp4")
            assert found == [(n * 100, n) for n in range(len(found))]
            assert len(found) >= longest
            longest = len(found)
    assert longest > 30


def test_a_clock_that_began_anew(tmp_path: Path, folder: Path) -> None:
    for first in (100, 20):
        ring = Ring(folder, "A", hours=1, floor=0)
        feed(ring, first, first + 10)
        ring.close()
    assert names(folder) == ["old-A-000010.000.mkv", "A-000002.000.mkv"]
    assert not clip(folder, "A", 9, 12, tmp_path / "clip.mp4")
    assert newest(folder, "A") == 3.0


def test_it_forgets_by_age(folder: Path) -> None:
    other = Ring(folder, "B", hours=1, floor=0)
    other.put(0, numbered(0))
    other.close()
    before = folder / "old-A-000900.000.mkv"
    before.write_bytes(b"of another day")
    os.utime(before, (1e9, 1e9))
    ring = Ring(folder, "A", hours=30 / 3600, floor=0)
    feed(ring, 0, 61, rate=1)
    ring.close()
    assert names(folder) == ["B-000000.000.mkv", *(f"A-0000{start}.000.mkv" for start in (20, 30, 40, 50, 60))]


def test_it_forgets_when_the_disk_fills(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    free = [5000]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(9000, 0, free[0] - 100 * len(list(folder.iterdir()))))
    other = Ring(folder, "B", hours=1, floor=4000)
    ring = Ring(folder, "A", hours=1, floor=4000)
    folder.mkdir()
    (folder / "old-A-000900.000.mkv").write_bytes(b"of another day")
    for start in range(0, 90, 10):
        feed(ring, start, start + 1, rate=1)
        feed(other, start, start + 1, rate=1)
        if start == 40:
            assert len(names(folder)) == 10
            assert names(folder)[0] == "A-000000.000.mkv", "what nobody can look up goes first"
    # Only the newest seven of each stay anyway.
    free[0] = 0
    feed(ring, 90, 91, rate=1)
    other.close()
    assert [name[0] for name in names(folder)].count("A") == 7
    assert names(folder)[-1] == "A-000090.000.mkv"
    ring.close()
    assert (ring.fault, other.fault) == (None, None)


def test_an_encoder_that_falls_behind(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    add = Recording.add

    def slowly(self: Recording, time: int, image: NDArray[np.uint8]) -> None:
        clocks.sleep(0.03)
        add(self, time, image)

    monkeypatch.setattr(Recording, "add", slowly)
    ring = Ring(folder, "A", hours=1, floor=0)
    image = np.zeros((720, 1280, 3), np.uint8)
    took = []
    for number in range(60):
        start = clocks.perf_counter()
        ring.put(number / 15, image)
        took.append(clocks.perf_counter() - start)
    assert sorted(took)[-2] < 0.005
    assert ring.health.dropped >= 60 - DEEP - 10
    ring.close()
    health = ring.health
    assert health.frames + health.dropped == 60
    assert health.frames >= DEEP
    assert health.fault is None


@pytest.mark.parametrize("time", [-1.0, float("nan"), float("inf"), 0.5, 1.0])
def test_times_that_cannot_be(folder: Path, ring: Ring, time: float) -> None:
    ring.put(1.0, numbered(0))
    ring.put(time, numbered(1))
    ring.put(1.1, numbered(2))
    ring.close()
    ring.put(1.2, numbered(3))
    health = ring.health
    assert (health.frames, health.dropped, health.fault) == (2, 2, None)
    assert [number for _, number in frames_of(segments(folder)[0].path)] == [0, 2]


@pytest.mark.parametrize("shape", [(0, 0, 3), (10, 10), (10, 10, 7)])
def test_pictures_that_cannot_be(ring: Ring, shape: tuple[int, ...]) -> None:
    ring.put(1.0, np.zeros(shape, np.uint8))
    until(lambda: ring.fault == "encoder")
    feed(ring, 100, 115)
    assert ring.fault is None
    assert ring.health.dropped == 1


def test_two_sizes(tmp_path: Path, folder: Path, ring: Ring) -> None:
    feed(ring, 0, 9)
    feed(ring, 10, 19, (640, 482))
    feed(ring, 20, 29, (2000, 1125))
    feed(ring, 30, 39, (161, 91))
    ring.close()
    sizes = []
    for segment in segments(folder):
        with av.open(str(segment.path)) as container:
            sizes.append((container.streams.video[0].width, container.streams.video[0].height))
    assert sizes == [SIZE, (640, 482), (1280, 720), (160, 92)]
    assert clip(folder, "A", 0, 9, tmp_path / "clip.mp4")
    assert frames_of(tmp_path / "clip.mp4") == [(n * 100, n) for n in range(40)]


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A file in its place, as the tests may be run by someone who may write everywhere."""
    folder = tmp_path / "ring"
    folder.write_text("not a folder")
    ring = Ring(folder, "A", hours=1, floor=0)
    feed(ring, 0, 20)
    assert ring.fault == "not_writable"
    assert ring.health.frames == 0
    assert ring.health.dropped == 21
    folder.unlink()
    feed(ring, 60, 75)
    ring.close()
    assert ring.fault is None
    assert frames_of(segments(folder)[0].path)[0] == (0, 60)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is read-only for this user")
def test_a_read_only_folder(folder: Path, ring: Ring) -> None:
    folder.mkdir()
    folder.chmod(0o500)
    feed(ring, 0, 5)
    assert ring.fault == "not_writable"
    folder.chmod(0o700)
    feed(ring, 60, 75)
    assert ring.fault is None


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be removed there")
def test_a_folder_that_vanishes(tmp_path: Path) -> None:
    above = tmp_path / "disk"
    folder = above / "ring"
    ring = Ring(folder, "A", hours=1, floor=0)
    feed(ring, 0, 15)
    shutil.rmtree(above)
    feed(ring, 16, 30)
    assert ring.fault == "missing"
    feed(ring, 80, 85)
    assert ring.fault == "missing"
    assert not above.exists(), "the place of a disk that is gone stays empty"
    above.mkdir()
    feed(ring, 150, 165)
    assert ring.fault is None
    ring.close()
    assert names(folder) == ["A-000015.000.mkv"]


FULL = """
import resource, sys
from pathlib import Path
import numpy as np
sys.path[:0] = [{here!r}, {tests!r}]
from quadriglia.footage import newest
from quadriglia.ring import Ring
from test_ring import feed, numbered, until
folder = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (60000, resource.RLIM_INFINITY))
ring = Ring(folder, "A", hours=1, floor=0)
noise = np.random.default_rng(1).integers(0, 256, (180, 320, 3), np.uint8)
for number in range(60):
    ring.put(number / 10, noise if number % 2 else noise[::-1].copy())
    until(lambda: sum((ring.health.frames, ring.health.dropped)) == number + 1)
    if ring.fault:
        break
print(ring.fault, newest(folder, "A") is not None, flush=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
feed(ring, 200, 215)
print(ring.fault, flush=True)
ring.close()
print(newest(folder, "A"), flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="no limit to the size of files")
def test_a_full_disk(folder: Path) -> None:
    """Really: the system refuses to let a file grow any further."""
    with child(FULL, folder) as full:
        out, _ = full.communicate(timeout=20)
    assert out.splitlines() == ["disk_full True", "None", "21.5"]


def jpg(path: Path | None) -> int:
    assert path is not None
    return number_of(np.asarray(cv2.imread(str(path)), np.uint8))


@pytest.fixture
def evidence(tmp_path: Path, folder: Path) -> Iterator[Evidence]:
    evidence = Evidence(tmp_path / "evidence", folder)
    yield evidence
    evidence.close()


def test_evidence_waits_for_what_comes_after(folder: Path, ring: Ring, evidence: Evidence) -> None:
    feed(ring, 0, 82)
    evidence.tick(8.2)
    evidence.ask(7, "A", 7.0, 7.5)
    assert evidence.ready(7) == set()
    assert evidence.path(7, "jpg") is None
    evidence.tick(8.3)
    until(lambda: evidence.ready(7) == {"jpg"})
    assert jpg(evidence.path(7, "jpg")) == 75
    feed(ring, 83, 110)
    evidence.tick(12.6)
    clocks.sleep(0.05)
    assert evidence.ready(7) == {"jpg"}, "its time has come, but not its footage"
    assert evidence.health.pending == 1
    feed(ring, 111, 140)
    evidence.tick(14.0)
    until(lambda: evidence.ready(7) == {"jpg", "mp4"})
    path = evidence.path(7, "mp4")
    assert path is not None
    assert frames_of(path) == [((n - 20) * 100, n) for n in range(20, 126)]
    assert (evidence.health.pending, evidence.health.errors, evidence.fault) == (0, 0, None)
    for segment in segments(folder):
        segment.path.unlink()
    assert evidence.path(7, "mp4") is not None


def test_evidence_of_a_camera_that_is_gone(ring: Ring, evidence: Evidence) -> None:
    feed(ring, 0, 80)
    ring.close()
    evidence.ask(1, "A", 7.0, 7.0)
    evidence.ask(2, "B", 7.0, 7.0)
    evidence.tick(12.0 + PATIENCE - 0.1)
    until(lambda: evidence.ready(1) == {"jpg"})
    evidence.tick(12.0 + PATIENCE + LOOK)
    until(lambda: evidence.ready(1) == {"jpg", "mp4"})
    until(lambda: evidence.health.pending == 0)
    assert evidence.ready(2) == set()
    assert evidence.health.missed == 2
    assert evidence.fault is None


def test_evidence_is_of_the_last_minute(ring: Ring, evidence: Evidence) -> None:
    feed(ring, 0, 90, rate=1)
    ring.close()
    evidence.ask(1, "A", 5.0, 80.0)
    evidence.tick(90.0)
    until(lambda: evidence.ready(1) == {"jpg", "mp4"})
    path = evidence.path(1, "mp4")
    assert path is not None
    assert [number for _, number in frames_of(path)] == list(range(25, 86))


def test_evidence_that_is_there_already(tmp_path: Path, folder: Path, ring: Ring) -> None:
    there = tmp_path / "evidence"
    there.mkdir()
    (there / "3.mp4").write_bytes(b"made before")
    (there / "4.mp4.new").write_bytes(b"half")
    feed(ring, 0, 20)
    ring.close()
    evidence = Evidence(there, folder)
    assert evidence.ready(3) == {"mp4"}
    evidence.ask(3, "A", 1.0, 1.0)
    evidence.ask(4, "A", 1.0, 1.5)
    # The program ends before anything has been told to be due.
    evidence.close()
    assert evidence.ready(3) == evidence.ready(4) == {"jpg", "mp4"}
    assert sorted(path.name for path in there.iterdir()) == ["3.jpg", "3.mp4", "4.jpg", "4.mp4"]
    assert (there / "3.mp4").read_bytes() == b"made before"
    assert jpg(evidence.path(4, "jpg")) == 15


def test_evidence_survives_a_bad_folder(tmp_path: Path, ring: Ring, evidence: Evidence) -> None:
    (tmp_path / "evidence").write_text("not a folder")
    feed(ring, 0, 20)
    ring.close()
    evidence.ask(1, "A", 1.0, 1.0)
    evidence.tick(20.0)
    until(lambda: evidence.health.errors == 2)
    assert evidence.fault == "not_writable"
    assert evidence.health.pending == 2
    (tmp_path / "evidence").unlink()
    evidence.tick(24.0)
    clocks.sleep(0.05)
    assert evidence.ready(1) == set(), "it is tried again, but not at every tick"
    evidence.tick(25.0)
    until(lambda: evidence.ready(1) == {"jpg", "mp4"})
    assert evidence.fault is None


def test_a_clip_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path, ring: Ring
) -> None:
    feed(ring, 0, 20)
    ring.close()
    with pytest.raises(OSError, match="No such file"):
        clip(folder, "A", 0, 2, tmp_path / "nowhere" / "clip.mp4")

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        clip(folder, "A", 0, 2, tmp_path / "out")
    with pytest.raises(OSError, match="No space"):
        picture(folder, "A", 1, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["ring"]
