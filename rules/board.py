"""One board with reserves under a profile: python-chess's crazyhouse board, put right where it is not bughouse.

It keeps what was captured instead of pocketing it, remembers which kings never moved and which pawns were dropped,
and can be fed and taken back from outside.
"""

from collections.abc import Iterator
from typing import Self

import chess
import chess.variant

from rules.profile import Profile

CORNERS = {chess.WHITE: chess.BB_A1 | chess.BB_H1, chess.BLACK: chess.BB_A8 | chess.BB_H8}
HOMES = {chess.WHITE: chess.BB_E1, chess.BLACK: chess.BB_E8}
BACK = {chess.WHITE: chess.BB_RANK_1, chess.BLACK: chess.BB_RANK_8}
SECOND = {chess.WHITE: chess.BB_RANK_2, chess.BLACK: chess.BB_RANK_7}
OFFICERS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)


class ReserveBoard(chess.variant.CrazyhouseBoard):
    """A board whose reserves are fed by the match. `captured`: the kind that the last move sends on, None for none.

    `unmoved`: home squares of kings that have not moved; a FEN that grants a castling right vouches for its king.
    `dropped_pawns`: squares of pawns that still stand where they were dropped on their second rank.
    """

    profile: Profile
    captured: chess.PieceType | None = None
    unmoved: chess.Bitboard = 0
    dropped_pawns: chess.Bitboard = 0

    @classmethod
    def under(cls, profile: Profile, fen: str = chess.variant.CrazyhouseBoard.starting_fen) -> Self:
        """A board at a position. Raises ValueError for a bad FEN."""
        board = cls(None)
        board.set_profile(profile)
        board.set_fen(fen)
        return board

    def set_profile(self, profile: Profile) -> None:
        """Play under `profile` from here on."""
        self.profile = profile
        first, last = profile.pawn_ranks
        self._pawn_zone = {
            chess.WHITE: sum(chess.BB_RANKS[first - 1 : last]),
            chess.BLACK: sum(chess.BB_RANKS[8 - last : 9 - first]),
        }
        self._shields = profile.mate != "no_move" and profile.drop_in_check
        self._drops_restricted = not profile.drop_check or profile.drop_mate != "yes"
        self._moves_restricted = profile.promotion == "substitution" or not profile.dropped_pawn_double

    def set_fen(self, fen: str) -> None:
        super().set_fen(fen)
        if any(pocket.count(chess.KING) for pocket in self.pockets):
            raise ValueError(f"a king is in no reserve: {fen}")
        self.dropped_pawns = 0
        self.unmoved = 0
        for color, home in HOMES.items():
            if self.castling_rights & BACK[color] or self._names_right(fen, color):
                self.unmoved |= home & self.kings & self.occupied_co[color]

    @staticmethod
    def _names_right(fen: str, color: chess.Color) -> bool:
        """Whether the FEN claims a castling right: with the rook gone, it still says that the king has not moved."""
        parts = fen.split()
        return len(parts) > 2 and any(letter.isupper() == color for letter in parts[2] if letter.isalpha())

    def copy(self, *, stack: bool | int = True) -> Self:
        board = super().copy(stack=stack)
        board.profile = self.profile
        board._pawn_zone, board._shields = self._pawn_zone, self._shields
        board._drops_restricted, board._moves_restricted = self._drops_restricted, self._moves_restricted
        board.captured, board.unmoved, board.dropped_pawns = self.captured, self.unmoved, self.dropped_pawns
        if stack:
            board._memory = self._memory[-len(board.move_stack) :] if board.move_stack else []
        return board

    def clear_stack(self) -> None:
        super().clear_stack()
        self._memory: list[tuple[chess.Bitboard, chess.Bitboard]] = []

    def push(self, move: chess.Move) -> None:
        turn, square = self.turn, chess.BB_SQUARES[move.to_square]
        self._memory.append((self.unmoved, self.dropped_pawns))
        self.captured = None
        # Not CrazyhouseBoard's own: it copies both reserves to take a move back, and they change from outside.
        chess.Board.push(self, move)
        if move.drop:
            self.pockets[turn].remove(move.drop)
            if move.drop == chess.ROOK and square & CORNERS[turn] and self.unmoved & HOMES[turn]:
                if self.profile.drop_castle != "no":
                    self.castling_rights |= square
            elif move.drop == chess.PAWN and square & SECOND[turn]:
                self.dropped_pawns |= square
            return
        self.unmoved &= ~chess.BB_SQUARES[move.from_square]
        self.dropped_pawns &= self.pawns & ~(chess.BB_SQUARES[move.from_square] | square)
        if move.promotion and not self.profile.promotion_lies:
            self.promoted &= ~square
            if self.profile.promotion == "substitution":
                self.pockets[turn].remove(move.promotion)

    def pop(self) -> chess.Move:
        move = chess.Board.pop(self)
        self.unmoved, self.dropped_pawns = self._memory.pop()
        self.captured = None
        if move.drop:
            self.pockets[self.turn].add(move.drop)
        elif move.promotion and self.profile.promotion == "substitution":
            self.pockets[self.turn].add(move.promotion)
        return move

    def _push_capture(
        self, move: chess.Move, capture_square: chess.Square, piece_type: chess.PieceType, was_promoted: bool
    ) -> None:
        del move, capture_square
        self.captured = chess.PAWN if was_promoted else piece_type

    def is_legal(self, move: chess.Move) -> bool:
        if move.drop:
            square = chess.BB_SQUARES[move.to_square]
            return (
                move.from_square == move.to_square
                and move.drop != chess.KING
                and self.pockets[self.turn].count(move.drop) > 0
                and bool(self.drop_squares(move.drop) & square)
                and not (self._drops_restricted and self.refusal(move))
            )
        source = chess.BB_SQUARES[move.from_square]
        if self._moves_restricted and self.pawns & source:  # python-chess knows only its own promotions
            return move in self.generate_legal_moves(source, chess.BB_SQUARES[move.to_square])
        # Neither is a king taken, nor does one castle by moving onto his rook, as python-chess would let him.
        barred = self.kings | self.occupied_co[self.turn]
        return not barred >> move.to_square & 1 and super().is_legal(move)

    def drop_squares(self, kind: chess.PieceType) -> chess.Bitboard:
        """Where the side to move could drop a man of a kind, whether it has one or not."""
        squares = self.legal_drop_squares_mask() & chess.BB_ALL
        return squares & self.pawn_zone() if kind == chess.PAWN else squares

    def pawn_zone(self) -> chess.Bitboard:
        """The ranks on which the side to move may drop pawns."""
        return self._pawn_zone[self.turn]

    def legal_drop_squares_mask(self) -> chess.Bitboard:
        if not self.profile.drop_in_check and self.is_check():
            return chess.BB_EMPTY
        return super().legal_drop_squares_mask()

    def generate_pseudo_legal_drops(self, to_mask: chess.Bitboard = chess.BB_ALL) -> Iterator[chess.Move]:
        pocket, free = self.pockets[self.turn], to_mask & ~self.occupied
        for kind in chess.PIECE_TYPES:
            if pocket.count(kind):
                for square in chess.scan_forward(free & self.pawn_zone() if kind == chess.PAWN else free):
                    yield chess.Move(square, square, drop=kind)

    def generate_legal_drops(self, to_mask: chess.Bitboard = chess.BB_ALL) -> Iterator[chess.Move]:
        drops = super().generate_legal_drops(to_mask)
        if not self._drops_restricted:
            return drops
        checking = {kind: self.checking_squares(kind) for kind in chess.PIECE_TYPES}
        return (drop for drop in drops if not checking[drop.drop or 0] >> drop.to_square & 1 or not self.refusal(drop))

    def checking_squares(self, kind: chess.PieceType) -> chess.Bitboard:
        """Where a man of a kind would give check if it were dropped there: what is dropped uncovers nothing."""
        king = self.king(not self.turn)
        if king is None:
            return chess.BB_EMPTY
        straight = (
            chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & self.occupied]
            | chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & self.occupied]
        )
        diagonal = chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & self.occupied]
        return {
            chess.PAWN: chess.BB_PAWN_ATTACKS[not self.turn][king],
            chess.KNIGHT: chess.BB_KNIGHT_ATTACKS[king],
            chess.BISHOP: diagonal,
            chess.ROOK: straight,
            chess.QUEEN: straight | diagonal,
        }.get(kind, chess.BB_EMPTY)

    def refusal(self, drop: chess.Move) -> str:
        """The profile's rule that forbids a drop for the check or mate it gives; empty when none does."""
        if not self.checking_squares(drop.drop or 0) >> drop.to_square & 1:
            return ""
        level = self.profile.drop_mate
        if not self.profile.drop_check:
            return "drop_check"
        king = self.king(not self.turn)
        open_line = self._shields and king is not None and bool(chess.between(king, drop.to_square))
        if level == "yes" or (level == "no_bughouse_mate" and open_line):
            return ""
        self.push(drop)
        mated = (level == "no_chess_mate" and not self._can_move()) or self.is_checkmate()
        self.pop()
        return "drop_mate" if mated else ""

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        # After an illegal move a king may be left in check; he is no man to be taken.
        return super().generate_legal_moves(from_mask, to_mask & ~self.kings)

    def generate_pseudo_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        if not self._moves_restricted:
            return super().generate_pseudo_legal_moves(from_mask, to_mask)
        # A pawn that stayed one on its last rank is stuck, and python-chess would push it off the board.
        stuck = self.pawns & chess.BB_BACKRANKS
        return self._restricted(super().generate_pseudo_legal_moves(from_mask & ~stuck, to_mask))

    def _restricted(self, moves: Iterator[chess.Move]) -> Iterator[chess.Move]:
        pocket = self.pockets[self.turn]
        substituted = self.profile.promotion == "substitution"
        bare = not any(pocket.count(kind) for kind in OFFICERS)
        for move in moves:
            if substituted and move.promotion:
                if pocket.count(move.promotion):
                    yield move
                elif bare and move.promotion == chess.QUEEN:
                    yield chess.Move(move.from_square, move.to_square)
            elif self.profile.dropped_pawn_double or not self._is_dropped_double(move):
                yield move

    def _is_dropped_double(self, move: chess.Move) -> bool:
        pawn = bool(self.dropped_pawns & chess.BB_SQUARES[move.from_square])
        return pawn and abs(move.to_square - move.from_square) == 16

    def is_checkmate(self) -> bool:
        """Mate under the profile: as a rule only where no man that may still be passed could be dropped in between."""
        if not super().is_checkmate():
            return False
        return not self._shields or not self.shield()

    def shield(self) -> chess.Bitboard:
        """Squares between king and checker where a drop of some man would parry the check; none in double check."""
        king = self.king(self.turn)
        checkers = list(self.checkers())
        if king is None or len(checkers) != 1:
            return chess.BB_EMPTY
        return chess.between(king, checkers[0])

    def _can_move(self) -> bool:
        return any(chess.Board.generate_legal_moves(self))
