"""`quadriglia calibrate`: where a board lies in a picture, how good the picture is, and what should be better."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find import BoardNotFoundError, Found, find_boards
from calibration.quality import Quality, judge
from calibration.tags import PLACES, TagsMissingError, find_tags, print_tags, view_by_tags
from calibration.view import Side, View, pockets_beside
from quadriglia.boards import Corners, look, search, view_by_corners
from quadriglia.errors import UserError
from quadriglia.sight import Sight
from quadriglia.venue import CameraPlace, Pockets, write_camera
from quadriglia.words import Words
from rules.seats import BOARDS, BoardName
from vision.beside import find_pockets
from vision.camera import CameraSource
from vision.facing import facing
from vision.overlay import draw
from vision.source import PICTURES, Source, read_picture

Way = Literal["tags", "pieces", "assumed", "given"]
"""How it is known which way the board lies."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """What was found in one source. `image`: the picture it is drawn on."""

    image: NDArray[np.uint8]
    view: View
    way: Way
    quality: Quality

    def as_json(self) -> str:
        """One line: corners and size in pixels, the lens, how the way round is known, pose, quality, advice by kind."""
        quality, pose = self.quality, self.quality.pose
        row: dict[str, Any] = {
            "corners": self.view.corners().round(1).tolist(),
            "size": list(self.view.size),
            "bend": round(self.view.bend, 3),
            "way": self.way,
            "pockets": {name: [round(v, 2) for v in area] for name, area in rectangles(self.view).items()},
            "elevation": round(pose.elevation, 1),
            "height": round(pose.height, 1),
            "square": round(quality.square, 1),
            "edge": round(quality.edge, 2) if np.isfinite(quality.edge) else None,
            "contrast": round(quality.contrast),
            "brightness": round(quality.brightness),
            "glare": round(quality.glare, 2),
            "fps": None if quality.fps is None else round(quality.fps, 1),
            "advice": [advice.kind for advice in quality.advice],
        }
        return json.dumps(row)


def calibrate(
    source: Path | CameraSource, board: BoardName, given: Corners | None, pockets: Side | None, sight: Sight
) -> Calibration:
    """Tags if there are any, else corners given by hand, else the board itself; pockets by tags, beside the file
    `pockets`, or where men stand. Raises UserError and SourceError."""
    fps: float | None = None
    video = None
    path = source if isinstance(source, Path) else source.path
    if path.suffix.lower() in PICTURES:
        image = read_picture(path)
    else:
        video = Source(board, source) if isinstance(source, Path) else source
        image, fps = _beginning(video)
    size = (image.shape[1], image.shape[0])
    tags = find_tags(image).get(board)
    way: Way
    if given is not None:
        view, way = view_by_corners(given, size, sight.side), "given"
    elif tags and not sight.counters:
        try:
            view, way = view_by_tags(tags, size), "tags"
        except TagsMissingError as error:
            missing = ", ".join(place for place in PLACES[:4] if place not in error.seen)
            raise UserError("tags_missing", path=path, missing=missing) from error
    else:
        beside = [] if sight.counters else _boards(image)
        if len(beside) > 1:  # both boards in one picture: A is the left one
            view, certain = facing(image, beside[min(BOARDS.index(board), len(beside) - 1)].view, sight.reader)
        else:
            view, certain = look(image, path, sight) if video is None else search(video, sight)
        way = "pieces" if certain else "assumed"
    if sight.counters:
        view = replace(view, pockets={})
    elif pockets:
        view = replace(view, pockets=pockets_beside(pockets))
    elif not view.pockets:
        view = replace(view, pockets=find_pockets(image, view, sight.reader) or {})
    return Calibration(image, view, way, judge(image, view, fps, flat_men=bool(sight.counters)))


def _boards(image: NDArray[np.uint8]) -> list[Found]:
    try:
        return find_boards(image)
    except BoardNotFoundError:
        return []


def _beginning(video: Source | CameraSource) -> tuple[NDArray[np.uint8], float | None]:
    """The first picture, and frames a second."""
    times, image = [], None
    for frame in video:
        image = frame.image if image is None else image
        times.append(frame.time)
        if len(times) == 30:
            break
    assert image is not None  # Source has read one
    return image, (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else None


def advice(say: Words, found: Calibration) -> list[str]:
    """What should be better, in words; one line that all is well if nothing should."""
    lines = [say("calibrate.assumed")] if found.way == "assumed" else []
    for item in found.quality.advice:
        values = dict(item.values)
        if "color" in values:
            values["color"] = say("color.white" if values["color"] == chess.WHITE else "color.black")
        if "lines" in values:
            values["lines"] = say(f"calibrate.{values['lines']}")
        lines.append(say(f"advice.{item.kind}", **values))
    return lines or [say("calibrate.well")]


def save_picture(found: Calibration, out: Path) -> None:
    """Write what was found, drawn over its picture. UserError."""
    if out.suffix.lower() not in PICTURES:
        raise UserError("picture_name", path=out)
    out.write_bytes(cv2.imencode(out.suffix, draw(found.image, found.view))[1].tobytes())


def rectangles(view: View) -> dict[str, tuple[float, float, float, float]]:
    """The pockets by their owner's colour, x0, y0, x1, y1 in board coordinates; none unless there are both."""
    if len(view.pockets) != len(chess.COLORS):
        return {}
    white, black = (view.pockets[color] for color in (chess.WHITE, chess.BLACK))
    return {name: (r.x0, r.y0, r.x1, r.y1) for name, r in (("white", white), ("black", black))}


def save_camera(found: Calibration, source: str, board: BoardName, venue: Path) -> None:
    """Put what was found into a venue file. UserError."""
    areas = rectangles(found.view)
    pockets = Pockets(**areas) if areas else None
    corners = tuple((float(x), float(y)) for x, y in found.view.corners())
    write_camera(
        venue,
        board,
        CameraPlace(
            source=source,
            size=found.view.size,
            corners=corners,  # type: ignore[arg-type]
            bend=found.view.bend,
            pockets=pockets,
        ),
    )


def write_tags(say: Words, path: Path, board: BoardName) -> None:
    """The sheet of a board's tags. UserError."""
    captions = {}
    for place in PLACES:
        color, _, number = place.partition(" ")
        captions[place] = say("tags.pocket", color=say(f"color.{color}"), number=number) if number else place
    try:
        print_tags(
            path, board, {place: f"{board}  {text}" for place, text in captions.items()}, say("tags.title", board=board)
        )
    except OSError as error:
        raise UserError("out_not_writable", path=path) from error
