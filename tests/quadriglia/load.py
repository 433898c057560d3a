"""The whole program under load: `python -m tests.quadriglia.load [--minutes 30] [--sockets 50]`.

`quadriglia live` runs on its own with two cameras that give 1280x720 at 30 frames a second, video recorded; beside it
as many overlays listen, one of them too slowly, and pages ask for pictures. The cameras play the bundled match over and
over, so that there is always something moving. Told: processor time over all of it in cores, memory at the beginning
and the end, how old the oldest frame of ten seconds was when it was looked at (median and most), when it had been
looked at (median), and what was dropped.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from quadriglia.demo import SAMPLE
from tests.vision.misbehaving import FakeCamera


def listen(url: str, slow: bool, counts: list[int], stop: threading.Event) -> None:
    """One overlay."""
    with suppress(ConnectionClosed), connect(url, max_size=None, ping_interval=None) as page:
        while not stop.is_set():
            try:
                page.recv(1.0)
            except TimeoutError:
                continue
            counts[0] += 1
            if slow:
                time.sleep(2.0)


def figures(url: str) -> dict[str, float]:
    """What /metrics says; the worse of both boards."""
    with urllib.request.urlopen(url + "metrics", timeout=5) as answer:
        found: dict[str, float] = {}
        for line in answer.read().decode().splitlines():
            name, value = line.rsplit(" ", 1)
            name = re.sub(r"\{.*\}", "", name).removeprefix("quadriglia_")
            found[name] = max(found.get(name, 0.0), float(value))
        return found


def main() -> None:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--sockets", type=int, default=50)
    options = parser.parse_args()
    videos = [SAMPLE / f"{board}.mp4" for board in "ab"]
    with (
        tempfile.TemporaryDirectory() as folder,
        FakeCamera(videos[0], 30, 1280, 720) as a,
        FakeCamera(videos[1], 30, 1280, 720) as b,
    ):
        command = [sys.executable, "-m", "quadriglia", "live", "--out", folder + "/match", "--port", "0"]
        command += ["--camera-a", a.url, "--camera-b", b.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            url = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert url
            threading.Thread(target=process.stdout.read, daemon=True).start()
            measure(process.pid, url[0], options.minutes, options.sockets)
            process.terminate()


def measure(pid: int, url: str, minutes: float, sockets: int) -> None:
    """Look on for so long, and print what was found."""
    counts, stop = [[0] for _ in range(sockets)], threading.Event()
    address = url.replace("http", "ws") + "ws"
    for number in range(sockets):
        threading.Thread(target=listen, args=(address, number == 0, counts[number], stop), daemon=True).start()
    time.sleep(20.0)  # boards are found, the first moves are played
    began, used, memory, oldest = time.monotonic(), cpu(pid), [], []
    while time.monotonic() - began < 60 * minutes:
        memory.append(resident(pid))
        oldest.append(figures(url)["frame_age_seconds_max"])
        for board in "AB":
            urllib.request.urlopen(f"{url}picture/{board}.jpg", timeout=5).read()
        time.sleep(1.0)
    took = time.monotonic() - began
    last = figures(url)
    stop.set()
    tenth = max(1, len(memory) // 10)
    report = {
        "minutes": round(took / 60, 1),
        "cores": round((cpu(pid) - used) / took, 2),
        "memory_begin_mb": round(float(np.median(memory[:tenth])), 1),
        "memory_end_mb": round(float(np.median(memory[-tenth:])), 1),
        "frame_age_ms": [round(1000 * value, 1) for value in (float(np.median(oldest)), max(oldest))],
        "looked_at_after_ms": round(1000 * last["look_delay_seconds"], 1),
        "camera_fps": last["camera_fps"],
        "looks_dropped": last["looks_dropped_total"],
        "video_frames_dropped": last["video_dropped_total"],
        "snapshots_a_second": round(float(np.median([count[0] for count in counts[1:]])) / (took + 20), 1),
        "snapshots_of_the_slow_one": counts[0][0],
        "plies": last["plies"],
    }
    print(json.dumps(report, indent=1))


def cpu(pid: int) -> float:
    """Seconds of processor time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> float:
    """Megabytes of memory a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
