"""Pictures of meshes under shadowed light: OpenGL without a window (EGL), also on a bare CPU."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulation.camera import Camera, Part
from simulation.mesh import Mesh

os.environ.setdefault("LP_NUM_THREADS", "1")

SHADOW_SIZE = 640  # texels of one light's shadow map; four lie in one picture
CAPACITY = 600_000  # vertices of one picture
CONTACT = 416  # pixels a side of the map of what stands on the table
TILE = 8  # pixels a side of what is drawn anew or not
REACH = 10.5  # half width of the shadowed area around the board's centre, in squares


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """One mesh to draw. `place`: (4, 4). `colour`: linear RGB. `gloss`: 0 matt to 1. `grain`: strength of wood
    grain. `ident`: its number in `Renderer.identify` (0 is nothing). `foot`: radius in squares on which it stands,
    which keeps light from the table around it. `unseen`: it only throws its shadow.
    `behind`: it lies behind the table, throws no shadow and is drawn last, where nothing else is. `moves`: it does not
    stay where it is, so that its shadow is not kept for the next picture."""

    mesh: Mesh
    place: NDArray[np.float64]
    colour: tuple[float, float, float]
    gloss: float = 0.3
    grain: float = 0.0
    ident: int = 0
    foot: float = 0.0
    unseen: bool = False
    behind: bool = False
    moves: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """`direction`: towards the light. `colour`: linear RGB strength. `softness`: shadow blur in squares."""

    direction: tuple[float, float, float]
    colour: tuple[float, float, float]
    softness: float


FLAT = 0.1  # squares up to which a board is so thin that one may stand half on it


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """`picture`: (n, n, 3) uint8 RGB of the table top, covering [low, high]² in board coordinates.

    The board of `side` x `side` squares with its border reaches `border` squares beyond its corners and lies `thick`
    squares above the table.
    """

    picture: NDArray[np.uint8]
    low: float
    high: float
    gloss: float
    border: float = 0.0
    thick: float = 0.0
    side: int = 8

    @property
    def edge(self) -> float:
        """Squares beside the board on which a man would stand half on the table and half on the board."""
        return self.border if self.thick > FLAT else 0.0

    def level(self, x: float, y: float) -> float:
        """Height of what lies under a point: 0 on the board, below it beside the board."""
        on = -self.border <= min(x, y) and max(x, y) <= self.side + self.border
        return 0.0 if on else -self.thick


VERTEX = """
#version 330
in vec3 position; in vec3 normal;
uniform mat4 place; uniform mat4 camera;
out vec3 world; out vec3 facing; out vec3 local;
void main() {
    vec4 p = place * vec4(position, 1.0);
    world = p.xyz; local = position;
    facing = mat3(place) * normal;
    gl_Position = camera * p;
}
"""

# Lights and shadow taps are written out: for loops llvmpipe takes a third longer.
FRAGMENT = """
#version 330
#define LIGHTS 4
#define TAP(i, x, y) \
    uv = clamp(uvz.xy + vec2(x, y) * light_soft[i], 0.002, 0.998) * 0.5; \
    lit += texture(shadows, vec3(uv + vec2(i % 2, i / 2) * 0.5, uvz.z - 0.0012));
#define THREE(i) TAP(i, 0.0, 0.0) TAP(i, -0.8, 0.35) TAP(i, 0.4, 0.85)
#define FIVE(i) THREE(i) TAP(i, 0.75, -0.45) TAP(i, -0.35, -0.8)
#define LIGHT(i, TAPS, count) { \
    float facing_light = dot(n, light_dir[i]); \
    if (facing_light > 0.0) { \
        vec3 uvz = (light_view[i] * vec4(world + n * 0.025, 1.0)).xyz * 0.5 + 0.5; \
        float lit = 0.0; \
        vec2 uv; \
        TAPS(i) \
        lit /= count; \
        vec3 mid = normalize(light_dir[i] + view); \
        float shine = gloss * pow(max(dot(n, mid), 0.0), 8.0 + 70.0 * gloss) * 0.55; \
        sum += lit * (0.45 + 0.55 * open) * light_colour[i] * (base * facing_light + vec3(shine)); \
    } \
}
in vec3 world; in vec3 facing; in vec3 local;
uniform vec3 colour; uniform float gloss; uniform float grain; uniform bool flat_table;
uniform sampler2D table; uniform sampler2D contact; uniform vec2 table_range;
uniform sampler2DShadow shadows;
uniform mat4 light_view[LIGHTS]; uniform vec3 light_dir[LIGHTS]; uniform vec3 light_colour[LIGHTS];
uniform float light_soft[LIGHTS];
uniform vec3 ambient; uniform vec3 eye; uniform float exposure;
out vec4 picture;
void main() {
    vec3 n = normalize(facing);
    vec3 view = normalize(eye - world);
    vec3 base = colour;
    float open = 1.0;
    if (flat_table) {
        vec2 at = (world.xy - table_range.x) / table_range.y;
        base = pow(texture(table, at).rgb, vec3(2.2));
        open = texture(contact, at).r;
    }
    if (grain > 0.0) {
        float ring = length(local.xy * 9.0 + vec2(2.3, 1.1)) + 1.3 * sin(local.z * 2.1 + local.x * 3.0);
        base *= 1.0 + grain * (sin(ring * 6.0) * 0.5 + sin(local.z * 57.0 + local.x * 40.0) * 0.25);
    }
    vec3 sum = base * ambient * (0.75 + 0.25 * n.z) * open;
    LIGHT(0, FIVE, 5.0) LIGHT(1, THREE, 3.0) LIGHT(2, THREE, 3.0) LIGHT(3, THREE, 3.0)
    picture = vec4(pow(clamp(sum * exposure, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}
"""

DEPTH = """
#version 330
in vec3 position; uniform mat4 place; uniform mat4 camera;
void main() { gl_Position = camera * place * vec4(position, 1.0); }
"""

NOTHING = "#version 330\nvoid main() {}\n"
CORNERS = """
#version 330
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 1.0, 1.0); }
"""

CLEARED = """
#version 330
uniform sampler2D tiles; uniform int height; uniform int side;
out vec4 picture;
void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    if (texelFetch(tiles, ivec2(pixel.x, height - 1 - pixel.y) / side, 0).r == 0.0) discard;
    picture = vec4(0.05);
}
"""

NUMBER = "#version 330\nuniform float number; out vec4 picture;\nvoid main() { picture = vec4(number / 255.0); }\n"


def whole(size: tuple[int, int]) -> NDArray[np.uint8]:
    """The tiles of a picture of (width, height), all to be drawn anew."""
    return np.ones((-(-size[1] // TILE), -(-size[0] // TILE)), np.uint8)


def bounds(tiles: NDArray[np.uint8], size: tuple[int, int]) -> Part:
    """The pixels around all tiles that are not 0, of a picture of (width, height)."""
    left, top, wide, high = cv2.boundingRect(tiles)
    return left * TILE, top * TILE, min((left + wide) * TILE, size[0]), min((top + high) * TILE, size[1])


class Renderer:
    """Draws pictures of one size. `release` frees the device."""

    def __init__(self, width: int, height: int) -> None:
        import moderngl

        self.size = (width, height)
        self.gl: Any = moderngl.create_standalone_context(backend="egl")  # type: ignore[arg-type]
        self.gl.enable(moderngl.DEPTH_TEST)
        self.shade: Any = self.gl.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self.depth: Any = self.gl.program(vertex_shader=DEPTH, fragment_shader=NOTHING)
        self.number: Any = self.gl.program(vertex_shader=DEPTH, fragment_shader=NUMBER)
        # Without multisampling, which costs llvmpipe 2.6 times as much: `_smoothed` softens the edges instead.
        self.target = self.gl.framebuffer([self.gl.renderbuffer(self.size, 3)], self.gl.depth_renderbuffer(self.size))
        self.mask = self.gl.framebuffer([self.gl.renderbuffer(self.size, 1)], self.gl.depth_renderbuffer(self.size))
        self.top: Any = None
        self.painted: Table | None = None  # whose picture `top` holds
        self.contact = self.gl.texture((CONTACT, CONTACT), 1, alignment=1)
        cleared: Any = self.gl.program(vertex_shader=CORNERS, fragment_shader=CLEARED)
        cleared["tiles"], cleared["height"], cleared["side"] = 0, height, TILE
        self.cleared = self.gl.vertex_array(cleared, [])
        self.tiles = self.gl.texture(whole(self.size).shape[::-1], 1, alignment=1)
        self.store = _Store(self.gl, (self.shade, self.depth, self.number))
        atlas = (2 * SHADOW_SIZE, 2 * SHADOW_SIZE)
        self.shadow_map, kept = self.gl.depth_texture(atlas), self.gl.depth_texture(atlas)
        self.shadow_map.compare_func = "<="
        # Only framebuffers with some colour are copied, depth and all.
        self.shadow_target = self.gl.framebuffer([self.gl.renderbuffer(atlas, 1)], self.shadow_map)
        self.kept_shadows = self.gl.framebuffer([self.gl.renderbuffer(atlas, 1)], kept)
        self.shadowed: list[object] = []  # whose shadows those are
        self.picture = np.zeros((height, width, 3), np.uint8)

    def render(
        self,
        bodies: Sequence[Body],
        table: Table,
        camera: Camera,
        lights: Sequence[Light],
        ambient: tuple[float, float, float],
        exposure: float,
        tiles: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint8]:
        """(height, width, 3) RGB uint8. Exactly four lights. `tiles`: (rows, columns) of `TILE` pixels, not 0 where it
        is drawn anew over the last picture (None: everywhere)."""
        if tiles is None:
            tiles = whole(self.size)
        with self.gl:
            ground = _ground(table)
            self.store.load([*(body.mesh for body in bodies), ground])
            views = [_light_view(light) for light in lights]
            self._draw_shadows(bodies, views)
            shade = self.shade
            shade["camera"].write(camera.matrix().T.tobytes())
            shade["light_view"].write(np.stack([view.T for view in views]).astype("f4").tobytes())
            shade["light_dir"].write(np.array([_unit(light.direction) for light in lights], "f4").tobytes())
            shade["light_colour"].write(np.array([light.colour for light in lights], "f4").tobytes())
            shade["light_soft"].write(np.array([light.softness / (2 * REACH) for light in lights], "f4").tobytes())
            shade["ambient"], shade["eye"], shade["exposure"] = ambient, tuple(camera.position), exposure
            shade["table_range"] = (table.low, table.high - table.low)
            texture = self._table_texture(table)
            self.shadow_map.use(1)
            self.contact.write(_contacts(bodies, table).tobytes(), alignment=1)
            self.contact.use(2)
            shade["table"], shade["shadows"], shade["contact"] = 0, 1, 2
            part = left, top, right, bottom = bounds(tiles, self.size)
            self._clear(tiles, part)
            texture.use(0)
            for body in bodies:
                if not body.unseen and not body.behind:
                    self._shade(body)
            shade["place"].write(np.eye(4, dtype="f4").tobytes())
            shade["gloss"], shade["grain"], shade["flat_table"] = table.gloss, 0.0, True
            self.store.draw(shade, ground)
            for body in bodies:
                if body.behind:
                    self._shade(body)
            read = np.frombuffer(self.target.read(components=3, alignment=1), np.uint8)
            raw = read.reshape(self.size[1], self.size[0], 3)[::-1]
            x, y = max(left - 3, 0), max(top - 3, 0)  # edges are softened within three pixels
            soft = _smoothed(raw[y : bottom + 3, x : right + 3])
            self.picture[top:bottom, left:right] = soft[top - y :, left - x :][: bottom - top, : right - left]
            return self.picture.copy()

    def _clear(self, tiles: NDArray[np.uint8], part: Part) -> None:
        """What is not drawn anew keeps its colour, and nothing is farther than it: fragments there cost nothing."""
        left, top, right, bottom = part
        window = (left, self.size[1] - bottom, right - left, bottom - top)
        self.target.scissor = window
        self.target.color_mask = (False,) * 4
        self.target.clear(depth=0.0, viewport=window)
        self.target.color_mask = (True,) * 4
        self.target.use()  # only then the mask holds
        self.tiles.write(tiles.tobytes(), alignment=1)
        self.tiles.use(0)
        self.gl.depth_func = "1"
        self.cleared.render(vertices=3)
        self.gl.depth_func = "<"

    def _shade(self, body: Body) -> None:
        shade = self.shade
        shade["place"].write(np.asarray(body.place, "f4").T.tobytes())
        shade["colour"], shade["gloss"], shade["grain"] = body.colour, body.gloss, body.grain
        shade["flat_table"] = False
        self.store.draw(shade, body.mesh)

    def identify(self, bodies: Sequence[Body], camera: Camera) -> NDArray[np.uint8]:
        """(height, width) uint8: the `ident` of what each pixel shows, 0 for the table."""
        with self.gl:
            self.store.load([body.mesh for body in bodies])
            self.mask.use()
            self.mask.clear()
            self.number["camera"].write(camera.matrix().T.tobytes())
            for body in bodies:
                if body.unseen or body.behind:
                    continue
                self.number["place"].write(np.asarray(body.place, "f4").T.tobytes())
                self.number["number"] = float(body.ident)
                self.store.draw(self.number, body.mesh)
            numbers = np.frombuffer(self.mask.read(components=1, alignment=1), np.uint8)
            return numbers.reshape(self.size[1], self.size[0])[::-1].copy()

    def release(self) -> None:
        """Give the device back."""
        self.gl.release()

    def _table_texture(self, table: Table) -> Any:
        """One texture is kept and written over: the driver does not give back the memory of released ones."""
        if table is self.painted:
            return self.top
        self.painted = table
        size = (table.picture.shape[1], table.picture.shape[0])
        if self.top is None or self.top.size != size:
            self.top = self.gl.texture(size, 3, alignment=1)
        self.top.write(table.picture.tobytes(), alignment=1)
        self.top.build_mipmaps()
        return self.top

    def _draw_shadows(self, bodies: Sequence[Body], views: Sequence[NDArray[np.float32]]) -> None:
        """What stays keeps its shadows from picture to picture; those of what moves are added."""
        still = [body for body in bodies if not body.moves and not body.behind]
        shadowed: list[object] = [view.tobytes() for view in views]
        shadowed += [part for body in still for part in (body.mesh, body.place.tobytes())]
        if shadowed != self.shadowed:
            self.kept_shadows.use()  # or else it is cleared only where the last picture was cut
            self.kept_shadows.clear(depth=1.0)
            self._onto(self.kept_shadows, still, views)
            self.shadowed = shadowed
        self.shadow_target.use()  # likewise
        self.gl.copy_framebuffer(self.shadow_target, self.kept_shadows)
        self._onto(self.shadow_target, [body for body in bodies if body.moves], views)

    def _onto(self, target: Any, bodies: Sequence[Body], views: Sequence[NDArray[np.float32]]) -> None:
        target.use()
        for number, view in enumerate(views):
            target.viewport = (number % 2 * SHADOW_SIZE, number // 2 * SHADOW_SIZE, SHADOW_SIZE, SHADOW_SIZE)
            self.depth["camera"].write(view.T.tobytes())
            for body in bodies:
                self.depth["place"].write(np.asarray(body.place, "f4").T.tobytes())
                self.store.draw(self.depth, body.mesh)
        target.viewport = (0, 0, 2 * SHADOW_SIZE, 2 * SHADOW_SIZE)


class _Store:
    """Meshes on the device. One buffer is kept and written over, since the driver does not give back the memory of
    released ones; equal meshes of a picture are stored once."""

    def __init__(self, gl: Any, programs: Sequence[Any]) -> None:
        self.buffer = gl.buffer(reserve=CAPACITY * 24, dynamic=True)
        self.arrays = {
            id(program): gl.vertex_array(
                program,
                [
                    (self.buffer, "3f 3f", "position", "normal")
                    if "normal" in program
                    else (self.buffer, "3f 12x", "position")
                ],
            )
            for program in programs
        }
        self.ranges: dict[int, tuple[int, int]] = {}

    def load(self, meshes: Sequence[Mesh]) -> None:
        """Store the meshes of one picture in place of the last one's."""
        self.ranges, first = {}, 0
        for mesh in meshes:
            if id(mesh) in self.ranges:
                continue
            count = 3 * len(mesh.triangles)
            if first + count > CAPACITY:
                raise ValueError(f"a picture of more than {CAPACITY} vertices; draw fewer meshes")
            self.buffer.write(np.ascontiguousarray(mesh.triangles, np.float32).tobytes(), offset=24 * first)
            self.ranges[id(mesh)] = (first, count)
            first += count

    def draw(self, program: Any, mesh: Mesh) -> None:
        first, count = self.ranges[id(mesh)]
        self.arrays[id(program)].render(vertices=count, first=first)


def _unit(vector: ArrayLike) -> NDArray[np.float64]:
    v = np.asarray(vector, np.float64)
    return np.asarray(v / np.linalg.norm(v), np.float64)


def _light_view(light: Light) -> NDArray[np.float32]:
    """(4, 4) orthographic projection from a light onto the area around the board."""
    forward = -_unit(light.direction)
    right = _unit(np.cross(forward, [0.0, 1.0, 0.0] if abs(forward[1]) < 0.9 else [1.0, 0.0, 0.0]))
    axes = np.stack([right, np.cross(right, forward), forward])
    matrix = np.eye(4)
    matrix[:3, :3] = axes / [[REACH], [REACH], [15.0]]
    matrix[:3, 3] = -matrix[:3, :3] @ np.array([4.0, 4.0, 0.0])
    return matrix.astype(np.float32)


def _smoothed(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Steps along edges softened: where neighbours differ much, a mean over about a pixel takes their place."""
    soft = cv2.GaussianBlur(picture, (3, 3), 0.75)
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    edge = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    share = np.clip((edge.astype(np.float32) - 14) / 26, 0, 1)[..., None]
    return np.asarray(picture + (soft.astype(np.float32) - picture) * share, np.uint8)


def _contacts(bodies: Sequence[Body], table: Table) -> NDArray[np.uint8]:
    """(CONTACT, CONTACT): how much of the sky each place of the table sees past the feet that stand around it."""
    scale = CONTACT / (table.high - table.low)
    feet = np.zeros((CONTACT, CONTACT), np.float32)
    for body in bodies:
        if body.foot:
            x, y = (body.place[:2, 3] - table.low) * scale
            cv2.circle(feet, (round(x * 16), round(y * 16)), round(body.foot * scale * 16), 1.0, -1, cv2.LINE_AA, 4)
    near, far = cv2.GaussianBlur(feet, (0, 0), 0.16 * scale), cv2.GaussianBlur(feet, (0, 0), 0.5 * scale)
    return np.asarray((1 - 0.5 * near - 0.35 * far) * 255, np.uint8)


def _ground(table: Table) -> Mesh:
    """The table top, and on it the board as a slab."""
    quads = [
        _quad((table.low, table.low, -table.thick), (table.high - table.low, 0, 0), (0, table.high - table.low, 0))
    ]
    if table.thick:
        low, side, up = -table.border, table.side + 2 * table.border, table.thick
        quads.append(_quad((low, low, 0), (side, 0, 0), (0, side, 0)))
        for corner, along in (
            ((low, low), (side, 0)),
            ((low + side, low), (0, side)),
            ((low + side, low + side), (-side, 0)),
            ((low, low + side), (0, -side)),
        ):
            quads.append(_quad((*corner, -up), (*along, 0), (0, 0, up)))
    return Mesh(np.concatenate(quads))


def _quad(corner: ArrayLike, along: ArrayLike, across: ArrayLike) -> NDArray[np.float32]:
    """(2, 3, 6): a parallelogram that faces along x across."""
    a, u, v = (np.asarray(vector, np.float64) for vector in (corner, along, across))
    normal = _unit(np.cross(u, v))
    points = [np.concatenate([point, normal]) for point in (a, a + u, a + u + v, a + v)]
    return np.array([[points[0], points[1], points[2]], [points[0], points[2], points[3]]], np.float32)
