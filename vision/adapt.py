"""What the start position teaches about the set at hand."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.reader import Answer, Reader
from vision.ridge import Ridge


class Adaptation:
    """The reader's last layer for one set under one camera."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.ridge = Ridge(reader.manifest["strength"], reader.manifest["reluctance"])

    @property
    def lessons(self) -> int:
        """How many it has had."""
        return self.ridge.lessons

    def learn(self, answer: Answer, places: NDArray[np.int64], labels: NDArray[np.int64]) -> None:
        """Take in that (n, 2) places (columns and rows) hold (n,) labels."""
        rows, columns = places[:, 1], places[:, 0]
        self.ridge.learn(answer.features[rows, columns], answer.logits[rows, columns], labels)

    def __call__(self, answer: Answer) -> Answer:
        """The answer as it is after what was learnt."""
        if not self.lessons:
            return answer
        logits = self.ridge(answer.features, answer.logits)
        return replace(answer, labels=self.reader.log_probabilities(logits, "adapted_temperature"))
