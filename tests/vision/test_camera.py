"""A live camera: the newest frame, how it is doing, and that it comes back by itself."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from quadriglia.demo import SAMPLE
from quadriglia.lookout import Lookout, Post
from quadriglia.sight import Sight
from rules.match import Match
from rules.observation import Observation, labels_of
from tests.vision.misbehaving import FakeCamera
from vision.camera import Camera
from vision.reader import Reader

NOTICED = 2.0
BACK = 5.0
BUSY = 2.0  # times as long it may take where other programs are at work


def wait_for(true: Callable[[], bool], most: float) -> float:
    """Seconds until it is true; fails after `most` by more than a busy machine excuses."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < BUSY * most, "too late"
        time.sleep(0.02)
    return time.monotonic() - began


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeCamera]:
    with FakeCamera(SAMPLE / "a.mp4") as camera:
        yield camera


def test_the_newest_frame_wins_and_every_frame_is_kept(fake: FakeCamera) -> None:
    fake.become("fine")
    kept: list[float] = []
    camera = Camera("A", fake.url, time.monotonic, lambda at, _: kept.append(at))
    try:
        wait_for(lambda: camera.state == "live", 5)
        first = camera.newest(-np.inf)
        assert first is not None
        time.sleep(0.5)  # a slow reader
        second = camera.newest(first.time)
        assert second is not None
        assert time.monotonic() - second.time < 0.2
        assert sum(first.time < at < second.time for at in kept) > 2
        assert camera.newest(second.time + 99, 0.05) is None
        wait_for(lambda: 12 < camera.fps < 18, 4)
    finally:
        camera.close()


@pytest.mark.parametrize(
    ("mode", "state"), [("frozen", "lost"), ("gone", "lost"), ("garbage", "lost"), ("slow", "slow")]
)
def test_what_a_camera_does_is_noticed_and_it_comes_back(fake: FakeCamera, mode: str, state: str) -> None:
    fake.become("fine")
    camera = Camera("A", fake.url, time.monotonic)
    try:
        wait_for(lambda: camera.state == "live", 5)
        time.sleep(1.5)
        fake.become(mode)
        wait_for(lambda: camera.state == state, NOTICED)
        time.sleep(1.0)
        fake.become("fine")
        wait_for(lambda: camera.state == "live", BACK)
    finally:
        camera.close()


@pytest.mark.parametrize(("mode", "state"), [("repeat", "frozen"), ("black", "dark")])
def test_pictures_that_say_nothing_are_noticed(fake: FakeCamera, mode: str, state: str) -> None:
    fake.become("fine")
    seen: list[Observation] = []
    start = labels_of(Match().board("A"))
    post = Post("A", fake.url, None, None)
    lookout = Lookout(post, Sight(Reader()), time.monotonic, lambda _: start, seen.append)
    try:
        wait_for(lambda: bool(lookout.as_json()["found"]), 10)
        wait_for(lambda: bool(seen) and seen[-1].camera == "steady", 5)
        fake.become(mode)
        wait_for(lambda: lookout.as_json()["state"] == state, NOTICED + 0.5)
        assert seen[-1].camera == state
        fake.become("fine")
        wait_for(lambda: lookout.as_json()["state"] == "live", BACK)
    finally:
        lookout.close()


def test_a_camera_that_was_pulled_is_told_and_its_board_seen_again(fake: FakeCamera) -> None:
    fake.become("fine")
    seen: list[Observation] = []
    start = labels_of(Match().board("A"))
    lookout = Lookout(Post("A", fake.url, None, None), Sight(Reader()), time.monotonic, lambda _: start, seen.append)
    try:
        wait_for(lambda: bool(lookout.as_json()["found"]), 10)
        fake.become("gone")
        wait_for(lambda: bool(seen) and seen[-1].camera == "gone", NOTICED)
        assert not seen[-1].seen.any()
        fake.become("fine")
        wait_for(lambda: seen[-1].camera == "steady" and bool(seen[-1].seen.any()), BACK)
    finally:
        lookout.close()


def test_a_video_plays_in_real_time_and_ends(tmp_path: Path) -> None:
    camera = Camera("A", str(SAMPLE / "a.mp4"), time.monotonic)
    try:
        wait_for(lambda: camera.state == "live", 3)
        first = camera.newest(-np.inf)
        assert first is not None
        time.sleep(1.0)
        assert 8 < camera.fps * 2 < 40
    finally:
        camera.close()
    missing = Camera("B", str(tmp_path / "nothing.mp4"), time.monotonic)
    wait_for(lambda: missing.state == "lost", 2)
    assert "nothing.mp4" in missing.fault
    missing.close()
