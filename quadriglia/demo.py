"""The bundled match, tracked from its two videos and compared with what was really played."""

from pathlib import Path

from rich.console import Console

from calibration.view import pockets_beside
from quadriglia.errors import UserError
from quadriglia.matches import Camera, play, tell
from quadriglia.score import Score, score
from quadriglia.words import Words
from rules.match import Match
from rules.seats import BOARDS
from vision.source import Source

SAMPLE = Path(__file__).parent / "sample"
PAGE_SPEED = 2.0
"""As in `matches`; slower, as it is there to be looked at."""


def run_demo(console: Console, say: Words, out: Path | None, page: bool) -> int:
    """Run the demo; 0 when every ply and hand-over was read right and none besides, else 1. Raises as `play` does."""
    if not (SAMPLE / "truth.jsonl").exists():
        raise UserError("no_sample", path=SAMPLE)
    cameras: list[Camera] = [
        (Source(board, SAMPLE / f"{board.lower()}.mp4"), None, pockets_beside("h")) for board in BOARDS
    ]
    right = True

    def compare(folder: Path) -> None:
        nonlocal right
        found = score(folder, SAMPLE)
        given = found.hand_overs_true, found.hand_overs_read, found.hand_overs_right
        right = found.exact and len(set(given)) == 1
        for line in lines(found, say):
            tell(console, line)

    play(console, say, Match(), cameras, out, page, PAGE_SPEED, compare)
    return 0 if right else 1


def lines(found: Score, say: Words) -> list[str]:
    """A score in words: what was right of what was there, and what was told besides."""
    total = found.total
    shown = [say("score.plies", right=total.right, true=total.true)]
    if total.wrong or total.missing or total.extra:
        shown.append(say("score.faults", wrong=total.wrong, missing=total.missing, extra=total.extra))
    if found.hand_overs_true or found.hand_overs_read:
        besides = found.hand_overs_read - found.hand_overs_right
        shown.append(say("score.hand_overs", right=found.hand_overs_right, true=found.hand_overs_true, extra=besides))
    if found.order_pairs:
        shown.append(say("score.order", right=found.order_pairs - found.order_wrong, pairs=found.order_pairs))
    if found.latency_median is not None:
        shown.append(say("score.latency", median=found.latency_median, p95=found.latency_p95, most=found.latency_max))
    return shown
