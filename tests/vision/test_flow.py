"""Streams: order, threads that end, errors that arrive."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from vision.flow import ahead, merge


@dataclass(frozen=True)
class Tick:
    time: float
    name: str


def test_merge_goes_by_time() -> None:
    a = [Tick(0.0, "A"), Tick(0.2, "A"), Tick(0.4, "A")]
    b = [Tick(0.1, "B"), Tick(0.3, "B")]
    assert "".join(tick.name for tick in merge([a, ahead(b)])) == "ABABA"


def test_ahead_keeps_order_and_passes_errors_on() -> None:
    def items() -> Iterator[int]:
        yield from range(20)
        raise ValueError("broken")

    stream = ahead(items(), depth=3)
    assert [next(stream) for _ in range(20)] == list(range(20))
    with pytest.raises(ValueError, match="broken"):
        next(stream)


def test_ahead_stops_its_thread_when_left() -> None:
    before = threading.active_count()
    items = ahead(iter(range(10**9)), depth=2)
    assert next(items) == 0
    items.close()
    assert threading.active_count() == before
