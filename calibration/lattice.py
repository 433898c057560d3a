"""A regular grid through crossings, seen in perspective."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

SEEDS = 60
ENOUGH = 30  # crossings after which no other seed is tried
NEAR = 0.22  # of a square: how far a crossing may lie from where the grid says


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """`homography`: (3, 3) from grid units to pixels. `nodes`: (n, 2) whole numbers, with their `points` in pixels."""

    homography: NDArray[np.float64]
    nodes: NDArray[np.int64]
    points: Points

    def at(self, nodes: Points) -> Points:
        """Pixels of (n, 2) grid positions."""
        return project(self.homography, nodes)


def project(homography: NDArray[np.float64], points: Points) -> Points:
    """(n, 2) points through a homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, homography), np.float64).reshape(-1, 2)


def find_lattices(points: Points) -> list[Lattice]:
    """Grids grown from several seeds, the one with most crossings first."""
    found: list[Lattice] = []
    used: set[int] = set()
    for seed in range(min(SEEDS, len(points))):
        if seed in used:
            continue
        for corner in _corners(points, seed):
            lattice = _grow(points, seed, corner)
            if lattice is None:
                continue
            found.append(lattice)
            if len(lattice.nodes) >= ENOUGH:
                # What lies on a good grid need not seed another.
                gaps = np.hypot(*(points[:, None] - lattice.points[None]).T).min(0)
                used |= set(np.flatnonzero(gaps < 1.0).tolist())
                break
        if len(found) > 40 or sum(len(f.nodes) >= ENOUGH for f in found) >= 3:
            break
    return sorted(found, key=lambda lattice: -len(lattice.nodes))[:4]


def _corners(points: Points, seed: int) -> list[tuple[Points, Points]]:
    """Pairs of steps from a seed to near crossings, about as long as each other and well apart in direction."""
    away = points - points[seed]
    length = np.hypot(*away.T)
    near = [int(i) for i in np.argsort(length)[1:9] if length[i] > 7]
    pairs = []
    for n, i in enumerate(near):
        for j in near[n + 1 :]:
            ratio = length[i] / length[j]
            cosine = away[i] @ away[j] / (length[i] * length[j])
            if 0.5 < ratio < 2.0 and abs(cosine) < 0.6:
                pairs.append((length[i] + length[j], i, j))
    return [(away[i], away[j]) for _, i, j in sorted(pairs)[:4]]


def _grow(points: Points, seed: int, corner: tuple[Points, Points]) -> Lattice | None:
    """Take in crossings where the grid so far says that one should lie."""
    one, two = corner
    origin = points[seed]
    homography = np.array([[one[0], two[0], origin[0]], [one[1], two[1], origin[1]], [0, 0, 1]])
    nodes: dict[tuple[int, int], int] = {(0, 0): seed}
    reach = 1
    for _ in range(14):
        wanted = _around(nodes, reach)
        places = project(homography, np.array(wanted, np.float64))
        half = np.full(2, 0.5)
        across = project(homography, np.array(wanted) + half) - project(homography, np.array(wanted) - half)
        steps = np.hypot(*across.T) / np.sqrt(2)
        gaps = np.hypot(points[None, :, 0] - places[:, None, 0], points[None, :, 1] - places[:, None, 1])
        nearest = gaps.argmin(1)
        fits = gaps[np.arange(len(places)), nearest] < NEAR * steps
        taken = set(nodes.values())
        new = {w: int(i) for w, i, ok in zip(wanted, nearest, fits, strict=True) if ok and int(i) not in taken}
        before = len(nodes)
        nodes |= new
        if len(nodes) < 4:
            return None
        fitted = _fit(points, nodes)
        if fitted is None:
            return None
        homography, nodes = fitted
        if len(nodes) <= before:
            if reach == 2:
                break
            reach = 2
    if len(nodes) < 9:
        return None
    keys = np.array(list(nodes), np.int64)
    return Lattice(homography, keys, points[list(nodes.values())])


def _around(nodes: dict[tuple[int, int], int], reach: int) -> list[tuple[int, int]]:
    steps = [(a, b) for a in range(-reach, reach + 1) for b in range(-reach, reach + 1) if a or b]
    return sorted({(i + a, j + b) for i, j in nodes for a, b in steps} - set(nodes))


def _fit(
    points: Points, nodes: dict[tuple[int, int], int]
) -> tuple[NDArray[np.float64], dict[tuple[int, int], int]] | None:
    """The homography through the nodes, and those that lie on it."""
    keys = np.array(list(nodes), np.float64)
    values = points[list(nodes.values())]
    if len(keys) < 6 or np.linalg.matrix_rank(keys - keys.mean(0)) < 2:
        affine, _ = cv2.estimateAffine2D(keys, values, method=cv2.RANSAC, ransacReprojThreshold=3.0)
        return None if affine is None else (np.vstack([affine, [0, 0, 1]]), nodes)
    step = float(np.median(np.hypot(*np.diff(values, axis=0).T))) if len(values) > 1 else 10.0
    homography, mask = cv2.findHomography(keys, values, cv2.RANSAC, max(1.5, 0.03 * step))
    if homography is None:
        return None
    kept = {key: index for (key, index), ok in zip(nodes.items(), mask.reshape(-1), strict=True) if ok}
    return (np.asarray(homography, np.float64), kept) if len(kept) >= 4 else None
