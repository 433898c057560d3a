"""What one camera saw at one time, and what is certain of it: the border between `vision` and `rules`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import chess
import numpy as np
from numpy.typing import NDArray

from rules.seats import BoardName

LABELS = "PNBRQKpnbrqk."
"""The labels of a square in the order of the likelihoods' last axis: FEN letters, `.` for empty."""

EMPTY = LABELS.index(".")


def label_index(piece: chess.Piece | None) -> int:
    """Index in `LABELS` of what a square holds."""
    return EMPTY if piece is None else piece.piece_type - 1 + (0 if piece.color else 6)


class Pieces(Protocol):
    """A position: chessmen, or counters."""

    def pieces_mask(self, piece_type: chess.PieceType, color: chess.Color) -> chess.Bitboard:
        """Where one side's pieces of a kind stand."""


def labels_of(board: Pieces) -> NDArray[np.int64]:
    """(64,) index in `LABELS` by square."""
    masks = [board.pieces_mask(kind, color) for color in chess.COLORS for kind in chess.PIECE_TYPES]
    stands = np.unpackbits(np.array(masks, "<u8")[:, None].view(np.uint8), axis=1, bitorder="little")
    return np.asarray(np.where(stands.any(0), stands.argmax(0), EMPTY), np.int64)


UPRIGHT = 6.0
"""Log-odds that a piece stands, where nobody looks whether it does."""
LIES = -1.5
"""Log-odds from which a piece counts as lying; of 6,095 standing ones in 240 rendered pictures 0.2% read so, of 445,068
looks at such in twelve filmed matches 229, at five men; of 43 who lay there 42."""


def side_of(color: chess.Color) -> slice:
    """The labels of one side's men."""
    return slice(0, 6) if color == chess.WHITE else slice(6, EMPTY)


def groups(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """0 for labels that are white, 1 for black, 2 for empty."""
    return np.where(labels == EMPTY, 2, labels // 6)


def group_of(color: chess.Color) -> int:
    """That of a colour's men."""
    return 0 if color else 1


SET_UP = 62  # squares of 64 that must be full or empty as they should
COLOURED = 24  # of 32 pieces that must read in their colour,
LIGHTER = 0.95  # or share of pairs of them of which White's must read as White's rather than Black's
FAINT = 1e-4  # probability of either colour, whatever a piece reads as


def as_expected(
    probabilities: NDArray[np.float64],
    labels: NDArray[np.int64],
    seen: NDArray[np.bool_],
    apart: Callable[[], bool] = lambda: False,
) -> NDArray[np.bool_] | None:
    """(64,) the seen squares that are full or empty as in a position, or None if that is not what stands there.

    Which squares are full is read well; the colours of an unusual set only need to be right by and large, or to be told
    from each other: where Black's men are light, too, they read as White's, but less so than those. `apart`: whether
    their own colours tell them, asked where nothing else does.
    """
    groups = np.stack([probabilities[:, :6].sum(1), probabilities[:, 6:12].sum(1), probabilities[:, EMPTY]], 1)
    full = labels != EMPTY
    filled = ((groups[:, 2] < 0.5 * groups.sum(1)) == full) & seen
    coloured = (groups[:, :2].argmax(1) == labels // 6) & full & seen
    if filled.sum() < SET_UP:
        return None
    if coloured.sum() < COLOURED * full.sum() / 32:
        lighter = np.log(groups[:, 0] + FAINT) - np.log(groups[:, 1] + FAINT)
        white, black = (lighter[full & seen & (labels // 6 == side)] for side in (0, 1))
        if not len(white) or not len(black):
            return None
        if (white[:, None] > black).mean() < LIGHTER and not apart():
            return None
    return np.asarray(filled, np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class PocketObservation:
    """One player's pocket area as the camera saw it.

    `pieces`: (n, 13) log-likelihoods, natural log, over `LABELS`, one row a piece found standing there.
    `centres`: (n, 2) base centres in board coordinates (squares; a1's outer corner is (0, 0), x grows
    towards the h-file, y towards rank 8).
    `seen`: False when a hand or movement hides the area; the rest then says nothing. `strangers`: (m, 2) base centres
    of pieces of the other colour. `close`: (k, 2) where pieces are seen so near to one of `pieces` that they may be it.
    `heads`: (n, 2) where the heads of the pieces appear on the table, (0, 2) where nobody tells.
    """

    pieces: NDArray[np.float32]
    centres: NDArray[np.float32]
    seen: bool
    strangers: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    close: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 2), np.float32))
    heads: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 2), np.float32))

    def __post_init__(self) -> None:
        expect("pieces", self.pieces, (len(self.pieces), len(LABELS)))
        expect("centres", self.centres, (len(self.pieces), 2))
        expect("strangers", self.strangers, (len(self.strangers), 2))
        expect("close", self.close, (len(self.close), 2))
        expect("heads", self.heads, (len(self.pieces) if len(self.heads) else 0, 2))

    def only(self, which: NDArray[np.bool_]) -> "PocketObservation":
        """The same with those pieces alone that (n,) `which` says."""
        heads = self.heads[which] if len(self.heads) else self.heads
        return replace(self, pieces=self.pieces[which], centres=self.centres[which], heads=heads)


@dataclass(frozen=True, slots=True)
class Reach:
    """An arm over the table. `tip`: how far it reaches, in board coordinates. `color`: from whose side of the board.
    `aside`: squares from the middle of that side to the shoulder, towards where the pockets are; it is measured along
    the visible arm, so that it says from which seat the arm comes, not more. `enters`: the same for where it comes into
    the picture. `at_clock`: it reaches off the board where the clock stands, in the middle of the side without pockets.
    `length`: squares from there to its tip: the less is seen of an arm, the more its shoulder is a guess.
    """

    tip: tuple[float, float]
    color: chess.Color
    aside: float
    enters: float = 0.0
    at_clock: bool = False
    length: float = 0.0


CameraState = Literal["steady", "moving", "lost", "dark", "frozen", "gone"]
"""How a camera's view fits its picture: as it should, shifting, no longer, too dark to tell, the picture stopped; or
there is no camera."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """One board at one time.

    `time`: capture time in seconds. `squares`: (64, 13) log-likelihoods, natural log, indexed by
    `chess.Square` and `LABELS`. `seen`: (64,) bool; False is missing evidence (a hand hides the square),
    never "empty". `pockets`: by colour; empty in games without pockets. `hand`: something hides part of
    the board. `moving`: the picture has not come to rest. `camera`: how the view fits; unless it is steady nothing is
    seen. `shift`: squares by which the view has moved since it was calibrated. `lying`: (64,) log-odds that the piece
    on a square lies, and `offsets`: (64, 2) squares by which its base is off the middle, towards the h-file and rank 8,
    NaN where another man hides that; neither says anything of an empty or hidden one. `behind`: (64,) bool, men whose
    base another hides, if only in part: whether they lie can hardly be told. `reaches`: the arms over it that
    can be told from each other. `since`: (64,) seconds, when what a square shows was first seen on it, if that was
    before this look. `covered`: (64,) bool, squares of which men before them hide so much that they may read as they
    did before whatever stands there now. `features`: (64, k) what the likelihoods were made of, in numbers that mean
    nothing by themselves, in two parts as long as each other, one a network; k is 0 where nobody tells.
    """

    board: BoardName
    time: float
    squares: NDArray[np.float32]
    seen: NDArray[np.bool_]
    pockets: Mapping[chess.Color, PocketObservation]
    hand: bool
    moving: bool
    camera: CameraState = "steady"
    shift: float = 0.0
    lying: NDArray[np.float32] = field(default_factory=lambda: np.full(64, -UPRIGHT, np.float32))
    offsets: NDArray[np.float32] = field(default_factory=lambda: np.zeros((64, 2), np.float32))
    reaches: tuple[Reach, ...] = ()
    since: NDArray[np.float64] = field(default_factory=lambda: np.full(64, np.inf))
    covered: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(64, np.bool_))
    behind: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(64, np.bool_))
    features: NDArray[np.float32] = field(default_factory=lambda: np.zeros((64, 0), np.float32))

    def __post_init__(self) -> None:
        expect("squares", self.squares, (64, len(LABELS)))
        expect("lying", self.lying, (64,))
        expect("offsets", self.offsets, (64, 2))
        expect("seen", self.seen, (64,))
        expect("since", self.since, (64,))
        expect("covered", self.covered, (64,))
        expect("behind", self.behind, (64,))
        expect("features", self.features, (64, self.features.shape[1]))

    def probabilities(self) -> NDArray[np.float64]:
        """(64, 13) probability of each label, by square."""
        return probabilities_of(self.squares)


def probabilities_of(squares: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n, 13) probability of each label by (n, 13) log-likelihoods."""
    found = np.exp(squares.astype(np.float64))
    return np.asarray(found / found.sum(1, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False)
class Certain:
    """What a tracker is certain of after a look at one board: the way back over the border. `time`: of that look, in
    seconds. `labels`: (64,) index in `LABELS` by square, which is so where the (64,) bool `squares` say it. `beside`:
    men in the reserves, the place of each in board coordinates and his label."""

    time: float
    labels: NDArray[np.int64]
    squares: NDArray[np.bool_]
    beside: tuple[tuple[float, float, int], ...] = ()


def next_to(squares: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(64,) whether any of the squares around each is among `squares`: (64,)."""
    if not squares.any():
        return np.zeros(64, np.bool_)
    wider = np.zeros((10, 10), np.bool_)
    wider[1:9, 1:9] = squares.reshape(8, 8)
    aside = wider[:, :8] | wider[:, 2:]
    across = aside | wider[:, 1:9]
    return (aside[1:9] | across[:8] | across[2:]).ravel()


def expect(name: str, array: NDArray[np.generic], shape: tuple[int, ...]) -> None:
    """Raise ValueError, naming both shapes, unless `array` has `shape`."""
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {array.shape}")
