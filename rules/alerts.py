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
    "not_passed": Alert("warning", 0.0),
    "camera_moved": Alert("notice", 0.0),
    "view_lost": Alert("warning", 1.5),
    "camera_dark": Alert("warning", 1.5),
    "camera_frozen": Alert("warning", 0.0),
}
