"""Games with counters before and around the cameras: their start, their record, the desk they are tracked at."""

from pathlib import Path
from typing import Any

import chess
import pytest

from quadriglia.desk import Desk, state_of
from quadriglia.errors import UserError
from quadriglia.evening import open_journal
from quadriglia.gamefile import game_text
from quadriglia.journal import Journal
from quadriglia.opening import OnTheTable, choose_match
from quadriglia.state import added_up
from rules.countermatch import CounterMatch
from rules.counterrecord import game_of
from rules.notation import parse
from tests.rules.test_countertracker import Table

FULL = "/".join(["PPpPppPp", "pPPpPpPp"] * 4)


def start_of(game: str, start: str) -> CounterMatch:
    match = choose_match(game, None, start)
    assert isinstance(match, CounterMatch)
    return match


def test_a_start_is_told_by_name_by_position_or_by_file(tmp_path: Path) -> None:
    assert start_of("quadwrangle", "opposite").board().board_fen() == "1PPPPP1/p5p/p5p/p5p/p5p/p5p/1PPPPP1"
    played = start_of("Affollata", FULL)
    assert played.board().fen() == FULL + " w"
    played.push("A", next(played.board().legal_moves()))
    file = tmp_path / "game.pgn"
    file.write_text(game_text(played, "*"))
    assert start_of("affollata", str(file)).board().fen() == FULL + " w"
    file.write_text(FULL.replace("/", "\n"))
    assert start_of("affollata", str(file)).board().fen() == FULL + " w"
    assert choose_match("affollata", None, None) == OnTheTable("affollata")


@pytest.mark.parametrize(
    ("game", "start", "key"),
    [
        ("quadwrangle", "diagonal", "start"),
        ("affollata", "8/8/8/8/8/8/8/8", "start"),
        ("affollata", FULL.replace("P", "1", 1), "start"),
        ("quadwrangle", "7/7/7/3P3/7/7/7", "start"),
        ("chess", "adjacent", "no_start"),
        ("checkers", None, "game"),
    ],
)
def test_a_start_that_is_none_is_refused(game: str, start: str | None, key: str) -> None:
    with pytest.raises(UserError) as refused:
        choose_match(game, None, start)
    assert refused.value.key == key
    if key == "start":
        assert "\n" not in str(refused.value.values["fault"])


class Evening(Table):
    """A table whose looks go to a desk."""

    def __init__(self, folder: Path, match: CounterMatch) -> None:
        self.journal = open_journal(folder, match)
        self.desk = Desk(self.journal, state_of(self.journal))
        super().__init__(match.game, 3)

    def rest(self, seconds: float, hidden: chess.Bitboard = 0) -> None:
        for _ in range(round(seconds * 10)):
            self.time += 0.1
            self.desk.look(self.look(hidden))


@pytest.fixture
def evening(tmp_path: Path) -> Any:
    with_start = CounterMatch("affollata", {"A": "chequer"})
    table = Evening(tmp_path / "match", with_start)
    yield table
    table.journal.close()


def test_the_record_rebuilds_a_game_with_an_action_against_the_rules(evening: Any, tmp_path: Path) -> None:
    evening.act(chess.Move(chess.A2, chess.B2))
    evening.rest(1.0)
    move = chess.Move(chess.G7, chess.F7)
    evening.act(move, 0)
    evening.rest(3.0)
    state = evening.desk.state
    assert [ply.san for ply in state.match.plies] == ["a2-b2", "g7-f7~"]
    shown = evening.desk.snapshot(evening.time)
    assert shown["boards"]["A"]["placement"] == evening.position.board_fen()
    assert shown["boards"]["A"]["score"] == list(evening.position.score)
    assert [alert["kind"] for alert in shown["alerts"]] == ["not_turned"]
    evening.journal.close()
    with Journal(tmp_path / "match" / "record.sqlite") as journal:
        again = added_up(journal.entries())
        assert again.body() == state.body()
        assert journal.faults() == []
    read = game_of(next(iter(parse(evening.desk.game()))))
    assert read.match.board() == evening.position


def test_the_arbiter_sets_counters_and_takes_actions_back(evening: Any) -> None:
    evening.act(chess.Move(chess.A2, chess.B2))
    evening.rest(1.0)
    evening.desk.command({"do": "undo", "board": "A"}, evening.time)
    assert evening.desk.state.match.plies == []
    fen = FULL + " b"
    evening.desk.command({"do": "set_position", "board": "A", "fen": fen}, evening.time)
    assert evening.desk.state.match.board("A").fen() == fen
