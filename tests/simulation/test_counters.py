"""Games with two-colour counters: hands and counters of a script, and a picture."""

import json
from itertools import pairwise
from pathlib import Path

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.countermatch import GAMES
from rules.counterrecord import CounterRecord, read
from rules.counters import CounterGame
from simulation.countergame import SHUFFLED, random_record
from simulation.counterproduce import counter_state, produce_counters, timed_turns, verify_counters
from simulation.counterset import CounterLook, Discs
from simulation.counterstage import make_counter_stage, make_layout
from simulation.counterstill import Still, make_stage, still
from simulation.counterwriter import write_counter_script
from simulation.counterwrong import COUNTER_IRREGULARITIES, Plan, planned
from simulation.film import bodies_at
from simulation.irregular import IrregularityError, Wish
from simulation.produce import Filming
from simulation.scene import HOLD
from simulation.script import Gesture, Row, Script, Thing
from simulation.states import TruthError
from tests.simulation.conftest import Opener

GAMES_SEEN: tuple[CounterGame, ...] = ("quadwrangle", "affollata")
PLIES = 24
SIZE = (320, 180)


def record(game: CounterGame, seed: int = 0) -> CounterRecord:
    return random_record(game, PLIES, seed, SHUFFLED if game == "affollata" and seed % 2 else "")


def discs(two_sided: bool) -> Discs:
    return Discs(0.42, 0.2, two_sided)


def written(game: CounterRecord, wishes: list[Wish], two_sided: bool, seed: int = 5) -> tuple[Script, Plan]:
    rng = np.random.default_rng(seed)
    layout = make_layout(rng, GAMES[game.match.game].SIZE)
    plan = planned(game.match, wishes, rng)
    start = plan.match.fresh().board()
    plies = timed_turns(game, plan, rng, None)
    return write_counter_script(start, plies, plan.slips, discs(two_sided), layout, rng), plan


def actions(script: Script) -> list[Row]:
    return [row for row in script.truth if row["kind"] in ("move", "drop")]


def number(row: Row, key: str) -> float:
    return float(str(row[key]))


@pytest.mark.parametrize("game", GAMES_SEEN)
@pytest.mark.parametrize("two_sided", [True, False])
def test_counters_stand_as_the_game_has_them(game: CounterGame, two_sided: bool) -> None:
    for seed in (0, 1, 14):  # at the last a player answers while the other still brings counters to the heap
        script, plan = written(record(game, seed), [], two_sided, seed)
        verify_counters(script, plan.match)
        last = counter_state(script, type(plan.match.board()), script.seconds)
        assert last["placement"] == plan.match.board().fen().split()[0]
        rows = actions(script)
        assert [row["ply"] for row in rows] == list(range(1, len(plan.match.plies) + 1))
        for row, ply in zip(rows, plan.match.plies, strict=True):
            assert number(row, "start") < number(row, "time") <= number(row, "done") < number(row, "press")
            cells = row["turned"]
            assert isinstance(cells, list)
            assert sorted(map(chess.parse_square, cells)) == list(chess.scan_forward(ply.turned))
        for one, two in pairwise(rows):
            assert number(one, "done") < number(two, "time")
            assert number(one, "press") <= number(two, "press")


def test_turns_take_as_long_as_people_need() -> None:
    taken, gaps, early = [], [], 0
    for seed in range(4):
        script, _ = written(record("affollata", seed), [], True, seed)
        rows = actions(script)
        taken += [
            (number(row, "done") - number(row, "time")) / len(cells)
            for row in rows
            if isinstance(cells := row["turned"], list) and cells
        ]
        gaps += [number(two, "press") - number(one, "press") for one, two in pairwise(rows)]
        early += sum(number(two, "start") < number(one, "done") for one, two in pairwise(rows))
    assert 0.35 < np.quantile(taken, 0.1) < np.median(taken) < 0.7
    assert 4 < np.median(gaps) < 9
    assert 0 < early < len(gaps) / 2


def test_times_of_the_record_are_kept() -> None:
    game = record("quadwrangle", 1)
    game.clocks = [300.0 - 11 * (number // 2 + 1) for number in range(PLIES)]
    plan = planned(game.match, [], np.random.default_rng(0))
    ends = [time for _, time in timed_turns(game, plan, np.random.default_rng(0), None)]
    assert np.allclose(np.diff(ends)[2:], 11.0)  # what the clocks began with nobody told
    assert np.diff([time for _, time in timed_turns(game, plan, np.random.default_rng(0), 6.0)]).max() < 6.001


@pytest.mark.parametrize("game", GAMES_SEEN)
@pytest.mark.parametrize("two_sided", [True, False])
def test_counters_do_not_go_through_each_other(game: CounterGame, two_sided: bool) -> None:
    script, _ = written(record(game, 1), [Wish("illegal_move", None, 9)], two_sided)
    shape = discs(two_sided)
    for time in np.arange(0.0, script.seconds, 0.04):
        standing = np.array([place[1:3] for thing in script.things if (place := thing.at(time))])
        apart = np.linalg.norm(standing[:, None] - standing[None], axis=-1) + 9 * np.eye(len(standing))
        assert apart.min() > 2 * shape.radius
        for gesture in script.gestures:
            for thing in held(gesture, time):
                x, y, z = gesture.tip(time)  # type: ignore[misc]
                bottom = z - HOLD * shape.height
                bottom -= shape.radius * min(bottom / shape.lift, 1.0)  # it hangs on edge
                under = np.linalg.norm(standing - (x, y), axis=-1) < 1.9 * shape.radius
                assert not under.any() or bottom > shape.height, f"{thing.piece} at {time:.2f}"


def held(gesture: Gesture, time: float) -> list[Thing]:
    found = [thing for start, end, thing in gesture.held if start <= time < end]
    assert len(found) <= 1, "a hand shows one counter"
    return found


@pytest.mark.parametrize("game", GAMES_SEEN)
@pytest.mark.parametrize("kind", COUNTER_IRREGULARITIES)
def test_irregular_actions_are_told_and_stand(game: CounterGame, kind: str) -> None:
    if (game, kind) == ("affollata", "illegal_drop"):
        with pytest.raises(IrregularityError, match="cannot happen at that ply; nor anywhere"):
            written(record(game), [Wish(kind, None, 7)], True)
        return
    for seed in range(4):
        script, plan = written(record(game, seed), [Wish(kind, "A", 7)], seed % 2 == 0, seed)
        verify_counters(script, plan.match)
        (row,) = [one for one in script.truth if one["kind"] == "irregularity"]
        assert (row["irregularity"], row["ply"], row["time"]) == (kind, 7, row["until"])
        assert [ply.number for ply in plan.match.plies if not ply.legal] == [7]
        assert len(plan.match.plies) == PLIES
        ply = plan.match.plies[6]
        action = actions(script)[6]
        assert row["seat"] == action["seat"] == ("WhiteA" if ply.color else "BlackA")
        assert number(action, "time") <= number(row, "time") <= number(action, "press")
        assert (number(row, "time") == number(action, "press")) == (kind == "not_turned"), "he may still turn it before"
        before = plan.match.without_last(count=PLIES - 6).board()
        due = before.with_turn(ply.color).turned(ply.move)
        slip = plan.slips[7]
        assert (slip.left, slip.extra) == (due & ~ply.turned, ply.turned & ~due)
        as_due = {
            "not_turned": slip.left and not slip.extra,
            "wrongly_turned": slip.left.bit_count() == slip.extra.bit_count() == 1,
            "turned_too_many": slip.extra and not slip.left,
        }
        assert as_due.get(kind, not slip.left and not slip.extra)
        assert before.with_turn(ply.color).is_legal(ply.move) == (kind in {*as_due, "double_move"})
        assert (before.turn != ply.color) == (kind == "double_move")
        later = counter_state(script, type(before), number(row, "time") + 1e-3)["placement"]
        wrong = chess.scan_forward(slip.extra)
        shown = type(before).from_fen(str(later))
        assert all(shown.color_at(cell) != before.color_at(cell) for cell in wrong), (
            "they show what they were turned to"
        )


def test_several_irregularities_of_one_game() -> None:
    wishes = [Wish(kind, None, 3 + 3 * n) for n, kind in enumerate(COUNTER_IRREGULARITIES)]
    script, plan = written(record("quadwrangle", 3), wishes, False)
    verify_counters(script, plan.match)
    told = [(row["irregularity"], row["ply"]) for row in script.truth if row["kind"] == "irregularity"]
    assert told == [(wish.kind, wish.ply) for wish in wishes]


def test_a_truth_that_lies_is_caught() -> None:
    script, plan = written(record("quadwrangle", 3), [], True)
    script.things[0].stays[0] = (-1.0, "A", -5.0, -5.0, False)
    with pytest.raises(TruthError):
        verify_counters(script, plan.match)


def test_what_cannot_be_is_said() -> None:
    match = record("quadwrangle").match
    for wishes, said in (
        ([Wish("double_move", None, 1)], "give double_move@2"),
        ([Wish("not_turned", None, 99)], "the game has one board and 24 plies"),
        ([Wish("not_turned", "B", 2)], "the game has one board and 24 plies"),
        ([Wish("not_turned", None, 4), Wish("double_move", "A", 4)], "that ply is not_turned@4 already"),
    ):
        with pytest.raises(IrregularityError, match=said):
            planned(match, wishes, np.random.default_rng(0))


def test_games_are_plausible() -> None:
    turned = [ply.turned.bit_count() for seed in range(5) for ply in record("quadwrangle", seed).match.plies]
    assert {0, 1, 2, 3, 4, 5} <= set(turned)
    kinds = {bool(ply.move.drop) for ply in record("quadwrangle").match.plies}
    assert kinds == {True, False}
    one, two = (random_record("affollata", 1, seed, SHUFFLED).match.fresh().board() for seed in (1, 2))
    assert one.score == two.score == (32, 32)
    assert one != two


@pytest.mark.parametrize("game", GAMES_SEEN)
def test_a_production_leaves_the_truth(game: CounterGame, open_renderer: Opener, tmp_path: Path) -> None:
    open_renderer((32, 32))  # or there is none to be had
    wishes = [Wish("wrongly_turned", None, 6)]
    production = produce_counters(record(game, 1), tmp_path, 3, Filming(), wishes)
    assert [stage.board for stage in production.stages] == ["A"]
    (told,) = read((tmp_path / "truth.pgn").read_text())
    rows = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    states = [row for row in rows if row["kind"] == "state"]
    assert states[-1]["placement"] == told.match.board().fen().split()[0]
    assert states[0]["placement"] == told.match.fresh().board().fen().split()[0]
    assert [row["san"] for row in rows if row["kind"] in ("move", "drop")] == [ply.san for ply in told.match.plies]
    assert "~" in told.match.plies[5].san
    assert [row["irregularity"] for row in rows if row["kind"] == "irregularity"] == ["wrongly_turned"]
    again = tmp_path / "again"
    produce_counters(record(game, 1), again, 3, Filming(), wishes)
    assert (again / "truth.jsonl").read_text() == (tmp_path / "truth.jsonl").read_text()


@pytest.mark.parametrize("game", GAMES_SEEN)
def test_a_still_shows_the_position(game: CounterGame, open_renderer: Opener) -> None:
    renderer = open_renderer(SIZE)
    position = random_record(game, 20, 2).match.board()
    stage = make_stage(2, position.SIZE, SIZE)
    shown, bare = (still(stage, one, renderer, 4) for one in (position, type(position)(0, 0)))
    corners = shown.view.corners()
    assert ((corners > 0) & (corners < SIZE)).all()
    assert list(np.flatnonzero(shown.labels > 0)) == list(chess.scan_forward(position.white))
    assert list(np.flatnonzero(shown.labels < 0)) == list(chess.scan_forward(position.black))
    colours, changes = patches(shown), np.abs(patches(shown) - patches(bare)).max(1)
    cells = np.array(list(chess.scan_forward(position.CELLS)))
    labels = shown.labels[cells]
    white, black = (colours[labels == label].mean(0) for label in (1, -1))
    assert white.mean() > black.mean()
    nearer = np.linalg.norm(colours - black, axis=1) > np.linalg.norm(colours - white, axis=1)
    assert (nearer == (labels > 0))[labels != 0].mean() > 0.95
    assert np.median(changes[labels != 0]) > 40
    assert np.median(changes[labels == 0]) < 20
    other = GAMES["affollata" if game == "quadwrangle" else "quadwrangle"]
    with pytest.raises(ValueError, match="no room"):
        still(stage, other(0, 0), renderer)


def patches(shown: Still) -> NDArray[np.float64]:
    """(cells, 3) mean colours around the middles of cells."""
    side = shown.view.side
    middles = shown.view.to_image([(n % 8 + 0.5, n // 8 + 0.5) for n in range(64) if n % 8 < side and n // 8 < side])
    return np.array([shown.picture[y - 1 : y + 2, x - 1 : x + 2].mean((0, 1)) for x, y in middles.astype(int)])


@pytest.mark.parametrize("seed", [1, 8])
def test_films_draw_counters_in_hand(seed: int) -> None:
    """While it is lifted a counter is off its cell, and in the picture: a two-sided one with both its sides."""
    rng = np.random.default_rng(seed)
    layout = make_layout(rng, 7)
    stage = make_counter_stage(rng, layout, SIZE)
    look = stage.look
    assert isinstance(look, CounterLook)
    game = record("quadwrangle")
    plies = timed_turns(game, Plan(game.match, {}), rng, None)
    script = write_counter_script(game.match.fresh().board(), plies, {}, look.discs, layout, rng)
    gesture = next(one for one in script.gestures if one.held)
    start, end, thing = gesture.held[0]
    time = (start + end) / 2
    (arm,) = [
        bodies
        for key, bodies in bodies_at(script, stage, time).items()
        if isinstance(key, tuple) and id(gesture) in key
    ]
    sides = [body.colour for body in arm[2:]]  # after skin and sleeve
    assert len(sides) == len(set(sides)) == (2 if look.discs.two_sided else 1)
    assert look.discs.two_sided == (seed == 8)
    assert thing.at(time) is None
