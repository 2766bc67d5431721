"""Actions of users on pages in a browser, and checks of what the pages show."""

from playwright.sync_api import expect

from engine.registry import GAMES

RULES = GAMES["jadejack"]


def offer_game(page, *, size=9, side="black", opponent="open", clock="none", rated=""):
    """Make a challenge in the lobby and return its address."""
    page.goto("/lobby")
    page.check(f"[name=clock][value={clock}]", force=True)
    if rated:
        page.check(f"[name=rated][value={rated}]", force=True)
    page.select_option("select[name=size]", str(size))
    page.check(f"[name=side][value={side}]", force=True)
    page.check(f"[name=opponent_kind][value={opponent}]", force=True)
    page.click(
        "form[action='/challenges'] button[type=submit], form[action='/challenges'] button:not([type])"
    )
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


def wait_for_ply(page, ply):
    expect(page.locator("#moves a[href*='ply=']")).to_have_count(ply)


def playable(page):
    return sorted(
        page.eval_on_selector_all("#board [role=gridcell] button:enabled", "all => all.map(b => b.value)")
    )


def scores(page, rules=RULES):
    return {side: page.inner_text(f".seat-{side} .seat-score .seat-figure").strip() for side in rules.sides}


def assert_shows(page, position, *, to_play, rules=RULES):
    legal = sorted(move for move in rules.legal_moves(position) if move != "pass") if to_play else []
    assert playable(page) == legal
    assert scores(page, rules) == {side: f"{rules.score(position)[side]:g}" for side in rules.sides}
