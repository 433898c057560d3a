"""What the program says, in Italian or English: flat catalogues in `catalogue/`, one file a language."""

import json
import locale
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

Language = Literal["en", "it"]
LANGUAGES: tuple[Language, ...] = ("en", "it")
FOLDER = Path(__file__).parent / "catalogue"


@dataclass(frozen=True, slots=True)
class Words:
    """Texts of one language. Call it with a key and what the text's `{names}` stand for."""

    language: Language
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: Any) -> str:
        """The text of `key`. KeyError when there is none."""
        return self.texts[key].format(**values) if values else self.texts[key]

    def many(self, key: str, count: int) -> str:
        """`{count}` of something, by `key.one` or `key.many`."""
        return self(f"{key}.one" if count == 1 else f"{key}.many", count=count)


def printable(text: str) -> str:
    """One line of text that came from outside, without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


@cache
def words(language: Language) -> Words:
    """The catalogue of a language."""
    return Words(language, json.loads((FOLDER / f"{language}.json").read_text("utf-8")))


def terminal_language(environment: Mapping[str, str] = os.environ) -> Language:
    """Italian where the locale is Italian, else English. Looks where gettext looks; Windows sets none of it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "it" if value.lower().startswith("it") else "en"
    if os.name == "nt":
        return "it" if (locale.getlocale()[0] or "").lower().startswith("it") else "en"
    return "en"
