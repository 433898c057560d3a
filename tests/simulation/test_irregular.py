"""Every irregularity: its truth says so, and the pictures show it."""

from dataclasses import replace
from itertools import pairwise

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.match import Match
from rules.records import Game, read
from rules.seats import BoardName
from simulation.film import Shots, bodies_at, film, make_stages
from simulation.irregular import IRREGULARITIES, IrregularityError, Wish, planned
from simulation.produce import timed
from simulation.render import TILE, Renderer, whole
from simulation.scene import make_look
from simulation.script import Row, Script
from simulation.states import FORBIDDEN, TruthError, state, states, verify
from simulation.writer import write_script
from simulation.wrong import DropNotHeld
from tests.simulation.conftest import Opener

SIZE = (256, 144)
HEIGHTS = dict.fromkeys(chess.PIECE_TYPES, 1.0)
# A short match with captures, drops, a check, promotions, one with a queen in reserve, and a king that comes back.
GAME = """
1B. e4 1b. d5 2B. Qg4 2b. Bxg4 1A. h4 1a. g5 2A. hxg5 2a. h6 3A. gxh6 3a. a6 4A. h7 4a. a5 5A. hxg8=Q 5a. Rxg8
3B. f3 3b. P@h3 4B. fxg4 4b. dxe4 6A. e4 6a. e5 7A. Nf3 7a. Qh4 8A. Rxh4 8a. B@c3 5B. Nxh3 5b. e5
9A. dxc3 9a. b6 10A. a3 10a. b5 6B. Bb5+ 6b. P@c6 7B. Bxc6+ 7b. Nxc6 8B. O-O 8b. Qd4+ 11A. c4 11a. b4 12A. P@h7
12a. Ra6 13A. hxg8=Q 13a. Bb7 14A. Nbd2 14a. d6 9B. Kh1 9b. Kd7 10B. a3 10b. Ke8 11B. a4 11b. Qd5 *
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return next(read(GAME))


def told(game: Game, kind: str) -> tuple[Script, Row]:
    """A script with that irregularity at the first ply where it can be, and its row of the truth."""
    plies = timed(game)
    for number in range(1, len(plies) + 1):
        wish = Wish(kind, None, number)
        try:
            planned([wish], [ply for ply, _ in plies], game.match)
        except IrregularityError:
            continue
        script = write_script(plies, HEIGHTS, np.random.default_rng(3), wishes=[wish], match=game.match.fresh())
        (row,) = [row for row in script.truth if row["kind"] == "irregularity"]
        assert row["irregularity"] == kind
        verify(script, game.match.fresh())
        return script, row
    raise AssertionError(f"{kind} is possible nowhere in this match")


def named(row: Row) -> BoardName:
    return "A" if row["board"] == "A" else "B"


def at(script: Script, row: Row, time: float) -> Row:
    return state(script, named(row), time)


def piece(found: Row, square: str) -> str:
    held = chess.BaseBoard(str(found["placement"])).piece_at(chess.parse_square(square))
    return held.symbol() if held else ""


def span(row: Row) -> tuple[float, float]:
    return float(str(row["time"])), float(str(row["until"]))


def hand_overs(script: Script, row: Row) -> list[float]:
    """When the seat that did it handed over such a piece."""
    return [
        float(str(one["time"]))
        for one in script.truth
        if one["kind"] == "hand_over" and one["seat"] == row["seat"] and one["piece"] == row["piece"]
    ]


@pytest.mark.parametrize("kind", IRREGULARITIES)
def test_its_truth_is_checked_against_the_rules(game: Game, kind: str) -> None:
    script, row = told(game, kind)
    assert span(row)[0] <= span(row)[1]
    assert {one["kind"] for one in script.truth} <= {"move", "drop", "hand_over", "irregularity"}
    plies = [one for one in script.truth if one["kind"] in ("move", "drop")]
    assert len(plies) == len(game.match.plies), "the match of the record is played all the same"


def test_pieces_that_do_not_reach_the_partner(game: Game) -> None:
    script, row = told(game, "not_passed")
    assert all(time > span(row)[0] + 1 for time in hand_overs(script, row)), "at most when the partner needs it"
    script, row = told(game, "passed_late")
    assert span(row)[1] - span(row)[0] > 14
    assert any(time == pytest.approx(span(row)[1], abs=0.01) for time in hand_overs(script, row))
    script, row = told(game, "wrong_zone")
    own = "white" if str(row["seat"]).startswith("White") else "black"
    assert str(row["piece"]) in str(at(script, row, span(row)[0] + 0.01)[own])


def test_reserves_with_a_piece_too_few_or_too_many(game: Game) -> None:
    script, row = told(game, "hidden_reserve")
    own = "white" if str(row["seat"]).startswith("White") else "black"
    start, end = span(row)
    before, during, after = (str(at(script, row, time)[own]) for time in (start - 0.1, start + 1, end + 0.01))
    assert before.count(str(row["piece"])) - 1 == during.count(str(row["piece"])) == after.count(str(row["piece"])) - 1
    script, row = told(game, "extra_man")
    own = "white" if str(row["seat"]).startswith("White") else "black"
    before, after = (str(at(script, row, span(row)[0] + dt)[own]) for dt in (-0.1, 0.01))
    assert sorted(before + str(row["piece"])) == sorted(after)


@pytest.mark.parametrize("kind", [*FORBIDDEN, "take_back"])
def test_what_is_made_and_put_right(game: Game, kind: str) -> None:
    script, row = told(game, kind)
    start, end = span(row)
    move = chess.Move.from_uci(str(row["uci"]))
    target = chess.square_name(move.to_square)
    during, after = at(script, row, start + 0.01), at(script, row, end + 0.01)
    released = [
        float(str(one["time"]))
        for one in script.truth
        if one["board"] == row["board"] and one.get("ply") == row["ply"] and one["kind"] in ("move", "drop")
    ]
    before = at(script, row, released[0] + 0.01 if released else 0.0)
    if move.drop:
        assert piece(during, target).lower() == chess.piece_symbol(move.drop)
        assert piece(after, target) != piece(during, target) or kind == "drop_occupied"
    else:
        source = chess.square_name(move.from_square)
        assert piece(during, source) == ""
        assert piece(after, source) == piece(during, target)
    assert after["placement"] == before["placement"]


def test_pieces_that_lie_or_should(game: Game) -> None:
    for kind in ("fallen", "lying_pawn"):
        script, row = told(game, kind)
        start, end = span(row)
        assert row["square"] in at(script, row, start + 0.01)["lying"]  # type: ignore[operator]
        assert row["square"] not in at(script, row, end + 0.01)["lying"]  # type: ignore[operator]
    script, row = told(game, "promotion_unmarked")
    standing = at(script, row, span(row)[0] + 0.01)
    assert (piece(standing, str(row["square"])), standing["lying"]) == ("P", [])
    script, row = told(game, "substitution")
    assert piece(at(script, row, span(row)[0] + 0.01), str(row["square"])) == "Q"


def test_a_pushed_neighbour_stays_on_its_square(game: Game) -> None:
    script, row = told(game, "nudge")
    time, square = span(row)[0], chess.parse_square(str(row["square"]))
    (thing,) = [one for one in script.things if any(abs(stay[0] - time) < 1e-3 for stay in one.stays)]
    x, y = next(stay[2:4] for stay in thing.stays if abs(stay[0] - time) < 1e-3)
    assert (int(x), int(y)) == (chess.square_file(square), chess.square_rank(square))
    assert abs(x - int(x) - 0.5) > 0.15


@pytest.mark.parametrize("kind", ["partner_hand", "partner_press", "other_hand"])
def test_another_arm_comes_in(game: Game, kind: str) -> None:
    script, row = told(game, kind)
    arms = [one for one in script.gestures if one.board == row["board"] and one.tip(span(row)[0]) is not None]
    assert any(arm.other if kind == "other_hand" else arm.guest for arm in arms)
    if kind != "partner_hand":
        (ply,) = [
            one for one in script.truth if one.get("san") and one["ply"] == row["ply"] and one["board"] == row["board"]
        ]
        assert ply["press"] == pytest.approx(row["time"], abs=2e-3)


def test_a_piece_behind_the_clock_is_in_no_pocket_and_is_dropped_all_the_same(game: Game) -> None:
    script, row = told(game, "behind_clock")
    owner = {"A": "B", "B": "A"}[named(row)]
    found = state(script, owner, span(row)[0] + 0.01)  # type: ignore[arg-type]
    assert str(row["piece"]) not in str(found["white"]) + str(found["black"])


def test_what_was_not_passed_on_is_not_taken_soon_either() -> None:
    """Boards are not written in step: the partner may have taken him by the time of the wrong drop."""
    (game,) = read("1A. e4 1B. e4 1b. Nf6 2B. e5 2b. a6 1a. e5 3B. exf6 3b. h6 2A. d4 *")
    plies = [ply for ply, _ in timed(game)]
    number = next(n for n, ply in enumerate(plies) if ply.san == "e5" and ply.board == "A")
    match = game.match.fresh()
    for ply in plies[:number]:
        match.push(ply.board, ply.move)
    wrong = DropNotHeld("drop_not_held").choices(match, plies[number], plies[number + 1 :])
    assert {move.drop for _, move in wrong} == {chess.BISHOP, chess.PAWN}


def test_what_cannot_be_is_said_in_one_line(game: Game) -> None:
    plies = [ply for ply, _ in timed(game)]
    for text, said in (
        ("flood@3", "'flood' is no irregularity"),
        ("fallen", "expected KIND@PLY"),
        ("fallen@0", "expected KIND@PLY"),
        ("promotion_unmarked@1", "give promotion_unmarked@A9"),
        ("fallen@A99", "cannot happen at that ply"),
    ):
        with pytest.raises(IrregularityError) as caught:
            planned([Wish.parse(text)], plies, game.match)
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)
    assert Wish.parse("fallen@b4") == Wish("fallen", "B", 4)
    assert str(Wish.parse("fallen@12")) == "fallen@12"


def test_a_truth_that_lies_is_caught(game: Game) -> None:
    script, row = told(game, "illegal_move")
    row["uci"] = "e2e4" if row["board"] == "A" else "e7e5"
    first = next(one for one in script.truth if one["kind"] == "move" and one["board"] == row["board"])
    row["ply"], row["seat"], row["time"] = 0, first["seat"], float(str(first["time"])) - 0.5
    row["uci"] = first["uci"]
    script.truth.sort(key=lambda one: float(str(one["time"])))
    with pytest.raises(TruthError):
        verify(script, Match())


def test_states_change_only_when_something_does(game: Game) -> None:
    script, _ = told(game, "nudge")
    for board in ("A", "B"):
        rows = [row for row in states(script) if row["board"] == board]
        assert rows[0]["placement"] == chess.STARTING_BOARD_FEN
        assert all({**one, "time": 0} != {**two, "time": 0} for one, two in pairwise(rows))
        last = chess.BaseBoard(str(rows[-1]["placement"]))
        assert last.occupied == game.match.board("A" if board == "A" else "B").occupied


@pytest.fixture(scope="module")
def renderer(open_renderer: Opener) -> Renderer:
    return open_renderer(SIZE)


CAMERA = ("camera_bumped", "camera_frozen", "camera_gone", "light_off")
ARMS = ("partner_hand", "partner_press", "other_hand")
UNSEEN = ("not_passed", "passed_late", *ARMS, *CAMERA)  # shown by where a hand goes, or in the next tests


@pytest.mark.parametrize("kind", [kind for kind in IRREGULARITIES if kind not in UNSEEN])
def test_its_pictures_show_it(game: Game, renderer: Renderer, kind: str) -> None:
    """Where it happens, the picture differs from the one of a match without it."""
    script, row = told(game, kind)
    plain = write_script(timed(game), HEIGHTS, np.random.default_rng(3), match=game.match.fresh())
    rng = np.random.default_rng(8)
    look = make_look(rng)
    stage = next(stage for stage in make_stages(look, rng, size=SIZE) if stage.board == row["board"])
    time = span(row)[0] + 0.02
    ply = int(str(row["ply"])) - (kind in ("substitution", "promotion_unmarked", "nudge"))
    told_plies = [one for one in plain.truth if one.get("ply") == ply and one["board"] == row["board"]]
    other = float(str(told_plies[-1]["time"])) + 0.02 if told_plies else 0.0
    pictures = [shown(one, stage, renderer, when) for one, when in ((script, time), (plain, other))]
    assert np.abs(pictures[0].astype(int) - pictures[1]).max() > 40


def shown(script: Script, stage: object, renderer: Renderer, time: float) -> NDArray[np.uint8]:
    """The pieces alone, without hands."""
    script = Script(script.things, [], script.truth, script.wanted, script.seconds, script.side)
    groups = bodies_at(script, stage, time)  # type: ignore[arg-type]
    bodies = [body for group in groups.values() for body in group]
    look, camera = stage.look, stage.camera  # type: ignore[attr-defined]
    return renderer.render(bodies, look.table, camera, look.room.lights, look.room.ambient, look.room.exposure)


@pytest.mark.parametrize("kind", CAMERA)
def test_cameras_that_fail(game: Game, renderer: Renderer, kind: str) -> None:
    plies = timed(game)[:6]
    match = game.match.replay((ply.board, ply.move) for ply, _ in plies)
    short = Game(match, clocks=[None] * len(match.plies))
    wish = Wish(kind, None, 2)
    script = write_script(timed(short), HEIGHTS, np.random.default_rng(3), wishes=[wish], match=Match())
    (fault,) = script.faults
    rng = np.random.default_rng(8)
    stage = next(s for s in make_stages(make_look(rng), rng, size=SIZE) if s.board in (fault.board, "A"))
    stage = stage if fault.board in (None, stage.board) else make_stages(stage.look, rng, size=SIZE)[1]
    frames = list(film(script, stage, 4, renderer, np.random.default_rng(1)))
    again = list(film(script, stage, 4, renderer, np.random.default_rng(1)))
    np.testing.assert_array_equal(frames, again, "the same seed, the same pixels")
    total = int(script.seconds * 4)
    start, end = int(fault.start * 4) + 1, int(fault.end * 4)
    if kind == "camera_gone":
        assert len(frames) == start < total
        return
    assert len(frames) == total
    if kind == "camera_frozen":
        assert all((frame == frames[start]).all() for frame in frames[start:end])
        assert (frames[start - 3] != frames[start]).any()
    elif kind == "light_off":
        assert frames[start].mean() < 0.5 * frames[0].mean() < frames[-1].mean()
    else:
        moved = np.abs(frames[-1].astype(int) - frames[0]).mean()
        assert moved > 2 * np.abs(frames[start - 2].astype(int) - frames[0]).mean()


def test_drawing_only_what_changes_gives_the_same_pictures(game: Game, renderer: Renderer) -> None:
    script = write_script(timed(game, 0.5), HEIGHTS, np.random.default_rng(3), match=game.match.fresh())
    rng = np.random.default_rng(12)
    look = make_look(rng)
    stage = make_stages(look, rng, size=SIZE)[0]
    going = Shots(stage, renderer)
    for time in np.arange(2.0, 14.0, 0.9):
        bodies = bodies_at(script, stage, float(time))
        fast = going.take(bodies, stage.camera).copy()
        np.testing.assert_array_equal(fast, Shots(stage, renderer).take(bodies, stage.camera), f"at {time:.1f} s")


def test_what_lies_beyond_the_lens_changes_nothing(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(12)
    stage = make_stages(make_look(rng), rng, size=SIZE)[0]
    camera = replace(stage.camera, bend=0.05)
    shots = Shots(stage, renderer)
    before = shots.take({}, camera).copy()
    # The pinhole sees further than the lens.
    beyond = 0 * whole(SIZE)
    beyond[0, SIZE[0] // TILE // 2] = 1
    monkeypatch.setattr("simulation.film.touched", lambda *_: beyond)
    np.testing.assert_array_equal(shots.take({}, camera), before)
