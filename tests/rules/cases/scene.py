"""What the cases are built from: matches at a position under a profile, and referees over them."""

from typing import Any

import chess

from rules.match import Match
from rules.profiles import PROFILES, adapted
from rules.referee import Referee
from rules.reports import Made, Pressed
from rules.seats import BoardName
from rules.verdict import Verdict, Word

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq -"
ITALIAN = ("lampaquattro", "gallarate", "bivacco", "scacco-bratto")
WHITE, BLACK = chess.WHITE, chess.BLACK


def match(a: str = START, b: str = START, profile: str = "scacco-bratto", **changes: Any) -> Match:
    """A match whose boards stand at FENs; `changes` are fields set otherwise than the profile has them."""
    start: dict[BoardName, str] = {"A": f"{a} 0 1", "B": f"{b} 0 1"}
    return Match("bughouse", adapted(PROFILES[profile], changes), start)


def referee(a: str = START, b: str = START, profile: str = "scacco-bratto", **changes: Any) -> Referee:
    """A referee over such a match."""
    return Referee(match(a, b, profile, **changes))


def uci(text: str) -> chess.Move:
    """A move as `e2e4`, `e7e8q` or `N@e5`."""
    return chess.Move.from_uci(text)


def play(watch: Referee, *moves: str, time: float = 0.0) -> list[Verdict]:
    """Moves as `A:e2e4`, each made and its clock pressed; the findings on the last."""
    found: list[Verdict] = []
    for text in moves:
        board, _, move = text.partition(":")
        name: BoardName = "A" if board == "A" else "B"
        color = watch.match.board(name).turn
        found = watch.see(Made(name, uci(move), time))
        found += watch.see(Pressed(name, color, time))
    return found


def word(found: list[Verdict]) -> Word:
    """The first finding's word: the ruling."""
    return found[0].word


def named(found: list[Verdict], reason: str) -> Verdict:
    """The finding with a reason; fails where there is none."""
    (finding,) = [one for one in found if one.reason == reason]
    return finding
