"""BPGN, the record of bughouse: both boards in one line of moves, `1A. e4 {180.0} 1a. e5 {178.2} 1B. d4 {179.9} ...`.

Written is `{58.3}` for clocks and `P@e4` for drops, which other programs import. Tags of our own: `RuleProfile` names
the profile, `RuleChanges` what was changed in it. So is `{[%setup A FEN]}` where the arbiter has set a position.
"""

import textwrap

from rules.board import ReserveBoard
from rules.match import Match
from rules.notation import escaped
from rules.profile import changes
from rules.profiles import PROFILES, SCACCO_BRATTO
from rules.records import Game
from rules.seats import BOARDS

OURS = ("RuleProfile", "RuleChanges", "SetUp", "FEN")
"""Tags that the match itself determines."""


def write(game: Game) -> str:
    """The record as text, wrapped, ending in an empty line."""
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??"} | dict.fromkeys(
        ("WhiteA", "BlackA", "WhiteB", "BlackB"), "?"
    )
    tags |= {name: value for name, value in game.tags.items() if name not in OURS}
    tags |= {"Result": game.result} | _own_tags(game.match)
    header = "".join(f'[{name} "{escaped(value)}"]\n' for name, value in tags.items())
    words, settings = [], list(game.match.settings)
    for index, (ply, clock) in enumerate(
        zip(game.match.plies, game.clocks or [None] * len(game.match.plies), strict=True)
    ):
        words += [f"{{[%setup {s.board} {s.fen}]}}" for s in settings if s.after == index]
        who = ply.board if ply.color else ply.board.lower()
        words.append(f"{(ply.number + 1) // 2}{who}. {ply.san}" + ("" if clock is None else f" {{{_seconds(clock)}}}"))
    words += _settings(game.match, len(game.match.plies))
    if game.comment:
        words.append("{" + game.comment.replace("}", ")") + "}")
    words.append(game.result)
    return header + "\n" + textwrap.fill(" ".join(words), 100, break_long_words=False, break_on_hyphens=False) + "\n\n"


def _settings(match: Match, after: int) -> list[str]:
    """The positions that were set after so many plies."""
    return [f"{{[%setup {setting.board} {setting.fen}]}}" for setting in match.settings if setting.after == after]


def _seconds(clock: float) -> str:
    """To the millisecond, as the standard has it, and with at least one decimal: `58.345`, `180.0`."""
    whole, _, part = f"{clock:.3f}".partition(".")
    return f"{whole}.{part.rstrip('0') or '0'}"


def _own_tags(match: Match) -> dict[str, str]:
    profile = match.profile
    tags = {"RuleProfile": profile.name}
    if changed := changes(profile, PROFILES.get(profile.name, SCACCO_BRATTO)):
        tags["RuleChanges"] = changed
    if match.start:
        # As given: python-chess would drop a castling right without its rook, which says that the king never moved.
        fens = (match.start.get(name, ReserveBoard.starting_fen) for name in BOARDS)
        tags |= {"SetUp": "1", "FEN": " | ".join(fens)}
    return tags
