"""Reviews in the browser: a finished game of each kind, evaluated by a real worker."""

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.support.nugget import SHORT_RECORD, new_record
from tests.support.pages import open_pane
from tests.support.players import Match, Program, Visitor
from tests.support.solitaire import random_games, submit

pytestmark = pytest.mark.browser

REVIEWED = 300_000  # milliseconds that a busy machine may need for a review


def jadejack(server):
    match = Match(server)
    match.play("e4", "e6", "d5", "g7", "pass", "pass")
    return f"/games/{match.id}"


def jumping_farther(server):
    first, second = Program(server), Program(server)
    made = first.challenge(
        game="jumping_farther",
        opponent=second.username,
        side="first",
        options={"size": 3, "rounds": 1},
    )
    game_id = second.http.post(f"/challenges/{made.json()['id']}/accept").json()["game_id"]
    snapshot = first.snapshot(game_id)
    while snapshot["result"] is None:
        mover = (first, second)[snapshot["ply"] % 2]
        snapshot = mover.move(game_id, snapshot["legal_moves"][0], snapshot["ply"]).json()
    return f"/games/{game_id}"


def solitaire(game, server):
    _score, moves = min(random_games(game, 4).items())
    return f"/games/{submit(Program(server), game, 4, moves)}"


def board_of_golden_nugget(server):
    player, boards = Program(server), new_record(19, SHORT_RECORD)
    entry = player.http.post("/nugget/entries", json={"boards": boards}).json()["id"]
    assert player.http.post(f"/nugget/entries/{entry}/publish").status_code == 200
    shortest = min(range(19), key=lambda number: len(boards[number]))
    return f"/nugget/entries/{entry}/boards/{shortest + 1}"


@pytest.mark.parametrize(
    "played",
    [
        jadejack,
        jumping_farther,
        partial(solitaire, "jumping_farther"),
        partial(solitaire, "up_and_up"),
        board_of_golden_nugget,
    ],
    ids=["jadejack", "jumping", "jumping for one", "up and up", "golden nugget"],
)
def test_a_finished_game_is_reviewed(sit_down, server_with_computer, played):
    server = server_with_computer
    page = sit_down(base_url=server.url, visitor=Visitor(server).register())
    page.goto(played(server))
    page.click("a[href$='/review']")
    page.click("form[action$='/review'] button")
    expect(page.locator(".chart")).to_be_visible(timeout=REVIEWED)
    expect(page.locator("#review .data-table tbody tr").first).to_contain_text("%")
    plies = page.locator(".chart a")
    page.keyboard.press("Home")
    expect(page.locator(".replay-text")).to_contain_text("Move 0 of")
    page.evaluate("for (let i = 0; i < 2; i++) document.querySelector('[rel=next]').click()")
    expect(page.locator(".replay-text")).to_contain_text("Move 2 of")
    page.keyboard.press("End")
    for shown in (".chart", ".chart + .field-hint", ".move-list [aria-current=step]"):
        expect(page.locator(shown)).to_be_in_viewport(ratio=0.9)
    page.keyboard.press("Home")
    expect(page.locator(".replay-text")).to_contain_text("Move 0 of")
    plies.nth(2).click()
    expect(page.locator(".replay-text")).to_contain_text("Move 2 of")
    expect(page.locator(".screen-turn .turn-note")).not_to_be_empty()
    open_pane(page, "info")
    costly = page.locator("#costly a").first
    expect(costly).to_contain_text("was better")
    before = int(re.match(r"\d+", costly.inner_text()).group()) - 1
    costly.click()
    expect(page).to_have_url(re.compile(rf"/review\?ply={before}$"))
    expect(page.locator(".replay-text")).to_contain_text(f"Move {before} of")
    expect(page.locator("#costly [aria-current=step]")).to_have_text(costly.inner_text())
    expect(page.locator(".move-list-mark").first).to_contain_text("?")
    if again := page.locator("a:text-is('Try it again')").all():
        better = re.search(r"; (\S+) was better", costly.inner_text())[1]
        again[0].click()
        expect(page.locator(".turn-text")).to_contain_text("Find a better move.")
        expect(page.locator("#costly")).to_have_count(0)  # it tells the move
        page.click(f"#again button[value='{better}']")
        expect(page.locator(".turn-text")).to_have_text(f"You found it: {better}.")


def test_a_position_that_makes_no_puzzle_is_refused_beside_its_review(sit_down, server_with_computer):
    server = server_with_computer
    page, match = sit_down(base_url=server.url, visitor=Visitor(server).register()), Match(server)
    match.play("pass", "pass")
    page.goto(f"/games/{match.id}/review?ply=1")
    page.click("form[action$='/review'] button")
    expect(page.locator(".chart")).to_be_visible(timeout=REVIEWED)
    page.keyboard.press("Home")
    expect(page.locator(".replay-text")).to_contain_text("Move 0 of")
    expect(page.locator("form[action$='/puzzle']")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".replay-text")).to_contain_text("Move 1 of")
    page.click("#menu-more > summary")
    page.click("form[action$='/puzzle'] button")
    expect(page.locator("#notice")).not_to_be_empty(timeout=REVIEWED)
    expect(page.locator(".chart")).to_be_visible()
    assert page.url.endswith("/review?ply=1")


def test_the_reader_goes_on_through_the_game_while_it_is_reviewed(sit_down, server):
    page = sit_down(visitor=Visitor(server).register())  # no worker computes it
    page.clock.install()
    path = f"{jadejack(server)}/review"
    page.goto(path)
    page.click("form[action$='/review'] button")
    expect(page.locator("progress")).to_be_visible()
    for key, ply in (("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        expect(page.locator(".replay-text")).to_contain_text(f"Move {ply} of")
        for _ in range(3):
            with page.expect_response(lambda answer: path in answer.url):
                page.clock.run_for(2_000)
        expect(page.locator(".replay-text")).to_contain_text(f"Move {ply} of")
        assert page.url.endswith(f"?ply={ply}")
