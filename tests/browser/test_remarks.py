"""The line beside the board that answers what a player did there, and what it may hide."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.pages import open_pane, wait_for_ply
from tests.support.players import PlayingPage, Visitor, begin_game

pytestmark = pytest.mark.browser


def choose_premove(page):
    page.click("#sq-g4")


def cancel_premove(page):
    page.click("#sq-g4")
    page.keyboard.press("Escape")


def choose_many(page):
    for square in ("g4", "h4", "i4"):
        page.click(f"#sq-{square}")


def keep(page):
    page.click("#menu-more > summary")
    page.click("#keep")


WRITERS = [choose_premove, cancel_premove, choose_many, keep]


@pytest.fixture
def waiting(sit_down, server):
    """Return the page of Black, who has moved, and the opponent with the address of the game."""
    players = [Visitor(server).register() for _ in range(2)]
    path = begin_game(*players)
    PlayingPage(players[0], path).move("c4", 0)
    page = sit_down(visitor=players[0])
    page.goto(path)
    wait_for_ply(page, 1)
    return page, players[1], path


def post(player, path, form=None):
    assert player.http.post(path, data=form or {}).status_code < 400


@pytest.mark.parametrize("write", WRITERS)
def test_a_result_shows_whatever_was_remarked(waiting, write):
    page, opponent, path = waiting
    write(page)
    expect(page.locator("#remark")).not_to_be_empty()
    expect(page.locator(".turn-text")).to_be_hidden()
    post(opponent, f"{path}/resign")
    expect(page.locator(".turn-text")).to_contain_text("resigned")
    expect(page.locator(".turn-text")).to_be_visible()
    expect(page.locator("#remark")).to_be_empty()


@pytest.mark.parametrize("write", [cancel_premove, keep])
def test_a_remark_ends_with_the_next_version(waiting, write):
    page, opponent, path = waiting
    write(page)
    expect(page.locator("#remark")).not_to_be_empty()
    PlayingPage(opponent, path).move("g6", 1)
    expect(page.locator(".turn-text")).to_have_text("Your turn (Black)")
    expect(page.locator(".turn-text")).to_be_visible()
    write_obstacle(page)
    post(opponent, f"{path}/takeback")
    expect(page.locator(".turn-question")).to_be_visible()
    expect(page.locator("#remark")).to_be_empty()


def write_obstacle(page):
    page.click("#sq-g6")
    expect(page.locator("#remark")).not_to_be_empty()


def test_a_dropped_premove_is_told_until_the_next_move(waiting):
    page, opponent, path = waiting
    page.click("#sq-g6")
    PlayingPage(opponent, path).move("g6", 1)
    expect(page.locator("#remark")).to_contain_text("not possible any more")
    page.click("#sq-a1 button")
    wait_for_ply(page, 3)
    expect(page.locator("#remark")).to_be_empty()
    expect(page.locator(".turn-text")).to_be_visible()


def test_a_remark_after_the_end_stands_beside_the_result(waiting):
    page, opponent, path = waiting
    post(opponent, f"{path}/resign")
    expect(page.locator(".turn-text")).to_contain_text("resigned")
    keep(page)
    expect(page.locator("#remark")).to_contain_text("kept games")
    expect(page.locator(".turn-text")).to_be_visible()


def count_and_lose_first(page, pattern):
    """Lose the first request that matches, and return the list of all of them."""
    asked = []

    def handle(route):
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        else:
            route.continue_()

    page.route(pattern, handle)
    return asked


def test_a_reason_that_did_not_come_is_asked_for_again(waiting):
    page, opponent, path = waiting
    PlayingPage(opponent, path).move("g6", 1)
    wait_for_ply(page, 2)
    asked = count_and_lose_first(page, "**/squares/*")
    page.click("#sq-g6")
    expect(page.locator("#notice")).to_contain_text("That did not get through.")
    page.click("#sq-g6")
    expect(page.locator("#remark [data-square=g6]")).to_be_visible()
    page.click("#sq-g6")  # it is there already
    page.evaluate("for (const name of ['f6', 'h6', 'g7']) document.getElementById(`sq-${name}`).click()")
    expect(page.locator("#remark [data-square=g7]")).to_be_visible()
    assert len([url for url in asked if url.endswith("/g6")]) == 2


def test_a_note_is_saved_and_leaves_what_was_chosen_and_typed(waiting):
    page, _opponent, _path = waiting
    choose_premove(page)
    open_pane(page, "chat")
    page.fill("#chat-text-players", "Good ga")
    open_pane(page, "note")
    page.fill("#note-text", "The corner first.")
    page.click("#own-note button")
    expect(page.locator("#notice")).to_contain_text("Your note is saved.")
    expect(page.locator("#sq-g4")).to_have_class(re.compile("sq-premove"))
    expect(page.locator("#chat-text-players")).to_have_value("Good ga")
    assert page.evaluate("document.getElementById('note-text').defaultValue") == "The corner first."
    page.fill("#note-text", "The edge first.")  # instead of the one that the page has just saved
    with page.expect_response(lambda answer: answer.url.endswith("/note")) as answered:
        page.click("#own-note button")
    assert answered.value.status == 200
    page.reload()
    open_pane(page, "note")
    expect(page.locator("#note-text")).to_have_value("The edge first.")
