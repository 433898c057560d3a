"""`profiles`: the rule profiles side by side, and the sentence behind each rule of one."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from quadriglia.errors import UserError
from quadriglia.matches import tell
from quadriglia.ruling import authority, venue_profile
from quadriglia.words import Words
from rules.profile import DEFAULT, Profile, rules, written
from rules.profiles import PROFILES

NARROW = 12  # characters that a column takes at least


def show_profiles(console: Console, say: Words, names: Sequence[str], venue: Path | None, as_json: bool) -> None:
    """The profiles named, or all of them, and the venue's where a file is given. Raises UserError."""
    unknown = [name for name in names if name not in PROFILES]
    if unknown:
        raise UserError("profile", profile=unknown[0], profiles=", ".join(PROFILES))
    shown = [PROFILES[name] for name in names]
    if venue:
        shown.append(venue_profile(venue))
    shown = shown or list(PROFILES.values())
    if as_json:
        for profile in shown:
            print(json.dumps(profile_json(profile)))
    elif len(shown) == 1:
        console.print(_one(say, shown[0]))
    else:
        _side_by_side(console, say, shown)


def profile_json(profile: Profile) -> dict[str, Any]:
    """A profile as an object: by rule the value, the number of its dimension and the sentence it rests on."""
    return {
        "profile": profile.name,
        "title": profile.title,
        "rules": {
            rule: {
                "value": written(getattr(profile, rule)),
                "dimension": number,
                "authority": profile.authority(rule),
            }
            for rule, number in rules().items()
        },
    }


def value(say: Words, profile: Profile, rule: str) -> str:
    """A field's value in words."""
    text = written(getattr(profile, rule))
    return say.texts.get(f"choice.{text}", text) or "-"


def _one(say: Words, profile: Profile) -> Table:
    table = Table("#", say("profiles.rule"), profile.name, say("profiles.authority"), title=profile.title)
    for rule, number in rules().items():
        source = authority(say, profile.authority(rule))
        table.add_row(str(number), say(f"rule.{rule}"), value(say, profile, rule), source)
    return table


def _side_by_side(console: Console, say: Words, shown: Sequence[Profile]) -> None:
    """As many columns at a time as the terminal is wide."""
    first = max(len(say(f"rule.{rule}")) for rule in rules()) + 9
    columns = max((console.width - first) // (NARROW + 3), 1)
    for start in range(0, len(shown), columns):
        some = shown[start : start + columns]
        table = Table("#", say("profiles.rule"), *(profile.name for profile in some))
        for rule, number in rules().items():
            cells = [_cell(say, profile, rule) for profile in some]
            table.add_row(str(number), say(f"rule.{rule}"), *cells)
        console.print(table)
    tell(console, say("profiles.legend"))


def _cell(say: Words, profile: Profile, rule: str) -> str:
    """A value, in brackets where it is only the default."""
    text = value(say, profile, rule)
    return f"({text})" if profile.authority(rule) == DEFAULT else text
