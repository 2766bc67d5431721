"""A team in two browsers: asking to join, letting in, roles and leaving."""

import pytest
from playwright.sync_api import expect

from tests.support.games import lost_rated_game
from tests.support.players import Program, Visitor, fresh_name, make_old

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}


@pytest.fixture
def leader(server, program, database_url):
    """Return a visitor who leads a team, and the path of the team, which lets players in."""
    account = Program(server)
    lost_rated_game(program, account)
    make_old(database_url, account)
    leader = Visitor(server).log_in(account.username)
    made = leader.http.post("/teams/new", data={"name": fresh_name("Team"), "join": "request"})
    return leader, made.url.path


def ask(page, label):
    """Open a question, and return the place where it opens."""
    summary = page.locator(f"main summary:has-text('{label}')")
    summary.click()
    return page.locator(".ask[open] .ask-box").bounding_box()


def test_the_questions_of_a_team_open_inside_the_page(sit_down, server, leader):
    owner, team = leader
    asking = Visitor(server).register()
    page = sit_down(visitor=asking)
    page.goto(team)
    ask(page, "Ask to join")
    page.fill("[name=text]", "I like it here.")
    page.click("form[action$='/join'] button")
    expect(page.locator("main")).to_contain_text("You have asked to join.")
    above = sit_down(visitor=owner, viewport=PHONE)
    above.goto(f"{team}/requests")
    above.click("text=Let in")
    expect(above.locator("main")).to_contain_text("Nobody is waiting.")
    above.goto(team)
    for label in ("Leave the team", "Close the team", "Role", "Remove"):
        place = ask(above, label)
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= PHONE["width"]
        assert place["y"] >= 0
        above.click(f"main summary:has-text('{label}')")
    page.goto(team)
    ask(page, "Leave the team")
    page.click("form[action$='/leave'] button")
    page.wait_for_url("**/teams")
