"""The same looks as if filmed once more: some lost, readings a little otherwise, hands a little longer.

What is told of a film by a hair is told otherwise the next time: of looks disturbed so, as many irregularities are told
as of films that were never looked at before. A film can so be looked at as often as wanted.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import chess
import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS, Observation, PocketObservation
from vision.closer import normal

LOST = 0.07  # share of looks that are left out
OTHERWISE = 0.4  # nats by which a reading differs,
FLATTER = 0.5  # and log-odds that a man lies,
ASIDE, ASIDE_BESIDE = 0.015, 0.02  # and squares by which a base is seen elsewhere, on the board and beside it
LONGER, LONGER_BESIDE = 0.15, 0.25  # seconds for which a hand hides a square longer, at most, and a reserve

Floats = NDArray[np.float32]


@dataclass(slots=True)
class _Squares:
    """One board's, as they were read last and as that was disturbed."""

    read: Floats = field(default_factory=lambda: np.full((64, len(LABELS)), np.nan, np.float32))
    squares: Floats = field(default_factory=lambda: np.zeros((64, len(LABELS)), np.float32))
    flatter: Floats = field(default_factory=lambda: np.zeros(64, np.float32))
    aside: Floats = field(default_factory=lambda: np.zeros((64, 2), np.float32))
    hidden: NDArray[np.float64] = field(default_factory=lambda: np.full(64, -np.inf))  # until when


@dataclass(slots=True)
class _Pocket:
    """One pocket, likewise."""

    read: Floats = field(default_factory=lambda: np.full((0, len(LABELS)), np.nan, np.float32))
    pieces: Floats = field(default_factory=lambda: np.zeros((0, len(LABELS)), np.float32))
    aside: Floats = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    hidden: float = -np.inf


def disturbed(looks: Iterator[Observation], rng: np.random.Generator) -> Iterator[Observation]:
    """The looks of a film, drawn anew by `rng`."""
    boards: dict[str, _Squares] = {}
    pockets: dict[tuple[str, chess.Color], _Pocket] = {}
    for look in looks:
        if rng.random() < LOST:
            continue
        board = boards.setdefault(look.board, _Squares())
        _read_otherwise(board, look, rng)
        board.hidden = np.where(look.seen, board.hidden, look.time + rng.uniform(0, LONGER))
        beside = {
            color: _beside(pockets.setdefault((look.board, color), _Pocket()), pocket, look.time, rng)
            for color, pocket in look.pockets.items()
        }
        yield replace(
            look,
            squares=board.squares.copy(),
            seen=look.seen & (look.time >= board.hidden),
            pockets=beside,
            lying=look.lying + board.flatter,
            offsets=look.offsets + board.aside,
        )


def _read_otherwise(board: _Squares, look: Observation, rng: np.random.Generator) -> None:
    new = (look.squares != board.read).any(1)
    count = int(new.sum())
    board.squares[new] = normal(look.squares[new] + rng.normal(0, OTHERWISE, (count, len(LABELS))))
    board.flatter[new], board.aside[new] = rng.normal(0, FLATTER, count), rng.normal(0, ASIDE, (count, 2))
    board.read = look.squares


def _beside(last: _Pocket, pocket: PocketObservation, time: float, rng: np.random.Generator) -> PocketObservation:
    if not pocket.seen:
        last.hidden = time + rng.uniform(0, LONGER_BESIDE)
    if not np.array_equal(last.read, pocket.pieces):
        last.read, last.pieces = pocket.pieces, pocket.pieces.copy()
        men = pocket.pieces[:, :EMPTY]  # that somebody stands there is as sure as it was
        there = np.logaddexp.reduce(men, 1, keepdims=True)
        last.pieces[:, :EMPTY] = normal(men + rng.normal(0, OTHERWISE, men.shape)) + there
        last.aside = rng.normal(0, ASIDE_BESIDE, pocket.centres.shape).astype(np.float32)
    return replace(
        pocket, pieces=last.pieces, centres=pocket.centres + last.aside, seen=pocket.seen and time >= last.hidden
    )
