"""What cameras do to the record: a view that moved, was lost, went dark or stopped is told once."""

from dataclasses import dataclass

from rules.alerts import ALERTS
from rules.events import Event
from rules.observation import CameraState, Observation

KINDS: dict[CameraState, str] = {
    "lost": "view_lost",
    "dark": "camera_dark",
    "frozen": "camera_frozen",
    "gone": "camera_gone",
}
TOLD = 0.25  # squares from which a shift is worth a line


@dataclass(slots=True)
class Camera:
    """One camera's state as it was told."""

    state: CameraState = "steady"
    since: float = 0.0
    told: bool = False
    shift: float = 0.0  # as last told

    def look(self, observation: Observation) -> list[Event]:
        """The alerts that this look raises."""
        board, time = observation.board, observation.time
        if observation.camera != self.state:
            if self.state == "steady":
                self.since, self.told = time, False
            self.state = observation.camera
        if self.state == "steady" and abs(observation.shift - self.shift) >= TOLD:
            self.shift = observation.shift
            return [Event("alert", board, self.since, time, None, reason="camera_moved")]
        kind = KINDS.get(self.state)
        if kind and not self.told and time - self.since >= ALERTS[kind].delay:
            self.told = True
            return [Event("alert", board, self.since, time, None, reason=kind)]
        return []
