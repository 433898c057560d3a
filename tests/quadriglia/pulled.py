"""Pulls a camera out and plugs it in again: `python -m tests.quadriglia.pulled [--count 100]`.

A network camera of another process vanishes at random moments and comes back, while the other camera goes on. Told: how
soon its loss was noticed and how soon frames came again, and by how much the other camera was ever late meanwhile.
"""

import argparse
import random
import time

import numpy as np

from quadriglia.demo import SAMPLE
from tests.vision.misbehaving import FakeCamera
from vision.camera import Camera

NOTICED, BACK = 2.0, 5.0


def main() -> None:
    """Print one line over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    rng = random.Random(0)
    noticed: list[float] = []
    back: list[float] = []
    late = 0.0
    with FakeCamera(SAMPLE / "a.mp4") as fake, FakeCamera(SAMPLE / "b.mp4") as other:
        pulled = Camera("A", fake.url, time.monotonic)
        stays = Camera("B", other.url, time.monotonic)
        while pulled.state != "live" or stays.state != "live":
            time.sleep(0.05)
        for _ in range(options.count):
            time.sleep(rng.uniform(0.2, 1.0))
            for mode, wanted, times in (("gone", "lost", noticed), ("fine", "live", back)):
                fake.become(mode)
                began = time.monotonic()
                while pulled.state != wanted or (wanted == "live" and pulled.age > 0.5):
                    late = max(late, stays.age)
                    time.sleep(0.01)
                    if time.monotonic() - began > 30:
                        break
                times.append(time.monotonic() - began)
        pulled.close()
        stays.close()
    print(
        f"pulled {options.count} times: noticed within {NOTICED:g} s {sum(t <= NOTICED for t in noticed)} (median "
        f"{np.median(noticed):.2f}, most {max(noticed):.2f} s), back within {BACK:g} s {sum(t <= BACK for t in back)} "
        f"(median {np.median(back):.2f}, most {max(back):.2f} s); the other camera never older than {late:.2f} s"
    )


if __name__ == "__main__":
    main()
