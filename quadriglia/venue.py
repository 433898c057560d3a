"""The venue file: the house's rules, and each camera with where its board and pockets lie. TOML, written atomically.

version = 1

[rules]
profile = "gallarate"

[camera.A]
source = "0"
size = [1280, 720]
corners = [[312.4, 88.1], [905.0, 92.7], [934.2, 655.3], [286.9, 650.8]]
bend = 0.02
pockets = {white = [8.4, 0.0, 11.2, 4.0], black = [8.4, 4.0, 11.2, 8.0]}
"""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import chess
import numpy as np
import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.view import Region, View
from quadriglia.errors import UserError
from quadriglia.files import replace_file
from rules.seats import BOARDS, BoardName

VERSION = 1
SECTIONS = ("version", "rules", "camera")
Number = Annotated[float, Field(allow_inf_nan=False)]
Bend = Annotated[float, Field(ge=-0.1, le=0.3, allow_inf_nan=False)]
Rectangle = tuple[Number, Number, Number, Number]


class Pockets(BaseModel):
    """Rectangles in board coordinates: x0, y0, x1, y1."""

    model_config = ConfigDict(extra="forbid")
    white: Rectangle
    black: Rectangle


class CameraPlace(BaseModel):
    """Where one camera's board lies. `corners`: pixels, a8, h8, h1, a1. `bend`: of the lens."""

    model_config = ConfigDict(extra="forbid")
    source: str = ""
    size: tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]]
    corners: tuple[tuple[Number, Number], tuple[Number, Number], tuple[Number, Number], tuple[Number, Number]]
    bend: Bend = 0.0
    pockets: Pockets | None = None

    def view(self, side: int = 8) -> View:
        """As `calibration` has it. `side`: squares a side of the board of the game."""
        regions = {}
        if self.pockets:
            regions = {chess.WHITE: Region(*self.pockets.white), chess.BLACK: Region(*self.pockets.black)}
        return View.from_corners(np.array(self.corners), self.size, regions, self.bend, side)


@dataclass(frozen=True, slots=True)
class Venue:
    """What a venue file says. `rules`: keys and values of its [rules], not yet checked."""

    path: Path
    rules: dict[str, Any] = field(default_factory=dict)
    cameras: dict[BoardName, CameraPlace] = field(default_factory=dict)


def read_venue(path: Path) -> Venue:
    """Read and check a venue file, all but its rules. UserError names line, key and value."""
    text = _text(path)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError("venue_toml", path=path, fault=" ".join(str(error).split())) from error
    for section, value in content.items():
        if section not in SECTIONS or (section != "version" and not isinstance(value, dict)):
            raise UserError("venue_section", path=path, section=section)
    if content.get("version", VERSION) != VERSION:
        raise UserError("venue_version", path=path, found=content["version"], known=VERSION)
    cameras: dict[BoardName, CameraPlace] = {}
    for name, values in content.get("camera", {}).items():
        if name not in BOARDS:
            raise UserError("venue_camera", path=path, name=name, boards=", ".join(BOARDS))
        board: Literal["A", "B"] = "A" if name == "A" else "B"
        try:
            cameras[board] = CameraPlace.model_validate(values)
        except ValidationError as error:
            first = error.errors()[0]
            key = str(first["loc"][0]) if first["loc"] else name
            line = line_of(text, f"camera.{name}", key)
            value = written(values.get(key)) if isinstance(values, dict) else written(values)
            fault = first["msg"][:1].lower() + first["msg"][1:]
            raise UserError(
                "venue_key", path=path, line=line, name=f"camera.{name}.{key}", value=value, fault=fault
            ) from error
    return Venue(path, content.get("rules", {}), cameras)


def write_camera(path: Path, board: BoardName, camera: CameraPlace) -> None:
    """Put a camera into a venue file, which is made if need be; everything else in it stays as it is. UserError."""
    text = ""
    if path.exists():
        read_venue(path)  # a broken file is not written over
        text = _text(path)
    document = tomlkit.parse(text)
    document.setdefault("version", VERSION)
    cameras = document.setdefault("camera", tomlkit.table(is_super_table=True))
    table = tomlkit.table()
    for key, value in camera.model_dump(exclude_none=True).items():
        table.add(key, _listed(value))
    cameras[board] = table
    replace_file(path, tomlkit.dumps(document), lasting=True)


def line_of(text: str, section: str, key: str) -> int:
    """The line of a key in a section, 1 being the first; the section's own where the key is not written there."""
    inside, found = section == "", 1
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line):
            inside = heading[1].replace('"', "") == section
            found = number if inside else found
        elif inside and re.match(rf"\s*\"?{re.escape(key)}\"?\s*[=.]", line):
            return number
    return found


def written(value: Any) -> str:
    """A value as it would stand in the file, shortened."""
    text = "" if value is None else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        inline = tomlkit.inline_table()
        inline.update({key: _listed(part) for key, part in value.items()})
        return inline
    if isinstance(value, tuple | list):
        return [_listed(part) for part in value]
    return round(value, 3) if isinstance(value, float) else value


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("no_file", path=path) from error
