"""AprilTags on paper, laid at the corners of a board and of its pockets: the certain way to calibrate.

A tag is cut out so that one corner of its paper, the marked one, lies at the place it stands for; how it is turned does
not matter. Family 36h11. Numbers 0 to 7 belong to board A, 10 to 17 to board B: four corners (a8, h8, h1, a1), then two
opposite corners of White's pocket, then of Black's.
"""

from pathlib import Path

import chess
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.view import Region, View

PLACES = ("a8", "h8", "h1", "a1", "white 1", "white 2", "black 1", "black 2")
FIRST = {"A": 0, "B": 10}
MODULES = 8  # of a tag with its black rim; a white margin of one module is around it
POCKETS = {chess.WHITE: (4, 5), chess.BLACK: (6, 7)}
DICTIONARY = cv2.aruco.DICT_APRILTAG_36h11
LARGEST = 15.0  # squares from the board at which a pocket may begin


class TagsMissingError(ValueError):
    """Not all four corner tags of a board are seen. `seen`: the places of those that are."""

    def __init__(self, seen: tuple[str, ...]) -> None:
        super().__init__(f"{len(seen)} of 4 corner tags seen")
        self.seen = seen


def find_tags(image: NDArray[np.uint8]) -> dict[str, dict[str, NDArray[np.float64]]]:
    """By board and place of `PLACES`, the (2,) pixel at which the marked corner of each tag's paper lies."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_APRILTAG
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    corners, numbers, _ = detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    found: dict[str, dict[str, NDArray[np.float64]]] = {}
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    for quad, number in zip(corners, [] if numbers is None else numbers.ravel(), strict=True):
        for board, first in FIRST.items():
            place = int(number) - first
            if 0 <= place < len(PLACES):
                to_image = cv2.getPerspectiveTransform(unit, quad.reshape(4, 2).astype(np.float32))
                marked = np.full((1, 1, 2), 1 + 1 / MODULES)
                pixel = cv2.perspectiveTransform(marked, to_image).reshape(2)
                found.setdefault(board, {})[PLACES[place]] = np.asarray(pixel, np.float64)
    return found


def view_by_tags(places: dict[str, NDArray[np.float64]], size: tuple[int, int]) -> View:
    """The view that one board's tags give, with those pockets of which both tags are seen. TagsMissingError."""
    if missing := [place for place in PLACES[:4] if place not in places]:
        raise TagsMissingError(tuple(place for place in PLACES[:4] if place not in missing))
    view = View.from_corners([places[place] for place in PLACES[:4]], size)
    pockets = {}
    for color, pair in POCKETS.items():
        if all(PLACES[number] in places for number in pair):
            ends = view.to_board([places[PLACES[number]] for number in pair])
            low, high = ends.min(0), ends.max(0)
            if (np.abs(ends - 4) < LARGEST).all():
                pockets[color] = Region(*(float(v) for v in (low[0], low[1], high[0], high[1])))
    return View(view.homography, size, pockets)


def print_tags(path: Path, board: str, captions: dict[str, str], title: str) -> None:
    """Write a board's tags as a PDF of one A4 page. `captions`: what to write on the paper of each of `PLACES`."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas

    module = 4 * mm
    paper, flap = (MODULES + 2) * module, 9 * mm
    page = Canvas(str(path), pagesize=A4, invariant=True)
    page.setTitle(title)
    page.setFont("Helvetica", 10)
    page.drawString(20 * mm, A4[1] - 14 * mm, title)
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    for number, place in enumerate(PLACES):
        left = 30 * mm + (number % 2) * 90 * mm
        bottom = A4[1] - 22 * mm - (number // 2 + 1) * (paper + flap + 12 * mm)
        bits = cv2.aruco.generateImageMarker(dictionary, FIRST[board] + number, MODULES) == 0
        page.setFillGray(0)
        for row, column in np.argwhere(bits):
            # A hair wider than a module, so that no viewer shows a seam.
            x, y = left + (column + 1) * module, bottom + (MODULES - row) * module
            page.rect(x, y, module + 0.1, module + 0.1, stroke=0, fill=1)
        page.setStrokeGray(0.6)
        page.setLineWidth(0.3)
        page.rect(left, bottom, paper, paper + flap, fill=0)
        page.setFont("Helvetica", 8)
        page.drawString(left + 1.5 * mm, bottom + paper + 3 * mm, captions[place])
        # The marked corner: an arrow outside of the paper.
        tip, back = np.array([left + paper + 0.8 * mm, bottom - 0.8 * mm]), np.array([6 * mm, -6 * mm])
        page.setStrokeGray(0)
        page.setLineWidth(1.2)
        page.line(*tip, *(tip + back))
        page.line(*tip, tip[0] + 3 * mm, tip[1])
        page.line(*tip, tip[0], tip[1] - 3 * mm)
    page.save()
