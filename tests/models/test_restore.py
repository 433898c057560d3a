"""What is kept can be trained on."""

from pathlib import Path

import numpy as np
import pytest

from vision.reader import MANIFEST, Reader
from vision.upright import SIZE

torch = pytest.importorskip("torch", reason="the extra `train` is not installed")


def test_the_network_of_the_kept_file_answers_as_the_file_and_learns() -> None:
    from models.restore import restored

    net = restored(MANIFEST.parent / "reader.onnx")
    canvas = np.random.default_rng(0).integers(0, 256, (288, 336, 3), np.uint8)
    net.eval()
    with torch.no_grad():
        answer, features = net(net.front(torch.from_numpy(canvas).permute(2, 0, 1)[None]))
    kept = Reader().read(canvas)
    assert np.allclose(answer[0, :14].permute(1, 2, 0), kept.logits, atol=1e-3)
    assert np.allclose(features[0].permute(1, 2, 0), kept.features, atol=1e-3)
    learning = {name for name, part in net.named_parameters() if part.requires_grad}
    assert {"answer.weight", "head.0.bias", "wide.8.inside.6.weight"} <= learning
    assert not [name for name in learning if name.startswith(("front", "coarse"))]


def test_the_second_network_likewise() -> None:
    from models.men import FirstLook
    from models.restore import restored_base, restored_lies, restored_men

    net, reader = restored_men(MANIFEST.parent / "men.onnx"), Reader()
    base = restored_base(MANIFEST.parent / "men.onnx").eval()
    lies = restored_lies(MANIFEST.parent / "men.onnx").eval()
    men = np.random.default_rng(0).integers(0, 256, (3, *SIZE[::-1], 3), np.uint8)
    net.eval()
    with torch.no_grad():
        seen = FirstLook()(torch.from_numpy(men))
        logits, features = net(seen)
        bases, lying = base(seen), lies(seen)
    kept_logits, kept_features, kept_bases, kept_lying = reader.look_closer(men)
    assert np.allclose(logits, kept_logits, atol=1e-2)  # the first layers are kept in 16 bits
    assert np.allclose(features, kept_features, atol=1e-2)
    assert np.allclose(bases, kept_bases, atol=1e-2)
    assert np.allclose(lying, kept_lying, atol=1e-2)
    assert net.strength.exp().item() == pytest.approx(reader.closer["strength"])
    learning = {name for name, part in net.named_parameters() if part.requires_grad}
    assert {"answer.weight", "head.1.bias", "body.0.bias", "body.12.inside.0.weight"} <= learning


def test_another_network_is_refused(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="the extra `train` is not installed")
    from models.restore import restored

    model = onnx.load(MANIFEST.parent / "reader.onnx")
    for weight in model.graph.initializer:
        if weight.name.startswith("net.answer.weight"):
            weight.CopyFrom(onnx.numpy_helper.from_array(np.zeros((3, 128, 1, 1), np.float16), weight.name))
    onnx.save(model, tmp_path / "other.onnx")
    with pytest.raises(ValueError, match=r"other\.onnx: net\.answer\.weight is"):
        restored(tmp_path / "other.onnx")
