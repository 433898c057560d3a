"""A regular grid through crossings, seen in perspective."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.saddles import Saddles

Points = NDArray[np.float64]

SEEDS = 40
ENOUGH = 30  # crossings after which no other seed is tried
AXES = 0.5  # cosine of twice the angle by which a crossing may be turned against the grid
PROMISING = (4, 6, 9)  # crossings a grid must have after its first rounds of growing
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

    def filled(self, across: int) -> float:
        """0 to 1: the share of across x across nodes that it has, if it reaches as far as these and no further."""
        return len(self.nodes) / across**2 if (np.ptp(self.nodes, axis=0) == across - 1).all() else 0.0


def project(homography: NDArray[np.float64], points: Points) -> Points:
    """(n, 2) points through a homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, homography), np.float64).reshape(-1, 2)


def find_lattices(saddles: Saddles) -> list[Lattice]:
    """Grids grown from several seeds, the one with most crossings first."""
    points = saddles.points
    found: list[Lattice] = []
    used: set[int] = set()
    for seed in range(min(SEEDS, len(points))):
        if seed in used:
            continue
        for corner in _corners(saddles, seed):
            lattice = _grow(saddles, seed, corner)
            if lattice is None:
                continue
            found.append(lattice)
            if len(lattice.nodes) >= ENOUGH:
                # What lies on a good grid need not seed another.
                gaps = np.hypot(*(points[:, None] - lattice.points[None]).T).min(0)
                used |= set(np.flatnonzero(gaps < 1.0).tolist())
                break
        if len(found) > 60 or sum(len(f.nodes) >= ENOUGH for f in found) >= 3:
            break
    return sorted(found, key=lambda lattice: -len(lattice.nodes))[:4]


def _corners(saddles: Saddles, seed: int) -> list[tuple[Points, Points]]:
    """Pairs of steps from a seed to near crossings, about as long as each other and well apart in direction."""
    away = saddles.points - saddles.points[seed]
    length = np.hypot(*away.T)
    alike = np.cos(saddles.axes - saddles.axes[seed])
    # The next crossing of a chequer is the other way round; the next one of lines is not the seed itself.
    other = (alike > AXES) & (length > 7) if saddles.ruled else alike < -AXES
    near = [int(i) for i in np.argsort(np.where(other & (length > 7), length, np.inf))[:8] if other[i]]
    pairs = []
    for n, i in enumerate(near):
        for j in near[n + 1 :]:
            ratio = length[i] / length[j]
            cosine = away[i] @ away[j] / (length[i] * length[j])
            if 0.5 < ratio < 2.0 and abs(cosine) < 0.6:
                pairs.append((length[i] + length[j], i, j))
    return [(away[i], away[j]) for _, i, j in sorted(pairs)[:4]]


def _grow(saddles: Saddles, seed: int, corner: tuple[Points, Points]) -> Lattice | None:
    """Take in crossings where the grid so far says that one should lie, and the way round it should be."""
    one, two = corner
    points, origin = saddles.points, saddles.points[seed]
    homography = np.array([[one[0], two[0], origin[0]], [one[1], two[1], origin[1]], [0, 0, 1]])
    folds = 2 if saddles.ruled else 1
    sign = np.cos(saddles.axes[seed] - folds * _axes(homography, np.zeros((1, 2)))[0])
    if (sign if saddles.ruled else abs(sign)) < AXES:
        return None
    nodes: dict[tuple[int, int], int] = {(0, 0): seed}
    reach = 1
    for turn in range(14):
        wanted = np.array(_around(nodes, reach))
        places = project(homography, wanted)
        across = project(homography, wanted + 0.5) - project(homography, wanted - 0.5)
        steps = np.hypot(*across.T) / np.sqrt(2)
        gaps = np.hypot(points[None, :, 0] - places[:, None, 0], points[None, :, 1] - places[:, None, 1])
        signs = np.where((wanted.sum(1) % 2 == 0) | saddles.ruled, sign, -sign)
        axes = folds * _axes(homography, wanted)
        turned = np.cos(saddles.axes[None] - axes[:, None]) * np.sign(signs)[:, None] < AXES
        gaps[turned] = np.inf
        nearest = gaps.argmin(1)
        fits = gaps[np.arange(len(places)), nearest] < NEAR * steps
        taken = set(nodes.values())
        new = {
            (int(i), int(j)): int(n)
            for (i, j), n, ok in zip(wanted, nearest, fits, strict=True)
            if ok and int(n) not in taken
        }
        before = len(nodes)
        nodes |= new
        if len(nodes) < PROMISING[min(turn, len(PROMISING) - 1)]:
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


def _axes(homography: NDArray[np.float64], nodes: NDArray[np.number]) -> NDArray[np.float64]:
    """(n,) twice the angle, in radians, of the line between the grid's two directions at grid positions."""
    sides = []
    for step in ((0.25, 0.0), (0.0, 0.25)):
        along = project(homography, nodes + np.array(step)) - project(homography, nodes - np.array(step))
        sides.append(np.arctan2(along[:, 1], along[:, 0]))
    return np.asarray(sides[0] + sides[1], np.float64)


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
    homography, mask = cv2.findHomography(keys, values, cv2.RANSAC, max(1.5, 0.03 * step), None, 200, 0.99)
    if homography is None:
        return None
    kept = {key: index for (key, index), ok in zip(nodes.items(), mask.reshape(-1), strict=True) if ok}
    return (np.asarray(homography, np.float64), kept) if len(kept) >= 4 else None
