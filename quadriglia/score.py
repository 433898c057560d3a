"""Compares a run with its truth: moves, their order across the boards, hand-overs, and how late each was told."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from rules.records import RecordError, read
from rules.seats import BOARDS

APART = 1.0
"""Seconds between two plies from which their order across the boards counts."""
PLIES = ("move", "drop", "correction")
Row = dict[str, Any]


class ScoreError(ValueError):
    """A run or a truth that cannot be compared."""


@dataclass(frozen=True, slots=True)
class Moves:
    """Plies of one board or of both. `right` are read in their place; `wrong`, `missing` and `extra` are not."""

    true: int
    read: int
    right: int
    wrong: int
    missing: int
    extra: int

    @property
    def exact(self) -> bool:
        return self.true == self.read == self.right


@dataclass(frozen=True, slots=True)
class Score:
    """`boards`: moves by board. `order_wrong`: pairs of plies on different boards, more than a second apart, told in
    the other order, of `order_pairs`. Hand-overs are right when giver and piece agree. Latency: seconds from the
    release of a piece to the event; None without times in the truth."""

    boards: dict[str, Moves]
    hand_overs_true: int
    hand_overs_read: int
    hand_overs_right: int
    order_pairs: int
    order_wrong: int
    latency_median: float | None
    latency_p95: float | None
    latency_max: float | None

    @property
    def exact(self) -> bool:
        """Every ply on both boards, and nothing else."""
        return all(moves.exact for moves in self.boards.values())

    @property
    def total(self) -> Moves:
        """Of all boards together."""
        return Moves(*(sum(column) for column in zip(*(asdict(m).values() for m in self.boards.values()), strict=True)))

    def as_json(self) -> Row:
        """All figures, for machines."""
        return asdict(self) | {"exact": self.exact, "total": asdict(self.total)}


def score(run: Path, truth: Path) -> Score:
    """Compare the folder of a run (`events.jsonl`) with that of its truth (`truth.jsonl`, else `truth.bpgn`).

    Raises ScoreError.
    """
    told = corrected(_rows(run / "events.jsonl"))
    true = _truth(truth)
    pairs = {board: _matched(_plies(true, board), _plies(told, board)) for board in BOARDS}
    boards = {board: _moves(_plies(true, board), _plies(told, board), pairs[board]) for board in BOARDS}
    both = [pair for board in BOARDS for pair in pairs[board]]
    count, wrong = _order(both, told)
    late = [event["committed"] - row["time"] for row, event in both if "time" in row and "committed" in event]
    given, passed = _given(true), _given(told)
    return Score(
        {board: moves for board, moves in boards.items() if moves.true or moves.read},
        given.total(), passed.total(), (given & passed).total(), count, wrong,
        *(round(float(v), 3) for v in np.quantile(late, (0.5, 0.95, 1.0))) if late else (None, None, None),
    )  # fmt: skip


def corrected(events: Sequence[Row]) -> list[Row]:
    """Moves, drops and hand-overs as they stand after all corrections: one replaces its board's ply of that number, one
    that was taken back is gone."""
    rows: list[Row] = []
    for event in events:
        if event["kind"] in ("correction", "take_back"):
            at = [i for i, row in enumerate(rows) if row.get("ply") == event["ply"] and row["board"] == event["board"]]
            if at:
                rows[at[-1] : at[-1] + 1] = [event] if event["kind"] == "correction" else []
                continue
        if event["kind"] in ("move", "drop", "hand_over", "correction"):
            rows.append(event)
    return rows


def _truth(folder: Path) -> list[Row]:
    if (folder / "truth.jsonl").exists():
        return _rows(folder / "truth.jsonl")
    try:
        (game,) = read((folder / "truth.bpgn").read_text())
    except OSError as error:
        raise ScoreError(
            f"{folder}: holds neither truth.jsonl nor truth.bpgn; give the folder of a simulation"
        ) from error
    except (RecordError, ValueError) as error:
        raise ScoreError(f"{folder / 'truth.bpgn'}: {error}") from error
    return [{"kind": "move", "board": ply.board, "ply": ply.number, "uci": ply.move.uci()} for ply in game.match.plies]


def _rows(file: Path) -> list[Row]:
    rows = []
    try:
        lines = file.read_text().splitlines()
    except OSError as error:
        raise ScoreError(f"{file}: cannot be read; give a folder that holds it") from error
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            if not isinstance(row, dict) or "kind" not in row:
                raise ValueError("no event")
        except ValueError as error:
            raise ScoreError(f"{file}: line {number} is no event; was the file cut off or edited?") from error
        rows.append(row)
    return rows


def _plies(rows: Sequence[Row], board: str) -> list[Row]:
    return [row for row in rows if row["kind"] in PLIES and row["board"] == board]


def _matched(true: Sequence[Row], told: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Plies of one board that are the same in both, in order."""
    blocks = SequenceMatcher(
        None, [_played(row) for row in true], [_played(row) for row in told], autojunk=False
    ).get_matching_blocks()
    return [(true[b.a + i], told[b.b + i]) for b in blocks for i in range(b.size)]


def _played(row: Row) -> str:
    """What was played: of counters against the rules also what was turned, which stands after `~`."""
    return str(row["uci"]) + "".join(str(row.get("san", "")).partition("~")[1:])


def _moves(true: Sequence[Row], told: Sequence[Row], pairs: Sequence[tuple[Row, Row]]) -> Moves:
    unread, unasked = len(true) - len(pairs), len(told) - len(pairs)
    wrong = min(unread, unasked)
    return Moves(len(true), len(told), len(pairs), wrong, unread - wrong, unasked - wrong)


def _order(pairs: Sequence[tuple[Row, Row]], told: Sequence[Row]) -> tuple[int, int]:
    place = {id(row): n for n, row in enumerate(told)}
    known = [(row, place[id(event)]) for row, event in pairs if "time" in row]
    count = wrong = 0
    for row, at in known:
        for other, there in known:
            if row["board"] < other["board"] and abs(row["time"] - other["time"]) > APART:
                count += 1
                wrong += (row["time"] < other["time"]) != (at < there)
    return count, wrong


def _given(rows: Sequence[Row]) -> Counter[tuple[str, str]]:
    return Counter((row["seat"], row["piece"]) for row in rows if row["kind"] == "hand_over")
