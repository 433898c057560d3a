"""Catalogues: both languages say the same things."""

import re
from pathlib import Path
from typing import get_args

import chess
import pytest

from calibration.quality import ADVICE
from quadriglia.words import LANGUAGES, terminal_language, words
from rules.alerts import ALERTS
from rules.claims import HOW
from rules.notation import RESULTS
from rules.profile import rules, values
from rules.seats import BOARDS, seat
from rules.side import State
from rules.verdict import REASONS
from vision.source import FAULTS

PLACEHOLDER = re.compile(r"\{(\w+)")
PAGE = Path(__file__).parents[2] / "quadriglia"


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    english, italian = (words(language).texts for language in LANGUAGES)
    assert english.keys() == italian.keys()
    for key in english:
        assert sorted(PLACEHOLDER.findall(english[key])) == sorted(PLACEHOLDER.findall(italian[key])), key
        assert english[key].strip() == english[key] != ""
        assert italian[key].strip() == italian[key] != ""


def test_every_text_the_page_asks_for_exists() -> None:
    texts = words("en").texts
    asked = set()
    for file in (PAGE / "page").iterdir():
        asked |= set(re.findall(r"""(?:text\(|data-text=)["']([\w.]+)["']""", file.read_text("utf-8")))
    assert len(asked) > 10
    assert asked <= texts.keys()


def test_source_errors_read_as_they_do_in_the_library() -> None:
    for fault, text in FAULTS.items():
        assert words("en").texts[f"error.source.{fault}"] == text


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "it_CH", "LANG": "de_CH"}, "it"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
    ],
)
def test_language_of_the_terminal(environment: dict[str, str], language: str) -> None:
    assert terminal_language(environment) == language


def test_every_error_alert_state_and_piece_has_its_text() -> None:
    texts = words("en").texts
    wanted = {f"alerts.{kind}" for kind in ALERTS} | {f"advice.{kind}" for kind in ADVICE}
    wanted |= {f"state.{state}" for state in get_args(State)}
    wanted |= {f"piece.{letter}" for letter in "PNBRQK"}
    wanted |= {f"seat.{seat(board, color)}" for board in BOARDS for color in chess.COLORS}
    wanted |= {f"result.{kind}.{result}" for kind in ("team", "player") for result in RESULTS}
    for file in PAGE.glob("*.py"):
        code = file.read_text("utf-8")
        wanted |= {f"error.{key}" for key in re.findall(r'UserError\(\s*"(\w+)"', code)}
        wanted |= set(re.findall(r'say\("([\w.]+)"', code))
    assert len(wanted) > 50
    assert wanted <= texts.keys()


def test_every_finding_rule_and_choice_has_its_text() -> None:
    texts = words("en").texts
    assert {key for key in texts if key.startswith("finding.")} == {f"finding.{reason}" for reason in REASONS}
    assert {key for key in texts if key.startswith("rule.")} == {f"rule.{rule}" for rule in rules()}
    choices = {f"choice.{value}" for rule in rules() for value in values(rule) if value.isidentifier()}
    assert {key for key in texts if key.startswith("choice.")} == choices
    assert {f"reason.{how}" for how in HOW} <= texts.keys()


def test_every_reason_is_given_somewhere_and_no_other() -> None:
    files = [file for file in (PAGE.parent / "rules").glob("*.py") if file.name != "verdict.py"]
    code = "".join(file.read_text("utf-8") for file in files)
    assert set(REASONS) <= set(re.findall(r'"([a-z_]+)"', code))


def test_counting() -> None:
    assert words("en").many("plies", 1) == "1 ply"
    assert words("it").many("plies", 2) == "2 semimosse"
