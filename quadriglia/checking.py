"""`check`: the referee for game records, one line a game."""

import json
from pathlib import Path
from typing import Any

from rich.console import Console

from quadriglia.errors import UserError
from quadriglia.gamefile import read_text
from quadriglia.matches import tell
from quadriglia.ruling import authority, sentence
from quadriglia.words import Words, words
from rules.check import Fault, Refereed, check
from rules.countermatch import GAMES
from rules.counterrecord import game_of
from rules.notation import Record, parse
from rules.profile import Profile
from rules.records import RecordError


def check_file(console: Console, say: Words, path: Path, profile: Profile | None, as_json: bool) -> int:
    """Referee every game of a file; 1 if anything was found, else 0. Raises UserError when there is no game in it."""
    code, count = 0, 0
    for count, record in enumerate(parse(read_text(path)), 1):
        if record.tags.get("Variant", "").lower() in GAMES:
            code = max(code, _check_counters(console, say, count, record, as_json))
            continue
        done = check(record, profile)
        code = max(code, int(done.word != "OK"))
        if as_json:
            print(json.dumps(game_json(count, done)), flush=True)
        else:
            tell(console, line(say, count, done))
    if not count:
        raise UserError("no_game", path=path)
    return code


def _check_counters(console: Console, say: Words, number: int, record: Record, as_json: bool) -> int:
    """A game with counters: it is read up to the first thing that is wrong. 1 if there is any, else 0."""
    fault, plies, result = "", 0, record.result
    try:
        game = game_of(record)
        plies, result = len(game.match.plies), game.outcome
    except RecordError as error:
        fault = str(error)
    word = "ILLEGAL" if fault else "OK"
    if as_json:
        errors = [{"board": "A", "ply": 0, "san": "", "rule": "laws", "reason": fault}] if fault else []
        row = {"game": number, "verdict": word, "plies": plies, "errors": errors, "result": result, "end": ""}
        print(json.dumps(row), flush=True)
    else:
        tell(console, f"{number:4}  {word:7}  " + (fault or f"{say.many('plies', plies)}  {result}"))
    return int(bool(fault))


def game_json(number: int, done: Refereed) -> dict[str, Any]:
    """One game as an object; reasons in English."""
    return {
        "game": number,
        "verdict": done.word,
        "plies": len(done.match.plies),
        "errors": [
            {
                "board": fault.board or "",
                "ply": fault.ply,
                "san": fault.san,
                "rule": fault.finding.rule,
                "reason": sentence(words("en"), fault.finding),
            }
            for fault in done.faults
        ],
        "result": done.record.result,
        "end": done.end,
    }


def line(say: Words, number: int, done: Refereed) -> str:
    """One game in words: how it ended, or the gravest thing found in it."""
    start = f"{number:4}  {done.word:7}  "
    if not done.faults:
        end = f"  {say(f'reason.{done.end}')}" if done.end else ""
        return f"{start}{say.many('plies', len(done.match.plies))}  {done.record.result}{end}"
    worst = next(fault for fault in done.faults if fault.finding.word == done.word)
    more = len(done.faults) - 1
    return start + _found(say, worst) + (f", {say.many('check.more', more)}" if more else "")


def _found(say: Words, fault: Fault) -> str:
    where = ""
    if fault.board:
        dots = "." if fault.ply % 2 else "..."
        where = f"{fault.board} {(fault.ply + 1) // 2}{dots} {fault.san}".rstrip() + ": "
    source = fault.finding.authority
    cited = f" ({authority(say, source)})" if fault.finding.dimension else ""
    return where + sentence(say, fault.finding) + cited
