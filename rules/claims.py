"""What the words of a record say about its end: `WA checkmated`, `BlackB resigns`, `Anna ha vinto per il tempo`."""

import re
from dataclasses import dataclass

import chess

from rules.notation import Record
from rules.seats import Player, seat, won


@dataclass(frozen=True, slots=True)
class Claim:
    """What the record's own words say about the end. `result`, `loser`: empty where they name nobody."""

    text: str
    how: str
    result: str
    loser: str


HOW = {
    "checkmate": re.compile(r"checkmate|\bmate[sd]?\b|scacco matto", re.IGNORECASE),
    "time": re.compile(r"on time|time ?out|out of time|time forfeit|\bflag|per il tempo|tempo scaduto", re.IGNORECASE),
    "resignation": re.compile(r"resign|abbandon", re.IGNORECASE),
    "stalemate": re.compile(r"stalemate|stallo", re.IGNORECASE),
    "repetition": re.compile(r"repetition|ripetizione", re.IGNORECASE),
    "insufficient": re.compile(r"insufficient|insufficiente", re.IGNORECASE),
    "agreement": re.compile(r"agree|accordo|drawn?\b|patta", re.IGNORECASE),
}
DRAWN = ("stalemate", "repetition", "insufficient", "agreement")
LOSES = re.compile(
    r"(resign\w*|forfeit\w*|checkmated|mated|los[te]\w*|ran|runs|abbandona\w*|perde|perso|flagged|flag|tempo)$", re.I
)
WINS = re.compile(r"(wo?ins?|won|winner|vince|vinto|vincono|checkmates|mates|gives|dà)$", re.IGNORECASE)
SEATS: dict[str, Player] = {seat(name, color): (name, color) for name in ("A", "B") for color in chess.COLORS}


def claimed_end(record: Record) -> Claim | None:
    """What the last comment or the `Termination` tag says; None where neither says anything about the end."""
    for text in (record.comment, record.tags.get("Termination", "")):
        how = next((how for how, pattern in HOW.items() if pattern.search(text)), None)
        if how:
            return Claim(text, how, *_winner(text, _names(record)))
    return None


def _names(record: Record) -> dict[str, Player]:
    """Every name that means a player."""
    if not record.two_boards:
        players: dict[str, Player] = {"White": ("A", chess.WHITE), "Black": ("A", chess.BLACK)}
    else:
        players = SEATS | {name[0] + name[-1]: player for name, player in SEATS.items()}
    tags = [(record.tags.get(tag, "?"), player) for tag, player in players.items()]
    return players | {name: player for name, player in tags if name not in ("", "?")}


def _winner(text: str, names: dict[str, Player]) -> tuple[str, str]:
    """Result and loser's seat by what is said right after a name; empty where that is not said of one player."""
    results, losers = set(), set()
    for name, (board, color) in names.items():
        for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            after = re.findall(r"\w+", text[found.end() : found.end() + 60])[:4]
            for word in after:
                if LOSES.match(word) or WINS.match(word):
                    lost = bool(LOSES.match(word))
                    results.add(won(board, not color if lost else color))
                    losers |= {seat(board, color)} if lost else set()
                    break
    return (results.pop() if len(results) == 1 else ""), (losers.pop() if len(losers) == 1 else "")
