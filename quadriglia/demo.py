"""The bundled match, tracked from its two videos and compared with what was really played."""

from pathlib import Path

from rich.console import Console

from quadriglia.errors import UserError
from quadriglia.matches import Camera, play
from quadriglia.words import Words
from rules.seats import BOARDS
from vision.source import Source

SAMPLE = Path(__file__).parent / "sample"


def run_demo(console: Console, say: Words, out: Path | None, page: bool) -> int:
    """Run the demo; 0 when every ply and hand-over was read right, else 1. Raises as `play` does."""
    if not (SAMPLE / "truth.jsonl").exists():
        raise UserError("no_sample", path=SAMPLE)
    cameras: list[Camera] = [(Source(board, SAMPLE / f"{board.lower()}.mp4"), None, "h") for board in BOARDS]
    play(console, say, "bughouse", cameras, out, page)
    return 0
