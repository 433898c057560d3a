"""Files that are replaced as a whole."""

import os
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
