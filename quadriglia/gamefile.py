"""The game record as text: BPGN for two boards, PGN for one.

No clock times are written: the players' clocks are not read, and times guessed from the video would pass for them.
"""

import rules.bpgn as bpgn
import rules.pgn as pgn
from rules.match import Match
from rules.records import Game

TAGS = {"Annotator": "Quadriglia"}


def game_text(match: Match, result: str) -> str:
    """The record of what was played so far; `result` as in BPGN, `*` while there is none."""
    game = Game(match, dict(TAGS), result=result)
    return bpgn.write(game) if match.game == "bughouse" else pgn.write(game)
