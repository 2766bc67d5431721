"""Pages in windows of all widths."""

import pytest
from playwright.sync_api import expect

from engine.registry import SOLITAIRE
from tests.support.games import lost_rated_game
from tests.support.players import Program, Visitor, begin_game

pytestmark = pytest.mark.browser

SMALLEST_LABEL = """Math.min(...[...document.querySelectorAll(".chart text")].map(
    (label) => parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().d))"""
"""The height of the smallest text in the page's charts, in pixels."""

HEADERS = [320, 352, 353, 390, 432, 480, 481, 544, 545, 700, 1272, 1273, 1280, 1440, 1441, 1600]
"""Widths in pixels, with those at which the header changes."""

CUT = """[...document.querySelectorAll(".header-nav > a:not(.header-name, .header-messages)")]
    .filter((word) => word.clientWidth && word.scrollWidth > word.clientWidth)
    .map((word) => word.innerText)"""


@pytest.mark.parametrize(("width", "columns"), [(360, 1), (1280, 1), (1920, 2), (2560, 2)])
def test_sections_stand_beside_each_other_in_wide_windows(sit_down, width, columns):
    page = sit_down(viewport={"width": width, "height": 1080})
    page.goto("/seasons")
    boxes = [each.bounding_box() for each in page.locator("main > section").all()]
    assert len({box["x"] for box in boxes}) == columns
    if columns == 2:
        assert len({box["y"] for box in boxes}) == 1
        assert boxes[1]["x"] + boxes[1]["width"] > 0.97 * width - 40  # nothing is empty but the margin


@pytest.mark.parametrize(("width", "height", "boards"), [(360, 740, 2), (1280, 800, 4), (2560, 1440, 6)])
def test_games_to_move_in_and_ways_to_a_new_one_are_in_the_window(sit_down, server, width, height, boards):
    visitor = Visitor(server).register()
    for _ in range(6):
        begin_game(visitor, Visitor(server))
    page = sit_down(visitor=visitor, viewport={"width": width, "height": height})
    page.goto("/")
    shown = page.locator(".mini-own .mini:visible")
    expect(shown).to_have_count(boards)
    for what in (shown.last, page.locator(".quick-clocks button").first):
        expect(what).to_be_in_viewport(ratio=1)
    page.goto("/lobby")
    for what in (page.get_by_text("Your turn: 6"), page.locator(".quick-clocks button").first):
        expect(what).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    "path", ["/nugget/daily", *(f"/solitaire/daily/{game}" for game in SOLITAIRE)], ids=lambda path: path
)
@pytest.mark.parametrize(("width", "height"), [(390, 664), (1280, 720)])
def test_the_board_of_the_day_and_its_button_are_in_the_window(sit_down, path, width, height):
    page = sit_down(viewport={"width": width, "height": height})
    page.goto(path)
    for what in (".board, .nugget", "button:text-is('Play')"):
        expect(page.locator(f"main :is({what})").first).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [360, 1280])
def test_two_tables_of_ratings_fit_into_the_window(sit_down, server, width):
    lost_rated_game(Program(server), Program(server))
    page = sit_down(viewport={"width": width, "height": 800})
    page.goto("/leaderboards/jadejack")
    expect(page.locator(".data-table").last).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(
    "path", ["/games/{finished}/about", "/nugget/entries/{entry}/boards/2/review", "/statistics"]
)
def test_the_labels_of_charts_can_be_read(sit_down, example_site, path):
    page = sit_down(base_url=example_site.server.url)
    page.goto(path.format(**example_site.ids))
    for width in (320, 390, 560, 768, 1280, 2560):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(SMALLEST_LABEL) > 9.5, width


@pytest.mark.parametrize("language", ["en", "de", "es", "pl"])
def test_no_word_of_the_header_is_cut(sit_down, language):
    page = sit_down(locale=language)
    page.goto("/help")
    for width in HEADERS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(CUT) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_header_of_a_guest_fits_into_the_window(sit_down, server):
    page = sit_down(visitor=Visitor(server), locale="pl")
    page.goto("/help")
    for width in HEADERS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(CUT) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
