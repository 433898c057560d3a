"""The set-up and the health page in a browser."""

from typing import TYPE_CHECKING, Any

import pytest

from quadriglia.errors import RefusedError
from tests.quadriglia.fake_desk import CORNERS, Live

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from tests.quadriglia.browser import Visit

pytest_plugins = ("tests.quadriglia.browser",)
api = pytest.importorskip("playwright.sync_api")
expect: Any = api.expect

SCREEN = {"width": 1300, "height": 1000}


def camera(page: "Page", name: str = "A") -> "Locator":
    return page.locator("article.camera", has_text=f"Camera {name}")


def sent(page: "Page", live: Live, count: int) -> dict[str, Any]:
    """The last command, once so many have come."""
    for _ in range(100):
        if len(live.desk.told) >= count:
            break
        page.wait_for_timeout(20)
    assert len(live.desk.told) == count
    return live.desk.told[-1]


def test_corners_are_dragged_on_the_picture(visit: "Visit", live: Live) -> None:
    page = visit("setup", viewport=SCREEN)
    use = camera(page).get_by_role("button", name="Use these corners")
    expect(use).to_be_hidden()
    handle = camera(page).get_by_role("button", name="Corner h8")
    box = handle.bounding_box()
    frame = camera(page).locator(".corners").bounding_box()
    assert box
    assert frame
    scale = frame["width"] / 1280
    # The handle lies where the corner is said to be.
    assert box["x"] + box["width"] / 2 - frame["x"] == pytest.approx(905 * scale, abs=1)
    assert box["y"] + box["height"] / 2 - frame["y"] == pytest.approx(92 * scale, abs=1)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(frame["x"] + 1000 * scale, frame["y"] + 150 * scale, steps=3)
    page.mouse.up()
    live.publish()  # a snapshot does not take away what is being laid by hand
    camera(page).get_by_role("button", name="Corner a1").press("ArrowLeft")
    camera(page).get_by_role("button", name="Corner a1").press("Shift+ArrowDown")
    use.click()
    told = sent(page, live, 1)
    assert (told["do"], told["board"], "pockets" in told) == ("calibrate", "A", False)
    assert told["corners"][1] == [pytest.approx(1000, abs=2), pytest.approx(150, abs=2)]
    assert told["corners"][3] == [285, 660]
    assert told["corners"][0::2] == CORNERS[0::2]
    expect(use).to_be_hidden()


def test_boards_are_looked_for_and_turned_and_reserves_told(visit: "Visit", live: Live) -> None:
    live.snapshot["live"]["cameras"]["B"] |= {"way": "assumed"}
    live.publish()
    page = visit("setup", viewport=SCREEN)
    expect(camera(page, "A").locator(".way")).to_be_hidden()
    expect(camera(page, "B").locator(".way")).to_contain_text("Which side is White's")
    camera(page, "B").get_by_role("button", name="Find the board again").click()
    assert sent(page, live, 1) == {"do": "calibrate", "board": "B"}
    camera(page, "B").get_by_label("beside the a-file").check()
    assert sent(page, live, 2) == {"do": "calibrate", "board": "B", "corners": CORNERS, "pockets": "a"}
    camera(page, "B").get_by_role("button", name="Turn the board").click()
    camera(page, "B").get_by_role("button", name="Use these corners").click()
    assert sent(page, live, 3)["corners"] == [CORNERS[3], *CORNERS[:3]]


def test_what_is_laid_by_hand_while_an_answer_is_on_its_way_stays(visit: "Visit") -> None:
    page = visit("setup", viewport=SCREEN)
    held: list[Route] = []
    page.route("**/command", lambda route: held.append(route))
    camera(page, "B").get_by_role("button", name="Find the board again").click()
    camera(page, "B").get_by_role("button", name="Turn the board").click()
    while not held:
        page.wait_for_timeout(20)
    with page.expect_response("**/command"):
        held.pop().continue_()
    page.wait_for_timeout(200)
    expect(camera(page, "B").get_by_role("button", name="Use these corners")).to_be_visible()


def test_players_rules_and_time_control(visit: "Visit", live: Live) -> None:
    live.snapshot["moves"] = []
    live.publish()
    page = visit("setup")
    page.get_by_label("Black B").fill("Daria")
    page.get_by_label("Black B").press("Tab")
    assert sent(page, live, 1)["players"]["B"] == {"white": "Carla", "black": "Daria"}
    live.desk.refuse["profile"] = RefusedError("too_late")
    page.locator("#profile").select_option("uscf")
    assert sent(page, live, 2) == {"do": "profile", "profile": "uscf"}
    expect(page.locator("#error")).to_have_text("Too late for this: the match has begun.")
    expect(page.locator("#profile")).to_have_value("scacco-bratto")
    page.get_by_label("Minutes").fill("2.5")
    page.get_by_label("Seconds a move").fill("0")
    page.get_by_role("button", name="Set the clocks").click()
    assert sent(page, live, 3) == {"do": "clock_control", "control": "150"}
    live.snapshot["moves"] = [{"board": "A", "color": "white", "number": 1, "san": "e4"}]
    live.publish()
    expect(page.locator("#profile")).to_be_disabled()


def test_what_is_missing_is_said_until_all_is_ready(visit: "Visit", live: Live) -> None:
    board, watched = live.snapshot["boards"]["A"], live.snapshot["live"]["cameras"]["B"]
    board |= {"state": "waiting", "missing": {"e2": ["P", "."]}}
    watched["found"] = False
    live.publish()
    page = visit("setup", locale="it-IT")
    said = page.locator("#ready li")
    expect(said).to_have_text(["Scacchiera A: e2: manca un pedone bianco", "Scacchiera B: scacchiera non trovata"])
    expect(page.locator("#ready-title .mark.done")).to_have_count(0)
    board |= {"state": "ready", "missing": {}}
    watched["found"] = True
    live.publish()
    expect(said).to_have_text(["Scacchiera A: pronta", "Scacchiera B: pronta"])
    expect(page.locator("#ready-title .mark.done")).to_have_count(1)


def test_health(visit: "Visit", live: Live) -> None:
    live.snapshot["live"]["cameras"]["B"] |= {"state": "lost", "fps": 0, "fault": "no such device"}
    live.snapshot["live"]["health"]["new_figure"] = 7
    live.publish()
    page = visit("health")
    rows = page.locator("#cameras-rows tr")
    expect(rows.nth(0)).to_have_text("Camera Aworks29.80.02 s0")
    expect(rows.nth(1).locator(".bad")).to_have_text("no connection: no such device")
    figures = page.locator("#figures tr")
    expect(figures.filter(has_text="Free disk space")).to_contain_text("52.3 GB")
    expect(figures.filter(has_text="new_figure")).to_contain_text("7")
    live.snapshot["live"]["skew"] = 0.25
    live.publish()
    expect(figures.filter(has_text="behind the other")).to_contain_text("0.25 s")


def test_a_recorded_match_has_no_set_up(visit: "Visit", live: Live) -> None:
    del live.snapshot["live"]
    live.publish()
    for path in ("setup", "health"):
        page = visit(path)
        expect(page.locator("#state")).to_have_text("Only a live match has this.")
        expect(page.locator("main")).to_be_hidden()
