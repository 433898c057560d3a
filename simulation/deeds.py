"""Irregularities that are no wrong moves: of captured pieces, reserves, promotions, hands, clocks and cameras."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

import chess

from rules.match import Match, Ply
from rules.seats import Player, partner
from simulation.script import CLOCK, CameraFault, Fault, Thing, aside

if TYPE_CHECKING:
    from simulation.scribe import Hand
    from simulation.writer import Writer

STANDS = 4.0  # seconds that an irregular move stands before it is put right
LATE = 15.0  # seconds that a piece is kept
LAIN = 2.0  # seconds that a piece has lain in a reserve before it is taken out of sight: else it was never passed on
FROZEN, DARK = 6.0, 4.0  # seconds that a picture stands still, that the light is off


class Deed:
    """One irregularity as it happens, at one ply. What a subclass does not say is as usual."""

    by_partner = False
    marks_promotion = True

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        """Whether it can happen at `ply`, which `match` stands before; `rest`: the plies after it."""
        del match, ply, rest
        return True

    def before(self, writer: "Writer", ply: Ply) -> None:
        """Before the ply is played."""

    def during(self, writer: "Writer", ply: Ply, released: float) -> None:
        """As its piece is let go."""

    def after(self, writer: "Writer", ply: Ply) -> None:
        """After it was played; the match of the writer stands after it."""

    def keeps(self, writer: "Writer", ply: Ply, hand: "Hand", captured: Thing) -> bool:
        """Do something else with what was captured than to pass it on; True if done."""
        del writer, ply, hand, captured
        return False

    def press_clock(self, writer: "Writer", hand: "Hand") -> float | None:
        """Press the clock otherwise than with this hand; when it was."""
        del writer, hand
        return None

    def promotes_to(self, writer: "Writer", ply: Ply) -> Thing | None:
        """The piece that takes the place of a promoted pawn."""
        del writer, ply
        return None

    def tell(self, writer: "Writer", player: Player, ply: int, time: float, until: float, **more: object) -> None:
        """Write it into the truth. `ply`: the last one that had been played on the board, counted from 1."""
        what = {"irregularity": self.kind, "ply": ply, **more, "until": round(until, 3)}
        writer.row("irregularity", *player, time, what)


class _Captured(Deed):
    """Something happens to a captured piece."""

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        del match, rest
        return ply.passed is not None


class NotPassed(_Captured):
    def keeps(self, writer: "Writer", ply: Ply, hand: "Hand", captured: Thing) -> bool:
        time = hand.drop_aside(captured)
        _stray(writer, ply, hand, captured)
        self.tell(writer, (ply.board, ply.color), ply.number, time, time, piece=captured.piece.symbol())
        return True


class PassedLate(_Captured):
    def keeps(self, writer: "Writer", ply: Ply, hand: "Hand", captured: Thing) -> bool:
        time = hand.time
        writer.free[ply.board, ply.color] = writer.pass_on(hand, captured, LATE)
        until = writer.arrival[id(captured)]
        self.tell(writer, (ply.board, ply.color), ply.number, time, until, piece=captured.piece.symbol())
        return True


class WrongZone(_Captured):
    def keeps(self, writer: "Writer", ply: Ply, hand: "Hand", captured: Thing) -> bool:
        number, x, y = writer.slot(ply.board, ply.color, hand.time)
        time = hand.put(captured, x, y)
        writer.pocket[ply.board, ply.color][number] = captured
        _stray(writer, ply, hand, captured)
        self.tell(writer, (ply.board, ply.color), ply.number, time, time, piece=captured.piece.symbol())
        return True


def _stray(writer: "Writer", ply: Ply, hand: "Hand", captured: Thing) -> None:
    writer.astray[partner(ply.board, ply.color)].append(captured)
    hand.leave()
    writer.free[ply.board, ply.color] = hand.time


class BehindClock(_Captured):
    """It is passed on, but laid behind the partner's clock, where nobody sees it well."""

    def keeps(self, writer: "Writer", ply: Ply, hand: "Hand", captured: Thing) -> bool:
        place = aside(CLOCK[0] - 1.1, writer.side), CLOCK[1] + float(writer.rng.normal(0, 0.4))
        writer.free[ply.board, ply.color] = writer.pass_on(hand, captured, place=place)
        time = writer.arrival[id(captured)]
        self.tell(writer, (ply.board, ply.color), ply.number, time, time, piece=captured.piece.symbol())
        return True


class HiddenReserve(Deed):
    """A player takes a piece of his reserve out of sight for a while."""

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        needed = [later.move.drop for later in rest[:12] if (later.board, later.color) == (ply.board, ply.color)]
        held = match.pocket(ply.board, ply.color)
        if ply.move.drop:
            held[ply.move.drop] -= 1
        return any(count > needed.count(kind) for kind, count in held.items())

    def after(self, writer: "Writer", ply: Ply) -> None:
        player = ply.board, ply.color
        if not writer.pocket[player]:  # all that is held lies elsewhere: it is handed over first
            writer.slot_of(*player, next(iter(writer.match.pocket(*player))), writer.turn_done[ply.board])
        number, thing = max(writer.pocket[player].items(), key=lambda pair: writer.arrival.get(id(pair[1]), 0.0))
        lain = writer.arrival.get(id(thing), 0.0) + LAIN
        hand = writer.hand(*player, max(writer.turn_done[ply.board] + 0.3, lain))
        hand.take(thing)
        time = hand.time
        _, _, x, y, _ = thing.stays[-1]
        hand.out(*hand.rest, thing)
        back = writer.hand(*player, hand.time + LATE)
        back.carry(thing)
        until = back.put(thing, x, y)
        back.leave()
        del writer.pocket[player][number]
        writer.pocket[player][number] = thing
        writer.arrival[id(thing)] = until
        self.tell(writer, player, ply.number, time, until, piece=thing.piece.symbol())


class ExtraMan(Deed):
    """A player puts a piece into his reserve that does not belong to the match."""

    def after(self, writer: "Writer", ply: Ply) -> None:
        player = ply.board, ply.color
        kind = int(writer.rng.choice([chess.PAWN, chess.KNIGHT, chess.BISHOP]))
        hand = writer.hand(*player, writer.turn_done[ply.board] + 0.3)
        number, x, y = writer.slot(*player, hand.time)
        thing = writer.thing(chess.Piece(kind, ply.color), hand.time, ply.board, *hand.rest)
        thing.stays.clear()
        writer.foreign.add(id(thing))
        hand.carry(thing)
        time = hand.put(thing, x, y)
        hand.leave()
        writer.pocket[player][number], writer.arrival[id(thing)] = thing, time
        writer.free[player] = hand.time
        self.tell(writer, player, ply.number, time, time, piece=thing.piece.symbol())


class Fallen(Deed):
    """A piece is knocked over, and stood up again some seconds later."""

    kinds: tuple[chess.PieceType, ...] = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)

    def _things(self, match: Match, ply: Ply) -> list[chess.Square]:
        board = match.board(ply.board)
        last = chess.BB_RANK_8 if ply.color == chess.WHITE else chess.BB_RANK_1
        return [s for kind in self.kinds for s in board.pieces(kind, ply.color) if not chess.BB_SQUARES[s] & last]

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        del rest
        after = match.copy()
        after.push(ply.board, ply.move)
        return bool(self._things(after, ply))

    def after(self, writer: "Writer", ply: Ply) -> None:
        squares = self._things(writer.match, ply)
        square = min(squares, key=lambda s: chess.square_distance(s, ply.move.to_square))
        thing, time = writer.on[ply.board, square], writer.turn_done[ply.board] + 0.1
        _, _, x, y, _ = thing.stays[-1]
        thing.shift(time, x, y, True)
        hand = writer.hand(ply.board, ply.color, time + STANDS)
        hand.take(thing)
        until = hand.put(thing, *writer.spot(square))
        hand.leave()
        writer.free[ply.board, ply.color], writer.turn_done[ply.board] = hand.time, until
        name = chess.square_name(square)
        self.tell(writer, (ply.board, ply.color), ply.number, time, until, square=name)


class LyingPawn(Fallen):
    kinds = (chess.PAWN,)


class _Promotion(Deed):
    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        del match, rest
        return ply.move.promotion is not None


class PromotionUnmarked(_Promotion):
    marks_promotion = False

    def during(self, writer: "Writer", ply: Ply, released: float) -> None:
        square = chess.square_name(ply.move.to_square)
        self.tell(writer, (ply.board, ply.color), ply.number, released, released, square=square)


class Substitution(_Promotion):
    """The promoted pawn is replaced by a piece of the player's reserve."""

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        left = match.pocket(ply.board, ply.color)
        if ply.move.promotion is None or not left[ply.move.promotion]:
            return False
        left[ply.move.promotion] -= 1
        square = ply.move.to_square
        for later in rest:
            if later.board == ply.board and not later.move.drop:
                if later.move.from_square == square:
                    square = later.move.to_square
                elif later.move.to_square == square:
                    return False  # what is captured is no pawn, as the record has it
            if (later.board, later.color) == (ply.board, ply.color) and later.move.drop:
                left[later.move.drop] -= 1
                if left[later.move.drop] < 0:
                    return False
            if later.passed is not None and partner(later.board, later.color) == (ply.board, ply.color):
                left[later.passed] += 1
        return True

    def promotes_to(self, writer: "Writer", ply: Ply) -> Thing | None:
        assert ply.move.promotion is not None
        return writer.from_pocket(ply.board, ply.color, ply.move.promotion, writer.turn_done[ply.board])

    def during(self, writer: "Writer", ply: Ply, released: float) -> None:
        square = chess.square_name(ply.move.to_square)
        self.tell(writer, (ply.board, ply.color), ply.number, released, released, square=square)


class Nudge(Deed):
    """The moving hand pushes a neighbour."""

    def _neighbours(self, match: Match, ply: Ply) -> list[chess.Square]:
        board = match.board(ply.board).copy(stack=False)
        board.push(ply.move)
        near = chess.BB_KING_ATTACKS[ply.move.to_square] & board.occupied
        castled = {chess.D1, chess.F1, chess.D8, chess.F8} if match.board(ply.board).is_castling(ply.move) else set()
        return [square for square in chess.SquareSet(near) if square not in castled]

    def possible(self, match: Match, ply: Ply, rest: Sequence[Ply]) -> bool:
        del rest
        return bool(self._neighbours(match, ply))

    def during(self, writer: "Writer", ply: Ply, released: float) -> None:
        squares = self._neighbours(writer.match, ply)
        square = squares[int(writer.rng.integers(len(squares)))]
        thing = writer.on[ply.board, square]
        _, _, x, y, lies = thing.stays[-1]
        away = 0.26 * (1 if chess.square_file(square) >= chess.square_file(ply.move.to_square) else -1)
        middle = chess.square_file(square) + 0.5
        thing.shift(released - 0.15, min(max(x + away, middle - 0.42), middle + 0.42), y, lies)
        name = chess.square_name(square)
        self.tell(writer, (ply.board, ply.color), ply.number, released - 0.15, released - 0.15, square=name)


class PartnerHand(Deed):
    """The partner moves on this board."""

    by_partner = True

    def during(self, writer: "Writer", ply: Ply, released: float) -> None:
        self.tell(writer, (ply.board, ply.color), ply.number, released, released)


class _Press(Deed):
    def during(self, writer: "Writer", ply: Ply, released: float) -> None:
        del released
        pressed = writer.gestures[-1].keys[-2][0]  # the arm's last way, before it went back
        self.tell(writer, (ply.board, ply.color), ply.number, pressed, pressed)


class PartnerPress(_Press):
    """The partner presses this board's clock."""

    def press_clock(self, writer: "Writer", hand: "Hand") -> float:
        return writer.press_with(hand, guest=True)


class OtherHand(_Press):
    """The clock is pressed with the hand that did not move."""

    def press_clock(self, writer: "Writer", hand: "Hand") -> float:
        return writer.press_with(hand, other=True)


class CameraDeed(Deed):
    """Something happens to the board's camera, or to the light over both boards."""

    def during(self, writer: "Writer", ply: Ply, released: float) -> None:
        (kind,) = (kind for kind in get_args(CameraFault) if kind == self.kind)
        start = released + 0.4
        lasts = {"camera_frozen": FROZEN, "light_off": DARK}.get(kind, 0.0)
        fault = Fault(kind, None if kind == "light_off" else ply.board, start, start + lasts)
        writer.faults.append(fault)
        self.tell(writer, (ply.board, ply.color), ply.number, fault.start, fault.end)
