"""One match from its sources to its record: look, track, write down, tell whoever watches."""

import time as wall
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, repeat
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriglia.boards import Place
from quadriglia.gamefile import game_text
from quadriglia.record import Record
from quadriglia.sight import Sight
from rules.events import Event
from rules.games import AnyMatch
from rules.observation import Certain, Observation, labels_of
from rules.seats import BoardName
from rules.tracker import Tracker
from vision.flow import ahead, merge
from vision.frame import Frame
from vision.source import Source

LAG = 8
"""Looks after which an eye gets to know what the tracker is certain of after one: it is so many ahead at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """What watchers are told after each look. `time`: capture time in seconds. `share`: how much of the
    sources has been seen, 0 to 1. `events`: what was committed by this look, often nothing."""

    time: float
    share: float
    events: Sequence[Event]
    tracker: Tracker


Watcher = Callable[[Moment], None]


def run(
    match: AnyMatch,
    places: Sequence[Place],
    sight: Sight,
    record: Record,
    watchers: Sequence[Watcher] = (),
    speed: float = 0.0,
) -> dict[str, Any]:
    """Track a match, which has not begun, and return its summary, which is also written to the record.

    Every frame of every source is looked at, in order of time. `speed`: at most so many seconds of video a
    second; 0 for as fast as it goes. Raises whatever a watcher raises.
    """
    tracker = Tracker(match)
    record.add([], game_text(tracker.match, "*"))
    seconds = max(place.source.seconds for place in places)
    started = wall.perf_counter()
    frames: Counter[BoardName] = Counter()
    happened: list[Event] = []
    first = last = 0.0

    def tell(events: Sequence[Event], share: float) -> None:
        happened.extend(events)
        if events:
            record.add(events, game_text(tracker.match, _result(happened)))
        for watcher in watchers:
            watcher(Moment(last, share, events, tracker))

    with closing(follow(tracker, places, sight)) as looks:
        for observation, events in looks:
            if not frames:
                first = observation.time
            frames[observation.board] += 1
            last = observation.time
            tell(events, min(last / seconds, 1.0) if seconds else 0.0)
            if speed:
                wall.sleep(max(0.0, started + (last - first) / speed - wall.perf_counter()))
    tell(tracker.finish(last), 1.0)
    summary = _summary(places, tracker, happened, frames, last - first, wall.perf_counter() - started)
    record.summarise(summary)
    return summary


def follow(
    tracker: Tracker, places: Sequence[Place], sight: Sight
) -> Generator[tuple[Observation, Sequence[Event]], None, None]:
    """Every look at every board, in order of time, and what the tracker tells of it. What it is certain of goes back to
    the eye, always before the same look: the same sources give the same again."""
    answers = {place.source.board: _Answers() for place in places}
    # Each camera decodes and looks in a thread of its own; OpenCV, FFmpeg and onnxruntime leave Python meanwhile.
    streams = [
        ahead(observations(place, sight, labels_of(tracker.match.board(board)), answers[board]), LAG)
        for board, place in zip(answers, places, strict=True)
    ]
    looks = merge(streams)  # by a name: else it ends, and waits for the eyes, before these are let go
    try:
        for observation in looks:
            events = tracker.update(observation)
            answers[observation.board].queue.put(tracker.certain(observation.board))
            yield observation, events
    finally:
        for waiting in answers.values():
            waiting.queue.put(None)
        for stream in streams:
            stream.close()


class _Answers:
    """What each look has made certain, waited for; None ends it."""

    def __init__(self) -> None:
        self.queue: SimpleQueue[list[Certain] | None] = SimpleQueue()

    def __iter__(self) -> Iterator[list[Certain]]:
        while (answer := self.queue.get()) is not None:
            yield answer


def observations(
    place: Place, sight: Sight, start: NDArray[np.int64], answers: Iterable[list[Certain]] = repeat([])
) -> Iterator[Observation]:
    """Every look at one board. `start`: (64,) labels before the first move. `answers`: what a tracker is certain of by
    each look, of which the eye learns some looks later; where they end, so do the looks."""
    eye = sight.eye(place.view, start)
    for frame, answer in zip(_frames(place.source), chain(repeat([], LAG), answers), strict=False):
        for certain in answer:
            eye.learn(certain)
        yield eye.observe(frame)


def _frames(source: Source) -> Iterator[Frame]:
    for frame in source:
        yield frame
        for later in source.stands():
            yield replace(frame, time=frame.time + later)


def _end(events: Sequence[Event]) -> Event | None:
    return next((event for event in reversed(events) if event.kind == "end"), None)


def _result(events: Sequence[Event]) -> str:
    end = _end(events)
    return end.result if end else "*"


def _summary(
    places: Sequence[Place],
    tracker: Tracker,
    events: Sequence[Event],
    frames: Counter[BoardName],
    seconds: float,
    took: float,
) -> dict[str, Any]:
    """`summary.json`. Times in seconds; `speed`: seconds of video a second, on whatever machine this was."""
    end = _end(events)
    plies = Counter(ply.board for ply in tracker.match.plies)
    return {
        "game": tracker.match.game,
        "profile": tracker.match.profile.name,
        "result": _result(events),
        "reason": end.reason if end else "",
        "plies": {place.source.board: plies[place.source.board] for place in places},
        "hand_overs": sum(event.kind == "hand_over" for event in events),
        "corrections": sum(event.kind == "correction" for event in events),
        "alerts": dict(sorted(Counter(event.reason for event in events if event.kind == "alert").items())),
        "frames": {place.source.board: frames[place.source.board] for place in places},
        "unreadable": {place.source.board: place.source.lost for place in places},
        "seconds": round(seconds, 3),
        "wall_seconds": round(took, 3),
        "speed": round(seconds / took, 2),
        "corners": {
            place.source.board: {
                "from": "found" if place.found else "given",
                "pixels": place.view.corners().round(1).tolist(),
            }
            for place in places
        },
    }
