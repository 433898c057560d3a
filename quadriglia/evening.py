"""`quadriglia live`: a match from two real cameras, from the command line to the last page that is closed."""

import signal
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import FrameType

from rich.console import Console

from calibration.view import pockets_beside
from quadriglia.desk import Desk, state_of
from quadriglia.errors import UserError
from quadriglia.journal import Entry, Journal
from quadriglia.live import LiveSession
from quadriglia.lookout import Post
from quadriglia.matches import choose_side, tell
from quadriglia.opening import OnTheTable, begun_live
from quadriglia.pageserver import PageServer
from quadriglia.record import FILES, free_folder
from quadriglia.sight import Sight, squares_of
from quadriglia.state import begin_body
from quadriglia.terminal import Terminal
from quadriglia.venue import read_venue
from quadriglia.words import Words
from rules.games import AnyGame, AnyMatch
from rules.seats import BOARDS
from vision.reader import Reader
from vision.school import Beside

JOURNAL = "record.sqlite"
RECENT = 30 * 60.0
"""Seconds within which an unfinished record in the current folder is gone on with."""


def choose_posts(
    game: AnyGame, sources: Sequence[str | None], sides: Sequence[str | None], venue: Path | None
) -> list[Post]:
    """Each board with its camera and where it lies: as given, else as the venue file has it, else the first two
    webcams. Raises UserError."""
    known = read_venue(venue).cameras if venue else {}
    posts = []
    for number, board in enumerate(BOARDS if game == "bughouse" else BOARDS[:1]):
        camera = known.get(board)
        source = sources[number] or (camera.source if camera and camera.source else str(number))
        side = choose_side(game, sides[number] or "h")
        pockets = pockets_beside(side) if side else None
        view = camera.view(squares_of(game)) if camera else None
        if view and view.pockets and pockets and sides[number] is None:
            pockets = dict(view.pockets)
        posts.append(Post(board, source, view, pockets))
    if len({post.source for post in posts}) < len(posts):
        raise UserError("same_camera", source=posts[0].source)
    return posts


def run_live(
    console: Console,
    say: Words,
    match: AnyMatch | OnTheTable,
    posts: list[Post],
    out: Path | None,
    port: int,
    lan: bool,
    hours: float,
) -> None:
    """Record a match until Ctrl-C. A record in `out`, or a recent one in the current folder, that has not ended is
    gone on with. Raises UserError and ModelError."""
    sight = Sight(Reader(), match.game, Beside())
    folder = out or _unfinished(Path()) or free_folder(Path())
    if not (folder / JOURNAL).exists():
        match, posts = begun_live(match, posts, sight)
    with ExitStack() as stack:
        journal = stack.enter_context(open_journal(folder, match))
        state = state_of(journal)
        if state.match.game != match.game:
            raise UserError("other_game", folder=folder, game=state.match.game)
        if journal.count > 1:
            tell(console, say("live.goes_on", folder=folder, plies=say.many("plies", len(state.match.plies))))
        terminal = Terminal(console, say, len(posts))
        desk = Desk(journal, state)
        session = LiveSession(
            desk,
            posts,
            sight,
            folder,
            hours,
            lambda event: console.print(terminal.line(event), highlight=False, soft_wrap=True),
        )
        stack.callback(session.close)
        pages = stack.enter_context(PageServer(port, session, _address() if lan else ""))
        tell(console, say("live.address", url=pages.url))
        if lan:
            tell(console, say("live.addresses_arbiter", url=pages.arbiter_url))
            tell(console, say("live.addresses_overlay", url=pages.overlay_url))
        tell(console, say("live.record_grows", folder=folder))
        _until_told(session)
        session.run(pages)
    tell(console, say("run.record", folder=folder))


def open_journal(folder: Path, match: AnyMatch | OnTheTable) -> Journal:
    """The journal of a folder, begun with `match` if there is none yet. UserError when another record is there."""
    path = folder / JOURNAL
    if path.exists() or isinstance(match, OnTheTable):
        return Journal(path)
    if any((folder / name).exists() for name in FILES):
        raise UserError("out_used", path=folder)
    journal = Journal(path, create=True)
    players: dict[str, dict[str, str]] = {board: {"white": "", "black": ""} for board in match.boards}
    journal.add([Entry("begin", 0.0, begin_body(match, players))])
    return journal


def _unfinished(parent: Path) -> Path | None:
    """The newest record below a folder, if it has not ended and is not old."""
    for path in sorted(parent.glob(f"match-*/{JOURNAL}"), key=lambda path: path.stat().st_mtime, reverse=True)[:1]:
        with suppress(UserError, KeyError, ValueError, StopIteration), Journal(path) as journal:
            state = state_of(journal)
            if state.end is None and time.time() - state.wall < RECENT:
                return path.parent
    return None


def _until_told(session: LiveSession) -> None:
    """Ctrl-C, or the machine that shuts down, ends the session in order."""

    def stop(_: int, __: FrameType | None) -> None:
        session.stop()

    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), stop)


def _address() -> str:
    """This machine's address in the house. UserError when it is in no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
            return str(probe.getsockname()[0])
        except OSError as error:
            raise UserError("no_network") from error
