"""Sources: stamps, order, damage."""

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from vision.source import FAULTS, Source, SourceError, read_picture

SIZE = (64, 48)


def write_video(path: Path, stamps: list[float], size: tuple[int, int] = SIZE) -> Path:
    """A video whose picture number n is of brightness 40 n, with its own time stamps."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 100)
        for number, stamp in enumerate(stamps):
            image = np.full((size[1], size[0], 3), 40 * number % 250, np.uint8)
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = round(stamp * 100), Fraction(1, 100)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def write_pictures(folder: Path, names: list[str], size: tuple[int, int] = SIZE) -> Path:
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(names):
        cv2.imwrite(str(folder / name), np.full((size[1], size[0], 3), 40 * number, np.uint8))
    return folder


def test_a_video_keeps_its_time_stamps(tmp_path: Path) -> None:
    source = Source("A", write_video(tmp_path / "a.mkv", [0.0, 0.1, 0.35, 1.0]))
    frames = list(source)
    assert [frame.time for frame in frames] == pytest.approx([0.0, 0.1, 0.35, 1.0], abs=0.011)
    assert [frame.image.mean() for frame in frames] == pytest.approx([0, 40, 80, 120], abs=9)
    assert frames[0].image.shape == (48, 64, 3)
    assert frames[0].board == "A"
    assert source.lost == 0
    assert [frame.time for frame in source] == [frame.time for frame in frames]


def test_a_start_a_little_later_is_kept_and_a_clock_is_not(tmp_path: Path) -> None:
    late = [frame.time for frame in Source("A", write_video(tmp_path / "late.mkv", [2.0, 2.1]))]
    clock = [frame.time for frame in Source("A", write_video(tmp_path / "clock.mkv", [5000.0, 5000.1]))]
    assert late == pytest.approx([2.0, 2.1], abs=0.01)
    assert clock == pytest.approx([0.0, 0.1], abs=0.01)


def test_fps_thins_a_video_out(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mkv", [n / 20 for n in range(40)])
    times = [frame.time for frame in Source("A", path, fps=5)]
    assert times == pytest.approx([n / 5 for n in range(10)], abs=0.011)
    assert len(list(Source("A", path, fps=100))) == 40


def test_length_of_a_video(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", [n / 10 for n in range(20)])
    assert Source("A", path).seconds == pytest.approx(2, abs=0.15)


def test_a_folder_in_name_order(tmp_path: Path) -> None:
    folder = write_pictures(tmp_path / "pictures", ["1.png", "2.png", "10.jpg", "x.PNG"])
    (folder / "notes.txt").write_text("not a picture")
    source = Source("B", folder, fps=4)
    frames = list(source)
    assert [frame.time for frame in frames] == [0.0, 0.25, 0.5, 0.75]
    assert [frame.image.mean() for frame in frames] == pytest.approx([0, 40, 80, 120], abs=9)
    assert source.seconds == 1.0
    assert [frame.time for frame in Source("B", folder)] == [0.0, 0.5, 1.0, 1.5]


def test_a_picture_of_a_folder_stands_still_until_the_next(tmp_path: Path) -> None:
    folder = write_pictures(tmp_path / "pictures", ["1.png", "2.png"])
    assert Source("A", folder).stands() == pytest.approx([0.15, 0.3, 0.45])
    assert Source("A", folder, fps=20).stands() == []
    assert len(Source("A", folder, fps=0.01).stands()) == 8


def test_a_folder_passes_over_what_does_not_fit(tmp_path: Path) -> None:
    folder = write_pictures(tmp_path / "pictures", ["1.png", "2.png", "3.png"])
    (folder / "2.png").write_bytes(b"broken")
    write_pictures(folder, ["4.png"], (32, 32))
    source = Source("A", folder)
    assert [frame.time for frame in source] == [0.0, 1.0]
    assert source.lost == 2


@pytest.mark.parametrize("keep", [0.3, 0.6])
def test_a_video_cut_short_gives_what_is_there(tmp_path: Path, keep: float) -> None:
    path = write_video(tmp_path / "a.avi", [n / 10 for n in range(60)])
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    assert 5 < len(list(Source("A", path))) < 60


def test_a_hole_in_a_video_is_passed_over(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.avi", [n / 10 for n in range(60)])
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200] = bytes(200)
    path.write_bytes(data)
    assert len(list(Source("A", path))) > 20


def test_faults(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "text.mp4").write_text("hello")
    (tmp_path / "folder").mkdir()
    whole = write_video(tmp_path / "whole.mp4", [n / 10 for n in range(20)]).read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    expected = {
        "none.mp4": "missing", "empty.mp4": "empty_file", "text.mp4": "not_video", "folder": "no_pictures",
        "cut.mp4": "not_video",
    }  # fmt: skip
    for name, fault in expected.items():
        with pytest.raises(SourceError) as caught:
            Source("A", tmp_path / name)
        assert caught.value.fault == fault
        assert str(tmp_path / name) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_sound_file_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), layout="mono")
        frame.rate = 8000
        container.mux(stream.encode(frame))
        container.mux(stream.encode())
    with pytest.raises(SourceError, match="no picture can be read"):
        Source("A", path)


def test_read_picture(tmp_path: Path) -> None:
    folder = write_pictures(tmp_path / "è un gioco", ["a.png"])
    assert read_picture(folder / "a.png").shape == (48, 64, 3)
    whole = (folder / "a.png").read_bytes()
    for name, data in (("empty.png", b""), ("text.png", b"hello"), ("cut.png", whole[:40])):
        (folder / name).write_bytes(data)
        with pytest.raises(SourceError):
            read_picture(folder / name)
    for path in (folder, folder / "none.png"):
        with pytest.raises(SourceError):
            read_picture(path)


def test_every_fault_says_where_and_what_to_do() -> None:
    assert all("{path}: " in text and text.endswith(".") for text in FAULTS.values())
