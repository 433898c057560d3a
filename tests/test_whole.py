"""From videos to records, as a user runs it."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import av
import pytest

from quadriglia.score import score
from rules.seats import BOARDS

SAMPLE = Path(__file__).parents[1] / "quadriglia" / "sample"
TOLD_BY = 1.5  # seconds after a man is released
SCHOLARS_MATE = (
    Path(__file__).parents[1] / ".." / "shared" / "photos" / "valid" / "scholarsmate-video" / "scholarsmate.avi"
)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, "-m", "quadriglia", *arguments], capture_output=True, text=True, env=environment, timeout=900
    )


def cut(film: Path, seconds: float, short: Path) -> None:
    """Keep the beginning of a film, as it is."""
    with av.open(str(film)) as whole, av.open(str(short), "w") as beginning:
        stream = whole.streams.video[0]
        copy = beginning.add_stream_from_template(stream)
        for packet in whole.demux(stream):
            if packet.pts is not None and float(packet.pts * packet.time_base) < seconds:
                packet.stream = copy
                beginning.mux(packet)


def plies(rows: str, board: str, until: float = math.inf) -> list[str]:
    """Moves and drops of a board as they were played or told, in SAN, up to a time."""
    told = (row for row in map(json.loads, rows.splitlines()) if row["board"] == board)
    return [row["san"] for row in told if row["kind"] in ("move", "drop") and row["time"] < until]


def test_the_beginning_of_the_bundled_match(tmp_path: Path) -> None:
    """So far each set has been taught by its start position and by what has moved since, and men are passed on."""
    films, out, seconds = [tmp_path / name for name in ("a.mp4", "b.mp4")], tmp_path / "match", 16.0
    for film in films:
        cut(SAMPLE / film.name, seconds, film)
    finished = run("replay", "--board-a", str(films[0]), "--board-b", str(films[1]), "--out", str(out))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    told, true = ((folder / name).read_text() for folder, name in ((out, "events.jsonl"), (SAMPLE, "truth.jsonl")))
    for board in BOARDS:
        found = plies(told, board)
        assert found == plies(true, board)[: len(found)]
        assert len(found) >= len(plies(true, board, seconds - TOLD_BY))
    assert told.count('"hand_over"') >= 2
    assert (out / "alerts.jsonl").read_text() == ""


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_seven_moves_of_a_real_video(tmp_path: Path) -> None:
    if not SCHOLARS_MATE.exists():
        pytest.skip("needs the shared video of a scholar's mate")
    out = tmp_path / "match"
    finished = run("replay", "--game", "chess", "--board-a", str(SCHOLARS_MATE), "--out", str(out))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0" in (out / "match.pgn").read_text()
