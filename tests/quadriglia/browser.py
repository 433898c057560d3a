"""Fixtures for tests of the pages in headless Chromium; without playwright or Chromium these tests are skipped."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from quadriglia.pageserver import PageServer
from tests.quadriglia.fake_desk import FakeDesk, Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    Visit = Callable[..., Page]

DRAWN = {"": ".panel", "overlay": ".match", "clock": ".name:not(:empty)", "setup": "#ready li", "health": "#figures tr"}
"""What is there once a page has drawn a live match. Waiting for it is quicker than asking again and again."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 15_000.0  # milliseconds until something expected must have come


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Headless Chromium, as it is installed on this machine."""
    api = pytest.importorskip("playwright.sync_api")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("no Chromium on this machine")
    api.expect.set_options(timeout=PATIENCE)
    with api.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A live match in play, which the test goes on telling."""
    desk = FakeDesk(tmp_path)
    with PageServer(0, desk) as server:
        match = Live(server, desk)
        match.publish()
        yield match


@pytest.fixture
def visit(browser: "Browser", live: Live) -> "Iterator[Visit]":
    """Opens a page of the match; `frozen`: its time only runs by `page.clock`; other keywords go to
    the browser's context. No page may break, or break its own policy."""
    faults: list[str] = []
    contexts = []

    def heard(text: str) -> None:
        # A refused command is told by the browser too.
        if "Failed to load resource" not in text:
            faults.append(text)

    def opened(path: str = "", frozen: bool = False, **options: Any) -> "Page":
        context = browser.new_context(**{"locale": "en-GB", "reduced_motion": "reduce"} | options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        if frozen:
            page.clock.install(time=0)
            page.clock.pause_at(1)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: heard(message.text) if message.type == "error" else None)
        page.goto(live.server.url + path)
        drawn = DRAWN.get(re.split("[/?]", path)[0])
        if drawn and "live" in live.snapshot:
            page.wait_for_selector(drawn, state="attached")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
