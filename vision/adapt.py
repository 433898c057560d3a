"""What the start position teaches about the set at hand."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.reader import Answer, Reader


class Adaptation:
    """A last layer for one set under one camera: moved, by a ridge regression, onto what the network's own got wrong.

    The same as `models.net.Net.adapted`, where its strength and reluctance were learnt in episodes.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.lessons = 0
        self.known: list[tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]] = []
        self.weights = np.zeros((0, 0), np.float32)
        self.bias = np.zeros(0, np.float32)

    def learn(self, answer: Answer, places: NDArray[np.int64], labels: NDArray[np.int64]) -> None:
        """Take in that (n, 2) places (columns and rows) hold (n,) labels."""
        rows, columns = places[:, 1], places[:, 0]
        self.known.append((answer.features[rows, columns], answer.logits[rows, columns], labels))
        self.lessons += 1
        features, logits, labels = (np.concatenate(parts) for parts in zip(*self.known, strict=True))
        guess = np.exp(logits - logits.max(1, keepdims=True))
        wrong = np.eye(guess.shape[1])[labels] - guess / guess.sum(1, keepdims=True)
        often = np.bincount(labels)[labels]
        manifest = self.reader.manifest
        ridge = np.diag(manifest["reluctance"] * np.sqrt(often))
        teach = np.linalg.solve(features @ features.T + 1 + ridge, wrong) * manifest["strength"]
        self.weights = (features.T @ teach).astype(np.float32)
        self.bias = teach.sum(0).astype(np.float32)

    def __call__(self, answer: Answer) -> Answer:
        """The answer as it is after what was learnt."""
        if not self.lessons:
            return answer
        logits = answer.logits + answer.features @ self.weights + self.bias
        return replace(answer, labels=self.reader.log_probabilities(logits, "adapted_temperature"))
