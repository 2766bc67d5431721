"""Tournaments of people in browsers: made, joined and played to the end without a reload."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from app.core.ids import PATTERN
from app.core.moments import utc_now
from tests.support.pages import open_question
from tests.support.players import Visitor, begin_game, make_old

pytestmark = pytest.mark.browser

ROUNDS = 3
CLOCK = {"clock": "realtime", "minutes": "3", "increment": "2"}


def test_a_round_robin_of_people(sit_down, server, clock):
    visitors = {visitor.username: visitor for visitor in (Visitor(server).register() for _ in range(4))}
    pages = {name: sit_down(visitor=visitors[name]) for name in list(visitors)[:2]}
    organiser, watcher = pages.values()
    watcher.goto("/tournaments")
    organiser.goto("/tournaments")
    organiser.click("text=Make a tournament")
    organiser.click("text=Round robin")
    organiser.fill("[name=name]", "Sparrows' cup")
    organiser.check("[name=starts][value='5']")
    organiser.click("text=Make the tournament")
    organiser.wait_for_url(re.compile(rf"/tournaments/{PATTERN}$"))
    address = organiser.url
    path = address.removeprefix(server.url)
    watcher.locator(f"#tournament-lists a[href='{path}']").wait_for()  # pushed
    watcher.goto(address)
    watcher.click("form[action$='/join'] button")
    expect(watcher.locator("#tournament-own")).to_contain_text("You take part.")
    for name in visitors.keys() - pages.keys():
        visitors[name].http.post(f"{path}/join")
        organiser.locator(f"#tournament-standings >> text={name}").wait_for()  # pushed
    organiser.click("form[action$='/join'] button")
    talk(organiser, watcher)
    clock.advance(minutes=5)
    for number in range(ROUNDS):
        play_round(path, pages, visitors)
        if number + 1 < ROUNDS:
            organiser.locator("#tournament-status:has-text('The next round begins in')").wait_for()
            clock.advance(seconds=15)
    for page in pages.values():
        expect(page.locator("#tournament-status")).to_contain_text("It ended on")
    expect(organiser.locator(".tournament-cross tbody tr")).to_have_count(4)
    points = organiser.locator("#tournament-standings tbody td b").all_inner_texts()
    assert sum(map(float, points)) == ROUNDS * 2


def test_the_ranks_beside_a_game_are_those_after_it(sit_down, server, clock):
    visitors = [Visitor(server).register() for _ in range(2)]
    path = announce(visitors[0], kind="knockout")
    for visitor in visitors:
        visitor.http.post(f"{path}/join")
    loser, winner = pages = [sit_down(visitor=visitor) for visitor in visitors]
    for page in pages:
        page.goto(path)
    clock.advance(minutes=5)
    for page in pages:
        page.wait_for_url(re.compile(rf"/games/{PATTERN}"))
        expect(page.locator("#tournament")).to_contain_text("points: 0")
    resign(loser)
    for page in pages:
        expect(page.locator("#tournament")).to_contain_text("(rank 1, points: 1)")
    winner.reload()
    expect(winner.locator("#tournament")).to_contain_text("(rank 2, points: 0)")


def test_who_stays_at_a_game_that_is_over_is_still_led_to_a_rematch(sit_down, server, clock):
    visitors = [Visitor(server).register() for _ in range(2)]
    path = announce(visitors[0], kind="arena", length="60")
    for visitor in visitors:
        visitor.http.post(f"{path}/join")
    loser = sit_down(visitor=visitors[0])
    loser.goto(path)
    clock.advance(minutes=5)
    loser.wait_for_url(re.compile(rf"/games/{PATTERN}"))
    address = loser.url
    resign(loser)
    loser.click("#then button")
    expect(loser.locator("#then a")).to_be_focused()
    assert visitors[1].http.post(f"{address}/rematch").is_success
    loser.click("#rematch button")
    loser.wait_for_url(lambda url: re.search(rf"/games/{PATTERN}", url) and url != address)


def test_a_refusal_to_let_a_player_in_stays_on_the_page(sit_down, server):
    organiser = Visitor(server).register()
    path = announce(organiser, kind="knockout", password="sparrow")
    page = sit_down(visitor=Visitor(server).register())
    page.goto(path)
    page.fill("[name=password]", "magpie")
    page.click("form[action$='/join'] button")
    page.wait_for_url("**/join")
    organiser.http.post(f"{path}/join", data={"password": "sparrow"})
    page.locator(f"#tournament-standings >> text={organiser.username}").wait_for()  # pushed
    expect(page.locator(".notice-error")).to_contain_text("This is not the password of the tournament.")


def test_the_host_of_a_simul_goes_from_game_to_game(sit_down, server, clock):
    host, *others = [Visitor(server).register() for _ in range(3)]
    path = announce(host, kind="simul")
    for visitor in others:
        visitor.http.post(f"{path}/join")
    page, *guests = [sit_down(visitor=visitor) for visitor in (host, *others)]
    for each in (page, *guests):
        each.goto(path)
    clock.advance(minutes=5)
    for each in (page, *guests):
        each.wait_for_url(re.compile(rf"/games/{PATTERN}"))
    expect(page.locator("#next-game a")).to_have_count(0)
    for guest in guests:
        guest.click("#sq-c4 button")
    first = page.url
    page.click("#next-game a")
    page.wait_for_url(lambda url: "/games/" in url and url != first)
    page.click("#sq-f6 button")
    page.click("#next-game a")
    page.wait_for_url(first)


def test_a_chat_that_is_switched_on_works_on_open_pages(sit_down, server, database_url):
    visitors = [Visitor(server).register() for _ in range(2)]
    visitors[0].http.post(f"{begin_game(*visitors)}/resign")
    make_old(database_url, *visitors)
    path = announce(visitors[0], kind="knockout")
    visitors[0].http.post(f"{path}/chat/off")
    writer, reader = pages = [sit_down(visitor=visitor) for visitor in visitors]
    for page in pages:
        page.goto(path)
        expect(page.locator("#chat")).to_have_count(0)
    visitors[0].http.post(f"{path}/chat/on")
    writer.click("#chat summary")
    writer.fill("#chat-text-tournament", "Good luck to all")
    writer.press("#chat-text-tournament", "Enter")
    expect(writer.locator("#chat-tournament")).to_contain_text("Good luck to all")
    expect(writer.locator("#chat-text-tournament")).to_have_value("")
    expect(writer.locator(".chat-new")).to_be_hidden()
    expect(reader.locator(".chat-new")).to_be_visible()
    reader.click("#chat summary")
    expect(reader.locator(".chat-new")).to_be_hidden()
    for _ in range(12):
        visitors[0].http.post(f"{path}/chat", data={"greeting": "hello"})
    expect(reader.locator("#chat-tournament li")).to_have_count(13)
    expect(reader.locator("#chat-tournament li").last).to_be_in_viewport()


def announce(organiser, **members):
    """Announce a tournament, and return its path."""
    terms = {"game": "jadejack", "size": "8", "name": "Magpies' cup", **CLOCK, **members}
    return organiser.http.post("/tournaments/new", data={**terms, "starts_at": soon()}).url.path


def soon():
    return (utc_now() + timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M")


def talk(organiser, reader):
    """Greet in the chat, and switch it off."""
    for page in (organiser, reader):
        page.click("#chat summary")
    organiser.click("#chat >> text=Good luck!")
    expect(reader.locator("#chat-tournament")).to_contain_text("Good luck!")
    organiser.click("text=Switch the chat off")
    expect(reader.locator("#chat")).to_have_count(0)


def play_round(path, pages, visitors):
    """Wait until all pages have opened their games, resign one side of each game, and go back.

    `pages` and `visitors` are by name. Who has no page resigns before anybody who has one.
    """
    for page in pages.values():
        page.wait_for_url(re.compile(rf"/games/{PATTERN}"))
    rounds = next(iter(visitors.values())).http.get(f"/api/v1{path}/rounds").json()
    for pairing in rounds["pairings"]:
        if pairing["game_id"] and pairing["outcome"] is None:
            loser = min(pairing["first"], pairing["second"], key=pages.__contains__)
            if loser in pages:
                resign(pages[loser])
            else:
                visitors[loser].http.post(f"/games/{pairing['game_id']}/resign")
    for page in pages.values():
        page.click("text=Back to the tournament")


def resign(page):
    """Resign the game that a page shows."""
    open_question(page, "Resign")
    page.click("form[action$='/resign'] button")
