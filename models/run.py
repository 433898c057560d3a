"""The state of a training run, kept in a folder so that it can go on."""

from copy import deepcopy
from pathlib import Path

import torch
from torch import Tensor, nn

WARM = 200  # steps
KEEP = 0.998  # of the running average of weights, a step


class Run:
    """A network, its running average, optimiser and step."""

    def __init__(self, folder: Path, steps: int, net: nn.Module, peak: float) -> None:
        self.folder, self.steps, self.peak, self.step = folder, steps, peak, 0
        self.net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average = deepcopy(self.net)
        self.learning = [weight for weight in self.net.parameters() if weight.requires_grad]
        groups = [{"params": [weight]} for weight in self.learning]
        self.optimiser = torch.optim.AdamW(groups, lr=peak, weight_decay=0.02)
        # Without normalisations weights are of very different sizes: each moves by a share of its own.
        alike = any(isinstance(layer, nn.BatchNorm2d) for layer in net.modules())
        self.shares = [1.0 if alike else float(weight.detach().square().mean().sqrt()) for weight in self.learning]
        if (folder / "checkpoint.pt").exists():
            state = torch.load(folder / "checkpoint.pt")
            self.net.load_state_dict(state["net"])
            self.average.load_state_dict(state["average"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step = state["step"]

    def learn(self, loss: Tensor) -> None:
        """One step; every 200th is kept."""
        for group, share in zip(self.optimiser.param_groups, self.shares, strict=True):
            group["lr"] = share * self._rate()
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.learning, 5.0)
        self.optimiser.step()
        self._follow()
        self.step += 1
        if self.step % 200 == 0 or self.step == self.steps:
            self._save()

    def log(self, line: str) -> None:
        """A line more in the run's log."""
        with (self.folder / "log.txt").open("a") as log:
            log.write(f"step {self.step} {line}\n")

    def _rate(self) -> float:
        if self.step < WARM:
            return self.peak * (self.step + 1) / WARM
        part = (self.step - WARM) / max(self.steps - WARM, 1)
        return self.peak * (0.01 + 0.99 * (1 + float(torch.cos(torch.tensor(part * torch.pi)))) / 2)

    def _follow(self) -> None:
        keep = min(KEEP, self.step / (self.step + 20))
        theirs = self.net.state_dict()
        for name, value in self.average.state_dict().items():
            if value.is_floating_point():
                value.lerp_(theirs[name].float(), 1 - keep)
            else:
                value.copy_(theirs[name])

    def _save(self) -> None:
        state = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
        }
        torch.save(state, self.folder / "checkpoint.part")
        (self.folder / "checkpoint.part").rename(self.folder / "checkpoint.pt")
