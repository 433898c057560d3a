"""Men beside the board whom the match has made known: who looks just so is of their kind and colour.

They come from the partner's board, whose set the start position here does not show. One look among those of the start
hardly moves a regression; who stands as he stood, or one like him later, differs little from it.
"""

import numpy as np

from vision.reader import Floats

STRENGTH = 10.0  # nats for a label, of what a network read wrong of a man who looks just so
WIDTH = 0.05  # e^-1/2 times as much at this mean square of how far features are apart, for spread 1
AGAIN = 0.01  # the same up to which it is the same look, and what was known of it is known better now
MOST = 64  # men who are kept, the last


class Acquaintance:
    """Of one camera's reserves."""

    def __init__(self) -> None:
        self.features: Floats = np.zeros((0, 1), np.float32)  # of each who is known, (n, k),
        self.wrong: Floats = np.zeros((0, 1), np.float32)  # and by how much the network misread him, (n, c)

    def meet(self, features: Floats, logits: Floats, label: int) -> None:
        """Take in that who has (k,) features, of which the network makes (c,) logits, is of this label."""
        guess = np.exp(logits - logits.max())
        wrong = np.eye(len(logits), dtype=np.float32)[label] - guess / guess.sum()
        if not len(self.features):
            self.features, self.wrong = features[None], wrong[None]
            return
        others = self._off(features[None])[0] > AGAIN
        self.features = np.vstack([self.features[others], features])[-MOST:]
        self.wrong = np.vstack([self.wrong[others], wrong])[-MOST:]

    def __call__(self, features: Floats, logits: Floats) -> Floats:
        """(n, c) logits after that, of (n, k) features."""
        if not len(self.features):
            return logits
        alike = np.exp(-self._off(features) / (2 * WIDTH))
        return np.asarray(logits + STRENGTH * alike @ self.wrong / np.maximum(alike.sum(1), 1)[:, None], np.float32)

    def _off(self, features: Floats) -> Floats:
        """(n, m) mean squares of how far (n, k) features are from those of the known."""
        squares = np.square(features).sum(1)[:, None] + np.square(self.features).sum(1)
        off = np.maximum(squares - 2 * features @ self.features.T, 0) / features.shape[1]
        return np.asarray(off / (self.features.var() + 1e-9), np.float32)
