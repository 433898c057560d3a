"""Plausible games of Quad Wrangle and Affollata: who turns many mostly does, and not always.

`python -m simulation.countergame --game quadwrangle --plies 40 --seed 1 > FILE` writes the record of one.
"""

import argparse
from typing import get_args

import chess
import numpy as np

from rules.countermatch import GAMES, CounterMatch
from rules.counterrecord import CounterRecord, write
from rules.counters import CounterGame, Counters

MOOD = 1.3  # how much what players fancy counts beside a counter more or less
SHUFFLED = "shuffled"  # a start of Affollata: 32 counters a side, anywhere


def main() -> None:
    """Print a game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=get_args(CounterGame), required=True)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", default="", help=f"by its name, or {SHUFFLED} for Affollata; else the usual one")
    options = parser.parse_args()
    print(write(random_record(options.game, options.plies, options.seed, options.start)), end="")


def random_record(game: CounterGame, plies: int, seed: int, start: str = "") -> CounterRecord:
    """A game of so many actions, or fewer where it is over before. `start`: a name in the game's `STARTS`, a position,
    or `shuffled`; if not given the first of `STARTS`. Raises ValueError for any other."""
    rng = np.random.default_rng(seed)
    start = shuffled(rng) if start == SHUFFLED and game == "affollata" else start
    match = CounterMatch(game, {"A": start or next(iter(GAMES[game].STARTS))})
    while len(match.plies) < plies and not match.is_over:
        match.push("A", choose(match.board(), rng))
    return CounterRecord(match, clocks=[None] * len(match.plies))


def shuffled(rng: np.random.Generator) -> str:
    """A full board of Affollata, as `Counters.from_fen` reads it."""
    letters = "".join(str(letter) for letter in rng.permutation([*"P" * 32, *"p" * 32]))
    return "/".join(letters[row : row + 8] for row in range(0, 64, 8)) + " w"


def choose(position: Counters, rng: np.random.Generator) -> chess.Move:
    """An action of the side to move, which must have one: mostly one that gains many counters."""
    moves = list(position.legal_moves())
    gains = [position.turned(move).bit_count() + 0.5 * bool(move.drop) for move in moves]
    return moves[int(np.argmax(gains + rng.gumbel(0, MOOD, len(moves))))]


if __name__ == "__main__":
    main()
