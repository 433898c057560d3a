"""Every alert there is, in one table. Their texts stand in the program's catalogues, one a language."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Alert:
    """`delay`: seconds that its cause must last before it is raised, beyond what the rule profile tolerates. `right`,
    `wrong`: how often it was raised with and without cause in 37 scripted matches with a middling reader
    (`tests/rules/injected.py`)."""

    severity: Literal["notice", "warning"]
    delay: float
    right: int = 0
    wrong: int = 0

    @property
    def confidence(self) -> float | None:
        """The probability that it has a cause, by Laplace's rule; None for what was not measured."""
        told = self.right + self.wrong
        return round((self.right + 1) / (told + 2), 2) if told else None


ALERTS: dict[str, Alert] = {
    "unsure": Alert("warning", 3.0),
    "unwatched": Alert("notice", 0.0),
    "illegal_move": Alert("warning", 0.0, 12, 9),
    "illegal_castling": Alert("warning", 0.0, 4, 0),
    "illegal_drop": Alert("warning", 0.0, 0, 1),
    "late_en_passant": Alert("warning", 0.0, 6, 0),
    "promoted_twice": Alert("warning", 0.0),
    "king_in_check": Alert("warning", 0.0, 11, 1),
    "two_moves": Alert("warning", 0.0, 30, 2),
    "out_of_turn": Alert("warning", 0.0, 30, 2),
    "drop_not_held": Alert("warning", 0.0, 9, 1),
    "drop_occupied": Alert("warning", 0.0, 16, 0),
    "drop_wrong_rank": Alert("warning", 0.0, 12, 0),
    "take_back": Alert("notice", 0.0, 19, 5),
    "not_turned": Alert("warning", 0.0),
    "wrongly_turned": Alert("warning", 0.0),
    "turned_too_many": Alert("warning", 0.0),
    "not_passed": Alert("warning", 0.0, 30, 4),
    "wrong_zone": Alert("warning", 0.0, 9, 0),
    "hidden_reserve": Alert("warning", 0.0, 13, 3),
    "extra_man": Alert("warning", 0.0, 12, 2),
    "partner_hand": Alert("warning", 0.0, 16, 0),
    "partner_press": Alert("warning", 0.0, 15, 0),
    "other_hand": Alert("notice", 0.0, 15, 0),
    "fallen": Alert("notice", 0.7, 15, 0),
    "lying_pawn": Alert("notice", 0.7, 14, 0),
    "promotion_unmarked": Alert("notice", 1.0),
    "substitution": Alert("notice", 1.0),
    "nudge": Alert("notice", 0.7, 15, 0),
    "camera_moved": Alert("notice", 0.0),
    "view_lost": Alert("warning", 1.5),
    "camera_dark": Alert("warning", 1.5),
    "camera_frozen": Alert("warning", 0.0),
    "camera_gone": Alert("warning", 0.0),
    "flags_order": Alert("warning", 0.0),
}
