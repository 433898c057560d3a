"""Pose and quality of a view, and what should be better."""

import chess
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pose import pose_of
from calibration.quality import ADVICE, judge
from calibration.view import View, pockets_beside
from rules.quadwrangle import QuadWrangle
from simulation.camera import looking
from tests.calibration.test_watch import VIEW, scene
from tests.vision.counterboard import drawn, view_of

SIZE = (1280, 720)


@pytest.mark.parametrize("elevation", [35, 45, 60, 75, 88])
@pytest.mark.parametrize("around", [-1.6, 0.4, 2.8])
@pytest.mark.parametrize("side", [8, 7])
def test_pose(elevation: float, around: float, side: int) -> None:
    tilt, middle = np.radians(elevation), np.array([side / 2, side / 2, 0])
    away = np.array([np.cos(tilt) * np.cos(around), np.cos(tilt) * np.sin(around), np.sin(tilt)])
    camera = looking(middle + 14 * away, middle, 0.0, 1100, SIZE)
    pose = pose_of(View(camera.board_homography(), SIZE, side=side))
    assert pose.elevation == pytest.approx(elevation, abs=2)
    assert pose.height == pytest.approx(14 * np.sin(tilt), rel=0.2)
    assert pose.far == {-1.6: str(side), 0.4: "a", 2.8: chess.FILE_NAMES[side - 1]}[around]


def kinds(image: NDArray[np.uint8], view: View, fps: float | None = None) -> set[str]:
    return {advice.kind for advice in judge(image, view, fps).advice}


def test_advice() -> None:
    image = scene()
    assert kinds(image, VIEW) == set()
    assert kinds(np.asarray(cv2.GaussianBlur(image, (0, 0), 4), np.uint8), VIEW) == {"soft"}
    assert kinds(np.asarray(image // 6, np.uint8), VIEW) >= {"dark"}
    assert kinds(np.asarray(110 + image // 12, np.uint8), VIEW) == {"pale"}
    shining = image.copy()
    cv2.circle(shining, (300, 240), 40, (255, 255, 255), -1)
    assert kinds(shining, VIEW) == {"glare"}
    assert kinds(image, VIEW, fps=8.0) == {"slow"}
    assert kinds(image, View(VIEW.homography, VIEW.size, pockets_beside("h"))) == {"pocket_outside"}
    small = cv2.resize(image, (320, 240), interpolation=cv2.INTER_AREA)
    assert "small" in kinds(np.asarray(small, np.uint8), View.from_corners(VIEW.corners() / 2, (320, 240)))
    low = looking([4, -14, 8], [4, 4, 0], 0.0, 1100, SIZE)
    assert "low" in kinds(np.full((*SIZE[::-1], 3), 90, np.uint8), View(low.board_homography(), SIZE))
    assert {"low", "hidden_behind", "bright"} <= set(ADVICE)


def test_a_ruled_board_of_one_colour_is_not_pale_and_counters_hide_nothing() -> None:
    view, image = view_of(7), drawn(QuadWrangle.start("adjacent"))
    assert {advice.kind for advice in judge(image, view, flat_men=True).advice} == set()
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 4), np.uint8)
    assert {advice.kind for advice in judge(blurred, view, flat_men=True).advice} & {"soft", "pale"}
