"""A round robin of three people in browsers: made, joined, played and read without a reload."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from app.ids import PATTERN
from app.moments import utc_now
from tests.support.players import Visitor

pytestmark = pytest.mark.browser


def test_a_round_robin_of_people(sit_down, server, clock):
    visitors = [Visitor(server).register() for _ in range(3)]
    pages = {visitor.username: sit_down(visitor=visitor) for visitor in visitors}
    organiser, *others = pages.values()
    organiser.goto("/tournaments")
    organiser.click("text=Make a tournament")
    organiser.click("text=Round robin")
    organiser.fill("[name=name]", "Sparrows' cup")
    organiser.fill("[name=starts_at]", (utc_now() + timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M"))
    organiser.click("text=Make the tournament")
    organiser.wait_for_url(re.compile(rf"/tournaments/{PATTERN}$"))
    for page in others:
        page.goto(organiser.url)
        page.click("form[action$='/join'] button")
        expect(page.locator("#tournament-own")).to_contain_text("You take part.")
    for name in [visitor.username for visitor in visitors[1:]]:
        organiser.locator(f"#tournament-standings >> text={name}").wait_for()  # pushed
    organiser.click("form[action$='/join'] button")
    clock.advance(minutes=5)
    playing = wait_for_games(pages)
    assert len(playing) == 2
    loser = playing[0]
    winner = next(name for name, page in pages.items() if page is playing[1])
    loser.click("#actions summary:has-text('Resign')")
    loser.click("form[action$='/resign'] button")
    loser.click("text=Back to the tournament")
    expect(loser.locator("#tournament-standings tbody tr").first).to_contain_text(winner)
    expect(loser.locator("#tournament-rounds .row-side").first).to_contain_text("-")


def wait_for_games(pages):
    """Wait until the pages of the players of the first game have opened it, and return them."""
    watcher = next(iter(pages.values()))
    for _ in range(100):
        playing = [page for page in pages.values() if "/games/" in page.url]
        if len(playing) == 2:
            return playing
        watcher.wait_for_timeout(100)
    return []
