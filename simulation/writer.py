"""Writes the script of a match: hands for plies, in human time, with what should go wrong on the way.

A move takes a hand 0.5 to 1.5 s, a capture longer; a player may reach out before the other has let go; pieces are put
down off-centre, some are adjusted; what is captured is carried to the partner's pocket.
"""

from collections.abc import Iterable, Mapping, Sequence

import chess
import numpy as np

from calibration.view import Region, Side, pockets_beside
from rules.match import Match, Ply
from rules.seats import BOARDS, BoardName, Player, partner
from simulation.deeds import Deed
from simulation.irregular import Wish, deed_of, planned
from simulation.scribe import Hand, Scribe
from simulation.script import Row, Script, Thing, aside

ANSWER = (-0.25, 0.9)  # seconds from a release to the other player's reaching out, at the quickest
ELSEWHERE = 100  # from this slot on: men of a reserve that lie elsewhere
ROOM = 0.45  # squares from the board's edge to the middle of what stands beside it
ADJUST = 0.04  # share of moves after which the mover puts a piece right


def write_script(
    plies: Iterable[tuple[Ply, float]],
    heights: Mapping[chess.PieceType, float],
    rng: np.random.Generator,
    start: float = 2.0,
    wishes: Sequence[Wish] = (),
    match: Match | None = None,
    side: Side = "h",
    edge: float = 0.0,
) -> Script:
    """Hands for plies, each with the time it should be released at (seconds; later where hands need longer).

    `heights`: of the set's pieces, in squares; they are held near the top. `match`: what is played, at its start.
    `side`: where the pockets lie. `edge`: squares that the board reaches beyond its own. Raises IrregularityError where
    something that is wished for cannot happen.
    """
    return Writer(heights, rng, start, match or Match(), side, edge).write(list(plies), wishes)


class Writer(Scribe):
    """The state of a match being written. `on`: what stands on squares; `pocket`: what lies in reserves by slot."""

    def __init__(
        self,
        heights: Mapping[chess.PieceType, float],
        rng: np.random.Generator,
        start: float,
        match: Match,
        side: Side,
        edge: float,
    ) -> None:
        players: list[Player] = [(board, color) for board in BOARDS for color in chess.COLORS]
        super().__init__(heights, rng, start, side, players)
        self.match, self.edge = match, edge
        self.on: dict[tuple[BoardName, chess.Square], Thing] = {}
        self.pocket: dict[Player, dict[int, Thing]] = {player: {} for player in players}
        # What left each slot, and from when on: a man dropped wrongly comes back before he is dropped for good.
        self.past: dict[Player, list[tuple[int, Thing, float]]] = {player: [] for player in players}
        self.taken: dict[int, int] = {}  # the ply by which a thing was captured
        self.astray: dict[Player, list[Thing]] = {player: [] for player in players}  # captured for him, lying elsewhere
        self.foreign: set[int] = set()  # ids of things that do not belong to the match
        self.arrival: dict[int, float] = {}  # by id of a thing: when it reached the pocket
        self.turn_done: dict[BoardName, float] = dict.fromkeys(BOARDS, start)
        self.rest: Sequence[Ply] = ()  # what is played after this ply
        for board in BOARDS:
            for square, piece in match.board(board).piece_map().items():
                self.on[board, square] = self.thing(piece, -1.0, board, *self.spot(square))

    def write(self, plies: Sequence[tuple[Ply, float]], wishes: Sequence[Wish]) -> Script:
        """The whole script."""
        played = [ply for ply, _ in plies]
        plans = planned(wishes, played, self.match)
        for number, (ply, wanted) in enumerate(plies):
            deeds = [deed_of(wish) for wish in plans.get(number, ())]
            self.rest = played[number + 1 :]
            for deed in deeds:
                deed.before(self, ply)
            if number == len(plies) - 1:  # what ends the match comes after all else, however slow the hands were
                wanted = max(wanted, max(self.turn_done.values()) - self.start + 1.0)
            self.play(ply, self.start + wanted, deeds)
            self.match.push(ply.board, ply.move)
            for deed in deeds:
                deed.after(self, ply)
        return self.finished(plies[-1][1] if plies else 0.0)

    # things

    def spot(self, square: chess.Square) -> tuple[float, float]:
        """Where a piece comes to stand on a square: near its middle, and far from it now and then."""
        spread = 0.06 if self.rng.random() < 0.93 else 0.13
        dx, dy = np.clip(self.rng.normal(0, spread, 2), -0.24, 0.24)
        return chess.square_file(square) + 0.5 + float(dx), chess.square_rank(square) + 0.5 + float(dy)

    def slot(self, board: BoardName, color: chess.Color, time: float) -> tuple[int, float, float]:
        """A place in a pocket that is free from a time on, from the middle outwards."""
        region: Region = pockets_beside(self.side)[color]
        # Boards are not written in step: what was dropped in an earlier line may leave later than this comes.
        leaves_later = {number for number, thing, since in self.past[board, color] if _left(thing, since) > time}
        taken = self.pocket[board, color].keys() | leaves_later
        number = next(n for n in range(64) if n not in taken)
        step = 0.86
        row, column = divmod(number, 3)
        nearest = max(0.5, 8 + self.edge + ROOM - pockets_beside("h")[color].x0)
        inward = nearest + step * column + float(self.rng.normal(0, 0.05))
        x = region.x0 + inward if self.side == "h" else region.x1 - inward
        away = 0.5 + step * row + float(self.rng.normal(0, 0.05))
        return number, x, (region.y1 - away if color == chess.WHITE else region.y0 + away)

    # a ply

    def play(self, ply: Ply, wanted: float, deeds: Sequence[Deed] = ()) -> None:
        """One ply by hand, passing on what it captures."""
        board, color, move = ply.board, ply.color, ply.move
        before = self.match.board(board)
        answer = self.turn_done[board] + float(self.rng.uniform(*ANSWER))
        begin = max(wanted - 1.0, answer)
        if move.drop:
            source = self.from_pocket(board, color, move.drop, begin)
            begin = max(begin, self.arrival[id(source)] + 0.2)
        guest = any(deed.by_partner for deed in deeds)
        hand = self.hand(board, color, begin, guest=guest)
        start = hand.time
        captured = self.captured(before, board, move)
        thing = source if move.drop else self.on.pop((board, move.from_square))
        first = thing if captured is None else captured
        # Who reaches out early hovers until the other has let go.
        hand.go(first.stays[-1][2], first.stays[-1][3], 1.7)
        hand.until(self.turn_done[board] + 0.05)
        if captured is not None:
            hand.take(captured)
            self.taken[id(captured)] = ply.number
        hand.take(thing)
        promoted = next((man for deed in deeds if (man := deed.promotes_to(self, ply))), None)
        lies = move.promotion is not None and all(deed.marks_promotion for deed in deeds) and promoted is None
        lies |= not move.drop and bool(before.promoted >> move.from_square & 1) and thing.stays[-1][4]
        released = hand.put(thing, *self.spot(move.to_square), lies=lies)
        if promoted is not None:
            hand.take(thing)
            hand.take(promoted)
            released = hand.put(promoted, *self.spot(move.to_square))
            hand.drop_aside(thing)
            thing = promoted
        self.on[board, move.to_square] = thing
        if not move.drop and before.is_castling(move):
            released = self._castle(hand, board, move)
        self.turn_done[board] = released
        if self.rng.random() < ADJUST:
            hand.take(thing)
            self.turn_done[board] = hand.put(thing, *self.spot(move.to_square), lies=lies)
        otherwise = (deed.press_clock(self, hand) for deed in deeds)
        pressed = next((time for time in otherwise if time is not None), None) or hand.press()
        told: Row = {"ply": ply.number, "san": ply.san, "uci": move.uci()}
        told |= {"start": round(start, 3), "press": round(pressed, 3)}
        self.row("drop" if move.drop else "move", board, color, released, told)
        for deed in deeds:
            deed.during(self, ply, released)
        if captured is None:
            hand.leave()
            self.free[board, color] = hand.time
        elif not any(deed.keeps(self, ply, hand, captured) for deed in deeds):
            self.free[board, color] = self.pass_on(hand, captured)

    def _castle(self, hand: "Hand", board: BoardName, move: chess.Move) -> float:
        short, rank = chess.square_file(move.to_square) > 4, chess.square_rank(move.to_square)
        rook = self.on.pop((board, chess.square(7 if short else 0, rank)))
        target = chess.square(5 if short else 3, rank)
        hand.take(rook)
        self.on[board, target] = rook
        return hand.put(rook, *self.spot(target))

    def captured(self, before: chess.Board, board: BoardName, move: chess.Move) -> Thing | None:
        """The piece that a move takes off the board."""
        if move.drop or not before.is_capture(move):
            return None
        square = move.to_square
        if before.is_en_passant(move):
            square = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
        return self.on.pop((board, square))

    def from_pocket(self, board: BoardName, color: chess.Color, kind: chess.PieceType, time: float) -> Thing:
        """The piece of a kind that came into a reserve first; one that lies elsewhere is handed over now."""
        number = self.slot_of(board, color, kind, time)
        thing = self.pocket[board, color].pop(number)
        self.past[board, color].append((number, thing, max(time, self.arrival[id(thing)])))
        return thing

    def slot_of(self, board: BoardName, color: chess.Color, kind: chess.PieceType, time: float) -> int:
        """The slot of the piece that `from_pocket` takes."""
        pocket = self.pocket[board, color]
        wanted = chess.Piece(kind, color)
        fitting = [n for n, thing in pocket.items() if thing.piece == wanted and id(thing) not in self.foreign]
        if fitting:
            return min(fitting, key=lambda n: self.arrival[id(pocket[n])])
        astray = self.astray[board, color]
        thing = next(thing for thing in astray if thing.piece.piece_type == kind)
        astray.remove(thing)
        for slots in self.pocket.values():
            for number in [n for n, lying in slots.items() if lying is thing]:
                del slots[number]
        giver = partner(board, color)
        hand = self.hand(*giver, max(time, thing.stays[-1][0]))
        hand.take(thing)
        self.free[giver] = self.pass_on(hand, thing)
        return next(n for n, lying in pocket.items() if lying is thing)

    def pass_on(self, hand: "Hand", thing: Thing, late: float = 0.0, place: tuple[float, float] | None = None) -> float:
        """Carry a captured piece out on the inner side and in again beside the partner; when the hand is free.

        `late`: seconds that it is kept out of sight on the way. `place`: where it is laid, if not into the pocket.
        """
        giver, color = hand.board, hand.color
        board, owner = partner(giver, color)
        hand.out(aside(13.5, self.side), 1.5 if color == chess.WHITE else 6.5, thing)
        number, x, y = self.slot(board, owner, hand.time)
        if place is not None:
            number, (x, y) = ELSEWHERE + number, place
        self.pocket[board, owner][number] = thing
        guest = Hand(
            self, board, owner, hand.time - 0.15 + late, hand.pace, guest=True, away=(aside(14.5, self.side), y)
        )
        guest.carry(thing)
        arrived = guest.put(thing, x, y)
        guest.leave()
        self.arrival[id(thing)] = arrived
        what = {"piece": thing.piece.symbol(), "taken": self.taken[id(thing)]}
        self.row("hand_over", giver, color, arrived, what)
        return hand.time if late else guest.time


def _left(thing: Thing, since: float) -> float:
    """When a piece first left where it lay, from a time on."""
    return next((time for time in thing.leaves if time >= since), np.inf)
