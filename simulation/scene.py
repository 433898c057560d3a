"""Random scenes for training: a board in some position, reserves, clutter and hands, with what is where."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import chess
import numpy as np
from numpy.typing import NDArray

from simulation.camera import Camera, looking
from simulation.clutter import clutter
from simulation.hand import make_arm, pose
from simulation.light import Room, make_room
from simulation.mesh import box, capsule, standing
from simulation.pieces import PieceSet, lying, make_set
from simulation.render import Body, Renderer, Table
from simulation.table import paint

HAND = 250  # ident of arms and of what they hold
FALLEN = (0.0, 0.1, 0.3, 0.5), (0.0, 0.1, 0.3)  # shares of the men on a board and beside it that lie, where many do
HOLD = 0.8  # height of the finger tips over a held piece's height

Colour = tuple[float, float, float]

WHITES: tuple[Colour, ...] = (
    (0.88, 0.86, 0.80),
    (0.80, 0.72, 0.56),
    (0.78, 0.62, 0.40),
    (0.66, 0.48, 0.28),
    (0.92, 0.92, 0.92),
    (0.72, 0.56, 0.36),
    (0.56, 0.38, 0.22),
    (0.48, 0.32, 0.17),
    (0.40, 0.27, 0.15),
    (0.36, 0.23, 0.12),
    (0.30, 0.19, 0.10),
)
BLACKS: tuple[Colour, ...] = (
    (0.02, 0.02, 0.02),
    (0.035, 0.03, 0.03),
    (0.06, 0.035, 0.02),
    (0.10, 0.05, 0.03),
    (0.15, 0.07, 0.04),
    (0.20, 0.05, 0.03),
    (0.03, 0.06, 0.05),
    (0.20, 0.11, 0.06),
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece on the table: base centre in board coordinates."""

    piece: chess.Piece
    x: float
    y: float
    lies: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One set on one board in one light: what stays the same through a match. `uneven`: how much wear and wood make the
    men of one colour differ."""

    pieces: PieceSet
    colours: dict[chess.Color, Colour]
    gloss: float
    grain: float
    uneven: float
    table: Table
    room: Room

    def standing(self, thing: Standing, turn: float) -> list[Body]:
        """A man on the table as something to draw. `turn`: about his axis, radians."""
        return [body(self, thing, turn)]

    def hanging(self, piece: chess.Piece, grip: NDArray[np.float64], turn: float) -> list[Body]:
        """A man held by finger tips at `grip`, (3,)."""
        return [held(self, piece, grip, turn)]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """`pieces` in the order of their idents, from 1; `bodies` without and `arms` with hands."""

    look: Look
    camera: Camera
    pieces: list[Standing]
    bodies: list[Body]
    arms: list[Body] = field(default_factory=list)

    def picture(self, renderer: Renderer) -> NDArray[np.uint8]:
        """RGB, as it comes through the lens."""
        room = self.look.room
        picture = renderer.render(
            [*self.bodies, *self.arms], self.look.table, self.camera.pinhole(), room.lights, room.ambient, room.exposure
        )
        return self.camera.through_lens(picture)


def make_look(rng: np.random.Generator, side: int = 8) -> Look:
    """A set, a board of side x side squares, a table and a light drawn at random."""
    while True:
        white = np.array(WHITES[int(rng.integers(len(WHITES)))]) * rng.uniform(0.8, 1.1, 3)
        black = np.array(BLACKS[int(rng.integers(len(BLACKS)))]) * rng.uniform(0.6, 1.4)
        if white.mean() > 2.0 * black.mean():
            break
    table = paint(rng, side)
    return Look(
        pieces=make_set(rng),
        colours={chess.WHITE: _colour(white), chess.BLACK: _colour(black)},
        gloss=float(rng.choice([0.05, rng.uniform(0.1, 0.9)])),
        grain=float(rng.choice([0.0, rng.uniform(0.02, 0.2)])),
        uneven=float(rng.choice([0.0, rng.uniform(0.0, 0.16)])),
        table=table,
        room=make_room(rng, table),
    )


def _colour(values: NDArray[np.float64]) -> Colour:
    r, g, b = (float(value) for value in np.clip(values, 0, 1))
    return r, g, b


def body(look: Look, thing: Standing, turn: float, ident: int = 0) -> Body:
    """A piece as something to draw."""
    kind = thing.piece.piece_type
    place = standing(thing.x, thing.y, turn)
    if thing.lies:
        place = lying(look.pieces.radii[kind], thing.x, thing.y, turn)
    place[2, 3] += look.table.level(thing.x, thing.y)
    return Body(
        look.pieces.meshes[kind],
        place,
        tone(look, thing.piece.color, turn),
        look.gloss,
        look.grain,
        ident,
        look.pieces.radii[kind],
    )


def tone(look: Look, color: chess.Color, turn: float) -> Colour:
    """The colour of one man of a set. What sets him apart has to stay with him: his turn does, and is his alone."""
    own = look.uneven * np.sin(97.0 * turn + np.array([0.0, 0.25, 0.5]))
    return _colour(np.array(look.colours[color]) * (1 + own))


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What stays the same from picture to picture of one evening."""

    look: Look
    camera: Camera
    things: list[Body]


def make_setting(rng: np.random.Generator, size: tuple[int, int], side: int = 8) -> Setting:
    """A set, a board of side x side squares, a room and a camera drawn at random."""
    look = make_look(rng, side)
    return Setting(look, make_camera(rng, size), [*clutter(rng, look.table), *_surroundings(rng)])


def make_scene(rng: np.random.Generator, setting: Setting, *, start: bool, fallen: bool = False) -> Scene:
    """Pieces and hands drawn at random; `start`: the start position before the first move; `fallen`: many men lie."""
    look = setting.look
    pieces = _toppled(rng, _on_board(rng, start), FALLEN[0] if fallen else ())
    if not start:
        pieces += _toppled(rng, _beside(rng, look.table.edge), FALLEN[1] if fallen else ())
    bodies = [body(look, thing, _turn(rng, thing), i + 1) for i, thing in enumerate(pieces)]
    arms = []
    for _ in range(0 if start else int(rng.choice([0, 1, 2], p=[0.5, 0.35, 0.15]))):
        arms += _arm(rng, look)
    return Scene(look, setting.camera, pieces, [*bodies, *setting.things], arms)


def _toppled(rng: np.random.Generator, things: list[Standing], shares: Sequence[float]) -> list[Standing]:
    """With one of these shares of them lying, if there are any, and who lay before."""
    if not shares:
        return things
    share = rng.choice(shares)
    return [replace(thing, lies=bool(thing.lies or rng.random() < share)) for thing in things]


def _turn(rng: np.random.Generator, thing: Standing) -> float:
    ahead = np.pi / 2 if thing.piece.color == chess.WHITE else -np.pi / 2
    return float(ahead + rng.normal(0, 0.5) if rng.random() < 0.8 else rng.uniform(0, 2 * np.pi))


def _on_board(rng: np.random.Generator, start: bool) -> list[Standing]:
    spread = rng.uniform(0.02, 0.13)
    things = []
    for square, piece in (chess.Board().piece_map() if start else _position(rng)).items():
        dx, dy = np.clip(rng.normal(0, spread, 2), -0.3, 0.3)
        x, y = chess.square_file(square) + 0.5 + dx, chess.square_rank(square) + 0.5 + dy
        # A pawn on a last rank lies: it is promoted. Other pieces have fallen, now and then.
        last = piece.piece_type == chess.PAWN and chess.square_rank(square) in (0, 7)
        often = 0.8 if last else 0.012
        things.append(Standing(piece, float(x), float(y), not start and bool(rng.random() < often)))
    return things


def _position(rng: np.random.Generator) -> dict[chess.Square, chess.Piece]:
    choice = rng.random()
    board = chess.Board()
    if choice < 0.35:
        for _ in range(int(rng.integers(4, 90))):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[int(rng.integers(len(moves)))])
        return board.piece_map()
    squares = rng.permutation(64)[: int(rng.integers(3, 42))]
    kinds = rng.choice(6, len(squares), p=[0.25, 0.16, 0.17, 0.16, 0.13, 0.13]) + 1
    return {int(s): chess.Piece(int(k), bool(rng.random() < 0.5)) for s, k in zip(squares, kinds, strict=True)}


def _beside(rng: np.random.Generator, edge: float) -> list[Standing]:
    """Reserves: crowds beside the board, standing, some lying, at least a base apart. `edge`: squares by which a thick
    board goes on, on which nobody can stand by half."""
    things: list[Standing] = []
    for low, high in ((-4.0, -0.45 - edge), (8.45 + edge, 12.0)):
        if rng.random() < 0.35:
            continue
        count = int(rng.integers(1, 12))
        tidy, apart = rng.random() < 0.5, rng.uniform(0.56, 0.8)  # from touching to loose
        for i in range(count * 3):
            if sum(low < t.x < high for t in things) >= count:
                break
            x, y = rng.uniform(low + 0.2, high - 0.2), rng.uniform(-0.5, 8.5)
            if tidy:
                x = (low + high) / 2 + 0.9 * (i % 3 - 1) + rng.normal(0, 0.06)
                y = 0.5 + 0.85 * (i // 3) + rng.normal(0, 0.06)
            if all(np.hypot(t.x - x, t.y - y) > apart for t in things):
                kind = int(rng.choice(5, p=[0.35, 0.2, 0.2, 0.15, 0.1])) + 1
                piece = chess.Piece(kind, bool(rng.random() < 0.5))
                things.append(Standing(piece, float(x), float(y), bool(rng.random() < 0.08)))
    return things


def _arm(rng: np.random.Generator, look: Look) -> list[Body]:
    grip = np.array([rng.uniform(-2, 10), rng.uniform(-1, 9), rng.uniform(0.5, 1.8)])
    side = -np.pi / 2 if rng.random() < 0.5 else np.pi / 2
    skin, sleeve = pose(arm := make_arm(rng), grip, side + rng.normal(0, 0.4), rng.choice([0.0, rng.random()]))
    bodies = [Body(skin, np.eye(4), linear(arm.skin), 0.25, 0.0, HAND)]
    bodies.append(Body(sleeve, np.eye(4), linear(arm.sleeve), 0.05, 0.0, HAND))
    if rng.random() < 0.5:
        bodies.append(held(look, chess.Piece(int(rng.integers(1, 7)), bool(rng.random() < 0.5)), grip, 0.0))
    return bodies


def held(look: Look, piece: chess.Piece, grip: NDArray[np.float64], turn: float) -> Body:
    """A piece hanging from the finger tips, held near its top. `turn`: as it stood."""
    kind = piece.piece_type
    z = max(float(grip[2]) - HOLD * look.pieces.heights[kind], 0.0)
    place = standing(float(grip[0]), float(grip[1]), turn, 0.0, z)
    return Body(look.pieces.meshes[kind], place, tone(look, piece.color, turn), look.gloss, look.grain, HAND)


def linear(colour: Colour) -> Colour:
    """Linear RGB of sRGB, both 0..1."""
    r, g, b = (value**2.2 for value in colour)
    return r, g, b


def _surroundings(rng: np.random.Generator) -> list[Body]:
    """The floor far below, and sometimes someone who stands in the light."""
    floor = box((160, 160, 0.1), (4, 4, -14.0))
    tone = rng.uniform(0.02, 0.5) * (1 + rng.normal(0, 0.15, 3))
    bodies = [Body(floor, np.eye(4), _colour(tone), 0.0, float(rng.choice([0.0, 0.1])), behind=True)]
    if rng.random() < 0.25:
        turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(9, 12)
        x, y = 4 + far * np.cos(turn), 4 + far * np.sin(turn)
        person = capsule((x, y, -6), (x, y, rng.uniform(3, 8)), 3.2, 1.8)
        bodies.append(Body(person, np.eye(4), (0.1, 0.1, 0.1), unseen=True))
    return bodies


def make_camera(rng: np.random.Generator, size: tuple[int, int]) -> Camera:
    """From straight overhead to 38 degrees, any side of the board, the whole board in the picture."""
    height = np.radians(90 - min(abs(rng.normal(0, 28)), 52))
    toward = rng.choice([-np.pi / 2, np.pi / 2, 0, np.pi], p=[0.35, 0.25, 0.2, 0.2]) + rng.normal(0, 0.2)
    focal = size[0] / (2 * np.tan(np.radians(rng.uniform(42, 82)) / 2))
    target = np.array([4 + rng.normal(0, 1.2), 4 + rng.normal(0, 0.6), 0.0])
    distance = focal * rng.uniform(9.5, 15) / size[1]
    roll, bend = rng.normal(0, 0.08), float(rng.choice([0.0, rng.uniform(0.0, 0.09)]))
    board = [(x, y, 0) for x in (-0.2, 8.2) for y in (-0.2, 8.2)]
    while True:
        away = np.array([np.cos(toward) * np.cos(height), np.sin(toward) * np.cos(height), np.sin(height)])
        camera = looking(target + distance * away, target, roll, focal, size, bend)
        pixels = camera.project(board)
        if (pixels > 2).all() and (pixels < np.array(size) - 2).all():
            return camera
        distance *= 1.06
        target += (np.array([4.0, 4.0, 0.0]) - target) * 0.1
