"""A whole evening as the arbiter sees it: `python -m tests.quadriglia.acceptance DIR [--shots DIR]`.

DIR is a match that `quadriglia simulate` has filmed, with a piece hidden from its reserve (`--irregularity
hidden_reserve@PLY`). Two network cameras show its beginning until `live` says that both boards are ready, and then play
it in real time; the arbiter's page is open in
headless Chromium. Told: whether the page showed every move as it was played, the alert with its picture and clip, and
a position corrected by dragging; and how the exported BPGN compares with the truth. `--shots` keeps pictures of pages.
"""

import argparse
import shutil
import signal
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from quadriglia import cli
from rules.records import Game, RecordError, read
from tests.quadriglia.browser import BROWSERS
from tests.quadriglia.test_live import Live
from tests.quadriglia.test_pages_correct import drag
from tests.vision.misbehaving import FakeCamera

OTHERS = (
    ("overlay?layout=both", "overlay", (1920, 1080)),
    ("overlay?layout=strip", "strip", (1920, 1080)),
    ("clock/A", "clock", (844, 390)),
    ("setup", "setup", (1280, 900)),
    ("health", "health", (1280, 800)),
    ("", "phone", (390, 844)),
)
AFTER = 25.0  # seconds after the last move for clip and stragglers


def main() -> None:
    """Play, look, correct, export, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("match", type=Path)
    parser.add_argument("--shots", type=Path)
    options = parser.parse_args()
    (truth,) = read((options.match / "truth.bpgn").read_text())
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, BROWSERS)))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver, ExitStack() as stack:
        folder = Path(name) / "match"
        a, b = (stack.enter_context(FakeCamera(options.match / f"{board}.mp4", 15, 1280, 720)) for board in "ab")
        for camera in (a, b):
            camera.become("start")
        live = Live(f"--camera-a={a.url}", f"--camera-b={b.url}", "--out", str(folder))
        try:
            live.until(lambda shown: all(board["state"] == "ready" for board in shown["boards"].values()))
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1920, "height": 1080}, locale="en-GB")
            page.goto(live.url)
            for camera in (a, b):
                camera.become("once")
            evening(page, live, len(truth.match.plies), options.shots)
            if options.shots:
                others(browser, live.url, options.shots)
            browser.close()
        finally:
            live.end(signal.SIGTERM)
        assert cli.main(["verify", str(folder)]) == 0
        assert cli.main(["export", str(folder)]) == 0
        text = (folder / "match.bpgn").read_text()
        judge(text, truth)


def judge(text: str, truth: Game) -> None:
    """Compare the exported record with what was played."""
    try:
        (game,) = read(text)
    except RecordError as error:  # plies against the rules are for `check`
        print(f"exported BPGN: {error}")
        return
    found, wanted = ([(ply.board, ply.san) for ply in match.plies] for match in (game.match, truth.match))
    by_board = all([p for p in found if p[0] == board] == [p for p in wanted if p[0] == board] for board in "AB")
    print(f"exported BPGN: {len(found)} of {len(wanted)} plies, each board right: {by_board}")
    print(f"order across boards the same: {found == wanted}; corrected position in it: {'%setup' in text}")


def evening(page: Any, live: Live, plies: int, shots: Path | None) -> None:
    """What the arbiter sees and does."""
    page.locator("section.panel").first.wait_for()
    name = page.get_by_label("Name of White A")
    name.fill("Anna")
    name.press("Enter")
    began, shown, picture, clip = time.monotonic(), 0, 0.0, 0.0
    last_move = time.monotonic()
    behind: list[float] = []
    while time.monotonic() - last_move < AFTER or shown < 10:
        told = len(live.snapshot()["moves"])
        if told > shown:
            asked = time.monotonic()
            last_move = asked
            while len(cells(page)) < told and time.monotonic() - asked < 3:
                page.wait_for_timeout(20)
            behind.append(time.monotonic() - asked)
            shown = told
            if shots and shown in (16, 40):
                page.screenshot(path=str(shots / f"arbiter-{shown}.png"))
        card = page.locator("#alerts li:not(.empty)").filter(has_text="out of sight")
        if not picture and card.count() and card.first.locator("img").count():
            picture = time.monotonic() - began
        if not clip and card.count() and card.first.get_by_role("button", name="Clip").count():
            clip = time.monotonic() - began
        page.wait_for_timeout(100)
    print(f"page: {len(cells(page))} moves shown of {plies}, at most {max(behind):.2f} s after they were told")
    print(f"hidden piece: picture after {picture:.0f} s, clip after {clip:.0f} s of the evening (0: none)")
    if clip:
        watch(page, shots)
    correct(page, live, shots)


def cells(page: Any) -> list[str]:
    """The moves on the page's score sheets."""
    texts = page.locator("#moves tbody td").all_text_contents()
    return [text for text in texts if text.strip() not in ("", "…")]


def watch(page: Any, shots: Path | None) -> None:
    """Play the clip in the page."""
    card = page.locator("#alerts li:not(.empty)").filter(has_text="out of sight").first
    card.get_by_role("button", name="Clip").click()
    video = page.locator("#evidence video")
    video.wait_for()
    page.wait_for_timeout(2500)
    seconds = video.evaluate("video => [video.duration, video.currentTime, video.videoWidth]")
    print(f"clip in the browser: {seconds[0]:.1f} s, played to {seconds[1]:.1f} s, {seconds[2]} pixels wide")
    if shots:
        page.screenshot(path=str(shots / "clip.png"))
    page.get_by_role("button", name="Close").click()
    card.get_by_role("button", name="Accept").click()


def correct(page: Any, live: Live, shots: Path | None) -> None:
    """Drag a man of board A one square on, and save."""
    before = live.snapshot()["boards"]["A"]["fen"]
    panel = page.locator("section.panel:has(#board-A)")
    panel.get_by_role("button", name="Correct").click()
    editor = panel.locator(".editor")
    page.wait_for_timeout(300)
    drag(page, editor, "supply:q", free(before))
    if shots:
        page.screenshot(path=str(shots / "correct.png"))
    editor.locator(".save").click()
    editor.wait_for(state="detached")
    after = live.until(lambda shown: shown["boards"]["A"]["fen"] != before)["boards"]["A"]["fen"]
    print(f"corrected by dragging: {before} -> {after}")


def free(fen: str) -> str:
    """An empty square in the middle of a board."""
    import chess

    board = chess.BaseBoard(fen.partition("[")[0].split()[0])
    return next(
        chess.square_name(square) for square in (chess.E5, chess.D5, chess.E4, chess.D4, chess.A5, chess.H5, chess.A4)
        if board.piece_at(square) is None
    )  # fmt: skip


def others(browser: Any, url: str, shots: Path) -> None:
    """Pictures of the other pages, the overlay transparent as OBS has it."""
    for path, file, size in OTHERS:
        page = browser.new_page(viewport={"width": size[0], "height": size[1]}, locale="it-IT")
        page.goto(url + path)
        page.wait_for_timeout(1500)
        page.screenshot(path=str(shots / f"{file}.png"), omit_background=True)
        page.close()


if __name__ == "__main__":
    main()
