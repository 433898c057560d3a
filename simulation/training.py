"""Renders training scenes: `python -m simulation.training --out DIR --count N [--seed S] [--fallen]`, resumable.

DIR gets `NNNNNN.jpg` and one row each in `labels-S.jsonl`: `image`, `version` of the scenes, `homography` (9, board to
pixels), `corners`, `pieces` ([letter, x, y, lies, share seen]; x and y where the base appears on the board's plane),
`episode` (pictures of one setting, which begin with the start position) and `lattice` (percent seen of each place of
`simulation.truth`, rows first; negative out of the picture).
"""

import argparse
import json
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from calibration.view import CORNERS
from simulation.light import Webcam, develop, make_webcam, noisy
from simulation.render import Renderer
from simulation.scene import Setting, make_scene, make_setting
from simulation.truth import masks, seen_lattice, seen_pieces

EPISODE = 3  # pictures of one setting: the start position, and what comes later
VERSION = 4  # of the scenes: the same version, seed and number give the same picture
SIZES = ((640, 480), (800, 600), (960, 540), (1280, 720), (1920, 1080))
SHARES = (0.35, 0.25, 0.25, 0.11, 0.04)  # of the sizes


def main() -> None:
    """Render what is still missing of one seed's scenes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fallen", action="store_true", help="many men lie, at the start position, too")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    labels = options.out / f"labels-{options.seed}.jsonl"
    done = len(labels.read_text().splitlines()) if labels.exists() else 0
    renderers = {size: Renderer(*size) for size in SIZES}
    with labels.open("a") as rows:
        for number in range(done, options.count):
            rows.write(json.dumps(_one(options, number, renderers)) + "\n")
            rows.flush()


@lru_cache(maxsize=1)
def _setting(seed: int, episode: int) -> tuple[Setting, Webcam]:
    rng = np.random.default_rng((seed, episode, 1))
    size = SIZES[int(rng.choice(len(SIZES), p=SHARES))]
    webcam = make_webcam(rng)
    return make_setting(rng, size), webcam


def _one(options: argparse.Namespace, number: int, renderers: dict[tuple[int, int], Renderer]) -> dict[str, object]:
    seed, path = options.seed, options.out / f"{options.seed:02d}-{number:05d}.jpg"
    episode, turn = divmod(number, EPISODE)
    setting, webcam = _setting(seed, episode)
    rng, size = np.random.default_rng((seed, number)), setting.camera.size
    scene = make_scene(rng, setting, start=turn == 0, fallen=options.fallen)
    picture = noisy(develop(scene.picture(renderers[size]), webcam), webcam, rng)
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))])
    clear, masked = masks(scene, renderers[size])
    seen = seen_pieces(scene, clear, masked)
    bases = [(t.x, t.y, scene.look.table.level(t.x, t.y)) for t in scene.pieces]
    apparent = scene.camera.seen_from_board(bases)
    return {
        "image": path.name,
        "version": VERSION,
        "episode": f"{seed}-{episode}",
        "homography": scene.camera.board_homography().reshape(-1).tolist(),
        "corners": scene.camera.project(np.column_stack([CORNERS, np.zeros(4)])).round(2).tolist(),
        "pieces": [
            [t.piece.symbol(), round(float(x), 3), round(float(y), 3), int(t.lies), round(float(s), 3)]
            for t, (x, y), s in zip(scene.pieces, apparent, seen, strict=True)
        ],
        "lattice": np.round(100 * seen_lattice(scene, masked)).astype(int).reshape(-1).tolist(),
    }


if __name__ == "__main__":
    main()
