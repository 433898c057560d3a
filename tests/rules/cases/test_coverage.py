"""Every case of the arbiter's list has a test named by its id."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = HERE.parents[2] / ".." / "shared" / "rules" / "cases.md"
COUNTS = {"a": 14, "b": 31, "c": 8, "d": 12, "e": 27, "f": 13, "g": 12}


def covered() -> set[str]:
    text = "".join(path.read_text("utf-8") for path in HERE.glob("test_?.py"))
    return set(re.findall(r"^def test_([a-g]\d+)_", text, re.MULTILINE))


def test_every_case_has_a_test() -> None:
    assert covered() == {f"{letter}{number}" for letter, count in COUNTS.items() for number in range(1, count + 1)}


def test_the_list_of_cases_has_not_grown() -> None:
    if not CASES.exists():
        pytest.skip("needs the shared list of cases")
    listed = set(re.findall(r"^\| ([A-G]\d+) \|", CASES.read_text("utf-8"), re.MULTILINE))
    assert {case.lower() for case in listed} == covered()
