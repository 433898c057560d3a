"""PGN, the record of games on one board."""

import re

import chess.pgn

from rules.notation import escaped
from rules.records import Game

OURS = ("Variant", "SetUp", "FEN")  # tags that the match itself determines
TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*")


def write(game: Game) -> str:
    """The game on board A as PGN; crazyhouse with its `Variant` tag, drops as `N@e5`, clocks as `[%clk]`."""
    match = game.match
    pgn = chess.pgn.Game()
    if match.start:
        pgn.setup(match.fresh().board("A"))
    # python-chess refuses odd tag names, which are no reason to lose a game, and leaves quotes as they are.
    tags = {
        name: escaped(" ".join(value.split()))
        for name, value in game.tags.items()
        if TAG_NAME.fullmatch(name) and name not in OURS
    }
    pgn.headers.update(tags | {"Result": game.result})
    if match.game == "crazyhouse":
        pgn.headers["Variant"] = "Crazyhouse"
    node: chess.pgn.GameNode = pgn
    regular = next((number for number, ply in enumerate(match.plies) if not ply.legal), len(match.plies))
    if match.settings:
        regular = min(regular, match.settings[0].after)
    for ply, clock in zip(match.plies[:regular], (game.clocks or [None] * len(match.plies))[:regular], strict=True):
        node = node.add_variation(ply.move)
        node.set_clock(clock)
    if regular < len(match.plies):  # PGN cannot say it: SAN's rules need legal moves
        node.comment = " ".join(["then, against the rules or set by hand:", *(p.san for p in match.plies[regular:])])
    if game.comment:
        node.comment = " ".join((node.comment, game.comment.replace("}", ")"))).strip()
    return f"{pgn}\n\n"
