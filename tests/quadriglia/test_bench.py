"""`quadriglia bench`: every step is measured and told beside a JPEG decode."""

import json
from typing import Any

import pytest

from quadriglia import cli

STEPS = {"decode", "full_board", "changed_squares", "find_board", "watch", "eye", "tracker"}


@pytest.fixture(autouse=True)
def _briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("TIMES", 2), ("SLOW", 1), ("SECONDS", 0.5)):
        monkeypatch.setattr(f"quadriglia.bench.{name}", value)


def test_bench_as_json(capsys: Any) -> None:
    assert cli.main(["bench", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == STEPS
    assert found["decode"]["decodes"] == 1.0
    assert all(row["ms"] > 0 for row in found.values())
    assert found["watch"]["n"] == found["eye"]["n"] == found["tracker"]["n"] > 3


def test_bench_in_words(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quadriglia.bench.measure", lambda: dict.fromkeys(STEPS, (2.5, 3)))
    assert cli.main(["bench"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(STEPS)
