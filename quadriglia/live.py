"""A live match: cameras, desk, pages, video and record together, until the arbiter ends it or the program is stopped.

Threads: one a camera reads frames, one a camera looks at its board, one encodes each camera's video, one serves the
pages; all that concerns the match happens in the session's own, to which the others hand over what they have.
"""

import queue
import shutil
import time as wall
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from quadriglia.boards import check_corners
from quadriglia.desk import Desk
from quadriglia.errors import RefusedError, UserError
from quadriglia.evidence import Evidence
from quadriglia.files import note_fault, replace_file
from quadriglia.lookout import Lookout, Post
from quadriglia.pageserver import RATE, PageServer
from quadriglia.ring import Ring
from quadriglia.sight import Sight
from quadriglia.state import State
from rules.events import Event
from rules.observation import Observation, labels_of
from rules.seats import BoardName

PULSE = 0.05
"""Seconds between two looks at what else is to be done."""
TOGETHER = 0.06
"""Seconds for which a look waits for the other board's, so that both come in order of time."""
QUEUE = 256
"""Looks that may wait; more than this means that the machine is far too slow, and the oldest are dropped."""
ANSWER = 5.0
"""Seconds in which a command is answered."""
STILL = 0.5
"""Seconds after which pages are told again though nothing has changed: clocks and cameras."""


@dataclass(frozen=True, slots=True)
class _Order:
    """A page's command and where its answer goes."""

    body: dict[str, Any]
    answer: "Future[int]"


class LiveSession:
    """One match at its boards. `told` hears of every event once it is written."""

    def __init__(
        self,
        desk: Desk,
        posts: Sequence[Post],
        sight: Sight,
        folder: Path,
        hours: float,
        told: Callable[[Event], None] = lambda _: None,
    ) -> None:
        """`folder`: for record, video and evidence; `hours` of video are kept."""
        self.desk, self.folder, self.told = desk, folder, told
        self._origin = wall.monotonic() - goes_on_at(desk.state)
        self._looks: queue.Queue[Observation] = queue.Queue(QUEUE)
        self._orders: queue.Queue[_Order] = queue.Queue()
        self._pending: dict[BoardName, list[Observation]] = {post.board: [] for post in posts}
        self._last = 0.0
        self.dropped = 0
        self.restarts = 0  # of tracking, after a fault of the program
        self.unsure = 0.0  # seconds for which a board was unsure
        self._unsure_at = self.now()
        self._published = -np.inf
        self._changed = True
        self._shown: Sequence[tuple[str, list[str]]] = []
        self._stopped = False
        self._labels = {post.board: labels_of(desk.tracker.match.board(post.board)) for post in posts}
        self.rings = {post.board: Ring(folder / "video", post.board, hours) for post in posts}
        self.clips = Evidence(folder / "evidence", folder / "video")
        for number, event in desk.state.events:
            self._ask(number, event)
        desk.when_told(self._when_told)
        self._write_game()
        self.lookouts = {
            post.board: Lookout(
                post, sight, self.now, self._labels.__getitem__, self._observed, self.rings[post.board].put, folder
            )
            for post in posts
        }

    def now(self) -> float:
        """Seconds of the match."""
        return wall.monotonic() - self._origin

    def stop(self) -> None:
        """End `run` soon. From any thread."""
        self._stopped = True

    def run(self, pages: PageServer) -> None:
        """Track and serve until stopped; the match may end and be put right meanwhile."""
        while not self._stopped:
            self._take_looks()
            self._take_orders()
            now = self.now()
            self.desk.tick(now)
            self.clips.tick(now)
            self._publish(pages, now)

    def close(self) -> None:
        """Stop cameras and video, finish what evidence can be had, and leave the last game record."""
        for lookout in self.lookouts.values():
            lookout.close()
        for ring in self.rings.values():
            ring.close()
        self.clips.close()

    # what pages ask, from the server's threads

    def command(self, body: dict[str, Any]) -> int:
        """As `pageserver.Session`."""
        order = _Order(body, Future())
        self._orders.put(order)
        try:
            return order.answer.result(ANSWER)
        except LateError:
            raise RefusedError("busy", 503) from None

    def picture(self, board: str) -> bytes | None:
        """As `pageserver.Session`."""
        lookout = self.lookouts.get(board)  # type: ignore[call-overload]
        return lookout.picture() if lookout else None

    def evidence(self, number: int, suffix: str) -> Path | None:
        """As `pageserver.Session`."""
        return self.clips.path(number, suffix.removeprefix("."))

    def game(self) -> str:
        """As `pageserver.Session`."""
        try:
            return (self.folder / self.game_file).read_text("utf-8")
        except OSError:
            return ""

    def metrics(self) -> str:
        """As `pageserver.Session`."""
        figures = [f"quadriglia_{name} {value:g}" for name, value in self.health().items()]
        for board, lookout in self.lookouts.items():
            shown = lookout.as_json()
            delays = sorted(lookout.delays) or [0.0]
            values = {
                "camera_fps": shown["fps"],
                "camera_age_seconds": shown["age"],
                "camera_live": float(shown["state"] == "live"),
                "camera_opened_total": lookout.camera.opened,
                "looks_total": lookout.looked,
                "frame_age_seconds_max": max(lookout.ages, default=0.0),
                "look_delay_seconds": delays[len(delays) // 2],
                "look_delay_seconds_max": delays[-1],
                "video_frames_total": self.rings[board].health.frames,
                "video_dropped_total": self.rings[board].health.dropped,
            }
            figures += [f'quadriglia_{name}{{board="{board}"}} {value:g}' for name, value in values.items()]
        return "\n".join(figures) + "\n"

    @property
    def game_file(self) -> str:
        """Name of the game record."""
        return "match.bpgn" if self.desk.state.match.game == "bughouse" else "match.pgn"

    def health(self) -> dict[str, float]:
        """Figures of the whole program."""
        return {
            "queue": self._looks.qsize(),
            "looks_dropped_total": self.dropped,
            "restarts_total": self.restarts,
            "unsure_seconds_total": round(self.unsure, 1),
            "plies": len(self.desk.state.match.plies),
            "events_total": len(self.desk.state.events),
            "record_entries_total": self.desk.journal.count,
            "disk_free_bytes": _free(self.folder),
            "evidence_missing": self.clips.health.missed,
            "lag_seconds": self.desk.tracker.lag.seconds,
        }

    # the session's own thread

    def _observed(self, look: Observation) -> None:
        """From the lookouts' threads."""
        while True:
            try:
                self._looks.put_nowait(look)
                return
            except queue.Full:
                self.dropped += 1
                try:
                    self._looks.get_nowait()
                except queue.Empty:
                    continue

    def _take_looks(self) -> None:
        try:
            look = self._looks.get(timeout=PULSE)
            while True:
                self._pending[look.board].append(look)
                look = self._looks.get_nowait()
        except queue.Empty:
            pass
        while (due := self._due()) is not None:
            look = self._pending[due].pop(0)
            self._last = max(self._last, look.time)
            before = self.desk.journal.count
            self._look(replace(look, time=self._last))
            if certain := self.desk.tracker.certain(due):
                self.lookouts[due].learn(certain)
            self._changed |= self.desk.journal.count != before

    def _look(self, look: Observation) -> None:
        try:
            self.desk.look(look)
        except Exception:
            self._mend(f"board {look.board}")

    def _mend(self, where: str) -> None:
        """A fault of ours must not end the evening: tracking begins anew from the record, and the fault is kept for
        whoever mends it."""
        self.restarts += 1
        note_fault(self.folder, f"{self.now():.3f} {where}")
        self.desk.restart()

    def _due(self) -> BoardName | None:
        """The board whose look is the next in time: none of the other's can come before it, or that took too long."""
        waiting = {board: looks[0].time for board, looks in self._pending.items() if looks}
        if not waiting:
            return None
        board = min(waiting, key=waiting.__getitem__)
        if len(waiting) == len(self._pending) or self.now() - waiting[board] > TOGETHER:
            return board
        return None

    def _take_orders(self) -> None:
        while True:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                return
            try:
                order.answer.set_result(self._carry_out(order.body))
            except RefusedError as error:
                order.answer.set_exception(error)
            except Exception:
                self._mend(f"command {order.body.get('do')}")
                order.answer.set_exception(RefusedError("fault", 500))
            self._changed = True

    def _carry_out(self, body: dict[str, Any]) -> int:
        if body.get("do") != "calibrate":
            return self.desk.command(body, self._later())
        side, corners = body.get("pockets"), body.get("corners")
        lookout = next((found for board, found in self.lookouts.items() if board == body.get("board")), None)
        if lookout is None or side not in ("h", "a", None):
            raise RefusedError("board")
        lookout.calibrate(None if corners is None else _corners(corners, lookout), side)
        return self.desk.state.revision

    def _later(self) -> float:
        """Now, but never before the last look."""
        self._last = max(self._last, self.now())
        return self._last

    def _when_told(self, told: Sequence[tuple[int, Event]]) -> None:
        """Events are written: the game record follows, and evidence is asked for."""
        for number, event in told:
            self._ask(number, event)
            self.told(event)
        self._write_game()
        for board in self._labels:
            self._labels[board] = labels_of(self.desk.tracker.match.board(board))

    def _write_game(self) -> None:
        """The game record follows the journal; where it cannot be written now, it will be with the next ply."""
        with suppress(OSError):
            replace_file(self.folder / self.game_file, self.desk.game())

    def _ask(self, number: int, event: Event) -> None:
        if event.kind == "alert":
            first, last = (self.desk.tracker.shown_at(event.board, time) for time in (event.time, event.committed))
            self.clips.ask(number, event.board, first, last)

    def _publish(self, pages: PageServer, now: float) -> None:
        tracker = self.desk.tracker
        states = [tracker.state(board) for board in self.lookouts]
        self.unsure += (now - self._unsure_at) * states.count("unsure")
        self._unsure_at = now
        seen = [(state, tracker.provisional(board)) for board, state in zip(self.lookouts, states, strict=True)]
        if now - self._published < (1 / RATE if self._changed or seen != self._shown else STILL):
            return
        self._published, self._changed, self._shown = now, False, seen
        shown = self.desk.snapshot(now)
        for alert in shown["alerts"]:
            ready = self.clips.ready(alert["id"])
            alert |= {"picture": "jpg" in ready, "clip": "mp4" in ready}
        cameras = {board: lookout.as_json() for board, lookout in self.lookouts.items()}
        ages = [camera["age"] for camera in cameras.values()]
        shown["live"] |= {
            "cameras": cameras,
            "skew": round(max(ages, default=0.0) - min(ages, default=0.0), 3),
            "queue": self._looks.qsize(),
            "health": self.health(),
            "video": {board: ring.fault for board, ring in self.rings.items() if ring.fault},
        }
        pages.publish(shown)


def goes_on_at(state: State) -> float:
    """Seconds of the match at which it goes on: the clocks of a match that was interrupted have run meanwhile."""
    return state.time + max(0.0, wall.time() - state.wall)


def _corners(given: object, lookout: Lookout) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """(4, 2) pixels as `check_corners` wants them. Raises RefusedError."""
    size = lookout.camera_size()
    try:
        corners = np.array(given, np.float64)
        if size is None or corners.shape != (4, 2) or not np.isfinite(corners).all():
            raise ValueError
        check_corners(corners, size)
    except (TypeError, ValueError, UserError):
        raise RefusedError("corners") from None
    return corners


def _free(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0
