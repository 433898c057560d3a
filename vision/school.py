"""When a reader is taught: at once, or beside what else is done."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future

from vision.reader import Reader

Work = Callable[[], Reader]
School = Callable[[Work], "Future[Reader]"]
YIELDING = 10  # niceness: frames go first


def at_once(work: Work) -> "Future[Reader]":
    """For videos: what follows is read by the reader that has learnt."""
    done: Future[Reader] = Future()
    done.set_result(work())
    return done


class Beside:
    """For cameras, which do not wait: one reader after the other, in threads that nobody waits for at the end."""

    def __init__(self) -> None:
        self.turn = threading.Lock()

    def __call__(self, work: Work) -> "Future[Reader]":
        done: Future[Reader] = Future()

        def learn() -> None:
            if sys.platform == "linux":  # elsewhere a thread has no niceness of its own
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), YIELDING)
            try:
                with self.turn:
                    done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        threading.Thread(target=learn, name="school", daemon=True).start()
        return done
