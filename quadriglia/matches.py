"""A recorded match from the command line to its record: what `replay` and `demo` share."""

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, get_args

from rich.console import Console

from calibration.view import Side, View, pockets_beside
from quadriglia.boards import Corners, Pockets, place, view_by_corners
from quadriglia.errors import UserError
from quadriglia.opening import OnTheTable, begun
from quadriglia.pageserver import PageServer
from quadriglia.record import Record, free_folder
from quadriglia.session import Watcher, run
from quadriglia.sight import Sight, squares_of
from quadriglia.snapshot import Pages
from quadriglia.terminal import Terminal
from quadriglia.venue import read_venue
from quadriglia.words import Words, printable
from rules.games import AnyGame, AnyMatch
from rules.seats import BOARDS
from vision.reader import Reader
from vision.school import at_once
from vision.source import Source

PAGE_SPEED = 8.0
"""With the page a match runs at most this many times as fast as it was played, so that it can be followed."""

Camera = tuple[Source, View | None, Pockets | None]
"""A source, its board's view if that was given, and its pockets; None in games without."""


def play(
    console: Console,
    say: Words,
    match: AnyMatch | OnTheTable,
    cameras: Sequence[Camera],
    out: Path | None,
    page: bool,
    page_speed: float = PAGE_SPEED,
    after: Callable[[Path], None] | None = None,
) -> None:
    """Track one match, showing it as it goes.

    Without `out` the record goes to `match-1`, `match-2` ... in the current folder. `after` is called with the
    record's folder at the end, while the page is still up. Raises UserError, SourceError and ModelError.
    """
    with ExitStack() as stack:
        pages: Pages | None = None
        if page:
            server = stack.enter_context(PageServer())
            tell(console, say("run.page", url=server.url))
            pages = Pages(server)
        sight = Sight(Reader(), match.game, at_once)
        with ThreadPoolExecutor() as looking:
            places = list(looking.map(lambda camera: place(camera[0], camera[1], camera[2], sight), cameras))
        started = begun(match, places[0].source, places[0].view, sight)
        folder = out or free_folder(Path())
        record = stack.enter_context(Record(folder, len(places)))
        with Terminal(console, say, len(places)) as terminal:
            watchers: list[Watcher] = [terminal, pages] if pages else [terminal]
            speed = page_speed if page else 0.0
            summary = run(started, places, sight, record, watchers, speed)
        _report(console, say, folder, summary)
        if after:
            after(folder)
        if pages:
            pages.finish()
            if sys.stdin.isatty():
                tell(console, say("run.page_stays"))
                _wait_for_interrupt()
            else:
                time.sleep(0.5)  # long enough for an open page to be told the end


def choose_side(game: AnyGame, text: str) -> Side | None:
    """The file beside which the pockets stand; None in games without. Raises UserError."""
    if game not in ("bughouse", "crazyhouse"):
        return None
    if text.lower() in get_args(Side):
        return "a" if text.lower() == "a" else "h"
    raise UserError("pockets", side=text)


def choose_cameras(
    game: AnyGame,
    sources: Sequence[Source],
    corners: Sequence[Corners | None],
    sides: Sequence[str | None],
    venue: Path | None,
) -> list[Camera]:
    """Each source with its board and pockets: as given, else as the venue file has them, else to be looked for and on
    the h-file side. Raises UserError."""
    known = read_venue(venue).cameras if venue else {}
    squares = squares_of(game)
    cameras: list[Camera] = []
    for source, given, text in zip(sources, corners, sides, strict=False):
        camera = known.get(source.board)
        view = view_by_corners(given, source.size(), squares) if given is not None else None
        side = choose_side(game, text or "h")
        pockets: Pockets | None = pockets_beside(side) if side else None
        if camera and pockets and text is None:
            pockets = camera.view().pockets or pockets
        if camera and given is None:
            size = source.size()
            if size != camera.size:
                raise UserError("venue_size", path=venue, board=source.board, size=_by(camera.size), found=_by(size))
            view = camera.view(squares)
        cameras.append((source, view, pockets))
    return cameras


def _by(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def choose_sources(game: AnyGame, folder: Path | None, paths: Sequence[Path | None], fps: float | None) -> list[Source]:
    """The sources of a match: a folder that holds them, or the paths given for boards A and B.

    Raises UserError when that does not add up and SourceError when one cannot be read.
    """
    if fps is not None and not 0 < fps <= 1000:
        raise UserError("fps", fps=fps)
    boards = BOARDS if game == "bughouse" else BOARDS[:1]
    if folder is not None:
        if any(paths):
            raise UserError("folder_and_boards")
        paths = [_in_folder(folder, board) for board in boards]
    if game != "bughouse" and paths[1:] and paths[1]:
        raise UserError("one_board", game=game)
    chosen = [path for path in paths[: len(boards)] if path]
    if len(chosen) < len(boards):
        raise UserError("two_boards" if len(boards) == 2 else "no_board", game=game)
    sources = [Source(board, path, fps) for board, path in zip(boards, chosen, strict=True)]
    if len(chosen) == 2 and chosen[0].samefile(chosen[1]):
        raise UserError("same_source", path=chosen[0])
    return sources


def _in_folder(folder: Path, board: str) -> Path:
    """A match folder's video or folder of pictures named after a board: `a.mp4`, `b/`."""
    if not folder.is_dir():
        raise UserError("no_folder", path=folder)
    for path in sorted(folder.iterdir()):
        if path.stem.lower() == board.lower() and (path.is_dir() or path.suffix.lower() in VIDEOS):
            return path
    raise UserError("not_in_folder", path=folder, name=board.lower())


VIDEOS = frozenset((".mp4", ".mkv", ".avi", ".mov", ".webm", ".m4v", ".ts", ".mpg", ".mpeg", ".ogv"))


def tell(console: Console, line: str) -> None:
    """Print a line as it is: no wrapping, nothing in it taken for markup, nothing that would steer the terminal."""
    console.print(printable(line), markup=False, highlight=False, soft_wrap=True)


def _report(console: Console, say: Words, folder: Path, summary: dict[str, Any]) -> None:
    """What came of a match, in a few lines."""
    plies = sum(summary["plies"].values())
    alerts = sum(summary["alerts"].values())
    counts = [say.many("plies", plies), say.many("alerts_count", alerts)]
    if summary["game"] == "bughouse":
        counts.insert(1, say.many("hand_overs", summary["hand_overs"]))
    tell(console, say("run.counts", result=summary["result"], counts=", ".join(counts)))
    for board, lost in summary["unreadable"].items():
        if lost:
            tell(console, say("run.lost", board=board, count=lost))
    speed = {"seconds": summary["seconds"], "wall": summary["wall_seconds"], "speed": summary["speed"]}
    tell(console, say("run.speed", **speed))
    tell(console, say("run.record", folder=folder))


def _wait_for_interrupt() -> None:
    with suppress(KeyboardInterrupt):
        while True:
            time.sleep(1)
