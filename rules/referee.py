"""The referee: takes reports of what happened, keeps the match, and says what it finds under the profile.

It reports and asks. Only what ends a match by itself (mate, a flag, resignation, agreement, a draw by rule) sets
`result`; a penalty is only named, until the arbiter rules.
"""

from dataclasses import replace
from functools import singledispatchmethod

import chess

import rules.reports as reports
from rules.clocks import Clocks
from rules.ends import End, claim_fifty, claim_repetition, decide, standing
from rules.judge import judge
from rules.match import IllegalMoveError, Match, Ply
from rules.promotion import Promoted, PromotionBook, promoted_men
from rules.reserves import ReserveWatch
from rules.seats import BoardName, Player, partner, seat, won
from rules.setup import TEAMS
from rules.verdict import Verdict, Word, verdict

UNNOTICED = 10.0  # seconds for which a second flag may fall before anybody can have stopped the clocks


class Referee:
    """Watches one match. `clocks`: the four clocks where they are known; `timed`: False for a match without clocks."""

    def __init__(self, match: Match, clocks: Clocks | None = None, timed: bool = True) -> None:
        self.match = match
        self.profile = match.profile
        self.clocks = clocks
        self.timed = timed
        self.open: dict[BoardName, Ply] = {}  # made, but the clock is not pressed
        self.ends: list[End] = []  # mates and flags, which decide together
        self.final: tuple[float, Verdict] | None = None  # what ended the match otherwise, and when
        self.drawn: set[BoardName] = set()
        self.reserves = ReserveWatch()
        self.promoted = {name: PromotionBook(match.profile, name) for name in match.boards}
        self.books: dict[BoardName, dict[chess.Square, Promoted]] = {}  # the promoted men before what is open was made

    @property
    def result(self) -> str:
        """Of the match, as in BPGN; `*` while it goes on or the arbiter has to decide."""
        if self.final:
            return self.final[1].result or "*"
        return decide(self.profile, self.ends).result or "*" if self.ends else "*"

    @property
    def over(self) -> float | None:
        """When the match ended; None while it goes on. Ends that nobody timed count as the start of time."""
        times = [end.time or 0.0 for end in self.ends] + ([self.final[0]] if self.final else [])
        return min(times) if times else None

    def _late(self, time: float, grace: float = 0.0) -> bool:
        """Whether the match was over before."""
        return self.over is not None and time - self.over > grace

    @singledispatchmethod
    def see(self, report: reports.Report) -> list[Verdict]:
        """Take in a report and say what it means; TypeError for what is none."""
        raise TypeError(f"not a report: {report!r}")

    def say(self, word: Word, reason: str, result: str = "", /, **values: str | int) -> Verdict:
        """A finding under the match's profile."""
        return verdict(self.profile, word, reason, result, **values)

    # moves

    @see.register
    def _(self, report: reports.Made) -> list[Verdict]:
        if self._late(report.time, self.profile.end_tolerance):
            return [self.say("WARN", "after_end", board=report.board)]
        color = self._mover(report)
        found = self._hands(report, color)
        if report.instead:
            found.append(self._replaced(report.board))
        elif report.board in self.open and self.open[report.board].color == color:
            found.append(self.say("ILLEGAL", "two_moves", seat=seat(report.board, color)))
        move, unnamed = self._named(report.board, report.move)
        self._settle_kind(report.board, move)
        ruling = judge(self.match, report.board, move, color)
        borrowed = self._not_completed(report.board, color, move)
        try:
            legal = ruling[0].word != "ILLEGAL"
            ply = (
                self.match.push(report.board, move)
                if legal
                else self.match.force(report.board, move, color, move.uci())
            )
        except IllegalMoveError:
            return found + ruling
        self.open[report.board] = ply
        found += ruling + borrowed + self._keep_books(ply, unnamed, report.time)
        # What an illegal move leaves behind ends nothing: it may have to be taken back.
        return found + (self._stands(report.board, report.time) if ply.legal else [])

    def _mover(self, report: reports.Made) -> chess.Color:
        if report.color is not None:
            return report.color
        if report.instead and report.board in self.open:
            return self.open[report.board].color
        return self.match.board(report.board).turn

    def _hands(self, report: reports.Made, color: chess.Color) -> list[Verdict]:
        if report.by is None or report.by == (report.board, color):
            return []
        names = {"seat": seat(*report.by), "board": report.board}
        if self.profile.partner_hands == "allowed" and report.by == partner(report.board, color):
            return [self.say("OK", "partner_moved_allowed", **names)]
        return [self.say("FLAG", "partner_moved", **names)]

    def _replaced(self, name: BoardName) -> Verdict:
        if name in self.open:
            self.undo(name)
        if self.profile.touch == "touch_move":
            return self.say("FLAG", "touched", board=name)
        return self.say("OK", "replaced", board=name)

    def _named(self, name: BoardName, move: chess.Move) -> tuple[chess.Move, bool]:
        """A promotion of which nobody said the kind counts as one to a queen for the time being."""
        board = self.match.board(name)
        pawn = not move.drop and board.piece_type_at(move.from_square) == chess.PAWN
        last = chess.BB_SQUARES[move.to_square] & chess.BB_BACKRANKS
        if pawn and last and not move.promotion and self.profile.promotion != "substitution":
            return chess.Move(move.from_square, move.to_square, chess.QUEEN), True
        return move, False

    def _settle_kind(self, name: BoardName, move: chess.Move) -> None:
        """A promoted man of an open kind that moves as the queen it passes for cannot: it is what it moves as."""
        kinds = self.promoted[name].kinds(move.from_square)
        if move.drop or len(kinds) < 2 or self.match.is_legal(name, move):
            return
        for kind in sorted(kinds - {chess.QUEEN}, reverse=True):
            again = self._with_kind(name, move.from_square, kind)
            if again is not None and again.is_legal(name, move):
                self.match = again
                return

    def _with_kind(self, name: BoardName, square: chess.Square, kind: chess.PieceType) -> Match | None:
        origin = self.promoted[name].men[square].origin
        last = max(
            number
            for number, ply in enumerate(self.match.plies)
            if ply.board == name and ply.move.promotion and ply.move.to_square == origin
        )

        def promoted(number: int, ply: Ply) -> Ply:
            move = chess.Move(ply.move.from_square, ply.move.to_square, kind) if number == last else ply.move
            return replace(ply, move=move)

        try:
            return self.match.replayed(promoted)
        except IllegalMoveError:
            return None

    def _not_completed(self, name: BoardName, color: chess.Color, move: chess.Move) -> list[Verdict]:
        """A drop of a man that was taken by a move whose clock is not pressed, where that is not allowed."""
        giver_board, giver_color = partner(name, color) if self.match.game == "bughouse" else (name, color)
        made = self.open.get(giver_board)
        if not move.drop or made is None or made.color != giver_color or made.passed != move.drop:
            return []
        if self.profile.available != "on_clock" or self.match.pocket(name, color)[move.drop] > 1:
            return []
        return [self.say("FLAG", "passed_before_press", seat=seat(giver_board, giver_color))]

    def _keep_books(self, ply: Ply, unnamed: bool, time: float) -> list[Verdict]:
        self.books[ply.board] = dict(self.promoted[ply.board].men)
        found = self.promoted[ply.board].move(ply.move)
        if ply.move.promotion:
            kind = None if unnamed else ply.move.promotion
            found += self.promoted[ply.board].promote(ply.color, ply.move.to_square, kind)
        if ply.passed is not None and self.match.game == "bughouse":
            self.reserves.captured((ply.board, ply.color), ply.passed, time)
        return found

    def _stands(self, name: BoardName, time: float) -> list[Verdict]:
        found = standing(self.match, name)
        if found and found[0].word == "MATE":
            self.ends.append(End("mate", name, self.match.board(name).turn, time))
            if len(self.ends) > 1:
                found = [decide(self.profile, self.ends)]
        elif found and found[0].word == "DRAW":
            self.final = time, found[0]
        self._stop_clocks()
        if not self.timed and any(finding.word == "WAIT" for finding in found):
            found.append(self.say("FLAG", "wait_no_clock"))
        return found

    @see.register
    def _(self, report: reports.TakenBack) -> list[Verdict]:
        if report.board not in self.open:
            return [self.say("FLAG", "taken_back", board=report.board)]
        try:
            self.match.without_last(report.board)
        except IllegalMoveError:
            return [self.say("FLAG", "dependent_take_back", board=report.board)]
        self.undo(report.board)
        if self.profile.touch == "touch_move":
            return [self.say("FLAG", "touched", board=report.board)]
        return [self.say("OK", "taken_back", board=report.board)]

    def undo(self, name: BoardName) -> list[Ply]:
        """Take back the last ply of a board with all that rests on it; the plies that went, in order."""
        self.match, lost = self.match.without_dependents(name)
        for board in {ply.board for ply in lost}:
            made = self.open.pop(board, None)
            alone = made is not None and [ply.board for ply in lost].count(board) == 1
            self.promoted[board].men = self.books[board] if alone else promoted_men(self.match, board)
            self.ends = [end for end in self.ends if end.kind == "flag" or end.board != board]
        if self.final and self.final[1].reason in ("stalemate", "both_stalemated", "insufficient"):
            self.final = None
        return lost

    # reserves and men

    @see.register
    def _(self, report: reports.HandedOver) -> list[Verdict]:
        giver = report.board, report.color
        names = {"piece": chess.piece_symbol(report.man).upper(), "taker": seat(*partner(*giver))}
        if not self.reserves.handed_over(self.match, giver, report.man):
            return [self.say("FLAG", "reserve_surplus", seat=seat(*partner(*giver)), piece=names["piece"])]
        return [self.say("OK", "hand_over", seat=seat(*giver), **names)]

    @see.register
    def _(self, report: reports.ReserveSeen) -> list[Verdict]:
        return self.reserves.look(self.match, report)

    @see.register
    def _(self, report: reports.RefusedToShow) -> list[Verdict]:
        who = seat(report.board, report.color)
        if self.profile.refusal == "loses":
            return [self.say("LOST", "reserve_refused", won(report.board, not report.color), seat=who)]
        return [self.say("FLAG", "reserve_refused", seat=who)]

    @see.register
    def _(self, report: reports.Standing) -> list[Verdict]:
        names = {"board": report.board, "square": chess.square_name(report.square)}
        promoted = report.square in self.promoted[report.board].men
        if report.pose == "upside_down":
            return [self.say("ASK", "promotion_mark_unclear", **names)]
        if report.pose == "upright":
            unmarked = promoted and self.profile.promotion == "lying_pawn" and self.profile.promoted_reverts
            return [self.say("WARN", "promotion_unmarked", **names)] if unmarked else []
        if not promoted:
            return [self.say("WARN", "fallen", **names)]
        return [] if self.profile.promotion_lies else [self.say("FLAG", "promoted_man_missing", **names)]

    # clocks

    @see.register
    def _(self, report: reports.Pressed) -> list[Verdict]:
        player = report.board, report.color
        found = self._pressed_by(report, player)
        if report.other_hand:
            found.append(self.say("WARN", "other_hand", seat=seat(*player)))
        if self.clocks:
            self.clocks.press(report.board, report.color, report.time)
        made = self.open.get(report.board)
        if made is not None and made.color == report.color:
            del self.open[report.board]
        return found + self.reserves.turn(self.match, (report.board, not report.color))

    def _pressed_by(self, report: reports.Pressed, player: Player) -> list[Verdict]:
        if report.by is None or report.by == player:
            return []
        names = {"seat": seat(*report.by), "board": report.board}
        if report.by != partner(*player) or self.profile.partner_clock == "forbidden":
            return [self.say("FLAG", "partner_clock", **names)]
        if self.profile.partner_clock == "allowed":
            return [self.say("OK", "partner_clock_allowed", **names)]
        return [self.say("ASK", "partner_clock_open", **names)]

    @see.register
    def _(self, report: reports.FlagFell) -> list[Verdict]:
        end = End("flag", report.board, report.color, report.time)
        if end in self.ends:
            return []
        if self.final or (report.time is not None and self._late(report.time, UNNOTICED)):
            return [self.say("WARN", "after_end", board=report.board)]
        self.ends.append(end)
        self._stop_clocks()
        return [decide(self.profile, self.ends)]

    @see.register
    def _(self, report: reports.Passed) -> list[Verdict]:
        found = self.reserves.overdue(self.match, report.time)
        for time, (board, color) in self.clocks.flags(report.time) if self.clocks else []:
            if not self._late(time, UNNOTICED):
                found += self.see(reports.FlagFell(board, color, time))
        return found

    @see.register
    def _(self, report: reports.Waited) -> list[Verdict]:
        who = seat(report.board, report.color)
        if not self.timed:
            return [self.say("FLAG", "wait_no_clock", seat=who)]
        return [self.say("OK", "sitting", seat=who)]

    # ends and claims

    @see.register
    def _(self, report: reports.Resigned) -> list[Verdict]:
        if self._late(report.time):
            return [self.say("WARN", "after_end", board=report.board)]
        result = won(report.board, not report.color)
        finding = self.say("LOST", "resigned", result, seat=seat(report.board, report.color))
        self._finish(finding, report.time)
        return [finding]

    @see.register
    def _(self, report: reports.Agreed) -> list[Verdict]:
        if len(report.players) == 1:
            return [self.say("OK", "draw_offer", seat=seat(*next(iter(report.players))))]
        if self._late(report.time):
            return [self.say("WARN", "after_end", board=min(report.players)[0])]
        teams = [team & report.players for team in TEAMS]
        captains = report.captains and self.profile.agreement != "all_players"
        if not (all(teams) if captains else all(len(team) == 2 for team in teams)):
            return [self.say("WARN", "agreed_not_all")]
        if self.profile.agreement == "not_provided":
            return [self.say("ASK", "agreed_not_provided")]
        finding = self.say("DRAW", "agreed", "1/2-1/2")
        self._finish(finding, report.time)
        return [finding]

    @see.register
    def _(self, report: reports.Claimed) -> list[Verdict]:
        if report.what == "illegal_move":
            return [self._claimed_illegal(report)]
        if self._late(report.time):
            return [self.say("WARN", "after_end", board=report.board)]
        if report.what == "insufficient":
            return [self._claimed_insufficient()]
        claim = claim_repetition if report.what == "repetition" else claim_fifty
        found = [claim(self.match, report.board)]
        if found[0].rule == "one_board_draw" and found[0].word == "FLAG":
            self.drawn.add(report.board)
            if self.drawn == set(self.match.boards):
                found.append(self.say("DRAW", "both_drawn", "1/2-1/2"))
        for finding in found:
            if finding.word == "DRAW":
                self._finish(finding, report.time)
        return found

    def _claimed_illegal(self, report: reports.Claimed) -> Verdict:
        here = [ply for ply in self.match.plies if ply.board == report.board]
        theirs = [ply for ply in here if ply.color != report.color]
        who = seat(report.board, not report.color)
        if not theirs or theirs[-1].legal:
            earlier = any(not ply.legal for ply in theirs)
            return self.say("OK", "illegal_stands", seat=who) if earlier else self.say("WARN", "illegal_none", seat=who)
        if here[-1].color == report.color and report.board not in self.open:
            return self.say("OK", "illegal_stands", seat=who)
        if self.profile.illegal_move == "loses":
            return self.say("LOST", "illegal_lost", won(report.board, report.color), seat=who)
        corrected = self.profile.illegal_move == "corrected"
        return self.say("FLAG", "illegal_corrected" if corrected else "illegal_claimed", seat=who)

    def _claimed_insufficient(self) -> Verdict:
        boards = [self.match.board(name) for name in self.match.boards]
        bare = all(board.occupied == board.kings for board in boards)
        held = any(self.match.pocket(name, color) for name in self.match.boards for color in chess.COLORS)
        if bare and not held:
            return self.say("FLAG", "dead_position")
        return self.say("WARN", "insufficient_never")

    @see.register
    def _(self, report: reports.Ruled) -> list[Verdict]:
        ruling = self.say("OK", "ruled", report.result)
        self.final = report.time, ruling
        self._stop_clocks()
        return [ruling]

    def _finish(self, finding: Verdict, time: float) -> None:
        """What ends the match otherwise than by mate or flag."""
        self.final = time, finding
        self._stop_clocks()

    def _stop_clocks(self) -> None:
        if self.clocks and self.over is not None:
            self.clocks.stop(self.over)

    # people

    @see.register
    def _(self, report: reports.Spoke) -> list[Verdict]:
        who = seat(report.board, report.color)
        if self.profile.advice == "silent":
            return [self.say("FLAG", "advice_forbidden", seat=who)]
        return [self.say("OK", "advice", seat=who)]
