"""What can be made to go wrong in a simulated game of counters, each with its truth: `KIND@PLY`.

Nobody puts it right: the game goes on from what stands on the board, with actions of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import chess
import numpy as np

from rules.countermatch import CounterMatch
from rules.counters import PLACINGS, Counters
from rules.quadwrangle import queen
from simulation.countergame import choose
from simulation.irregular import IrregularityError, Wish


@dataclass(frozen=True, slots=True)
class Act:
    """An action as it is made, whatever the rules say. `turned`: the counters that change colour."""

    color: chess.Color
    move: chess.Move
    turned: chess.Bitboard


@dataclass(frozen=True, slots=True)
class Slip:
    """An irregular action. `left`: counters that had to be turned and were not, `extra`: the other way round."""

    kind: str
    left: chess.Bitboard
    extra: chess.Bitboard


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What will be played. `match`: with all its actions. `slips`: the irregular ones by number, from 1."""

    match: CounterMatch
    slips: dict[int, Slip]


Maker = Callable[[Counters, Sequence[chess.Move], np.random.Generator], Act | None]
"""Makes an irregular action of a position out of legal ones, in order of preference; None where it cannot be."""


def planned(match: CounterMatch, wishes: Sequence[Wish], rng: np.random.Generator) -> Plan:
    """The game with what is wished for. From the first irregular action on the others are drawn at random, as many as
    it had, or fewer where it is over before.

    Raises IrregularityError where something that is wished for cannot happen.
    """
    if not wishes:
        return Plan(match, {})
    by_ply: dict[int, Wish] = {}
    for wish in wishes:
        if wish.board == "B" or wish.ply > len(match.plies):
            raise IrregularityError(f"{wish}: the game has one board and {len(match.plies)} plies")
        if wish.ply in by_ply:
            raise IrregularityError(f"{wish}: that ply is {by_ply[wish.ply]} already; give another")
        by_ply[wish.ply] = wish
    going, slips = match.fresh(), dict[int, Slip]()
    for number, ply in enumerate(match.plies, 1):
        if going.is_over:
            break
        if number in by_ply:
            slips[number] = _slip(going, by_ply[number], None if slips else ply.move, match, rng)
        elif slips:
            going.push("A", choose(going.board(), rng))
        else:
            going.again(ply)
    if missed := by_ply.keys() - slips.keys():
        raise IrregularityError(f"{by_ply[min(missed)]}: the game is over before; give fewer or earlier ones")
    return Plan(going, slips)


def _slip(
    going: CounterMatch, wish: Wish, recorded: chess.Move | None, match: CounterMatch, rng: np.random.Generator
) -> Slip:
    """Play an irregular action, if it may be `recorded` done wrongly."""
    act = _made(going, wish.kind, recorded, rng)
    if act is None:
        where = _first(match, wish.kind)
        hint = f"give {wish.kind}@{where}" if where else "nor anywhere else in this game"
        raise IrregularityError(f"{wish}: cannot happen at that ply; {hint}")
    due = going.board().with_turn(act.color).turned(act.move)
    going.force("A", act.move, act.color, act.turned)
    return Slip(wish.kind, due & ~act.turned, act.turned & ~due)


def _made(going: CounterMatch, kind: str, recorded: chess.Move | None, rng: np.random.Generator) -> Act | None:
    position = going.board()
    if kind == "double_move":
        if not going.plies:
            return None
        position = position.with_turn(going.plies[-1].color)
    moves = list(position.legal_moves())
    moves = [moves[n] for n in rng.permutation(len(moves))]
    if recorded in moves:
        moves.insert(0, recorded)
    return COUNTER_IRREGULARITIES[kind](position, moves, rng)


def _first(match: CounterMatch, kind: str) -> int:
    """The first ply of a game at which something can happen, 0 for none."""
    going = match.fresh()
    for number, ply in enumerate(match.plies, 1):
        if _made(going, kind, ply.move, np.random.default_rng(0)) is not None:
            return number
        going.again(ply)
    return 0


def _not_turned(position: Counters, moves: Sequence[chess.Move], rng: np.random.Generator) -> Act | None:
    """One or more of those that must turn stay."""
    for move in moves:
        if due := position.turned(move):
            count = 1 if rng.random() < 0.6 else int(rng.integers(1, due.bit_count() + 1))
            return Act(position.turn, move, due & ~_some(due, count, rng))
    return None


def _wrongly_turned(position: Counters, moves: Sequence[chess.Move], rng: np.random.Generator) -> Act | None:
    """One that must turn stays, and another turns."""
    for move in moves:
        due = position.turned(move)
        if due and (others := _others(position, move, due, 2)):
            return Act(position.turn, move, due & ~_some(due, 1, rng) | _some(others, 1, rng))
    return None


def _turned_too_many(position: Counters, moves: Sequence[chess.Move], rng: np.random.Generator) -> Act | None:
    """All that must turn do, and others."""
    for least in (1, 0):  # rather where some must
        for move in moves:
            due = position.turned(move)
            if due.bit_count() >= least and (others := _others(position, move, due, 2)):
                return Act(position.turn, move, due | _some(others, 1 if rng.random() < 0.8 else 2, rng))
    return None


def _illegal_move(position: Counters, moves: Sequence[chess.Move], rng: np.random.Generator) -> Act | None:
    """Over a counter or along no line; in Affollata to an empty cell, or two cells away."""
    del moves
    choices = []
    for source in chess.scan_forward(position.own):
        reach = position.reach(source)
        if position.GAME == "affollata":
            lists = [position.empty & _near(source, 2), position.opposing & _near(source, 2) & ~reach]
        else:
            lists = [position.empty & queen(source, 0) & ~reach, position.empty & _near(source, 3) & ~queen(source, 0)]
        choices += [(number, source, cells) for number, cells in enumerate(lists) if cells]
    if not choices:
        return None
    number = choices[int(rng.integers(len(choices)))][0]
    choices = [choice for choice in choices if choice[0] == number]
    _, source, cells = choices[int(rng.integers(len(choices)))]
    move = chess.Move(source, chess.msb(_some(cells, 1, rng)))
    return Act(position.turn, move, position.turned(move))


def _illegal_drop(position: Counters, moves: Sequence[chess.Move], rng: np.random.Generator) -> Act | None:
    """A new counter takes the place of an opposing one."""
    del moves
    if position.GAME == "affollata" or not position.opposing:  # there no new counters come in
        return None
    move = PLACINGS[chess.msb(_some(position.opposing, 1, rng))]
    return Act(position.turn, move, position.turned(move))


def _double_move(position: Counters, moves: Sequence[chess.Move], rng: np.random.Generator) -> Act | None:
    """Who has just played plays again."""
    del moves
    if position.is_over:
        return None
    move = choose(position, rng)
    return Act(position.turn, move, position.turned(move))


def _others(position: Counters, move: chess.Move, due: chess.Bitboard, far: int) -> chess.Bitboard:
    """Counters near an action that it must not turn."""
    standing = position.forced(move, 0).occupied & ~chess.BB_SQUARES[move.to_square]
    return standing & ~due & _near(move.to_square, far)


def _near(cell: chess.Square, far: int) -> chess.Bitboard:
    """Cells at most so far away."""
    return sum(chess.BB_SQUARES[other] for other in chess.SQUARES if 0 < chess.square_distance(cell, other) <= far)


def _some(cells: chess.Bitboard, count: int, rng: np.random.Generator) -> chess.Bitboard:
    """So many of these at random, or all."""
    listed = list(chess.scan_forward(cells))
    return sum(chess.BB_SQUARES[listed[n]] for n in rng.permutation(len(listed))[:count])


COUNTER_IRREGULARITIES: dict[str, Maker] = {
    "not_turned": _not_turned,
    "wrongly_turned": _wrongly_turned,
    "turned_too_many": _turned_too_many,
    "illegal_move": _illegal_move,
    "illegal_drop": _illegal_drop,
    "double_move": _double_move,
}
"""Every irregularity of games with counters by the name that is given on the command line and stands in the truth."""
