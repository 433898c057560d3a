"""The record on disk: one folder a match, complete up to the last event whatever ends the program.

`events.jsonl` holds every event in the order it was committed, `alerts.jsonl` the alerts among them; each line is
flushed as it is written. The game record (`match.bpgn`, or `match.pgn` for one board) is replaced as a whole after
every batch of events. `summary.json` is written at the end, so a folder without one was cut short.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from quadriglia.errors import UserError
from quadriglia.files import replace_file
from rules.events import Event

FILES = ("match.bpgn", "match.pgn", "events.jsonl", "alerts.jsonl", "summary.json")


class Record:
    """Writes one match into `folder`, which is made if need be.

    Raises UserError when the folder cannot be written or holds a record already: none is ever overwritten.
    """

    def __init__(self, folder: Path, boards: int) -> None:
        self.folder = folder
        self.game_file = folder / ("match.bpgn" if boards == 2 else "match.pgn")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any((folder / name).exists() for name in FILES):
                raise UserError("out_used", path=folder)
            self._events = (folder / "events.jsonl").open("x", encoding="utf-8")
            self._alerts = (folder / "alerts.jsonl").open("x", encoding="utf-8")
        except OSError as error:
            raise UserError("out_not_writable", path=folder) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._events.close()
        self._alerts.close()

    def add(self, events: Sequence[Event], game: str) -> None:
        """Append events, and replace the game record with `game`, its text after them."""
        for event in events:
            line = json.dumps(event.as_json(), ensure_ascii=False) + "\n"
            self._events.write(line)
            if event.kind == "alert":
                self._alerts.write(line)
        self._events.flush()
        self._alerts.flush()
        replace_file(self.game_file, game)

    def summarise(self, summary: dict[str, Any]) -> None:
        """Write `summary.json`."""
        replace_file(self.folder / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False) + "\n")


def free_folder(parent: Path, name: str = "match") -> Path:
    """`name-1` in `parent`, or the first higher number that does not exist yet."""
    taken = {path.name for path in parent.glob(f"{name}-*")}
    number = next(n for n in range(1, len(taken) + 2) if f"{name}-{n}" not in taken)
    return parent / f"{name}-{number}"
