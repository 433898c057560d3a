"""Few and tiny: a renderer needs EGL, which a machine may lack."""

import chess
import numpy as np
import pytest

from simulation.camera import looking
from simulation.light import make_room
from simulation.render import Renderer
from simulation.scene import HAND, Scene, Standing, body, make_look, make_scene, make_setting
from simulation.truth import masks, seen_lattice, seen_pieces
from tests.simulation.conftest import Opener

SIZE = (160, 120)


@pytest.fixture(scope="module")
def renderer(open_renderer: Opener) -> Renderer:
    return open_renderer(SIZE)


def drawn(seed: int, *, start: bool = False) -> Scene:
    rng = np.random.default_rng(seed)
    return make_scene(rng, make_setting(rng, SIZE), start=start)


def test_pieces_stand_where_the_camera_says(renderer: Renderer) -> None:
    look = make_look(np.random.default_rng(1))
    camera = looking((4, -6, 12), (4, 4, 0), 0.0, 130.0, SIZE)
    placed = [
        Standing(chess.Piece(chess.PAWN, chess.WHITE), 0.5, 0.5),
        Standing(chess.Piece(chess.KING, False), 7.5, 7.5),
    ]
    bodies = [body(look, thing, 0.0, number + 1) for number, thing in enumerate(placed)]
    seen = renderer.identify(bodies, camera)
    for number, thing in enumerate(placed):
        x, y = camera.project([(thing.x, thing.y, 0.2)])[0].astype(int)
        assert seen[y, x] == number + 1
    room = make_room(np.random.default_rng(2), look.table)
    picture = renderer.render(bodies, look.table, camera, room.lights, room.ambient, room.exposure)
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    white, black = (picture[seen == number].mean() for number in (1, 2))
    assert white > 1.3 * black


def test_a_hand_hides_what_it_covers(renderer: Renderer) -> None:
    for seed in range(20):
        scene = drawn(seed)
        if scene.arms:
            break
    clear, masked = masks(scene, renderer)
    assert (masked == HAND).any()
    assert not (clear == HAND).any()
    shares = seen_pieces(scene, clear, masked)
    assert ((shares >= 0) & (shares <= 1)).all()
    lattice = seen_lattice(scene, masked)
    assert lattice.min() < 0.5 < lattice.max()


def test_where_many_have_fallen_some_lie_at_the_start_too() -> None:
    shares = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        pieces = make_scene(rng, make_setting(rng, SIZE), start=True, fallen=True).pieces
        assert len(pieces) == 32
        shares.append(np.mean([thing.lies for thing in pieces]))
    assert min(shares) == 0
    assert 0.3 < max(shares) < 0.8
    assert not any(thing.lies for thing in drawn(0, start=True).pieces)


def test_a_scene_comes_from_its_seed(renderer: Renderer) -> None:
    one, two = (drawn(7).picture(renderer) for _ in range(2))
    np.testing.assert_array_equal(one, two)


def test_an_episode_begins_with_the_start_position() -> None:
    scene = drawn(3, start=True)
    on = {int(t.y) * 8 + int(t.x): t.piece for t in scene.pieces}
    assert on == chess.Board().piece_map()
    assert not scene.arms
    assert not any(thing.lies for thing in scene.pieces)
