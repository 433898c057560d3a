"""Moves and drops that the rules forbid, made by hand and put right again."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import chess

from rules.judge import judge
from rules.match import Match, Ply
from rules.seats import Player, partner
from simulation.deeds import STANDS, Deed
from simulation.script import Thing

if TYPE_CHECKING:
    from simulation.writer import Writer

SOON = 20  # plies on both boards that may be played before a wrong drop is made


class _Wrong(Deed):
    """A move or drop that is made and put right again."""

    presses = True
    stands = STANDS

    def takes(self, move: chess.Move) -> chess.Square:
        """Where what the move takes stands."""
        return move.to_square

    def along(self, move: chess.Move) -> tuple[chess.Square, chess.Square] | None:
        """From where to where another man goes along."""
        del move
        return None

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        """What could be played instead, and by whom, before the ply."""
        raise NotImplementedError

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        del rest
        return next(self.moves(match, ply), None) is not None

    def before(self, writer: "Writer", ply: Ply) -> None:
        self.make(writer, ply, list(self.moves(writer.match, ply)), ply.number - 1)

    def make(self, writer: "Writer", ply: Ply, choices: Sequence[tuple[chess.Color, chess.Move]], number: int) -> None:
        """Play one of these, and put it right after a while."""
        color, move = choices[int(writer.rng.integers(len(choices)))]
        board, player = ply.board, (ply.board, color)
        thing = self.man(writer, player, move)
        begin = writer.turn_done[board] + float(writer.rng.uniform(0.3, 1.0))
        hand = writer.hand(*player, max(begin, writer.arrival.get(id(thing), begin)))
        taken = writer.on.get((board, self.takes(move)))
        if taken is not None:
            hand.take(taken)
        came_from = thing.stays[-1] if thing.stays else None
        if came_from:
            hand.take(thing)
        else:
            hand.carry(thing)
        released = hand.put(thing, *writer.spot(move.to_square), lies=bool(came_from and came_from[4]))
        follower = None
        if way := self.along(move):
            follower = writer.on[board, way[0]]
            stood = follower.stays[-1]
            hand.take(follower)
            hand.put(follower, *writer.spot(way[1]))
        if taken is not None:
            hand.drop_aside(taken)
        if self.presses:
            hand.press()
        else:
            hand.wait(0.2)
        hand.leave()
        again = writer.hand(*player, max(hand.time, released + self.stands * float(writer.rng.uniform(0.8, 1.3))))
        again.take(thing)
        if came_from:
            again.put(thing, came_from[2], came_from[3], came_from[4])
        else:
            again.out(*again.rest, thing)
        if follower is not None:
            again.take(follower)
            again.put(follower, *stood[2:])
        if taken is not None:
            again.take(taken)
            again.put(taken, *writer.spot(self.takes(move)))
        again.leave()
        until = again.time
        writer.free[player], writer.turn_done[board] = until, until
        self.tell(writer, player, number, released, until, uci=move.uci())

    def man(self, writer: "Writer", player: Player, move: chess.Move) -> Thing:
        """The piece that is moved: on the board, or in the reserve."""
        if not move.drop:
            return writer.on[player[0], move.from_square]
        slot = writer.slot_of(*player, move.drop, writer.turn_done[player[0]])
        return writer.pocket[player][slot]


class IllegalMove(_Wrong):
    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        board = match.board(ply.board)
        for source in chess.SquareSet(board.occupied_co[ply.color] & ~board.kings):
            for target in chess.SquareSet(~board.occupied & chess.BB_ALL & ~chess.BB_BACKRANKS):
                move = chess.Move(source, target)
                if judge(match, ply.board, move)[0].reason == "moves_otherwise":
                    yield ply.color, move


class KingInCheck(_Wrong):
    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        board = match.board(ply.board)
        for move in chess.Board.generate_pseudo_legal_moves(board):
            quiet = not board.is_castling(move) and not move.promotion and not board.is_en_passant(move)
            if quiet and board.is_into_check(move):
                yield ply.color, move


class IllegalCastling(_Wrong):
    """King and rook castle though they may not."""

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        board, rank = match.board(ply.board), 0 if ply.color == chess.WHITE else 7
        king = chess.square(4, rank)
        for corner in (chess.square(7, rank), chess.square(0, rank)):
            men = [board.piece_at(square) for square in (king, corner)]
            there = men == [chess.Piece(kind, ply.color) for kind in (chess.KING, chess.ROOK)]
            move = chess.Move(king, chess.square(6 if corner > king else 2, rank))
            free = not chess.SquareSet(chess.between(king, corner)) & board.occupied
            if there and free and judge(match, ply.board, move)[0].word == "ILLEGAL":
                yield ply.color, move

    def along(self, move: chess.Move) -> tuple[chess.Square, chess.Square]:
        step = 1 if move.to_square > move.from_square else -2
        return move.to_square + step, (move.from_square + move.to_square) // 2


class LateEnPassant(_Wrong):
    """A pawn is taken en passant that has not just come there."""

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        board, ahead = match.board(ply.board), 8 if ply.color == chess.WHITE else -8
        fifth = chess.BB_RANK_5 if ply.color == chess.WHITE else chess.BB_RANK_4
        theirs = board.pieces(chess.PAWN, not ply.color)
        for source in board.pieces(chess.PAWN, ply.color) & fifth:
            for beside in chess.SquareSet(chess.BB_KING_ATTACKS[source] & fifth) & theirs:
                target = beside + ahead
                if not board.piece_at(target) and target != board.ep_square:
                    yield ply.color, chess.Move(source, target)

    def takes(self, move: chess.Move) -> chess.Square:
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))


class PromotedTwice(_Wrong):
    """A promoted pawn, which lies, moves as another piece than it is."""

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        board = match.board(ply.board)
        for source in chess.SquareSet(board.promoted & board.occupied_co[ply.color]):
            for target in chess.SquareSet(chess.BB_KNIGHT_ATTACKS[source] & ~board.occupied):
                if board.piece_type_at(source) != chess.KNIGHT:
                    yield ply.color, chess.Move(source, target)


class TwoMoves(_Wrong):
    """The player who has just moved moves again."""

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        yield from _turned(match.board(ply.board), ply.color)

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        del rest
        after = match.copy()
        after.push(ply.board, ply.move)
        return next(self.moves(after, ply), None) is not None

    def before(self, writer: "Writer", ply: Ply) -> None:
        pass

    def after(self, writer: "Writer", ply: Ply) -> None:
        self.make(writer, ply, list(self.moves(writer.match, ply)), ply.number)


class OutOfTurn(_Wrong):
    """The player who is not on move makes one."""

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        yield from _turned(match.board(ply.board), not ply.color)


def _turned(board: chess.Board, color: chess.Color) -> Iterator[tuple[chess.Color, chess.Move]]:
    """Quiet moves of who is not on move."""
    other = board.copy(stack=False)
    other.turn, other.ep_square = color, None
    for move in chess.Board.generate_legal_moves(other):
        if not other.is_capture(move) and not other.is_castling(move) and not move.promotion:
            yield color, move


class TakeBack(_Wrong):
    """A legal move that is taken back before the clock is pressed."""

    presses = False
    stands = 0.4

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        board = match.board(ply.board)
        for move in chess.Board.generate_legal_moves(board):
            if move != ply.move and not board.is_capture(move) and not board.is_castling(move) and not move.promotion:
                yield ply.color, move


class _WrongDrop(_Wrong):
    def held(self, match: Match, ply: Ply) -> list[chess.PieceType]:
        """Kinds in the player's reserve."""
        return list(match.pocket(ply.board, ply.color))


class DropOccupied(_WrongDrop):
    """A drop onto an opponent's piece, as if it were taken."""

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        board = match.board(ply.board)
        for kind in self.held(match, ply):
            for square in chess.SquareSet(board.occupied_co[not ply.color] & ~board.kings & ~chess.BB_BACKRANKS):
                yield ply.color, chess.Move(square, square, drop=kind)


class DropWrongRank(_WrongDrop):
    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        if chess.PAWN in self.held(match, ply):
            for square in chess.SquareSet(chess.BB_BACKRANKS & ~match.board(ply.board).occupied):
                yield ply.color, chess.Move(square, square, drop=chess.PAWN)


class DropNotHeld(_WrongDrop):
    """A drop of a piece that nobody passed on: it comes from the box."""

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        return bool(self.choices(match, ply, rest))

    def before(self, writer: "Writer", ply: Ply) -> None:
        self.make(writer, ply, self.choices(writer.match, ply, writer.rest), ply.number - 1)

    def choices(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> list[tuple[chess.Color, chess.Move]]:
        """Drops of what the partner does not take soon, either: boards are not written in step."""
        giver = partner(ply.board, ply.color)
        soon = {later.passed for later in rest[:SOON] if (later.board, later.color) == giver}
        return [(color, move) for color, move in self.moves(match, ply) if move.drop not in soon]

    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        kinds = [kind for kind in (chess.KNIGHT, chess.BISHOP, chess.PAWN) if kind not in self.held(match, ply)]
        for kind in kinds:
            for square in chess.SquareSet(~match.board(ply.board).occupied & chess.BB_ALL & ~chess.BB_BACKRANKS):
                yield ply.color, chess.Move(square, square, drop=kind)

    def man(self, writer: "Writer", player: Player, move: chess.Move) -> Thing:
        assert move.drop
        thing = writer.thing(chess.Piece(move.drop, player[1]), 0.0, player[0], 0.0, 0.0)
        thing.stays.clear()
        return thing
