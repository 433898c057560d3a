"""`check` and `profiles` as they are typed, and venue files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quadriglia import cli
from quadriglia.words import words
from rules.profile import rules
from rules.profiles import PROFILES

CLEAN = '[Event "x"]\n[Result "1-0"]\n\n1A. e4 1a. d5 2A. exd5 1B. e4 1b. P@d3 {BlackA resigns} 1-0\n\n'
WRONG = '[Event "y"]\n\n1A. e4 1a. N@e5 *\n\n'
DROP = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1 | 4k3/8/8/8/8/8/8/4K3[] w - - 0 1"]\n\n1A. N@c7+ *\n\n'
Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "say", words("en"))
    Path("games.bpgn").write_text(CLEAN + WRONG)
    Path("drop.bpgn").write_text(DROP)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command; its exit code, the lines on stdout and those on stderr."""

    def typed(*arguments: object) -> tuple[int, list[str], list[str]]:
        code = cli.main([str(argument) for argument in arguments])
        out = capsys.readouterr()
        return code, out.out.splitlines(), out.err.splitlines()

    return typed


def test_one_line_a_game(run: Run) -> None:
    code, out, _ = run("check", "games.bpgn")
    assert code == 1
    assert out == [
        "   1  OK       5 plies  1-0  by resignation",
        "   2  ILLEGAL  A 1... N@e5: no such man in the player's reserve, and 1 more",
    ]
    Path("clean.bpgn").write_text(CLEAN)
    assert run("check", "clean.bpgn")[0] == 0


def test_one_object_a_game(run: Run) -> None:
    code, out, _ = run("check", "games.bpgn", "--json")
    assert code == 1
    assert [json.loads(line) for line in out] == [
        {"game": 1, "verdict": "OK", "plies": 5, "errors": [], "result": "1-0", "end": "resignation"},
        {
            "game": 2,
            "verdict": "ILLEGAL",
            "plies": 2,
            "errors": [
                {
                    "board": "A",
                    "ply": 2,
                    "san": "N@e5",
                    "rule": "drops",
                    "reason": "no such man in the player's reserve",
                },
                {"board": "A", "ply": 2, "san": "N@e5", "rule": "conservation", "reason": "men too many: n"},
            ],
            "result": "*",
            "end": "",
        },
    ]


def test_italian_for_people_and_english_in_json(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "say", words("it"))
    assert "nessun pezzo simile nella riserva" in run("check", "games.bpgn")[1][1]
    assert "no such man" in run("check", "games.bpgn", "--json")[1][1]


def test_the_profile_asked_for_and_who_says_so(run: Run) -> None:
    assert run("check", "drop.bpgn")[0] == 0
    code, out, _ = run("check", "drop.bpgn", "--profile", "knsb")
    assert code == 1
    assert out == ["   1  ILLEGAL  A 1. N@c7+: a drop may not give check under this profile (KNSB 2000 2.4, 1988 5A)"]


def test_a_venue_file_changes_rules(run: Run) -> None:
    Path("venue.toml").write_text('[rules]\nprofile = "gallarate"\ndrop_check = false\n')
    code, out, _ = run("check", "drop.bpgn", "--venue", "venue.toml")
    assert (code, out[0].endswith("(venue file)")) == (1, True)
    assert run("check", "drop.bpgn", "--venue", "venue.toml", "--profile", "bivacco")[0] == 1
    Path("venue.toml").write_text('[rules]\npawn_ranks = "2-6"\npass_tolerance = 5\ndrop_castle = "no"\n')
    (found,) = run("profiles", "--venue", "venue.toml", "--json")[1]
    told = json.loads(found)["rules"]
    assert told["pawn_ranks"] == {"value": "2-6", "dimension": 1, "authority": "venue"}
    assert (told["pass_tolerance"]["value"], told["drop_castle"]["value"]) == ("5.0", "no")
    assert told["drop_check"]["authority"] == "003 3.12"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules = 3", "[rules] is not known"),
        ("[rules]\nprofil = 1", "rule = profil under [rules]"),
        ('[rules]\nprofile = "mars"', "profile = mars under [rules]"),
        ('[rules]\nprofile = ["mars"]', "profile = mars under [rules]"),
        ('[rules]\ndrop_mate = "often"', "drop_mate = often under [rules]"),
        ("[rules]\npawn_ranks = [7, 2]", "pawn_ranks = 7-2 under [rules]"),
        ("[rules]\npass_tolerance = -1", "pass_tolerance = -1.0 under [rules]"),
        ("[kitchen]\nx = 1", "[kitchen] is not known"),
        ("[rules\n", "not a TOML file"),
    ],
)
def test_a_wrong_venue_file_is_one_line(run: Run, text: str, said: str) -> None:
    Path("venue.toml").write_text(text)
    code, out, err = run("check", "drop.bpgn", "--venue", "venue.toml")
    assert (code, out, len(err)) == (2, [], 1)
    assert said in err[0]
    assert err[0].startswith("quadriglia: venue.toml: ")


def test_what_cannot_be_refereed(run: Run) -> None:
    Path("empty.bpgn").write_text("")
    Path("bytes.bpgn").write_bytes(bytes(range(256)))
    for arguments, said in (
        (("check", "none.bpgn"), "none.bpgn: no file that can be read"),
        (("check", "."), ".: no file that can be read"),
        (("check", "empty.bpgn"), "empty.bpgn: no match in this file"),
        (("check", "drop.bpgn", "--profile", "mars"), "--profile mars: not a profile"),
        (("check", "drop.bpgn", "--venue", "none.toml"), "none.toml: no file that can be read"),
        (("profiles", "mars"), "--profile mars: not a profile"),
        (("replay", "--game", "chess", "--board-a", "x.mp4", "--profile", "uscf"), "chess has one set of rules"),
    ):
        code, out, err = run(*arguments)
        assert (code, out, len(err)) == (2, [], 1)
        assert said in err[0]
    assert run("check", "bytes.bpgn")[0] == 1, "bytes are a game with nothing readable in it"


def test_names_in_old_encodings(run: Run) -> None:
    Path("old.bpgn").write_bytes(CLEAN.replace('"x"', '"Forlì"').encode("latin-1"))
    assert run("check", "old.bpgn")[0] == 0


def test_profiles_side_by_side(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    code, out, _ = run("profiles")
    assert code == 0
    text = "\n".join(out)
    assert all(name in text for name in PROFILES)
    assert max(map(len, out)) <= 120
    assert "(yes)" in text
    one = "\n".join(run("profiles", "bivacco")[1])
    assert "002 2.6" in one
    assert "not said: default" in one
    two = "\n".join(run("profiles", "bivacco", "knsb")[1])
    assert "scacco-bratto" not in two


def test_profiles_as_json(run: Run) -> None:
    rows = [json.loads(line) for line in run("profiles", "--json")[1]]
    assert [row["profile"] for row in rows] == list(PROFILES)
    assert set(rows[0]["rules"]) == set(rules())
    assert rows[0]["rules"]["mate"] == {"value": "any_drop", "dimension": 7, "authority": "003 3.14"}


def test_simulate_says_what_is_wrong_before_it_films(run: Run) -> None:
    pytest.importorskip("moderngl", reason="the extra `simulation` is not installed")
    for arguments, said in (
        (("simulate",), "give a BPGN file and --out DIR"),
        (("simulate", "games.bpgn", "--out", "x", "--irregularity", "flood@1"), "'flood' is no irregularity"),
        (("simulate", "games.bpgn", "--out", "x", "--irregularity", "promotion_unmarked@1"), "cannot happen"),
        (("simulate", "games.bpgn", "--out", "x", "--max-pause", "-1"), "--max-pause -1.0"),
        (("simulate", "games.bpgn", "--out", "x", "--pockets", "z"), 'pockets "z"'),
        (("simulate", "drop.bpgn", "--out", "x"), "only bughouse from the start position"),
    ):
        code, out, err = run(*arguments)
        assert (code, out, len(err)) == (2, [], 1)
        assert said in err[0]
    assert not Path("x").exists()
    code, out, _ = run("simulate", "--list-irregularities")
    assert (code, len(out)) == (0, 34)
