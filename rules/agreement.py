"""What the good lines of play have in common, and what of it has been seen."""

import operator

import chess

from rules.beam import RATHER, STRAINED, Beam
from rules.history import NEW, History
from rules.irregular import Illegal, TakenBack, has_illegal
from rules.lines import LEFT, Line, as_much, in_common, rather

MARGIN = 1.5  # nats by which a line must beat those that disagree


def agreed_plies(beam: Beam, best: Line) -> tuple[chess.Move, ...]:
    """The first plies that all lines near the best have in common, or all of these that go on from what was told."""
    agreed, told = best.known(), beam.told.moves
    goes_on = in_common(agreed, told) == len(told)
    # What is against the rules is only thought of when nothing else explains all that shows.
    complete = has_illegal(agreed[len(told) :])
    regular = not complete and best.left <= LEFT and best.strain < beam.told.strain + STRAINED
    for other in beam.lines:
        if complete and not as_much(other, best):
            continue
        if (regular and has_illegal(other.moves)) or beam.plies.as_good(other, best):
            continue
        clear = RATHER if complete and rather(other, best) else MARGIN
        if other.total > best.total - clear and (not goes_on or in_common(other.moves, told) == len(told)):
            agreed = agreed[: in_common(agreed, other.moves, same=forbidden_alike if complete else operator.eq)]
    return agreed


def forbidden_alike(one: chess.Move, other: chess.Move) -> bool:
    """Whether two plies are the same, or drops against the rules that differ in kind only."""
    forbidden = isinstance(one, Illegal) and isinstance(other, Illegal) and one.color == other.color
    return one == other or (forbidden and but_for_kind(one, other))


def but_for_kind(one: chess.Move, other: chess.Move) -> bool:
    """Whether two plies are the same, or drops that differ in kind only."""
    drops = bool(one.drop and other.drop) and isinstance(one, Illegal) == isinstance(other, Illegal)
    return one == other or (drops and one.to_square == other.to_square)


def shown(history: History, line: Line, best: Line) -> bool:
    """Whether every square that the last ply of `line`, with which `best` begins, changed has been seen changed."""
    assert line.parent is not None
    for square, held in line.contents.items():
        before = line.parent.contents.get(square, (NEW + square,))
        if held != before and not history.shown(square, before, best.contents[square]):
            return False
    return True


def rivals(beam: Beam) -> list[Line]:
    """The two best lines that say that something was played beyond what was told, and differ in that."""
    told, found = beam.told.moves, list[Line]()
    for line in sorted(beam.lines, key=lambda line: -line.total):
        goes_on = line.known()
        if len(goes_on) <= len(told) or in_common(goes_on, told) < len(told):
            continue
        if all(goes_on[len(told)] != other.moves[len(told)] for other in found):
            found.append(line)
    return found[:2]


def sans(beam: Beam, line: Line) -> list[str]:
    """The plies of a line beyond what was told, in SAN; up to the first that nobody has seen."""
    told = len(beam.told.moves)
    if in_common(line.moves, beam.told.moves) < told:
        return []
    return [_san(beam, ply) for ply in line.path()[told : len(line.known())]]


def _san(beam: Beam, line: Line) -> str:
    move, before = line.moves[-1], line.parent
    assert before is not None
    if isinstance(move, TakenBack):
        return f"({chess.square_name(move.from_square)}-{chess.square_name(move.to_square)})"
    return beam.plies.written(before.board, move)
