"""Pieces standing free in a pocket: found on the network's lattice, one answer a piece."""

from collections.abc import Mapping

import chess
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region
from rules.observation import EMPTY, LABELS, LIES, PocketObservation, side_of
from vision.canvas import STRIDE, Canvas
from vision.closer import Second, both, both_lying, may_stand, normal
from vision.crowd import ONE, mere_heads, one_each, same_man, same_roughly
from vision.lean import Lean, heads
from vision.reader import FLOOR, HIDDEN, Answer, Floats

COVERED = 0.5  # probability from which a place counts as hidden,
PRESENT = 0.65  # and from which as holding a piece;
CLEAR = 0.85  # from which one of the other colour does,
SURELY = 0.95  # and one of whom it can hardly be told whose he is:
RATHER, HARDLY = 0.5, 0.1  # the owner's if it is so likely, close to the next pocket, and farther inside;
EDGE = 0.15  # and one within so many squares of the region's border, and
BEYOND = 0.98  # what it must be beyond: there the heads of other pockets' men lean in
CLEAR_OF = 0.65  # squares between one of the other colour and the next
OWNERS = 6.0  # how much likelier a piece in a pocket is its owner's than one of the other colour
CLOSE = 0.4  # squares from every piece chosen, from which what is seen may be another beside it
NEAR, ASTRAY = 0.4, 0.6  # squares from a man's base where he is seen well, and where he is seen at all
NOBODY = 0.3  # probability of a man, by the second look alone, up to which nobody stands there
BRIM = 0.25  # squares around the region that still belong to it; one of the other colour within is the next pocket's

NOTHING = np.zeros((0, len(LABELS)), np.float32), np.zeros((0, 2), np.float32)


def places_in(region: Region, canvas: Canvas) -> NDArray[np.int64]:
    """(n, 2) lattice columns and rows of a region, with its brim."""
    columns, rows = canvas.size[0] // STRIDE, canvas.size[1] // STRIDE
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2)
    return np.asarray(grid[_beyond(region, canvas.points(grid)) <= BRIM], np.int64)


def read_pocket(
    answer: Answer,
    canvas: Canvas,
    region: Region,
    places: NDArray[np.int64],
    color: chess.Color,
    second: tuple[Second, Second],
    lean: Lean,
    owners: float = OWNERS,
) -> PocketObservation:
    """The pieces at these places, which are those of the region: of the owner's `color`, and where others stand.
    `second`: what a closer look at each place says, and another one at where that has seen a man stand. `lean`:
    as they lean. `owners`: 1 where pieces of both colours may stand."""
    columns, rows = places.T
    found = answer.labels[rows, columns]
    hidden = np.exp(found[:, HIDDEN]) > COVERED
    first, first_bases = np.maximum(found[:, :HIDDEN], FLOOR), answer.bases(canvas, places)
    likelihoods, bases, alone = first.copy(), first_bases.copy(), np.zeros(len(places))
    flat = np.zeros(len(places), np.float32)

    def look(ask: Second, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Look at the men `chosen`; those that are really seen there."""
        logits, bases[chosen], flat[chosen] = ask(chosen, bases)
        likelihoods[chosen], alone[chosen] = both(first[chosen], logits), _there(normal(logits))
        return np.flatnonzero(chosen & (np.hypot(*(bases - first_bases).T) < ASTRAY))

    def best(men: NDArray[np.int64], same: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(n,) of the places that see these men, one for each: who is right there is seen best."""
        right_there = np.hypot(*(bases - first_bases)[men].T) < NEAR
        chosen = np.zeros(len(places), np.bool_)
        chosen[men[one_each(_there(likelihoods[men]) + right_there, same)]] = True
        return chosen

    men = look(second[0], may_stand(first))
    men = look(second[1], best(men, same_roughly(bases[men])))
    labels = likelihoods[:, :EMPTY].argmax(1)
    tops = heads(lean, bases[men], labels[men])
    men = men[(alone[men] > NOBODY) & ~mere_heads(bases[men], tops, alone[men])]
    lies = both_lying(answer.lying[rows, columns], flat)[men] > LIES
    standing = best(men, same_man(bases[men], lies, labels[men] % 6 + 1))
    beyond = _beyond(region, bases)
    inside = beyond < 0  # on the brim stand the men of the pocket beside it
    likelihoods[inside] = _owned(likelihoods[inside], color, owners)
    own, there, needed = _present(likelihoods, color), _there(likelihoods), _needed(beyond)
    # Some set's colours can hardly be told there. Of those who had really been laid down in the wrong reserve none was
    # likelier than 0.085 to be its owner's; dim light from one side makes whose that is 0.13 to 0.27.
    may_be = np.where((beyond <= -BRIM) & (owners > 1), HARDLY, RATHER)
    surely = inside & (own > may_be * there) & (there > SURELY)
    chosen = np.flatnonzero(standing & ((own > needed) | surely))
    close = [
        index
        for index in np.flatnonzero(own > np.maximum(needed, CLEAR)).tolist()
        if _gap(bases[chosen], bases[index]) > CLOSE
    ]
    # One of the other colour is an irregularity: nothing but a clear case counts.
    others = standing & (_present(likelihoods, not color) > CLEAR) & (beyond <= -BRIM)
    strangers = [index for index in np.flatnonzero(others).tolist() if _gap(bases[chosen], bases[index]) > CLEAR_OF]
    return PocketObservation(
        likelihoods[chosen],
        bases[chosen].astype(np.float32),
        seen=not hidden.any(),
        strangers=bases[strangers].astype(np.float32).reshape(-1, 2),
        close=bases[close].astype(np.float32).reshape(-1, 2),
        heads=(bases[chosen] + heads(lean, bases[chosen], labels[chosen])).astype(np.float32),
    )


def once(
    pockets: Mapping[chess.Color, PocketObservation], regions: Mapping[chess.Color, Region]
) -> dict[chess.Color, PocketObservation]:
    """Pockets that lie side by side: who stands near the border between them may be seen in both, and is his in whose
    region he stands."""
    found = dict(pockets)
    for color, pocket in pockets.items() if len(pockets) == len(chess.COLORS) else ():
        others = pockets[not color].centres
        others = others[_beyond(regions[not color], others) <= 0]
        beyond = _beyond(regions[color], pocket.centres) > 0
        own = [not out or _gap(others, base) > ONE for out, base in zip(beyond, pocket.centres, strict=True)]
        found[color] = pocket.only(np.array(own, np.bool_))
    return found


def _owned(likelihoods: Floats, color: chess.Color, owners: float) -> Floats:
    """(n, 13) log-likelihoods of men of whom it is known whose they are, mostly; whether men they are stays as read."""
    found = likelihoods.copy()
    men = found[:, :EMPTY]
    before = np.logaddexp.reduce(men, 1)
    men[:, side_of(color)] += np.log(owners)
    men += (before - np.logaddexp.reduce(men, 1))[:, None]
    return found


def _there(likelihoods: Floats) -> Floats:
    """(n,) probability that a man stands there."""
    return np.asarray(1 - np.exp(likelihoods[:, EMPTY]), np.float32)


def _needed(beyond: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) probability from which a place counts as holding a piece; who stands beyond the brim is in the pocket beside
    this one. `beyond`: as `_beyond` tells it."""
    inside = np.where(beyond > -EDGE, CLEAR, PRESENT)
    return np.where(beyond > BRIM, np.inf, np.where(beyond > 0, BEYOND, inside))


def _beyond(region: Region, bases: NDArray[np.floating]) -> NDArray[np.float64]:
    """(n,) squares by which bases lie beyond a region's border; less than 0 inside."""
    x, y = bases.T
    return np.asarray(np.max([region.x0 - x, x - region.x1, region.y0 - y, y - region.y1], 0), np.float64)


def _present(likelihoods: Floats, color: chess.Color) -> Floats:
    """(n,) probability that a man of a colour stands there."""
    return np.asarray(np.exp(likelihoods[:, side_of(color)]).sum(1), np.float32)


def _gap(bases: NDArray[np.floating], base: NDArray[np.floating]) -> float:
    """Squares from a base to the nearest of others; infinity where there are none."""
    return float(np.hypot(*(bases - base).T).min(initial=np.inf))
