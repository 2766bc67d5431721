"""Playing a computer in a browser: one click, hints, a takeback, and the analysis afterwards."""

import contextlib
import re

import pytest
from playwright.sync_api import Error, expect

from engine.registry import FOR_TWO
from tests.support.games import coached_game, know, stand_against_computer
from tests.support.pages import open_question
from tests.support.players import Visitor
from tests.support.waiting import wait_for_event, wait_until

pytestmark = pytest.mark.browser

COMPUTER_WITHIN = 90_000  # milliseconds; its first search may have to be compiled


@pytest.fixture
def guest(sit_down, server_with_computer):
    """Return a browser at the home page."""
    page = sit_down(base_url=server_with_computer.url)
    page.goto("/")
    return page


def sit_against(page, game, level):
    page.goto(f"/?offer={game}")
    form = page.locator(f"form[action='/challenges/computer']:has([value={game}]):has(select)")
    form.locator("select").select_option(str(level))
    form.locator("button").click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".turn-yours")).to_be_visible(timeout=COMPUTER_WITHIN)


def ask_hint(page):
    """Ask for a hint, again while the computer is busy, and return it."""

    def is_answered():
        with page.expect_response("**/hint") as answer:
            page.click("#actions [data-key=h]")
        return answer.value.status != 503

    wait_until(is_answered, within=COMPUTER_WITHIN / 1000)
    return page.locator("#hint [data-hint]").get_attribute("data-hint")


def test_a_guest_plays_with_hints_takes_back_resigns_and_analyses_the_game(guest):
    sit_against(guest, "jadejack", 4)
    expect(guest.locator(".seat", has_text="Gorrion-4")).to_contain_text("computer, level 4")
    move = ask_hint(guest)
    square = guest.locator(f"#sq-{move}")
    expect(square).to_have_class(re.compile(r"\bhinted\b"))
    plies = guest.locator("#moves a").count()
    square.locator("button").click()
    expect(guest.locator("#moves a")).to_have_count(plies + 2, timeout=COMPUTER_WITHIN)
    expect(guest.locator("#hint")).to_be_empty()
    expect(guest.locator("#board .sq-hinted")).to_have_count(0)
    guest.click("form[action$='/takeback'] button")
    expect(guest.locator("#moves a")).to_have_count(plies)
    guest.set_viewport_size({"width": 390, "height": 844})
    guest.click("summary:text-is('Pass')")
    expect(guest.locator(".ask-box .button-main:visible")).to_be_in_viewport(ratio=1)
    guest.click("summary:text-is('Pass')")
    open_question(guest, guest.locator("#choices summary").inner_text())
    guest.click(".ask-box .button-main:visible")
    guest.click("a:text-is('Analyse')")
    expect(guest.locator("#analysis")).to_be_visible()


def test_a_late_hint_is_not_shown_in_a_later_position(sit_down, server, database_url):
    visitor = Visitor(server).register()
    rules = FOR_TWO["jadejack"]
    know(database_url, rules, rules.initial({"size": 9}), [["e4", 1, ["d5"]]])
    page, held = sit_down(visitor=visitor), []
    page.goto(f"/games/{stand_against_computer(database_url, visitor.username, [])}")
    page.route("**/hint", lambda route: held.append((route, route.fetch())))
    page.click("#actions [data-key=h]")
    wait_for_event(page, lambda: held)
    page.click("#sq-d4 button")
    expect(page.locator("#moves a")).to_have_count(1)
    ((route, answer),) = held
    assert "e4" in answer.text()
    with page.expect_event("requestfinished"):
        route.fulfill(response=answer)
    page.evaluate("new Promise((shown) => setTimeout(shown, 200))")
    expect(page.locator("#board .sq-hinted")).to_have_count(0)
    expect(page.locator("#log")).not_to_contain_text("Hint")


def test_the_coach_warns_once_before_a_bad_move(sit_down, server, database_url):
    visitor, game_id = coached_game(server, database_url)
    page = sit_down(visitor=visitor)
    page.goto(f"/games/{game_id}")
    page.click("summary:text-is('Pass')")
    page.click(".ask-box .button-main:visible")
    expect(page.locator("#remark")).to_contain_text("Play it again if you are sure.")
    expect(page.locator("#moves a")).to_have_count(0)
    page.click(".ask-box .button-main:visible")  # the question is still open
    expect(page.locator("#moves a")).to_have_count(1)


def test_a_short_game_is_played_to_its_end(guest):
    """The lobby's form offers the smallest board; a computer accepts every challenge."""
    guest.goto("/lobby?offer=jumping_farther&opponent=Gorrion-2")
    form = guest.locator("#challenge-form")
    form.locator("[name=size]").select_option("3")
    form.locator("[name=clock][value=none]").check(force=True)
    form.locator("button.button-main").click()
    guest.wait_for_url("**/games/*")
    for _ in range(40):
        turn = guest.locator(
            ".turn-yours, .count, .turn-text:has-text('You '), .turn-text:has-text('draw')"
        ).first
        expect(turn).to_be_visible(timeout=COMPUTER_WITHIN)
        if guest.locator("#turn a:text-is('Analyse')").count():
            break
        before = guest.locator("#moves a").count()
        guest.locator("#board button[name=move]:enabled").first.click()
        expect(guest.locator("#moves a")).not_to_have_count(before)
    expect(guest.locator("#turn a:text-is('Analyse')")).to_be_visible()


def test_the_analysis_board_shows_the_best_moves_and_goes_on_with_them(guest):
    guest.goto("/analysis/jadejack?size=8&moves=c4,g6")
    thoughts = guest.locator(".analysis-thoughts li")
    expect(thoughts.locator("visible=true")).to_have_count(3, timeout=COMPUTER_WITHIN)
    expect(guest.locator(".evaluation-bar")).to_be_visible()
    expect(guest.locator("#ghosts [data-rank='1']")).to_be_visible()
    ghosts = guest.locator("#ghosts [data-line]")
    assert [line.is_visible() for line in ghosts.all()] == [True, False, False, False, False]
    thoughts.nth(1).hover()
    assert [line.is_visible() for line in ghosts.all()] == [False, True, False, False, False]
    # Moves to one square share its label: "1·3".
    numbers = re.findall(r"\d", "".join(ghosts.nth(1).locator("text").all_text_contents()))
    assert sorted(numbers) == ["1", "2", "3", "4"]
    thoughts.nth(2).locator("button").focus()
    assert ghosts.nth(2).is_visible()
    expect(guest.locator(".ghost-territory")).to_be_hidden()
    guest.check("#show-territory")
    expect(guest.locator(".ghost-territory")).to_be_visible()
    guest.click("#territory summary")
    expect(guest.locator("#territory p").first).to_contain_text("is likely to get")
    guest.locator("#lines").select_option("5")
    expect(thoughts.locator("visible=true")).to_have_count(5)
    best = guest.locator(".analysis-thoughts button").first
    name = best.inner_text()
    best.click()
    guest.wait_for_url(f"**moves=c4+g6+{name}&**")
    guest.locator("#lines").select_option("0")
    expect(guest.locator("#ghosts")).to_be_hidden()
    guest.locator(".turn-text").click()
    guest.keyboard.press("ArrowLeft")
    guest.locator("#sq-d4 button").click()
    guest.wait_for_url(f"**moves=c4+g6+{name}+%28d4%29&**")


def test_a_run_of_golden_nugget_gets_a_hint_and_its_board_finished(guest):
    guest.goto("/nugget")
    guest.click("form[action='/nugget/runs'] button")
    guest.wait_for_url("**/nugget/runs/*")
    guest.click("summary:text-is('Hint')")
    expect(guest.locator(".ask-box:visible")).to_contain_text("ranks among assisted entries")
    guest.click("button:text-is('Show a hint')")
    hint = guest.locator("#play [data-hint]")
    expect(hint).to_be_visible(timeout=COMPUTER_WITHIN)
    force = hint.get_attribute("data-hint")
    expect(guest.locator(f"#commands button[value='{force}']")).to_have_class(re.compile(r"\bhinted\b"))
    guest.keyboard.press(force)
    expect(guest.locator(".play-count")).to_contain_text("1 of 99 moves")
    guest.click("summary:text-is('Finish this board')")
    guest.click("button:text-is('Finish it')")
    expect(guest.locator(".play-state")).to_contain_text("Solved in", timeout=COMPUTER_WITHIN)
    expect(guest.locator("#play")).to_contain_text("The computer gave 1 hint. It finished 1 board.")


def test_the_computers_view_is_that_of_the_position_shown(sit_down, server_with_computer):
    page = sit_down(base_url=server_with_computer.url)
    held = []

    def hold(route):
        held.append(route)

    page.route("**/evaluation", hold)
    page.goto("/analysis/jadejack?size=9&moves=c4&at=1")
    expect(page.locator("#ask[data-asked]")).to_have_count(1)
    with page.expect_request("**/evaluation") as asked:
        page.keyboard.press("ArrowLeft")
    assert "at=0" in asked.value.post_data
    with contextlib.suppress(Error):  # the page does not wait for it any more
        held[0].continue_()
    expect(page.locator("#ask")).to_have_count(1)
    held[-1].continue_()
    expect(page.locator("#evaluation b")).to_be_visible(timeout=COMPUTER_WITHIN)
    expect(page.locator("#ghosts")).not_to_be_empty()
