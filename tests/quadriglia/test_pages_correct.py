"""Putting a board right in the browser: by mouse, by keyboard, by touch, and while the match goes on."""

from typing import TYPE_CHECKING, Any

import pytest

from quadriglia.errors import RefusedError
from tests.quadriglia.fake_desk import FENS, Live

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.quadriglia.browser import Visit

pytest_plugins = ("tests.quadriglia.browser",)
api = pytest.importorskip("playwright.sync_api")
expect: Any = api.expect

PLAYED = "r1bqkb1r/ppp2ppp/2n2n2/3Pp3/2B5/3P1N2/PPP2PPP/RNBQK2R[Pnp] b KQkq - 0 5"


def correcting(page: "Page", board: str = "A") -> "Locator":
    panel = page.locator(f"section.panel:has(#board-{board})")
    panel.get_by_role("button", name="Correct").click()
    return panel.locator(".editor")


def drag(page: "Page", editor: "Locator", start: str, to: str | tuple[float, float]) -> None:
    """By mouse, in a few steps as a hand does it; `to`: a place, or a point."""
    page.mouse.move(*middle(editor, start))
    page.mouse.down()
    point = middle(editor, to) if isinstance(to, str) else to
    page.mouse.move(*point, steps=4)
    page.mouse.up()


def middle(editor: "Locator", place: str) -> tuple[float, float]:
    box = editor.locator(f'[data-place="{place}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def saved(page: "Page", editor: "Locator", live: Live) -> dict[str, Any]:
    """The command that saving sends."""
    with page.expect_response("**/command"):
        editor.locator(".save").click()
    return live.desk.told[-1]


DRAGS: list[tuple[list[tuple[str, str | tuple[float, float]]], str]] = [
    ([("e4", "d5")], "r1bqkb1r/ppp2ppp/2n2n2/3Pp3/2B5/3P1N2/PPP2PPP/RNBQK2R[Pnp] w KQkq - 0 5"),
    # Into the reserve and out of it again; a black man laid there is White's afterwards.
    (
        [("d5", "white:P"), ("black:N", "h5")],
        "r1bqkb1r/ppp2ppp/2n2n2/4p2n/2B1P3/3P1N2/PPP2PPP/RNBQK2R[PPp] w KQkq - 0 5",
    ),
    # From the supply, off the board, and a king that goes into no reserve.
    (
        [("supply:q", "h4"), ("a2", (2.0, 2.0)), ("e8", "black:Q")],
        "r1bqkb1r/ppp2ppp/2n2n2/3pp3/2B1P2q/3P1N2/1PP2PPP/RNBQK2R[Pnp] w KQkq - 0 5",
    ),
    # A king away from home castles no more, nor does a rook that is gone.
    (
        [("e1", "e2"), ("h8", "supply:r")],
        "r1bqkb2/ppp2ppp/2n2n2/3pp3/2B1P3/3P1N2/PPP1KPPP/RNBQ3R[Pnp] w q - 0 5",
    ),
]


def test_men_are_dragged(visit: "Visit", live: Live) -> None:
    page = visit(viewport={"width": 1600, "height": 1000})
    for drags, fen in DRAGS:
        editor = correcting(page)
        for start, to in drags:
            drag(page, editor, start, to)
        assert saved(page, editor, live) == {"do": "set_position", "board": "A", "fen": fen, "revision": 41}
        expect(editor).to_have_count(0)


def test_turn_and_castling_are_set(visit: "Visit", live: Live) -> None:
    page = visit()
    editor = correcting(page)
    editor.get_by_role("button", name="To move: White").click()
    editor.get_by_label("Black O-O", exact=True).uncheck()
    assert saved(page, editor, live)["fen"] == FENS["A"].replace(" w KQkq", " b KQq")


def test_by_keyboard(visit: "Visit", live: Live) -> None:
    page = visit()
    page.locator(".edit").first.focus()
    page.keyboard.press("Enter")
    editor = page.locator(".editor")
    # The square first, then the man that belongs there; then one from square to square; then one away.
    expect(editor.locator('[data-place="e4"]')).to_be_focused()
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(editor.locator(".says")).to_have_text("e6: now choose a piece.")
    editor.get_by_role("button", name="From the supply: a white queen").press("Enter")
    editor.get_by_role("button", name="f3: a white knight").press("Enter")
    for key in ("ArrowRight", "ArrowUp", "Enter", "ArrowDown", "ArrowDown", "Delete"):
        page.keyboard.press(key)
    editor.locator(".save").press("Enter")
    expect(editor).to_have_count(0)
    expected = "r1bqkb1r/ppp2ppp/2n1Qn2/3pp3/2B1P1N1/3P4/PPP2P1P/RNBQK2R[Pnp] w KQkq - 0 5"
    assert live.desk.told == [{"do": "set_position", "board": "A", "fen": expected, "revision": 41}]
    page.locator(".edit").first.press("Enter")
    page.keyboard.press("Escape")
    expect(editor).to_have_count(0)


def test_by_touch_on_a_telephone(visit: "Visit", live: Live) -> None:
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.locator(".edit").first.tap()
    editor = page.locator(".editor")
    for place in ("e4", "d5"):
        editor.locator(f'[data-place="{place}"]').tap()
    expect(editor.locator(".says")).to_have_text("a white pawn: d5")
    expect(editor.get_by_role("button", name="d5: a white pawn")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    editor.locator(".save").tap()
    expect(editor).to_have_count(0)
    assert live.desk.told[0]["fen"] == PLAYED.replace(" b ", " w ")


def test_plies_on_the_other_board_disturb_nothing(visit: "Visit", live: Live) -> None:
    page = visit()
    editor = correcting(page)
    drag(page, editor, "e4", "d5")
    live.board("B", FENS["B"].replace(" w ", " b "))
    expect(page.locator("#board-B ~ .table .player.top.turn")).to_have_count(0)
    expect(editor.get_by_role("button", name="d5: a white pawn")).to_have_count(1)
    sent = saved(page, editor, live)
    assert (sent["fen"], sent["revision"]) == (PLAYED.replace(" b ", " w "), 42)


def test_what_is_stale_is_told_and_the_new_position_offered(visit: "Visit", live: Live) -> None:
    live.desk.refuse["set_position"] = RefusedError("stale", 409)
    page = visit()
    editor = correcting(page)
    look = editor.get_by_role("button", name="Look at the new position")
    drag(page, editor, "a2", "a4")
    expect(look).to_be_hidden()
    live.board("A", PLAYED)
    expect(editor.locator(".says")).to_contain_text("Meanwhile this board has changed")
    expect(editor.get_by_role("button", name="a4: a white pawn")).to_have_count(1)
    assert saved(page, editor, live)["revision"] == 41
    # Who was told and insists gets his way; who looks begins anew.
    expect(editor.locator(".save")).to_have_text("Save mine all the same")
    assert saved(page, editor, live)["revision"] == 42
    look.click()
    expect(editor.get_by_role("button", name="a4: empty")).to_have_count(1)
    live.desk.refuse.clear()
    assert saved(page, editor, live) == {"do": "set_position", "board": "A", "fen": PLAYED, "revision": 42}


def test_a_refusal_is_said_and_the_draft_stays(visit: "Visit", live: Live) -> None:
    live.desk.refuse["set_position"] = RefusedError("fen")
    page = visit()
    editor = correcting(page)
    drag(page, editor, "e4", "d5")
    saved(page, editor, live)
    expect(editor.locator(".says")).to_have_text("This position cannot be set.")
    expect(editor.get_by_role("button", name="d5: a white pawn")).to_have_count(1)
    drag(page, editor, "e8", (2.0, 2.0))
    expect(editor.get_by_role("button", name="Each side needs one king")).to_be_disabled()
    editor.get_by_role("button", name="Cancel").click()
    expect(page.locator("#board-A ~ .table .board")).to_be_visible()
    assert len(live.desk.told) == 1


def test_promoted_men_stay_promoted_until_taken(visit: "Visit", live: Live) -> None:
    fen = "Q~3k3/8/8/8/8/8/8/R~3K3[] w - - 0 40"
    live.board("A", fen)
    live.snapshot["boards"]["A"]["promoted"] = {"a8": "a8", "a1": "b8"}
    live.publish()
    page = visit()
    editor = correcting(page)
    drag(page, editor, "a8", "c6")
    drag(page, editor, "a1", "black:P")
    assert saved(page, editor, live)["fen"] == "4k3/8/2Q~5/8/8/8/8/4K3[p] w - - 0 40"


def test_chess_has_no_reserves(visit: "Visit", live: Live) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    live.board("A", FENS["A"])
    live.snapshot["game"] = "chess"
    del live.snapshot["boards"]["B"]
    live.snapshot["boards"]["A"] |= {"fen": fen, "placement": fen.split()[0]}
    live.publish()
    page = visit()
    editor = correcting(page)
    expect(editor.locator(".pocket:visible")).to_have_count(0)
    assert saved(page, editor, live)["fen"] == fen
