"""The analysis board with the keyboard, saving a study, and the shared board of two players."""

import itertools
import random

import pytest
from playwright.sync_api import expect

from app.learn.studies.analysis import key_after
from tests.support.pages import RULES, open_pane
from tests.support.players import Match, Visitor

pytestmark = pytest.mark.browser


TALL = """
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("#evaluation { min-height: 9rem; }");
    document.adoptedStyleSheets.push(sheet);
"""
"""A script that makes the evaluation as high as one with lines."""

NO_LINES = "localStorage.setItem('analysis-lines', '0')"  # there is no worker to ask


def test_a_tree_is_built_annotated_saved_and_opened_again(sit_down, server):
    page = sit_down(visitor=Visitor(server).register())
    page.add_init_script(NO_LINES)
    page.goto("/analysis")
    open_pane(page, "setup")
    page.fill("#record", '[Game "jadejack"]\n[Options "size=9"]\nc4 g6 d4')
    page.click("form:has(#record) button")
    page.wait_for_url("**/analysis/jadejack?**")
    shown = page.locator(".analysis-tree [aria-current]")
    page.keyboard.press("End")
    expect(shown).to_have_text("3. d4")
    page.keyboard.press("ArrowLeft")
    expect(shown).to_have_text("2. g6")
    page.focus("[data-step=next]")
    page.keyboard.press("Enter")
    expect(shown).to_have_text("3. d4")
    expect(page.locator("[data-step=next][aria-disabled]")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(shown).to_have_text("2. g6")
    page.fill("#type", "a1")
    page.keyboard.press("Enter")
    expect(shown).to_have_text("3. a1")
    page.click("#annotate summary")
    page.select_option("[name=symbol]", "!?")
    page.fill("[name=comment]", "Far away.")
    page.click("[value=annotate]")
    expect(page.locator(".analysis-comment")).to_have_text("Far away.")
    page.locator(".turn-text").click()
    page.keyboard.press("ArrowUp")
    expect(shown).to_have_text("3. d4")
    page.keyboard.press("ArrowDown")
    expect(shown).to_have_text("3. a1!?")
    page.keyboard.press("p")
    expect(page.locator(".analysis-main").last).to_have_text("3. a1!?")
    open_pane(page, "info")
    page.click("#save summary")
    page.fill("#new-title", "Far corners")
    page.click("#save .button-main")
    page.wait_for_url("**/studies/*")
    expect(page.locator("h1")).to_have_text("Far corners")
    page.locator(".turn-text").click()
    page.keyboard.press("Delete")
    expect(page.locator(".analysis-comment")).to_have_count(0)
    expect(shown).to_have_text("2. g6")


# What the form beside a tree would send of the node that is shown, but for which one that is.
SENT = """
() => {
  const fields = new FormData(document.querySelector(".analysis-note"));
  return [fields.get("symbol"), fields.get("comment")];
}
"""


def test_the_symbol_and_the_comment_of_a_move_are_of_no_other(sit_down):
    page = sit_down()
    page.add_init_script(NO_LINES)
    page.goto("/analysis/jadejack?size=9&moves=c4,g6,d4")
    page.keyboard.press("End")
    shown = page.locator(".analysis-tree [aria-current]")
    stored = [["!", "Strong."], ["?", "Weak."], ["", ""]]
    page.click("#annotate summary")
    for ply, (symbol, comment) in enumerate(stored, 1):
        page.click(f".analysis-tree button:has-text('{ply}.')")
        expect(shown).to_contain_text(f"{ply}.")
        assert page.evaluate(SENT) == ["", ""]
        page.select_option("[name=symbol]", symbol or "!!")
        page.fill("[name=comment]", comment or "Typed, and not saved.")
        if symbol:
            page.click("[value=annotate]")
            expect(shown).to_contain_text(symbol)
    for ply in (1, 2, 3, 2, 1):
        page.click(f".analysis-tree button:has-text('{ply}.')")
        expect(shown).to_contain_text(f"{ply}.")
        assert page.evaluate(SENT) == stored[ply - 1]
    page.reload()
    assert page.evaluate(SENT) == stored[0]


def test_a_page_sends_the_comment_that_it_shows_after_another_one_has_changed_it(sit_down, server):
    author = Visitor(server).register()
    study = {"game": "jadejack", "size": "9", "moves": "c4", "title": "Mine"}
    path = author.http.post("/studies", data=study).url.path
    page = sit_down(visitor=author)
    page.add_init_script(NO_LINES)
    page.goto(path)
    page.click(".analysis-tree button")
    page.click("#annotate summary")
    page.fill("[name=comment]", "First.")
    page.click("[value=annotate]")
    expect(page.locator(".analysis-comment")).to_have_text("First.")
    note = {"at": key_after(["c4"]), "edit": "annotate", "comment": "Second.", "drawn_comment": "First."}
    assert author.http.post(path, data=note).status_code == 200
    page.select_option("[name=symbol]", "!")
    page.click("[value=annotate]")
    expect(page.locator(".analysis-comment")).to_have_text("Second.")
    assert page.evaluate(SENT) == ["!", "Second."]


def test_moves_that_follow_quickly_wait_for_each_other(sit_down):
    page = sit_down()
    page.add_init_script(NO_LINES)
    page.goto("/analysis/jadejack?size=9")
    moves = page.locator(".analysis-tree button")
    page.evaluate("for (const id of ['c4', 'g6', 'd4']) document.querySelector(`#sq-${id} button`).click()")
    expect(moves).to_have_text(["1. c4", "2. g6", "3. d4"])
    expect(page.locator(".analysis-variation")).to_have_count(0)
    page.evaluate("for (let i = 0; i < 2; i++) document.querySelector('[data-step=prev]').click()")
    expect(page.locator(".analysis-tree [aria-current]")).to_have_text("1. c4")


def test_the_computer_is_not_asked_about_positions_in_passing(sit_down):
    page = sit_down()
    page.add_init_script("""
        window.asked = [];
        const submit = HTMLFormElement.prototype.requestSubmit;
        HTMLFormElement.prototype.requestSubmit = function (...chosen) {
            if (this.id === "ask") asked.push(performance.now());
            submit.apply(this, chosen);
        };
    """)
    page.route("**/evaluation", lambda route: route.fulfill(status=204))
    page.goto("/analysis/jadejack?size=9&moves=c4+g6+d4+e6+a1+i9&at=0")
    for key in ["ArrowRight"] * 6:
        before = page.url
        page.keyboard.press(key)
        page.wait_for_url(lambda url, before=before: url != before)
    at = page.url.partition("at=")[2]
    expect(page.locator(f"[data-shown='{at}'] #ask[data-asked]")).to_have_count(1)
    asked = page.evaluate("asked")
    assert len(asked) >= 2
    assert min(later - earlier for earlier, later in itertools.pairwise(asked)) >= 990  # timers are coarse


def test_many_moves_scroll_below_the_evaluation(sit_down):
    position, rng, moves = RULES.initial({"size": 9}), random.Random(4), []
    for _ in range(60):
        moves.append(rng.choice([move for move in RULES.legal_moves(position) if move != "pass"]))
        position = RULES.play(position, moves[-1])
    page = sit_down(viewport={"width": 1280, "height": 720})
    page.route("**/evaluation", lambda route: route.fulfill(status=204))
    page.goto(f"/analysis/jadejack?size=9&moves={'+'.join(moves)}")
    page.evaluate(TALL)
    tree = page.locator(".analysis-tree")
    page.keyboard.press("End")
    expect(tree.locator("[aria-current]")).to_contain_text("60.")
    page.keyboard.press("ArrowLeft")
    expect(tree.locator("[aria-current]")).to_contain_text("59.")
    for shown in (page.locator("#evaluation"), tree.locator("[aria-current]")):
        expect(shown).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.querySelector('#moves').scrollTop") < 60


def test_a_refused_move_leaves_the_board_and_its_address(sit_down):
    page = sit_down()
    page.add_init_script(NO_LINES)
    page.goto("/analysis/jadejack?size=9&moves=c4+g6")
    address = page.url
    page.fill("#type", "e5 e6")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("is not a square")
    assert page.url == address
    page.reload()
    expect(page.locator(".analysis-tree button")).to_have_text(["1. c4", "2. g6"])


def test_a_browser_without_storage_keeps_choices_as_long_as_the_page(sit_down):
    page = sit_down()
    denied = "{ get() { throw new DOMException('denied', 'SecurityError'); } }"
    for storage in ("localStorage", "sessionStorage"):
        page.add_init_script(f"Object.defineProperty(window, '{storage}', {denied})")
    page.goto("/analysis/jadejack?size=9")
    expect(page.locator("#lines")).to_have_value("3")
    page.select_option("#lines", "0")
    page.locator("#sq-c4 button").click()
    expect(page.locator(".analysis-tree button")).to_have_text(["1. c4"])
    expect(page.locator("#lines")).to_have_value("0")


def test_two_players_look_at_their_game_together(sit_down, server):
    match = Match(server)
    match.play("c4", "g6", "pass", "pass")
    pages = []
    for player in (match.black, match.white):
        visitor = Visitor(server).log_in(player.username)
        page = sit_down(visitor=visitor)
        page.add_init_script(NO_LINES)
        page.goto(f"/games/{match.id}")
        page.click("#menu-more > summary")
        page.click("form[action$='/together'] button")
        page.wait_for_url("**/studies/*")
        pages.append(page)
    black, white = pages
    expect(black.locator(".analysis-tree [aria-current]")).to_have_text("4. pass")
    black.locator("[data-step=first]").click()
    for page in pages:
        expect(page.locator("#sq-c4 svg")).to_have_count(0)
    white.locator("#sq-d4 button").click()
    for page in pages:
        expect(page.locator(".analysis-tree [aria-current]")).to_have_text("1. d4")
        expect(page.locator("#sq-d4 svg")).to_be_visible()
