"""PGN, the record of games on one board."""

import chess
import chess.pgn

from rules.match import Match


def write(match: Match, tags: dict[str, str], result: str) -> str:
    """The game on board A as PGN; crazyhouse with its `Variant` tag, drops as `N@e5`."""
    game = chess.pgn.Game()
    if match.game == "crazyhouse":
        game.headers["Variant"] = "Crazyhouse"
    game.headers.update(tags | {"Result": result})
    node: chess.pgn.GameNode = game
    for ply in match.plies:
        node = node.add_variation(ply.move)
    return f"{game}\n\n"
