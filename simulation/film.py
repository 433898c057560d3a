"""Videos of a scripted match: what changes is rendered, the rest is the last picture with fresh noise."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import av
import chess
import numpy as np
from numpy.typing import NDArray

from rules.seats import BoardName
from simulation.camera import Camera, looking
from simulation.clutter import clock, clutter
from simulation.hand import Arm, make_arm, pose
from simulation.light import Grain, Webcam, develop
from simulation.render import Body, Renderer
from simulation.scene import Look, Standing, body, held, linear
from simulation.script import CLOCK, Fault, Script, elbow

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


def make_stages(look: Look, rng: np.random.Generator, size: tuple[int, int] = SIZE) -> list[Stage]:
    """Both boards of a match: the same kind of set in the same room, each with a camera of its own."""
    arms = [make_arm(rng) for _ in range(4)]  # WhiteA, BlackA, BlackB (beside WhiteA), WhiteB (beside BlackA)
    height = rng.uniform(58, 76)
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
        camera = make_camera(rng, south, height + rng.normal(0, 2), size)
        webcam = Webcam(0.6, rng.uniform(0.8, 1.6), 1 + rng.normal(0, 0.02, 3), rng.uniform(0.9, 1.05), 0.12, 0.3)
        name: BoardName = "A" if board == "A" else "B"
        things = clutter(rng, look.table, sides=(-7.5, -3.6))
        flicker = float(rng.choice([0.0, rng.uniform(0.0, 0.012)]))
        stages.append(Stage(name, look, camera, webcam, {key: arms[n] for key, n in who.items()}, things, flicker))
    return stages


def make_camera(rng: np.random.Generator, south: chess.Color, height: float, size: tuple[int, int] = SIZE) -> Camera:
    """A webcam on a stand at the south side, `height` degrees above the table, that sees board and pockets."""
    up = np.radians(height)
    y = -1.0 if south == chess.WHITE else 1.0
    away = np.array([0.0, y * np.cos(up), np.sin(up)])
    focal = size[0] / (2 * np.tan(np.radians(66) / 2))
    target = np.array([5.3 + rng.normal(0, 0.1), 4.0 - y * 0.25 + rng.normal(0, 0.08), 0.0])
    bend = float(rng.uniform(0.0, 0.05))
    return looking(target + 14.6 * away, target, float(rng.normal(0, 0.02)), focal, size, bend)


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
    before: object = None
    frame = np.zeros((*renderer.size[::-1], 3), np.uint8)
    for number in range(count):
        time = number / fps
        kinds = {fault.kind for fault in faults if fault.start <= time and (time < fault.end or _lasting(fault))}
        if "camera_gone" in kinds:
            return
        if "camera_frozen" not in kinds:
            camera = bumped if "camera_bumped" in kinds else stage.camera
            bodies, state = bodies_at(script, stage, time)
            if (state, camera) != before:
                room = stage.look.room
                picture = renderer.render(
                    bodies, stage.look.table, camera.pinhole(), room.lights, room.ambient, room.exposure
                )
                clean, before = develop(camera.through_lens(picture), stage.webcam), (state, camera)
            light = drift[number] * (DIM if "light_off" in kinds else 1.0)
            frame = grain.on(clean * light.astype(np.float32), stage.flicker, number)
        yield frame


DIM = 0.06  # of the light that is left when the lamp is off


def _lasting(fault: Fault) -> bool:
    return fault.kind in ("camera_bumped", "camera_gone")


def _bumped(camera: Camera, rng: np.random.Generator) -> Camera:
    """The camera after someone knocked against its stand: turned and moved by a little."""
    tilt, turn = rng.choice([-1, 1], 2) * rng.uniform(0.015, 0.04, 2)
    pitch = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    roll = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    return replace(camera, rotation=roll @ pitch @ camera.rotation, position=camera.position + rng.normal(0, 0.1, 3))


def bodies_at(script: Script, stage: Stage, time: float) -> tuple[list[Body], object]:
    """Everything to draw at one time, and a value that is equal when nothing has changed."""
    table = stage.look.table
    bodies = clock(CLOCK[0], CLOCK[1], table.level(CLOCK[0], CLOCK[1]), 0.0, (0.03, 0.03, 0.035), 0.85)
    bodies += stage.clutter
    state: list[object] = []
    for thing in script.things:
        place = thing.at(time)
        if place is not None and place[0] == stage.board:
            _, x, y, lies = place
            bodies.append(body(stage.look, Standing(thing.piece, x, y, lies), thing.turn))
            state.append((id(thing), x, y, lies))
    for gesture in script.gestures:
        tip = gesture.tip(time) if gesture.board == stage.board else None
        if tip is None:
            continue
        arm = stage.arms[gesture.color, gesture.guest]
        toward = elbow(gesture) - tip[:2]
        skin, sleeve = pose(arm, tip, float(np.arctan2(toward[1], toward[0])))
        bodies.append(Body(skin, np.eye(4), linear(arm.skin), 0.2))
        bodies.append(Body(sleeve, np.eye(4), linear(arm.sleeve), 0.05))
        holding = [thing for start, end, thing in gesture.held if start <= time < end]
        # A second piece, taken before, sits deeper in the hand.
        for depth, thing in enumerate(reversed(holding)):
            back = toward / np.linalg.norm(toward) * 0.75 * depth
            bodies.append(held(stage.look, thing.piece, tip + np.array([back[0], back[1], 0.35 * depth])))
        state.append((id(gesture), tuple(tip)))
    return bodies, tuple(state)


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
