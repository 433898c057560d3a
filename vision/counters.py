"""Two-colour counters read by colour: what a set looks like, learnt in closed form from cells whose counters are known.

A counter shows its colour around the middle of its cell; one that stands off the middle, beside it; a tall one seen
from a slant, above it. The bare ground shows in every cell's corners, also where a counter stands. The network knows no
colours of counters, but whether a cell is empty.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.observation import EMPTY as NO_MAN
from vision.canvas import STRIDE, Canvas
from vision.reader import FLOOR, Answer

WHITE, BLACK, EMPTY, UNKNOWN = 0, 1, 2, -1
"""The kinds of a cell, as `rules.observation.groups` has them, and of one that is not told."""

TOP = 13  # canvas pixels a side of the part of a counter's top that is compared
RISES = (0, 4, 8, 12)  # pixels by which tops may lie above the middles of their cells; one of them fits a view
OFF = np.array([(x, y) for y in (-6, -3, 0, 3, 6) for x in (-6, -3, 0, 3, 6)])  # pixels a counter may be off the middle
MIDDLE = len(OFF) // 2
ASTRAY = 2 * (OFF**2).sum(1) / 6**2  # nats against a counter that far off: a neighbour may reach there
CORNER = 5  # pixels a side of the ground that is compared,
CORNERS = np.array([(x, y) for y in (-18, 18) for x in (-18, 18)])  # and how far from the middle it lies
SPREAD = np.diag([6.0, 4.0, 4.0]) ** 2  # of a colour in Lab, squared, before any is seen;
WORTH = 5  # counts as much as so many cells
SHADING = np.diag([5.0, 2.0, 2.0]) ** 2  # what light that falls otherwise adds to that, however alike examples were
TAILS = 4  # degrees of freedom of Student's distribution: shine and shadows go far off the mean
ROUNDS = 2  # in which counters are looked for where they stand, and their colours taken from there
ENOUGH = 4  # empty cells of a kind before their middles tell the ground's colour, beside all corners
DIM, BURNT = 20.0, 250.0  # of 255: ground darker or brighter than this does not tell how much light there is,
TELLING = 32  # nor do fewer corners of cells
SHADED, DARKEST = 1.1, 2.0  # times less light on a cell than on most, from which it counts, and at most
LIGHT = (np.add.outer(np.arange(8), np.arange(8)) % 2 == 1).astype(np.int64).ravel()  # which of two kinds a cell is of

Cells = NDArray[np.int64]
Colours = NDArray[np.float32]
Lab = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """What a canvas shows of 64 cells. `tops`: (64, rises, places, 3) BGR. `corners`: (64, 4, 3) BGR of the ground.
    `empty`: (64,) log-odds by which the network holds them to be empty. `clear`: (64,) nothing hides them."""

    tops: Colours
    corners: Colours
    empty: NDArray[np.float64]
    clear: NDArray[np.bool_]

    @classmethod
    def of(cls, picture: NDArray[np.uint8], canvas: Canvas, answer: Answer) -> "Patches":
        """From the picture on a canvas, (height, width, 3) BGR, and the network's answer to it."""
        middles = canvas.squares * STRIDE
        tops = np.stack([_sample(picture, TOP, middles, OFF - np.array([0, rise])) for rise in RISES], 1)
        corners = _sample(picture, CORNER, middles, CORNERS)
        found, clear = answer.at(canvas.squares)
        empty = found[:, NO_MAN] - np.log(np.exp(found[:, :NO_MAN].astype(np.float64)).sum(1))
        return cls(tops, corners, np.asarray(np.clip(empty, FLOOR, -FLOOR), np.float64), clear)


@dataclass(frozen=True, slots=True, eq=False)
class Tint:
    """A colour as a set's counters or a board's ground have it. `mean`: (3,) Lab. `spread`: (3, 3) covariance."""

    mean: NDArray[np.float64]
    spread: NDArray[np.float64]

    @classmethod
    def of(cls, seen: Lab) -> "Tint":
        """Of (n, 3) examples."""
        mean = np.median(seen, 0).astype(np.float64)
        off = seen - mean
        return cls(mean, (off.T @ off + WORTH * SPREAD) / (len(seen) + WORTH))

    def __call__(self, seen: Lab) -> NDArray[np.float64]:
        """(...) log-likelihoods of (..., 3) colours."""
        off = seen - self.mean
        spread = self.spread + SHADING
        far = np.einsum("...i,ij,...j->...", off, np.linalg.inv(spread), off)
        return np.asarray(-0.5 * np.linalg.slogdet(spread)[1] - (TAILS + 3) / 2 * np.log1p(far / TAILS))

    def apart(self, other: "Tint") -> float:
        """How many spreads lie between two colours, squared."""
        off = self.mean - other.mean
        return float(off @ np.linalg.solve((self.spread + other.spread) / 2, off))


@dataclass(frozen=True, slots=True, eq=False)
class CounterSet:
    """A set on its board under one light. `rise`: index in `RISES`. `men`: White's and Black's colour. `grounds`: of
    the two kinds of cell. `light`: (64, 4, 3) BGR of cells' corners in the light in which all these were seen; `bare`:
    (64, 4) which of them showed the ground, and not what stands beside."""

    rise: int
    men: tuple[Tint, Tint]
    grounds: tuple[Tint, Tint]
    light: Colours
    bare: NDArray[np.bool_]

    def read(self, patches: Patches) -> NDArray[np.float64]:
        """(64, 3) log-likelihoods, up to a constant a cell, of a white counter, a black one and none."""
        gain = _gain(patches.corners, self.light, self.bare)
        dimmed = self._shade(patches.corners * gain)
        seen = _lab(patches.tops[:, self.rise] * gain * dimmed[:, None, None])
        found = np.stack([*(man(seen) for man in self.men), _ground(self.grounds, seen, LIGHT)], -1)
        place = (found[..., :EMPTY].max(-1) - found[..., EMPTY] - ASTRAY).argmax(1)
        best = found[np.arange(64), place]
        best[:, EMPTY] += patches.empty
        return np.asarray(best)

    def _shade(self, corners: Colours) -> NDArray[np.float32]:
        """(64,) by how much less light falls on each cell than on most, as the shadow of an arm takes it; 1 where no
        less. A hand beside a cell hides one of its corners, or two: as much as the others lack, the cell does."""
        lacking = self.light.sum(-1) / np.maximum(corners.sum(-1), 1.0)
        lacking = np.sort(np.where(self.bare, lacking, np.inf), 1)
        count = self.bare.sum(1)
        shade = np.where(count > 2, lacking[:, 1], np.where(count == 2, lacking[:, 0], 1.0))
        return np.asarray(np.where(shade > SHADED, np.minimum(shade, DARKEST), 1.0), np.float32)

    @property
    def clear(self) -> float:
        """How many spreads, squared, lie between the two colours of this set that are most alike."""
        white, black = self.men
        return min(white.apart(black), *(man.apart(ground) for man in self.men for ground in self.grounds))

    @property
    def lighter(self) -> float:
        """By how much White's counters are lighter than Black's, of 100."""
        return float(self.men[WHITE].mean[0] - self.men[BLACK].mean[0])


def learn(looks: Sequence[Patches], kinds: Sequence[Cells]) -> CounterSet | None:
    """The set of which (64,) kinds of cell were seen in each look; None unless there are counters of both colours."""
    kind = np.concatenate(kinds)
    if not ((kind == WHITE).any() and (kind == BLACK).any()):
        return None
    first = looks[0]
    gains = [_gain(look.corners, first.corners, np.ones((64, 4), bool)) for look in looks]
    corners = _lab(np.concatenate([np.median(look.corners, 1) * gain for look, gain in zip(looks, gains, strict=True)]))
    sets = []
    for rise in range(len(RISES)):
        tops = _lab(np.concatenate([look.tops[:, rise] * gain for look, gain in zip(looks, gains, strict=True)]))
        men, grounds = _learn(tops, corners, kind, np.tile(LIGHT, len(looks)))
        sets.append(CounterSet(rise, men, grounds, first.corners, _bare(first.corners, men, grounds)))
    return max(sets, key=lambda found: found.clear)


def _learn(tops: Lab, corners: Lab, kind: Cells, light: Cells) -> tuple[tuple[Tint, Tint], tuple[Tint, Tint]]:
    """The colours of men and grounds of (n, places, 3) tops and (n, 3) corners of cells."""
    grounds = []
    for which in (0, 1):
        bare = (kind == EMPTY) & (light == which)
        seen = [corners[(kind != UNKNOWN) & (light == which)]] + [tops[bare, MIDDLE]] * int(bare.sum() >= ENOUGH)
        grounds.append(Tint.of(np.concatenate(seen)))
    one, two = grounds
    men = []
    for color in (WHITE, BLACK):
        own = kind == color
        ground, man = _ground((one, two), tops[own], light[own]), Tint.of(tops[own, MIDDLE])
        for _ in range(ROUNDS):
            place = (man(tops[own]) - ground).argmax(1)
            man = Tint.of(tops[own][np.arange(len(place)), place])
        men.append(man)
    white, black = men
    return (white, black), (one, two)


def _bare(corners: Colours, men: tuple[Tint, Tint], grounds: tuple[Tint, Tint]) -> NDArray[np.bool_]:
    """(64, 4) which corners show the ground rather than counters."""
    seen = _lab(corners)
    return np.asarray(_ground(grounds, seen, LIGHT) > np.maximum(men[0](seen), men[1](seen)))


def sort_out(patches: Patches, board: NDArray[np.bool_]) -> CounterSet | None:
    """The set of counters of which nothing is known but that White's are the lighter ones; None where no two colours
    of counters are told apart. `board`: (64,) the cells to go by."""
    sets = []
    for rise in range(len(RISES)):
        kinds = np.where(board & (patches.empty >= 0), EMPTY, UNKNOWN)
        full = board & (patches.empty < 0)
        if not full.any():
            continue
        kinds[full] = _by_colour(_lab(patches.tops[full, rise, MIDDLE]))
        found = learn([patches], [kinds])
        for _ in range(ROUNDS):
            if found is not None:
                found = learn([patches], [np.where(board, found.read(patches).argmax(1), UNKNOWN)])
        if found is not None:
            sets.append(found)
    return max(sets, key=lambda found: found.clear, default=None)


def _by_colour(seen: Lab) -> Cells:
    """(n,) kinds of counters of (n, 3) colours: those of the lighter of two heaps are White's."""
    if len(seen) < 2:
        return np.full(len(seen), UNKNOWN)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 0.1)
    cv2.setRNGSeed(1)  # the same picture is always sorted out the same way
    heap, middles = cv2.kmeans(seen, 2, None, criteria, 4, cv2.KMEANS_PP_CENTERS)[1:]  # type: ignore[call-overload]
    return np.where(heap.ravel() == int(middles[:, 0].argmax()), WHITE, BLACK)


def _ground(grounds: tuple[Tint, Tint], seen: Lab, light: Cells) -> NDArray[np.float64]:
    """(n, places) log-likelihoods of (n, places, 3) colours as the ground of each cell's own kind."""
    dark, bright = (ground(seen) for ground in grounds)
    return np.where(light[:, None] == 1, bright, dark)


def _sample(
    picture: NDArray[np.uint8], side: int, middles: NDArray[np.int64], steps: NDArray[np.int64]
) -> NDArray[np.float32]:
    """(64, n, 3) mean colours of squares of so many pixels a side, `steps` (n, 2) from the middles, right and down."""
    soft = cv2.blur(picture, (side, side))
    x, y = np.moveaxis(middles[:, None] + steps, -1, 0)
    return np.asarray(soft[y.clip(0, soft.shape[0] - 1), x.clip(0, soft.shape[1] - 1)], np.float32)


def _gain(corners: Colours, light: Colours, bare: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(3,) what colours are to be multiplied by, that were seen when corners of cells, (64, 4, 3), looked like that, to
    look as in this light, where (64, 4) `bare` ones show the ground: cameras change their exposure, and lamps are
    switched. Less than half of the ground may lie in shadows."""
    telling = (np.minimum(corners, light) > DIM) & (np.maximum(corners, light) < BURNT) & bare[..., None]
    ratios = np.where(telling, light / np.maximum(corners, 1.0), np.nan).reshape(-1, 3)
    enough = telling.sum((0, 1)) >= TELLING
    return np.asarray([np.nanmedian(ratios[:, c]) if enough[c] else 1.0 for c in range(3)], np.float32)


def _lab(colours: NDArray[np.float32]) -> Lab:
    """Lab of BGR colours up to 255, (..., 3)."""
    flat = (colours / 255).clip(0, 1).astype(np.float32).reshape(1, -1, 3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB), np.float32).reshape(colours.shape)
