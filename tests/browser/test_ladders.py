"""A ladder in two browsers: joining, challenging, accepting, playing, and the new order."""

import pytest
from playwright.sync_api import expect

from tests.support.players import Visitor

pytestmark = pytest.mark.browser


def test_two_people_on_a_ladder(sit_down, server):
    upper, lower = (Visitor(server).register() for _ in range(2))
    above, below = sit_down(visitor=upper), sit_down(visitor=lower)
    for page in (above, below):
        page.goto("/ladders")
        page.click("text=Jumping Farther")
        page.click("text=Join the ladder")
        expect(page.locator("#own-row")).to_contain_text("you")
    below.click(f"[aria-label='Challenge {upper.username}']")
    expect(below.locator("main")).to_contain_text(f"You have challenged {upper.username}")
    above.goto("/notifications")
    above.click(f"main >> text={lower.username} challenges you for your place")
    above.click("text=Accept")
    above.wait_for_url("**/games/*")
    above.click("#actions summary:has-text('Resign'), #actions summary:has-text('Abort')")
    above.click("form[action$='/resign'] button, form[action$='/abort'] button")
    expect(above.locator("#game")).to_contain_text(lower.username)
    names = below.locator("tbody th a")
    for _attempt in range(100):
        below.reload()
        order = names.all_inner_texts()
        if order.index(lower.username) < order.index(upper.username):
            break
        below.wait_for_timeout(200)
    expect(below.locator("#history .row-main").first).to_contain_text(
        f"{lower.username} took the place of {upper.username}"
    )
