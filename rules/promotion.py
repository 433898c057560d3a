"""What a lying pawn is: every promoted man with its kind, as far as it is known, and the square it promoted on."""

from dataclasses import dataclass, replace

import chess

from rules.board import OFFICERS
from rules.match import Match
from rules.profile import Profile
from rules.seats import BoardName
from rules.verdict import Verdict, verdict


@dataclass(frozen=True, slots=True)
class Promoted:
    """A promoted man on `square`. `kinds`: what it can be; one when declared or shown. `origin`: where it promoted."""

    color: chess.Color
    square: chess.Square
    origin: chess.Square
    kinds: frozenset[chess.PieceType]
    shown: bool = False  # its kind follows from how it moved


class PromotionBook:
    """The promoted men of one board."""

    def __init__(self, profile: Profile, board: BoardName) -> None:
        self.profile = profile
        self.board = board
        self.men: dict[chess.Square, Promoted] = {}

    def kinds(self, square: chess.Square) -> frozenset[chess.PieceType]:
        """What the man on a square can be; empty for one that is no promoted man."""
        return self.men[square].kinds if square in self.men else frozenset()

    def promote(self, color: chess.Color, square: chess.Square, kind: chess.PieceType | None) -> list[Verdict]:
        """A pawn arrived on its last rank; `kind` None: nobody said what it became."""
        if kind is None and self.profile.promotion_unnamed == "queen":
            kind = chess.QUEEN
        kinds = frozenset(OFFICERS if kind is None else (kind,))
        self.men[square] = Promoted(color, square, square, kinds)
        name = chess.square_name(square)
        return [] if kind else [verdict(self.profile, "OK", "promotion_pending", board=self.board, square=name)]

    def move(self, move: chess.Move) -> list[Verdict]:
        """A man moved or was taken; a promoted one shows by its move what it is."""
        self.men.pop(move.to_square, None)
        man = self.men.pop(move.from_square, None)
        if man is None or move.drop:
            return []
        able = man.kinds & movers(move)
        kinds = able or man.kinds
        self.men[move.to_square] = replace(man, square=move.to_square, kinds=kinds, shown=True)
        names = {
            "board": self.board,
            "origin": chess.square_name(man.origin),
            "move": f"{chess.square_name(move.from_square)}-{chess.square_name(move.to_square)}",
        }
        if not able:
            return [verdict(self.profile, "FLAG", "promotion_inconsistent", **names)]
        if len(able) < len(man.kinds):
            return [verdict(self.profile, "OK", "promotion_shown", **names)]
        return []


def promoted_men(match: Match, name: BoardName) -> dict[chess.Square, Promoted]:
    """Every promoted man that stands on a board, by square, as the match has it."""
    book = PromotionBook(match.profile, name)
    for ply in match.plies:
        if ply.board == name:
            book.move(ply.move)
            if ply.move.promotion and match.profile.promotion_lies:
                book.promote(ply.color, ply.move.to_square, ply.move.promotion)
    return book.men


def movers(move: chess.Move) -> frozenset[chess.PieceType]:
    """The kinds of men that a move's geometry fits."""
    files = abs(chess.square_file(move.to_square) - chess.square_file(move.from_square))
    ranks = abs(chess.square_rank(move.to_square) - chess.square_rank(move.from_square))
    if sorted((files, ranks)) == [1, 2]:
        return frozenset({chess.KNIGHT})
    if files == ranks:
        return frozenset({chess.QUEEN, chess.BISHOP})
    if not files or not ranks:
        return frozenset({chess.QUEEN, chess.ROOK})
    return frozenset()
