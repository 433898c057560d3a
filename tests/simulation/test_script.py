"""Hands and pieces of a scripted match; nothing is rendered."""

from collections import Counter
from pathlib import Path

import chess
import numpy as np
import pytest

from calibration.view import Side, pockets_beside
from rules.match import Match
from rules.records import Game, read
from rules.seats import BOARDS
from simulation.film import make_camera
from simulation.produce import in_order, timed
from simulation.script import Script, Thing
from simulation.states import states, verify
from simulation.writer import Writer, write_script

SAMPLE = Path(__file__).parents[2] / "quadriglia" / "sample" / "truth.bpgn"
HEIGHTS = dict.fromkeys(chess.PIECE_TYPES, 1.0)


@pytest.fixture(scope="module")
def game() -> Game:
    return next(read(SAMPLE.read_text()))


@pytest.fixture(scope="module")
def script(game: Game) -> Script:
    return write_script(timed(game, 2.2), HEIGHTS, np.random.default_rng(4))


def test_every_ply_is_played_in_the_order_of_its_board(game: Game, script: Script) -> None:
    for board in BOARDS:
        rows = [row for row in script.truth if row["board"] == board and "uci" in row]
        assert [row["uci"] for row in rows] == [ply.move.uci() for ply in game.match.plies if ply.board == board]
        releases = [float(str(row["time"])) for row in rows]
        assert releases == sorted(releases)
        assert all(float(str(row["start"])) < float(str(row["time"])) for row in rows)


def test_what_stands_at_the_end_is_the_last_position(game: Game, script: Script) -> None:
    for board in BOARDS:
        standing = {}
        beside: Counter[str] = Counter()
        for thing in script.things:
            place = thing.at(script.seconds)
            assert place is not None, "nothing is left in a hand"
            name, x, y, _ = place
            if name == board and x < 8:
                standing[int(y) * 8 + int(x)] = thing.piece
            elif name == board:
                beside[thing.piece.symbol()] += 1
        assert standing == game.match.board(board).piece_map()
        pocket = Counter(
            {
                chess.Piece(kind, color).symbol(): count
                for color in chess.COLORS
                for kind, count in game.match.pocket(board, color).items()
            }
        )
        assert beside == pocket


def with_a_pawn() -> tuple[Writer, int, Thing]:
    """A writer, and the slot of a pawn in White's reserve on board A."""
    writer = Writer(HEIGHTS, np.random.default_rng(0), 0.0, Match(), "h", 0.0)
    number, x, y = writer.slot("A", chess.WHITE, 1.0)
    thing = writer.thing(chess.Piece.from_symbol("P"), 1.0, "A", x, y)
    writer.pocket["A", chess.WHITE][number], writer.arrival[id(thing)] = thing, 1.0
    return writer, number, thing


def test_nothing_is_put_where_another_still_stands() -> None:
    writer, number, thing = with_a_pawn()
    assert writer.from_pocket("A", chess.WHITE, chess.PAWN, 2.0) is thing  # the other board may be written later
    assert writer.slot("A", chess.WHITE, 4.0)[0] != number
    thing.leaves.append(5.0)
    assert writer.slot("A", chess.WHITE, 4.0)[0] != number
    assert writer.slot("A", chess.WHITE, 6.0)[0] == number


def test_a_man_who_was_dropped_wrongly_comes_back_to_where_he_stood() -> None:
    writer, number, thing = with_a_pawn()
    thing.leaves += [2.0, 9.0]  # and is put back at 5
    writer.from_pocket("A", chess.WHITE, chess.PAWN, 8.0)
    assert writer.slot("A", chess.WHITE, 4.0)[0] != number
    assert writer.slot("A", chess.WHITE, 9.5)[0] == number


def test_reserves_stand_beside_a_board_with_a_wide_edge() -> None:
    writer = Writer(HEIGHTS, np.random.default_rng(0), 0.0, Match(), "h", 0.9)
    region = pockets_beside("h")[chess.BLACK]
    for _ in range(9):
        number, x, y = writer.slot("A", chess.BLACK, 1.0)
        writer.pocket["A", chess.BLACK][number] = writer.thing(chess.Piece.from_symbol("p"), 1.0, "A", x, y)
        assert 8.9 + 0.25 < x < region.x1 + 0.2
        assert region.y0 < y < region.y1


def test_pockets_may_lie_beside_the_a_file(game: Game) -> None:
    script = write_script(timed(game, 2.2), HEIGHTS, np.random.default_rng(4), side="a")
    verify(script, game.match)
    beside = {x for thing in script.things for _, _, x, _, _ in thing.stays if not 0 <= x <= 8}
    assert beside
    assert all(-3.2 < x < -0.4 for x in beside)
    rows = list(states(script))
    for board in BOARDS:
        last = [row for row in rows if row["board"] == board][-1]
        for color, key in ((chess.WHITE, "white"), (chess.BLACK, "black")):
            held = game.match.pocket(board, color)
            letters = "".join(chess.Piece(kind, color).symbol() * count for kind, count in held.items())
            assert last[key] == "".join(sorted(letters))


@pytest.mark.parametrize("height", [45.0, 66.0, 88.0])
@pytest.mark.parametrize("side", ["h", "a"])
def test_a_camera_sees_the_board_and_its_pockets(height: float, side: Side) -> None:
    rng = np.random.default_rng(2)
    for color in chess.COLORS:
        camera = make_camera(rng, color, height, side, (1280, 720))
        regions = pockets_beside(side).values()
        points = [(x, y, 0.0) for region in regions for x in (region.x0, region.x1) for y in (region.y0, region.y1)]
        pixels = camera.project([*points, (0, 0, 0), (0, 8, 0), (8, 0, 0), (8, 8, 0)])
        assert (pixels > 0).all()
        assert (pixels < (1280, 720)).all()
        assert np.ptp(pixels[:, 1]) > 380, "and no more than that"


def test_a_piece_is_dropped_only_after_it_was_handed_over(script: Script) -> None:
    for thing in script.things:
        times = [stay[0] for stay in thing.stays]
        assert times == sorted(times)
        for leave, stay in zip(thing.leaves, thing.stays[1:], strict=True):
            assert leave < stay[0]


def test_an_arm_does_one_thing_at_a_time(script: Script) -> None:
    for gesture in script.gestures:
        times = [key[0] for key in gesture.keys]
        assert times == sorted(times)
        middle = (times[0] + times[-1]) / 2
        tip = gesture.tip(middle)
        assert tip is not None
        assert tip.shape == (3,)
        assert gesture.tip(times[-1] + 0.1) is None


def test_the_record_follows_the_hands(game: Game, script: Script) -> None:
    written = in_order(game, script)
    assert len(written.match.plies) == len(game.match.plies)
    assert written.result == game.result
