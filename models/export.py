"""Makes the ONNX file: `python -m models.export --checkpoint FILE [--temperature T]` writes `reader.onnx` and
`reader.json` into this folder. The file takes (h, w, 3) BGR uint8 and answers (rows, columns, 14) log-probabilities
and (rows, columns, 2) offsets."""

import argparse
import hashlib
import json
from pathlib import Path

import torch
from torch import Tensor, nn

from models.net import CLASSES, Net
from rules.observation import LABELS
from vision.canvas import PIXELS, STRIDE

HERE = Path(__file__).parent


class Reading(nn.Module):
    """The network with its picture conversion in front and its temperature behind."""

    def __init__(self, net: Net, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, canvas: Tensor) -> tuple[Tensor, Tensor]:
        answer = self.net(canvas.permute(2, 0, 1)[None].float() / 255)[0].permute(1, 2, 0)
        return torch.log_softmax(answer[..., :CLASSES] / self.temperature, -1), answer[..., CLASSES:]


def main() -> None:
    """Write model and manifest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    net = Net()
    state = torch.load(options.checkpoint)
    net.load_state_dict(state["average"])
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "reader.onnx"
    torch.onnx.export(
        Reading(net.eval(), options.temperature).eval(),
        (torch.zeros(352, 384, 3, dtype=torch.uint8),),
        str(file),
        input_names=["canvas"],
        output_names=["labels", "offsets"],
        dynamic_axes={"canvas": {0: "h", 1: "w"}, "labels": {0: "r", 1: "c"}, "offsets": {0: "r", 1: "c"}},
        opset_version=17,
        dynamo=False,
    )
    manifest = {
        "format": 1,
        "file": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "labels": LABELS + "#",
        "pixels": PIXELS,
        "stride": STRIDE,
        "input": "canvas: (height, width, 3) uint8 BGR, multiples of the stride",
        "steps": state["step"],
        "temperature": options.temperature,
    }
    (options.out / "reader.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main()
