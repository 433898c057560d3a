from pathlib import Path

import pytest

from rules.bpgn import write
from rules.notation import clock_seconds
from rules.records import Game, RecordError, read

GAMES = Path(__file__).parents[2] / ".." / "shared" / "games"
TEXT = """[Event "Club"]
[WhiteA "A \\"quoted\\" name"]
[Result "1-0"]

1A. e4 {180.0} 1a. d5 {179.5} 2A. exd5 {178.0}
1B. e4 {179} 1b. P@e6 {177.1} {BlackA resigned} 1-0
"""


def only(text: str) -> Game:
    (game,) = read(text)
    return game


def test_moves_clocks_tags_comment_and_result() -> None:
    game = only(TEXT)
    assert [(ply.board, ply.san) for ply in game.match.plies] == [
        ("A", "e4"), ("A", "d5"), ("A", "exd5"), ("B", "e4"), ("B", "P@e6"),
    ]  # fmt: skip
    assert game.clocks == [180.0, 179.5, 178.0, 179.0, 177.1]
    assert game.tags["WhiteA"] == 'A "quoted" name'
    assert game.comment == "BlackA resigned"
    assert game.result == "1-0"


@pytest.mark.parametrize(
    ("comment", "seconds"),
    [
        ("58.345", 58.345), ("179", 179.0), ("[%clk 0:00:58.3]", 58.3), ("[%clk 1:02:03]", 3723.0),
        ("[%clk 2:58.3]", 178.3), ("[ts=58345]", 58.345), ("nice [%clk 0:01:00] move", 60.0), ("a mistake", None),
    ],
)  # fmt: skip
def test_every_style_of_clock(comment: str, seconds: float | None) -> None:
    assert clock_seconds(comment) == (None if seconds is None else pytest.approx(seconds))


def test_drops_with_their_annotation_glyph() -> None:
    text = TEXT.replace("P@e6", "P$146@e6")
    assert only(text).match.plies[-1].san == "P@e6"
    assert only(TEXT.replace("P@e6", "$146@e6")).match.plies[-1].san == "P@e6"
    assert only(TEXT.replace("P@e6", "$146 @e6")).match.plies[-1].san == "P@e6"


def test_written_and_read_again_is_the_same() -> None:
    game = only(TEXT)
    again = only(write(game))
    assert (again.match.plies, again.clocks, again.result, again.comment) == (
        game.match.plies, game.clocks, game.result, game.comment,
    )  # fmt: skip
    assert again.tags["WhiteA"] == game.tags["WhiteA"]
    assert list(again.tags)[3:7] == ["WhiteA", "BlackA", "WhiteB", "BlackB"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEXT.replace("2A. exd5", "2A. Qxd5"), "line 5: board A, ply 3: Qxd5"),
        (TEXT.replace("1B. e4", "1b. e5"), "line 6: e5 is given to b"),
        (TEXT.replace("1B. e4", "e4"), "line 6: 'e4' stands where a move number"),
        ('[Event "x"]\n', "tags without moves"),
        ('[FEN "8/8"]\n\n1A. e4 *', "expected 8 rows"),
    ],
)
def test_errors_say_where(text: str, said: str) -> None:
    with pytest.raises(RecordError, match=r"^line") as caught:
        list(read(text))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "count"), [("real-blitz.bpgn", 37), ("selfplay.bpgn", 100)])
def test_recorded_matches_survive_a_round_trip(name: str, count: int) -> None:
    if not (GAMES / name).exists():
        pytest.skip(f"needs the shared {name}")
    games = list(read((GAMES / name).read_text()))
    assert len(games) == count
    for game in games[:37]:
        again = only(write(game))
        assert again.match.plies == game.match.plies
        assert again.result == game.result
