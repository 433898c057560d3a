"""Legal moves against Fairy-Stockfish (pyffish) on positions from random play with reserves.

Intended differences, each its own test: a dropped rook may castle where the profile says so, and what the profile
forbids is left out. Mate and stalemate are not taken from the engine: it counts a check that the partner could help
against as lost, and a stalemate too.
"""

import random
from collections.abc import Iterator

import chess
import pytest

from rules.match import Match
from rules.profiles import PROFILES
from rules.seats import BOARDS, BoardName

pyffish = pytest.importorskip("pyffish", reason="needs pyffish (extra dev)")


def positions(
    profile: str, count: int, seed: int, plies: int = 240, fen: str = ""
) -> Iterator[tuple[Match, BoardName]]:
    """Positions of random play on both boards, drops and captures preferred so that reserves fill."""
    rng = random.Random(seed)
    while True:
        match = Match("bughouse", PROFILES[profile], dict.fromkeys(BOARDS, fen) if fen else None)
        for _ in range(rng.randrange(plies // 10, plies)):
            name = rng.choice(match.boards)
            yield match, name
            count -= 1
            moves = list(match.legal_moves(name))
            if not count or not moves:
                break
            board = match.board(name)
            liked = [move for move in moves if move.drop or move.promotion or board.is_capture(move)]
            match.apply(name, rng.choice(liked if liked and rng.random() < 0.5 else moves))
        if not count:
            return


def engine_moves(board: chess.Board) -> set[str]:
    return set(pyffish.legal_moves("bughouse", board.fen(), []))


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.thorough)])
def test_legal_moves_agree_with_the_engine(count: int) -> None:
    dropping = 0
    for match, name in positions("fatics", count, seed=1):
        ours = {move.uci() for move in match.legal_moves(name)}
        assert ours == engine_moves(match.board(name)), match.board(name).fen()
        dropping += any("@" in uci for uci in ours)
    assert dropping > count / 3, "enough positions with something to drop"


def test_the_only_difference_of_a_dropped_rook_is_castling() -> None:
    castlings = 0
    fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[RRrr] w KQkq - 0 1"
    for match, name in positions("scacco-bratto", 1_000, seed=2, plies=40, fen=fen):
        plain = match.board(name).copy(stack=False)
        plain.castling_rights = 0  # the engine knows no right that came with a drop
        ours, theirs = {move.uci() for move in match.legal_moves(name)}, engine_moves(plain)
        assert theirs <= ours
        assert ours - theirs <= {"e1g1", "e1c1", "e8g8", "e8c8"}, plain.fen()
        castlings += len(ours - theirs)
    assert castlings > 10, "the difference occurs"


@pytest.mark.parametrize("profile", ["knsb", "mso", "amatveiakin"])
def test_a_profile_only_takes_drops_away(profile: str) -> None:
    fewer = 0
    for match, name in positions(profile, 500, seed=3):
        ours = {move.uci() for move in match.legal_moves(name)}
        missing = {uci for uci in engine_moves(match.board(name)) - ours if "@" in uci}
        board = match.board(name).copy(stack=False)
        for uci in missing:
            drop = chess.Move.from_uci(uci)
            if profile == "amatveiakin":
                rank = chess.square_rank(drop.to_square)
                assert drop.drop == chess.PAWN
                assert rank == (6 if board.turn == chess.WHITE else 1)
            else:
                board.push(drop)
                assert board.is_check()
                board.pop()
        assert {move for move in ours if "@" in move} <= engine_moves(match.board(name))
        fewer += len(missing)
    assert fewer
