"""The command line: what it prints, writes and refuses."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from quadriglia import cli, demo, matches, pageserver
from quadriglia.venue import read_venue
from quadriglia.words import words
from rules.observation import LABELS
from vision import reader
from vision.source import read_picture

Film = Callable[..., Path]
MOVES = [(0.2, "A", "e4"), (0.4, "A", "d5"), (0.6, "B", "d4"), (0.8, "A", "exd5"), (1.0, "A", "Qxd5")]
FOUR = "8,8 56,8 56,56 8,56"


class FixedReader:
    """Sees the start position in every picture."""

    def read_board(self, image: Any, view: Any) -> Any:
        del image, view
        squares = np.full((64, len(LABELS)), -6.0, np.float32)
        for rank, row in enumerate(["RNBQKBNR", "PPPPPPPP", *["........"] * 4, "pppppppp", "rnbqkbnr"]):
            for file, label in enumerate(row):
                squares[8 * rank + file, LABELS.index(label)] = -0.1
        return squares


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "say", words("en"))
    monkeypatch.setattr(cli, "Reader", FixedReader)
    for user in ("quadriglia.reading.read_board", "vision.facing.read_roughly"):
        monkeypatch.setattr(user, lambda reader, image, view: reader.read_board(image, view))


@pytest.fixture
def complaint(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command that must end in one line on stderr and exit code 2; gives the line."""

    def run(*arguments: object) -> str:
        assert cli.main([str(argument) for argument in arguments]) == 2
        line = capsys.readouterr().err
        assert line.startswith("quadriglia: ")
        assert line.count("\n") == 1
        assert "Traceback" not in line
        return line

    return run


def picture(path: str, size: tuple[int, int] = (64, 64)) -> Path:
    cv2.imwrite(path, np.full((size[1], size[0], 3), 90, np.uint8))
    return Path(path)


def test_replay_of_two_videos(script: Any, film: Film, capsys: pytest.CaptureFixture[str]) -> None:
    script.moves, script.result = MOVES, "1-0"
    arguments = ["replay", "--board-a", str(film("x.mp4")), "--board-b", str(film("y.mp4"))]
    assert cli.main(arguments) == 0
    out = capsys.readouterr().out
    shown = [line.split()[2:] for line in out.splitlines()[:7]]
    assert shown == [
        ["1.", "e4"],
        ["1...", "d5"],
        ["1.", "d4"],
        ["2.", "exd5"],
        ["White", "A", "passes", "a", "pawn", "to", "Black", "B"],
        ["2...", "Qxd5"],
        ["Black", "A", "passes", "a", "pawn", "to", "White", "B"],
    ]
    assert "White A and Black B win (checkmate)" in out
    assert "5 plies, 2 hand-overs, 0 alerts" in out
    assert "Record: " in out
    expected = {"match.bpgn", "events.jsonl", "alerts.jsonl", "summary.json"}
    assert {path.name for path in Path("match-1").iterdir()} == expected
    assert cli.main(arguments) == 0
    assert Path("match-2/match.bpgn").read_text() == Path("match-1/match.bpgn").read_text()


def test_replay_of_a_folder(script: Any, film: Film, tmp_path: Path) -> None:
    script.moves = MOVES
    film("a.mp4"), film("b.mp4")
    assert cli.main(["replay", str(tmp_path), "--out", "deep/er/out"]) == 0
    assert json.loads(Path("deep/er/out/summary.json").read_text())["plies"] == {"A": 4, "B": 1}


def test_replay_under_a_profile(script: Any, film: Film) -> None:
    script.moves = MOVES
    film("a.mp4"), film("b.mp4")
    Path("venue.toml").write_text('[rules]\nprofile = "bivacco"\ndrop_castle = "no"\n')
    assert cli.main(["replay", ".", "--venue", "venue.toml", "--out", "out"]) == 0
    record = Path("out/match.bpgn").read_text()
    assert '[RuleProfile "bivacco"]\n[RuleChanges "drop_castle=no"]' in record
    assert json.loads(Path("out/summary.json").read_text())["profile"] == "bivacco"
    assert cli.main(["check", "out/match.bpgn"]) == 0
    assert cli.main(["replay", ".", "--profile", "uscf", "--out", "again"]) == 0
    assert '[RuleProfile "uscf"]' in Path("again/match.bpgn").read_text()


def test_replay_of_one_board_with_corners_given(script: Any, film: Film, capsys: pytest.CaptureFixture[str]) -> None:
    script.moves, script.found = MOVES[:2], False
    film("a.mp4")
    arguments = ["replay", "--game", "chess", "--board-a", "a.mp4", "--corners-a", FOUR, "--out", "out"]
    assert cli.main(arguments) == 0
    assert json.loads(Path("out/summary.json").read_text())["corners"]["A"] == {
        "from": "given",
        "pixels": [[8, 8], [56, 8], [56, 56], [8, 56]],
    }
    assert "2 plies, 0 alerts" in capsys.readouterr().out


def test_replay_refuses(script: Any, film: Film, complaint: Callable[..., str]) -> None:
    a, b = film("a.mp4"), film("b.mp4")
    Path("text.mp4").write_text("no film")
    Path("empty").mkdir()
    Path("file").touch()
    two = ["replay", "--board-a", a, "--board-b", b]
    one = ["replay", "--game", "chess", "--board-a"]
    assert "two boards" in complaint("replay")
    assert "two boards" in complaint("replay", "--board-a", a)
    assert "no source" in complaint("replay", "--game", "chess")
    assert "one board" in complaint(*one, a, "--board-b", b)
    assert "one or the other" in complaint("replay", "empty", "--board-a", a)
    assert "called a" in complaint("replay", "empty")
    assert "no such folder" in complaint("replay", "nowhere")
    assert "no such file" in complaint(*one, "nowhere.mp4")
    assert "no picture" in complaint(*one, "text.mp4")
    assert "empty" in complaint(*one, "file")
    assert "no picture" in complaint(*one, "empty")
    assert "both boards" in complaint("replay", "--board-a", a, "--board-b", a)
    assert "go" in complaint(*two, "--game", "go")
    assert "h or a" in complaint(*two, "--pockets-b", "left")
    assert "above 0" in complaint(*two, "--fps", "0")
    assert "above 0" in complaint(*two, "--fps", "nan")
    assert "--fps" in complaint(*two, "--fps", "many")
    assert "four points" in complaint(*two, "--corners-a", "1,2 3,4 5,6")
    assert "outside" in complaint(*two, "--corners-b", "8,8 5600,8 5600,56 8,56")
    assert "clockwise" in complaint(*two, "--corners-b", "8,56 56,56 56,8 8,8")
    assert "cannot be written" in complaint(*two, "--out", "file")
    assert "cannot be written" in complaint(*two, "--out", "file/below")
    assert "No such option" in complaint(*two, "--bored-a", "x")
    script.found = False
    line = complaint(*two, "--out", "never")
    assert "a.mp4: no board found in the first 10 seconds" in line
    assert "--corners-a" in line
    assert not Path("never").exists()


def test_a_record_is_never_overwritten(script: Any, film: Film, complaint: Callable[..., str]) -> None:
    script.moves = MOVES[:1]
    replay = ["replay", "--game", "chess", "--board-a", str(film("a.mp4")), "--out", "out"]
    assert cli.main(replay) == 0
    before = {path: path.read_bytes() for path in Path("out").iterdir()}
    assert "already" in complaint(*replay)
    assert {path: path.read_bytes() for path in Path("out").iterdir()} == before


def test_a_film_cut_short_is_read_as_far_as_it_goes(script: Any, film: Film, capsys: Any) -> None:
    script.moves = MOVES[:2]
    path = film("a.avi", 6, grain=30)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 4 // 5])
    assert cli.main(["replay", "--game", "chess", "--board-a", "a.avi", "--out", "out"]) == 0
    assert "2 plies" in capsys.readouterr().out


@pytest.mark.usefixtures("script")
def test_interrupted(film: Film, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(matches, "run", press)
    assert cli.main(["replay", "--game", "chess", "--board-a", str(film("a.mp4"))]) == 130
    assert "Stopped" in capsys.readouterr().err


def test_replay_with_the_page(script: Any, film: Film, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    script.moves, script.result = MOVES, "0-1"
    shown: list[dict[str, Any]] = []
    publish = pageserver.PageServer.publish

    def spy(server: pageserver.PageServer, snapshot: dict[str, Any]) -> None:
        shown.append(snapshot)
        publish(server, snapshot)

    monkeypatch.setattr(pageserver.PageServer, "publish", spy)
    film("a.mp4"), film("b.mp4")
    assert cli.main(["replay", ".", "--page"]) == 0
    assert "Live page: http://127.0.0.1:" in capsys.readouterr().out
    last = shown[-1]
    assert last["done"]
    assert last["result"] == "0-1"
    assert last["boards"]["A"]["placement"] == "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR"
    assert last["boards"]["A"]["last"] == ["d8", "d5"]
    assert last["boards"]["B"]["pockets"] == {"white": {"P": 1}, "black": {"P": 1}}
    assert last["moves"][-1] == {"board": "A", "color": "black", "number": 2, "san": "Qxd5"}
    assert last["handovers"][0]["taker"] == "BlackB"
    # Two seconds of film at eight times the speed, ten times a second.
    assert 2 <= len(shown) < 10


@pytest.mark.usefixtures("script")
def test_read(capsys: Any) -> None:
    name = str(picture("one.png"))
    assert cli.main(["read", name, "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["image"] == name
    assert row["corners"] == [[8, 8], [56, 8], [56, 56], [8, 56]]
    assert row["placement"] == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    assert len(row["squares"]) == 64
    assert next(iter(row["squares"]["e1"])) == "K"
    assert sum(row["squares"]["e4"].values()) == pytest.approx(1, abs=0.05)
    assert row["ms"].keys() == {"decode", "corners", "read"}
    assert cli.main(["read", name, "--corners", FOUR]) == 0
    assert "r n b q k b n r" in capsys.readouterr().out


def test_read_with_corners_from_a_file(script: Any, capsys: Any) -> None:
    script.found = False
    for folder in ("x", "y"):
        Path(folder, "images").mkdir(parents=True)
        picture(f"{folder}/images/1.png")
    corners = [[8, 8], [56, 8], [56, 56], [8, 56]]
    rows = [
        {"image": "x/images/1.png", "corners": corners, "fen": "8/8/8/8/8/8/8/8"},
        {"image": "y/images/1.png", "corners": (np.array(corners) + 2).tolist()},
    ]
    Path("labels.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    assert cli.main(["read", "x/images/1.png", "y/images/1.png", "--corners-from", "labels.jsonl", "--json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["corners"][0] == [8, 8]
    assert second["corners"][0] == [10, 10]
    Path("labels.jsonl").write_text('{"image": "1.png", "fen": "8/8/8/8/8/8/8/8"}')
    script.found = True
    assert cli.main(["read", "x/images/1.png", "--corners-from", "labels.jsonl", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["corners"][0] == [8, 8]


def test_read_refuses(script: Any, complaint: Callable[..., str]) -> None:
    one = picture("one.png")
    Path("text.png").write_text("not a picture")
    Path("empty.png").touch()
    Path("bad.jsonl").write_text('{"image": 3\n')
    Path("list.jsonl").write_text("[1, 2]\n")
    Path("short.jsonl").write_text('{"image": "one.png", "corners": [[1, 2], [3, 4]]}\n')
    Path("other.jsonl").write_text('{"image": "two.png", "corners": [[1, 2], [3, 4], [5, 6], [7, 8]]}\n')
    assert "no such file" in complaint("read", "nowhere.png")
    assert "not a picture" in complaint("read", "text.png")
    assert "empty" in complaint("read", "empty.png")
    assert "not a picture" in complaint("read", ".")
    assert "four points" in complaint("read", one, "--corners", "1,2")
    assert "64 by 64" in complaint("read", one, "--corners", "100,100 400,100 400,400 100,400")
    assert "not both" in complaint("read", one, "--corners", FOUR, "--corners-from", "short.jsonl")
    assert "no such text file" in complaint("read", one, "--corners-from", "nowhere.jsonl")
    assert "line 1" in complaint("read", one, "--corners-from", "bad.jsonl")
    assert "line 1" in complaint("read", one, "--corners-from", "list.jsonl")
    assert "no four corners" in complaint("read", one, "--corners-from", "short.jsonl")
    assert "no four corners" in complaint("read", one, "--corners-from", "other.jsonl")
    assert "IMAGE" in complaint("read")
    assert "chessmen" in complaint("read", one, "--corners", FOUR, "--game", "affollata")
    script.found = False
    assert "no board" in complaint("read", one)


@pytest.mark.usefixtures("script")
def test_read_goes_on_after_a_bad_picture(capsys: Any) -> None:
    Path("bad.png").write_text("not a picture")
    picture("good.png")
    assert cli.main(["read", "bad.png", "good.png", "--json"]) == 2
    got = capsys.readouterr()
    bad, good = map(json.loads, got.out.splitlines())
    assert bad == {"image": "bad.png", "corners": None, "placement": None, "squares": {}, "ms": {}}
    assert good["placement"]
    assert got.err.count("\n") == 1


def test_calibrate(script: Any, film: Film, complaint: Callable[..., str], capsys: Any) -> None:
    picture("one.png")
    for source in ("one.png", str(film("a.mp4"))):
        assert cli.main(["calibrate", source, "--out", "over.png", "--venue", "venue.toml", "--board", "b"]) == 0
        out, said = capsys.readouterr()
        got = json.loads(out)
        assert got | {"corners": [[8, 8], [56, 8], [56, 56], [8, 56]], "size": [64, 64], "way": "pieces"} == got
        assert "small" in got["advice"]
        assert "a square is only" in said
        assert list(read_venue(Path("venue.toml")).cameras) == ["B"]
        assert read_picture(Path("over.png")).std() > 5
        Path("over.png").unlink()
    assert ".png" in complaint("calibrate", "one.png", "--out", "over.txt")
    assert "nowhere" in complaint("calibrate", "one.png", "--out", "nowhere/over.png")
    assert "no such file" in complaint("calibrate", "nowhere.mp4")
    assert ".pdf" in complaint("calibrate", "--board", "A")
    assert "board A" in complaint("calibrate", "one.png", "--board", "C")
    assert cli.main(["calibrate", "one.png", "--corners", "10,8 56,8 56,56 8,56"]) == 0
    assert json.loads(capsys.readouterr().out)["way"] == "given"
    assert cli.main(["calibrate", "one.png", "--pockets", "a"]) == 0
    assert json.loads(capsys.readouterr().out)["pockets"]["white"] == [-3.2, 0.0, -0.4, 4.0]
    assert "pockets" in complaint("calibrate", "one.png", "--pockets", "x")
    assert cli.main(["calibrate", "--print-tags", "tags.pdf"]) == 0
    assert Path("tags.pdf").read_bytes().startswith(b"%PDF")
    script.found = False
    assert "no board" in complaint("calibrate", "one.png")
    assert "no board" in complaint("calibrate", "a.mp4")


def test_a_damaged_model_is_one_line(
    complaint: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cli, "Reader", lambda: reader.Reader(tmp_path / "reader.json"))
    one = picture("one.png")
    assert "install Quadriglia again" in complaint("read", one)
    Path("reader.json").write_text("{}")
    assert "install Quadriglia again" in complaint("read", one)


def test_the_demo_says_when_its_videos_are_missing(
    complaint: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(demo, "SAMPLE", tmp_path)
    assert "Install Quadriglia again" in complaint("demo", "--headless")


def test_no_command_is_a_call_for_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    out = capsys.readouterr().out
    assert all(command in out for command in ("demo", "replay", "read", "calibrate"))
    assert cli.main(["dance"]) == 2


@pytest.mark.parametrize(("language", "text"), [("it_IT.UTF-8", "inesistente"), ("C.UTF-8", "no such file")])
def test_as_a_module_in_the_language_of_the_terminal(language: str, text: str) -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "quadriglia", "calibrate", "nowhere.png"],
        env={"LC_ALL": language, "PYTHONPATH": str(root), "PATH": "", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert text in done.stderr
    assert done.stderr.count("\n") == 1


TRUTH = [("e2e4", "A"), ("d7d5", "A"), ("d2d4", "B"), ("e4d5", "A"), ("d8d5", "A")]


@pytest.fixture
def sample(tmp_path: Path, film: Film, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands in for the bundled match."""
    film("a.mp4"), film("b.mp4")
    count = dict.fromkeys("AB", 0)
    rows: list[dict[str, Any]] = []
    for (uci, board), (time, _, _) in zip(TRUTH, MOVES, strict=True):
        count[board] += 1
        rows.append({"kind": "move", "board": board, "ply": count[board], "uci": uci, "time": time})
    rows.append({"kind": "hand_over", "board": "A", "seat": "WhiteA", "piece": "p"})
    rows.append({"kind": "hand_over", "board": "A", "seat": "BlackA", "piece": "P"})
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, rows)))
    monkeypatch.setattr(demo, "SAMPLE", tmp_path)
    return tmp_path


def test_demo_compares_with_the_truth(script: Any, sample: Path, capsys: Any) -> None:
    script.moves = MOVES
    assert cli.main(["demo", "--headless", "--out", "out"]) == 0
    out = capsys.readouterr().out
    assert "5 of 5 plies right" in out
    assert "2 of 2 right" in out
    assert cli.main(["score", "out", "--truth", str(sample), "--json"]) == 0
    got = json.loads(capsys.readouterr().out)
    assert got["exact"]
    assert got["total"]["right"] == 5


@pytest.mark.usefixtures("sample")
def test_demo_with_the_page_can_be_followed(script: Any, capsys: Any) -> None:
    script.moves = MOVES
    assert cli.main(["demo", "--out", "out"]) == 0
    assert "Live page: http://127.0.0.1:" in capsys.readouterr().out
    assert json.loads(Path("out/summary.json").read_text())["speed"] <= 2.1


@pytest.mark.usefixtures("sample")
def test_demo_owns_up_to_what_it_misread(script: Any, capsys: Any) -> None:
    script.moves = [*MOVES[:2], (0.6, "B", "d3"), *MOVES[3:4]]
    assert cli.main(["demo", "--headless"]) == 1
    out = capsys.readouterr().out
    assert "3 of 5 plies right" in out
    assert "wrong 1, missing 1, extra 0" in out
    assert "1 of 2 right" in out


def test_score_refuses(complaint: Callable[..., str]) -> None:
    assert "events.jsonl" in complaint("score", "nowhere", "--truth", "nowhere")
    assert "--truth" in complaint("score", "nowhere")
