"""Where the boards of a run lie: found in a source's first seconds, or given by hand."""

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.find import BoardNotFoundError
from calibration.view import Region, View
from quadriglia.errors import UserError
from quadriglia.sight import Sight
from vision.camera import CameraSource
from vision.source import Source

Corners = NDArray[np.float64]
Pockets = Mapping[chess.Color, Region]

SEARCH = 10.0
"""Seconds from the start of a source in which its board has to be found."""
STEP = 0.5
"""Seconds between two looks."""
LOOKS = 3
"""Pictures at the start position whose corners are pooled."""
ENOUGH = 6
"""Looks after which one picture at the start position will do."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A source and where its board lies. `found`: False when the corners were given by hand."""

    source: Source
    view: View
    found: bool


def place(source: Source, given: View | None, pockets: Pockets | None, sight: Sight) -> Place:
    """Where the board of `source` lies: as `given`, else it is looked for. `pockets`: None for games without.
    UserError when no board is found."""
    view = given or search(source, sight)[0]
    return Place(source, replace(view, pockets=dict(pockets or {})), found=given is None)


def view_by_corners(corners: Corners, size: tuple[int, int], side: int = 8) -> View:
    """The view that corners given by hand make. `side`: squares a side. UserError when they do not fit a picture of
    that size."""
    check_corners(corners, size)
    return View.from_corners(corners, size, side=side)


def search(source: Source | CameraSource, sight: Sight) -> tuple[View, bool]:
    """The board's view, without pockets, pooled from several pictures at the start of a source, and whether they show
    which side is White's. UserError when it is not there."""
    finding = Finding(sight)
    for image in first_pictures(source):
        finding.look(image)
        if finding.enough:
            break
    found = finding.result()
    if found is None:
        raise UserError("board_not_found", path=source.path, seconds=f"{SEARCH:g}", board=source.board.lower())
    return found


class Finding:
    """A board looked for in one picture after another, `STEP` seconds apart.

    Pictures that show which side is White's, at the start position, are preferred to those that leave it open.
    """

    def __init__(self, sight: Sight) -> None:
        self.sight, self.looks = sight, 0
        self._sure: list[View] = []
        self._open: list[View] = []

    def look(self, image: NDArray[np.uint8]) -> None:
        """Look in one more picture."""
        self.looks += 1
        with suppress(BoardNotFoundError):
            view, certain = self.sight.look(image)
            (self._sure if certain else self._open).append(view)

    @property
    def enough(self) -> bool:
        """Whether more pictures would tell no more."""
        return len(self._sure) == LOOKS or bool(self.looks >= ENOUGH and self._sure)

    def result(self) -> tuple[View, bool] | None:
        """The view so far, without pockets, and whether White's side is certain; None where no board is seen."""
        found = self._sure or self._open
        return (pool(found), bool(self._sure)) if found else None


def look(image: NDArray[np.uint8], path: Path, sight: Sight) -> tuple[View, bool]:
    """As `search`, in one picture, whose name is `path`."""
    try:
        return sight.look(image)
    except BoardNotFoundError:
        raise UserError("no_board_in_picture", path=path) from None


def pool(looks: list[View]) -> View:
    """The mean of the looks that agree with the one nearest to all others, so one wrong look cannot pull it."""
    stack = np.stack([view.corners() for view in looks])
    apart = np.linalg.norm(stack[:, None] - stack[None], axis=-1).max(-1)
    middle = int(apart.sum(1).argmin())
    square = np.linalg.norm(stack[middle, 0] - stack[middle, 1]) / 8
    bend = float(np.median([view.bend for view in looks]))
    return View.from_corners(stack[apart[middle] < square / 4].mean(0), looks[0].size, bend=bend, side=looks[0].side)


def parse_corners(text: str) -> Corners:
    """(4, 2) pixels from "x,y x,y x,y x,y". UserError when it is anything else."""
    try:
        points = [[float(number) for number in point.split(",")] for point in text.split()]
        corners = np.array(points, np.float64)
    except ValueError:
        raise UserError("corners_form", text=text) from None
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise UserError("corners_form", text=text)
    return corners


def check_corners(corners: Corners, size: tuple[int, int]) -> None:
    """UserError unless the corners lie in a picture of `size` and run round a board that is not mirrored."""
    # A label may overshoot a tight crop by a little; a mix-up of x and y or of pictures is far out.
    slack = 0.05 * max(size)
    if (corners < -slack).any() or (corners > np.array(size) + slack).any():
        raise UserError("corners_outside", width=size[0], height=size[1])
    edge = np.roll(corners, -1, 0) - corners
    following = np.roll(edge, -1, 0)
    turns = edge[:, 0] * following[:, 1] - edge[:, 1] * following[:, 0]
    if (turns <= 1.0).any():
        raise UserError("corners_order")


def first_pictures(source: Source | CameraSource) -> Iterator[NDArray[np.uint8]]:
    """Pictures of the first seconds, `STEP` apart."""
    start = due = -1.0
    with closing(iter(source)) as frames:
        for frame in frames:
            start = frame.time if start < 0 else start
            if frame.time > start + SEARCH:
                return
            if frame.time >= due:
                due = frame.time + STEP
                yield frame.image
