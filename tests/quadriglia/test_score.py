import json
from pathlib import Path

import pytest

from quadriglia.score import Score, ScoreError, score

E4 = {"kind": "move", "board": "A", "seat": "WhiteA", "ply": 1, "san": "e4", "uci": "e2e4", "time": 2.0}
D5 = {"kind": "move", "board": "A", "seat": "BlackA", "ply": 2, "san": "d5", "uci": "d7d5", "time": 4.0}
TAKES = {"kind": "move", "board": "A", "seat": "WhiteA", "ply": 3, "san": "exd5", "uci": "e4d5", "time": 6.0}
PASSED = {"kind": "hand_over", "board": "A", "seat": "WhiteA", "piece": "p", "time": 7.0}
ON_B = {"kind": "move", "board": "B", "seat": "WhiteB", "ply": 1, "san": "d4", "uci": "d2d4", "time": 8.0}
TRUTH = [E4, D5, TAKES, PASSED, ON_B]


def told(*rows: dict[str, object], late: float = 0.5) -> list[dict[str, object]]:
    return [row | {"committed": float(str(row["time"])) + late} for row in rows]


def write(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))


def compare(folder: Path, *events: dict[str, object]) -> Score:
    write(folder, "truth.jsonl", TRUTH)
    write(folder, "events.jsonl", list(events))
    return score(folder, folder)


def test_an_exact_run(tmp_path: Path) -> None:
    result = compare(tmp_path, *told(*TRUTH))
    assert result.exact
    assert (result.hand_overs_true, result.hand_overs_read, result.hand_overs_right) == (1, 1, 1)
    assert (result.order_pairs, result.order_wrong) == (3, 0)
    assert (result.latency_median, result.latency_max) == (0.5, 0.5)


def test_a_wrong_ply_a_missing_one_and_an_extra_one(tmp_path: Path) -> None:
    wrong = D5 | {"uci": "d7d6", "san": "d6"}
    result = compare(tmp_path, *told(E4, wrong, TAKES))
    assert not result.exact
    assert (result.boards["A"].right, result.boards["A"].wrong) == (2, 1)
    assert result.boards["B"].missing == 1
    extra = compare(tmp_path, *told(*TRUTH, ON_B | {"ply": 2, "uci": "d7d5"}))
    assert extra.boards["B"].extra == 1
    assert not extra.exact


def test_a_correction_replaces_what_was_told_before(tmp_path: Path) -> None:
    wrong = D5 | {"uci": "d7d6", "san": "d6"}
    mended = D5 | {"kind": "correction"}
    assert compare(tmp_path, *told(E4, wrong, mended, TAKES, PASSED, ON_B)).exact


def test_the_wrong_partner_is_no_hand_over(tmp_path: Path) -> None:
    assert compare(tmp_path, *told(E4, D5, TAKES, PASSED | {"seat": "BlackA"}, ON_B)).hand_overs_right == 0


def test_order_across_the_boards(tmp_path: Path) -> None:
    result = compare(tmp_path, *told(ON_B, E4, D5, TAKES, PASSED))
    assert result.exact
    assert result.order_wrong == 3


def test_a_truth_of_moves_only(tmp_path: Path) -> None:
    write(tmp_path, "events.jsonl", told(E4, D5, TAKES, ON_B))
    (tmp_path / "truth.bpgn").write_text('[Event "x"]\n\n1A. e4 1a. d5 2A. exd5 1B. d4 *\n')
    result = score(tmp_path, tmp_path)
    assert result.exact
    assert result.latency_median is None


@pytest.mark.parametrize("broken", ["{", "[]", '{"board": "A"}'])
def test_broken_files_are_named_with_their_line(tmp_path: Path, broken: str) -> None:
    write(tmp_path, "truth.jsonl", TRUTH)
    (tmp_path / "events.jsonl").write_text(json.dumps(E4) + "\n" + broken + "\n")
    with pytest.raises(ScoreError, match=r"events\.jsonl: line 2"):
        score(tmp_path, tmp_path)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match=r"events\.jsonl"):
        score(tmp_path, tmp_path)
    write(tmp_path, "events.jsonl", [])
    with pytest.raises(ScoreError, match="neither"):
        score(tmp_path, tmp_path)
