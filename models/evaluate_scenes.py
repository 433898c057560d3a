"""Judges the reader on rendered scenes: `python -m models.evaluate_scenes --scenes DIR [--adapt] [--json]`.

DIR is what `simulation.training` wrote, from a seed that was not trained on. Counted are squares of which the piece, or
the empty square, can be seen; lying pieces; squares that a hand hides; how many squares off either network sees bases
of standing pieces; and the crowds beside the board: a region counts where nothing in it is hidden.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region, View, pockets_beside
from models.data import SEEN, UNSEEN, Board, rendered, share_seen
from models.evaluate import Lessons, Tally
from models.pictures import load
from rules.observation import EMPTY, LIES
from vision.canvas import SQUARE_CENTRES, Canvas
from vision.closer import BESIDE, Closer, Kept, Second, closely
from vision.lean import Lean, by_pose
from vision.pocket import places_in, read_pocket
from vision.reader import HIDDEN, MANIFEST, Answer, Reader

REGIONS = [region for side in ("h", "a") for region in pockets_beside(side).values()]  # type: ignore[arg-type]
BRIM = 0.45  # squares around a region where nothing may stand, or it is unclear what belongs to it
CLEAR = 0.85  # share of a piece that must be seen


def main() -> None:
    """Print the counts of all scenes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=MANIFEST, help="manifest of the model")
    parser.add_argument("--adapt", action="store_true", help="learn each set from its start position")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    reader = Reader(options.model)
    squares, counts, gaps = Tally(), Counter[str](), list[NDArray[np.float64]]()
    for episode in rendered(options.scenes):
        lessons = Lessons(reader, 1)
        for number, board in enumerate(episode):
            image = load(board.path)
            view = View(board.homography, (image.shape[1], image.shape[0]), dict(enumerate(REGIONS)))  # type: ignore[arg-type]
            truth, seen, lying = on_squares(board)
            if number == 0:
                if options.adapt:
                    lessons.learn(image, view, truth)
                continue
            canvas = Canvas.over(view)
            answer = lessons.first[0](reader.read(canvas.warp(image, view)))
            likelihoods, clear = answer.at(canvas.squares)
            kept = Kept(lessons.taught, 64)
            likelihoods = closely(likelihoods, SQUARE_CENTRES, kept.at(image, view))
            columns, rows = canvas.squares.T
            lies = kept.lying(answer.lying[rows, columns]) > LIES
            _count_squares(likelihoods, clear, lies, truth, seen, lying, squares, counts)
            gaps.append(_gaps(answer, lessons.closer, image, view, canvas, board))
            _count_regions(answer, lessons.closer.at(image, view, BESIDE), by_pose(view), canvas, board, counts)
    report = squares.row() | {
        "hidden_told": share(counts["hidden told"], counts["hidden"]),
        "seen_called_hidden": share(counts["called hidden"], counts["seen"]),
        "lying_told": share(counts["lying told"], counts["lying"]),
        "standing_told": share(counts["standing told"], counts["standing"]),
        **_off(np.concatenate(gaps)),
        "regions_exact": share(counts["regions exact"], counts["regions"]),
        "regions_exact_in_number": share(counts["regions exact in number"], counts["regions"]),
        "n_hidden": counts["hidden"],
        "n_lying": counts["lying"],
        "n_regions": counts["regions"],
    }
    print(json.dumps(report, indent=1) if options.json else "\n".join(f"{key:24} {report[key]}" for key in report))


def share(part: int, whole: int) -> float:
    """Rounded; 0 of nothing."""
    return round(part / max(whole, 1), 4)


def on_squares(board: Board) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """(64,) labels, how much of what stands there can be seen, and whether it lies."""
    truth = np.full(64, EMPTY, np.int64)
    seen = share_seen(board.lattice, SQUARE_CENTRES)
    lying = np.zeros(64, np.bool_)
    for kind, x, y, lies, visible in board.pieces:
        if 0 <= x < 8 and 0 <= y < 8:
            square = chess.square(int(x), int(y))
            truth[square], seen[square], lying[square] = kind, visible, lies
    return truth, seen, lying


def _count_squares(
    likelihoods: NDArray[np.float32],
    clear: NDArray[np.bool_],
    lies: NDArray[np.bool_],
    truth: NDArray[np.int64],
    seen: NDArray[np.float64],
    lying: NDArray[np.bool_],
    tally: Tally,
    counts: Counter[str],
) -> None:
    visible, hidden = seen >= SEEN, seen < UNSEEN
    tally.add(truth[visible], likelihoods[visible])
    counts["hidden"] += int(hidden.sum())
    counts["hidden told"] += int((hidden & ~clear).sum())
    counts["seen"] += int(visible.sum())
    counts["called hidden"] += int((visible & ~clear).sum())
    full = visible & (truth != EMPTY)
    counts["lying"] += int((full & lying).sum())
    counts["lying told"] += int((full & lying & lies).sum())
    counts["standing"] += int((full & ~lying).sum())
    counts["standing told"] += int((full & ~lying & ~lies).sum())


def _gaps(
    answer: Answer, closer: Closer, image: NDArray[np.uint8], view: View, canvas: Canvas, board: Board
) -> NDArray[np.float64]:
    """(n, 2) squares between where standing men are and where the first and the second network see their bases."""
    places = [(x, y) for _, x, y, lies, seen in board.pieces if seen >= CLEAR and not lies and min(x, y) >= 0]
    bases = np.array([place for place in places if max(place) < 8]).reshape(-1, 2)
    squares = canvas.squares[bases[:, 1].astype(int) * 8 + bases[:, 0].astype(int)]
    first = answer.bases(canvas, squares)
    second = closer.look(image, view, first).bases
    return np.column_stack([np.hypot(*(found - bases).T) for found in (first, second)])


def _off(gaps: NDArray[np.float64]) -> dict[str, float]:
    """Of the first network and the second: median, and nine of ten."""
    first, second = (np.quantile(gap, (0.5, 0.9)).round(3).tolist() for gap in gaps.T)
    names = "bases_off_first", "bases_off_first_90", "bases_off", "bases_off_90"
    return dict(zip(names, first + second, strict=True))


def _count_regions(
    answer: Answer, second: Second, lean: Lean, canvas: Canvas, board: Board, counts: Counter[str]
) -> None:
    for region in REGIONS:
        places = places_in(region, canvas)
        if _unclear(region, board) or (np.exp(answer.labels[places[:, 1], places[:, 0], HIDDEN]) > 0.5).any():
            continue
        for color in chess.COLORS:
            inside = [kind for kind, x, y, _, _ in board.pieces if _within(region, x, y, 0.0)]
            wanted = Counter(kind for kind in inside if (kind < 6) == color)
            if not wanted:
                continue
            pieces = read_pocket(answer, canvas, region, places, color, (second, second), lean, owners=1).pieces
            found = Counter(pieces.argmax(1).tolist())
            counts["regions"] += 1
            counts["regions exact"] += found == wanted
            counts["regions exact in number"] += found.total() == wanted.total()


def _within(region: Region, x: float, y: float, brim: float) -> bool:
    return region.x0 - brim <= x <= region.x1 + brim and region.y0 - brim <= y <= region.y1 + brim


def _unclear(region: Region, board: Board) -> bool:
    """Whether something in it is hidden, or stands across its border."""
    near = [(x, y, seen) for _, x, y, _, seen in board.pieces if _within(region, x, y, BRIM)]
    return any(seen < CLEAR or not _within(region, x, y, -BRIM / 3) for x, y, seen in near)


if __name__ == "__main__":
    main()
