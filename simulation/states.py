"""What really stands where: the truth of every frame, and its check against the rules."""

from collections.abc import Callable, Iterator
from functools import partial

import chess

from calibration.view import pockets_beside
from rules.judge import judge
from rules.match import Match
from rules.material import standing_men
from rules.seats import BOARDS, BoardName
from simulation.script import Row, Script

FORBIDDEN = (
    "illegal_move", "illegal_castling", "late_en_passant", "promoted_twice", "king_in_check", "two_moves",
    "out_of_turn", "drop_occupied", "drop_wrong_rank", "drop_not_held",
)  # fmt: skip
"""Irregularities that the rules must call illegal."""


class TruthError(AssertionError):
    """The truth of a simulated match contradicts itself or the rules."""


def state(script: Script, board: BoardName, time: float) -> Row:
    """What stands on a board and in its pockets at one time; what is in a hand stands nowhere.

    `placement`: FEN of the squares by where bases stand, promoted pieces as the pawns they are. `lying`: squares of
    pieces that lie. `white`, `black`: letters of what stands in the pocket of that colour, whoever's men they are.
    """
    squares = chess.BaseBoard.empty()
    lying: list[str] = []
    pockets = {chess.WHITE: "", chess.BLACK: ""}
    for thing in script.things:
        place = thing.at(time)
        if place is None or place[0] != board:
            continue
        _, x, y, lies = place
        if 0 <= x < 8 and 0 <= y < 8:
            square = chess.square(int(x), int(y))
            squares.set_piece_at(square, thing.piece)
            lying += [chess.square_name(square)] if lies else []
        for color, region in pockets_beside(script.side).items():
            if region.holds(x, y):
                pockets[color] += thing.piece.symbol()
    return {
        "kind": "state",
        "board": board,
        "placement": squares.board_fen(),
        "lying": sorted(lying),
        "white": "".join(sorted(pockets[chess.WHITE])),
        "black": "".join(sorted(pockets[chess.BLACK])),
        "time": round(time, 3),
    }


def states(script: Script) -> Iterator[Row]:
    """A row whenever anything changes: a frame shows the last one at or before its time."""
    for board in BOARDS:
        yield from changes(script, partial(state, script, board))


def changes(script: Script, look: Callable[[float], Row]) -> Iterator[Row]:
    """What `look` finds at the times at which it differs from before."""
    times = {0.0}
    for thing in script.things:
        times |= {time for time, *_ in thing.stays} | set(thing.leaves)
    before: Row = {}
    for time in sorted(time for time in times if time >= 0):
        row = look(time)
        if {**row, "time": 0} != {**before, "time": 0}:
            yield row
            before = row


def verify(script: Script, start: Match) -> None:
    """Check the truth against the rules: every ply legal and on the board as it is let go, every irregularity one.

    Raises TruthError.
    """
    match = start.fresh()
    for row in script.truth:
        if row["kind"] in ("move", "drop"):
            name: BoardName = "A" if row["board"] == "A" else "B"
            match.push(name, chess.Move.from_uci(str(row["uci"])))
            _compare(script, match, name, row)
        elif row["kind"] == "irregularity" and row["irregularity"] in FORBIDDEN:
            name = "A" if row["board"] == "A" else "B"
            color = str(row["seat"]).startswith("White")
            at = match.without_last(name, match.count(name) - int(str(row["ply"])))
            finding = judge(at, name, chess.Move.from_uci(str(row["uci"])), color)[0]
            if finding.word != "ILLEGAL":
                raise TruthError(f"{row}: the rules say {finding.word}, {finding.reason}")


def _compare(script: Script, match: Match, name: BoardName, row: Row) -> None:
    board = match.board(name)
    wanted = chess.BaseBoard.empty()
    for square, man in standing_men(board):
        wanted.set_piece_at(square, man)
    found = chess.BaseBoard(str(state(script, name, float(str(row["time"])) + 1e-3)["placement"]))
    for square in chess.SQUARES:
        if found.piece_at(square) != wanted.piece_at(square) and not _replaced(script, row):
            raise TruthError(f"{row}: {chess.square_name(square)} holds {found.piece_at(square)}")


def _replaced(script: Script, row: Row) -> bool:
    """Whether a promoted pawn was replaced by another piece on this board before."""
    replaced = [one for one in script.truth if one.get("irregularity") == "substitution"]
    return any(one["board"] == row["board"] and float(str(one["time"])) <= float(str(row["time"])) for one in replaced)
