"""One camera's frames into observations: what moves is not read, what rests is read once it changed."""

from concurrent.futures import Future
from dataclasses import replace

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import View
from calibration.watch import Watch
from rules.observation import (
    EMPTY,
    LABELS,
    CameraState,
    Certain,
    Observation,
    PocketObservation,
    as_expected,
    group_of,
    groups,
)
from rules.seats import BoardName
from vision.album import Album
from vision.arms import Arms, clock_beside
from vision.border import Border
from vision.canvas import PIXELS, SQUARE_CENTRES, STRIDE, Canvas, on_board
from vision.closer import BESIDE, Closer, Kept, closely
from vision.frame import Frame
from vision.gaze import Gaze
from vision.lean import by_pose, covered, hidden_by
from vision.motion import CELL, Motion
from vision.pocket import NOTHING, once, places_in, read_pocket
from vision.reader import Answer, Reader
from vision.school import School
from vision.tint import are_apart

PAUSE = 0.1  # seconds between two readings, at least
REFRESH = 1.0  # seconds after which what rests is read again
FRESH = 0.5  # weight of a new reading of a square that has not changed
SURE = 0.8  # probability up to which a square is read anew by then, as if it had: an arm may have been beside it
LESSONS = 6  # readings of the start position from which is learnt
COVERED = 0.75  # share of a pawn's height that men before a square hide, from which it is covered,
UNKNOWN = 0.33  # and from which nobody knows where its man's base is: of men behind others, 7,142 looks in five films,
# two read more than 0.16 squares from where they stood; of these a half and 0.8 were hidden
HIMSELF = 0.15  # squares between where two looks see one man in a reserve, at most
NUDGES = 0.08 * np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (0, 0)])  # squares; (LESSONS, 2)
SQUARE = np.arange(-PIXELS // CELL, PIXELS // CELL // 2), np.arange(-PIXELS // CELL // 2, PIXELS // CELL // 2)
"""Rows and columns of cells of a square and of half a square above it, where its piece shows."""


class Eye:
    """Observes one board. Frames come in order of time and all of the view's size."""

    fresh = FRESH

    def __init__(self, view: View, reader: Reader, start: NDArray[np.int64], school: School | None = None) -> None:
        """`start`: (64,) labels of the position before the first move, from which the look of the set is learnt: by the
        last layers at once, by all of the second network where there is a `school`.
        Where the view's board has fewer than 8 squares a side the others are always seen, and empty."""
        self.view, self.reader, self.start = view, reader, start
        self.beyond = ~on_board(view.side)
        self.watch = Watch(view)
        self.school = school
        self.album: Album | None = None  # of what is taught there
        self.teaching: Future[Reader] | None = None
        self.image: NDArray[np.uint8] | None = None  # as the camera saw it last
        self.canvas = Canvas.over(view)
        self.gaze = Gaze(reader, self.canvas)
        self.closer = Closer(reader)
        self.kept = Kept(self.closer, 64)
        beside = [1 if region.x0 > 4 else -1 for region in view.pockets.values()]
        # Without pockets nobody else sits here.
        self.around = Canvas.over(view, beside=[clock_beside(beside[0])]) if beside else self.canvas
        self.arms = Arms(self.around, view, beside[0]) if beside else None
        self.part = self.canvas.on(self.around)
        rows, columns = (slice(part.start // CELL, part.stop // CELL) for part in self.part)
        self.cells = rows, columns
        self.motion = Motion(self.around.size, self.cells)
        self.square_cells = windows(self.canvas, SQUARE)
        width, height = self.canvas.size
        self.known = np.zeros((height // CELL, width // CELL, 3), np.float32)  # cells as they were when read last
        self.border = Border(view.pockets)
        self._lay_pockets()
        self.missed = np.zeros(64, np.bool_)  # squares that looked otherwise at the last reading and did not rest
        self.squares = np.full((64, len(LABELS)), -np.log(len(LABELS)), np.float32)
        self.squares_read = np.full(64, -np.inf)  # when each was,
        self.squares_anew = np.full(64, -np.inf)  # and by looking there again
        self.lying = np.zeros(64, np.float32)
        self.offsets = np.zeros((64, 2), np.float32)
        self.behind = np.zeros(64, np.bool_)  # squares whose man's base another hides, if only in part
        self.hidden = np.zeros(64)  # share of a pawn's height that others hide
        self.features = np.zeros((64, 0), np.float32)
        self.clear = np.zeros(64, np.bool_)
        self.pockets = {color: PocketObservation(*NOTHING, seen=False) for color in view.pockets}
        self.camera: CameraState = "steady"  # how the last frame fitted
        self.read_at = -np.inf

    def _lay_pockets(self) -> None:
        """Where both reserves are looked at, and nothing is known of them yet."""
        regions = self.border.regions
        self.pocket_places = {color: places_in(region, self.canvas) for color, region in regions.items()}
        self.kept_beside = {  # by the first look at each place and the second
            color: (Kept(self.closer, len(places), BESIDE), Kept(self.closer, len(places), BESIDE))
            for color, places in self.pocket_places.items()
        }
        self.pocket_cells = {
            color: _mask(self.canvas.places(self.canvas.points(places)), self.known.shape[:2])
            for color, places in self.pocket_places.items()
        }
        self.missed_pockets = dict.fromkeys(regions, True)  # those that did not rest when they were to be read

    def observe(self, frame: Frame) -> Observation:
        """What is known after this frame; raises ValueError for a picture of another size."""
        if frame.image.shape[1::-1] != self.view.size:
            raise ValueError(f"picture is {frame.image.shape[1::-1]}, the view was made for {self.view.size}")
        glance = self.watch.look(frame.image, frame.time)
        if glance.view is not self.view:
            self.view, self.motion.now = glance.view, None
        self.camera = glance.state
        if glance.state != "steady":
            return self._blind(frame.board, frame.time, glance.state, glance.shift)
        self.image = frame.image
        self._go_on_taught()
        picture = self.around.warp(frame.image, self.view)
        still = self.motion.look(picture, frame.time)
        assert self.motion.now is not None
        reaches = self.arms.look(self.motion.now, self.motion.moved, frame.time) if self.arms else ()
        picture, still = np.ascontiguousarray(picture[self.part]), still[self.cells]
        resting = np.asarray(still[self.square_cells].all((1, 2)) | self.beyond)
        resting_pockets = {color: bool(still[mask].all()) for color, mask in self.pocket_cells.items()}
        stale = self._read_what_is_new(picture, still, resting, resting_pockets, frame.time)
        resting &= ~stale[self.square_cells].any((1, 2)) | self.beyond
        pockets = {
            color: replace(
                pocket, seen=pocket.seen and resting_pockets[color] and not stale[self.pocket_cells[color]].any()
            )
            for color, pocket in once(self.pockets, self.border.regions).items()
        }
        return Observation(
            frame.board,
            frame.time,
            self.squares.copy(),
            self.clear & resting,
            pockets,
            hand=bool((~self.clear).any()) or bool((~resting).any()),
            moving=not still.all(),
            shift=glance.shift,
            lying=self.lying.copy(),
            offsets=np.where((self.behind & (self.hidden > UNKNOWN))[:, None], np.float32(np.nan), self.offsets),
            reaches=reaches,
            covered=self.hidden > COVERED,
            behind=self.behind.copy(),
            features=self.features[:, :0] if self.teaching and not self.taught else self.features.copy(),
        )

    @property
    def last(self) -> NDArray[np.float32] | None:
        """The cells of what is read, as they were seen last."""
        return None if self.motion.now is None else self.motion.now[self.cells]

    def absent(self, board: BoardName, time: float) -> Observation:
        """What is known while the camera gives no picture."""
        self.motion.now = None  # when it comes back nothing has moved, and all is read anew
        self.known[:] = 0
        return self._blind(board, time, "gone", 0.0)

    def _blind(self, board: BoardName, time: float, state: CameraState, shift: float) -> Observation:
        """Nothing is seen while the view does not fit."""
        nothing = {color: PocketObservation(*NOTHING, seen=False) for color in self.view.pockets}
        unseen = np.zeros(64, np.bool_)
        return Observation(
            board, time, self.squares.copy(), unseen, nothing, hand=False, moving=True, camera=state, shift=shift
        )

    def _read_what_is_new(
        self,
        picture: NDArray[np.uint8],
        still: NDArray[np.bool_],
        resting: NDArray[np.bool_],
        resting_pockets: dict[chess.Color, bool],
        time: float,
    ) -> NDArray[np.bool_]:
        """Read what rests and looks otherwise than when it was read; the cells for which that has to wait."""
        last = self.last
        assert last is not None
        changed = np.asarray(still & (np.abs(last - self.known).max(2) > self.motion.step))
        otherwise = changed[self.square_cells].any((1, 2))
        beside = {color: bool(changed[mask].any()) for color, mask in self.pocket_cells.items()}
        # What had changed while all was read but did not rest then is read as soon as it does.
        down, across = self.square_cells
        again = self.missed & resting
        changed[down[again], across[again]] = True
        for color, mask in self.pocket_cells.items():
            changed |= mask & (self.missed_pockets[color] and resting_pockets[color])
        age = time - self.read_at
        doubtful = resting & (self.squares.max(1) < np.log(SURE)) & (time - self.squares_anew > REFRESH)
        if age < PAUSE or not (changed.any() or doubtful.any() or age > REFRESH):
            return changed
        changed[down[doubtful], across[doubtful]] = True
        self.read_at = time
        self.missed = (self.missed | otherwise) & ~resting
        for color, here in beside.items():
            for kept in self.kept_beside[color]:
                kept.forget(here)
            self.missed_pockets[color] = (self.missed_pockets[color] or here) and not resting_pockets[color]
        new = changed[self.square_cells].any((1, 2)) | ~self.clear
        assert self.image is not None
        answer, likelihoods, clear = self._adapted(self.gaze.look(picture, changed), picture, resting, new)
        weight = np.where(new, 1.0, self.fresh)[:, None].astype(np.float32)
        mixed = (1 - weight) * self.squares + weight * likelihoods
        self.squares = np.where(resting[:, None], mixed, self.squares)
        self.squares_read[resting] = time
        self.squares_anew[new & resting] = time
        columns, rows = self.canvas.squares.T
        bases = self.kept.bases(answer.bases(self.canvas, self.canvas.squares))
        features = np.column_stack([answer.features[rows, columns], self.kept.features()])
        lying = self.kept.lying(answer.lying[rows, columns])
        now = np.column_stack([lying, bases - SQUARE_CENTRES, features]).astype(np.float32)
        if not self.features.shape[1]:
            self.features = np.zeros(features.shape, np.float32)
        before = np.column_stack([self.lying, self.offsets, self.features])
        mixed = np.where(resting[:, None], (1 - weight) * before + weight * now, before)
        self.lying, self.offsets, self.features = mixed[:, 0], mixed[:, 1:3], mixed[:, 3:]
        self.clear = np.where(resting, clear, self.clear)
        self.behind = self._behind()
        lean = self.closer.leaning(self.view)
        # Whatever lean reads best, men hide what stands behind them from where the camera hangs.
        self.hidden = covered(by_pose(self.view), self.squares.argmax(1))
        for color, places in self.pocket_places.items():
            if resting_pockets[color]:
                one, other = (kept.at(self.image, self.view) for kept in self.kept_beside[color])
                region = self.border.regions[color]
                self.pockets[color] = read_pocket(answer, self.canvas, region, places, color, (one, other), lean)
        if all(resting_pockets.values()) and self.border.look(self.pockets):
            self._lay_pockets()
        self.known = np.where(still[..., None], last, self.known)
        return np.zeros_like(changed)

    def _adapted(
        self, answer: Answer, picture: NDArray[np.uint8], resting: NDArray[np.bool_], new: NDArray[np.bool_]
    ) -> tuple[Answer, NDArray[np.float32], NDArray[np.bool_]]:
        """The answer after what the start position teaches, and what it says of the squares, as `Answer.at`. `new`:
        (64,) what has changed."""
        del picture  # the network has seen it
        if self.gaze.adaptation.lessons < LESSONS:
            self._learn(answer, resting)
        answer = self.gaze.adaptation(answer)
        likelihoods, clear = answer.at(self.canvas.squares)
        assert self.image is not None
        self.kept.forget(new)
        second, before = self.kept.at(self.image, self.view), self.kept.taken.copy()
        found = closely(likelihoods, answer.bases(self.canvas, self.canvas.squares), second, resting & clear)
        if self.album:
            self.album.look(self.read_at, self.kept.looks.cuts, self.kept.taken & ~before)
        return answer, found, clear

    def _behind(self) -> NDArray[np.bool_]:
        """(64,) squares before whose man another stands, as seen from the camera."""
        read = self.squares.argmax(1)
        men = np.flatnonzero(read != EMPTY)
        points = SQUARE_CENTRES[men]
        hidden = hidden_by(self.closer.leaning(self.view), points, points, read[men])
        np.fill_diagonal(hidden, False)
        behind = np.zeros(64, np.bool_)
        behind[men] = hidden.any(1)
        return behind

    def _learn(self, answer: Answer, resting: NDArray[np.bool_]) -> None:
        likelihoods, clear = answer.at(self.canvas.squares)
        certain = as_expected(np.exp(likelihoods.astype(np.float64)), self.start, resting & clear, self._are_apart)
        if certain is None:
            return
        self.gaze.adaptation.learn(answer, self.canvas.squares[certain], self.start[certain])
        assert self.image is not None
        nudge = NUDGES[self.closer.ridge.lessons]
        self.closer.learn_start(self.image, self.view, self.start, certain, nudge)
        if self.school and self.album is None:
            self.album = self.closer.album(self.image, self.view, self.start, certain)
            self.teaching = self.school(self.album.lesson(self.closer.reader))
            self._go_on_taught()

    def _are_apart(self) -> bool:
        """Whether the men of both sides, where they start, are of two colours."""
        assert self.image is not None
        men = np.flatnonzero(self.start != EMPTY)
        looks = self.closer.look(self.image, self.view, SQUARE_CENTRES[men]).colours
        return are_apart(looks, groups(self.start[men]) == group_of(chess.WHITE))

    @property
    def taught(self) -> bool:
        """Whether the second network has learnt from the start position."""
        return self.kept.closer is not self.closer

    def learn(self, certain: Certain) -> None:
        """Take in what is certain after one of the looks: men in the reserves, as they were looked at last; and the
        second network is taught again by who has come since to where he stands, once they are enough."""
        for x, y, label in certain.beside:
            self._meet(np.array([x, y]), label)
        if self.school is None or self.album is None:
            return
        self.album.learn(certain)
        if self.album.due and self.teaching is None:
            self.teaching = self.school(self.album.lesson(self.kept.closer.reader))

    def _meet(self, centre: NDArray[np.float64], label: int) -> None:
        """Get to know who stands in a reserve, of this label, if nothing has changed there since he was looked at."""
        color = label // 6 == group_of(chess.WHITE)
        kept = self.kept_beside[color][1]
        off = np.where(kept.taken, np.hypot(*(kept.looks.bases - centre).T), np.inf)
        nearest = int(off.argmin())
        if off[nearest] < HIMSELF:
            self.closer.meet(kept.looks.features[nearest], kept.looks.logits[nearest], label)

    def _go_on_taught(self) -> None:
        """Look anew at the squares once the second network has learnt the start position, later as they change; one
        that could not learn goes on as it is. Features from before the first lesson compare with none after, so none
        are told until then. What is beside the board is read as before: men in a crowd on bare ground, of which the
        start position shows nothing."""
        if self.teaching is None or not self.teaching.done():
            return
        done, self.teaching = self.teaching, None
        if done.exception() is not None:
            self.school = None
        elif self.taught:
            self.kept.closer = self.closer.with_reader(done.result())
        else:
            self.kept = Kept(self.closer.with_reader(done.result()), 64)
            self.known[:] = 0


def windows(
    canvas: Canvas, around: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Index of cells of the motion picture, together (64, rows, columns), by the rows and columns `around` the middle
    of each square."""
    rows, columns = around
    column, row = (canvas.squares * STRIDE // CELL).T
    return row[:, None, None] + rows[None, :, None], column[:, None, None] + columns[None, None, :]


def _mask(places: NDArray[np.float64], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Cells around lattice places."""
    mask = np.zeros(shape, np.uint8)
    column, row = np.round(places * STRIDE / CELL).astype(np.int64).T
    mask[np.clip(row, 0, shape[0] - 1), np.clip(column, 0, shape[1] - 1)] = 1
    return cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0
