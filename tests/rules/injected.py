"""Irregularities on purpose: which are told, under which kind, and how soon; and what is told where there is none.

`python -m tests.rules.injected film GAME.bpgn DIR --seed N` films a match with some of them spread over it, other
kinds for another seed. `... stream GAMES.bpgn [--seeds N...]` scripts them without a picture, as `stream.py` does, and
tells what was made of them; `... films DIR... [--disturb SEED]` does so for what `corpus.py record` kept of such films
in DIR.npz, disturbed if wanted (`disturbed.py`).
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import pockets_beside
from rules.events import Event
from rules.force import rooks_way
from rules.match import Match, Ply
from rules.observation import Observation
from rules.profiles import SCACCO_BRATTO
from rules.records import Game, read
from rules.seats import BOARDS, Player, partner
from rules.tracker import Tracker
from simulation.irregular import IRREGULARITIES, IrregularityError, Wish, planned
from simulation.produce import Filming, film_both, produce, timed
from simulation.script import Row, Script
from simulation.writer import write_script
from tests.rules.corpus import load, track
from tests.rules.disturbed import disturbed
from tests.rules.stream import HEIGHTS, observations, wrong

BREAKS_OFF = ("camera_bumped", "camera_frozen", "camera_gone", "light_off")
"""Kinds that are told by the camera's own watch, which has its own tests."""
KINDS = tuple(kind for kind in IRREGULARITIES if kind not in BREAKS_OFF)
APART = 6  # plies of the match from one to the next, at least
LATEST = 5  # plies before the end that are left in peace
PAUSE = 2.5  # seconds: longer ones teach nothing
FILMING = Filming(pause=PAUSE)


def plan(game: Game, seed: int, count: int, kinds: Sequence[str] = KINDS) -> list[Wish]:
    """About `count` irregularities spread over a match, of the kinds whose turn it is with this seed."""
    game, rng = _as_timed(game), np.random.default_rng(seed)
    plies = game.match.plies
    places = np.linspace(4, len(plies) - LATEST, count + 1).astype(int)[:-1]
    turn = [kinds[(seed * count + n) % len(kinds)] for n in range(len(kinds))]
    wishes: list[Wish] = []
    for place in rng.permutation(places) if len(places) else ():
        for kind in turn:
            at = _first(kind, plies, range(int(place), int(place) + APART // 2), game.match)
            if at and all(wish.kind != kind and not _undone(wish, kind, at, plies) for wish in wishes):
                wishes.append(Wish(kind, None, at))
                break
    return sorted(wishes, key=lambda wish: wish.ply)


def _undone(wish: Wish, kind: str, at: int, plies: Sequence[Ply]) -> bool:
    """Whether a reserve that lacks a man by one of two irregularities may have him back by the other, so that nobody
    could tell that anything had happened."""
    one, other = _less(wish.kind, plies[wish.ply - 1]), _less(kind, plies[at - 1])
    return one is not None and other is not None and one[0] == other[0] and one[1] != other[1]


def _less(kind: str, ply: Ply) -> tuple[Player, bool] | None:
    """Whose reserve an irregularity leaves with a man less than there should be, or more."""
    player = ply.board, ply.color
    if kind in OF_PARTNER or kind == "wrong_zone":
        return partner(*player), True
    return (player, kind == "hidden_reserve") if kind in ("hidden_reserve", "extra_man") else None


def _as_timed(game: Game) -> Game:
    """The match in the order in which hands will play it."""
    match = game.match.replay((ply.board, ply.move) for ply, _ in timed(game, PAUSE))
    return Game(match, game.tags, game.clocks, game.comment, game.result)


def _first(kind: str, plies: Sequence[Ply], numbers: range, match: Match) -> int | None:
    """The first of these plies, counted from 1, at which it can happen."""
    for number in numbers:
        try:
            planned([Wish(kind, None, number)], plies, match)
        except IrregularityError:
            continue
        return number
    return None


def film(game: Game, folder: Path, seed: int, wishes: Sequence[Wish]) -> None:
    """Film a match with irregularities."""
    for _ in film_both(produce(game, folder, seed, FILMING, wishes)):
        pass


TOLD_AS = {
    "two_moves": ("two_moves", "out_of_turn"),  # who has just moved is out of turn: the pictures are the same
    "out_of_turn": ("two_moves", "out_of_turn"),
    "passed_late": ("not_passed",),
    "behind_clock": ("not_passed",),  # it does not stand where it should
}
TOLERATED = ("not_passed", "passed_late", "behind_clock", "hidden_reserve", "extra_man", "wrong_zone")
OF_PARTNER = ("not_passed", "passed_late", "behind_clock")
"""Of these, those that show in the pocket of the partner."""
KEPT_ELSEWHERE = ("not_passed", "behind_clock", "wrong_zone")
SOON = 1.5  # seconds within which it has to be told
TRANSIENT = ("unsure",)


@dataclass(slots=True)
class Case:
    """One irregularity of the truth. `due`: when it could be seen, and the profile tolerated it no more; infinity where
    the match ended before, or it was put right in time."""

    kind: str
    board: str
    time: float
    until: float
    due: float
    color: chess.Color  # of the player
    back: bool = False  # a man goes back to where he has just come from: the pictures are those of a ply taken back
    cut: bool = False  # the pictures end while it could still be told in time
    verdict: str = "missed"
    late: float = float("nan")
    told: str = ""


class Seen:
    """When which squares of both boards lay open."""

    def __init__(self) -> None:
        self.looks: dict[str, list[tuple[float, NDArray[np.bool_]]]] = {"A": [], "B": []}
        self.pockets: dict[tuple[str, chess.Color], list[float]] = {
            (board, color): [] for board in BOARDS for color in chess.COLORS
        }
        self.last = 0.0

    def through(self, looks: Iterable[Observation]) -> Iterator[Observation]:
        """The same looks, noted."""
        for look in looks:
            self.looks[look.board].append((look.time, look.seen))
            self.last = look.time
            for color, pocket in look.pockets.items():
                if pocket.seen:
                    self.pockets[look.board, color].append(look.time)
            yield look

    def since(self, board: str, squares: Sequence[chess.Square], time: float) -> float:
        """When squares first lay open together at or after a time; infinity for never."""
        for at, seen in self.looks[board]:
            if at >= time and seen[list(squares)].all():
                return at
        return float("inf")

    def pocket_since(self, player: Player, time: float) -> float:
        """When a pocket first lay open at or after a time; infinity for never."""
        return next((at for at in self.pockets[player] if at >= time), float("inf"))


def cases(truth: Iterable[Row], seen: Seen, script: Script | None = None) -> list[Case]:
    """The irregularities of a truth. `script`: tells, where it is known, which pieces were dropped from where they lay
    before they could be missed."""
    found, truth = list[Case](), list(truth)
    for row in truth:
        if row["kind"] != "irregularity":
            continue
        kind, board, time, until = (
            str(row["irregularity"]),
            str(row["board"]),
            float(str(row["time"])),
            float(str(row["until"])),
        )
        squares: list[chess.Square] = [chess.parse_square(str(row["square"]))] if "square" in row else []
        begins = until if kind == "take_back" else time
        ply = _played(truth, row) if kind == "partner_hand" else row  # a lawful one, by another's hand
        if "uci" in ply:
            move = chess.Move.from_uci(str(ply["uci"]))
            squares = [move.from_square, move.to_square]
            if kind == "illegal_castling":  # it is one when the rook has followed
                squares += rooks_way(move)
                begins = _rook_came(truth, row, squares[-1])
        due = seen.since(board, squares, begins) if squares else begins
        if kind in TOLERATED:
            player = player_of(row)
            due = seen.pocket_since(
                partner(*player) if kind in OF_PARTNER else player, due + SCACCO_BRATTO.pass_tolerance
            )
        if kind == "drop_not_held" and _held(truth, row, due):
            due = float("inf")  # by then it was
        if kind == "nudge" and (
            _moved_on(truth, row, due + SOON)  # he was gone before it had to be told
            or seen.since(board, squares, _came(truth, row)) >= time  # nobody had seen where he stood before
        ):
            due = float("inf")
        if kind in KEPT_ELSEWHERE and any(_passed_after_all(row, other, due) for other in truth):
            due = float("inf")
        if any(_stands_in(truth, row, other, due) or _comes_for(truth, row, other, due) for other in truth):
            due = float("inf")
        if script and kind in KEPT_ELSEWHERE and due < float("inf"):
            astray = _astray(script, str(row["piece"]), due)
            due = due if astray > _others_kept(truth, row, due) else float("inf")
        if not script and kind == "behind_clock" and (drop := _dropped_from_there(truth, row, due)):
            due = float("inf")
            if drop["kind"] == "irregularity":  # it was taken back, and lies there again, not where it was dropped from
                kind, player = "hidden_reserve", partner(*player_of(row))
                board, missed = player[0], float(str(drop["until"])) + SCACCO_BRATTO.pass_tolerance
                due = seen.pocket_since(player, missed)
        cut = due + SOON > seen.last
        found.append(Case(kind, board, time, until, due, player_of(row)[1], _goes_back(truth, row), cut))
    return found


def _played(truth: Iterable[Row], row: Row) -> Row:
    """The ply in which an irregularity lies."""
    return next(
        other
        for other in truth
        if other["kind"] in ("move", "drop") and (other["board"], other["ply"]) == (row["board"], row["ply"])
    )


def _goes_back(truth: Iterable[Row], row: Row) -> bool:
    """Whether who breaks the rules plays the last ply of his board back."""
    before = [
        str(other["uci"])
        for other in truth
        if (other["kind"], other["board"]) == ("move", row["board"])
        and float(str(other["time"])) < float(str(row["time"]))
    ]
    return row["irregularity"] in TOLD_AS["two_moves"] and before[-1:] == [str(row["uci"])[2:4] + str(row["uci"])[:2]]


def _held(truth: Iterable[Row], dropped: Row, time: float) -> bool:
    """Whether such a man had been handed over by then to who drops him, and not been dropped since."""
    player, kind, held = player_of(dropped), str(dropped["uci"])[0], 0
    for row in truth:
        if float(str(row["time"])) > time or "seat" not in row:
            continue
        if row["kind"] == "hand_over" and player_of(row) == partner(*player):
            held += str(row["piece"]).upper() == kind
        elif row["kind"] == "drop" and player_of(row) == player:
            held -= str(row["san"]).startswith(f"{kind}@")
    return held > 0


def _moved_on(truth: Iterable[Row], pushed: Row, time: float) -> bool:
    """Whether a man who was pushed has moved by then, or another taken him."""
    return any(
        row["kind"] == "move" and row["board"] == pushed["board"] and str(pushed["square"]) in str(row["uci"])
        for row in truth
        if float(str(pushed["time"])) < float(str(row["time"])) < time
    )


def _rook_came(truth: Iterable[Row], row: Row, square: chess.Square) -> float:
    """When a rook first stands on a square from an irregularity on; in scripts, which do not tell what stands where, at
    once."""
    times = [
        float(str(other["time"]))
        for other in truth
        if (other["kind"], other["board"]) == ("state", row["board"])
        and chess.BaseBoard(str(other["placement"])).piece_type_at(square) == chess.ROOK
    ]
    time = float(str(row["time"]))
    return min((at for at in times if at >= time), default=time)


def _came(truth: Iterable[Row], pushed: Row) -> float:
    """When a man who is pushed had been put where he stands."""
    times = [
        float(str(row["time"]))
        for row in truth
        if (row["kind"] in ("move", "drop") and row["board"] == pushed["board"])
        and str(row["uci"])[2:4] == str(pushed["square"])
    ]
    return max((time for time in times if time < float(str(pushed["time"]))), default=0.0)


def player_of(row: Row) -> Player:
    """Whom a row is about."""
    return "A" if row["board"] == "A" else "B", str(row["seat"]).startswith("White")


def _passed_after_all(kept: Row, row: Row, due: float) -> bool:
    """Whether a row tells that a piece that was kept was passed on before it could be missed."""
    if row["kind"] != "hand_over":
        return False
    same = [kept[name] for name in ("board", "seat", "ply")] == [row[name] for name in ("board", "seat", "taken")]
    return same and float(str(kept["time"])) < float(str(row["time"])) < due


def _stands_in(truth: Sequence[Row], row: Row, other: Row, due: float) -> bool:
    """Whether nobody could tell that a man is missed from a reserve: one of his kind who was hidden from it comes back
    before that, or it is he who is hidden, and was missed from there before, and still is."""
    kept, hidden = (row, other) if row["irregularity"] in KEPT_ELSEWHERE else (other, row)
    if kept.get("irregularity") not in KEPT_ELSEWHERE or hidden.get("irregularity") != "hidden_reserve":
        return False
    if partner(*player_of(kept)) != player_of(hidden) or kept["piece"] != hidden["piece"]:
        return False
    missed = float(str(kept["time"]))
    if row is hidden:
        return missed < float(str(hidden["time"])) < _passed(truth, kept)
    return missed < float(str(hidden["until"])) < due


def _comes_for(truth: Sequence[Row], row: Row, other: Row, due: float) -> bool:
    """Whether nobody could tell that a man is missed from a reserve: one of his kind was missed before him, who comes
    before that; which of the two it is cannot be seen."""
    if not {row["irregularity"], other.get("irregularity")} <= {*KEPT_ELSEWHERE, "passed_late"}:
        return False
    same = (player_of(row), row["piece"]) == (player_of(other), other["piece"])
    return same and float(str(other["time"])) < float(str(row["time"])) < _passed(truth, other) < due


def _passed(truth: Sequence[Row], kept: Row) -> float:
    """When a piece that was kept was passed on after all; infinity if it never was."""
    return min((float(str(row["time"])) for row in truth if _passed_after_all(kept, row, np.inf)), default=np.inf)


def _dropped_from_there(truth: Sequence[Row], kept: Row, due: float) -> Row | None:
    """The drop, perhaps against the rules, of a piece that was kept, before it could be missed: none of its kind lay in
    the reserve then, nor had another been handed over."""
    player, letter, lay = partner(*player_of(kept)), str(kept["piece"]), list[tuple[float, str]]()
    for row in truth:
        time = float(str(row["time"]))
        if row["kind"] == "state" and row["board"] == player[0]:
            lay.append((time, str(row["white" if player[1] else "black"])))
        if not float(str(kept["time"])) < time < due:
            continue
        if row["kind"] == "hand_over" and player_of(row) == player_of(kept) and str(row["piece"]) == letter:
            return None
        dropped = row["kind"] == "drop" or row.get("irregularity") in ("drop_occupied", "drop_wrong_rank")
        if dropped and player_of(row) == player and str(row["uci"]).startswith(f"{letter.upper()}@"):
            before = [reserve for at, reserve in lay if at <= float(str(row.get("start", time)))][-1:]
            return None if letter in "".join(before) else row
    return None


def _others_kept(truth: Sequence[Row], row: Row, due: float) -> int:
    """How many pieces like one that was kept other players have kept by then, who lie there still."""
    others = (other for other in truth if other.get("irregularity") in KEPT_ELSEWHERE)
    return sum(
        other["piece"] == row["piece"] and player_of(other) != player_of(row)
        for other in others
        if float(str(other["time"])) < due <= _passed(truth, other)
    )


def _astray(script: Script, letter: str, time: float) -> int:
    """How many such pieces lie neither on a board nor in a reserve of their colour."""
    piece = chess.Piece.from_symbol(letter)
    reserve = pockets_beside(script.side)[piece.color]
    places = [thing.at(time) for thing in script.things if thing.piece == piece]
    beside = [(x, y) for _, x, y, _ in filter(None, places) if not (0 <= x < 8 and 0 <= y < 8)]
    return sum(not reserve.holds(x, y) for x, y in beside)


def judged(found: list[Case], events: Sequence[Event]) -> list[Event]:
    """Enter into each case what became of it, and leave those that nobody needed to tell; the alerts that nothing
    called for."""
    alerts = [e for e in events if e.kind == "alert"]
    used: set[int] = set()
    found.sort(key=lambda case: case.time)

    def after(case: Case) -> list[Event]:
        return [e for e in alerts if id(e) not in used and e.board == case.board and case.time - 0.5 <= e.committed]

    for case in found:
        kinds = TOLD_AS.get(case.kind, (case.kind,)) + (("take_back",) if case.back else ())
        latest = case.due + 15 if case.due < float("inf") else case.time + SCACCO_BRATTO.pass_tolerance
        fitting = [e for e in after(case) if e.reason in kinds and e.committed < latest]
        if TOLD_AS.get(case.kind) == TOLD_AS["passed_late"]:
            fitting.sort(key=lambda event: event.color != case.color)
        if fitting:
            used.add(id(fitting[0]))
            case.late, case.told = fitting[0].committed - case.due, fitting[0].reason
            case.verdict = "told" if case.late <= SOON else "late"
    for case in [case for case in found if case.verdict == "missed" and case.due < float("inf")]:
        near = after(case)
        other = [e for e in near if e.committed < max(case.until, case.due) + 3 and e.reason not in TRANSIENT]
        if other:
            used.add(id(other[0]))
            case.verdict, case.told = "other kind", other[0].reason
    for case in [case for case in found if case.kind == "partner_hand"]:
        presses = [e for e in after(case) if e.reason == "partner_press" and e.time < case.time + SOON]
        used |= {id(e) for e in presses[:1]}  # that hand presses the clock, too
    found[:] = [case for case in found if case.due < float("inf") and not (case.cut and case.verdict == "missed")]
    same = attrgetter("reason", "board", "color", "piece", "time")
    told = {same(e) for e in alerts if id(e) in used}  # and told again, after it seemed to be over
    return [e for e in alerts if same(e) not in told]


def tally(found: list[Case], false: list[Event], matches: int) -> None:
    """Print the figures by kind."""
    for kind in IRREGULARITIES:
        here = [case for case in found if case.kind == kind]
        if here:
            verdicts = Counter(case.verdict for case in here)
            others = Counter(case.told for case in here if case.verdict == "other kind")
            late = [case.late for case in here if case.verdict in ("told", "late")] or [0.0]
            print(
                f"{kind:20} {verdicts['told']:3} of {len(here):3} in time, {verdicts['late']} late, "
                f"{verdicts['missed']} missed, as others {dict(others)}; "
                f"{np.median(late):.2f} s after it was due"
            )
    told = sum(case.verdict == "told" for case in found)
    kinds = Counter(event.reason for event in false)
    print(f"{told} of {len(found)} in time and by kind in {matches} matches; false alerts: {dict(kinds)}")
    right = Counter(case.told for case in found if case.verdict in ("told", "late"))
    wrong = kinds + Counter(case.told for case in found if case.verdict == "other kind")
    counts = ", ".join(f"{kind} {right[kind]} and {wrong[kind]}" for kind in sorted(right | wrong))
    print(f"alerts with and without cause: {counts}")


def streamed(
    game: Game, seed: int, count: int, kind: float, kinds: Sequence[str]
) -> tuple[list[Case], list[Event], str]:
    """A scripted match with irregularities, tracked without pictures; the cases, the false alerts, and a line."""
    rng = np.random.default_rng(seed)
    wishes = plan(game, seed, count, kinds) if count else []
    script = write_script(timed(game, PAUSE), HEIGHTS, rng, wishes=wishes, match=game.match.fresh())
    seen, tracker, events = Seen(), Tracker(), list[Event]()
    for look in seen.through(observations(script, rng, kind)):
        events += tracker.update(look)
    events += tracker.finish(script.seconds)
    found = cases(script.truth, seen, script)
    false = judged(found, events)
    parted = wrong(script, tracker)
    line = " ".join(f"{case.kind}:{case.verdict}{'/' + case.told if case.told != case.kind else ''}" for case in found)
    extra = " ".join(f"{e.reason}@{e.board}{e.committed:.1f}" for e in false)
    return found, false, f"{line} | false: {extra or 'none'} | {'; '.join(parted) or 'exact'}"


def filmed(folder: Path, disturb: int | None = None) -> tuple[list[Case], list[Event], str]:
    """The same of a film's recorded looks. `disturb`: seed by which they are disturbed, if they are."""
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    seen = Seen()
    looks = load(folder.with_suffix(".npz"))
    if disturb is not None:
        looks = disturbed(looks, np.random.default_rng([disturb, *folder.name.encode()]))
    _, events, _ = track(seen.through(looks))
    found = cases(truth, seen)
    false = judged(found, events)
    line = " ".join(
        f"{case.kind}@{case.board}{case.time:.1f}:{case.verdict}{'/' + case.told if case.told != case.kind else ''}"
        for case in found
    )
    extra = " ".join(f"{e.reason}@{e.board}{e.committed:.1f}" for e in false)
    return found, false, f"{line} | false: {extra or 'none'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    filming = commands.add_parser("film")
    filming.add_argument("game", type=Path)
    filming.add_argument("folder", type=Path)
    filming.add_argument("--seed", type=int, default=0)
    filming.add_argument("--count", type=int, default=8)
    filming.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    streaming = commands.add_parser("stream")
    streaming.add_argument("game", type=Path)
    streaming.add_argument("--seeds", type=int, nargs="+", default=[0])
    streaming.add_argument("--count", type=int, default=8)
    streaming.add_argument("--kind", type=float, default=0.75)
    streaming.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    watching = commands.add_parser("films")
    watching.add_argument("folders", type=Path, nargs="+")
    watching.add_argument("--disturb", type=int, metavar="SEED", help="look at them as if filmed once more")
    options = parser.parse_args()
    if options.command == "film":
        game = next(read(options.game.read_text()))
        wishes = plan(game, options.seed, options.count, options.kinds)
        print(*wishes)
        film(game, options.folder, options.seed, wishes)
        return
    all_cases, all_false, matches = list[Case](), list[Event](), 0
    for name, found, false, line in _runs(options):
        print(f"{name}: {line}", flush=True)
        all_cases, all_false, matches = all_cases + found, all_false + false, matches + 1
    tally(all_cases, all_false, matches)


def _runs(options: argparse.Namespace) -> Iterator[tuple[str, list[Case], list[Event], str]]:
    if options.command == "films":
        for folder in options.folders:
            yield folder.name, *filmed(folder, options.disturb)
        return
    for number, game in enumerate(read(options.game.read_text())):
        for seed in options.seeds:
            yield f"{number}/{seed}", *streamed(game, 1000 * seed + number, options.count, options.kind, options.kinds)


if __name__ == "__main__":
    main()
