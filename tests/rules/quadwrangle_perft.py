"""Actions of the counter games counted to a depth, and checked against what other programs count.

    python tests/rules/quadwrangle_perft.py [--depth N]

Quad Wrangle's counts are Fairy-Stockfish's; depth 4 takes about a minute. It does not play Affollata: those counts,
from the chequer, are of a second generator of our own. Exit code 1 where a count differs.
"""

import argparse
import sys
import time

from rules.countermatch import GAMES
from rules.counters import CounterGame, Counters

REFERENCE: dict[tuple[CounterGame, str], tuple[int, ...]] = {
    ("quadwrangle", "adjacent"): (123, 13_730, 1_568_537, 166_816_254),
    ("quadwrangle", "opposite"): (123, 13_470, 1_540_374, 161_720_470),
    ("affollata", "chequer"): (112, 11_580, 1_117_996),
}


def perft(position: Counters, depth: int) -> int:
    """How many lines of so many plies there are. The last ply is counted, not played."""
    if depth == 1:
        return position.count_moves()
    return sum(perft(position.after(move), depth - 1) for move in position.legal_moves())


def main() -> int:
    """Print the counts; 0 if all are as they should be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", type=int, default=3, metavar="N", help="how deep to count (3)")
    wanted, wrong = parser.parse_args().depth, 0
    for (game, start), counts in REFERENCE.items():
        for depth, reference in enumerate(counts[:wanted], 1):
            began = time.perf_counter()
            found = perft(GAMES[game].start(start), depth)
            wrong += found != reference
            verdict = "as it should be" if found == reference else f"NOT {reference:,}"
            print(f"{game} {start} {depth}: {found:,} {verdict} ({time.perf_counter() - began:.2f} s)")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
