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
}
