"""What holds for every match, whatever is played: men are conserved, taking back leaves no trace, records are whole."""

import random

import chess
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rules import bpgn, pgn
from rules.board import ReserveBoard
from rules.check import GRAVITY, check
from rules.match import Game as Kind
from rules.match import Match
from rules.material import difference
from rules.notation import parse
from rules.profiles import PROFILES, adapted
from rules.records import Game, RecordError, read
from rules.seats import BOARDS
from tests.rules.fuzz import mutated, text_of

# Not shrunk: these examples are whole matches, and shrinking one takes minutes.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
Choices = list[tuple[bool, int]]
choices = st.lists(st.tuples(st.booleans(), st.integers(0, 10_000)), min_size=40, max_size=160)
fens = st.sampled_from(
    [
        "",
        "r3k2r/P1P2PPP/8/3pP3/8/5n2/pp3ppp/R3K2R[QRBNPqrbnp] w KQkq d6 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3[RRNrrn] w KQkq - 0 1",
    ]
)
profiles = st.sampled_from(sorted(PROFILES))
kinds: st.SearchStrategy[Kind] = st.sampled_from(["bughouse", "crazyhouse", "chess"])


def played(chosen: Choices, profile: str | None = None, kind: Kind = "bughouse", fen: str = "") -> Match:
    """A match of these choices among the legal moves, captures and drops first."""
    start = dict.fromkeys(BOARDS, fen) if fen and kind == "bughouse" else None
    match = Match(kind, PROFILES[profile] if profile and kind == "bughouse" else None, start)
    for first, number in chosen:
        name = match.boards[0 if first else -1]
        board = match.board(name)
        moves = sorted(match.legal_moves(name), key=lambda move: (not move.drop, not board.is_capture(move), str(move)))
        if moves:
            match.push(name, moves[number % len(moves)])
    return match


def state(match: Match) -> list[object]:
    """All there is to know about where a match stands."""
    found: list[object] = [match.plies.copy()]
    for name in match.boards:
        board = match.board(name)
        found += [board.fen(), board.castling_rights, board.ep_square, [match.pocket(name, c) for c in chess.COLORS]]
        if isinstance(board, ReserveBoard):
            found += [board.unmoved, board.dropped_pawns, board.promoted]
    return found


@given(choices, profiles, st.booleans(), st.sampled_from(["lying_pawn", "substitution"]), fens)
@settings(max_examples=60, phases=PHASES)
def test_men_are_conserved(chosen: Choices, profile: str, reverts: bool, promotion: str, fen: str) -> None:
    rules = adapted(PROFILES[profile], {"promoted_reverts": reverts, "promotion": promotion})
    match = Match("bughouse", rules, dict.fromkeys(BOARDS, fen) if fen else None)
    for first, number in chosen:
        name = match.boards[0 if first else -1]
        moves = sorted(match.legal_moves(name), key=lambda move: (not move.promotion, str(move)))
        if moves:
            match.push(name, moves[number % len(moves)])
        assert not difference(match)


@given(choices, choices, profiles, kinds, fens)
@settings(max_examples=40, phases=PHASES)
def test_taken_back_is_never_done(chosen: Choices, more: Choices, profile: str, kind: Kind, fen: str) -> None:
    match = played(chosen, profile, kind, fen)
    before = state(match)
    count = 0
    for first, number in more:
        name = match.boards[0 if first else -1]
        moves = list(match.legal_moves(name))
        if moves:
            match.push(name, moves[number % len(moves)])
            count += 1
    for _ in range(count):
        match.pop()
    assert state(match) == before


@given(choices, kinds)
@settings(max_examples=20, phases=PHASES)
def test_a_replayed_match_is_the_same_and_a_copy_is_independent(chosen: Choices, kind: Kind) -> None:
    match = played(chosen, None, kind)
    again = match.replay((ply.board, ply.move) for ply in match.plies)
    assert state(again) == state(match)
    copy, before = match.copy(), state(match)
    for name in copy.boards:
        for move in list(copy.legal_moves(name))[:1]:
            copy.push(name, move)
    assert state(match) == before


@given(choices, profiles, kinds, st.booleans(), fens)
@settings(max_examples=40, phases=PHASES)
def test_written_and_read_again_is_the_same(chosen: Choices, profile: str, kind: Kind, timed: bool, fen: str) -> None:
    match = played(chosen, profile, kind, fen)
    if not match.plies:
        return
    clocks: list[float | None] = (
        [round(180.0 - 0.377 * n, 3 if kind == "bughouse" else 1) for n in range(len(match.plies))] if timed else []
    )
    game = Game(match, {"Event": 'The "Club"'}, clocks, "WA checkmated", "1-0")
    (again,) = read(bpgn.write(game) if kind == "bughouse" else pgn.write(game))
    assert state(again.match) == state(match)
    assert (again.match.game, again.match.profile) == (kind, match.profile)
    assert again.clocks == (clocks or [None] * len(match.plies))
    assert (again.tags["Event"], again.result, again.comment) == ('The "Club"', "1-0", "WA checkmated")


@given(choices, profiles, kinds, fens)
@settings(max_examples=40, phases=PHASES)
def test_what_was_played_by_the_rules_checks_clean(chosen: Choices, profile: str, kind: Kind, fen: str) -> None:
    match = played(chosen, profile, kind, fen)
    if not match.plies:
        return
    (record,) = parse(text_of(Game(match)))
    faults = [fault for fault in check(record).faults if fault.finding.word == "ILLEGAL"]
    assert not faults
    assert len(check(record).match.plies) == len(match.plies)


@given(choices, kinds, st.integers(0, 2**32))
@settings(max_examples=100, phases=PHASES)
def test_a_broken_record_is_refereed_all_the_same(chosen: Choices, kind: Kind, seed: int) -> None:
    text = mutated(random.Random(seed), text_of(Game(played(chosen[:30], None, kind))))
    for record in parse(text):
        assert check(record).word in GRAVITY
    try:
        list(read(text))
    except RecordError as error:
        assert "\n" not in str(error)  # noqa: PT017


@given(choices, st.integers(0, 10_000))
@settings(max_examples=40, phases=PHASES)
def test_a_wrong_move_is_found_where_it_stands(chosen: Choices, number: int) -> None:
    """One move of a record replaced by one that is not legal: that very ply is named."""
    match = played(chosen)
    if not match.plies:
        return
    index = number % len(match.plies)
    wrong = match.plies[index]
    before = match.fresh()
    for ply in match.plies[:index]:
        before.again(ply)
    legal = {move.uci() for move in before.legal_moves(wrong.board)}
    kinds_held = [kind for kind in chess.PIECE_TYPES[:-1] if not before.pocket(wrong.board, wrong.color)[kind]]
    free = [square for square in chess.SQUARES if not before.board(wrong.board).piece_at(square)]
    kind, square = kinds_held[number % len(kinds_held)] if kinds_held else chess.PAWN, free[number % len(free)]
    drop = f"{chess.piece_symbol(kind).upper()}@{chess.square_name(square)}"
    assert drop not in legal or not kinds_held
    if not kinds_held:
        return
    words = bpgn.write(Game(match)).split("\n\n")[1].split()
    words[2 * index + 1] = drop
    (record,) = parse(" ".join(words))
    first = next(fault for fault in check(record).faults if fault.finding.word == "ILLEGAL")
    assert (first.board, first.ply, first.san) == (wrong.board, wrong.number, drop)
    assert first.finding.reason == "drop_not_in_reserve"


@given(choices, profiles, fens, st.integers(0, 2**32))
@settings(max_examples=30, phases=PHASES)
def test_a_move_is_legal_if_and_only_if_it_is_generated(chosen: Choices, profile: str, fen: str, seed: int) -> None:
    match, rng = played(chosen, profile, fen=fen), random.Random(seed)
    for name in match.boards:
        generated = set(match.legal_moves(name))
        kinds_or_none = [None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]
        for _ in range(300):
            source, target = rng.choice(chess.SQUARES), rng.choice(chess.SQUARES)
            drop = chess.Move(target, target, drop=rng.choice(chess.PIECE_TYPES))
            for move in (chess.Move(source, target, rng.choice(kinds_or_none)), drop):
                assert match.is_legal(name, move) == (move in generated), (match.board(name).fen(), move)
        assert all(match.is_legal(name, move) for move in generated)
