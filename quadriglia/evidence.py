"""What an alert leaves behind for the arbiter: a picture, and a clip of what led to it and came of it.

Both are cut out of the rings and stay when those forget. All times are capture times, and what time it is, is told:
see `Evidence.tick`.
"""

import contextlib
import math
import threading
from dataclasses import dataclass
from pathlib import Path

from quadriglia.footage import clip, newest, picture
from quadriglia.segment import fault_of

BEFORE = AFTER = 5.0  # seconds of a clip around what it shows
LONGEST = 60.0
PATIENCE = 4.0  # seconds after which no more footage is expected: the camera is gone, or the encoder far behind
LOOK = 0.5  # seconds between two looks whether the footage is there: each reads through the newest segment
RETRY = 5.0  # seconds until what failed is tried again
TRIES = 60
PICTURE, CLIP = "jpg", "mp4"


@dataclass(frozen=True, slots=True)
class EvidenceHealth:
    """`pending` files, those `missed` because nothing was recorded then, `errors` met so far, and the `fault` of the
    last file: as in `RingHealth`."""

    pending: int
    missed: int
    errors: int
    fault: str | None


@dataclass(slots=True)
class _Wish:
    """One file; from `start` to `end` in seconds."""

    board: str
    start: float
    end: float
    tries: int = 0
    after: float = -math.inf


class Evidence:
    """Makes `NUMBER.jpg` and `NUMBER.mp4` in `folder`, which is made if need be, out of the rings in `rings`.

    Nothing here raises or keeps the caller waiting, `close` excepted: see `health`.
    """

    def __init__(self, folder: Path, rings: Path) -> None:
        self.folder = folder
        self.rings = rings
        self._wishes: dict[tuple[str, int], _Wish] = {}
        self._ready: dict[int, set[str]] = {}
        self._missed = self._errors = 0
        self._fault: str | None = None
        self._now = -math.inf
        self._news = self._closing = False
        self._changed = threading.Condition()
        self._find()
        self._thread = threading.Thread(target=self._work, name="evidence", daemon=True)
        self._thread.start()

    def ask(self, number: int, board: str, first: float, last: float) -> None:
        """Want the picture of `last`, and the clip from 5 s before `first` to 5 s after `last`: of its last 60 s.

        What is there already stays as it is; what is still wanted is wanted as it was asked for last."""
        end = last + AFTER
        with self._changed:
            there = self._ready.get(number, set())
            if PICTURE not in there:
                self._wishes[PICTURE, number] = _Wish(board, last, last)
            if CLIP not in there:
                self._wishes[CLIP, number] = _Wish(board, max(first - BEFORE, end - LONGEST), end)

    def tick(self, now: float) -> None:
        """Tell what time it is. A file is made when its time has come and the footage is there; some seconds later out
        of what there is."""
        with self._changed:
            self._now = now
            if any(wish.end <= now and wish.after <= now for wish in self._wishes.values()):
                self._news = True
                self._changed.notify()

    def ready(self, number: int) -> set[str]:
        """Which of `jpg` and `mp4` there are."""
        with self._changed:
            return set(self._ready.get(number, ()))

    def path(self, number: int, suffix: str) -> Path | None:
        """Where a file is; None if there is none."""
        path = self._path(number, suffix)
        return path if suffix in self.ready(number) and path.is_file() else None

    @property
    def health(self) -> EvidenceHealth:
        with self._changed:
            return EvidenceHealth(len(self._wishes), self._missed, self._errors, self._fault)

    @property
    def fault(self) -> str | None:
        return self._fault

    def close(self, wait: float = 10.0) -> None:
        """Make what is still wanted out of what there is; give up after `wait` seconds. Close the rings before."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(wait)

    def _path(self, number: int, suffix: str) -> Path:
        return self.folder / f"{number}.{suffix}"

    def _find(self) -> None:
        """What an earlier run has left: its files, and those it did not finish."""
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                suffix = path.suffix[1:]
                if suffix == "new":
                    path.unlink()
                elif suffix in (PICTURE, CLIP) and path.stem.isdecimal():
                    self._ready.setdefault(int(path.stem), set()).add(suffix)

    def _work(self) -> None:
        closing = False
        while not closing:
            with self._changed:
                self._changed.wait_for(lambda: self._news or self._closing)
                closing, now, self._news = self._closing, self._now, False
                # Pictures first: they are soon made.
                wishes = sorted(self._wishes.items(), key=lambda item: item[0])
            for (suffix, number), wish in wishes:
                if closing or (wish.end <= now and wish.after <= now):
                    self._try(number, suffix, wish, now, closing)

    def _try(self, number: int, suffix: str, wish: _Wish, now: float, closing: bool) -> None:
        fault = None
        made = False
        try:
            if not closing and now < wish.end + PATIENCE:
                seen = newest(self.rings, wish.board)
                if seen is None or seen < wish.end:
                    wish.after = now + LOOK
                    return
            self.folder.mkdir(parents=True, exist_ok=True)
            if suffix == PICTURE:
                made = picture(self.rings, wish.board, wish.end, self._path(number, suffix))
            else:
                made = clip(self.rings, wish.board, wish.start, wish.end, self._path(number, suffix))
        except Exception as error:
            fault = fault_of(error)
        with self._changed:
            self._fault = fault
            self._errors += fault is not None
            wish.tries += 1
            wish.after = now + RETRY
            if made:
                self._ready.setdefault(number, set()).add(suffix)
            elif fault is None:
                self._missed += 1
            elif wish.tries < TRIES:
                return
            if self._wishes.get((suffix, number)) is wish:
                del self._wishes[suffix, number]
