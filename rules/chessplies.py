"""What moves and drops do to a line of play: chess, with reserves or without."""

from collections.abc import Iterator
from itertools import chain

import chess
import chess.variant
import numpy as np

from rules.beam import Beam
from rules.force import force
from rules.gains import PLY
from rules.history import NEW, History
from rules.irregular import (
    Illegal,
    TakenBack,
    breach,
    has_illegal,
    in_turn,
    irregular,
    is_drop_back,
    is_held,
    restored,
    undoing,
    written,
)
from rules.lines import Line, took
from rules.match import Match, Ply, san_of
from rules.meanwhile import played_meanwhile
from rules.observation import EMPTY, label_index
from rules.seats import BoardName, won
from rules.transitions import candidates, changes, differing, origin, origins, taken_kind

AGAINST = 4.0  # nats that every move costs that the rules forbid,
BESIDES = 2.0  # and one out of turn that they forbid in turn, too,
DROPPED = 1.0  # and every drop: there is but one square to speak for it,
NOT_HELD = 2.0  # with a man that nobody passed on where one that is held could have been dropped,
COULD_COME = 4.0  # or where one of his kind could have gone who is not clearly seen to have stayed,
TWICE = 8.0  # and one of these out of turn,
BACK = 2.0  # and every one taken back, unless it was forbidden
UNDER = 3.0  # and every promotion to anything but a queen,
IN_PASSING = 2.0  # and every capture en passant: none in 37 real matches, where eight pawns that moved one square were
# taken by another there at once
WALKS = 2.5  # and every quiet move of a king who could still castle one day: 2 of 1,863 moves in 37 real matches
KNIGHT = 1.2  # and White's first ply, if it is a knight's: 3 of 74 in these; of two orders the less likely
CLEARLY = 2.0  # nats by which a square must show who was dropped against the rules rather than what was there
BRIEF = 0.5  # seconds that a dropped piece stands before it goes on, at least,
LONG = 2.5  # and usually; every second less costs a nat
WHILE = 1.5  # seconds for which a square is hidden while a piece is dropped there and then taken, at least: of 210 in
# 37 scripted matches one in a hundred was taken within 0.94 s of when he stood;
GONE = 4.0  # nats for every second less
SET_UP = chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_7 | chess.BB_RANK_8


class ChessPlies:
    """As `rules.plies.Plies`. `own_pockets`: what is captured goes to the capturer's own pocket at once."""

    slow = False

    def __init__(self, own_pockets: bool) -> None:
        self.own_pockets = own_pockets

    def copy(self, board: chess.Board) -> chess.Board:
        return board.copy(stack=False)

    def key(self, line: Line) -> tuple[object, ...]:
        board = line.board
        kinds = board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings
        return board.turn, board.occupied_co[chess.WHITE], *kinds

    def as_good(self, line: Line, other: Line) -> bool:
        return line is other

    def passed(self, board: chess.Board) -> chess.Board | None:
        if board.is_check():
            return None
        after = board.copy(stack=False)
        after.push(chess.Move.null())
        return after

    def grow(self, beam: Beam, line: Line, changed: chess.Bitboard, hidden: chess.Bitboard) -> Iterator[chess.Move]:
        found = chain(
            candidates(line.board, changed, hidden, beam.history.showing(line.board.turn), beam.history.left),
            _moves_out_of_sight(beam, line, changed, hidden),
            _drops_out_of_sight(beam, line, changed, hidden),
            _drops_hardly_seen(beam, line, changed),
            _irregular(beam, line, changed),
        )
        if line.parent is None or line.parent.last is None or not is_drop_back(line.moves[-1]):
            return found
        # A man who was dropped and stands elsewhere at once was moved there, whatever the rules say of that.
        again = line.parent.last.drop
        return (move for move in found if move.drop != again)

    def after(self, beam: Beam, line: Line, move: chess.Move) -> Line:
        if isinstance(move, Illegal):
            return _after_illegal(beam.history, line, move)
        if isinstance(move, TakenBack):
            return _after_taken_back(line, move)
        before, board = line.board, line.board.copy(stack=False)
        child = Line(line, move, board)
        mover = before.turn
        for square, content in changes(before, move, line).items():
            child.contents[square] = (*line.contents.get(square, (NEW + square,)), content)
        child.cost += PLY + (UNDER if move.promotion not in (None, chess.QUEEN) else 0.0)
        if move.drop:
            since = beam.sightings.since(line)
            hidden = beam.history.hidden_for(move.to_square, since)
            hasty = GONE * max(WHILE - hidden, 0.0)
            if not beam.gains.changed & chess.BB_SQUARES[move.to_square]:
                child.unseen = max(LONG - hidden, hasty)
            elif not beam.history.has_shown(move.to_square, mover, since):
                child.unseen = hasty
            child.dropped = (*line.dropped, (mover, move.drop))
        elif before.is_capture(move):
            taken = taken_kind(before, move)
            if before.is_en_passant(move):
                child.cost += IN_PASSING
            else:  # the piece taken may leave before the other comes
                *held, content = child.contents[move.to_square]
                child.contents[move.to_square] = (*held, EMPTY, content)
            child.captured = (*line.captured, (mover, taken))
            if self.own_pockets:
                assert isinstance(board, chess.variant.CrazyhouseBoard)
                board.pockets[mover].add(taken)
        elif before.occupied == SET_UP and before.knights >> move.from_square & 1 and before.turn:
            child.cost += KNIGHT
        elif before.kings >> move.from_square & 1 and before.has_castling_rights(mover) and not before.is_check():
            child.cost += 0.0 if before.is_castling(move) else WALKS
        board.push(move)
        return child

    def seen_at(self, history: History, line: Line) -> float:
        move = line.moves[-1]
        left = None if move.drop else (move.from_square, line.contents[move.from_square])
        return history.switched(move.to_square, line.contents[move.to_square], -1, left)

    def disorder(self, history: History, line: Line, then: Line | None) -> float:
        del history, line, then  # castling apart, a ply has one part
        return 0.0

    def meanwhile(self, board: chess.Board, white: chess.Bitboard, black: chess.Bitboard) -> list[chess.Move]:
        return played_meanwhile(board, white, black)

    def waits(self, history: History, line: Line, then: Line | None) -> bool:
        del history, line, then
        return False

    def as_played(self, ply: Ply) -> chess.Move:
        move = ply.move
        return move if ply.legal else Illegal(move.from_square, move.to_square, move.promotion, move.drop, ply.color)

    def force(self, match: Match, name: BoardName, move: Illegal) -> tuple[Ply, str, str]:
        kind, finding = breach(match, name, move)
        stray = match.strays(name, move.plain(), move.color)
        ply = match.force(name, move.plain(), move.color, written(match.board(name), move), stray=stray)
        return ply, kind, f"{finding.rule}: {finding.authority}"

    def written(self, board: chess.Board, move: chess.Move) -> str:
        return written(board, move) if isinstance(move, Illegal) else san_of(board, move)

    def end(self, match: Match, name: BoardName) -> tuple[str, str] | None:
        return (won(name, not match.board(name).turn), "checkmate") if match.is_mate(name) else None


def _moves_out_of_sight(
    beam: Beam, line: Line, changed: chess.Bitboard, hidden: chess.Bitboard
) -> Iterator[chess.Move]:
    """Moves of a man who has gone onto open squares that lay hidden, from which he may have gone on to where one
    shows."""
    board, since = line.board, beam.sightings.since(line)
    for left in chess.scan_forward(changed & board.occupied_co[board.turn] & beam.history.left):
        onto = _on_the_way(beam, board, board.piece_type_at(left), changed)
        for square in chess.scan_forward(onto & ~(board.occupied | changed | hidden)):
            move = chess.Move(left, square)
            if beam.history.hidden_for(square, since) > BRIEF and board.is_legal(move):
                yield move


def _drops_out_of_sight(
    beam: Beam, line: Line, changed: chess.Bitboard, hidden: chess.Bitboard
) -> Iterator[chess.Move]:
    """Drops onto squares that lay hidden, from which the piece may have gone on to where one shows now, or where a man
    who is gone may have taken it."""
    board = line.board
    if not isinstance(board, chess.variant.CrazyhouseBoard):
        return
    color, pocket = board.turn, board.pockets[board.turn]
    taken, since = chess.BB_EMPTY, beam.sightings.since(line)
    for square in chess.scan_forward(changed & board.occupied_co[not color] & ~beam.history.showing(not color)):
        taken |= board.attacks_mask(square) & hidden
    for kind in (kind for kind in chess.PIECE_TYPES if pocket.count(kind)):
        onto = taken | _on_the_way(beam, board, kind, changed)
        for square in chess.scan_forward(onto & ~board.occupied):
            move = chess.Move(square, square, drop=kind)
            if beam.history.hidden_for(square, since) > BRIEF and board.is_legal(move):
                yield move


def _on_the_way(
    beam: Beam, board: chess.Board, kind: chess.PieceType | None, changed: chess.Bitboard
) -> chess.Bitboard:
    """Squares from which a man of a kind of the side to move may have gone on to where one shows now."""
    assert kind is not None
    onto = chess.BB_EMPTY
    for square in chess.scan_forward(changed & beam.history.showing(board.turn)):
        onto |= origins(board, kind, board.turn, square)
    return onto


def _drops_hardly_seen(beam: Beam, line: Line, changed: chess.Bitboard) -> Iterator[chess.Move]:
    """Drops of a man gone from his pocket onto open squares that look about as much as if he stood there as empty."""
    board = line.board
    if board.turn in beam.gone and isinstance(board, chess.variant.CrazyhouseBoard):
        for kind in (kind for kind in chess.PIECE_TYPES if board.pockets[board.turn].count(kind)):
            label = label_index(chess.Piece(kind, board.turn))
            onto = beam.history.doubtful(label) & ~changed & ~board.occupied
            for square in chess.scan_forward(onto):
                move = chess.Move(square, square, drop=kind)
                if board.is_legal(move):
                    yield move


def _irregular(beam: Beam, line: Line, changed: chess.Bitboard) -> Iterator[chess.Move]:
    """The last ply taken back, or one that the rules forbid where nothing else explains what shows."""
    if line.last is not None and line.before is not None and all(line.moves):
        # What it had taken may come back later than the man that took it.
        touched = chess.BB_SQUARES[line.last.from_square] | chess.BB_SQUARES[line.last.to_square]
        if not touched & ~changed and beam.seen_in_turn(line):
            yield undoing(line.last)
    if beam.forbidden and all(line.moves) and not has_illegal(line.moves):
        men = {color: beam.history.showing(color) for color in chess.COLORS}
        empty = changed & beam.history.seen & ~men[chess.WHITE] & ~men[chess.BLACK]
        # Of who stands before the square he left that may show little.
        for move in irregular(line.board, changed, empty, beam.history.left, men):
            if move.color != line.board.turn and _may_have_replied(beam.history, line.board):
                continue
            if move.drop and not shows_otherwise(beam, line, move.to_square):
                continue
            back = TakenBack(move.from_square, move.to_square)
            if move.drop or line.last is None or undoing(line.last) != back or took(line):
                yield move


def shows_otherwise(beam: Beam, line: Line, square: chess.Square) -> bool:
    """Whether a square clearly shows something else than what a line has left there, and who came there in it did so
    before it showed that: else it is he who is misread."""
    if beam.history.lack(square, line.content(square)) < CLEARLY:
        return False
    came = [ply.at for ply in line.path() if ply.moves[-1] and ply.moves[-1].to_square == square]
    shows_since = beam.history.since[square] if beam.history.open[square] else np.inf
    return all(at < np.inf for at in came) and all(at < shows_since for at in came[-1:])


def _may_have_replied(history: History, board: chess.Board) -> bool:
    """Whether the side to move could have made a move or drop that nobody can see."""
    hidden = chess.BB_ALL & ~history.seen
    holds = isinstance(board, chess.variant.CrazyhouseBoard) and len(board.pockets[board.turn]) > 0
    return bool(hidden & (chess.BB_ALL if holds else board.occupied_co[board.turn]))


def _after_illegal(history: History, line: Line, move: Illegal) -> Line:
    before, board = line.board, line.board.copy(stack=False)
    child = Line(line, move, board)
    child.cost += PLY + (DROPPED if move.drop else AGAINST)
    if not move.drop and move.color != before.turn and not in_turn(before, move):
        child.cost += BESIDES
    if move.drop and is_held(before, move):
        child.dropped = (*line.dropped, (move.color, move.drop))
    elif move.drop and move.color != before.turn:
        child.cost += TWICE
    elif move.drop and any(not history.stands(m.from_square) for m in _legal_moves(before, move)):
        child.cost += COULD_COME
    elif move.drop and any(_legal_drops(before, move.to_square)):
        child.cost += NOT_HELD
    force(board, move.color, move)
    _carry(line, child)
    captured = getattr(board, "captured", None)
    if captured:
        child.captured = (*line.captured, (move.color, captured))
    return child


def _legal_drops(board: chess.Board, square: chess.Square) -> Iterator[chess.Move]:
    assert isinstance(board, chess.variant.CrazyhouseBoard)
    return board.generate_legal_drops(chess.BB_SQUARES[square])


def _legal_moves(board: chess.Board, drop: Illegal) -> Iterator[chess.Move]:
    """Moves of a man of the kind that was dropped, to where it was."""
    assert drop.drop
    men = board.pieces_mask(drop.drop, drop.color)
    return chess.Board.generate_legal_moves(board, men, chess.BB_SQUARES[drop.to_square])


def _after_taken_back(line: Line, move: TakenBack) -> Line:
    assert line.before is not None
    assert line.last is not None
    board = restored(line.board, line.before.board, line.last)
    child = Line(line, move, board)
    child.cost += PLY + (0.0 if isinstance(line.last, Illegal) else BACK)
    child.before, child.last = line.before.before, line.before.last
    child.dropped = line.before.dropped if line.before in line.path() else ()
    child.captured = line.before.captured if line.before in line.path() else ()
    _carry(line, child)
    return child


def _carry(line: Line, child: Line) -> None:
    """Tell what squares hold after a last ply against the rules, or one back: a man that is replaced leaves first."""
    before, board = line.board, child.board
    for square in chess.scan_forward(differing(before, board)):
        held, piece = line.contents.get(square, (NEW + square,)), board.piece_at(square)
        if piece is None:
            child.contents[square] = (*held, EMPTY)
            continue
        came_from = origin(before, board, child.moves[-1], square)
        content = label_index(piece) if came_from is None else line.content(came_from)
        child.contents[square] = (*held, EMPTY, content) if before.piece_at(square) else (*held, content)
