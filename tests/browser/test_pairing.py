"""Looking for any of several games, in two browsers."""

import pytest
from playwright.sync_api import expect

from tests.support.database import fetch
from tests.support.players import Visitor
from tests.support.waiting import wait_for_event, wait_until

pytestmark = pytest.mark.browser

HAS_ENDED = """
SELECT until < now() FROM searches JOIN accounts ON accounts.id = account_id WHERE username = $1
"""
PHONE = {"width": 360, "height": 740}


def look_for(page, *boxes):
    page.goto("/pairing")
    for box in reversed(page.locator("input[type=checkbox]:checked").all()):
        box.uncheck()
    for box in boxes:
        page.check(f"[name='{box}']")
    page.click("button:text-is('Look for an opponent')")


def test_two_who_want_one_of_several_games_are_paired(sit_down, server):
    one = sit_down(visitor=Visitor(server).register())
    other = sit_down(viewport=PHONE)  # who becomes a guest
    one.goto("/lobby")
    one.click("text=Several clocks, boards and games at once")
    look_for(one, "clock 5+3", "clock 10+10", "board jadejack 11", "board jumping_farther 9")
    expect(one.locator("#pairing")).to_contain_text("5+3, 10+10")
    expect(one.locator("#pairing")).to_contain_text("Jumping Farther & Farther")
    look_for(other, "clock 30+20", "board jadejack 11")
    expect(other.locator("#main")).to_contain_text("Looking for an opponent")
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    other.click("button:text-is('Stop looking')")
    expect(other.locator("#pairing")).to_have_count(0)
    look_for(other, "clock 10+10", "board jadejack 11")
    for page in (one, other):
        page.wait_for_url("**/games/*")
    assert one.url == other.url


def test_the_computer_is_offered_to_who_has_waited(sit_down, server):
    page = sit_down(visitor=Visitor(server).register())
    page.clock.install()
    look_for(page, "clock 5+3", "board jadejack 12")
    offer = page.locator("[data-after]")
    expect(page.locator("[data-waited]")).to_have_text("0:00")
    expect(offer).to_be_hidden()
    page.clock.run_for(12_000)
    expect(page.locator("[data-waited]")).to_have_text("0:12")
    expect(offer).to_be_hidden()
    page.clock.run_for(8_000)
    expect(offer).to_be_visible()
    offer.get_by_role("button").click()
    page.wait_for_url("**/games/*")
    page.context.close()  # its clock is of no use to other tests


def test_a_search_ends_with_its_page_and_with_another_game(sit_down, server):
    visitor = Visitor(server).register()
    page = sit_down(visitor=visitor)
    look_for(page, "clock 5+3", "board jadejack 13")
    expect(page.locator("#pairing")).to_contain_text("13×13")
    page.reload()
    expect(page.locator("#main")).to_contain_text("Looking for an opponent")
    # Another page of the same search keeps it.
    second = page.context.new_page()
    second.goto("/pairing")
    expect(second.locator("#pairing")).to_be_visible()
    second.goto("/rules")
    page.wait_for_timeout(8_000)
    assert "Looking for an opponent" in page.inner_text("#main")
    # A game that begins elsewhere is where this page leads.
    second.goto("/lobby")
    second.click("form[action='/challenges/computer'] button")
    second.wait_for_url("**/games/*")
    page.wait_for_url("**/games/*")
    heard = []
    page.on("websocket", lambda live: live.on("framereceived", lambda _frame: heard.append(live.url)))
    look_for(page, "clock 5+3", "board jadejack 13")
    expect(page.locator("#main")).to_contain_text("Looking for an opponent")
    # One that is left before it is connected is like one without scripts, whose search lasts for a minute.
    wait_for_event(page, lambda: any("/pairing/live" in url for url in heard))
    page.goto("/rules")
    wait_until(lambda: fetch(server.database_url, HAS_ENDED, visitor.username)[0])
    other = Visitor(server).register()
    data = {"clock 5+3": "yes", "board jadejack 13": "yes"}
    assert other.http.post("/pairing", data=data).url.path == "/pairing"
    other.http.post("/pairing/cancel")  # or a repetition would be paired with it
