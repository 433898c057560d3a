"""What can be made to go wrong in a simulated match, each with its truth: `KIND@PLY`.

An irregular move or drop is made, stands for some seconds and is put right by the same player, so that the match of the
record goes on. What is not passed on, or lies elsewhere, is handed over when the partner needs it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import chess

from rules.judge import judge
from rules.match import Match, Ply
from rules.seats import BoardName, Player, partner
from simulation.script import CameraFault, Fault, Thing

if TYPE_CHECKING:
    from simulation.writer import Hand, Writer

STANDS = 4.0  # seconds that an irregular move stands before it is put right
LATE = 15.0  # seconds that a piece is kept
FROZEN, DARK = 6.0, 4.0  # seconds that a picture stands still, that the light is off


class IrregularityError(ValueError):
    """Something is wished for that cannot happen there; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One irregularity. `board` None: `ply` counts the plies of both boards together."""

    kind: str
    board: BoardName | None
    ply: int

    @classmethod
    def parse(cls, text: str) -> "Wish":
        """`KIND@12` for the twelfth ply of the match, `KIND@A12` for that of board A. Raises IrregularityError."""
        kind, _, place = text.partition("@")
        board: BoardName | None = "A" if place[:1] in ("A", "a") else "B" if place[:1] in ("B", "b") else None
        number = place[1:] if board else place
        if kind not in IRREGULARITIES:
            raise IrregularityError(f"{kind!r} is no irregularity; see simulate --list-irregularities")
        if not number.isdecimal() or not 0 < int(number) < 10_000:
            raise IrregularityError(f"{text!r}: expected KIND@PLY, such as {kind}@12 or {kind}@A12")
        return cls(kind, board, int(number))

    def __str__(self) -> str:
        return f"{self.kind}@{self.board or ''}{self.ply}"


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
        number, x, y = writer.slot(ply.board, ply.color)
        time = hand.put(captured, x, y)
        writer.pocket[ply.board, ply.color][number] = captured
        _stray(writer, ply, hand, captured)
        self.tell(writer, (ply.board, ply.color), ply.number, time, time, piece=captured.piece.symbol())
        return True


def _stray(writer: "Writer", ply: Ply, hand: "Hand", captured: Thing) -> None:
    writer.astray[partner(ply.board, ply.color)].append(captured)
    hand.leave()
    writer.free[ply.board, ply.color] = hand.time


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
        number, thing = max(writer.pocket[player].items(), key=lambda pair: writer.arrival.get(id(pair[1]), 0.0))
        hand = writer.hand(*player, writer.turn_done[ply.board] + 0.3)
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
        number, x, y = writer.slot(*player)
        hand = writer.hand(*player, writer.turn_done[ply.board] + 0.3)
        thing = writer.thing(chess.Piece(kind, ply.color), hand.time, ply.board, *hand.rest)
        thing.stays.clear()
        writer.foreign.add(id(thing))
        hand.carry(thing)
        time = hand.put(thing, x, y)
        hand.leave()
        writer.pocket[player][number], writer.arrival[id(thing)] = thing, time
        writer.free[player] = hand.time
        self.tell(writer, player, ply.number, time, time, piece=thing.piece.symbol())


class _Wrong(Deed):
    """A move or drop that is made and put right again."""

    presses = True
    stands = STANDS

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
        hand = writer.hand(*player, writer.turn_done[board] + float(writer.rng.uniform(0.3, 1.0)))
        taken = writer.on.get((board, move.to_square))
        if taken is not None:
            hand.take(taken)
        thing = self.man(writer, player, move)
        came_from = thing.stays[-1] if thing.stays else None
        if came_from:
            hand.take(thing)
        else:
            hand.carry(thing)
        released = hand.put(thing, *writer.spot(move.to_square))
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
        if taken is not None:
            again.take(taken)
            again.put(taken, *writer.spot(move.to_square))
        again.leave()
        until = again.time
        writer.free[player], writer.turn_done[board] = until, until
        self.tell(writer, player, number, released, until, uci=move.uci())

    def man(self, writer: "Writer", player: Player, move: chess.Move) -> Thing:
        """The piece that is moved: on the board, or in the reserve."""
        if not move.drop:
            return writer.on[player[0], move.from_square]
        lying = writer.pocket[player].values()
        return next(thing for thing in lying if thing.piece == chess.Piece(move.drop, player[1]))


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
    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        board = match.board(ply.board)
        for kind in self.held(match, ply):
            for square in chess.SquareSet(board.occupied & ~board.kings & ~chess.BB_BACKRANKS):
                yield ply.color, chess.Move(square, square, drop=kind)


class DropWrongRank(_WrongDrop):
    def moves(self, match: Match, ply: Ply) -> Iterator[tuple[chess.Color, chess.Move]]:
        if chess.PAWN in self.held(match, ply):
            for square in chess.SquareSet(chess.BB_BACKRANKS & ~match.board(ply.board).occupied):
                yield ply.color, chess.Move(square, square, drop=chess.PAWN)


class DropNotHeld(_WrongDrop):
    """A drop of a piece that nobody passed on: it comes from the box."""

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
        for later in rest:
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


class CameraDeed(Deed):
    """Something happens to the board's camera, or to the light over both boards."""

    def during(self, writer: "Writer", ply: Ply, released: float) -> None:
        (kind,) = (kind for kind in get_args(CameraFault) if kind == self.kind)
        start = released + 0.4
        lasts = {"camera_frozen": FROZEN, "light_off": DARK}.get(kind, 0.0)
        fault = Fault(kind, None if kind == "light_off" else ply.board, start, start + lasts)
        writer.faults.append(fault)
        self.tell(writer, (ply.board, ply.color), ply.number, fault.start, fault.end)


IRREGULARITIES: dict[str, Callable[[str], Deed]] = {
    "not_passed": NotPassed,
    "passed_late": PassedLate,
    "wrong_zone": WrongZone,
    "hidden_reserve": HiddenReserve,
    "extra_man": ExtraMan,
    "drop_occupied": DropOccupied,
    "drop_wrong_rank": DropWrongRank,
    "drop_not_held": DropNotHeld,
    "illegal_move": IllegalMove,
    "king_in_check": KingInCheck,
    "two_moves": TwoMoves,
    "out_of_turn": OutOfTurn,
    "take_back": TakeBack,
    "fallen": Fallen,
    "lying_pawn": LyingPawn,
    "promotion_unmarked": PromotionUnmarked,
    "substitution": Substitution,
    "nudge": Nudge,
    "partner_hand": PartnerHand,
    "camera_bumped": CameraDeed,
    "camera_frozen": CameraDeed,
    "camera_gone": CameraDeed,
    "light_off": CameraDeed,
}
"""Every irregularity by the name that is given on the command line and stands in the truth."""


def deed_of(wish: Wish) -> Deed:
    """The irregularity that is wished for."""
    return IRREGULARITIES[wish.kind](wish.kind)


def planned(wishes: Sequence[Wish], plies: Sequence[Ply], start: Match) -> dict[int, list[Wish]]:
    """Wishes by the index of their ply. Raises IrregularityError where one is not possible."""
    plans: dict[int, list[Wish]] = {}
    if not wishes:
        return plans
    able: dict[str, list[int]] = {}
    match = start.fresh()
    for index, ply in enumerate(plies):
        for kind in {wish.kind for wish in wishes}:
            if IRREGULARITIES[kind](kind).possible(match, ply, plies[index + 1 :]):
                able.setdefault(kind, []).append(index)
        match.push(ply.board, ply.move)
    for wish in wishes:
        at = next((i for i, ply in enumerate(plies) if _is_at(wish, i, ply)), len(plies))
        places = able.get(wish.kind, [])
        if at not in places:
            later = [i for i in places if i > at] or places
            where = f"{plies[later[0]].board}{plies[later[0]].number}" if later else ""
            hint = f"give {wish.kind}@{where}" if where else "nor anywhere else in this match"
            raise IrregularityError(f"{wish}: cannot happen at that ply; {hint}")
        plans.setdefault(at, []).append(wish)
    return plans


def _is_at(wish: Wish, index: int, ply: Ply) -> bool:
    if wish.board is None:
        return wish.ply == index + 1
    return (wish.board, wish.ply) == (ply.board, ply.number)
