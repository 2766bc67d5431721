"""A real Chromium, and the pages of its users."""

import contextlib

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser import chromium
from tests.support.players import PASSWORD, Visitor
from tests.support.waiting import WITHIN

expect.set_options(timeout=WITHIN * 1000)


@pytest.fixture(scope="package")
def playwright(server):  # the server starts before Playwright's loop
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright):
    browser = playwright.chromium.launch(executable_path=chromium.shell(), args=list(chromium.LAUNCH_ARGS))
    yield browser
    browser.close()


# Missing pages, forbidden actions, invalid forms, moves that come too late, a busy computer, lost
# connections, and no push service in private windows.
_EXPECTED = (
    "403",
    "404",
    "409",
    "422",
    "503",
    "ERR_",
    "Failed to fetch",
    "handshake",
    "htmx:ws:error",
    "Push API",
)


@contextlib.contextmanager
def _seats(browser, server):
    """Yield a function that opens a new browser context. Errors in its console fail the test."""
    contexts, complaints = [], []

    def sit_down(*, name=None, visitor=None, **options):
        context = browser.new_context(
            **{"base_url": server.url, "viewport": {"width": 1280, "height": 800}, **options}
        )
        context.set_default_timeout(WITHIN * 1000)
        contexts.append(context)
        page = context.new_page()

        def complain(text):
            if not any(word in text for word in _EXPECTED):
                complaints.append(f"{page.url}: {text}")

        page.on("pageerror", lambda error: complain(str(error)))
        page.on("console", lambda line: complain(line.text) if line.type == "error" else None)
        if visitor:  # continue this visitor's session
            context.add_cookies(
                [
                    {"name": cookie.name, "value": cookie.value, "url": server.url}
                    for cookie in visitor.http.cookies.jar
                ]
            )
        if name:
            page.goto("/register")
            page.fill("[name=username]", name)
            page.fill("[name=password]", PASSWORD)
            page.click("form[action='/register'] button")
            page.wait_for_url("**/lobby")
        return page

    yield sit_down
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def sit_down(browser, server):
    """Return a function that opens a page in a new browser context. Errors in its console fail the test."""
    with _seats(browser, server) as sit_down:
        yield sit_down


@pytest.fixture(scope="module")
def stay_seated(browser, server):
    """Return `sit_down` for the pages that all tests of a module share."""
    with _seats(browser, server) as sit_down:
        yield sit_down


@pytest.fixture
def table(sit_down, server):
    """Return the pages of a registered Black and a guest as White on 9×9, and the address of the game."""
    black, white = Visitor(server).register(), Visitor(server)
    offer = {"size": "9", "side": "black", "opponent_kind": "link"}
    challenge = black.http.post("/challenges", data=offer).url.path
    game = str(white.http.post(f"{challenge}/accept").url)
    pages = [sit_down(visitor=visitor) for visitor in (black, white)]
    for page in pages:
        page.goto(game)
    return *pages, game
