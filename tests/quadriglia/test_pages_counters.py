"""Games with counters in a browser: boards of both sizes, the score, and putting a position right."""

from typing import TYPE_CHECKING, Any

import pytest

from rules.countermatch import GAMES
from rules.counters import CounterGame
from tests.quadriglia.fake_desk import Live, alert, counter_board, counter_match, play_counters

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.quadriglia.browser import Visit

pytest_plugins = ("tests.quadriglia.browser",)
api = pytest.importorskip("playwright.sync_api")
expect: Any = api.expect

FULL_HD = {"width": 1920, "height": 1080}
TELEPHONE = {"width": 360, "height": 740}
ALL_AROUND = "g4-f4~e3f3g3e4g4e5f5g5a1b1c1d1e1f1g1a2"


def show(live: Live, game: CounterGame = "quadwrangle") -> dict[str, Any]:
    """A game with counters in play; its board, to be changed."""
    live.snapshot = counter_match(game)
    live.publish()
    board: dict[str, Any] = live.snapshot["boards"]["A"]
    return board


def scores(page: "Page") -> list[str]:
    """Black's and White's counters, as they are written: Black sits at the top."""
    return page.locator(".score:visible").all_inner_texts()


def drawn(page: "Page") -> dict[str, str]:
    """The colour of the disc on each square that has one; the square is where it is seen."""
    found: dict[str, str] = page.evaluate("""() => {
      const board = document.querySelector(".board");
      const frame = board.getBoundingClientRect();
      const side = frame.width / Math.sqrt(board.children.length);
      return Object.fromEntries([...board.querySelectorAll(".piece")].map((piece) => {
        const box = piece.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2 - frame.x, frame.bottom - box.y - box.height / 2];
        const name = "abcdefgh"[Math.floor(x / side)] + (Math.floor(y / side) + 1);
        return [name, piece.querySelectorAll("circle").length === 2 ? piece.classList[1] : "chessman"];
      }));
    }""")
    return found


def in_truth(game: CounterGame, fen: str) -> dict[str, str]:
    position = GAMES[game].from_fen(fen)
    cells = {f"{file}{rank}": ord(file) - 97 + 8 * (rank - 1) for file in "abcdefgh" for rank in range(1, 9)}
    colors = {name: position.color_at(cell) for name, cell in cells.items()}
    return {name: "white" if color else "black" for name, color in colors.items() if color is not None}


def correcting(page: "Page") -> "Locator":
    page.locator(".edit").press("Enter")
    return page.locator(".editor")


def saved(page: "Page", editor: "Locator", live: Live) -> dict[str, Any]:
    """The command that saving sends."""
    with page.expect_response("**/command"):
        editor.locator(".save").click()
    return live.desk.told[-1]


@pytest.mark.parametrize("game", ["quadwrangle", "affollata"])
def test_a_game_is_shown_with_its_score(visit: "Visit", live: Live, game: CounterGame) -> None:
    board = show(live, game)
    page = visit(viewport=FULL_HD)
    side = GAMES[game].SIZE
    expect(page.locator(".board > div")).to_have_count(side**2)
    expect(page.locator(".board .file")).to_have_text(list("abcdefgh"[:side]))
    expect(page.locator(".board .rank")).to_have_text([str(rank) for rank in range(side, 0, -1)])
    assert drawn(page) == in_truth(game, board["fen"])
    white, black = board["score"]
    assert scores(page) == [str(black), str(white)]
    expect(page.get_by_role("img", name=f"Counters of White: {white}")).to_be_visible()
    expect(page.get_by_label("Name of Black")).to_have_value("Bruno")
    for absent in (".pocket", ".passed", ".partner:not(:empty)", "#board-B"):
        expect(page.locator(absent).filter(visible=True)).to_have_count(0)


def test_an_action_appears_and_the_counters_turn(visit: "Visit", live: Live) -> None:
    board = show(live)
    page = visit(locale="it-IT")
    expect(page.locator(".newest")).to_have_text("2. d5")
    played = play_counters("quadwrangle", "c6")
    board |= counter_board(played)
    live.snapshot["moves"].append({"board": "A", "color": "black", "number": 2, "san": "c6"})
    live.publish()
    expect(page.locator(".newest")).to_have_text("2… c6")
    expect(page.locator("#moves td").last).to_have_text("c6")
    expect(page.locator("#spoken")).to_have_text("Scacchiera A: c6")
    expect(page.locator(".board > .last .piece.black")).to_have_count(1)
    assert drawn(page) == in_truth("quadwrangle", played.board().fen())
    expect(page.get_by_role("img", name=f"Pedine del Nero: {board['score'][1]}")).to_be_visible()
    assert scores(page) == [str(count) for count in reversed(played.score)]


def test_actions_against_the_rules_fit(visit: "Visit", live: Live) -> None:
    board = show(live)
    board |= {"state": "unsure", "explanations": [[ALL_AROUND], ["f4~", ALL_AROUND]], "provisional": ["g5-f6~d7"]}
    for color in ("black", "white", "black"):
        number = len(live.snapshot["moves"]) // 2 + 1
        live.snapshot["moves"].append({"board": "A", "color": color, "number": number, "san": ALL_AROUND})
    live.snapshot["alerts"] = [alert(1, "turned_too_many", san=ALL_AROUND)]
    live.publish()
    for size in (FULL_HD, TELEPHONE):
        page = visit(viewport=size)
        # What is only probable ends on f6, where Black stands: d7 was turned.
        expect(page.locator(".guess:has(.black)")).to_have_count(1)
        expect(page.locator("#alerts")).to_contain_text("turned too many counters")
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        for part, frame in (
            (".choice", ".panel"),
            (".now .pill", ".panel"),
            ("#moves table", "#moves"),
            ("#alerts p", "#alerts"),
        ):
            for inner in page.locator(part).filter(visible=True).all():
                assert beside(inner, page.locator(frame)) <= 1, part


def beside(inner: "Locator", frame: "Locator") -> float:
    """How many pixels of `inner` lie to the left or the right of `frame`."""
    inside, around = inner.bounding_box(), frame.bounding_box()
    assert inside
    assert around
    right = inside["x"] + inside["width"] - around["x"] - around["width"]
    return max(around["x"] - inside["x"], right)


def test_counters_are_dragged_turned_and_taken_off(visit: "Visit", live: Live) -> None:
    board = show(live)
    page = visit(viewport=FULL_HD)
    editor = correcting(page)
    expect(editor.locator(".supply [data-place]")).to_have_count(2)
    expect(editor.locator(".pocket, .castling")).to_have_count(0)
    for start, to in (("supply:C", "a4"), ("supply:c", "d7"), ("b1", "c2"), ("g6", None)):
        page.mouse.move(*middle(editor, start))
        page.mouse.down()
        page.mouse.move(*(middle(editor, to) if to else (2.0, 2.0)), steps=4)
        page.mouse.up()
    for _ in range(2):  # chosen twice, it turns over
        page.mouse.click(*middle(editor, "f7"))
    editor.get_by_role("button", name="To move: Black").click()
    assert board["fen"] == "1PPPpp1/p2P1pp/p2P3/p5p/p5p/p5p/1PPPPP1 b"
    fen = "1PPppP1/p2P1p1/p2P3/P5p/p5p/p1P3p/2PPPP1 w"
    assert saved(page, editor, live) == {"do": "set_position", "board": "A", "fen": fen, "revision": 41}
    expect(editor).to_have_count(0)


def middle(editor: "Locator", place: str) -> tuple[float, float]:
    box = editor.locator(f'[data-place="{place}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_counters_are_put_right_by_keyboard(visit: "Visit", live: Live) -> None:
    show(live)
    page = visit(locale="it-IT")
    editor = correcting(page)
    expect(editor.get_by_role("button", name="e4: vuota")).to_be_focused()
    # The edge of the smaller board stops the arrows.
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(editor.get_by_role("button", name="g4: una pedina nera")).to_be_focused()
    for key in ("Delete", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    editor.get_by_role("button", name="Dalla scatola: una pedina bianca").press("Enter")
    expect(editor.get_by_role("button", name="g6: una pedina bianca")).to_have_count(1)
    editor.get_by_role("button", name="g6: una pedina bianca").press("Enter")
    editor.get_by_role("button", name="d4: vuota").press("Enter")
    assert saved(page, editor, live)["fen"] == "1PPPpp1/p2P1p1/p2P3/p2P3/p5p/p5p/1PPPPP1 b"


def test_affollata_is_put_right_on_sixty_four_squares(visit: "Visit", live: Live) -> None:
    board = show(live, "affollata")
    page = visit()
    editor = correcting(page)
    editor.get_by_role("button", name="h8: a black counter").press("Delete")
    assert saved(page, editor, live)["fen"] == board["fen"].replace("1PPpppPp/", "1PPpppP1/")


def test_the_overlay_has_board_and_score_in_every_layout(visit: "Visit", live: Live) -> None:
    board = show(live)
    live.snapshot["moves"][-1]["san"] = ALL_AROUND
    live.snapshot |= {"result": "0-1", "reason": "counted"}
    live.publish()
    page = visit("page/icon.svg", viewport=FULL_HD)
    for layout in ("both", "A", "strip"):
        page.goto(f"{live.server.url}overlay?layout={layout}&lang=it")
        expect(page.locator("#result")).to_have_text("Vince il Nero · conta delle pedine")
        assert scores(page) == ["12", "10"], layout
        assert page.locator(".board > div").count() == (0 if layout == "strip" else 49)
        if layout != "strip":
            assert drawn(page) == in_truth("quadwrangle", board["fen"]), layout
        expect(page.locator(".side b:visible").filter(has_text="Anna")).to_have_count(1)
        expect(page.locator(".pocket:visible")).to_have_count(0)
        for part in (".side.top", ".side.bottom", "p.line"):
            box = page.locator(part).bounding_box()
            assert box
            assert 0 <= box["x"] < box["x"] + box["width"] <= 1920, (layout, part)
            assert 0 <= box["y"] < box["y"] + box["height"] <= 1080, (layout, part)


def test_what_is_missing_is_said_of_counters(visit: "Visit", live: Live) -> None:
    board = show(live)
    board |= {"state": "waiting", "missing": {"b7": ["P", "."], "d4": [".", "p"], "g6": ["p", "P"]}}
    live.publish()
    page = visit("setup", locale="it-IT", viewport=FULL_HD)
    said = [
        "b7: manca una pedina bianca",
        "d4: una pedina nera è di troppo",
        "g6: qui va una pedina nera, non una pedina bianca",
    ]
    expect(page.locator("#ready li")).to_have_text([f"Scacchiera A: {words}" for words in said])
    expect(page.locator(".corner")).to_have_text(["a7", "g7", "g1", "a1"])
    expect(page.locator(".side:visible")).to_have_count(0)
    page.goto(live.server.url)
    expect(page.locator(".missing li")).to_have_text(said)


def test_an_open_page_follows_to_another_game(visit: "Visit", live: Live) -> None:
    page = visit("overlay?layout=A", viewport=FULL_HD)
    expect(page.locator(".board > div")).to_have_count(64)
    show(live)
    expect(page.locator(".board > div")).to_have_count(49)
    assert scores(page) == ["12", "10"]
