"""The game record as text: BPGN for two boards, PGN for one.

No clock times are written: the players' clocks are not read, and times guessed from the video would pass for them.
"""

from pathlib import Path

import rules.bpgn as bpgn
import rules.pgn as pgn
from quadriglia.errors import UserError
from rules.match import Match
from rules.records import Game

TAGS = {"Annotator": "Quadriglia"}


def game_text(match: Match, result: str) -> str:
    """The record of what was played so far; `result` as in BPGN, `*` while there is none."""
    game = Game(match, dict(TAGS), result=result)
    return bpgn.write(game) if match.game == "bughouse" else pgn.write(game)


def read_text(path: Path) -> str:
    """A game file's text. Old records are no UTF-8, and one odd letter in a name is no reason to refuse them.

    Raises UserError where there is no such file.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError("no_file", path=path) from error
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
