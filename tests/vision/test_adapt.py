import numpy as np
import pytest
from numpy.typing import NDArray

from rules.observation import LABELS
from vision.adapt import Adaptation
from vision.reader import Answer, Reader

CLASSES = len(LABELS) + 1
FEATURES = 128
RNG = np.random.default_rng(5)
LOOKS = RNG.normal(0, 1, (CLASSES, FEATURES)).clip(0)  # how each label of this set looks
HEAD = LOOKS[[3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]] * 0.2  # takes white rooks for pawns


class ReaderOfThisSet(Reader):
    def __init__(self) -> None:
        self.manifest = {"temperature": 1.0, "adapted_temperature": 1.0, "strength": 20.0, "reluctance": 5.0}

    def answer(self, labels: NDArray[np.int64], seed: int) -> Answer:
        rng = np.random.default_rng(seed)
        features = (LOOKS[labels] + rng.normal(0, 0.2, (len(labels), FEATURES)))[None].astype(np.float32)
        logits = (features @ HEAD.T).astype(np.float32)
        nowhere = np.zeros((1, len(labels), 2), np.float32)
        return Answer(self.log_probabilities(logits, "temperature"), nowhere, logits, features, nowhere[..., 0])


def places(count: int) -> NDArray[np.int64]:
    return np.column_stack([np.arange(count), np.zeros(count, np.int64)])


def test_a_set_that_is_taken_for_another_is_read_right_after_a_lesson() -> None:
    reader = ReaderOfThisSet()
    adaptation = Adaptation(reader)
    asked = np.arange(13)
    before = reader.answer(asked, 1)
    assert before.labels[0, 3].argmax() == 0
    assert adaptation(before) is before, "nothing was learnt yet"
    known = np.r_[np.repeat(np.arange(12), 2), np.full(32, 12)]
    adaptation.learn(reader.answer(known, 2), places(len(known)), known)
    after = adaptation(reader.answer(asked, 3)).labels[0]
    np.testing.assert_array_equal(after.argmax(1), asked)
    np.testing.assert_allclose(np.exp(after).sum(1), 1, rtol=1e-4)


def test_it_is_what_the_network_was_trained_with() -> None:
    torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
    from models.net import Net

    net = Net()
    with torch.no_grad():
        net.answer.weight[:CLASSES, :, 0, 0] = torch.from_numpy(HEAD)
        assert net.answer.bias is not None
        net.answer.bias.zero_()
    reader = ReaderOfThisSet()
    reader.manifest |= {"strength": net.strength.exp().item(), "reluctance": net.reluctance.exp().item()}
    known = RNG.integers(0, 13, 40)
    lesson, query = reader.answer(known, 4), reader.answer(np.arange(13), 5)
    adaptation = Adaptation(reader)
    adaptation.learn(lesson, places(40), known)
    with torch.no_grad():
        logits = net.adapted(*(torch.from_numpy(a) for a in (lesson.features[0], known, query.features[0])))
    wanted = torch.log_softmax(logits, 1).numpy()
    np.testing.assert_allclose(adaptation(query).labels[0], wanted, atol=2e-3)
