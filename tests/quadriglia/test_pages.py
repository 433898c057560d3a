"""The arbiter's page in a browser: what it shows of a live match, and what it tells the program to do."""

from typing import TYPE_CHECKING, Any

import pytest

from quadriglia.errors import RefusedError
from tests.quadriglia.fake_desk import Live, alert

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.quadriglia.browser import Visit

pytest_plugins = ("tests.quadriglia.browser",)
api = pytest.importorskip("playwright.sync_api")
expect: Any = api.expect


def panel(page: "Page", board: str = "A") -> "Locator":
    return page.locator(f"section.panel:has(#board-{board})")


def told(page: "Page", live: Live, count: int = 1) -> dict[str, Any]:
    """The last command, once so many have come."""
    for _ in range(100):
        if len(live.desk.told) >= count:
            break
        page.wait_for_timeout(20)
    assert len(live.desk.told) == count
    return live.desk.told[-1]


def play(page: "Page", live: Live, san: str) -> None:
    """One more move on board A, and wait until it is seen."""
    live.snapshot["moves"].append({"board": "A", "color": "white", "number": 5, "san": san})
    live.publish()
    expect(panel(page).locator(".newest")).to_have_text(f"5. {san}")


def test_a_recorded_match_has_nothing_to_press(visit: "Visit", live: Live) -> None:
    del live.snapshot["live"]
    live.snapshot["boards"]["A"]["provisional"] = ["exd5"]
    live.publish()
    page = visit()
    expect(panel(page).locator(".newest")).to_have_text("4… d5")
    expect(panel(page).locator(".provisional")).to_have_text("exd5?")
    expect(panel(page).locator(".guess")).to_have_count(1)
    expect(page.locator("button:visible")).to_have_count(1)


def test_names_and_clocks(visit: "Visit", live: Live) -> None:
    live.snapshot["live"]["clocks"]["A"] |= {"running": "white", "white": 65.0}
    live.publish()
    page = visit(frozen=True)
    expect(page.get_by_label("Name of White A")).to_have_value("Anna")
    running = panel(page).locator(".clock.runs")
    expect(running).to_have_text("1:05")
    page.clock.run_for(50_000)
    expect(running).to_have_text("0:15.0")
    expect(panel(page).locator(".clock:not(.runs)")).to_have_text("2:45")


def test_what_is_missing_at_the_start_is_said(visit: "Visit", live: Live) -> None:
    board = live.snapshot["boards"]["A"]
    board["state"] = "waiting"
    board["missing"] = {"e2": ["P", "."], "f5": [".", "n"], "e1": ["K", "q"], "d1": ["Q", "?"]}
    live.publish()
    page = visit()
    expect(panel(page).locator(".missing li")).to_have_text(
        [
            "e2: a white pawn is missing",
            "f5: a black knight should not be here",
            "e1: a white king belongs here, not a black queen",
            "d1: a white queen is not recognised",
        ]
    )
    expect(panel(page).locator(".wanting")).to_have_count(4)
    page.get_by_role("button", name="Italiano").click()
    expect(panel(page).locator(".missing li").first).to_have_text("e2: manca un pedone bianco")
    board["state"] = "ready"
    live.publish()
    expect(panel(page).locator(".missing")).to_be_hidden()


def test_undo_carries_the_revision(visit: "Visit", live: Live) -> None:
    page = visit()
    panel(page, "B").get_by_role("button", name="Take back").click()
    assert told(page, live) == {"do": "undo", "board": "B", "revision": 41}
    live.desk.refuse["undo"] = RefusedError("stale", 409)
    panel(page, "B").get_by_role("button", name="Take back").click()
    expect(page.locator("#error")).to_contain_text("Meanwhile something else was played")


def test_an_explanation_is_chosen_with_one_click(visit: "Visit", live: Live) -> None:
    live.snapshot["boards"]["A"] |= {"state": "unsure", "explanations": [["exd5"], ["Bxd5", "Nf6"]]}
    live.publish()
    page = visit()
    page.get_by_role("button", name="Bxd5 Nf6").click()
    assert told(page, live) == {"do": "choose", "board": "A", "number": 1, "revision": 41}


def test_pause_and_resume(visit: "Visit", live: Live) -> None:
    page = visit()
    page.get_by_role("button", name="Pause").click()
    assert told(page, live) == {"do": "pause"}
    live.snapshot["live"]["paused"] = True
    live.publish()
    expect(page.locator("#state")).to_contain_text("Paused")
    page.get_by_role("button", name="Resume").click()
    assert told(page, live, 2) == {"do": "resume"}


def test_the_end_is_confirmed_and_told(visit: "Visit", live: Live) -> None:
    page = visit()
    page.get_by_role("button", name="End…").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="End…").click()
    page.get_by_label("Result").select_option(label="Black A and White B win (Bruno, Carla)")
    page.get_by_label("Reason").select_option("flag")
    page.get_by_role("button", name="End the match").click()
    assert told(page, live) == {"do": "end", "result": "0-1", "reason": "flag"}
    live.snapshot |= {"result": "0-1", "reason": "arbiter"}
    live.publish()
    expect(page.locator("#state")).to_have_text("Bruno and Carla win · the arbiter's decision")


def test_a_name_is_edited_in_place_while_snapshots_come(visit: "Visit", live: Live) -> None:
    page = visit()
    name = page.get_by_label("Name of Black B")
    name.fill("Da")
    play(page, live, "exd5")
    expect(name).to_have_value("Da")
    name.press_sequentially("ria")
    name.press("Enter")
    players = {"A": {"white": "Anna", "black": "Bruno"}, "B": {"white": "Carla", "black": "Daria"}}
    assert told(page, live) == {"do": "players", "players": players}


def test_texts_from_outside_are_only_texts(visit: "Visit", live: Live) -> None:
    evil = "<img src=x onerror=window.hit=1><script>window.hit=1</script>"
    live.snapshot["live"]["players"]["A"]["white"] = evil
    live.snapshot["alerts"] = [alert(1, "illegal_move", rule=evil, san=evil)]
    live.snapshot["boards"]["A"] |= {"state": "unsure", "explanations": [[evil], []], "provisional": [evil]}
    live.publish()
    page = visit()
    for path, shown in (
        ("overlay", ".who b"),
        ("clock/A", ".name"),
        ("setup", "#players input"),
        ("", "#alerts .rule"),
    ):
        page.goto(live.server.url + path)
        page.wait_for_function(
            "([at, evil]) => [...document.querySelectorAll(at)].some(e => (e.value ?? e.textContent).includes(evil))",
            arg=[shown, evil[:60]],
        )
        assert page.evaluate("window.hit") is None, path
        assert page.locator("img[src=x]").count() == 0, path


def test_alerts_are_judged_and_show_what_was_seen(visit: "Visit", live: Live) -> None:
    picture = live.desk.picture("A")
    assert picture
    assert live.desk.folder
    (live.desk.folder / "7.jpg").write_bytes(picture)
    live.snapshot["alerts"] = [
        alert(7, "illegal_move", san="Ke2-e4", rule="Art. 7: it loses.", picture=True),
        alert(8, "nudge", "notice", square="c6"),
    ]
    live.publish()
    page = visit()
    cards = page.locator("#alerts li:not(.empty)")
    expect(cards).to_have_count(2)
    expect(page.locator("#open-alerts")).to_have_text("2 alerts")
    first = cards.filter(has_text="illegal move")
    expect(first).to_contain_text("warning")
    expect(first).to_contain_text("Anna (White A)")
    expect(first).to_contain_text("Art. 7: it loses.")
    first.get_by_role("button", name="Show larger").click()
    assert page.evaluate("document.querySelector('#evidence img').decode().then(() => true)")
    page.get_by_role("button", name="Close").click()
    first.get_by_role("button", name="Accept").click()
    assert told(page, live) == {"do": "alert", "id": 7, "status": "accepted"}
    live.snapshot["alerts"][0]["status"] = "accepted"
    live.publish()
    expect(page.locator("#open-alerts")).to_have_text("1 alert")
    first.get_by_role("button", name="Reopen").click()
    assert told(page, live, 2) == {"do": "alert", "id": 7, "status": "open"}
    cards.filter(has_text="pushed").get_by_role("button", name="Dismiss").click()
    assert told(page, live, 3) == {"do": "alert", "id": 8, "status": "dismissed"}


def test_a_new_alert_sounds_once_and_not_when_switched_off(visit: "Visit", live: Live) -> None:
    live.snapshot["alerts"] = [alert(1, "nudge", "notice")]
    live.publish()
    page = visit()
    page.evaluate("""() => {
      window.tones = 0;
      const make = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); };
    }""")
    cards = page.locator("#alerts li:not(.empty)")
    expect(cards).to_have_count(1)
    page.locator("h1").click()  # no sound before the page was touched
    page.wait_for_timeout(100)
    live.snapshot["alerts"].append(alert(2, "nudge", "notice"))
    live.publish()
    expect(cards).to_have_count(2)
    play(page, live, "exd5")
    assert page.evaluate("window.tones") == 1
    page.get_by_role("button", name="Sound on").click()
    live.snapshot["alerts"].append(alert(3, "illegal_move"))
    live.publish()
    expect(cards).to_have_count(3)
    assert page.evaluate("window.tones") == 1
    page.reload()
    expect(page.get_by_role("button", name="Sound off")).to_be_visible()


def test_a_camera_is_seen_and_its_state_said(visit: "Visit", live: Live) -> None:
    live.snapshot["live"]["cameras"]["B"]["state"] = "frozen"
    live.publish()
    page = visit(frozen=True)
    cameras = page.locator(".camera")
    expect(cameras.nth(0)).to_contain_text("works")
    expect(cameras.nth(1)).to_contain_text("stands still")
    seconds = 0
    while live.desk.pictures < 8 and seconds < 50:
        page.clock.run_for(1000)
        page.wait_for_timeout(40)
        seconds += 1
    expect(cameras.nth(0).locator("img")).to_be_visible()
    assert 8 <= live.desk.pictures <= 2 * (seconds + 1)
    # Nobody looks: nothing is fetched.
    page.locator(".cameras").evaluate("section => section.style.display = 'none'")
    page.wait_for_timeout(150)
    before = live.desk.pictures
    page.clock.run_for(5000)
    page.wait_for_timeout(150)
    assert live.desk.pictures == before


def test_it_comes_back_by_itself_and_says_so_meanwhile(visit: "Visit", live: Live) -> None:
    sockets: list[Any] = []

    def pass_on(socket: Any) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page = visit("page/icon.svg")
    page.route_web_socket("**/ws", pass_on)
    page.goto(live.server.url)
    expect(page.locator("#state")).to_have_text("Reading the match")
    sockets[0].close()
    expect(page.locator("#state")).to_have_text("Not connected to the program, trying again")
    expect(panel(page).locator(".newest")).to_have_text("4… d5")
    play(page, live, "exd5")
    expect(page.locator("#state")).to_have_text("Reading the match")
    assert len(sockets) == 2


def test_who_may_not_come_is_told(visit: "Visit") -> None:
    page = visit("page/icon.svg")
    page.route("**/snapshot.json", lambda route: route.fulfill(status=403))
    page.route_web_socket("**/ws", lambda socket: socket.close())
    page.goto(page.url.replace("page/icon.svg", ""))
    expect(page.locator("#state")).to_contain_text("Open the arbiter's address")


def test_pages_fit_a_telephone_in_both_languages(visit: "Visit", live: Live) -> None:
    live.snapshot["boards"]["B"] |= {"state": "unsure", "explanations": [["Nf3"], ["Nc3", "d6"]]}
    live.snapshot["live"]["players"]["A"]["white"] = "Massimiliano Bartolomei della Quadriglia di Sopra"
    live.publish()
    for locale in ("it-IT", "en-GB"):
        page = visit(viewport={"width": 360, "height": 740}, locale=locale)
        for path, shown in (("", ".choice"), ("clock/A", ".near"), ("setup", "#ready"), ("health", "#figures tr")):
            page.goto(live.server.url + path)
            expect(page.locator(shown).first).to_be_visible()
            expect(page.locator("html")).to_have_attribute("lang", locale[:2])
            assert page.evaluate("document.documentElement.scrollWidth") == 360, path


def test_the_language_stays_after_a_reload(visit: "Visit") -> None:
    page = visit(locale="it-IT")
    expect(page.locator("h2", has_text="Avvisi")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.locator("h2", has_text="Alerts")).to_be_visible()
    page.reload()
    expect(page.locator("h2", has_text="Alerts")).to_be_visible()
