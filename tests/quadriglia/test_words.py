"""Catalogues: both languages say the same things."""

import re
from pathlib import Path

import pytest

from quadriglia.words import LANGUAGES, terminal_language, words
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
