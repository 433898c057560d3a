import threading
from concurrent.futures import Future

import pytest

from vision.reader import Reader
from vision.school import Beside, at_once

READER = Reader.__new__(Reader)


def test_a_video_waits_for_what_is_taught() -> None:
    assert at_once(lambda: READER).result() is READER
    with pytest.raises(MemoryError):
        at_once(_fails)


def test_cameras_do_not_wait_and_one_is_taught_after_the_other() -> None:
    school, go, running, most = Beside(), threading.Event(), [0], [0]

    def work() -> Reader:
        running[0] += 1
        most[0] = max(most[0], running[0])
        go.wait(5)
        running[0] -= 1
        return READER

    taught: list[Future[Reader]] = [school(work), school(work)]
    assert not taught[0].done()
    go.set()
    assert [done.result(5) for done in taught] == [READER, READER]
    assert most == [1]


def test_a_fault_stays_with_the_one_it_befell() -> None:
    school = Beside()
    assert isinstance(school(_fails).exception(5), MemoryError)
    assert school(lambda: READER).result(5) is READER


def _fails() -> Reader:
    raise MemoryError
