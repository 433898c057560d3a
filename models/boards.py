"""What boards of real games hold, and where it stands:
`python -m models.boards --chess FILE.pgn --bughouse FILE.bpgn --engines FILE.bpgn`.

Writes `boards.npz`, by which `vision/whole.py` reads a board as one. For the table there now: one ply in 16 of 24,000
games of `book_1.02.pgn`, drawn by lot (whole games, GNU Chess's opening book, in the public domain: Debian's source
package gnuchess-book), and every ply of 37 bughouse matches of people and 100 of engines.

A board is taken to be of one of some sorts, and what stands on a square to depend on nothing but its sort: a mixture of
products, fitted by expectation maximisation. Each sort is there in both colours.
"""

import argparse
import random
from io import StringIO
from pathlib import Path

import chess.pgn
import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS, labels_of
from rules.records import read
from vision.whole import FAINT, FINE, MOST, TABLE

Labels = NDArray[np.int64]
Floats = NDArray[np.float32]

GAMES, PLIES = 24_000, 16  # of chess: how many are looked at, and one ply in how many
SORTS = {"chess": 32, "bughouse": 6}
"""And as many in the other colour. Log-likelihoods of boards held back: of chess -50.3, -49.3, -48.4 with 16, 32 and 64
sorts, of people's bughouse -53.3, -50.0, -49.8 and -50.0 with 1, 3, 6 and 12."""
PEOPLE = 4  # boards of engines that count as one of people
SMOOTH = 20.0  # boards as all are, that each sort is held to have besides its own
ANYWHERE = 0.02  # share of what stands on a square that may as well stand on any
ROUNDS = 30
MIRROR = np.arange(64) ^ 56
SWAP = np.array([*range(6, 12), *range(6), EMPTY])  # labels, of the other colour


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chess", type=Path, required=True)
    parser.add_argument("--bughouse", type=Path, required=True)
    parser.add_argument("--engines", type=Path, required=True, help="more of bughouse, by which nothing is counted")
    options = parser.parse_args()
    played, people = boards_of_chess(options.chess), boards_of_bughouse(options.bughouse)
    engines = boards_of_bughouse(options.engines)
    found: dict[str, NDArray[np.float32] | NDArray[np.uint8]] = {}
    for game, counted, boards in (
        ("chess", played, played),
        ("bughouse", people, np.concatenate([*PEOPLE * [people], engines])),
    ):
        shares, places = fitted(boards, SORTS[game])
        found[f"{game}_counts"] = counts_of(counted)
        found[f"{game}_shares"] = shares
        found[f"{game}_places"] = np.clip(-np.log(places + FAINT) * FINE, 0, 255).round().astype(np.uint8)
        print(f"{game}: {len(counted)} boards counted, {len(boards)} sorted into {len(shares)}", flush=True)
    np.savez_compressed(TABLE, **found)  # type: ignore[arg-type]


def boards_of_chess(path: Path) -> Labels:
    """(n, 64) labels of a ply in `PLIES`, of `GAMES` games or all there are."""
    lot, found = random.Random(0), []
    records = path.read_text(encoding="latin-1").split("\n[Event ")[1:]
    for record in lot.sample(records, min(GAMES, len(records))):
        game = chess.pgn.read_game(StringIO(f"[Event {record}"))
        assert game
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
            if not lot.randrange(PLIES):
                found.append(labels_of(board))
    return np.array(found)


def boards_of_bughouse(path: Path) -> Labels:
    """(n, 64) labels, after every ply of the board that was played on."""
    found = []
    for game in read(path.read_text(encoding="utf-8")):
        match = game.match.fresh()
        for _, ply in game.match.onto(match):
            match.again(ply)
            found.append(labels_of(match.board(ply.board)))
    return np.array(found)


def counts_of(boards: Labels) -> Floats:
    """(6, 13) shares of boards and sides that have none to twelve men of a kind."""
    held = np.stack([(boards == label).sum(1) for label in range(EMPTY)], 1).reshape(-1, 2, 6)
    return np.stack([np.mean(held == count, (0, 1)) for count in range(MOST + 1)], 1).astype(np.float32)


def fitted(boards: Labels, sorts: int) -> tuple[Floats, Floats]:
    """(2 * sorts,) shares of the sorts of boards, and (2 * sorts, 64, 13) probabilities of labels on their squares."""
    lot = np.random.default_rng(0)
    ones = (boards[:, :, None] == np.arange(len(LABELS))).astype(np.float32)
    usual = ones.mean(0)
    usual = (usual + _mirrored(usual)) / 2
    usual = (1 - ANYWHERE) * usual + ANYWHERE * usual.mean(0)
    like = ones[lot.choice(len(ones), sorts, replace=False)]
    nearest = np.einsum("nsl,ksl->nk", ones, np.concatenate([like, _mirrored(like)]), optimize=True).argmax(1)
    likely = (nearest[:, None] == np.arange(2 * sorts)).astype(np.float32)
    for _ in range(ROUNDS):
        of_sort = likely.sum(0).reshape(2, sorts).sum(0)
        own, other = (np.einsum("nk,nsl->ksl", part, ones, optimize=True) for part in np.split(likely, 2, 1))
        places = (own + _mirrored(other) + SMOOTH * usual) / (of_sort[:, None, None] + SMOOTH)
        places, shares = np.concatenate([places, _mirrored(places)]), np.tile(of_sort / (2 * len(ones)), 2)
        nats = np.einsum("nsl,ksl->nk", ones, np.log(places + FAINT), optimize=True) + np.log(shares + FAINT)
        likely = np.exp(nats - np.logaddexp.reduce(nats, 1, keepdims=True))
    return shares, places


def _mirrored(places: Floats) -> Floats:
    """(..., 64, 13) seen from the other side."""
    return places[..., MIRROR, :][..., SWAP]


if __name__ == "__main__":
    main()
