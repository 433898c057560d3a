"""The rules of this venue: a preset, a venue file over it, and findings in words."""

from pathlib import Path

from quadriglia.errors import UserError
from quadriglia.venue import read_venue
from quadriglia.words import Words
from rules.profile import DEFAULT, VENUE, Profile, ProfileError, written
from rules.profiles import PROFILES, SCACCO_BRATTO, adapted
from rules.verdict import Verdict


def choose_profile(name: str | None, venue: Path | None) -> Profile | None:
    """The profile of that name, changed as the venue file says; None where neither says anything. Raises UserError."""
    if name is not None and name not in PROFILES:
        raise UserError("profile", profile=name, profiles=", ".join(PROFILES))
    base = PROFILES[name] if name else None
    return venue_profile(venue, base) if venue else base


def venue_profile(path: Path, base: Profile | None = None) -> Profile:
    """The rules of a venue file: the profile it names, unless `base` is given, with its changes. Raises UserError.

    [rules]
    profile = "gallarate"
    drop_castle = "no"
    pass_tolerance = 5
    """
    changes = dict(read_venue(path).rules)
    named = changes.pop("profile", SCACCO_BRATTO.name)
    if not isinstance(named, str) or named not in PROFILES:
        raise UserError("venue_value", path=path, rule="profile", value=written(named), choices=", ".join(PROFILES))
    try:
        return adapted(base or PROFILES[named], changes)
    except ProfileError as error:
        choices = ", ".join(error.choices)
        raise UserError("venue_value", path=path, rule=error.rule, value=error.value, choices=choices) from error


def sentence(say: Words, finding: Verdict) -> str:
    """A finding's reason in words."""
    values = {}
    for name, value in finding.values.items():
        if name in ("seat", "taker", "first", "second"):
            value = say(f"seat.{value}")
        elif name == "piece":
            value = say(f"piece.{value}")
        values[name] = value
    return say(f"finding.{finding.reason}", **values)


def authority(say: Words, source: str) -> str:
    """Who says so, in words."""
    return {DEFAULT: say("profiles.default"), VENUE: say("profiles.venue")}.get(source, source)
