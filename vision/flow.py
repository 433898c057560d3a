"""Time-ordered streams: woven together, and made ahead in threads of their own."""

import heapq
import queue
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from typing import Any, Literal, Protocol, TypeVar


class Timed(Protocol):
    """Anything that happened at a time in seconds."""

    @property
    def time(self) -> float: ...


T = TypeVar("T")
Stamped = TypeVar("Stamped", bound=Timed)


def merge(streams: Iterable[Iterable[Stamped]]) -> Iterator[Stamped]:
    """The items of several time-ordered streams as one, in order of time."""
    return heapq.merge(*streams, key=lambda item: item.time)


def ahead(items: Iterable[T], depth: int = 8) -> Generator[T, None, None]:
    """The same items, made up to `depth` ahead in a thread of their own.

    What the thread raises is raised here. Closing the iterator stops the thread.
    """
    ready: queue.Queue[tuple[Literal["item", "end", "error"], Any]] = queue.Queue(depth)
    stop = threading.Event()

    def put(kind: Literal["item", "end", "error"], value: Any) -> None:
        while not stop.is_set():
            with suppress(queue.Full):
                ready.put((kind, value), timeout=0.1)
                return

    def work() -> None:
        try:
            for item in items:
                put("item", item)
                if stop.is_set():
                    return
        except BaseException as error:
            put("error", error)
        else:
            put("end", None)

    thread = threading.Thread(target=work, name="ahead", daemon=True)
    thread.start()
    try:
        while True:
            kind, value = ready.get()
            if kind == "end":
                return
            if kind == "error":
                raise value
            yield value
    finally:
        stop.set()
        thread.join()
