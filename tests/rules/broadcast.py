"""The five broadcast games of bgu-overhead-games, one picture a ply or so: how many are followed to the end.

`python -m tests.rules.broadcast PHOTOS [--keep DIR]` replays each game from its folder of pictures, as `replay --game
chess` would, and compares the position after every labelled ply. `--keep`: observations are kept there, and taken from
there where they are.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from quadriglia.boards import place, view_by_corners
from quadriglia.session import follow
from quadriglia.sight import Sight
from rules.match import Match
from rules.observation import Observation, labels_of
from rules.tracker import Tracker
from tests.rules.corpus import load, save
from tests.rules.learnt import read_anew
from vision.reader import Reader
from vision.school import at_once
from vision.source import FOLDER_FPS, Source

CORNERS = np.array([[0, 0], [480, 0], [480, 480], [0, 480]], np.float64)


def look(rows: list[dict[str, Any]], photos: Path, sight: Sight) -> Iterator[Observation]:
    """What the eye sees of one game."""
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            picture = photos / row["image"]
            (Path(folder) / picture.name).symlink_to(picture.resolve())
        source = Source("A", Path(folder))
        found = place(source, view_by_corners(CORNERS, source.size()), None, sight)
        for observation, _ in follow(Tracker(Match("chess")), [found], sight):
            yield observation


def compare(rows: list[dict[str, Any]], match: Match) -> tuple[int, int, int]:
    """Plies read, labelled plies after which the position is right, and labelled plies."""
    again, placements = match.fresh(), [chess.Board().board_fen()]
    for ply in match.plies:
        again.again(ply)
        placements.append(again.board("A").board_fen())
    labels = {int(row["ply"]): str(row["fen"]).split()[0] for row in rows}
    right = sum(ply < len(placements) and placements[ply] == fen for ply, fen in labels.items())
    return len(match.plies), right, len(labels)


def settled(rows: list[dict[str, Any]], looks: list[Observation]) -> Iterator[tuple[Observation, NDArray[np.int64]]]:
    """The last look at each picture without a hand, and what stood there."""
    last = {int(look.time * FOLDER_FPS + 1e-6): look for look in looks if look.seen.any()}
    for number, row in enumerate(rows):
        if number in last and not row["hand"]:
            yield last[number], labels_of(chess.BaseBoard(str(row["fen"]).split()[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    folder = options.photos / "valid" / "bgu-overhead-games"
    games: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (folder / "labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        games[row["seq"]].append(row)
    exact, sight, moved = 0, Sight(Reader(), school=at_once), []
    for name, rows in games.items():
        rows.sort(key=lambda row: str(row["image"]))
        kept = options.keep / f"{name}.npz" if options.keep else Path(tempfile.mkdtemp()) / "looks.npz"
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            save(kept, look(rows, folder, sight))
        tracker = Tracker(Match("chess"))
        looks = list(load(kept))
        alerts = [event for seen in looks for event in tracker.update(seen) if event.kind == "alert"]
        tracker.finish(float(len(rows)))
        moved.append(read_anew(settled(rows, looks)))
        read, right, labelled = compare(rows, tracker.match)
        exact += right == labelled and read == max(int(row["ply"]) for row in rows)
        print(
            f"{name}: {right} of {labelled} labelled plies right, {read} plies read, {len(alerts)} alerts", flush=True
        )
    print(f"{exact} of {len(games)} games exact")
    without, taught = 100 * np.concatenate(moved).mean(0)
    print(f"kinds of men just moved: {without:.1f}% right, taught {taught:.1f}%, n={sum(map(len, moved))}")


if __name__ == "__main__":
    main()
