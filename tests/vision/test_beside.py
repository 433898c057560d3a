"""Beside which file the pockets lie."""

import chess

from calibration.find import find_board
from calibration.view import pockets_beside
from quadriglia.demo import SAMPLE
from vision.beside import find_pockets
from vision.facing import facing
from vision.reader import Reader
from vision.source import Source


def test_the_pockets_are_where_men_stand() -> None:
    reader = Reader()
    frames = list(Source("A", SAMPLE / "a.mp4", 0.1))
    begin, later = frames[0].image, frames[-1].image
    view = facing(begin, find_board(begin).view, reader)[0]
    assert find_pockets(begin, view, reader) is None
    found = find_pockets(later, view, reader)
    assert found is not None
    for color, usual in pockets_beside("h").items():
        assert found[color].x0 == usual.x0
        assert found[color].x1 >= usual.x1
    assert found[chess.WHITE].y1 == found[chess.BLACK].y0
    # The same picture, the board taken to lie the other way round: they lie beside the a-file then.
    turned = find_pockets(later, view.turned(2), reader)
    assert turned is None or all(area.x1 == pockets_beside("a")[color].x1 for color, area in turned.items())
