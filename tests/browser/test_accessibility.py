"""Every page in light and dark: no fault that axe or HTML CodeSniffer finds, and no scrolling sideways."""

import pytest

from tests.support.accessibility import DESK, PHONE, assert_accessible, bring_axe
from tests.support.page_paths import page_paths
from tests.support.pages import accept, offer_game
from tests.support.players import Visitor

pytestmark = pytest.mark.browser

LANGUAGES = {"nobody": "es", "player": "de", "moderator": "en"}
"""What the readers of pages read: German has long words, and Spanish long buttons."""

PAGES = [
    path
    for route, paths in page_paths().items()
    if route != "/api/docs"  # Swagger's
    for path in dict.fromkeys((paths[0], paths[-1]))  # those between them are built of the same parts
]


@pytest.fixture(scope="module")
def seats(stay_seated, example_site):
    """Return a page for each reader, in which tests open one address after the other.

    That takes half of the time of a new one.
    """
    seats = {
        reader: stay_seated(
            visitor=visitor,
            locale=LANGUAGES[reader],
            base_url=example_site.server.url,
            bypass_csp=True,
            service_workers="block",
        )
        for reader, visitor in example_site.readers.items()
    }
    for page in seats.values():
        bring_axe(page)
    return seats


@pytest.mark.parametrize("path", [*PAGES, "/no/such/page"])
def test_a_page_has_no_fault_and_fits_on_a_phone(seats, example_site, path):
    """Each page is checked for the reader who sees most of it; fragments are parts of other pages."""
    path = path.format(**example_site.ids)
    for reader in ("moderator",) if path.startswith("/moderation") else ("player", "nobody"):
        answer = example_site.readers[reader].http.get(path, follow_redirects=False)
        if answer.status_code in (200, 404) and answer.text.startswith("<!doctype html>"):
            page = seats[reader]
            page.set_viewport_size(DESK)
            page.goto(path)
            assert_accessible(page)
            break


def test_on_a_large_board_a_tap_selects_and_a_second_one_plays(sit_down, server):
    black = sit_down(visitor=Visitor(server).register(), viewport=PHONE, has_touch=True, is_mobile=True)
    white = sit_down()
    accept(white, offer_game(black, size=13))
    black.wait_for_url("**/games/*")
    square = black.locator("#sq-c4 button")
    square.tap()
    assert black.locator("#sq-c4 svg").count() == 0
    square.tap()
    black.locator("#sq-c4 svg").wait_for()
