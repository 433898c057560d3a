"""Profiles: every dimension has a field, every preset cites its text, and nothing unknown is taken."""

import re
from dataclasses import fields

import pytest

from rules.profile import Profile, ProfileError, changes, read_changes, rules, value_of, values, written
from rules.profiles import PROFILES, SCACCO_BRATTO, adapted

ASKED_FOR = {
    "lampaquattro", "gallarate", "bivacco", "scacco-bratto", "uscf", "fics", "chess-com", "czech", "knsb", "mso",
}  # fmt: skip


def test_every_dimension_has_its_fields() -> None:
    assert set(rules().values()) == set(range(1, 30))
    told = {field.name for field in fields(Profile)} - {"name", "title", "sources"}
    assert told == set(rules())


def test_the_presets() -> None:
    assert set(PROFILES) >= ASKED_FOR
    assert next(iter(PROFILES)) == "scacco-bratto"
    for name, profile in PROFILES.items():
        assert profile.name == name
        assert profile.title
        assert set(profile.sources) <= {*rules(), "drops"}


@pytest.mark.parametrize(
    ("name", "seed"),
    [("lampaquattro", "000 0"), ("gallarate", "001 1"), ("bivacco", "002 2"), ("scacco-bratto", "003 3")],
)
def test_the_italian_presets_cite_sentences(name: str, seed: str) -> None:
    sources = dict(PROFILES[name].sources)
    castling = sources.pop("drop_castle")
    assert castling == f"{seed[:3]} (silent)" or castling.startswith(seed)
    assert all(re.fullmatch(rf"{seed}\.\d+( \(optional\))?", source) for source in sources.values())


def test_a_field_a_text_leaves_open_has_the_default_and_says_so() -> None:
    default = Profile(name="", title="")
    for profile in PROFILES.values():
        for rule in rules():
            if rule not in profile.sources:
                assert getattr(profile, rule) == getattr(default, rule), (profile.name, rule)
                assert profile.authority(rule) == "default"


def test_what_is_written_is_read_back() -> None:
    for profile in PROFILES.values():
        line = changes(profile, SCACCO_BRATTO)
        again = adapted(SCACCO_BRATTO, read_changes(line))
        assert all(getattr(again, rule) == getattr(profile, rule) for rule in rules())
        for rule in rules():
            assert value_of(rule, written(getattr(profile, rule))) == getattr(profile, rule)


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("pawn_ranks", "1-8"), ("pawn_ranks", "7-2"), ("pawn_ranks", "x"), ("pawn_ranks", 3), ("drop_check", "perhaps"),
        ("drop_mate", "Yes"), ("pass_tolerance", "nan"), ("pass_tolerance", -1), ("pass_tolerance", "soon"),
        ("name", "x"), ("sources", {}), ("", ""), ("drop_castle", None), ("mate", ["any_drop"]),
    ],
)  # fmt: skip
def test_unknown_values_are_refused_in_one_line(rule: str, value: object) -> None:
    with pytest.raises(ProfileError) as caught:
        adapted(SCACCO_BRATTO, {rule: value})
    assert "\n" not in str(caught.value)
    assert caught.value.choices


def test_choices_are_those_that_are_taken() -> None:
    for rule in rules():
        for value in values(rule):
            adapted(SCACCO_BRATTO, {rule: value})
