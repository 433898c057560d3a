"""Games with counters, tracked: whole games, and what players do wrong. Hands hide the cells around theirs."""

import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest

from rules.countermatch import CounterMatch
from rules.counters import CounterGame, Counters, written
from rules.events import Event
from rules.observation import LABELS, Observation, labels_of
from rules.tracker import Tracker

STARTS = {"quadwrangle": "adjacent", "affollata": "chequer"}
FPS = 10
MORE = pytest.mark.thorough


class Table:
    """A game played before a tracker. `told`: its events. `covered`: cells that are hidden whatever is done."""

    def __init__(self, game: CounterGame, seed: int) -> None:
        self.match = CounterMatch(game, {"A": STARTS[game]})
        self.tracker = Tracker(self.match.fresh())
        self.told: list[Event] = []
        self.time = 0.0
        self.covered: chess.Bitboard = 0
        self.noise, self.choice = np.random.default_rng(seed), random.Random(seed)
        self.position: Counters = self.match.board()
        self.rest(2.0)

    def rest(self, seconds: float, hidden: chess.Bitboard = 0) -> None:
        """Time goes by, with a hand over some cells."""
        for _ in range(round(seconds * FPS)):
            self.time += 1 / FPS
            self.told += self.tracker.update(self.look(hidden))

    def look(self, hidden: chess.Bitboard) -> Observation:
        """What a good reader says."""
        hidden |= self.covered
        p = np.full((64, len(LABELS)), 0.002)
        p[np.arange(64), labels_of(self.position)] = 0.95
        p *= np.exp(self.noise.normal(0, 0.4, p.shape))
        seen = np.array([not hidden >> cell & 1 for cell in chess.SQUARES])
        squares = np.log(p / p.sum(1, keepdims=True)).astype(np.float32)
        return Observation("A", self.time, squares, seen, {}, bool(hidden), bool(hidden))

    def act(self, move: chess.Move, cells: chess.Bitboard | None = None, color: chess.Color | None = None) -> None:
        """Move, then turn one counter after the other: those of `cells`, or those that the rules turn."""
        position = self.position = self.position.with_turn(self.position.turn if color is None else color)
        turned = position.turned(move) if cells is None else cells
        self.rest(0.5, _around(move.from_square) | _around(move.to_square))
        done = 0
        self.position = position.forced(move, done)
        for cell in self.choice.sample(list(chess.scan_forward(turned)), turned.bit_count()):
            self.rest(0.4, _around(cell))
            done |= chess.BB_SQUARES[cell]
            self.position = position.forced(move, done)
            self.rest(0.2, _around(cell) if self.choice.random() < 0.7 else 0)
        if cells is None and color is None and position.is_legal(move):
            self.match.push("A", move)

    def turn(self, cells: chess.Bitboard) -> None:
        """Turn counters when the action was thought to be over."""
        self.rest(0.5, cells)
        now = self.position
        self.position = type(now)(now.white ^ cells, now.black ^ cells, now.turn)

    def alerts(self) -> list[str]:
        """Kinds of alerts that were not withdrawn."""
        gone = [(event.reason, event.time) for event in self.told if event.kind == "withdrawn"]
        return [e.reason for e in self.told if e.kind == "alert" and (e.reason, e.time) not in gone]

    def actions(self) -> list[str]:
        """What the tracker has recorded."""
        return [ply.san for ply in self.tracker.match.plies]


def _around(cell: chess.Square) -> chess.Bitboard:
    return chess.BB_KING_ATTACKS[cell] | chess.BB_SQUARES[cell]


def _some(table: Table, count: int) -> None:
    for _ in range(count):
        moves = sorted(table.position.legal_moves(), key=lambda move: -table.position.turned(move).bit_count())
        if not moves:
            return
        table.act(table.choice.choice(moves[:12]))
        table.rest(table.choice.uniform(0.6, 2.0))


@pytest.mark.parametrize("game", ["quadwrangle", pytest.param("affollata", marks=MORE)])
def test_a_game_is_followed(game: CounterGame) -> None:
    table = Table(game, 2)
    _some(table, 24)
    # Which of two counters has moved and which was turned cannot be told where both were hidden meanwhile.
    assert len(table.actions()) == len(table.match.plies)
    assert table.tracker.match.board() == table.position
    assert table.actions() == [ply.san for ply in table.match.plies] or game == "affollata"
    assert table.alerts() == []
    ends = [event for event in table.told if event.kind == "end"]
    assert [end.result for end in ends] == ([table.match.result] if table.match.is_over else [])


def _turning(table: Table, least: int) -> chess.Move:
    """An action that turns some counters."""
    return next(m for m in table.position.legal_moves() if table.position.turned(m).bit_count() >= least)


def _first(cells: chess.Bitboard) -> chess.Bitboard:
    return chess.BB_SQUARES[chess.lsb(cells)]


def _wrongs(table: Table) -> Iterator[tuple[str, chess.Move, chess.Bitboard]]:
    """What may be done wrong, with the counters that are turned."""
    position = table.position
    move = _turning(table, 2)
    must = position.turned(move)
    away = position.occupied & ~must & ~_around(move.to_square) & ~chess.BB_SQUARES[move.from_square]
    yield "not_turned", move, must & ~_first(must)
    yield "not_turned", move, 0
    yield "turned_too_many", move, must | _first(away)
    yield "wrongly_turned", move, must & ~_first(must) | _first(away)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("game", ["quadwrangle", pytest.param("affollata", marks=MORE)])
def test_counters_not_turned_as_they_must_be_are_told(game: CounterGame, number: int) -> None:
    table = Table(game, 5)
    _some(table, 3)
    kind, move, turned = list(_wrongs(table))[number]
    table.act(move, turned)
    after = table.position
    table.rest(4.0)
    assert table.alerts() == [kind]
    assert table.actions()[-1] == written(move, turned)
    table.match.force("A", move, None, turned)
    assert table.tracker.match.board() == after
    _some(table, 4)  # it goes on from what stands there
    table.rest(1.0)
    assert table.actions() == [ply.san for ply in table.match.plies]


def test_a_counter_turned_late_withdraws_the_alert() -> None:
    table = Table("quadwrangle", 6)
    _some(table, 4)
    move = _turning(table, 2)
    must = table.position.turned(move)
    table.act(move, must & ~_first(must))
    table.rest(4.0)
    assert table.alerts() == ["not_turned"]
    table.turn(_first(must))
    table.rest(4.0)
    assert table.alerts() == []
    assert table.actions()[-1] == written(move)


def test_a_slide_over_a_counter_is_told() -> None:
    table = Table("quadwrangle", 7)
    # From a4 along its rank beyond a counter that was placed in between.
    for cell in ("c4", "f6"):
        square = chess.parse_square(cell)
        table.act(chess.Move(square, square, drop=chess.PAWN))
        table.rest(1.0)
    table.act(chess.Move(chess.A4, chess.E4))
    table.rest(4.0)
    assert table.alerts() == ["illegal_move"]
    assert table.actions()[-1].startswith("a4-e4")


def test_a_counter_laid_on_another_is_told() -> None:
    table = Table("quadwrangle", 8)
    target = chess.G4
    position = table.position
    table.act(chess.Move(target, target, drop=chess.PAWN), position.turned(chess.Move(target, target, drop=chess.PAWN)))
    table.rest(4.0)
    assert table.alerts() == ["drop_occupied"]


@pytest.mark.parametrize("seed", [5, pytest.param(9, marks=MORE)])
def test_a_counter_laid_on_another_is_told_though_the_last_action_could_have_turned_it(seed: int) -> None:
    table = Table("quadwrangle", seed)
    _some(table, 4)
    table.rest(1.0)
    before = table.choice.choice(list(table.position.legal_moves()))
    old = table.position.own
    table.act(before)
    table.rest(8.0)
    beside = [cell for cell in chess.scan_forward(old) if 0 < chess.square_distance(cell, before.to_square) <= 2]
    target, other = next((a, b) for a in beside for b in beside if chess.square_distance(a, b) == 1)
    move, turned = chess.Move(target, target, drop=chess.PAWN), chess.BB_SQUARES[other]
    table.act(move, 0)
    table.turn(turned)
    table.rest(0.5, chess.BB_A1)  # the hand leaves across the board
    table.rest(4.0)
    assert table.alerts() == ["drop_occupied"]
    assert table.actions()[-1] == written(move, turned)


@pytest.mark.parametrize("game", ["quadwrangle", "affollata"])
def test_a_player_who_acts_twice_is_told(game: CounterGame) -> None:
    table = Table(game, 9)
    _some(table, 5)
    table.rest(1.0)
    color = not table.position.turn
    again = table.position.with_turn(color)
    table.act(_turning_of(again), color=color)
    table.rest(4.0)
    assert table.alerts() == ["two_moves"]


def _turning_of(position: Counters) -> chess.Move:
    return next(move for move in position.legal_moves() if position.turned(move).bit_count() >= 1)


def test_an_action_taken_back_is_told() -> None:
    table = Table("quadwrangle", 10)
    _some(table, 3)
    table.rest(1.0)
    before, actions = table.position, table.actions()
    move = _turning(table, 1)
    table.act(move)
    table.rest(2.0)
    table.rest(0.6, _around(move.to_square) | _around(move.from_square))
    table.position = before
    table.match.pop()
    table.rest(3.0)
    assert table.actions() == actions
    assert table.alerts() == ["take_back"]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=MORE)])
def test_a_counter_turned_and_turned_back_under_a_hand_is_no_irregularity(seed: int) -> None:
    table = Table("affollata", seed)
    _some(table, 4)
    table.rest(1.0)
    position = table.position
    one, two, both = next(
        (one, two, both)
        for one in position.legal_moves()
        for two in position.after(one).legal_moves()
        if (both := position.turned(one) & position.after(one).turned(two)) and one.to_square != two.to_square
    )
    table.covered = _first(both)
    table.act(one)
    table.rest(0.5)
    table.act(two)
    table.covered = 0
    table.rest(4.0)
    assert table.alerts() == []
    assert table.actions()[-2:] == [written(one), written(two)]


@pytest.mark.parametrize("seed", [0, pytest.param(3, marks=MORE)])
def test_a_step_too_long_is_told_where_the_action_before_had_turned_the_same_counters(seed: int) -> None:
    table = Table("affollata", seed)
    _some(table, 5)
    before = max(table.position.legal_moves(), key=lambda move: table.position.turned(move).bit_count())
    table.act(before)
    table.rest(0.2)
    position = table.position
    move = max(
        (
            chess.Move(start, end)
            for start in chess.scan_forward(position.own)
            for end in chess.scan_forward(position.opposing & _around(before.to_square))
            if chess.square_distance(start, end) == 2
        ),
        key=lambda move: (_around(move.to_square) & position.opposing).bit_count(),
    )
    turned = chess.BB_KING_ATTACKS[move.to_square] & position.opposing
    table.act(move, turned)
    table.rest(3.0)
    assert table.alerts() == ["illegal_move"]
    assert table.actions()[-2:] == [written(before, None), written(move, turned)]
