"""Every page, in the light and in the dark: no serious fault of accessibility, nothing scrolls sideways."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import accept, offer_game
from tests.support.nugget import detours
from tests.support.players import Match, Program, fresh_name
from tests.support.solitaire import begin, play, random_games, submit

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def pages(sit_down, server):
    """Give a player and the paths of every page as the player sees it."""
    player = sit_down(name=fresh_name(), bypass_csp=True)
    other = sit_down()
    under_way = accept(other, offer_game(player, size=13))
    player.wait_for_url(under_way)
    finished = Match(server)
    finished.play("c4", "g6", "d4", "f6", "pass", "pass")
    challenge = offer_game(player, opponent="link")
    player.goto("/nugget")
    player.click("form[action='/nugget/runs'] button")
    player.wait_for_url("**/nugget/runs/*")
    run = player.url
    player.keyboard.type("P5L")
    player.wait_for_selector(".play-moves li:nth-child(3)")
    alone = begin(puzzler := Program(server), "jumping_farther", 12)
    play(puzzler, alone, ["f6", "f7", "h9", "e6", "a2"])
    best = submit(puzzler, "up_and_up", 8, next(iter(random_games("up_and_up", 8, 1).values())))
    race = puzzler.http.post("/races", json={"game": "up_and_up", "minutes": 5}).json()["id"]
    match = puzzler.challenge(game="jumping_farther", options={"size": 12}, opponent="link").json()["id"]
    two = Program(server).http.post(f"/challenges/{match}/accept").json()["game_id"]
    entry = puzzler.http.post("/nugget/entries", json={"boards": detours(4)}).json()["id"]
    puzzler.http.post(f"/nugget/entries/{entry}/publish")
    return player, [
        "/",
        "/lobby",
        challenge,
        under_way,
        f"/games/{finished.id}",
        f"/games/{finished.id}?ply=3",
        f"/games/{finished.id}/about?ply=3",
        "/games",
        "/watch",
        "/analysis/jadejack?size=13&moves=c4,g6",
        "/analysis/jumping_farther?size=12&moves=c4",
        "/import",
        f"/players/{finished.black.username}",
        "/leaderboards/jadejack",
        "/rules/jadejack",
        "/account",
        "/no/such/page",
        "/solitaire",
        "/lobby?offer=jumping_farther",
        f"/games/{alone}",
        f"/games/{best}",
        f"/games/{two}",
        f"/races/{race}",
        "/scores/up_and_up/8",
        "/records",
        "/records/jumping_farther/2/4?ply=5",
        "/rules/jumping_farther",
        "/rules/up_and_up",
        f"/players/{puzzler.username}",
        "/nugget",
        run,
        f"/nugget/compare?a={run.rsplit('/', 1)[1]}&b={run.rsplit('/', 1)[1]}",
        "/nugget/submit",
        "/nugget/competitions",
        "/leaderboards/golden_nugget",
        "/rules/golden_nugget",
        f"/nugget/entries/{entry}",
        f"/nugget/entries/{entry}/boards/2?move=3",
    ]


# In the dark only the colours are different.
CHECKS = {"light": None, "dark": {"runOnly": ["color-contrast"]}}
DESK = {"width": 1280, "height": 800}


def serious(page, scheme):
    page.emulate_media(color_scheme=scheme)
    violations = Axe().run(page, options=CHECKS[scheme]).response["violations"]
    return [
        (page.url, scheme, violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
        for violation in violations
        if violation["impact"] in ("serious", "critical")
    ]


def test_no_page_has_a_serious_fault_or_scrolls_sideways_on_a_phone(pages, sit_down):
    player, paths = pages
    stranger = sit_down(bypass_csp=True)
    faults = []
    for page, own in ((player, paths), (stranger, ["/login", "/register", "/lobby"])):
        for path in own:
            page.goto(path)
            faults += serious(page, "light") + serious(page, "dark")
            page.set_viewport_size(PHONE)
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > PHONE["width"]:
                faults.append((page.url, "is wider than a phone", width))
            page.set_viewport_size(DESK)
    assert faults == []


def test_on_a_large_board_a_tap_selects_and_a_second_one_plays(sit_down):
    black = sit_down(name=fresh_name(), viewport=PHONE, has_touch=True, is_mobile=True)
    white = sit_down()
    accept(white, offer_game(black, size=13))
    black.wait_for_url("**/games/*")
    square = black.locator("#sq-c4 button")
    square.tap()
    assert black.locator("#sq-c4 svg").count() == 0
    square.tap()
    black.locator("#sq-c4 svg").wait_for()
