"""PGN of one-board games, as python-chess reads it."""

import io

import chess.pgn

from rules import pgn
from rules.match import Match
from rules.records import Game, read


def test_chess_with_clocks_and_a_comment() -> None:
    match = Match("chess")
    for san in ("f3", "e5", "g4", "Qh4#"):
        match.push("A", match.parse_san("A", san))
    text = pgn.write(Game(match, {"White": 'A "B" C'}, [60.0, 59.5, None, 58.0], "that was quick", "0-1"))
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert [move.uci() for move in game.mainline_moves()] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert [node.clock() for node in game.mainline()] == [60.0, 59.5, None, 58.0]
    (again,) = read(text)
    assert (again.match.plies, again.clocks, again.comment, again.result) == (
        match.plies, [60.0, 59.5, None, 58.0], "that was quick", "0-1",
    )  # fmt: skip
    assert again.tags["White"] == 'A "B" C'


def test_tags_that_the_match_determines_are_its_own() -> None:
    match = Match("chess")
    match.push("A", match.parse_san("A", "e4"))
    text = pgn.write(Game(match, {"Variant": "", "FEN": "8/8", "SetUp": "1", "Dàte": "x", "White": "Ann"}))
    (again,) = read(text)
    assert (again.match.plies, again.match.start, again.tags["White"]) == (match.plies, {}, "Ann")


def test_crazyhouse_from_a_position() -> None:
    match = Match("crazyhouse", start={"A": "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1"})
    for uci in ("Q@e7", "e8e7", "e1e2", "Q@e4"):
        match.push("A", chess.Move.from_uci(uci))
    text = pgn.write(Game(match))
    assert '[Variant "Crazyhouse"]' in text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    (again,) = read(text)
    assert again.match.plies == match.plies
    assert again.match.board("A").fen() == match.board("A").fen()
