"""What reaches the terminal is one line of letters, whatever came in."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

GOOD = "1A. e4 1a. d5 2A. exd5 *\n"


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "quadriglia", *arguments]
    return subprocess.run(command, capture_output=True, env={"PATH": "/usr/bin:/bin", **environment}, check=False)


@pytest.mark.parametrize(
    ("encoding", "more"),
    [*product(["ascii", "utf-8"], [(), ("--json",)]), ("cp1252", ()), ("latin-1", ("--json",))],
)
def test_letters_that_the_terminal_lacks(tmp_path: Path, encoding: str, more: tuple[str, ...]) -> None:
    file = tmp_path / "odd.bpgn"
    file.write_text("1A. \U0001f600 1a. \x1b[31mred *\n" + GOOD, encoding="utf-8")
    finished = run("check", str(file), *more, PYTHONIOENCODING=encoding)
    assert (finished.returncode, finished.stderr) == (1, b"")
    assert b"\x1b" not in finished.stdout
    assert finished.stdout.count(b"\n") == 2


def test_tables_without_their_letters() -> None:
    finished = run("profiles", "bivacco", PYTHONIOENCODING="ascii", LANG="it_IT.UTF-8")
    assert (finished.returncode, finished.stderr) == (0, b"")


@pytest.mark.parametrize(
    "arguments", [("check", "a\nb"), ("check", "x.bpgn", "--profile", "a\nb"), ("profiles", "\x1b[31m")]
)
def test_errors_stay_on_one_line(arguments: tuple[str, ...]) -> None:
    finished = run(*arguments)
    assert finished.returncode == 2
    assert finished.stderr.count(b"\n") == 1
    assert b"\x1b" not in finished.stderr


def test_a_long_word_is_cut(tmp_path: Path) -> None:
    file = tmp_path / "long.bpgn"
    file.write_text("1A. " + "x" * 300_000)
    assert len(run("check", str(file)).stdout) < 300


def test_a_file_in_utf_16(tmp_path: Path) -> None:
    file = tmp_path / "wide.bpgn"
    file.write_text(GOOD, encoding="utf-16")
    finished = run("check", str(file))
    assert (finished.returncode, finished.stdout[:12].split()) == (0, [b"1", b"OK"])
