"""What the video rings cost: `python -m tests.quadriglia.ring_bench [--noise LEVELS] [--windows N]`.

Two cameras of 1280x720 deliver 30 frames a second in real time, of which each ring keeps 15. Told are the shares of one
core that the whole program takes for each of some windows of 10 seconds, less the thread that plays the cameras, what
a second of video takes on the disk, and what a clip of 10 seconds costs.
"""

import argparse
import itertools
import statistics
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from quadriglia.footage import clip, newest
from quadriglia.ring import Ring
from vision.source import Source

SAMPLE = Path(__file__).parents[2] / "quadriglia" / "sample" / "a.mp4"
SIZE = (1280, 720)
RATE = 30
WINDOW = 10.0  # seconds
FRAMES = 150
SKIPPED = 20.0  # seconds of the sample before hands come


def pictures(noise: float) -> list[NDArray[np.uint8]]:
    """Some seconds of the sample, with normal noise of so many grey levels as from a camera in poor light."""
    rng = np.random.default_rng(1)
    found = []
    for frame in itertools.islice((one for one in Source("A", SAMPLE) if one.time >= SKIPPED), FRAMES):
        image = np.asarray(cv2.resize(frame.image, SIZE), np.uint8)
        if noise:
            image = np.clip(image + rng.normal(0, noise, image.shape).astype(np.float32), 0, 255).astype(np.uint8)
        found.append(image)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noise", type=float, default=0.0)
    parser.add_argument("--windows", type=int, default=6)
    chosen = parser.parse_args()
    images = pictures(chosen.noise)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rings = [Ring(folder, board, hours=1) for board in "AB"]
        shares, puts = [], []
        start = time.monotonic()
        turn = itertools.count()
        for window in range(chosen.windows):
            process, own = time.process_time(), time.thread_time()
            while (now := time.monotonic()) < start + (window + 1) * WINDOW:
                number = next(turn)
                # The sample has 12 frames a second.
                image = number * 12 // RATE
                for place, ring in enumerate(rings):
                    before = time.perf_counter()
                    ring.put(now, images[(image + place * FRAMES // 2) % FRAMES])
                    puts.append(time.perf_counter() - before)
                time.sleep(max(0.0, start + (number + 1) / RATE - time.monotonic()))
            shares.append((time.process_time() - process - time.thread_time() + own) / WINDOW)
        for ring in rings:
            ring.close()
        seconds = WINDOW * chosen.windows
        print(f"both rings, shares of one core: median {statistics.median(shares):.3f}, n={len(shares)}, ", end="")
        print(f"{min(shares):.3f} to {max(shares):.3f}")
        median, late, worst = (sorted(puts)[int(share * (len(puts) - 1))] * 1000 for share in (0.5, 0.999, 1))
        print(f"put: median {median:.3f} ms, 999 of 1000 under {late:.2f} ms, worst {worst:.2f} ms, n={len(puts)}")
        for ring in rings:
            health = ring.health
            rate = health.bytes * 8 / seconds / 1e6
            print(f"{ring.board}: {health.frames} frames, {health.dropped} dropped, {rate:.2f} Mbit/s, {health.fault}")
        end = newest(folder, "A") or 0.0
        costs = []
        for _ in range(5):
            process, began = time.process_time(), time.perf_counter()
            clip(folder, "A", end - 12, end - 2, folder / "clip.mp4")
            costs.append((time.process_time() - process, time.perf_counter() - began))
        cpu, wall = (statistics.median(column) for column in zip(*costs, strict=True))
        size = (folder / "clip.mp4").stat().st_size / 1e6
        print(f"a clip of 10 s: median {cpu:.2f} s of one core, {wall:.2f} s in all, n={len(costs)}, {size:.1f} MB")


if __name__ == "__main__":
    main()
