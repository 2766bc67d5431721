"""A real Chromium, and the pages of its users."""

import contextlib

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser import chromium
from tests.browser.contexts import Contexts
from tests.support.players import Visitor, begin_game
from tests.support.waiting import WITHIN

expect.set_options(timeout=WITHIN * 1000)


@pytest.fixture(scope="package")
def playwright(server):  # the server starts before Playwright's loop
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def contexts(playwright):
    """Return the contexts of a Chromium without windows."""
    with Contexts.of(playwright, chromium.shell()) as contexts:
        yield contexts


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


_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.excinfo and not call.excinfo.errisinstance(pytest.skip.Exception):
        item.stash[_FAILED] = True
    return report


@contextlib.contextmanager
def _seats(contexts, server, node):
    """Yield a function that opens a page of its own context. Errors in its console fail the test.

    If a test fails, what its pages asked for is printed, and its contexts are not used again.
    """
    taken, complaints = [], []

    def sit_down(*, visitor=None, **options):
        options = {"base_url": server.url, "viewport": {"width": 1280, "height": 800}, **options}
        page = contexts.take(options)
        page.context.set_default_timeout(WITHIN * 1000)
        taken.append((page.context, options))

        def complain(text):
            if not any(word in text for word in _EXPECTED):
                complaints.append(f"{page.url}: {text}")

        page.on("pageerror", lambda error: complain(str(error)))
        page.on("console", lambda line: complain(line.text) if line.type == "error" else None)
        if visitor:  # continue this visitor's session
            page.context.add_cookies(
                [
                    {"name": cookie.name, "value": cookie.value, "url": server.url}
                    for cookie in visitor.http.cookies.jar
                ]
            )
        return page

    yield sit_down
    has_failed = node.stash.get(_FAILED, False)
    for context, options in taken:
        if has_failed:
            print(*contexts.requests_of(context), sep="\n")  # noqa: T201 - pytest shows it
            context.close()
        contexts.give_back(context, options)
    assert complaints == []


@pytest.fixture
def sit_down(contexts, server, request):
    """Return a function that opens a page of its own context. Errors in its console fail the test."""
    with _seats(contexts, server, request.node) as sit_down:
        yield sit_down


@pytest.fixture(scope="module")
def stay_seated(contexts, server, request):
    """Return `sit_down` for the pages that all tests of a module share."""
    with _seats(contexts, server, request.node) as sit_down:
        yield sit_down


@pytest.fixture
def table(sit_down, server):
    """Return the pages of a registered Black and a guest as White on 9×9, and the address of the game."""
    players = Visitor(server).register(), Visitor(server)
    game = f"{server.url}{begin_game(*players)}"
    pages = [sit_down(visitor=player) for player in players]
    for page in pages:
        page.goto(game)
    return *pages, game
