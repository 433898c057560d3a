"""What the rules cost: a match against python-chess's CrazyhouseBoard alone, side by side in one run.

    python tests/rules/bench.py [--rounds N]

One unit of work is the legal moves of both boards with full reserves, and one move applied and taken back on each.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable

import chess
import chess.variant

from rules.match import Match
from rules.profiles import PROFILES
from rules.seats import BOARDS

FENS = (
    "r1bqkb1r/ppp2ppp/2n1pn2/3p4/3P4/2N1PN2/PPP2PPP/R1BQKB1R[QRBNPPqrbnpp] w KQkq - 0 6",
    "r1b1kb1r/pppp1ppp/4p1P1/8/3pN3/5N2/PPnK1PPP/3R1B1R[QRBNPPqrbnpp] b kq - 1 15",
)


def alone() -> Callable[[], None]:
    """Two crazyhouse boards that know nothing of each other."""
    boards = [chess.variant.CrazyhouseBoard(fen) for fen in FENS]

    def work() -> None:
        for board in boards:
            moves = list(board.legal_moves)
            board.push(moves[len(moves) // 2])
            board.pop()

    return work


def together(profile: str) -> Callable[[], None]:
    """The same positions as a match under a profile."""
    match = Match("bughouse", PROFILES[profile], dict(zip(BOARDS, FENS, strict=True)))

    def work() -> None:
        for name in BOARDS:
            moves = list(match.legal_moves(name))
            match.apply(name, moves[len(moves) // 2])
            match.pop()

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300)
    rounds = parser.parse_args().rounds
    works = {"CrazyhouseBoard": alone()} | {name: together(name) for name in ("scacco-bratto", "fatics", "knsb", "mso")}
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):  # taking turns, so that a noisy machine is noisy for all
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
    plain = times["CrazyhouseBoard"]
    for name, taken in times.items():
        ratio = statistics.median(one / other for one, other in zip(taken, plain, strict=True))
        row = {"board": name, "median_ms": round(1000 * statistics.median(taken), 3), "ratio": round(ratio, 2)}
        print(json.dumps(row | {"rounds": rounds}))


if __name__ == "__main__":
    main()
