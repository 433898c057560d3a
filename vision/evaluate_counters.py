"""Judges the reading of counters on rendered stills: `python -m vision.evaluate_counters [--stages N] [--seed S]`.

A stage is a board, a set, a table, a light and a camera, drawn at random (`simulation.counterstill`). Told a
game: cells of positions in play that are read wrong after two pictures of the start position; the same where the
camera's exposure has changed meanwhile; stills with a cell wrong where nothing is known of the set, and those of them
that are said to be sure; and boards found with every corner within 0.15 cells, at the start and in play.
"""

import argparse
import json
import random
from collections import Counter
from dataclasses import replace

import chess
import numpy as np

from calibration.counters import find_counter_board
from calibration.evaluate import worst
from calibration.find import BoardNotFoundError, Picture
from calibration.view import View
from rules.counters import Counters
from rules.crowded import Crowded
from rules.observation import groups, labels_of
from rules.quadwrangle import QuadWrangle
from simulation.counterstill import make_stage, still
from simulation.film import SIZE
from simulation.render import Renderer
from vision.canvas import Canvas, on_board
from vision.counter_start import read_set_up
from vision.counters import Patches, learn
from vision.reader import Reader

PLIES = (10, 20, 30)  # after which positions are shown
EXPOSURE = 0.8  # times, in what the camera writes
NEAR = 0.15  # cells a corner may be off


def main() -> None:
    """Print one row a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stages", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    reader, renderer = Reader(), Renderer(*SIZE)
    for side in (7, 8):
        counts: Counter[str] = Counter(stages=options.stages)
        for seed in range(options.seed, options.seed + options.stages):
            counts.update(judge(seed, side, reader, renderer))
        report = {"side": side, **counts}
        print(json.dumps(report) if options.json else "  ".join(f"{k} {v}" for k, v in report.items()), flush=True)
    renderer.release()


def judge(seed: int, side: int, reader: Reader, renderer: Renderer) -> Counter[str]:
    """Counts over one stage."""
    stage, positions = make_stage(seed, side), game(seed, side)
    stills = [still(stage, position, renderer, n) for n, position in enumerate([positions[0], *positions])]
    truth = [groups(labels_of(position)) for position in [positions[0], *positions]]
    view, board = replace(stills[0].view, side=side), on_board(side)
    looks = [look(shown.picture, view, reader) for shown in stills]
    known = learn(looks[:2], [np.where(board, kinds, -1) for kinds in truth[:2]])
    assert known is not None
    counts: Counter[str] = Counter()
    for shown, seen, kinds in zip(stills[2:], looks[2:], truth[2:], strict=True):
        dimmed = look((shown.picture * EXPOSURE).astype(np.uint8), view, reader)
        counts["cells"] += int(board.sum())
        counts["wrong"] += int((known.read(seen).argmax(1) != kinds)[board].sum())
        counts["wrong_dimmed"] += int((known.read(dimmed).argmax(1) != kinds)[board].sum())
    for shown, kinds in zip(stills[1:], truth[1:], strict=True):
        found = read_set_up([shown.picture], view, reader)
        wrong = found is None or bool((groups(found.labels) != kinds)[board].any())
        counts["set_ups"] += 1
        counts["sure_set_ups"] += found is not None and found.sure
        counts["wrong_set_ups"] += wrong
        counts["sure_and_wrong_set_ups"] += wrong and found is not None and found.sure
    for shown in (stills[0], stills[-1]):
        counts["boards"] += 1
        counts[placed(shown.picture, view)] += 1
    return counts


def game(seed: int, side: int) -> list[Counters]:
    """A start position, and the same after some plies of a random game."""
    rng = random.Random(seed)
    position: Counters = QuadWrangle.start("adjacent") if side == 7 else Crowded.start("chequer")
    if side == 8 and seed % 2:
        white = sum(chess.BB_SQUARES[cell] for cell in rng.sample(range(64), 32))
        position = Crowded(white, chess.BB_ALL & ~white)
    positions = [position]
    for ply in range(1, PLIES[-1] + 1):
        if position.is_over:
            break
        position = position.after(rng.choice(list(position.legal_moves())))
        if ply in PLIES:
            positions.append(position)
    return positions


def look(picture: Picture, view: View, reader: Reader) -> Patches:
    """What one picture shows."""
    canvas = Canvas.over(view)
    laid = canvas.warp(picture, view)
    return Patches.of(laid, canvas, reader.read(laid))


def placed(picture: Picture, view: View) -> str:
    """What to count of the search for the board."""
    try:
        corners = find_counter_board(picture, view.side).corners()
    except BoardNotFoundError:
        return "boards_missed"
    error = min(worst(np.roll(corners, turn, 0), view.corners()) for turn in range(4)) * view.side / 8
    return "boards_found" if error < NEAR else "boards_wrong"


if __name__ == "__main__":
    main()
