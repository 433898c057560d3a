"""The venue file: read, checked, written without harm to what else is in it."""

from pathlib import Path

import chess
import numpy as np
import pytest

from calibration.view import Region
from quadriglia.errors import UserError
from quadriglia.venue import CameraPlace, Pockets, read_venue, write_camera

CAMERA = CameraPlace(
    source="a.mp4",
    size=(640, 480),
    corners=((100.25, 50), (540, 60), (600, 430), (60, 420)),
    pockets=Pockets(white=(8.4, 0, 11.2, 4), black=(8.4, 4, 11.2, 8)),
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "venue.toml"
    path.write_text('# our club\n[rules]\nprofile = "gallarate" # since 2019\n')
    write_camera(path, "A", CAMERA)
    write_camera(path, "B", CAMERA.model_copy(update={"source": "b.mp4"}))
    write_camera(path, "A", CAMERA.model_copy(update={"pockets": None}))
    text = path.read_text()
    assert text.startswith("# our club\n")
    assert "# since 2019" in text
    venue = read_venue(path)
    assert venue.rules == {"profile": "gallarate"}
    assert venue.cameras["A"].pockets is None
    assert venue.cameras["B"] == CAMERA.model_copy(update={"source": "b.mp4"})
    view = venue.cameras["B"].view()
    assert np.allclose(view.corners(), CAMERA.corners)
    assert view.pockets[chess.WHITE] == Region(8.4, 0, 11.2, 4)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("[camera.A]\nsize = [640, 480]\n", "venue_key", {"line": 1, "name": "camera.A.corners"}),
        (
            "[rules]\n\n[camera.B]\nsize = [640, -1]\ncorners = []\n",
            "venue_key",
            {"line": 4, "name": "camera.B.size", "value": "[640, -1]"},
        ),
        ("[camera.A]\nsize = [640, 480]\nnonsense = 1\n", "venue_key", {}),
        ("[camera.C]\nsize = [640, 480]\n", "venue_camera", {"name": "C"}),
        ("version = 2\n", "venue_version", {"found": 2}),
        ("[cameras]\n", "venue_section", {"section": "cameras"}),
        ("rules = 3\n", "venue_section", {"section": "rules"}),
        ("[rules\n", "venue_toml", {}),
    ],
)
def test_a_broken_file_is_told_and_never_written_over(
    tmp_path: Path, text: str, key: str, said: dict[str, object]
) -> None:
    path = tmp_path / "venue.toml"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        read_venue(path)
    assert error.value.key == key
    assert error.value.values | said == error.value.values
    with pytest.raises(UserError):
        write_camera(path, "A", CAMERA)
    assert path.read_text() == text
