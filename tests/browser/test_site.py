"""Finding the way around the site."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.pages import open_pane
from tests.support.players import PASSWORD, Match, Visitor, fresh_name

INSTALL_INCOMPLETE = """async () => {
    const url = "/service-worker.js?lang=pl&with=/missing";
    const { installing } = await navigator.serviceWorker.register(url);
    while (installing.state === "installing") await new Promise(requestAnimationFrame);
    return installing.state;
}"""


def test_on_a_phone_the_menu_leads_everywhere_and_registering_leads_back(sit_down):
    page = sit_down(viewport={"width": 360, "height": 740})
    page.goto("/")
    board = page.locator(".games-moving img").first
    expect(board).to_be_visible()
    menu = page.locator("#menu")
    expect(menu).to_be_hidden()
    for name in ("Play", "Solo", "Golden Nugget", "Watch", "Learn", "Rankings"):
        page.click("button:has-text('Menu')")
        menu.get_by_role("link", name=name, exact=True).click()
        expect(menu.locator("[aria-current]")).to_have_text(name)
        expect(menu).to_be_hidden()
    page.click("nav.tabs a:has-text('JadeJack')")
    rankings = page.url
    page.click("header >> text=Register")
    name = fresh_name()
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("form[action='/register'] button")
    expect(page).to_have_url(rankings)
    page.click("footer >> text=Find a player")
    page.locator("[name=q]").press_sequentially(name[:-1])
    page.click(f"#players-found a:has-text('{name}')")
    expect(page).to_have_url(re.compile(f"/players/{name}$"))


@pytest.mark.parametrize(
    ("path", "field"),
    [("/import", "#record"), ("/analysis", "#position"), ("/tournaments/new?kind=arena", "#field-name")],
)
def test_what_was_typed_is_kept_when_the_reader_goes_on_and_comes_back(sit_down, path, field, server):
    page = sit_down(visitor=Visitor(server).register())
    page.goto(path)
    open_setup(page)
    page.fill(field, "typed at length")
    page.goto("/rules/jadejack")
    page.go_back()
    expect(page.locator(field)).to_have_value("typed at length")


def open_setup(page):
    """Show the forms of the analysis board."""
    if page.locator("[value=setup]").count():
        open_pane(page, "setup")


def test_a_form_that_is_refused_opens_at_its_first_error(sit_down, server):
    page = sit_down(visitor=Visitor(server).register(), viewport={"width": 360, "height": 740})
    page.goto("/tournaments/new?kind=swiss")
    page.fill("[name=name]", "Cake cup")
    page.eval_on_selector("main form", "form => (form.noValidate = true)")
    page.fill("[name=max_players]", "1")
    page.click("button:has-text('Make the tournament')")
    expect(page.locator("#error-max_players")).to_be_in_viewport()
    expect(page.locator("[name=max_players]")).to_be_focused()


def test_prose_is_typed_in_the_letters_of_the_page_and_records_in_even_ones(sit_down, server):
    page = sit_down(visitor=Visitor(server).register())
    fonts = []
    for path, field in (("/account/profile", "#field-text"), ("/analysis", "#record")):
        page.goto(path)
        own, around = (
            page.locator(each).evaluate("each => getComputedStyle(each).fontFamily")
            for each in (field, "body")
        )
        fonts.append(own == around)
    assert fonts == [True, False]


def test_without_a_connection_a_page_says_so(sit_down):
    page = sit_down()
    page.goto("/lobby")
    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.goto("/watch")
    expect(page.locator("h1")).to_have_text("No connection")
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("h1")).to_have_text("Games in progress")
    page.goto("/watch?lang=de")
    page.wait_for_function("() => navigator.serviceWorker.controller.scriptURL.includes('lang=de')")
    assert page.evaluate(INSTALL_INCOMPLETE) == "redundant"
    page.context.set_offline(True)
    page.goto("/lobby")
    expect(page.locator("h1")).to_have_text("Keine Verbindung")
    page.context.set_offline(False)


@pytest.mark.parametrize("sheet", [(718, 1040), (1040, 718)], ids=["portrait", "landscape"])
def test_a_game_is_printed_with_all_moves_dark_on_white_and_without_controls(sit_down, server, sheet):
    match = Match(server)
    snapshot = match.play("a1")
    for _ in range(23):
        snapshot = match.play(next(move for move in snapshot["legal_moves"] if move != "pass"))
    page = sit_down(viewport={"width": sheet[0], "height": sheet[1]}, color_scheme="dark")
    page.goto(f"/games/{match.id}")
    page.emulate_media(media="print")
    expect(page.locator("#board .board")).to_be_visible()
    expect(page.locator(".move-list li:visible")).to_have_count(24)
    for controls in (".header", ".screen-bar", "#chat"):
        expect(page.locator(controls)).to_be_hidden()
    for name, colour in (("background-color", "rgb(255, 255, 255)"), ("color", "rgb(43, 34, 29)")):
        expect(page.locator("html")).to_have_css(name, colour)
    hidden = page.evaluate("""["#moves", "#move-list"].map((id) => {
        const { scrollHeight, clientHeight } = document.querySelector(id);
        return scrollHeight - clientHeight;
    })""")
    assert max(hidden) <= 1
