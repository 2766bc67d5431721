"""Actions of users on pages in a browser, and checks of what the pages show."""

from playwright.sync_api import expect

from engine.registry import GAMES

RULES = GAMES["jadejack"]


def offer_game(page, *, size=9, side="black", opponent="open", clock="none", rated=""):
    """Make a challenge in the lobby and return its address."""
    page.goto("/lobby")
    form = page.locator("#challenge-form")
    for more in form.locator("summary").all():
        more.click()
    form.locator(f"[name=clock][value={clock}]").check(force=True)
    if form.locator("[name=rated]").count():
        form.locator(f"[name=rated][value='{rated}']").check(force=True)
    form.locator("select[name=size]").select_option(str(size))
    form.locator(f"[name=side][value={side}]").check(force=True)
    form.locator(f"[name=opponent_kind][value={opponent}]").check(force=True)
    form.locator("button.button-main").click()
    page.wait_for_url("**/challenges/*")
    return page.url


def accept(page, url):
    """Accept a challenge at its link and return the game's address."""
    page.goto(url)
    page.click("form[action$='/accept'] button")
    page.wait_for_url("**/games/*")
    return page.url


def look_away(page):
    """Hide the page, as if its user looked at another tab."""
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => !window.isLookedAt });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )


def look_back(page):
    """Show a hidden page again."""
    page.evaluate("isLookedAt = true; document.dispatchEvent(new Event('visibilitychange'))")


def open_pane(page, key):
    """Choose a tab beside a board."""
    page.check(f"[name=pane][value={key}]", force=True)


def open_question(page, label):
    """Open the menu below a board, and in it the question before something serious, such as "Resign"."""
    page.click("#menu-more > summary")
    page.click(f"#choices summary:has-text('{label}')")


def wait_for_ply(page, ply):
    expect(page.locator("#moves a[href*='ply=']")).to_have_count(ply)


def playable(page):
    return sorted(
        page.eval_on_selector_all("#board [role=gridcell] button:enabled", "all => all.map(b => b.value)")
    )


def scores(page, rules=RULES):
    expect(page.locator("[data-counted]")).to_have_count(0)  # until then they count up
    return {side: page.inner_text(f".seat-{side} .seat-score .seat-figure").strip() for side in rules.sides}


def assert_shows(page, position, *, to_play, rules=RULES):
    legal = sorted(move for move in rules.legal_moves(position) if move != "pass") if to_play else []
    assert playable(page) == legal
    assert scores(page, rules) == {side: f"{rules.score(position)[side]:g}" for side in rules.sides}
