"""Judges the search for boards on rendered views: `python tests/calibration/views.py [--count N]`.

Sets, boards, tables, light and cameras, from straight overhead to 38 degrees, are drawn at random. Of ten views three
show the start position, four a position in play with hands, one an empty board, two an empty board of 7x7 squares.
Found is what has every corner within a quarter square. `--out DIR` gets the pictures that failed.
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from calibration.evaluate import worst
from calibration.find import BoardNotFoundError, find_board
from simulation.light import develop, make_webcam, noisy
from simulation.render import Renderer
from simulation.scene import Scene, make_scene, make_setting

KINDS = ("start", "start", "start", "play", "play", "play", "play", "empty", "seven", "seven")
SIZES = ((640, 480), (960, 540), (1280, 720))


def main() -> None:
    """One row a kind of view, and one over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    renderers = {size: Renderer(*size) for size in SIZES}
    counts = {kind: [0, 0, 0] for kind in (*dict.fromkeys(KINDS), "all")}  # views, found, wrong
    took = []
    for number in range(options.count):
        kind = KINDS[number % len(KINDS)]
        side = 7 if kind == "seven" else 8
        rng = np.random.default_rng((options.seed, number))
        size = SIZES[int(rng.integers(len(SIZES)))]
        setting = make_setting(rng, size, side)
        scene = make_scene(rng, setting, start=kind == "start")
        if kind in ("empty", "seven"):
            scene = Scene(scene.look, scene.camera, [], list(setting.things))
        webcam = make_webcam(rng)
        image = noisy(develop(scene.picture(renderers[size]), webcam), webcam, rng)
        truth = scene.camera.project([(0, side, 0), (side, side, 0), (side, 0, 0), (0, 0, 0)])
        started = time.perf_counter()
        try:
            found = find_board(image, side).corners()
            error = min(worst(np.roll(found, turn, 0), truth) for turn in range(4))
        except BoardNotFoundError:
            error = np.inf
        took.append(time.perf_counter() - started)
        for name in (kind, "all"):
            counts[name][0] += 1
            counts[name][1] += error < 0.25
            counts[name][2] += 0.25 <= error < np.inf
        if error >= 0.25 and options.out:
            options.out.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(options.out / f"{number}-{kind}.png"), image)
    for name, (views, right, wrong) in counts.items():
        print(f"{name:6} views {views}  found {right / max(views, 1):.3f}  wrong {wrong}")
    print(f"seconds: median {np.median(took):.2f}, most {max(took):.2f}")


if __name__ == "__main__":
    main()
