"""Mutated game records by the million: the referee must neither fail nor hang, whatever a file holds.

    python tests/rules/fuzz.py [--cases N] [--seed S] [--processes P]

Every case takes a record of random play in one of the styles found in the wild, breaks it in a few places and has it
parsed, refereed under a random profile, read and written again. What is found is printed with its text; exit code 1.
"""

import argparse
import multiprocessing
import random
import sys
import time
import traceback
from collections import Counter

from rules import bpgn, pgn
from rules.check import check
from rules.match import Match
from rules.material import men
from rules.notation import parse
from rules.profiles import PROFILES
from rules.records import Game, RecordError, read

SLOW = 5.0  # seconds that no record of this size may take
PIECES = (
    "{", "}", "(", ")", "[", "]", '"', "\\", "\n", "\n\n", " ", "\r\n", "\t", "\x00", "\ufeff", ";", "%", "$146@",
    "$", "#", "1A.", "1a.", "2B.", "99b.", "00000A.", "9999999999999A.", "1.", "1...", "1-0", "0-1", "1/2-1/2", "*",
    "O-O", "O-O-O", "0-0", "--", "Z0", "@@@@", "K@e4", "P@a1", "P@h8", "@e4", "Q@e1#", "e8=K", "e8=Q", "exd6",
    "exd6e.p.", "a1a1", "Ke9", "Nb8c6", "e2-e4", "e2xe4", "Bb5+", "Rxe8++", "{180.0}", "{-1}", "{1e9}",
    "{[%clk 0:00:58.3]}", "{[%clk :::]}", "{[ts=58345]}", "{WA checkmated}", "{BlackB resigns}",
    "{x forfeits on time}", "{won on time}", '[Result "1-0"]', '[Result "2-0"]', '[RuleProfile "knsb"]',
    '[RuleProfile "none"]', '[RuleChanges "drop_castle=no, x"]', '[RuleChanges "promotion=substitution"]',
    '[RuleChanges "pawn_ranks=9-1"]', '[RuleChanges "drop_check=no"]', '[TimeControl "180+2"]', '[TimeControl "x"]',
    '[Variant "Crazyhouse"]', '[Variant "Atomic"]', '[SetUp "1"]', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]',
    '[FEN "4k3/8/8/8/8/8/8/4K3[QQ] w KQkq - 45 56 | x"]',
    '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/Kk w KQkq - 0 1"]',
    '[FEN "k7/6P1/8/8/8/8/r7/4K3[] w - - 1 1 | R5k1/5ppp/8/8/8/8/8/4K3[n] b - e3 1 1"]', "à", "♞", "\ud7ff",
)  # fmt: skip


def random_game(rng: random.Random, plies: int) -> Game:
    """Random play, some of it under a random profile, captures liked."""
    kind = rng.choice(["bughouse", "bughouse", "bughouse", "crazyhouse", "chess"])
    match = Match(kind, PROFILES[rng.choice(list(PROFILES))] if kind == "bughouse" else None)  # type: ignore[arg-type]
    for _ in range(plies):
        name = rng.choice(match.boards)
        moves = list(match.legal_moves(name))
        if moves:
            board = match.board(name)
            liked = [move for move in moves if move.drop or board.is_capture(move)]
            match.push(name, rng.choice(liked if liked and rng.random() < 0.6 else moves))
    clocks: list[float | None] = [180.0 - n for n in range(len(match.plies))] if rng.random() < 0.5 else []
    tags = {"Event": "fuzz", "WhiteA": 'A "quoted"', "TimeControl": "180+0"} if kind == "bughouse" else {"White": "x"}
    return Game(match, tags, clocks, rng.choice(["", "WA checkmated", "BlackB resigns"]), rng.choice(["1-0", "*"]))


def text_of(game: Game) -> str:
    """The game as this program writes it."""
    return bpgn.write(game) if game.match.game == "bughouse" else pgn.write(game)


def mutated(rng: random.Random, text: str) -> str:
    """The text with one to six things broken."""
    for _ in range(rng.randint(1, 6)):
        at, end = sorted(rng.choices(range(len(text) + 1), k=2))
        end = min(end, at + rng.randint(1, 40))
        way = rng.randrange(7)
        if way == 0:
            text = text[:at] + text[end:]
        elif way == 1:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif way == 2:
            text = text[:at] + " " + rng.choice(PIECES) + " " + text[end:]
        elif way == 3:
            text = text[:end] + text[at:end] * rng.randint(1, 3) + text[end:]
        elif way == 4 and at < len(text):
            text = text[:at] + rng.choice("abcdefghABCDEFGH12345678NBRQKPx@=+# .") + text[at + 1 :]
        elif way == 5:
            words = text.split(" ")
            one, two = rng.randrange(len(words)), rng.randrange(len(words))
            words[one], words[two] = words[two], words[one]
            text = " ".join(words)
        else:
            text = text[:at]
    return text


def try_one(text: str, rng: random.Random) -> list[str]:
    """Everything that is done with a record; the words it earned. Any exception but the announced ones is a finding."""
    profile = PROFILES[rng.choice(list(PROFILES))] if rng.random() < 0.5 else None
    found: list[str] = []
    for record in parse(text):
        done = check(record, profile)
        found.append(done.word)
        if not any(fault.finding.word == "ILLEGAL" for fault in done.faults):
            assert men(done.match) == men(done.match.fresh()) or done.match.game != "bughouse", "men lost or made"
    try:
        for game in read(text, profile):
            (again,) = read(text_of(game), profile)
            assert again.match.plies == game.match.plies, "read, written and read again differ"
    except RecordError as error:
        if not str(error).startswith("line "):
            raise AssertionError("an error names its line") from error
    return found


def run(job: tuple[int, int]) -> tuple[Counter[str], list[str]]:
    """So many cases from one seed."""
    seed, cases = job
    rng = random.Random(seed)
    words: Counter[str] = Counter()
    findings: list[str] = []
    texts: list[str] = []
    for number in range(cases):
        if number % 50 == 0:
            texts = [text_of(random_game(rng, rng.choice([2, 4, 8, 12, 12, 60]))) for _ in range(2)]
        text = mutated(rng, rng.choice(texts))
        start = time.perf_counter()
        try:
            words.update(try_one(text, rng) or ["nothing"])
        except Exception:
            findings.append(f"seed {seed} case {number}\n{text!r}\n{traceback.format_exc()}")
        if time.perf_counter() - start > SLOW:
            findings.append(f"seed {seed} case {number}: {time.perf_counter() - start:.1f} s\n{text!r}")
    return words, findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    share = 5_000
    jobs = [
        (chosen.seed * 1_000_000 + number, min(share, chosen.cases - number * share))
        for number in range(-(-chosen.cases // share))
    ]
    words: Counter[str] = Counter()
    total, done, start = 0, 0, time.monotonic()
    with multiprocessing.Pool(chosen.processes) as pool:
        for (_, cases), (more, findings) in zip(jobs, pool.imap(run, jobs), strict=True):
            words, total, done = words + more, total + len(findings), done + cases
            for finding in findings[:3]:
                print(finding, flush=True)
            if done % 100_000 == 0 or done == chosen.cases:
                minutes = (time.monotonic() - start) / 60
                print(f"{done} cases, {total} findings, {minutes:.1f} min: {dict(words)}", flush=True)
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
