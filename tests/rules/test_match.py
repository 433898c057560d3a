"""The bughouse rules, with every trap of python-chess's crazyhouse board that we know of."""

from collections import Counter

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.draws import Fifty, fifty, repetition
from rules.match import IllegalMoveError, Match


def played(*words: str, game: str = "bughouse") -> Match:
    """A match from words like `A:e4`."""
    match = Match(game)  # type: ignore[arg-type]
    for word in words:
        board, san = word.split(":")
        match.push(board, match.parse_san(board, san))  # type: ignore[arg-type]
    return match


def test_a_captured_piece_goes_to_the_partner_and_keeps_its_colour() -> None:
    match = played("A:e4", "A:d5", "A:exd5")
    assert match.plies[-1].passed == chess.PAWN
    assert match.pocket("B", chess.BLACK) == Counter({chess.PAWN: 1})
    assert not match.pocket("A", chess.WHITE)


def test_a_drop_empties_the_pocket() -> None:
    match = played("A:e4", "A:d5", "A:exd5", "B:e4", "B:P@e6")
    assert match.plies[-1].san == "P@e6"
    assert not match.pocket("B", chess.BLACK)
    assert match.board("B").piece_at(chess.E6) == chess.Piece(chess.PAWN, chess.BLACK)


def test_an_illegal_drop_raises_and_changes_nothing() -> None:
    match = played("A:e4")
    before = match.board("A").fen()
    with pytest.raises(IllegalMoveError, match="BlackA"):
        match.push("A", chess.Move.from_uci("N@e5"))
    assert match.board("A").fen() == before
    assert len(match.plies) == 1


@pytest.mark.parametrize("rank", ["1", "8"])
def test_a_pawn_is_never_dropped_on_a_last_rank(rank: str) -> None:
    match = played("A:h4", "A:g5", "A:hxg5", "A:h5", "A:g6", "A:h4", "A:gxf7+", "A:Kxf7", "A:Rxh4", "A:Rxh4", "B:a3")
    assert match.pocket("B", chess.BLACK)[chess.PAWN] == 3
    for file in "abcdefgh":
        assert not match.is_legal("B", chess.Move.from_uci(f"P@{file}{rank}"))


def test_a_promoted_piece_is_passed_on_as_a_pawn() -> None:
    match = played("A:h4", "A:g5", "A:hxg5", "A:h6", "A:gxh6", "A:a6", "A:h7", "A:a5", "A:hxg8=Q", "A:Rxg8")
    assert match.plies[-2].san == "hxg8=Q"
    assert match.plies[-1].passed == chess.PAWN
    assert match.pocket("B", chess.WHITE)[chess.PAWN] == 1
    assert match.pocket("B", chess.WHITE)[chess.QUEEN] == 0


def test_san_feeds_nobody() -> None:
    match = played("A:e4", "A:d5")
    move = match.parse_san("A", "exd5")
    for _ in range(3):
        assert match.san("A", move) == "exd5"
    assert not match.pocket("B", chess.BLACK)
    assert match.board("A").fen().startswith("rnbqkbnr/ppp1pppp/8/3p4/4P3")


def test_a_check_that_a_passed_piece_could_block_is_no_mate() -> None:
    # Back rank: the black king has no flight and nothing to block with now.
    match = Match()
    match.board("A").set_fen("6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1")
    ply = match.push("A", chess.Move.from_uci("a1a8"))
    assert ply.san == "Ra8+"
    assert not list(match.legal_moves("A"))
    assert not match.is_mate("A")


@pytest.mark.parametrize(
    ("fen", "uci", "why"),
    [
        ("6rk/6pp/8/6N1/8/8/8/4K3[] w - - 0 1", "g5f7", "a knight cannot be blocked"),
        ("7k/5K1p/8/8/8/8/8/Q7[] w - - 0 1", "a1g7", "next to the king nothing fits in between"),
    ],
)
def test_mate_that_no_drop_parries(fen: str, uci: str, why: str) -> None:
    match = Match()
    match.board("A").set_fen(fen)
    assert match.push("A", chess.Move.from_uci(uci)).san.endswith("#"), why
    assert match.is_mate("A")


def test_take_back_of_one_board_empties_the_partners_pocket() -> None:
    match = played("A:e4", "A:d5", "B:d4", "A:exd5")
    back = match.without_last("A")
    assert not back.pocket("B", chess.BLACK)
    assert [ply.san for ply in back.plies] == ["e4", "d5", "d4"]
    assert match.pocket("B", chess.BLACK)[chess.PAWN] == 1


def test_no_take_back_of_a_capture_whose_piece_was_dropped() -> None:
    match = played("A:e4", "A:d5", "B:d4", "A:exd5", "B:P@e4")
    with pytest.raises(IllegalMoveError, match="P@e4"):
        match.without_last("A")


def test_crazyhouse_feeds_the_capturer_and_chess_nobody() -> None:
    assert played("A:e4", "A:d5", "A:exd5", game="crazyhouse").pocket("A", chess.WHITE) == Counter({chess.PAWN: 1})
    assert not played("A:e4", "A:d5", "A:exd5", game="chess").pocket("A", chess.WHITE)


def total(match: Match) -> Counter[tuple[bool, int]]:
    """All material on boards and in pockets, promoted pieces as the pawns they were."""
    count: Counter[tuple[bool, int]] = Counter()
    for name in match.boards:
        board = match.board(name)
        for square, piece in board.piece_map().items():
            promoted = bool(board.promoted & chess.BB_SQUARES[square])
            count[piece.color, chess.PAWN if promoted else piece.piece_type] += 1
        for color in chess.COLORS:
            for kind, number in match.pocket(name, color).items():
                count[color, kind] += number
    return count


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 10_000)), max_size=120))
@settings(max_examples=40)
def test_material_is_conserved_and_copies_are_independent(choices: list[tuple[bool, int]]) -> None:
    match = Match()
    start = total(match)
    for first, number in choices:
        name = match.boards[0 if first else 1]
        moves = sorted(match.legal_moves(name), key=chess.Move.uci)
        if not moves:
            continue
        before, frozen = match.copy(), [match.board(b).fen() for b in match.boards]
        match.push(name, moves[number % len(moves)])
        assert [before.board(b).fen() for b in before.boards] == frozen
    assert total(match) == start
    replayed = match.replay((ply.board, ply.move) for ply in match.plies)
    assert [replayed.board(b).fen() for b in match.boards] == [match.board(b).fen() for b in match.boards]


def counted(fen: str, *moves: str) -> Match:
    match = Match("bughouse", None, {"A": fen})
    for move in moves:
        match.push("A", chess.Move.from_uci(move))
    return match


def test_positions_differ_by_castling_rights_and_en_passant() -> None:
    kings = "r3k3/8/8/8/8/8/8/R3K3[] w Qq - 0 1"
    dance = ("a1b1", "a8b8", "b1a1", "b8a8")
    assert repetition(counted(kings, *dance, *dance), "A").without_reserves == 2, "with the rights it stood once"
    passed = "4k3/8/8/8/3p4/8/4P3/4K3[] w - - 0 1"
    steps = ("e2e4", "e8e7", "e1e2", "e7e8", "e2e1", "e8e7", "e1e2", "e7e8", "e2e1")
    assert repetition(counted(passed, *steps), "A").without_reserves == 2, "at first it could be taken en passant"


def test_a_drop_resets_the_count_where_the_profile_says_so() -> None:
    match = counted("4k3/8/8/8/8/8/8/4K3[NN] w - - 0 1", "e1e2", "e8e7", "e2e1", "e7e8")
    assert repetition(match, "A").since_drop == 2
    match.push("A", chess.Move.from_uci("N@a1"))
    assert repetition(match, "A").since_drop == 1


def test_what_resets_the_two_counts_of_fifty_moves() -> None:
    start = "4k3/8/8/8/8/p7/P7/R3K3[P] w - - 0 1"
    assert fifty(counted(start, "a1b1", "e8e7"), "A") == Fifty(2, 2, 2)
    assert fifty(counted(start, "a1b1", "e8e7", "b1b3", "e7e6", "b3a3"), "A") == Fifty(5, 5, 0), "a capture"
    assert fifty(counted(start, "a1b1", "e8e7", "P@d4"), "A") == Fifty(0, 3, 0), "a dropped pawn"
    assert fifty(counted(start, "a1b1", "e8e7", "b1b7"), "A") == Fifty(0, 0, 3), "a check"
    pawn = "4k3/8/8/8/8/8/P7/R3K3[] w - - 0 1"
    assert fifty(counted(pawn, "a1b1", "e8e7", "a2a3"), "A") == Fifty(0, 0, 0), "a pawn's advance"
