"""Games on pages of other sites, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.loopback import LoopbackServer
from tests.support.players import Program
from tests.support.solitaire import begin, play, random_games

pytestmark = pytest.mark.browser


@pytest.fixture
def game(server):
    """Return the path of a game of several moves."""
    program = Program(server)
    game_id = begin(program)
    play(program, game_id, next(iter(random_games("up_and_up", 4).values()))[:6])
    return f"/games/{game_id}"


@pytest.fixture
def framed():
    """Return a function that opens a page of another site that frames an address, and returns the frame.

    The site is a server of its own: browsers let no page that comes from elsewhere frame one of this machine.
    """
    sites = []

    def frame(page, address):
        content = f'<iframe src="{address}" width="480" height="620"></iframe>'.encode()
        sites.append(site := LoopbackServer(lambda *_: (200, content, {"Content-Type": "text/html"})))
        page.goto(f"{site.url}/")
        return page.frame_locator("iframe")

    yield frame
    for site in sites:
        site.stop()


def test_another_site_shows_a_game_that_its_reader_steps_through(sit_down, framed, server, game):
    page = sit_down()
    frame = framed(page, f"{server.url}/embed{game}?theme=dark")
    at, playing = frame.locator("#embed-at"), frame.locator("#embed-play")
    expect(playing).to_have_attribute("aria-pressed", "true")
    playing.click()
    expect(playing).to_have_attribute("aria-pressed", "false")
    for _ in range(6):
        frame.get_by_label("One move back").click()
    expect(at).to_have_text("0 / 6")
    shown = frame.locator("svg text[font-size='17']")
    visible = "all => all.filter(one => getComputedStyle(one.closest('g')).opacity === '1').length"
    assert shown.evaluate_all(visible) == 0
    for _ in range(7):
        frame.get_by_label("One move on").click()
    expect(at).to_have_text("6 / 6")
    assert shown.evaluate_all(visible) == 6
    expect(frame.locator("html")).to_have_css("color-scheme", "dark")
    playing.click()
    expect(at).to_have_text(re.compile("^[0-5] / 6$"))


def test_a_film_stands_at_its_end_where_motion_is_not_wanted(sit_down, framed, server, game):
    page = sit_down(reduced_motion="reduce")
    frame = framed(page, f"{server.url}/embed{game}")
    expect(frame.locator("#embed-at")).to_have_text("6 / 6")
    expect(frame.locator("#embed-play")).to_have_attribute("aria-pressed", "false")
    frame.get_by_label("One move back").click()
    expect(frame.locator("#embed-at")).to_have_text("5 / 6")
