"""A network camera of a process of its own, which does what cameras do: `python -m tests.vision.misbehaving VIDEO
[FPS WIDTH HEIGHT]`.

It plays the video over and over as an MJPEG stream on loopback, prints its port, and then reads one word a line from
stdin: `fine`, `frozen` (the connection stays, nothing comes), `repeat` (one picture again and again), `black`, `slow`
(three a second), `garbage` (no pictures at all), `gone` (connections are cut and new ones refused); `start` (the first
second over and over, as before a match) and then `once` (the video from its beginning, and its last second for ever).
"""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.source import Source

FPS, WIDTH, HEIGHT = 15, 640, 360
HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


class Served:
    """What the camera does now."""

    def __init__(self, video: Path, fps: int = FPS, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.mode, self.fps = "fine", fps
        self.black = _jpeg(np.zeros((height, width, 3), np.uint8))
        self.pictures = list(_pictures(video, fps, (width, height)))
        self.began = time.monotonic()
        self.sockets: list[socket.socket] = []

    def picture(self) -> bytes:
        if self.mode == "garbage":
            return np.random.default_rng().bytes(5000)
        if self.mode == "black":
            return self.black
        number, count = int((time.monotonic() - self.began) * self.fps), len(self.pictures)
        if self.mode == "start":
            return self.pictures[number % self.fps]
        if self.mode == "once":
            return self.pictures[number if number < count else count - 1 - number % self.fps]
        number %= count
        return self.pictures[0 if self.mode == "repeat" else number]


def _pictures(video: Path, fps: int, size: tuple[int, int]) -> Iterator[bytes]:
    """JPEG pictures at a rate that the video may not have, with a camera's noise: no two are the same."""
    rng, number = np.random.default_rng(0), 0
    for frame in Source("A", video):
        image = cv2.resize(frame.image, size).astype(np.int16)
        while number / fps <= frame.time:
            noisy = image + rng.integers(-2, 3, image.shape, np.int8)
            yield _jpeg(np.clip(noisy, 0, 255).astype(np.uint8))
            number += 1


def _jpeg(image: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def serve(connection: socket.socket, camera: Served) -> None:
    """Send pictures until the other side goes."""
    try:
        connection.recv(4096)
        connection.sendall(HEAD)
        due = time.monotonic()
        while True:
            if camera.mode != "frozen":
                data = camera.picture()
                connection.sendall(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
                connection.sendall(data + b"\r\n")
            due = max(due + 1 / (3 if camera.mode == "slow" else camera.fps), time.monotonic() - 0.1)
            time.sleep(max(0.0, due - time.monotonic()))
    except OSError:
        connection.close()


def accept(port: int, camera: Served, listening: threading.Event) -> None:
    """Take connections while there is a camera."""
    while True:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        listener.settimeout(0.05)
        listening.set()
        while camera.mode != "gone":
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            connection.settimeout(5.0)
            camera.sockets.append(connection)
            threading.Thread(target=serve, args=(connection, camera), daemon=True).start()
        listener.close()
        for connection in camera.sockets:
            connection.close()
        camera.sockets.clear()
        while camera.mode == "gone":
            time.sleep(0.02)


def main() -> None:
    """Serve until stdin ends."""
    camera = Served(Path(sys.argv[1]), *(int(number) for number in sys.argv[2:]))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    listening = threading.Event()
    threading.Thread(target=accept, args=(port, camera, listening), daemon=True).start()
    listening.wait()
    print(port, flush=True)
    for line in sys.stdin:
        if line.strip() == "once":
            camera.began = time.monotonic()
        camera.mode = line.strip()


class FakeCamera:
    """The process, from entering to leaving the context. `url`: its stream."""

    def __init__(self, video: Path, *shape: int) -> None:
        """`shape`: frames a second, width and height."""
        self.video, self.shape = video, shape

    def __enter__(self) -> "FakeCamera":
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.vision.misbehaving", str(self.video), *map(str, self.shape)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert self.process.stdout
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().strip()}/stream"
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def become(self, mode: str) -> None:
        """Behave so from now on."""
        assert self.process.stdin
        self.process.stdin.write(mode + "\n")
        self.process.stdin.flush()


if __name__ == "__main__":
    main()
