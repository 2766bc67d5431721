"""People in browsers: chat in two rooms, messages, following and blocking."""

import pytest
from playwright.sync_api import expect

from tests.support.pages import look_away, look_back, open_pane
from tests.support.players import Visitor, begin_game, make_old
from tests.support.waiting import wait_until

pytestmark = pytest.mark.browser


def say(page, room, words):
    """Type a line in a room of the chat."""
    open_pane(page, "chat")
    page.fill(f"#chat-text-{room}", words)
    page.click(f".chat-form:has(#chat-text-{room}) button")


@pytest.fixture
def acquainted(server, sit_down, database_url):
    """Return the users and pages of two players who have finished a game."""
    users = [Visitor(server).register() for _ in range(2)]
    one, two = users
    one.http.post(f"{begin_game(one, two)}/resign")
    make_old(database_url, *users)
    return one, two, *(sit_down(visitor=user) for user in users), begin_game(one, two)


def test_two_players_chat_write_follow_and_block(server, acquainted, sit_down):
    one, two, first, second, game = acquainted
    spectator = sit_down(visitor=Visitor(server).register())
    for page in (first, second, spectator):
        page.goto(game)
    held = []

    def hold(route):
        held.append(route)

    first.route("**/chat", hold)
    with first.expect_request("**/chat"):
        say(first, "players", "Good luck to you")
    first.fill("#chat-text-players", "and have fun")
    with first.expect_response("**/chat"):
        held.pop().continue_()
    for page in (first, second):
        expect(page.locator("#chat-players")).to_contain_text("Good luck to you")
    first.unroute("**/chat")
    first.press("#chat-text-players", "Enter")
    expect(second.locator("#chat-players")).to_contain_text("and have fun")
    expect(first.locator("#chat-text-players")).to_have_value("")
    open_pane(spectator, "chat")
    expect(spectator.locator("#chat-players")).to_have_count(0)
    spectator.click(".chat-greeting[value=hello]")
    expect(spectator.locator("#chat-spectators")).to_contain_text("Hello!")
    expect(second.locator("#chat-spectators")).to_have_count(0)

    first.fill("#chat-text-players", "Well pl")
    two.http.post(f"{game}/resign")
    expect(first.locator("#chat-spectators")).to_contain_text("Hello!")
    expect(first.locator("#chat-text-players")).to_have_value("Well pl")
    expect(first.locator(".chat-empty:visible")).to_have_count(0)
    expect(spectator.locator("#chat-players")).to_contain_text("Good luck to you")
    expect(spectator.locator("#chat-text-players")).to_have_count(0)
    say(second, "spectators", "Thank you")
    for page in (first, spectator):
        expect(page.locator("#chat-spectators")).to_contain_text("Thank you")

    first.goto(f"/players/{two.username}")
    first.click("button:has-text('Follow')")
    first.wait_for_selector("button:has-text('Unfollow')")
    first.goto("/")
    expect(first.locator(".friends")).to_contain_text(two.username)
    second.goto(f"/messages/{one.username}")
    first.goto(f"/messages/{two.username}")
    first.fill("#field-text", "Another game tomorrow?")
    first.click("#write button")
    expect(second.locator("#letters")).to_contain_text("Another game tomorrow?")
    second.fill("#field-text", "With pleasure")
    second.click("#write button")
    expect(first.locator("#letters")).to_contain_text("With pleasure")

    second.goto(f"/players/{one.username}")
    second.click("summary:has-text('More')")
    second.click("button:has-text('Block')")
    second.wait_for_selector("button:has-text('Unblock')")
    second.goto(game)
    expect(second.locator("#chat-players")).not_to_contain_text("Good luck to you")
    first.goto(f"/messages/{two.username}")
    expect(first.locator("#write")).to_contain_text("You cannot write to each other")
    first.goto("/")
    expect(first.locator(".friends")).to_have_count(0)


def test_a_message_is_read_as_soon_as_its_page_is_looked_at(server, sit_down):
    author, reader = (Visitor(server).register() for _ in range(2))
    page = sit_down(visitor=reader)
    page.goto(f"/messages/{author.username}")

    def write(text):
        assert author.http.post(f"/messages/{reader.username}", data={"text": text}).is_success

    def is_read():
        return "1 new" not in reader.http.get("/messages").text

    for text in ("Hello", "Are you there?"):
        write(text)
        expect(page.locator("#letters")).to_contain_text(text)
        wait_until(is_read)
    expect(page.locator("#unread")).to_have_text("")
    look_away(page)
    write("Good night")
    page.wait_for_timeout(500)
    assert not is_read()
    look_back(page)
    expect(page.locator("#letters")).to_contain_text("Good night")
    wait_until(is_read)
    expect(page.locator("#unread")).to_have_text("")
