"""Every alert there is, in one table. Their texts stand in the program's catalogues, one a language."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Alert:
    """`delay`: seconds that its cause must last before it is raised, beyond what the rule profile tolerates."""

    severity: Literal["notice", "warning"]
    delay: float


ALERTS: dict[str, Alert] = {
    "unsure": Alert("warning", 3.0),
    "illegal_move": Alert("warning", 0.0),
    "illegal_castling": Alert("warning", 0.0),
    "illegal_drop": Alert("warning", 0.0),
    "late_en_passant": Alert("warning", 0.0),
    "promoted_twice": Alert("warning", 0.0),
    "king_in_check": Alert("warning", 0.0),
    "two_moves": Alert("warning", 0.0),
    "out_of_turn": Alert("warning", 0.0),
    "drop_not_held": Alert("warning", 0.0),
    "drop_occupied": Alert("warning", 0.0),
    "drop_wrong_rank": Alert("warning", 0.0),
    "take_back": Alert("notice", 0.0),
    "not_passed": Alert("warning", 0.0),
    "wrong_zone": Alert("warning", 0.0),
    "hidden_reserve": Alert("warning", 0.0),
    "extra_man": Alert("warning", 0.0),
    "fallen": Alert("notice", 0.7),
    "lying_pawn": Alert("notice", 0.7),
    "promotion_unmarked": Alert("notice", 1.0),
    "substitution": Alert("notice", 1.0),
    "nudge": Alert("notice", 0.5),
    "camera_moved": Alert("notice", 0.0),
    "view_lost": Alert("warning", 1.5),
    "camera_dark": Alert("warning", 1.5),
    "camera_frozen": Alert("warning", 0.0),
    "camera_gone": Alert("warning", 0.0),
    "flags_order": Alert("warning", 0.0),
}
