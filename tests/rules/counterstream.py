"""Scripted games with counters, without a picture: `python -m tests.rules.counterstream [--games 20] [--first 0]
[--plies 40] [--wrong]`.

Hands and their pace are the simulator's; what they cover is not seen, and a good reader says what stands elsewhere.
`--wrong`: each game has five irregularities. Tells of each game that is not exact where it first is not, and the tally.
"""

import argparse
from collections.abc import Iterator
from typing import get_args

import numpy as np

from rules.countermatch import GAMES
from rules.counters import CounterGame
from rules.events import Event
from rules.observation import LABELS, Observation, labels_of
from rules.tracker import Tracker
from simulation.countergame import SHUFFLED, random_record
from simulation.counterproduce import counter_state, timed_turns
from simulation.counterset import make_counter_look
from simulation.counterstage import make_layout
from simulation.counterwriter import write_counter_script
from simulation.counterwrong import COUNTER_IRREGULARITIES, Plan, planned
from simulation.irregular import IrregularityError, Wish
from simulation.script import Script
from tests.rules.counterfilms import Tally, compare
from tests.rules.stream import LINGER, cover

FPS = 12
PLACES = range(3, 40, 4)  # plies at which something goes wrong


def script_of(game: CounterGame, seed: int, plies: int, wrong: bool) -> tuple[Plan, Script]:
    """A random game as hands play it, with `wrong` five times against the rules, each kind in its turn."""
    rng = np.random.default_rng(seed)
    start = SHUFFLED if game == "affollata" and seed % 2 else ""
    record = random_record(game, plies, seed, start)
    kinds = [kind for kind in COUNTER_IRREGULARITIES if game == "quadwrangle" or kind != "illegal_drop"]
    wishes: list[Wish] = []
    for number, place in enumerate(PLACES):
        wish = Wish(kinds[(5 * seed + number) % len(kinds)], None, place)
        try:
            planned(record.match, [*wishes, wish], np.random.default_rng(seed))
        except IrregularityError:
            continue
        wishes.append(wish)
    plan = planned(record.match, wishes[: 5 * wrong], np.random.default_rng(seed))
    layout = make_layout(rng, GAMES[game].SIZE)
    discs = make_counter_look(rng, layout.cells).discs
    turns = timed_turns(record, plan, rng, None)
    return plan, write_counter_script(plan.match.fresh().board(), turns, plan.slips, discs, layout, rng)


def looks(script: Script, plan: Plan, rng: np.random.Generator) -> Iterator[Observation]:
    """What a good reader says."""
    covered, kind = np.full(64, -1.0), GAMES[plan.match.game]
    squares = np.zeros((64, len(LABELS)), np.float32)
    for tick in range(int(script.seconds * FPS)):
        time = tick / FPS
        for gesture in script.gestures:
            cover(gesture, time, covered, {})
        position = kind.from_fen(f"{counter_state(script, kind, time)['placement']} w")
        p = np.full((64, len(LABELS)), 0.002)
        p[np.arange(64), labels_of(position)] = 0.95
        p *= np.exp(rng.normal(0, 0.4, p.shape))
        seen = time - covered > LINGER
        squares[seen] = np.log(p / p.sum(1, keepdims=True))[seen]
        yield Observation("A", time, squares.copy(), seen, {}, not seen.all(), not seen.all())


def main() -> None:
    """Print a line for each game that is not exact, and one over all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--plies", type=int, default=40)
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    for game in get_args(CounterGame):
        tally = Tally()
        for seed in range(options.first, options.first + options.games):
            plan, script = script_of(game, seed, options.plies, options.wrong)
            tracker, told = Tracker(plan.match.fresh()), list[Event]()
            for look in looks(script, plan, np.random.default_rng(seed)):
                told += tracker.update(look)
            told += tracker.finish(script.seconds)
            line = compare(plan.match, script.truth, tracker, told, tally)
            if line:
                print(f"{game} {seed}: {line}", flush=True)
        print(game, *tally.lines(), sep="\n  ")


if __name__ == "__main__":
    main()
