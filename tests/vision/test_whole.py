"""A board read as a whole."""

from itertools import product
from pathlib import Path

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.observation import EMPTY, LABELS, labels_of
from vision import whole as module
from vision.reader import FLOOR, ModelError, most_likely
from vision.whole import MOST, Beforehand, beforehand, just_after, whole


def read_as(placement: str, **doubtful: dict[str, float]) -> NDArray[np.float32]:
    """(64, 13) log-likelihoods of a position that is read surely, but for some squares."""
    probabilities = np.exp(np.full((64, len(LABELS)), FLOOR))
    probabilities[np.arange(64), labels_of(chess.BaseBoard(placement))] = 0.99
    for name, said in doubtful.items():
        probabilities[chess.parse_square(name)] = np.exp(FLOOR)
        for label, probability in said.items():
            probabilities[chess.parse_square(name), LABELS.index(label)] = probability
    return np.asarray(np.log(probabilities / probabilities.sum(1, keepdims=True)), np.float32)


def test_one_king_a_side() -> None:
    doubtful = read_as(chess.STARTING_BOARD_FEN, d8={"q": 0.45, "k": 0.55}, d1={"Q": 0.4, "K": 0.6})
    assert most_likely(doubtful) != chess.STARTING_BOARD_FEN
    assert most_likely(whole(doubtful, beforehand("bughouse"))) == chess.STARTING_BOARD_FEN


def test_a_king_is_found_among_queens() -> None:
    doubtful = read_as("3q2q1/8/8/8/8/8/8/4K3", g8={"q": 0.7, "k": 0.3})
    assert most_likely(whole(doubtful, beforehand("bughouse"))) == "3q2k1/8/8/8/8/8/8/4K3"


def test_third_rook_in_doubt_is_a_bishop() -> None:
    doubtful = read_as("r1b1k2r/8/8/8/8/8/8/4K3", c8={"b": 0.45, "r": 0.55})
    assert most_likely(whole(doubtful, beforehand("bughouse"))) == "r1b1k2r/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize("placement", [chess.STARTING_BOARD_FEN, "k1nnnn2/qqq5/8/8/8/8/8/K2RRR2", "8/8/8/8/8/8/8/8"])
def test_what_is_read_surely_stays(placement: str) -> None:
    assert most_likely(whole(read_as(placement), beforehand("bughouse"))) == placement


@pytest.mark.parametrize("game", ["bughouse", "chess"])
def test_a_pawn_on_his_last_rank_has_been_promoted_but_not_in_chess(game: str) -> None:
    doubtful = read_as("4k3/8/8/8/8/8/8/4K3", a8={"P": 0.95, "R": 0.05}, h1={"P": 0.95, "R": 0.05})
    last = "P" if game == "bughouse" else "R"
    assert most_likely(whole(doubtful, beforehand(game))) == f"{last}3k3/8/8/8/8/8/8/4K2R"


def test_in_chess_a_third_knight_in_doubt_is_a_pawn() -> None:
    doubtful = read_as("4k3/8/8/3n4/8/1n6/8/4K3", e4={"p": 0.2, "n": 0.8})
    assert most_likely(whole(doubtful, beforehand("bughouse"))) == "4k3/8/8/3n4/4n3/1n6/8/4K3"
    assert most_likely(whole(doubtful, beforehand("chess"))) == "4k3/8/8/3n4/4p3/1n6/8/4K3"


def test_a_second_bishop_in_doubt_is_the_queen_who_stood_there_before() -> None:
    doubtful = read_as("4k3/8/8/8/8/8/8/B3K3", h5={"B": 0.7, "Q": 0.3})
    assert most_likely(whole(doubtful, beforehand("chess"))) == "4k3/8/8/7B/8/8/8/B3K3"
    before = just_after(labels_of(chess.BaseBoard("4k3/8/8/8/8/8/8/B2QK3")))
    assert most_likely(whole(doubtful, before)) == "4k3/8/8/7Q/8/8/8/B3K3"


@pytest.mark.parametrize("now", ["4k3/8/8/8/8/8/8/B3K3", "Q3k3/8/8/8/8/8/8/B2QK3", "4k3/8/8/8/8/8/8/4K3"])
def test_what_is_read_surely_stays_whatever_stood_there_before(now: str) -> None:
    before = just_after(labels_of(chess.BaseBoard("4k3/P7/8/8/8/8/8/B2QK3")))
    assert most_likely(whole(read_as(now), before)) == now


def test_where_nothing_is_seen_nothing_is_certain() -> None:
    found = whole(np.full((64, len(LABELS)), -np.log(len(LABELS)), np.float32), beforehand("bughouse"))
    assert np.isfinite(found).all()
    assert np.exp(found).sum(1) == pytest.approx(np.ones(64), abs=1e-5)
    assert np.exp(found[:, LABELS.index("K")]).sum() == pytest.approx(1, abs=0.25)


def test_a_hidden_square_holds_the_king_seen_nowhere_else() -> None:
    seen = read_as("4k3/8/8/8/8/8/8/8")
    seen[chess.G1] = -np.log(len(LABELS))
    assert most_likely(whole(seen, beforehand("bughouse"))) == "4k3/8/8/8/8/8/8/6K1"


def test_counts_say_what_all_that_may_stand_there_says() -> None:
    chance = np.random.default_rng(1)
    held = chance.dirichlet(np.ones(MOST + 1), EMPTY)
    likely = chance.uniform(0.05, 0.95, (5, EMPTY))
    said = module._says(likely, Beforehand(held, []))
    for label in range(EMPTY):
        weight = {True: 0.0, False: 0.0}
        for others in product((0, 1), repeat=4):
            fits = np.prod([p if there else 1 - p for p, there in zip(likely[1:, label], others, strict=True)])
            for here in weight:
                weight[here] += fits * held[label, sum(others) + here]
        assert said[0, label] == pytest.approx(np.log(weight[True]) - np.log(weight[False]), abs=1e-5)


def test_in_doubt_a_man_is_who_stands_there_in_games() -> None:
    doubtful = read_as("6k1/5ppp/8/8/8/8/5PPP/5RK1", f1={"R": 0.5, "B": 0.5}, f8={"r": 0.5, "b": 0.5})
    assert most_likely(whole(doubtful, beforehand("chess"))) == "5rk1/5ppp/8/8/8/8/5PPP/5RK1"


def test_it_depends_on_the_others_who_stands_there() -> None:
    """A bishop's home, while the king is at his."""
    placement = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R"
    doubtful = read_as(placement, f1={"R": 0.5, "B": 0.5}, f8={"r": 0.5, "b": 0.5})
    assert most_likely(whole(doubtful, beforehand("chess"))) == placement


def test_of_a_board_of_no_game_nothing_is_known() -> None:
    set_up = "RkbPq2r/1pK4P/b2Q2pB/P1n5/3p1R2/qN4n1/B1P3rp/3p1N2"
    known = beforehand("bughouse")
    assert np.abs(known.says(read_as(set_up).astype(np.float64))).max() < 0.5
    assert np.abs(known.says(read_as(chess.STARTING_BOARD_FEN).astype(np.float64))).max() > 3


def test_where_men_stand_says_what_all_boards_that_may_be_there_say() -> None:
    chance = np.random.default_rng(2)
    shares, places = np.log([0.3, 0.7]), chance.uniform(0.3, 3, (2, 64, len(LABELS)))
    known = Beforehand(np.ones((EMPTY, MOST + 1)), [], (shares, places))
    read = chance.normal(size=(64, len(LABELS)))
    fits = (places * np.exp(read - np.logaddexp.reduce(read, 1, keepdims=True))).sum(2)
    for square in (chess.A1, chess.D5):
        sorts = np.exp(shares) * np.prod(np.delete(fits, square, 1), 1)
        expected = np.log(sorts / sorts.sum() @ places[:, square])
        assert known.says(read)[square] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("game", ["bughouse", "chess"])
def test_a_game_looks_the_same_from_either_side(game: str) -> None:
    seen = np.random.default_rng(3).normal(size=(64, len(LABELS))).astype(np.float32)
    swap = [*range(6, 12), *range(6), EMPTY]
    other = seen.reshape(8, 8, -1)[::-1].reshape(64, -1)[:, swap]
    found = whole(seen, beforehand(game)).reshape(8, 8, -1)[::-1].reshape(64, -1)[:, swap]
    assert whole(other, beforehand(game)) == pytest.approx(found, abs=1e-4)


@pytest.mark.parametrize("damage", ["gone", "cut", "changed", "other"])
def test_a_damaged_table_is_refused_in_one_line(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content, table = bytearray(module.TABLE.read_bytes()), tmp_path / "boards.npz"
    if damage == "changed":
        content[len(content) // 2] ^= 255
    if damage == "other":
        np.savez(table, chess=np.zeros(3))
    elif damage != "gone":
        table.write_bytes(content[: len(content) // 2] if damage == "cut" else content)
    monkeypatch.setattr(module, "TABLE", table)
    with pytest.raises(ModelError, match=r"boards\.npz: .*install Quadriglia again") as caught:
        module._table("chess")
    assert "\n" not in str(caught.value)
