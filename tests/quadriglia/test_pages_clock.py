"""The clock beside a board and the overlay for OBS, in a browser."""

import re
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from quadriglia.errors import RefusedError
from tests.quadriglia.fake_desk import Live

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.quadriglia.browser import Visit

pytest_plugins = ("tests.quadriglia.browser",)
api = pytest.importorskip("playwright.sync_api")
expect: Any = api.expect

FULL_HD = {"width": 1920, "height": 1080}


def run(live: Live, color: str | None, **seconds: float) -> None:
    """Let a clock of board A run, with so much on it."""
    live.snapshot["live"]["clocks"]["A"] |= {"running": color, **seconds}
    live.publish()


def alpha(page: "Page") -> "np.ndarray[Any, Any]":
    """Of every pixel, as OBS sees the page."""
    data = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    assert image is not None
    assert image.shape[2] == 4
    return image[..., 3]


def test_a_tap_presses_only_for_who_is_in_turn(visit: "Visit", live: Live) -> None:
    run(live, "white", white=100.0, black=90.0)
    page = visit("clock/A", viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    near, far = page.locator(".near"), page.locator(".far")
    expect(near).to_contain_text("Anna")
    expect(near).to_have_class(re.compile("runs"))
    assert far.evaluate("half => getComputedStyle(half).rotate") == "180deg"
    far.tap()
    near.tap()
    # It shows at once, before the program says anything; the same man cannot press twice.
    expect(near).not_to_have_class(re.compile("runs"))
    near.tap()
    page.wait_for_timeout(100)
    assert live.desk.told == [{"do": "press", "board": "A", "color": "white"}]
    run(live, "black")
    expect(far).to_have_class(re.compile("runs"))
    far.press("Enter")
    expect(far).not_to_have_class(re.compile("runs"))
    assert live.desk.told[1:] == [{"do": "press", "board": "A", "color": "black"}]
    # A press that did not arrive takes nobody's time away.
    live.desk.refuse["press"] = RefusedError("busy", 503)
    run(live, "black")
    expect(far).to_have_class(re.compile("runs"))
    far.tap()
    expect(page.locator("#error")).to_be_visible()
    expect(far).to_have_class(re.compile("runs"))


def test_it_counts_down_to_the_flag_and_a_reload_loses_nothing(visit: "Visit", live: Live) -> None:
    run(live, "black", black=0.6)
    page = visit("clock/A", locale="it-IT")
    expect(page.locator(".far")).to_contain_text(re.compile(r"0:00\.[1-5]"))
    expect(page.locator(".far .flag")).to_be_hidden()
    expect(page.locator(".far .flag")).to_have_text("Bandierina")
    expect(page.locator(".far .flag")).to_be_visible()
    expect(page.locator(".far .time")).to_have_text("0:00.0")
    run(live, None, black=61.7, white=19.95)
    page.get_by_role("button", name="Gira").click()
    page.reload()
    expect(page.locator(".near .time")).to_have_text("1:01")
    expect(page.locator(".far .time")).to_have_text("0:20.0")


def test_starting_stopping_and_setting(visit: "Visit", live: Live) -> None:
    page = visit("clock/B")
    page.get_by_role("button", name="Start").click()
    live.snapshot["live"]["clocks"]["B"]["running"] = "white"
    live.publish()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Set…").click()
    page.get_by_label("Black").fill("abc")
    page.get_by_role("button", name="Set the times").click()
    expect(page.locator("#setting .error")).to_contain_text("That is no time")
    page.get_by_label("Black").fill("2:30")
    page.get_by_role("button", name="Set the times").click()
    expect(page.locator("#setting")).to_be_hidden()
    page.get_by_role("button", name="Set…").click()
    page.get_by_label("Minutes").fill("5")
    page.get_by_label("Seconds a move").fill("3")
    page.get_by_label("Added").select_option("d")
    live.publish()
    page.get_by_role("button", name="Set the clocks").click()
    expect(page.locator("#setting")).to_be_hidden()
    assert live.desk.told == [
        {"do": "clock_start"},
        {"do": "clock_stop"},
        {"do": "clock_set", "board": "B", "color": "black", "seconds": 150},
        {"do": "clock_control", "control": "300d3"},
    ]


def test_the_overlay_is_transparent_where_nothing_is(visit: "Visit", live: Live) -> None:
    live.snapshot["live"]["clocks"]["A"] |= {"running": "white"}
    live.publish()
    page = visit("overlay?layout=both", viewport=FULL_HD, color_scheme="dark")
    expect(page.locator(".match")).to_have_count(2)
    seen = alpha(page)
    assert 0.1 < (seen == 0).mean() < 0.4
    assert (seen[:, [0, 960, 1919]] == 0).all()
    corners = page.locator(".match .board").first.bounding_box()
    assert corners
    assert corners["width"] > 750
    assert seen[540, int(corners["x"]) + 400] == 255


def test_the_layouts_of_the_overlay(visit: "Visit", live: Live) -> None:
    page = visit("overlay?layout=strip", viewport=FULL_HD)
    expect(page.locator(".side")).to_have_count(4)
    expect(page.locator(".board")).to_have_count(0)
    seen = alpha(page)
    assert (seen[:800] == 0).all()
    assert (seen[850:] > 0).mean() > 0.8
    for name, other in (("A", "Carla"), ("B", "Anna")):
        page.goto(f"{live.server.url}overlay?layout={name}")
        expect(page.locator(".match")).to_have_count(1)
        expect(page.locator("main")).not_to_contain_text(other)
        assert page.evaluate("document.documentElement.scrollHeight") == 1080


def test_what_the_overlay_says(visit: "Visit", live: Live) -> None:
    board = live.snapshot["boards"]["A"]
    board["waiting"] = True
    run(live, "white", white=65.0)
    page = visit("overlay?lang=it", viewport=FULL_HD)
    anna = page.locator(".side", has_text="Anna")
    expect(anna.locator(".waits")).to_have_text("aspetta un pezzo")
    expect(page.locator(".waits:visible")).to_have_count(1)
    expect(anna.locator(".clock.runs")).to_have_text("1:04")
    expect(anna.locator(".pocket li:visible")).to_have_count(1)
    expect(page.locator(".line").first).to_have_text("Scacchiera A4… d5")
    board["state"] = "unsure"
    live.snapshot |= {"result": "1-0", "reason": "checkmate"}
    live.publish()
    expect(page.locator("#result")).to_have_text("Vincono Anna e Dario · scacco matto")
    expect(page.locator(".waits:visible")).to_have_count(0)


def test_the_overlay_of_a_recorded_match(visit: "Visit", live: Live) -> None:
    del live.snapshot["live"]
    live.publish()
    page = visit("overlay?lang=en")
    expect(page.locator(".side b").first).to_have_text("Black A")
    expect(page.locator(".clock:visible")).to_have_count(0)
