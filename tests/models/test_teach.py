"""The gradients made by hand are those of the network."""

import numpy as np
import pytest

from vision.reader import MANIFEST, Reader

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")


def test_the_step_that_is_kept_has_the_gradients_of_the_kept_network() -> None:
    from models.men import SEEN
    from models.restore import restored_men
    from models.teach import learning

    net = restored_men(MANIFEST.with_name("men.onnx")).eval()
    drawn = torch.Generator().manual_seed(0)
    seen, target = torch.randn(5, *SEEN, generator=drawn), torch.rand(5, 13, generator=drawn)
    weights = [part for layer in learning(net) for part in layer.parameters()]
    wanted = torch.autograd.grad(-(target * net(seen)[0].log_softmax(1)).sum(), weights)
    reader = Reader()
    kept = reader.weights()
    assert all(np.array_equal(mine, theirs.detach()) for mine, theirs in zip(kept, weights, strict=True))
    found = reader.gradients(kept, seen.numpy(), target.numpy())
    for mine, theirs in zip(found, wanted, strict=True):
        assert np.abs(mine - theirs.numpy()).max() < 0.01 * theirs.abs().max().item()
