"""Staunton-like sets from parameters: turned bodies, crenels, coronets, crosses, and an inflated knight."""

from dataclasses import dataclass

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.mesh import Bend, Mesh, box, join, lathe, standing, surface

SEGMENTS = 28


@dataclass(frozen=True, slots=True, eq=False)
class PieceSet:
    """`meshes`: the six kinds standing at the origin. `heights`, `radii`: in squares, by kind."""

    meshes: dict[chess.PieceType, Mesh]
    heights: dict[chess.PieceType, float]
    radii: dict[chess.PieceType, float]


RELATIVE_HEIGHT = {
    chess.KING: 1.0,
    chess.QUEEN: 0.88,
    chess.BISHOP: 0.75,
    chess.KNIGHT: 0.68,
    chess.ROOK: 0.6,
    chess.PAWN: 0.52,
}
RELATIVE_RADIUS = {
    chess.KING: 1.0,
    chess.QUEEN: 0.97,
    chess.BISHOP: 0.86,
    chess.KNIGHT: 0.86,
    chess.ROOK: 0.88,
    chess.PAWN: 0.76,
}


@dataclass(frozen=True, slots=True)
class Style:
    """What the pieces of one set have in common; lengths as parts of the piece's height or base radius."""

    foot: float  # height of the foot's straight rim
    shoulder: float  # height where the flare has become the stem
    stem: float  # stem radius over base radius
    collar: float  # collar radius over base radius
    rings: int  # thin rings under the head
    head: float  # head size
    cross: float  # size of the king's cross; 0: a ball
    slit: bool  # the bishop's cut
    coronet: int  # points of the queen's crown
    crenels: int
    belly: float  # how far the stem swells (above 0) or is drawn in (below) half way up


def make_set(rng: np.random.Generator) -> PieceSet:
    """A set drawn at random: the king stands 1.35 to 2.0 squares high on a base 0.6 to 0.82 squares wide."""
    king = rng.uniform(1.35, 2.0)
    radius = rng.uniform(0.30, 0.41)
    style = Style(
        foot=rng.uniform(0.04, 0.10),
        shoulder=rng.uniform(0.2, 0.36),
        stem=rng.uniform(0.36, 0.56),
        collar=rng.uniform(0.62, 0.84),
        rings=int(rng.integers(1, 3)),
        head=rng.uniform(0.88, 1.15),
        cross=rng.choice([0.0, 1.0], p=[0.12, 0.88]) * rng.uniform(0.8, 1.3),
        slit=bool(rng.random() < 0.7),
        coronet=int(rng.integers(6, 11)),
        crenels=int(rng.integers(4, 7)),
        belly=rng.normal(0, 0.1),
    )
    heights = {kind: king * part * rng.uniform(0.95, 1.05) for kind, part in RELATIVE_HEIGHT.items()}
    radii = {kind: radius * part * rng.uniform(0.96, 1.04) for kind, part in RELATIVE_RADIUS.items()}
    meshes = {kind: _make(kind, heights[kind], radii[kind], style, rng) for kind in chess.PIECE_TYPES}
    return PieceSet(meshes, heights, radii)


def _make(kind: chess.PieceType, height: float, radius: float, style: Style, rng: np.random.Generator) -> Mesh:
    if kind == chess.PAWN:
        return _pawn(height, radius, style)
    if kind == chess.KNIGHT:
        return _knight(height, radius, style, rng)
    if kind == chess.BISHOP:
        return _bishop(height, radius, style)
    if kind == chess.ROOK:
        return _rook(height, radius, style)
    if kind == chess.QUEEN:
        return _queen(height, radius, style)
    return _king(height, radius, style)


def _body(height: float, radius: float, style: Style, neck: float, stem: float) -> list[tuple[float, float]]:
    """Foot, flare, stem and collar, up to `neck` (absolute height)."""
    foot, shoulder = style.foot * height, style.shoulder * neck / 0.62
    profile = [
        (0.0, 0.0),
        (radius * 0.97, 0.0),
        (radius, foot * 0.3),
        (radius, foot),
        (radius * 0.9, foot * 1.35),
    ]
    profile += [(radius * 0.86, foot * 1.7)]
    for t in np.linspace(0.15, 1, 6):
        profile.append((radius * (0.84 - (0.84 - stem) * np.sin(t * np.pi / 2)), foot * 1.7 + t * (shoulder - foot)))
    top = profile[-1][1]
    for t in (0.3, 0.6, 0.8):
        swell = 1 - 0.12 * t + style.belly * np.sin(t * np.pi)
        profile.append((radius * stem * swell, top + (neck - top) * t))
    collar = style.collar * radius
    thick = 0.035 * height
    for ring in range(style.rings):
        z = neck - thick * (style.rings - ring)
        wide = collar * (1 - 0.16 * ring)
        profile += [
            (wide * 0.72, z - thick * 0.4),
            (wide, z),
            (wide, z + thick * 0.45),
            (wide * 0.74, z + thick * 0.8),
        ]
    return profile


def _ball(centre: float, size: float, start: float, steps: int = 8) -> list[tuple[float, float]]:
    """Profile of a ball, from `start` (-1 its bottom) to its top."""
    angle = np.linspace(np.arcsin(start), np.pi / 2, steps)
    return [(float(size * np.cos(a)), float(centre + size * np.sin(a))) for a in angle]


def _pawn(height: float, radius: float, style: Style) -> Mesh:
    size = min(0.2 * height * style.head, radius * 0.66)
    return lathe(
        [*_body(height, radius, style, height - 1.75 * size, style.stem), *_ball(height - size, size, -0.75)],
        SEGMENTS,
    )


class _Crenels(Bend):
    def __init__(self, floor: float, count: int, depth: float) -> None:
        self.floor, self.count, self.depth = floor, count, depth

    def __call__(
        self, radius: NDArray[np.float64], height: NDArray[np.float64], angle: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        cut = (np.cos(angle * self.count) > 0.55)[None, :] & (height > self.floor)
        return radius, np.where(cut, height - self.depth, height)


def _rook(height: float, radius: float, style: Style) -> Mesh:
    wall = radius * (0.74 + 0.1 * (style.head - 1))
    floor = height * 0.84
    profile = _body(height, radius, style, height * 0.68, style.stem * 1.28)
    profile += [(wall * 0.86, height * 0.72), (wall, height * 0.77), (wall, floor), (wall, height)]
    profile += [(wall * 0.66, height), (wall * 0.64, floor), (0.0, floor)]
    return lathe(profile, 36, _Crenels(height * 0.95, style.crenels, height - floor - 0.02))


class _Slit(Bend):
    def __init__(self, z: float, width: float, depth: float) -> None:
        self.z, self.width, self.depth = z, width, depth

    def __call__(
        self, radius: NDArray[np.float64], height: NDArray[np.float64], angle: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        plane = (height - self.z) - 1.1 * radius * np.cos(angle)[None, :]
        cut = (np.abs(plane) < self.width) & (np.cos(angle)[None, :] > 0)
        return np.where(cut, radius * (1 - self.depth), radius), height


def _bishop(height: float, radius: float, style: Style) -> Mesh:
    neck = height * 0.6
    wide = radius * 0.56 * style.head
    profile = _body(height, radius, style, neck, style.stem * 0.95)
    knob = height * 0.035
    for t in np.linspace(0, 1, 13):
        shape = np.sin(np.pi * (0.2 + 0.8 * t) ** 0.72) ** 0.75 if t < 1 else 0.25
        profile.append((max(wide * shape, knob * 0.6), neck + t * (height - 1.6 * knob - neck)))
    profile += _ball(height - knob, knob, -0.8, 5)
    bend = _Slit(neck + 0.55 * (height - neck), 0.022 * height, 0.35) if style.slit else None
    return lathe(profile, SEGMENTS, bend)


class _Coronet(Bend):
    def __init__(self, floor: float, count: int, depth: float) -> None:
        self.floor, self.count, self.depth = floor, count, depth

    def __call__(
        self, radius: NDArray[np.float64], height: NDArray[np.float64], angle: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rim = (height > self.floor) & (radius > radius.max() * 0.25)
        return radius, np.where(rim, height - self.depth * (0.5 - 0.5 * np.cos(self.count * angle))[None, :], height)


def _queen(height: float, radius: float, style: Style) -> Mesh:
    neck = height * 0.66
    crown = radius * 0.66 * style.head
    rim = height * 0.93
    profile = _body(height, radius, style, neck, style.stem)
    profile += [(crown * 0.62, neck + 0.02 * height), (crown * 0.7, neck + 0.5 * (rim - neck)), (crown, rim)]
    profile += [(crown * 0.84, rim), (crown * 0.6, rim - 0.03 * height), (crown * 0.3, rim - 0.005 * height)]
    knob = 0.04 * height
    profile += _ball(height - knob, knob, -0.6, 5)
    return lathe(profile, 40, _Coronet(rim - 0.01 * height, style.coronet, 0.05 * height))


def _king(height: float, radius: float, style: Style) -> Mesh:
    arm = 0.085 * height * max(style.cross, 0.9)
    top = height - 1.6 * arm
    neck = top * 0.72
    crown = radius * 0.64 * style.head
    profile = _body(height, radius, style, neck, style.stem * 1.05)
    profile += [(crown * 0.66, neck + 0.02 * height), (crown * 0.95, top * 0.94), (crown, top * 0.965)]
    profile += [(crown * 0.8, top * 0.985), (crown * 0.35, top), (0.0, top)]
    body = lathe(profile, SEGMENTS)
    if style.cross == 0.0:
        return join([body, lathe(_ball(top + arm * 0.75, arm * 0.85, -0.9), 14)])
    upright = box((0.5 * arm, 0.45 * arm, 1.7 * arm), (0, 0, top + 0.75 * arm))
    beam = box((1.5 * arm, 0.45 * arm, 0.5 * arm), (0, 0, top + 0.95 * arm))
    return join([body, upright, beam])


HEADS = (
    [  # the usual one
        (-0.62, 0.0), (-0.74, 0.16), (-0.70, 0.36), (-0.52, 0.58), (-0.36, 0.80), (-0.22, 0.93), (-0.12, 1.0),
        (-0.02, 0.94), (0.14, 0.88), (0.30, 0.78), (0.50, 0.62), (0.76, 0.48), (0.84, 0.38), (0.78, 0.28),
        (0.60, 0.27), (0.40, 0.36), (0.22, 0.38), (0.18, 0.30), (0.34, 0.18), (0.48, 0.08), (0.54, 0.0),
    ],
    [  # upright, the nose drawn in to the chest
        (-0.56, 0.0), (-0.72, 0.2), (-0.74, 0.45), (-0.62, 0.7), (-0.4, 0.9), (-0.2, 1.0), (-0.08, 0.95),
        (0.1, 0.93), (0.28, 0.86), (0.46, 0.72), (0.6, 0.56), (0.7, 0.42), (0.66, 0.33), (0.52, 0.3),
        (0.38, 0.38), (0.24, 0.46), (0.14, 0.42), (0.12, 0.3), (0.26, 0.18), (0.4, 0.08), (0.46, 0.0),
    ],
    [  # plain and blocky, as cheap plastic has it
        (-0.6, 0.0), (-0.66, 0.25), (-0.6, 0.55), (-0.42, 0.82), (-0.2, 0.98), (0.0, 1.0), (0.16, 0.92),
        (0.4, 0.78), (0.66, 0.66), (0.8, 0.56), (0.8, 0.44), (0.66, 0.38), (0.44, 0.4), (0.3, 0.38),
        (0.26, 0.26), (0.38, 0.12), (0.5, 0.0),
    ],
    [  # long-necked, ears back
        (-0.5, 0.0), (-0.68, 0.14), (-0.72, 0.34), (-0.58, 0.6), (-0.5, 0.82), (-0.42, 0.97), (-0.3, 0.9),
        (-0.1, 0.9), (0.1, 0.85), (0.34, 0.72), (0.6, 0.52), (0.82, 0.4), (0.88, 0.3), (0.78, 0.22),
        (0.56, 0.26), (0.34, 0.34), (0.16, 0.36), (0.08, 0.24), (0.22, 0.12), (0.38, 0.05), (0.44, 0.0),
    ],
)  # fmt: skip
"""Outlines of a horse's head and neck looking right, width over height, from the back of the neck round."""


def _knight(height: float, radius: float, style: Style, rng: np.random.Generator) -> Mesh:
    deck = height * rng.uniform(0.2, 0.28)
    foot = style.foot * height
    flat = [
        (0.0, 0.0),
        (radius * 0.97, 0.0),
        (radius, foot * 0.3),
        (radius, foot),
        (radius * 0.9, foot * 1.35),
    ]
    flat += [
        (radius * 0.84, foot * 1.8),
        (radius * 0.74, deck * 0.85),
        (radius * 0.78, deck * 0.93),
        (radius * 0.7, deck),
    ]
    base = lathe([*flat, (0.0, deck)], SEGMENTS)
    head = HEADS[int(rng.integers(len(HEADS)))]
    outline = np.array(head) + rng.normal(0, 0.025, (len(head), 2)) * [[1, 0.6]]
    outline[[0, -1], 1] = 0.0
    tall = height - deck * 0.93
    outline = outline * [radius * rng.uniform(0.88, 1.06), tall] + [
        radius * rng.uniform(-0.06, 0.1),
        deck * 0.93,
    ]
    return join([base, _inflate(outline, radius * rng.uniform(0.42, 0.6))])


def _inflate(outline: NDArray[np.float64], thickness: float) -> Mesh:
    """A flat outline (n, 2) of x and z blown up to both sides, thickest at its middle."""
    cell = 0.026
    low = outline.min(0) - 2 * cell
    columns, rows = np.ceil((outline.max(0) + 2 * cell - low) / cell).astype(int)
    fine = 4
    mask = np.zeros((rows * fine, columns * fine), np.uint8)
    cv2.fillPoly(mask, [np.round((outline - low) / cell * fine).astype(np.int32)], 255)
    full = cv2.distanceTransform(mask, cv2.DIST_L2, 5) / fine * cell
    depth = np.asarray(cv2.GaussianBlur(cv2.resize(full, (columns, rows), interpolation=cv2.INTER_AREA), (3, 3), 0.7))
    widest = float(depth.max())
    side = thickness * np.sqrt(np.clip(1 - (1 - depth / widest) ** 2, 0, 1))
    x, z = np.meshgrid(low[0] + cell * (np.arange(columns) + 0.5), low[1] + cell * (np.arange(rows) + 0.5))
    inside = depth > 0.12 * cell
    halves = []
    for sign in (-1.0, 1.0):
        grid = np.stack([x, sign * side, z], -1)[:, :: int(-sign)]
        mesh = surface(grid)
        cells = inside[:, :: int(-sign)]
        keep = cells[:-1, :-1] | cells[1:, 1:] | cells[:-1, 1:] | cells[1:, :-1]
        flags = np.concatenate([keep.reshape(-1), keep.reshape(-1)])
        triangles = mesh.triangles[flags]
        normal = triangles[..., 3:]
        flip = np.where((normal[..., 1:2] * sign) < 0, -1.0, 1.0)
        halves.append(Mesh(np.concatenate([triangles[..., :3], normal * flip], -1).astype(np.float32)))
    return join(halves)


def lying(mesh_radius: float, x: float, y: float, turn: float) -> NDArray[np.float64]:
    """(4, 4) placing of a piece lying on its side: base centre near (x, y), head towards `turn` (radians)."""
    return standing(x, y, turn, np.pi / 2 * 0.97, mesh_radius * 0.9)
