"""Two people, two browsers, one game of JadeJack from the first disk to the counted score."""

import random
import re

import pytest
from playwright.sync_api import expect

from engine import jadejack, squares
from tests.support.pages import (
    RULES,
    accept,
    assert_shows,
    offer_game,
    open_pane,
    open_question,
    wait_for_ply,
)
from tests.support.players import Visitor

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("processes", "plies"), [("server", 16), ("two_workers", 8)])
def test_a_whole_game_in_two_browsers_while_a_third_watches(sit_down, request, processes, plies):
    site = request.getfixturevalue(processes)
    black = sit_down(base_url=site.url, visitor=Visitor(site).register())
    white, watcher = (sit_down(base_url=site.url) for _ in range(2))  # White is a guest
    white.goto("/lobby")
    challenge = offer_game(black).rsplit("/", 1)[1]
    white.click(
        f"form[action='/challenges/{challenge}/accept'] button"
    )  # the open page shows it without a reload
    white.wait_for_url("**/games/*")
    black.wait_for_url(white.url)
    watcher.goto(white.url)
    position, rng = RULES.initial({"size": 9}), random.Random(3)
    for ply in range(plies):
        mover = (black, white)[ply % 2]
        for page in (black, white, watcher):
            wait_for_ply(page, ply)
            assert_shows(page, position, to_play=page is mover)
        move = rng.choice([move for move in RULES.legal_moves(position) if move != "pass"])
        mover.click(f"#sq-{move} button")
        position = RULES.play(position, move)
    for ply, page in ((plies, black), (plies + 1, white)):
        wait_for_ply(page, ply)
        page.click("#actions summary:has-text('Pass')")
        page.click("#actions button[value=pass]")
        position = RULES.play(position, "pass")
    score = RULES.score(position)
    black_won = score["black"] > score["white"]
    texts = ("You won by", "You lost by") if black_won else ("You lost by", "You won by")
    for page, text in zip((black, white, watcher), (*texts, " won by "), strict=True):
        expect(page.locator("#turn")).to_contain_text(text)
        assert_shows(page, position, to_play=False)
        points = page.eval_on_selector_all(
            "#board [role=gridcell]",
            "all => all.map(c => [c.id.slice(3), /(black|white)-point/.exec(c.className)?.[1] ?? null])",
        )
        assert dict(points) == dict(zip(squares.names(9), jadejack.territory(position), strict=True))


def test_a_whole_game_without_scripts(sit_down, server):
    black = sit_down(visitor=Visitor(server).register(), java_script_enabled=False)
    white = sit_down(java_script_enabled=False)
    link = offer_game(black, opponent="link")
    assert black.input_value("#share-link") == link
    game = accept(white, link)
    position, rng = RULES.initial({"size": 9}), random.Random(8)
    for ply in range(6):
        mover, other = (black, white) if ply % 2 == 0 else (white, black)
        other.goto(game)
        mover.goto(game)
        assert_shows(mover, position, to_play=True)
        assert_shows(other, position, to_play=False)
        move = rng.choice([move for move in RULES.legal_moves(position) if move != "pass"])
        mover.click(f"#sq-{move} button")
        position = RULES.play(position, move)
        assert_shows(mover, position, to_play=False)
    for page in (black, white):
        page.goto(game)
        page.click("#actions summary:has-text('Pass')")
        page.click("#actions button[value=pass]")
        position = RULES.play(position, "pass")
    assert re.search("You (won|lost) by", white.inner_text("#turn"))
    white.click("#moves a[href*='ply=3']")
    assert "Move 3 of 8" in white.inner_text("#past")


def test_resigning_without_scripts(sit_down, server):
    black = sit_down(visitor=Visitor(server).register(), java_script_enabled=False)
    white = sit_down(java_script_enabled=False)
    url = accept(white, offer_game(black, opponent="link"))
    for player, square in ((black, "c4"), (white, "g6")):
        player.goto(url)
        player.click(f"#sq-{square} button")
    black.goto(url)
    open_question(black, "Resign")
    black.click("form[action$='/resign'] button")
    assert "You resigned" in black.inner_text("#turn")


def test_keys_are_explained_except_on_a_phone(table, sit_down):
    black, _, url = table
    phone = sit_down(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    phone.goto(url)
    for page, has_keys in ((black, True), (phone, False)):
        open_pane(page, "info")
        expect(page.locator(".help-marks")).to_be_visible()
        expect(page.locator(".help-keys")).to_be_visible(visible=has_keys)


def test_the_strength_view_shows_numbers(table):
    black, _, _ = table
    black.click("#sq-c4 button")
    numbers = black.locator("#sq-c5 .sq-str")
    expect(numbers).to_be_hidden()
    black.keyboard.press("s")
    black.hover("#sq-c5")
    expect(numbers).to_be_visible()


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}])
def test_nothing_moves_under_the_pointer_when_the_opponent_leaves(table, size):
    black, white, _ = table
    black.set_viewport_size(size)
    expect(black.locator("#attendance[data-here='black white']")).to_have_count(1)
    places = [black.locator(part).bounding_box() for part in ("#squares", "#seat-bottom", "#actions")]
    white.goto("/rules/jadejack")
    expect(black.locator("#attendance")).to_contain_text("is away")
    assert [black.locator(part).bounding_box() for part in ("#squares", "#seat-bottom", "#actions")] == places
