"""The record of a live match: an append-only SQLite file, safe against a crash and a power cut at any moment.

Every entry is committed, with `synchronous=FULL`, before anything of it is shown. Entries are sealed: each carries the
SHA-256 of itself and the seal before, so that `verify` sees what was changed, left out or cut off in the middle.
"""

import hashlib
import json
import sqlite3
import time as wall
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from quadriglia.errors import UserError

APPLICATION = 0x51756164  # "Quad", by which SQLite files tell whose they are
VERSION = 1
BROKEN = (sqlite3.Error, ValueError)
"""What a damaged file raises: SQLite's errors; and where its own message quotes damaged text, that is no UTF-8."""
SCHEMA = """
CREATE TABLE entry (
    number INTEGER PRIMARY KEY, wall REAL NOT NULL, time REAL NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
    seal TEXT NOT NULL
) STRICT;
CREATE TRIGGER no_change BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER no_removal BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """`time`: seconds of the match. `kind` and `body`: see `quadriglia.state`. `number`, from 1, and `wall`, seconds
    since 1970, are the journal's."""

    kind: str
    time: float
    body: dict[str, Any]
    number: int = 0
    wall: float = 0.0


class JournalError(Exception):
    """An entry could not be written: the disk is full, or the file may not be written. Nothing of it was kept."""


class Journal:
    """One match's file. Used from one thread at a time."""

    def __init__(self, path: Path, create: bool = False) -> None:
        """Open a file, or make it. UserError when it cannot be opened, is no journal or exists already."""
        self.path = path
        try:
            if create:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.open("x").close()
            mode = "rw" if create or _writable(path) else "ro"
            address = f"{path.resolve().as_uri()}?mode={mode}"
            self._file = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=0.5)
        except (OSError, sqlite3.Error) as error:
            raise UserError("journal_open", path=path) from error
        try:
            if create:
                self._begin()
            self._check()
            if mode == "rw":
                self._file.execute("PRAGMA synchronous = FULL")
            last = self._file.execute("SELECT number, seal FROM entry ORDER BY number DESC LIMIT 1").fetchone()
        except BROKEN as error:
            self._file.close()
            raise UserError("journal_form", path=path) from error
        self._last: tuple[int, str] = last or (0, "")

    def _begin(self) -> None:
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.executescript(
            f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; BEGIN; {SCHEMA} COMMIT;"
        )

    def _check(self) -> None:
        application = self._file.execute("PRAGMA application_id").fetchone()[0]
        version = self._file.execute("PRAGMA user_version").fetchone()[0]
        if application != APPLICATION:
            raise sqlite3.DatabaseError("another program's file")
        if version != VERSION:
            self._file.close()
            raise UserError("journal_version", path=self.path, found=version, known=VERSION)
        self._file.execute("SELECT number, wall, time, kind, body, seal FROM entry LIMIT 1").fetchone()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def count(self) -> int:
        """Entries so far."""
        return self._last[0]

    def add(self, entries: Sequence[Entry]) -> list[Entry]:
        """Append entries, all or none, and return them with their numbers. JournalError when that cannot be done."""
        number, seal = self._last
        numbered, rows = [], []
        for entry in entries:
            number += 1
            body = json.dumps(entry.body, ensure_ascii=False, sort_keys=True)
            row = (number, wall.time(), entry.time, entry.kind, body)
            seal = seal_of(seal, *row)
            numbered.append(Entry(entry.kind, entry.time, entry.body, number, row[1]))
            rows.append((*row, seal))
        try:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                self._file.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise JournalError(str(error)) from error
        self._last = number, seal
        return numbered

    def entries(self) -> Iterator[Entry]:
        """All entries in order. UserError at one that cannot be read."""
        try:
            for number, when, time, kind, body, _ in self._rows():
                yield Entry(kind, time, json.loads(body), number, when)
        except BROKEN as error:
            raise UserError("journal_form", path=self.path) from error

    def faults(self) -> list[str]:
        """What is wrong with the file: what SQLite finds, and the first entry whose seal is broken."""
        try:
            found = [str(row[0]) for row in self._file.execute("PRAGMA integrity_check") if row[0] != "ok"]
            seal = ""
            for expected, (number, when, time, kind, body, sealed) in enumerate(self._rows(), 1):
                seal = seal_of(seal, number, when, time, kind, body)
                if number != expected or seal != sealed:
                    return [*found, f"entry {expected}"]
        except BROKEN as error:
            return [str(error)]
        return found

    def _rows(self) -> Iterator[Any]:
        return self._file.execute("SELECT number, wall, time, kind, body, seal FROM entry ORDER BY number")


def seal_of(before: str, *row: object) -> str:
    """The seal of an entry after that of the one before."""
    return hashlib.sha256(json.dumps([before, *row], ensure_ascii=False).encode()).hexdigest()


def _writable(path: Path) -> bool:
    try:
        with path.open("r+b"):
            return True
    except PermissionError:
        return False
