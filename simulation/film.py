"""Videos of a scripted match: what changes is rendered, the rest is the last picture with fresh noise."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import chess
import numpy as np
from numpy.typing import NDArray

from rules.seats import BoardName
from simulation.camera import Camera, looking
from simulation.hand import Arm, make_arm, pose
from simulation.light import Webcam, develop, noisy
from simulation.mesh import box, translation
from simulation.render import Body, Renderer
from simulation.scene import Look, Standing, body, held, linear
from simulation.script import CLOCK, Script, elbow

SIZE = (1280, 720)


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """What one camera films: one board's look, its camera, and the arms of those who reach in."""

    board: BoardName
    look: Look
    camera: Camera
    webcam: Webcam
    arms: dict[tuple[chess.Color, bool], Arm]


def make_stages(look: Look, rng: np.random.Generator) -> list[Stage]:
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
        camera = make_camera(rng, south, height + rng.normal(0, 2))
        webcam = Webcam(0.6, rng.uniform(0.8, 1.6), 1 + rng.normal(0, 0.02, 3), rng.uniform(0.9, 1.05), 0.12, 0.3)
        name: BoardName = "A" if board == "A" else "B"
        stages.append(Stage(name, look, camera, webcam, {key: arms[n] for key, n in who.items()}))
    return stages


def make_camera(rng: np.random.Generator, south: chess.Color, height: float) -> Camera:
    """A webcam on a stand at the south side, `height` degrees above the table, that sees board and pockets."""
    up = np.radians(height)
    y = -1.0 if south == chess.WHITE else 1.0
    away = np.array([0.0, y * np.cos(up), np.sin(up)])
    focal = SIZE[0] / (2 * np.tan(np.radians(66) / 2))
    target = np.array([5.3 + rng.normal(0, 0.1), 4.0 - y * 0.25 + rng.normal(0, 0.08), 0.0])
    return looking(target + 14.6 * away, target, float(rng.normal(0, 0.02)), focal, SIZE)


def film(
    script: Script, stage: Stage, fps: int, renderer: Renderer, rng: np.random.Generator
) -> Iterator[NDArray[np.uint8]]:
    """BGR frames of one board from time 0 to the script's end."""
    room = stage.look.room
    drift = np.cumsum(rng.normal(0, 0.0006, int(script.seconds * fps) + 1))
    before: object = None
    for number in range(int(script.seconds * fps)):
        bodies, state = _bodies(script, stage, number / fps)
        if state != before:
            picture = renderer.render(bodies, stage.look.table, stage.camera, room.lights, room.ambient, room.exposure)
            clean, before = develop(picture, stage.webcam), state
        yield noisy(clean * np.float32(1 + drift[number]), stage.webcam, rng)


def _bodies(script: Script, stage: Stage, time: float) -> tuple[list[Body], object]:
    """Everything to draw at one time, and a value that is equal when nothing has changed."""
    bodies = [Body(box((1.0, 2.4, 0.7), (0, 0, 0)), translation((CLOCK[0], CLOCK[1], 0.35)), (0.03, 0.03, 0.035), 0.4)]
    state: list[object] = []
    for thing in script.things:
        place = thing.at(time)
        if place is not None and place[0] == stage.board:
            _, x, y, lies = place
            bodies.append(body(stage.look, Standing(thing.piece, x, y, lies), thing.turn))
            state.append((id(thing), x, y))
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
    return bodies, state


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
