"""Quad Wrangle and Affollata: the cases Q1 to Q13, counts of other programs, and what holds for every game."""

import random
from collections.abc import Iterable

import chess
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rules.countermatch import GAMES, CounterMatch, start_faults
from rules.counterrecord import CounterRecord, read, write
from rules.counters import MOVES, PLACINGS, CounterGame, Counters, read_written, written
from rules.crowded import Crowded
from rules.match import IllegalMoveError
from rules.quadwrangle import QuadWrangle
from rules.records import RecordError
from tests.rules.quadwrangle_perft import REFERENCE, perft

# Not shrunk: these examples are whole games.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
EXAMPLE = ("f4", "g5-f6", "f5")


def cells(names: str) -> chess.Bitboard:
    return sum(chess.BB_SQUARES[chess.parse_square(name)] for name in names.split())


def action(text: str) -> chess.Move:
    return read_written(text)[0]


def played(texts: Iterable[str], start: str = "adjacent") -> CounterMatch:
    match = CounterMatch("quadwrangle", {"A": start})
    for text in texts:
        match.push("A", match.parse_san("A", text))
    return match


def refused(match: CounterMatch, text: str) -> str:
    """Why an action is illegal; the same from all who are asked."""
    assert not match.is_legal("A", action(text))
    assert action(text) not in match.legal_moves()
    with pytest.raises(IllegalMoveError) as error:
        match.push("A", action(text))
    assert "\n" not in str(error.value)
    assert match.plies == []
    return str(error.value)


# The cases


@pytest.mark.parametrize("start", ["adjacent", "opposite"])
def test_q1_a_counter_that_touches_no_own_one_turns_nothing(start: str) -> None:
    before = QuadWrangle.start(start)
    assert before.score == (10, 10)
    assert cells("b7 c7 d7 e7 f7") & before.white == cells("b7 c7 d7 e7 f7")
    assert before.kind(action("f4")) == "a"
    match = played(["f4"], start)
    assert match.plies[0].turned == 0
    assert match.board() == QuadWrangle(before.white | cells("f4"), before.black, chess.BLACK)


@pytest.mark.parametrize("start", ["adjacent", "opposite"])
def test_q2_a_queens_move_turns_what_it_comes_to_touch(start: str) -> None:
    before = played(EXAMPLE[:1], start).board()
    match = played(EXAMPLE[:2], start)
    assert match.plies[1].turned == cells("f7 e7")
    assert match.board().black == before.black & ~cells("g5") | cells("f6 f7 e7")
    assert match.board().white == before.white & ~cells("f7 e7")


@pytest.mark.parametrize("start", ["adjacent", "opposite"])
def test_q3_a_counter_beside_an_own_one_turns_its_neighbours(start: str) -> None:
    before = played(EXAMPLE[:2], start).board()
    assert isinstance(before, QuadWrangle)
    assert before.kind(action("f5")) == "c"
    match = played(EXAMPLE, start)
    assert match.plies[2].turned == cells("f6 g6 g4")
    assert match.board().white == before.white | cells("f5 f6 g6 g4")
    assert match.board().black == before.black & ~cells("f6 g6 g4")


def test_q4_touching_makes_it_type_c_whatever_it_is_called() -> None:
    position = played(EXAMPLE[:2]).board()
    assert isinstance(position, QuadWrangle)
    assert position.color_at(chess.F4) is chess.WHITE
    assert position.kind(action("g5")) == "c"
    assert position.turned(action("g5")) == cells("f6 g6 g4")
    # Laid down and nothing turned, it stands as what it is: against the rules.
    match = CounterMatch("quadwrangle", {"A": position.fen()})
    ply = match.force("A", action("g5"), turned=0)
    assert not ply.legal
    assert ply.san == "g5~"
    assert match.board().black == position.black


@pytest.mark.parametrize("between", ["p", "P"])
def test_q5_nothing_slides_over_a_counter(between: str) -> None:
    match = CounterMatch("quadwrangle", {"A": f"7/7/7/P2{between}2p/7/7/7 w"})
    assert match.is_legal("A", action("a4-c4"))
    assert "a counter stands between a4 and f4" in refused(match, "a4-f4")
    assert "d4 is taken" in refused(match, "a4-d4")
    assert "no queen goes from a4 to b6" in refused(match, "a4-b6")


def test_q6_without_b_and_c_there_is_always_a() -> None:
    match = CounterMatch("quadwrangle", {"A": "ppPPPPP/PPPPPPP/PPPPPPP/1PPPPPP/1PPPPPP/PPPPPPP/PPPPPPP b"})
    position = match.board()
    assert isinstance(position, QuadWrangle)
    assert {position.kind(move) for move in match.legal_moves()} == {"a"}
    assert match.push("A", match.parse_san("A", "a3")).turned == 0
    answer = match.board()
    assert isinstance(answer, QuadWrangle)
    assert answer.kind(action("a4")) == "c"
    assert match.push("A", action("a4")).turned == cells("a3")
    assert (match.is_over, match.result, match.score) == (True, "1-0", (47, 2))


def test_q7_no_counter_moves_onto_an_empty_cell() -> None:
    match = CounterMatch("affollata", {"A": "8/8/8/3p4/3P4/8/8/8 w"})
    assert "e5 is empty" in refused(match, "d4-e5")
    assert "no new counters" in refused(match, "e5")
    assert [written(move) for move in match.legal_moves()] == ["d4-d5"]


def test_q8_no_counter_moves_onto_one_of_its_colour() -> None:
    match = CounterMatch("affollata", {"A": "8/8/8/3pP3/3P4/8/8/8 w"})
    assert "e5 holds a counter of the same colour" in refused(match, "d4-e5")


# The example's figure is lost. These are the two ways in which its end can be played with 26 counters: g2-f3 turns one
# counter and h2-h1 none, or two and g1.
ENDINGS = ["ppppp3/ppppp3/8/8/7p/PPP1pp1p/PPP3Pp/PPP4P w", "ppppp3/pppp4/8/8/5p1p/PPP1pp1p/PPP3Pp/PP4PP w"]


@pytest.mark.parametrize("fen", ENDINGS)
def test_q9_the_last_contact_gone_the_game_is_over(fen: str) -> None:
    match = CounterMatch("affollata", {"A": fen})
    assert match.score == (11, 15)
    assert match.push("A", match.parse_san("A", "g2-h3")).turned == cells("h4 h2")
    assert match.board().color_at(chess.H3) is chess.WHITE
    assert (match.is_over, match.result, match.score) == (True, "1-0", (13, 12))


@pytest.mark.parametrize("fen", ENDINGS)
def test_q10_with_one_contact_left_the_game_goes_on(fen: str) -> None:
    match = CounterMatch("affollata", {"A": fen})
    match.push("A", match.parse_san("A", "g2-f3"))
    assert (match.is_over, match.result) == (False, "*")
    assert "h2-h1" in map(written, match.legal_moves())
    match.push("A", match.parse_san("A", "h2-h1"))
    assert (match.is_over, match.result, match.score) == (True, "0-1", (11, 13))


def test_q11_the_start_of_affollata_is_told_not_assumed() -> None:
    with pytest.raises(ValueError, match="affollata: set up the start"):
        CounterMatch("affollata")
    # d4-e5 is no first move from a chequer of either kind: both cells are of one colour.
    chequer = Crowded.start("chequer")
    assert start_faults(chequer) == []
    for position in (chequer, Crowded(chequer.black, chequer.white)):
        assert position.color_at(chess.D4) == position.color_at(chess.E5)
        assert not position.is_legal(action("d4-e5"))
        assert position.is_legal(action("d4-d5")) == (position.color_at(chess.D4) is chess.WHITE)
    # Where the players have set it up so that e5 is Black's, it is.
    halves = CounterMatch("affollata", {"A": "\n".join(["bbbbbbbb"] * 4 + ["wwwwwwww"] * 4)})
    assert start_faults(halves.board()) == []
    assert halves.push("A", halves.parse_san("A", "d4-e5")).turned == cells("d5 f5 d6 e6 f6")


@given(st.integers(0, chess.BB_ALL), st.integers(0, chess.BB_ALL))
@settings(max_examples=200)
def test_q12_nobody_can_be_alone_in_having_no_capture(white: int, black: int) -> None:
    for thin in (chess.BB_ALL, 0x8100240081002400, 0x8000002000040001):
        position = Crowded(white & thin, black & ~white & thin)
        other = position.with_turn(chess.BLACK)
        assert position.is_over == other.is_over
        assert position.result == other.result


@given(st.randoms(use_true_random=False))
@settings(max_examples=15, phases=PHASES)
def test_q13_every_empty_cell_is_open_until_the_board_is_full(rng: random.Random) -> None:
    match = CounterMatch("quadwrangle", {"A": rng.choice(["adjacent", "opposite"])})
    while match.board().empty:
        position = match.board()
        assert isinstance(position, QuadWrangle)
        assert (match.is_over, match.result) == (False, "*")
        for cell in chess.scan_forward(position.empty):
            touches = bool(chess.BB_KING_ATTACKS[cell] & position.own)
            assert match.is_legal("A", PLACINGS[cell])
            assert position.kind(PLACINGS[cell]) == ("c" if touches else "a")
        choices = list(match.legal_moves())
        match.push("A", rng.choice([move for move in choices if move.drop] if rng.random() < 0.7 else choices))
    white, black = match.score
    assert white + black == 49
    assert match.is_over
    assert match.result == ("1-0" if white > black else "0-1")


def test_q13_slides_can_go_on_without_limit() -> None:
    match = CounterMatch("quadwrangle", {"A": "6p/7/7/7/7/7/P6 w"})
    first = match.board()
    for _ in range(100):
        for text in ("a1-a2", "g7-g6", "a2-a1", "g6-g7"):
            match.push("A", match.parse_san("A", text))
    assert match.board() == first
    assert (match.is_over, match.result, match.count()) == (False, "*", 400)


# Counts


@pytest.mark.parametrize(("game", "start"), REFERENCE)
def test_perft(game: CounterGame, start: str) -> None:
    position = GAMES[game].start(start)
    assert [perft(position, depth) for depth in (1, 2, 3)] == list(REFERENCE[game, start][:3])


# Every game


def naive(position: Counters) -> dict[tuple[int, int], tuple[set[int], set[int]]]:
    """What each side has after every legal action, by cells of the action: found by walking a dictionary."""
    here = {cell: position.color_at(cell) for cell in chess.scan_forward(position.CELLS)}
    steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]

    def at(cell: int, x: int, y: int) -> int | None:
        file, rank = cell % 8 + x, cell // 8 + y
        return rank * 8 + file if 0 <= file < position.SIZE and 0 <= rank < position.SIZE else None

    actions: dict[tuple[int, int], bool] = {}  # whether it turns its neighbours
    for cell, color in here.items():
        beside = [there for step in steps if (there := at(cell, *step)) is not None]
        if color is None and position.GAME == "quadwrangle":
            actions[cell, cell] = any(here[there] == position.turn for there in beside)
        elif color == position.turn and position.GAME == "affollata":
            actions |= {(cell, there): True for there in beside if here[there] not in (None, position.turn)}
        elif color == position.turn:
            for step in steps:
                there = at(cell, *step)
                while there is not None and here[there] is None:
                    actions[cell, there] = True
                    there = at(there, *step)
    found = {}
    for (source, target), turns in actions.items():
        after = dict(here)
        after[source] = None
        after[target] = position.turn
        for step in steps:
            there = at(target, *step)
            if turns and there is not None and after[there] is not None:
                after[there] = position.turn
        found[source, target] = (
            {cell for cell, color in after.items() if color is chess.WHITE},
            {cell for cell, color in after.items() if color is chess.BLACK},
        )
    return found


starts = st.sampled_from(
    [
        ("quadwrangle", "adjacent"),
        ("quadwrangle", "opposite"),
        ("quadwrangle", "3p3/7/1P5/7/5p1/7/P5P b"),
        ("affollata", "chequer"),
        ("affollata", "bbbbbbbb/" * 4 + "wwwwwwww/" * 4 + " b"),
        ("affollata", ENDINGS[1]),
    ]
)
Start = tuple[CounterGame, str]


def some_game(start: Start, rng: random.Random, plies: int, irregular: float = 0.0) -> CounterMatch:
    """A game of random actions, some of them against the rules, some positions set by the arbiter."""
    match = CounterMatch(start[0], {"A": start[1]})
    for _ in range(plies):
        position = match.board()
        if rng.random() < irregular:
            any_move = rng.choice([*PLACINGS, *rng.choice(MOVES)])
            turned = (
                rng.getrandbits(64) & rng.getrandbits(64) & position.occupied & ~chess.BB_SQUARES[any_move.to_square]
            )
            try:
                match.force("A", any_move, rng.choice(chess.COLORS), turned & ~chess.BB_SQUARES[any_move.from_square])
            except IllegalMoveError:
                match.set_position("A", position.with_turn(rng.choice(chess.COLORS)).fen())
        elif not match.is_over:
            match.push("A", rng.choice(list(match.legal_moves())))
    return match


games = st.builds(some_game, starts, st.randoms(use_true_random=False), st.integers(0, 60))
irregular_games = st.builds(some_game, starts, st.randoms(use_true_random=False), st.integers(0, 60), st.just(0.2))


@given(games)
@settings(max_examples=60, phases=PHASES)
def test_actions_and_what_they_leave_are_those_found_by_walking(match: CounterMatch) -> None:
    position, expected = match.board(), naive(match.board())
    moves = list(match.legal_moves())
    assert {(move.from_square, move.to_square) for move in moves} == set(expected)
    assert len(moves) == len(expected) == position.count_moves()
    for move in moves:
        after = position.after(move)
        assert (set(chess.scan_forward(after.white)), set(chess.scan_forward(after.black))) == expected[
            move.from_square, move.to_square
        ]
        assert after.turn != position.turn


@given(games)
@settings(max_examples=20, phases=PHASES)
def test_what_is_not_among_the_legal_actions_has_a_reason(match: CounterMatch) -> None:
    position, legal = match.board(), set(match.legal_moves())
    queer = [chess.Move(move.from_square, move.to_square, chess.QUEEN, move.drop) for move in legal]
    queer += [chess.Move(move.to_square, move.to_square, drop=chess.QUEEN) for move in legal]
    queer += [chess.Move(move.from_square, move.to_square ^ 1, drop=chess.PAWN) for move in legal if move.drop]
    for move in [*PLACINGS, *(move for moves in MOVES for move in moves), *queer]:
        assert position.is_legal(move) == (move in legal) == (not position.refusal(move))


@given(games)
@settings(max_examples=60, phases=PHASES)
def test_counters_are_conserved(match: CounterMatch) -> None:
    again = match.fresh()
    for ply in match.plies:
        before, move = again.board(), ply.move
        again.again(ply)
        after, gained = again.board(), ply.turned.bit_count()
        assert after.white & after.black == 0
        assert after.occupied & ~after.CELLS == 0
        ours, theirs = (before.score, after.score) if ply.color else (before.score[::-1], after.score[::-1])
        taken = match.game == "affollata"
        assert theirs == (ours[0] + gained + bool(move.drop), ours[1] - gained - taken)
    assert again.board() == match.board()


@given(irregular_games, st.randoms(use_true_random=False))
@settings(max_examples=60, phases=PHASES)
def test_taken_back_is_never_done(match: CounterMatch, rng: random.Random) -> None:
    before, plies = match.board(), match.plies.copy()
    for _ in range(3):
        if not match.is_over:
            match.push("A", rng.choice(list(match.legal_moves())))
    taken = chess.lsb(match.board().occupied)
    match.force("A", PLACINGS[taken], turned=0)
    copy, there, whole = match.copy(), match.board(), match.plies.copy()
    while len(match.plies) > len(plies):
        match.pop()
    assert (match.board(), match.plies) == (before, plies)
    assert (copy.board(), copy.plies) == (there, whole)
    shorter, lost = copy.without_dependents()
    assert copy.without_last().board() == shorter.board()
    assert [*shorter.plies, *lost] == copy.plies
    assert copy.without_last("A", len(copy.plies) - len(plies)).board() == before
    while len(copy.plies) > len(plies):
        copy.pop()
    assert copy.board() == before
    with pytest.raises(IllegalMoveError, match="plies to take back"):
        copy.without_last("A", len(plies) + 1)


@given(irregular_games)
@settings(max_examples=60, phases=PHASES)
def test_a_replayed_game_is_the_same(match: CounterMatch) -> None:
    again = match.replayed(lambda _, ply: ply)
    assert (again.board(), again.plies, again.settings) == (match.board(), match.plies, match.settings)


@given(games)
@settings(max_examples=60, phases=PHASES)
def test_the_colours_are_alike(match: CounterMatch) -> None:
    position = match.board()
    mirrored = type(position)(position.black, position.white, not position.turn)
    assert list(mirrored.legal_moves()) == list(position.legal_moves())
    for move in position.legal_moves():
        after, other = position.after(move), mirrored.after(move)
        assert (after.white, after.black) == (other.black, other.white)
    assert mirrored.score == position.score[::-1]
    assert mirrored.result == {"1-0": "0-1", "0-1": "1-0"}.get(position.result, position.result)


@given(games)
@settings(max_examples=60, phases=PHASES)
def test_a_position_and_its_actions_are_read_as_written(match: CounterMatch) -> None:
    position = match.board()
    assert type(position).from_fen(position.fen()) == position
    assert type(position).from_fen(f"{position}\n{'w' if position.turn else 'b'}") == position
    texts = [written(move) for move in position.legal_moves()]
    assert len(set(texts)) == len(texts)
    assert [match.parse_san("A", text) for text in texts] == list(position.legal_moves())


@given(
    irregular_games, st.booleans(), st.sampled_from(["", "a [quiet] {day}, 12 o'clock"]), st.sampled_from(["*", "1-0"])
)
@settings(max_examples=60, phases=PHASES)
def test_a_record_is_read_as_written(match: CounterMatch, timed: bool, comment: str, result: str) -> None:
    clocks: list[float | None] = [180.0 - 0.377 * n if timed else None for n in range(len(match.plies))]
    text = write(CounterRecord(match, {"White": 'Ada "the queen"'}, clocks, comment, result))
    (again,) = read(text)
    assert [(p.color, p.move, p.turned, p.legal) for p in again.match.plies] == [
        (p.color, p.move, p.turned, p.legal) for p in match.plies
    ]
    assert again.match.board() == match.board()
    assert again.match.settings == match.settings
    assert again.result == (match.result if match.is_over else result)
    assert again.tags["White"] == 'Ada "the queen"'
    assert again.clocks == [None if clock is None else pytest.approx(clock, abs=0.001) for clock in clocks]
    assert write(again) == text


# Records and positions in words


def test_the_record_of_the_documents_example() -> None:
    text = write(CounterRecord(played(EXAMPLE), {"White": "A", "Event": "E"}, [None, 58.5, None], "so far"))
    assert text == (
        '[Event "E"]\n[Site "?"]\n[Date "?"]\n[White "A"]\n[Black "?"]\n[Result "*"]\n[Variant "quadwrangle"]\n'
        '[SetUp "1"]\n[FEN "1PPPPP1/P5p/P5p/P5p/P5p/P5p/1ppppp1 w"]\n\n'
        "1. f4 g5-f6 {58.500} 2. f5 {so far} *\n\n"
    )


def test_a_tag_that_would_break_the_record_is_left_out_or_put_right() -> None:
    (again,) = read(write(CounterRecord(played(EXAMPLE), {"Table no.": "3", "Site": "Bratto\n\n(BG)"})))
    assert again.tags["Site"] == "Bratto (BG)"
    assert not any(name.startswith("Table") for name in again.tags)


def test_games_follow_one_another_and_the_default_start_needs_no_position() -> None:
    first, second = read('[Variant "QuadWrangle"]\n1. f4 G5xf6 2. f5! 1-0\n\n[Variant "quadwrangle"]\n\n1. d4 d3 *\n')
    assert first.match.board() == played(EXAMPLE).board()
    assert first.outcome == "1-0"
    assert second.match.board() == played(["d4", "d3"]).board()


@given(
    irregular_games, st.lists(st.tuples(st.integers(0, 5000), st.text('a1g8~-.*{}[]%" \n;(2', max_size=4)), max_size=4)
)
@settings(max_examples=100, phases=PHASES)
def test_a_broken_record_is_read_or_refused_in_a_line(match: CounterMatch, breaks: list[tuple[int, str]]) -> None:
    text = write(CounterRecord(match, result="1/2-1/2"))
    for place, instead in breaks:
        place %= len(text)
        text = text[:place] + instead + text[place + 1 :]
    refusal, found = "", list[CounterRecord]()
    try:
        found += read(text)
    except RecordError as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith("line ")
        assert "\n" not in refusal
    else:
        again = list(read("".join(map(write, found))))
        assert [game.match.plies for game in again] == [game.match.plies for game in found]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("1. f4", 1, "Variant is quadwrangle or affollata"),
        ('[Variant "chess"]\n\n1. e4', 1, "not 'chess'"),
        ('[Variant "affollata"]\n\n1. d4-d5', 1, "set up the start"),
        ('[Variant "quadwrangle"]\n[FEN "7/7/7 w"]\n\n1. f4', 1, "a position is 7 rows"),
        ('[Variant "quadwrangle"]\n\n1. f4\n1... a7-b7', 4, "Black has no counter on a7"),
        ('[Variant "quadwrangle"]\n\n1. f4 h8', 3, "h8 is off the board"),
        ('[Variant "quadwrangle"]\n\n1. Nf4', 3, "'Nf4' is no action"),
        ('[Variant "quadwrangle"]\n\n1... f4', 3, "f4 is Black's, but the other side is to move"),
        ('[Variant "quadwrangle"]\n\n1. f4~a1', 3, "turns what is not there"),
        ('[Variant "quadwrangle"]\n\n1. f4 * g4', 3, "after the result"),
        ('[Variant "quadwrangle"]\n\n1. f4 {never closed', 3, "nobody closed"),
        ('[Variant "quadwrangle"]\n\n1. f4 {[%setup A 7/7 w]}', 1, "a position is 7 rows"),
        ('[Variant "affollata"]\n[FEN "8/8/8/3p4/3P4/8/8/8 w"]\n\n1. d4-d5 0-1', 1, "counters say 1-0: 1 to 0"),
    ],
)
def test_what_is_wrong_with_a_record_is_told_in_a_line(text: str, line: int, told: str) -> None:
    with pytest.raises(RecordError) as error:
        list(read(text))
    assert str(error.value).startswith(f"line {line}: ")
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a position is 7 rows and w or b, or one of adjacent, opposite"),
        ("7/7/7/7/7/7/7 white", "a position is 7 rows"),
        ("7/7/7/7/7/7/8", "rank 1 is 7 of P, p and empty"),
        ("7/7/7/7/7/7/6q", "rank 1 is 7 of P, p and empty"),
        ("7/ppp/7/7/7/7/7", "rank 6 is"),
    ],
)
def test_what_is_no_position_is_told_in_a_line(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told) as error:
        QuadWrangle.from_fen(text)
    assert "\n" not in str(error.value)


def test_counters_set_up_for_a_game_are_counted() -> None:
    assert start_faults(QuadWrangle.start("opposite")) == []
    assert start_faults(played(["f4"]).board()) == ["White starts with 10 counters, not 11"]
    holes = Crowded(chess.BB_ALL & ~cells("a1 h8"), 0)
    assert start_faults(holes) == ["every cell holds a counter at the start; empty: a1 h8"]


# What was done against the rules stands as it stands on the board


@pytest.mark.parametrize(
    ("text", "turned"),
    [("g5-f6", ""), ("g5-f6", "f7"), ("g5-f6", "f7 e7 d7"), ("g5-f6", "f7 g6"), ("b1-b7", ""), ("f4", "")],
    ids=["not turned", "too few", "too many", "an own one", "over a counter's cell", "on a taken cell"],
)
def test_an_irregular_action_leaves_what_it_left(text: str, turned: str) -> None:
    match = played(EXAMPLE[:1])
    before = match.board()
    ply = match.force("A", action(text), turned=cells(turned))
    after = match.board()
    assert not ply.legal
    own = cells("g5") if "g5" in text else cells("b1") if "b1" in text else 0
    moved = chess.BB_SQUARES[ply.move.to_square]
    assert after.occupied == before.occupied & ~own | moved
    assert (after.white ^ before.white) & ~moved == cells(turned)
    assert after.black & moved
    assert after.turn is chess.WHITE
    assert read_written(ply.san) == (ply.move, cells(turned))
    with pytest.raises(IllegalMoveError, match="was against the rules"):
        match.parse_san("A", ply.san)


def test_moving_twice_is_irregular_and_an_action_by_the_rules_is_not() -> None:
    match = played(EXAMPLE[:1])
    twice = match.force("A", action("f5"), chess.WHITE)
    assert (twice.legal, twice.color, twice.number) == (False, chess.WHITE, 2)
    assert match.board().turn is chess.BLACK
    answer = match.force("A", action("g2-f3"), chess.BLACK)
    assert (answer.legal, answer.san) == (True, "g2-f3")
    assert answer.turned == cells("f4 g4")  # g4 by what White did


CROWD = "g5-f6~" + "b7c7d7e7f7a2a3a4a5a6b1c1d1e1f1g2g3"  # more than an action turns, and than a record holds


@pytest.mark.parametrize("text", ["a1-b1", "g5-h6", "h8", "g5-f6~f6", "g5-f6~g5", "g5-f6~c3", CROWD])
def test_what_cannot_have_happened_is_refused(text: str) -> None:
    match = played(EXAMPLE[:1])
    before = match.board()
    move, turned = read_written(text)
    with pytest.raises(IllegalMoveError):
        match.force("A", move, turned=turned)
    assert (match.board(), match.count()) == (before, 1)


def test_a_set_position_is_not_taken_back() -> None:
    match = played(EXAMPLE)
    match.set_position("A", "7/7/7/3P3/7/7/7 b")
    with pytest.raises(IndexError):
        match.pop()
    match.push("A", action("d5"))
    match.pop()
    assert match.board() == QuadWrangle.from_fen("7/7/7/3P3/7/7/7 b")


def test_a_board_tells_what_readers_and_pages_ask() -> None:
    position = played(EXAMPLE).board()
    assert {cell: piece.color for cell, piece in position.piece_map().items()} == {
        cell: color for cell in chess.SQUARES if (color := position.color_at(cell)) is not None
    }
    assert position.occupied_co[chess.WHITE] == position.white
    assert position.occupied_co[chess.BLACK] == position.black
