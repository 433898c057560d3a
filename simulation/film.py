"""Videos of a scripted match: what changes is rendered, the rest is the last picture with fresh noise."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import av
import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import Side
from rules.seats import BoardName
from simulation.camera import Camera, Part, looking
from simulation.clutter import clock, clutter
from simulation.hand import Arm, make_arm, pose
from simulation.light import BLURRED, Grain, Webcam, develop
from simulation.render import Body, Renderer, bounds, whole
from simulation.scene import Look, Standing, linear
from simulation.script import CLOCK, Fault, Gesture, Point, Script, Thing, aside, elbow
from simulation.touched import touched

SIZE = (1280, 720)


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """What one camera films: one board's look, its camera, and the arms of those who reach in."""

    board: BoardName
    look: Look
    camera: Camera
    webcam: Webcam
    arms: dict[tuple[chess.Color, bool], Arm]
    clutter: list[Body]
    flicker: float


def make_stages(look: Look, rng: np.random.Generator, side: Side = "h", size: tuple[int, int] = SIZE) -> list[Stage]:
    """Both boards of a match: the same kind of set in the same room, each with a camera of its own. `side`: where the
    pockets lie."""
    arms = [make_arm(rng) for _ in range(4)]  # WhiteA, BlackA, BlackB (beside WhiteA), WhiteB (beside BlackA)
    height = rng.uniform(45, 88)
    stages = []
    for board in ("A", "B"):
        south = chess.WHITE if board == "A" else chess.BLACK
        own, beside = ((0, 1), (2, 3)) if board == "A" else ((2, 3), (0, 1))
        who = {
            (south, False): own[0],
            (not south, False): own[1],
            (south, True): beside[0],
            (not south, True): beside[1],
        }
        camera = make_camera(rng, south, height + rng.normal(0, 2), side, size)
        webcam = match_webcam(rng)
        name: BoardName = "A" if board == "A" else "B"
        things = match_clock(look, side) + beyond_clock(rng, look, side)
        flicker = make_flicker(rng)
        stages.append(Stage(name, look, camera, webcam, {key: arms[n] for key, n in who.items()}, things, flicker))
    return stages


def match_webcam(rng: np.random.Generator) -> Webcam:
    """One as players bring along for a match."""
    return Webcam(0.6, rng.uniform(0.8, 1.6), 1 + rng.normal(0, 0.02, 3), rng.uniform(0.9, 1.05), 0.12, 0.3, 1.0)


def make_flicker(rng: np.random.Generator) -> float:
    """How much of the light comes and goes with the mains."""
    return float(rng.choice([0.0, rng.uniform(0.0, 0.012)]))


def match_clock(look: Look, side: Side) -> list[Body]:
    """The chess clock beside a board. `side`: opposite which it stands."""
    x, y = aside(CLOCK[0], side), CLOCK[1]
    return clock(x, y, look.table.level(x, y), 0.0 if side == "h" else np.pi, (0.03, 0.03, 0.035), 0.85)


def beyond_clock(rng: np.random.Generator, look: Look, side: Side) -> list[Body]:
    """What else lies on the clock's side of the table."""
    return clutter(rng, look.table, sides=(-7.5, -3.6) if side == "h" else (11.6, 15.5))


def make_camera(
    rng: np.random.Generator, south: chess.Color, height: float, side: Side, size: tuple[int, int]
) -> Camera:
    """A webcam on a stand at the south side, `height` degrees above the table, that sees board and pockets."""
    seen = np.array([(aside(x, side), y, z) for x in (-0.5, 11.5) for y in (-0.4, 8.4) for z in (0.0, 1.4)])
    return aimed(rng, south, height, seen, size)


def aimed(
    rng: np.random.Generator,
    south: chess.Color,
    height: float,
    seen: NDArray[np.float64],
    size: tuple[int, int],
) -> Camera:
    """A webcam at the side of `south`, `height` degrees above the table, that sees (n, 3) points: the middle of them in
    its middle, and as near as it can be."""
    up, turn = np.radians(min(height, 89.0)), rng.normal(0, 0.1)
    y = -1.0 if south == chess.WHITE else 1.0
    away = np.array([np.sin(turn) * np.cos(up), y * np.cos(turn) * np.cos(up), np.sin(up)])
    focal = size[0] / (2 * np.tan(np.radians(rng.uniform(55, 78)) / 2))
    roll, bend = float(rng.normal(0, 0.02)), float(rng.uniform(0.0, 0.05))
    middle, room = np.array(size) / 2, np.array(size) * rng.uniform(0.9, 0.97)
    target, distance = (seen.min(0) + seen.max(0)) / 2 * [1.0, 1.0, 0.0], 9.0
    while True:
        camera = looking(target + distance * away, target, roll, focal, size, bend)
        pixels = camera.project(seen)
        off = (pixels.min(0) + pixels.max(0)) / 2
        plane = np.linalg.inv(camera.board_homography()) @ [*off, 1.0]
        target[:2] += 0.5 * (plane[:2] / plane[2] - target[:2])
        centred = (np.abs(off - middle) < 0.01 * size[0]).all()
        if centred and (np.ptp(pixels, 0) < room).all():
            return camera
        distance *= 1.02


def film(
    script: Script, stage: Stage, fps: int, renderer: Renderer, rng: np.random.Generator
) -> Iterator[NDArray[np.uint8]]:
    """BGR frames of one board from time 0 to the script's end, or to the end of its camera."""
    count = int(script.seconds * fps)
    faults = [fault for fault in script.faults if fault.board in (None, stage.board)]
    drift = (
        1 + np.cumsum(rng.normal(0, 0.0006, (count + 1, 1)), 0) + np.cumsum(rng.normal(0, 0.0003, (count + 1, 3)), 0)
    )
    bumped = _bumped(stage.camera, rng)
    grain = Grain(renderer.size, stage.webcam, rng)
    zoom = _breath(count, fps, rng)
    exposure = _Exposure(fps)
    shots = Shots(stage, renderer)
    frame = np.zeros((*renderer.size[::-1], 3), np.uint8)
    for number in range(count):
        time = number / fps
        kinds = {fault.kind for fault in faults if fault.start <= time and (time < fault.end or _lasting(fault))}
        if "camera_gone" in kinds:
            return
        if "camera_frozen" not in kinds:
            camera = bumped if "camera_bumped" in kinds else stage.camera
            clean = shots.take(bodies_at(script, stage, time), camera)
            light = exposure.on(clean) * drift[number] * (DIM if "light_off" in kinds else 1.0)
            frame = grain.on(_zoomed(clean, zoom[number]), light.astype(np.float32), stage.flicker, number)
        yield frame


def _breath(count: int, fps: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """(count,) how much larger each frame is: now and then a webcam hunts for its focus, and breathes."""
    zoom, long = np.ones(count), int(1.2 * fps)
    if rng.random() < 0.5:
        return zoom  # its focus is locked
    wave = np.sin(np.linspace(0, np.pi, long)) ** 2
    for start in np.flatnonzero(rng.random(max(count - long, 0)) < 1 / (30 * fps)):
        zoom[start : start + long] = 1 + rng.normal(0, 0.003) * wave
    return zoom


def _zoomed(picture: NDArray[np.float32], zoom: float) -> NDArray[np.float32]:
    if zoom == 1.0:
        return picture
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 0.0, zoom)
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE), np.float32)


class _Exposure:
    """An automatic exposure: it follows what arms and pieces do to the picture's mean, a little late."""

    def __init__(self, fps: int) -> None:
        self.share, self.gain, self.first = 1 - np.exp(-1 / (0.8 * fps)), 1.0, 0.0

    def on(self, picture: NDArray[np.float32]) -> float:
        mean = float(picture[::16, ::16].mean())
        self.first = self.first or mean
        self.gain += self.share * (float(np.clip((self.first / mean) ** 0.5, 0.8, 1.25)) - self.gain)
        return self.gain


DIM = 0.06  # of the light that is left when the lamp is off


def _lasting(fault: Fault) -> bool:
    return fault.kind in ("camera_bumped", "camera_gone")


def _bumped(camera: Camera, rng: np.random.Generator) -> Camera:
    """The camera after someone knocked against its stand: turned and moved by a little."""
    tilt, turn = rng.choice([-1, 1], 2) * rng.uniform(0.015, 0.04, 2)
    pitch = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    roll = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    return replace(camera, rotation=roll @ pitch @ camera.rotation, position=camera.position + rng.normal(0, 0.1, 3))


def bodies_at(script: Script, stage: Stage, time: float) -> dict[object, list[Body]]:
    """Everything to draw at one time; what stands under the same key at two times looks the same."""
    bodies: dict[object, list[Body]] = {"still": stage.clutter}
    for thing in script.things:
        place = thing.at(time)
        if place is not None and place[0] == stage.board:
            _, x, y, lies = place
            bodies[id(thing), x, y, lies] = stage.look.standing(Standing(thing.piece, x, y, lies), thing.turn)
    for gesture in script.gestures:
        tip = gesture.tip(time) if gesture.board == stage.board else None
        if tip is not None:
            holding = [thing for start, end, thing in gesture.held if start <= time < end]
            key = (id(gesture), *tip, *(id(thing) for thing in holding))
            bodies[key] = _reaching(stage, gesture, tip, holding, script.side)
    return bodies


def _reaching(stage: Stage, gesture: Gesture, tip: Point, holding: list[Thing], side: Side) -> list[Body]:
    arm = stage.arms[gesture.color, gesture.guest]
    arm = replace(arm, right=arm.right != gesture.other)
    toward = elbow(gesture, side) - tip[:2]
    skin, sleeve = pose(arm, tip, float(np.arctan2(toward[1], toward[0])))
    bodies = [
        Body(skin, np.eye(4), linear(arm.skin), 0.2, moves=True),
        Body(sleeve, np.eye(4), linear(arm.sleeve), 0.05, moves=True),
    ]
    # A second piece, taken before, sits deeper in the hand.
    for depth, thing in enumerate(reversed(holding)):
        back = toward / np.linalg.norm(toward) * 0.75 * depth
        grip = tip + np.array([back[0], back[1], 0.35 * depth])
        bodies += [replace(one, moves=True) for one in stage.look.hanging(thing.piece, grip, thing.turn)]
    return bodies


class Shots:
    """What a camera sees of the bodies at one time: only what has changed since the last time is drawn anew."""

    def __init__(self, stage: Stage, renderer: Renderer) -> None:
        self.stage, self.renderer = stage, renderer
        self.bodies: dict[object, list[Body]] = {}
        self.camera: Camera | None = None
        self.reached: dict[object, NDArray[np.uint8]] = {}  # the tiles that what came since reaches
        width, height = renderer.size
        self.seen = np.zeros((height, width, 3), np.uint8)  # through the lens
        self.clean = np.zeros((height, width, 3), np.float32)

    def take(self, bodies: dict[object, list[Body]], camera: Camera) -> NDArray[np.float32]:
        """(height, width, 3) BGR before noise."""
        look, pinhole = self.stage.look, camera.pinhole()
        room, size = look.room, self.renderer.size
        tiles = self._changed(bodies, camera)
        if tiles.any():
            drawn = [one for group in bodies.values() for one in group]
            picture = self.renderer.render(drawn, look.table, pinhole, room.lights, room.ambient, room.exposure, tiles)
            part = (0, 0, *size) if tiles.all() else camera.behind_lens(bounds(tiles, size))
            if part[0] < part[2] and part[1] < part[3]:  # else it was where the lens does not look
                self.seen[_window(part)] = camera.through_lens(picture, part)
                part = _grown(part, BLURRED, size)
                self.clean[_window(part)] = develop(self.seen, self.stage.webcam, part)
        self.bodies, self.camera = bodies, camera
        return self.clean

    def _changed(self, bodies: dict[object, list[Body]], camera: Camera) -> NDArray[np.uint8]:
        """The tiles to draw anew."""
        if camera is not self.camera:
            self.reached = {}
            return whole(self.renderer.size)
        tiles = 0 * whole(self.renderer.size)
        for key in self.bodies.keys() ^ bodies.keys():
            reached = self.reached.pop(key, None)
            if reached is None:
                group = self.bodies.get(key) or bodies[key]
                reached = touched(group, camera.pinhole(), self.stage.look.table, self.stage.look.room.lights)
            if key in bodies:
                self.reached[key] = reached
            tiles |= reached
        return tiles


def _window(part: Part) -> tuple[slice, slice]:
    left, top, right, bottom = part
    return slice(top, bottom), slice(left, right)


def _grown(part: Part, by: int, size: tuple[int, int]) -> Part:
    left, top, right, bottom = part
    return max(left - by, 0), max(top - by, 0), min(right + by, size[0]), min(bottom + by, size[1])


def write_video(path: Path, frames: Iterator[NDArray[np.uint8]], fps: int, quality: int) -> Iterator[int]:
    """H.264 at a constant rate factor (`quality`: 18 fine to 34 coarse); yields the number of each frame written."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.time_base = Fraction(1, fps)
        stream.options = {"crf": str(quality), "preset": "medium"}
        for count, picture in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = count, Fraction(1, fps)
            container.mux(stream.encode(frame))
            yield count
        container.mux(stream.encode())
