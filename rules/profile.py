"""A rule profile: what one authority rules where authorities differ, as data.

Every field belongs to one numbered dimension of `DIMENSIONS` and has a default, which is what most texts say. A
preset names the sentence of its text for every field that the text settles; a field that it leaves open keeps the
default, and `authority` says so.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, get_type_hints

from pydantic import TypeAdapter, ValidationError

DEFAULT = "default"
"""Authority of a field that the profile's text leaves open."""

TIME_CONTROL = re.compile(r"(?P<base>\d+(?:\.\d+)?)(?:(?P<kind>[+d])(?P<more>\d+(?:\.\d+)?))?")
"""Seconds for all moves, and for each: `180+2` given (Fischer), `180d2` as far as it was used (Bronstein)."""

VENUE = "venue"
"""Authority of a field that the venue file or the record itself sets."""


def _dimension(number: int, default: Any) -> Any:
    return field(default=default, metadata={"dimension": number})


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The rules of one authority. `sources`: the sentence of its text by field; fields not in it are open there."""

    name: str
    title: str
    pawn_ranks: tuple[int, int] = _dimension(1, (2, 7))
    """First and last rank, seen from the player, on which a pawn may be dropped."""
    promoted_reverts: bool = _dimension(2, True)
    """A promoted man is a pawn again when captured. Otherwise it was exchanged for a real one and stays that."""
    promotion: Literal["lying_pawn", "upright_pawn", "substitution", "any"] = _dimension(3, "lying_pawn")
    """How a promotion is marked. `substitution`: by a man of the own reserve; without one the pawn stays a pawn."""
    promotion_kinds: Literal["all", "queen_knight", "queen_or_reserve"] = _dimension(3, "all")
    """What a pawn may become. `queen_or_reserve`: another kind only if such a man lies in the own reserve."""
    promotion_unnamed: Literal["pending", "queen"] = _dimension(3, "pending")
    """A promotion whose kind nobody named: open until the man first moves, or a queen."""
    drop_check: bool = _dimension(4, True)
    """A drop may give check."""
    drop_mate: Literal["yes", "no_bughouse_mate", "no_chess_mate"] = _dimension(5, "yes")
    """A drop may mate. `no_bughouse_mate`: not where nothing parries it; `no_chess_mate`: not where no move does."""
    drop_in_check: bool = _dimension(6, True)
    """A check may be parried by a drop."""
    mate: Literal["any_drop", "stock", "no_move"] = _dimension(7, "any_drop")
    """Mate: no move and no drop of any man parries; `stock`: of any man that can still come; `no_move`: of one held."""
    wait: Literal["while_time", "unlimited"] = _dimension(8, "while_time")
    """How long a player may wait for a man."""
    dropped_pawn_double: bool = _dimension(9, True)
    """A pawn dropped on its second rank may step two squares, and be taken en passant."""
    drop_castle: Literal["yes", "no", "ask"] = _dimension(10, "yes")
    """Castling with a rook dropped in the corner. `ask`: possible, but the option has to be settled beforehand."""
    available: Literal["on_capture", "on_clock"] = _dimension(11, "on_capture")
    """When the partner may use a captured man: as it is taken, or once the clock was pressed."""
    pass_by: Literal["tolerance", "next_turn"] = _dimension(11, "tolerance")
    """When it has to have arrived: within `pass_tolerance`, or before the giver's next turn."""
    touch: Literal["clock_move", "touch_move"] = _dimension(12, "clock_move")
    """What binds a player: what stands when the clock is pressed, or the man let go."""
    illegal_move: Literal["report", "loses", "corrected"] = _dimension(13, "report")
    """What a claimed illegal move costs. The program only says so."""
    illegal_drop: Literal["as_a_move", "removed"] = _dimension(13, "as_a_move")
    """An illegal drop: like any illegal move, or the man counts as captured."""
    reserve: Literal["visible", "may_be_hidden"] = _dimension(14, "visible")
    """Whether the men of a reserve have to be seen by everybody."""
    refusal: Literal["flag", "loses"] = _dimension(14, "flag")
    """Refusing to show the reserve."""
    partner_hands: Literal["forbidden", "allowed"] = _dimension(15, "forbidden")
    """Moving on the partner's board."""
    partner_clock: Literal["ask", "forbidden", "allowed"] = _dimension(15, "ask")
    """Pressing the partner's clock."""
    advice: Literal["allowed", "silent"] = _dimension(16, "allowed")
    """Talking to the partner."""
    clocks: Literal["outer_sides", "anywhere"] = _dimension(17, "outer_sides")
    """Where the two clocks stand."""
    start: Literal["together", "free"] = _dimension(17, "together")
    """Both boards start at the same time."""
    time_control: str = _dimension(17, "")
    """Seconds and increment as in PGN, `180+0`, or Bronstein's delay, `180d2`; empty: set for each match."""
    two_flags: Literal["first", "draw", "ask"] = _dimension(18, "ask")
    """Flags of both teams down: who fell first, a draw, or a question. Not knowing the order is a draw everywhere."""
    both_ends: Literal["order", "draw"] = _dimension(19, "order")
    """Both boards end within `end_tolerance`: the order decides, as far as it can be told, or it is a draw."""
    first_end: Literal["match"] = _dimension(20, "match")
    """The first board that is decided decides the match."""
    one_board_draw: Literal["continue", "repetition", "match"] = _dimension(21, "continue")
    """One drawn board: the other plays on; a threefold repetition draws the match; any draw draws the match."""
    stalemate: Literal["wait", "match"] = _dimension(22, "wait")
    """A stalemated player waits for a man, or the match is drawn."""
    repetition: Literal["report_both", "without_reserves", "with_reserves", "drops_reset"] = _dimension(
        23, "report_both"
    )
    """Whether the reserves belong to the position that occurs three times. `drops_reset`: none counts beyond a drop."""
    fifty: Literal["literal", "fide", "none"] = _dimension(24, "literal")
    """The 50-move rule: without check and pawn advance, as the Italian texts have it, or as FIDE's."""
    fifty_pawn_drop: Literal["ask", "resets", "counts"] = _dimension(24, "ask")
    """Whether a pawn's drop is a pawn advance for the literal rule."""
    insufficient: Literal["never", "fide"] = _dimension(25, "never")
    """Draw by insufficient material: men can always arrive."""
    agreement: Literal["both_teams", "all_players", "not_provided"] = _dimension(26, "both_teams")
    """Who has to agree on a draw: their captains, or all four. `not_provided`: the text's list of draws lacks it."""
    resignation: Literal["match"] = _dimension(27, "match")
    """What a player resigns."""
    seats: Literal["opposite_colours"] = _dimension(28, "opposite_colours")
    """How partners sit."""
    colours: Literal["free", "fixed"] = _dimension(28, "free")
    """Whether a team may change its colours in the course of a tournament."""
    swapped_king_queen: Literal["warn", "castling_exchanged"] = _dimension(29, "warn")
    """King and queen set up on each other's square, noticed after the first move."""
    pass_tolerance: float = _dimension(11, 10.0)
    """Seconds within which a captured man has to arrive, and a reserve to agree with the record; set by the arbiter."""
    end_tolerance: float = _dimension(19, 0.5)
    """Seconds within which two ends, two flags or two starts cannot be told apart; set by the arbiter."""
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    @property
    def promotion_lies(self) -> bool:
        """Whether a promoted man is the pawn still, marked or remembered, and not another man put in its place."""
        return self.promoted_reverts and self.promotion != "substitution"

    def authority(self, rule: str) -> str:
        """The sentence that rules on a field, `default` where the text leaves it open; FIDE's for `laws`."""
        return "FIDE" if rule == "laws" else self.sources.get(rule, DEFAULT)


@cache
def rules() -> dict[str, int]:
    """The fields that can be chosen, with the number of their dimension, in order of dimensions."""
    numbered = {f.name: f.metadata["dimension"] for f in fields(Profile) if "dimension" in f.metadata}
    return dict(sorted(numbered.items(), key=lambda pair: pair[1]))


class ProfileError(ValueError):
    """A profile or a value that does not exist. `choices`: what there is instead, as far as it can be listed."""

    def __init__(self, rule: str, value: str, choices: tuple[str, ...]) -> None:
        super().__init__(f"{rule} {value!r} does not exist; choose from {', '.join(choices)}")
        self.rule, self.value, self.choices = rule, value, choices


@cache
def _hints() -> dict[str, Any]:
    return get_type_hints(Profile)


def value_of(rule: str, value: object) -> Any:
    """A field's value from outside, as text or already typed. Raises ProfileError."""
    if rule not in rules():
        raise ProfileError("rule", rule, tuple(rules()))
    given = value
    if rule == "pawn_ranks" and isinstance(value, str):
        given = tuple(value.split("-"))
    try:
        found = TypeAdapter(_hints()[rule]).validate_python(given)
        if rule == "pawn_ranks" and not 2 <= found[0] <= found[1] <= 7:
            raise ProfileError(rule, written(found), ("2-7", "2-6", "2-4"))
        if rule == "time_control" and found and not TIME_CONTROL.fullmatch(found):
            raise ProfileError(rule, found, values(rule))
        if isinstance(found, float) and not 0 <= found < 3600:
            raise ProfileError(rule, written(found), ("10.0",))
    except ValidationError as error:
        raise ProfileError(rule, written(value), values(rule)) from error
    return found


def values(rule: str) -> tuple[str, ...]:
    """What a field can be set to, as written; an example where there is no list."""
    hint = _hints()[rule]
    if hint is bool:
        return "yes", "no"
    listed = getattr(hint, "__args__", ()) if hint not in (str, float) and rule != "pawn_ranks" else ()
    return tuple(map(str, listed)) or {"pawn_ranks": ("2-7",), "time_control": ("180+2",)}.get(rule, ("10.0",))


def written(value: object) -> str:
    """A field's value as it stands in headers and tables: `yes`, `2-7`, `lying_pawn`, `10.0`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def changes(profile: Profile, base: Profile) -> str:
    """How a profile differs from another, as one line: `drop_castle=no, pawn_ranks=2-6`."""
    pairs = [(rule, getattr(profile, rule)) for rule in rules() if getattr(profile, rule) != getattr(base, rule)]
    return ", ".join(f"{rule}={written(value)}" for rule, value in pairs)


def read_changes(line: str) -> dict[str, Any]:
    """What `changes` wrote, as values by field. Raises ProfileError."""
    pairs = [part.partition("=") for part in line.split(",") if part.strip()]
    return {rule.strip(): value_of(rule.strip(), value.strip()) for rule, _, value in pairs}
