"""From videos to records, as a user runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quadriglia.score import score

SAMPLE = Path(__file__).parents[1] / "quadriglia" / "sample"
SCHOLARS_MATE = (
    Path(__file__).parents[1] / ".." / "shared" / "photos" / "valid" / "scholarsmate-video" / "scholarsmate.avi"
)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, "-m", "quadriglia", *arguments], capture_output=True, text=True, env=environment, timeout=900
    )


def test_the_demo_reads_the_bundled_match_move_for_move(tmp_path: Path) -> None:
    out = tmp_path / "match"
    finished = run("demo", "--headless", "--out", str(out))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    result = score(out, SAMPLE)
    assert result.exact
    assert result.total.true == 57
    assert (result.hand_overs_right, result.hand_overs_read) == (result.hand_overs_true, result.hand_overs_true)
    assert result.order_wrong <= 0.005 * result.order_pairs
    assert result.latency_median is not None
    assert result.latency_median < 1.5
    summary = json.loads((out / "summary.json").read_text())
    assert summary["result"] == "0-1"
    assert summary["corners"]["A"]["from"] == "found"
    assert (out / "alerts.jsonl").read_text() == ""
    assert 'Result "0-1"' in (out / "match.bpgn").read_text()


def test_seven_moves_of_a_real_video(tmp_path: Path) -> None:
    if not SCHOLARS_MATE.exists():
        pytest.skip("needs the shared video of a scholar's mate")
    out = tmp_path / "match"
    finished = run("replay", "--game", "chess", "--board-a", str(SCHOLARS_MATE), "--out", str(out))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0" in (out / "match.pgn").read_text()
