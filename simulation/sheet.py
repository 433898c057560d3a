"""A contact sheet of training scenes: `python -m simulation.sheet --out PICTURE [--count N] [--seed S]`."""

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.light import develop, make_webcam, noisy
from simulation.render import Renderer
from simulation.scene import make_scene, make_setting

SIZE = (960, 720)
COLUMNS = 8
TILE = (160, 120)


def main() -> None:
    """Render scenes of a seed side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    renderer = Renderer(*SIZE)
    tiles = [_one(options.seed, number, renderer) for number in range(options.count)]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % COLUMNS)
    rows = [np.hstack(tiles[start : start + COLUMNS]) for start in range(0, len(tiles), COLUMNS)]
    quality = [cv2.IMWRITE_JPEG_QUALITY, 75] if options.out.suffix == ".jpg" else []
    cv2.imwrite(str(options.out), np.vstack(rows), quality)


def _one(seed: int, number: int, renderer: Renderer) -> NDArray[np.uint8]:
    rng = np.random.default_rng((seed, number))
    scene, webcam = make_scene(rng, make_setting(rng, SIZE), start=False), make_webcam(rng)
    picture = noisy(develop(scene.picture(renderer), webcam), webcam, rng)
    return np.asarray(cv2.resize(picture, TILE, interpolation=cv2.INTER_AREA), np.uint8)


if __name__ == "__main__":
    main()
