"""Who is shown to the second network when it is taught again."""

from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS, Certain, labels_of
from vision import album
from vision.album import ENOUGH, MOST, Album
from vision.closer import nothing
from vision.reader import Reader
from vision.teach import Shown

START = labels_of(chess.Board())
ALL = np.ones(64, np.bool_)
READER = Reader.__new__(Reader)


class Kept(Album):
    """Of pictures that are one grey all over."""

    def __init__(self) -> None:
        super().__init__(Shown(nothing(64).cuts, START), START)
        self.now = START.copy()

    def see(self, time: float, grey: int, *squares: str) -> None:
        """These squares look so now."""
        new = np.isin(chess.SQUARE_NAMES, squares)
        self.look(time, np.full_like(self.start.cuts, grey), new)

    def tell(self, time: float, squares: NDArray[np.bool_] = ALL, **men: str) -> None:
        """These stood there at that time, for certain."""
        for square, letter in men.items():
            self.now[chess.parse_square(square)] = LABELS.index(letter)
        self.learn(Certain(time, self.now.copy(), squares))

    def shown(self) -> list[tuple[str, int]]:
        """Those of the next lesson who have come since the start: who they are, and how grey."""
        work: Any = self.lesson(READER)
        since = work.args[2]
        return [(LABELS[label], int(cut[0, 0, 0])) for cut, label in zip(since.cuts, since.labels, strict=True)]


def test_a_man_is_kept_as_he_looked_when_he_was_certain() -> None:
    kept = Kept()
    kept.see(0.0, 10, "e2", "e4", "d7")
    kept.see(1.0, 20, "e4")
    kept.see(3.0, 30, "e4")  # another, who has taken him before that was told
    kept.tell(2.0, e2=".", e4="P")
    kept.tell(2.5)
    assert kept.shown() == [("P", 20)]
    kept.tell(3.5, e4="n")
    assert kept.shown() == [("P", 20), ("n", 30)]


def test_nothing_is_learnt_of_what_nobody_saw_or_is_not_certain() -> None:
    kept = Kept()
    kept.see(5.0, 10, "e4")
    kept.tell(4.0, e4="P")
    kept.see(0.0, 10, "d4")
    kept.tell(4.0, ~ALL, d4="P")
    assert kept.shown() == []
    kept.tell(6.0)  # he stands there still
    assert kept.shown() == [("P", 10)] * 2


def test_who_was_taken_for_another_is_no_lesson_any_more() -> None:
    kept = Kept()
    kept.see(0.0, 10, "e4")
    kept.tell(1.0, e4="N")
    kept.tell(2.0, e4="B")
    assert kept.shown() == [("B", 10)]


def test_it_is_time_for_a_lesson_when_enough_have_come_and_the_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(album, "taught", lambda *_: READER)
    kept = Kept()
    for number in range(MOST + 1):
        assert kept.due == (number > 0 and number % ENOUGH == 0)
        if kept.due:
            assert kept.lesson(READER)() is READER
        kept.see(float(number), number, "e4")
        kept.tell(float(number), e4="Pp"[number % 2])
    assert [grey for _, grey in kept.shown()] == list(range(1, MOST + 1))
    assert (kept.labels == EMPTY).sum() == 31
