"""Files that are replaced as a whole, and the log of faults."""

import os
import traceback
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, text: str, lasting: bool = False) -> None:
    """Write a file so that a reader sees the old text or the new one, never half of it; `lasting`: also after the power
    fails, which takes some milliseconds."""
    beside = path.with_name(path.name + ".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        if lasting:
            file.flush()
            os.fsync(file.fileno())
    os.replace(beside, path)


def note_fault(folder: Path, where: str) -> None:
    """Keep the error that is being handled in a record's `faults.log`, for whoever mends it."""
    with suppress(OSError), (folder / "faults.log").open("a", encoding="utf-8") as log:
        log.write(f"{where}\n{traceback.format_exc()}\n")
