"""The gradients made by hand are those of the network."""

import numpy as np
import pytest

from vision.reader import MANIFEST, Reader

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")


def test_the_step_that_is_kept_has_the_gradients_of_the_kept_network() -> None:
    from models.restore import restored
    from models.teach import learning

    net = restored(MANIFEST.parent / "reader.onnx").eval()
    drawn = torch.Generator().manual_seed(0)
    shape = (2, 6, 7)
    fine = torch.randn(shape[0], 40, 3 * shape[1], 3 * shape[2], generator=drawn)
    with torch.no_grad():
        coarse, detail = net.halfway(fine)
    target, other, on = (torch.rand(shape[0], n, *shape[1:], generator=drawn) for n in (14, 3, 1))
    weights = [part for layer in learning(net) for part in layer.parameters()]
    for weight in weights:
        weight.requires_grad_(True)
    answer, _ = net.finish(coarse, detail)
    loss = -(target * answer[:, :14].log_softmax(1)).sum() + (on * (answer[:, 14:] - other) ** 2).sum() / 2
    wanted = torch.autograd.grad(loss, weights)
    reader = Reader()
    kept = reader.weights()
    assert all(np.array_equal(mine, theirs.detach()) for mine, theirs in zip(kept, weights, strict=True))
    lessons = {"coarse": coarse, "detail": detail, "target": target, "other": other, "on": on}
    found = reader.teach(kept, {name: part.numpy() for name, part in lessons.items()})
    for mine, theirs in zip(found, wanted, strict=True):
        assert np.abs(mine - theirs.numpy()).max() < 0.02 * float(theirs.abs().max())
