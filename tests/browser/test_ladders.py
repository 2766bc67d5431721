"""A ladder in two browsers: joining, challenging, accepting, and going to the game."""

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
    above.locator(f"#ladder-table >> text={lower.username}").wait_for()  # pushed
    below.click(f"[aria-label='Challenge {upper.username}']")
    expect(below.locator("main")).to_contain_text(f"You have challenged {upper.username}")
    expect(above.locator("#ladder-own")).to_contain_text(f"{lower.username} challenges you")  # pushed
    above.goto("/notifications")
    above.click(f"main >> text={lower.username} challenges you for your place")
    above.click("form[action$='/accept'] button")
    above.wait_for_url("**/games/*")
    below.click(f"text=Play for the place of {upper.username}")
    below.wait_for_url(above.url)
