"""Recorded observations: what the eyes saw of a filmed match, kept so that the tracker can be tried without pictures.

`python tests/rules/corpus.py record DIR FILE.npz [--small]` looks at `DIR/a.mp4` and `DIR/b.mp4`.
`python tests/rules/corpus.py track FILE.npz... [--truth DIR]` lets the tracker follow what was recorded, compares it
with the truth, the reserves that were read too and whether lying men were, and tells what a look took.
`python tests/rules/corpus.py reference FILE.npz...` writes what is told to FILE.jsonl: do so for `recorded/` when the
tracker should tell something else from now on. A file holds, for every look, time, board and what was seen, and the
rows of squares and pockets that changed; with them the features that readings are made of, by which the tracker learns
how the set looks, unless `--small` leaves them out: for `recorded/`.
"""

import argparse
import json
import tempfile
import time as wall
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any, get_args

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import pockets_beside
from quadriglia.boards import place
from quadriglia.gamefile import game_text
from quadriglia.record import Record
from quadriglia.score import score
from quadriglia.session import follow
from quadriglia.sight import Sight
from rules.events import Event
from rules.match import Match
from rules.observation import LABELS, UPRIGHT, CameraState, Observation, PocketObservation, Reach
from rules.seats import BOARDS
from rules.tracker import Tracker
from tests.rules.lying import read_lying
from tests.rules.reserves import read_reserves
from vision.reader import Reader
from vision.school import at_once
from vision.source import Source

STATES = get_args(CameraState)
STRANGERS, CLOSE = 2, 4  # what is added to a pocket's number for pieces of the other colour, and for those seen close


def record(folder: Path) -> Iterator[Observation]:
    """What both eyes see of a filmed match, in order of time."""
    sight = Sight(Reader(), school=at_once)
    places = []
    for board in BOARDS:
        source = Source(board, folder / f"{board.lower()}.mp4")
        places.append(place(source, None, pockets_beside("h"), sight))
    for observation, _ in follow(Tracker(), places, sight):
        yield observation


def save(path: Path, looks: Iterator[Observation], small: bool = False) -> int:
    """Write looks to a file; how many there were. `small`: without features."""
    heads: list[tuple[float, int, int, int, int, int, float]] = []
    seen, covered, behind, rows, squares, features, pieces, reaches = [], [], [], [], [], [], [], []
    last = {board: np.full((64, len(LABELS) + 3), np.inf, np.float16) for board in BOARDS}
    for look in looks:
        number = len(heads)
        board = BOARDS.index(look.board)
        pockets = [look.pockets.get(color) for color in chess.COLORS]
        shown = sum(1 << i for i, pocket in enumerate(pockets) if pocket is not None and pocket.seen)
        state = STATES.index(look.camera)
        heads.append((look.time, board, shown, int(look.hand), int(look.moving), state, look.shift))
        seen.append(np.packbits(look.seen))
        covered.append(np.packbits(look.covered))
        behind.append(np.packbits(look.behind))
        reaches += [(number, *reach.tip, *astuple(reach)[1:]) for reach in look.reaches]
        now = np.column_stack([look.squares, look.lying, look.offsets]).astype(np.float16)
        same = (now == last[look.board]) | (np.isnan(now) & np.isnan(last[look.board]))
        for square in np.flatnonzero(~same.all(1)):
            rows.append((number, square))
            squares.append(now[square])
            features.append(np.asarray([] if small else look.features[square], np.float16))
        last[look.board] = now
        for i, pocket in enumerate(pockets):
            if pocket is None:
                continue
            tops = pocket.heads if len(pocket.heads) else pocket.centres
            for kinds, centre, top in zip(pocket.pieces, pocket.centres, tops, strict=True):
                pieces.append(np.array([number, i, *centre, *kinds, *top], np.float32))
            for more, others in ((STRANGERS, pocket.strangers), (CLOSE, pocket.close)):
                pieces += [np.array([number, i + more, *xy, *np.zeros(len(LABELS) + 2)], np.float32) for xy in others]
    np.savez_compressed(
        path,
        heads=np.array(heads),
        seen=np.array(seen),
        covered=np.array(covered),
        behind=np.array(behind),
        rows=np.array(rows, np.int32),
        squares=np.array(squares, np.float16),
        features=_full(features),
        pieces=np.array(pieces, np.float32).reshape(-1, 6 + len(LABELS)),
        reaches=np.array(reaches, np.float32).reshape(-1, 8),
    )
    return len(heads)


def _full(rows: list[NDArray[np.float16]]) -> NDArray[np.float16]:
    """Rows of which the first may be empty: nothing was read yet."""
    wide = max(map(len, rows), default=0)
    return np.array([row if len(row) else np.zeros(wide) for row in rows], np.float16).reshape(len(rows), wide)


def load(path: Path) -> Iterator[Observation]:
    """The looks of a file, in order of time."""
    with np.load(path) as file:
        heads, seen, rows, squares, pieces = (file[name] for name in ("heads", "seen", "rows", "squares", "pieces"))
        reaches = file["reaches"] if "reaches" in file else np.zeros((0, 7), np.float32)
        covered = file["covered"] if "covered" in file else np.zeros_like(seen)
        behind = file.get("behind")
        features = file["features"] if "features" in file else np.zeros((len(rows), 0), np.float16)
    if squares.shape[1] == len(LABELS):  # recorded before it was known how pieces stand
        squares = np.column_stack([squares, np.full(len(squares), -UPRIGHT), np.zeros((len(squares), 2))])
    last: dict[str, NDArray[np.float32]] = {board: np.zeros((64, len(LABELS) + 3), np.float32) for board in BOARDS}
    looks = {board: np.zeros((64, features.shape[1]), np.float32) for board in BOARDS}
    first_row = np.searchsorted(rows[:, 0], np.arange(len(heads) + 1))
    first_reach = np.searchsorted(reaches[:, 0], np.arange(len(heads) + 1))
    first_piece = np.searchsorted(pieces[:, 0], np.arange(len(heads) + 1))
    for number, (time, index, shown, hand, moving, state, shift) in enumerate(heads):
        board = BOARDS[int(index)]
        part = slice(first_row[number], first_row[number + 1])
        last[board] = last[board].copy()
        last[board][rows[part, 1]] = squares[part]
        looks[board] = looks[board].copy()
        looks[board][rows[part, 1]] = features[part]
        here = pieces[first_piece[number] : first_piece[number + 1]]
        pockets = {}
        for i, color in enumerate(chess.COLORS):
            own, others, close = (here[here[:, 1] == i + more] for more in (0, STRANGERS, CLOSE))
            shows = bool(int(shown) >> i & 1)
            kinds, tops = own[:, 4 : 4 + len(LABELS)], own[:, 4 + len(LABELS) :]
            tops = tops if tops.shape[1] else np.zeros((0, 2), np.float32)  # recorded before it was told
            pockets[color] = PocketObservation(kinds, own[:, 2:4], shows, others[:, 2:4], close[:, 2:4], tops)
        arms = reaches[first_reach[number] : first_reach[number + 1], 1:].tolist()
        unpacked = np.unpackbits(seen[number]).astype(np.bool_)
        yield Observation(
            board,
            float(time),
            last[board][:, : len(LABELS)],
            unpacked,
            pockets,
            bool(hand),
            bool(moving),
            STATES[int(state)],
            float(shift),
            last[board][:, len(LABELS)],
            last[board][:, len(LABELS) + 1 :],
            tuple(
                Reach((x, y), bool(color), aside, enters, bool(clock), *seen)
                for x, y, color, aside, enters, clock, *seen in arms
            ),
            covered=np.unpackbits(covered[number]).astype(np.bool_),
            # Before it was told by itself nothing was of where such men stand.
            behind=np.isnan(last[board][:, -1]) if behind is None else np.unpackbits(behind[number]).astype(np.bool_),
            features=looks[board],
        )


def track(looks: Iterator[Observation]) -> tuple[Tracker, list[Event], list[float]]:
    """The tracker after all looks, what it told, and the seconds that each look took."""
    tracker, events, took, time = Tracker(Match()), list[Event](), list[float](), 0.0
    for look in looks:
        started = wall.perf_counter()
        events += tracker.update(look)
        took.append(wall.perf_counter() - started)
        time = look.time
    return tracker, events + tracker.finish(time), took


def told(path: Path) -> list[str]:
    """What is told of a recorded match, an event a line, as JSON."""
    return [json.dumps(event.as_json(), ensure_ascii=False) for event in track(load(path))[1]]


def compare(tracker: Tracker, events: list[Event], truth: Path) -> dict[str, Any]:
    """The score of what was told against a truth folder, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        with Record(Path(folder), 2) as kept:
            end = next((event.result for event in events if event.kind == "end"), "*")
            kept.add(events, game_text(tracker.match, end))
        return score(Path(folder), truth).as_json()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("record", "track", "reference"))
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    if options.what == "record":
        folder, path = options.paths
        print(f"{save(path, record(folder), options.small)} looks in {path}")
    for path in options.paths if options.what == "reference" else ():
        path.with_suffix(".jsonl").write_text("\n".join(told(path)) + "\n")
    for path in options.paths if options.what == "track" else ():
        tracker, events, took = track(load(path))
        median, late = 1000 * np.percentile(took, [50, 99])
        print(f"{path}: {len(events)} events, a look {median:.2f} ms (median), {late:.1f} ms (99%), n={len(took)}")
        if options.truth:
            print(compare(tracker, events, options.truth))
            print(read_reserves(load(path), options.truth))
            print(read_lying(load(path), options.truth))


if __name__ == "__main__":
    main()
