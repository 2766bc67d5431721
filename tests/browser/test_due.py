"""Pages that stay open while something ends that only the clock tells, without an event."""

import pytest
from playwright.sync_api import expect

from tests.support.pages import wait_for_ply
from tests.support.players import PlayingPage, Visitor, begin_game

pytestmark = pytest.mark.browser


@pytest.fixture
def open_page(sit_down, server, clock):
    """Return a function that opens a page of a player, and one that moves its clock and the server's."""

    def go(visitor, path):
        page = sit_down(visitor=visitor)
        page.clock.install()
        page.goto(path)
        return page

    def advance(page, hours):
        clock.advance(hours=hours)
        page.clock.fast_forward(f"{hours:02}:00:00")
        page.clock.run_for(3_000)

    return go, advance


def post(visitor, path):
    assert visitor.http.post(path, data={}).status_code < 400


def test_a_pause_that_is_over_is_not_shown_any_more(open_page, server):
    go, advance = open_page
    players = [Visitor(server).register() for _ in range(2)]
    path = begin_game(*players, clock="realtime", limit="60", increment="30")
    for ply, (player, move) in enumerate(zip(players, ("c4", "g6"), strict=True)):
        PlayingPage(player, path).move(move, ply)
    page = go(players[0], path)
    wait_for_ply(page, 2)
    for player in reversed(players):
        post(player, f"{path}/pause")
    resume = page.locator("#turn button:text-is('Resume')")
    expect(resume).to_be_visible()
    expect(page.get_by_text("The clock is stopped until")).to_be_visible()
    page.clock.fast_forward("31:00")
    page.clock.run_for(2_000)
    expect(resume).to_be_visible()  # by the server's clock it goes on
    advance(page, 1)
    expect(resume).to_have_count(0)
    expect(page.get_by_text("The game is paused until")).to_have_count(0)
    expect(page.get_by_text("The clock is stopped until")).to_have_count(0)


def test_a_vacation_that_is_over_is_not_shown_any_more(open_page, server):
    go, advance = open_page
    players = [Visitor(server).register() for _ in range(2)]
    path = begin_game(*players, clock="correspondence", days="7")
    assert players[1].http.post("/account/vacation", data={"days": "1"}).status_code == 200
    game, account = go(players[0], path), go(players[1], "/account/vacation")
    expect(game.get_by_text("is on vacation until")).to_be_visible()
    expect(account.get_by_text("You are on vacation until")).to_be_visible()
    advance(game, 25)
    account.clock.fast_forward("25:00:00")
    account.clock.run_for(3_000)
    expect(game.get_by_text("is on vacation until")).to_have_count(0)
    expect(account.get_by_text("You are on vacation until")).to_have_count(0)


def test_a_page_without_a_network_is_left_alone_until_there_is_one(open_page, server, clock):
    go, _ = open_page
    player = Visitor(server).register()
    assert player.http.post("/account/vacation", data={"days": "1"}).status_code == 200
    page = go(player, "/account/vacation")
    said = page.get_by_text("You are on vacation until")
    expect(said).to_be_visible()
    page.context.set_offline(True)
    clock.advance(hours=25)
    page.clock.fast_forward("25:00:00")
    page.clock.run_for(3_000)
    page.wait_for_timeout(500)
    expect(said).to_be_visible()
    page.context.set_offline(False)
    page.clock.run_for(15_000)
    expect(said).to_have_count(0)


def test_what_a_page_asks_for_by_itself_fails_silently(open_page, server):
    go, _ = open_page
    players = [Visitor(server).register() for _ in range(2)]
    path = begin_game(*players, clock="realtime", limit="60", increment="30")
    for ply, (player, move) in enumerate(zip(players, ("c4", "g6"), strict=True)):
        PlayingPage(player, path).move(move, ply)
    for player in reversed(players):
        post(player, f"{path}/pause")
    page = go(players[0], path)
    expect(page.get_by_text("The clock is stopped until")).to_be_visible()
    page.context.set_offline(True)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/again")):
        page.clock.fast_forward("01:01:00")
        page.clock.run_for(2_000)
    page.wait_for_timeout(500)
    expect(page.locator("#notice")).to_be_empty()


def test_a_race_that_was_not_started_says_so(open_page, server):
    go, advance = open_page
    maker, other = Visitor(server).register(), Visitor(server).register()
    race = maker.http.post("/races", data={"game": "up_and_up", "size": "4", "minutes": "10"}).url.path
    page = go(other, race)
    page.click("form[action$='/join'] button")
    expect(page.get_by_text("starts the race; your board opens here")).to_be_visible()
    advance(page, 2)
    expect(page.get_by_text("This race was not started.")).to_be_visible()


def test_a_board_of_the_day_is_taken_away_at_midnight(open_page, server):
    go, advance = open_page
    player = Visitor(server).register()
    path = player.http.post("/solitaire/daily/up_and_up/play", data={}).url.path
    page = go(player, path)
    page.locator("#board [role=gridcell] button:enabled").first.click()
    undo = page.locator("#actions button:has-text('Undo')")
    expect(undo).to_be_visible()
    advance(page, 24)
    expect(undo).to_have_count(0)
    expect(page.locator("a[href*='/solitaire/daily/up_and_up/20']").first).to_be_visible()
