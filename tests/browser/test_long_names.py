"""Long names and long words on a phone: nothing covers its neighbour, and short names stay whole."""

import secrets

import pytest

from tests.support.players import Program, Visitor, begin_game
from tests.support.tournaments import Cup
from tests.support.waiting import wait_until

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
GERMAN = {"viewport": PHONE, "locale": "de-DE"}

_OUTSIDE = """([part, whole]) => [...document.querySelectorAll(part)].filter((each) =>
    each.getBoundingClientRect().right > each.closest(whole).getBoundingClientRect().right
).map((each) => each.textContent)"""


def longest():
    """Return a name as long and wide as names may be, without a place to break it."""
    return f"M{secrets.token_hex(3)}".ljust(20, "m")


def shortest():
    """Return a name of five letters."""
    return f"w{secrets.token_hex(2)}"


def assert_inside(page, part, whole):
    """Check that the parts of a page are there, and do not stand out of what they belong to."""
    page.locator(part).first.wait_for()
    assert page.evaluate(_OUTSIDE, [part, whole]) == []


def assert_whole(page, name):
    """Check that a link with a name has one line."""
    shown = page.locator("main").get_by_text(name, exact=True).first
    assert shown.evaluate("text => text.getClientRects().length") == 1


def test_an_opponents_name_stays_below_its_board(sit_down, server):
    player, opponent = Visitor(server).register(), Visitor(server).register(longest())
    for side in ("black", "white"):
        begin_game(player, opponent, side=side)
    page = sit_down(visitor=player, viewport=PHONE)
    page.goto("/")
    assert_inside(page, ".mini-names b", ".mini")


def test_a_challenge_fits_on_a_phone(sit_down, server):
    player, opponent = Visitor(server).register(), Visitor(server).register(longest())
    offer = {"opponent_kind": "username", "opponent": player.username}
    page = sit_down(visitor=player, **GERMAN)
    page.goto(opponent.http.post("/challenges", data=offer).url.path)
    assert_inside(page, ".facts dt, .facts dd", ".sheet")


def test_names_stay_inside_their_match_of_a_bracket(sit_down, server, clock):
    cup = Cup(server, clock, 0, "knockout")
    for _ in range(4):
        cup.join(Program(server, longest()))
    cup.start().play_round()
    clock.advance(seconds=15)
    wait_until(lambda: cup.running)
    page = sit_down(viewport=PHONE)
    page.goto(f"/tournaments/{cup.id}")
    assert_inside(page, ".tournament-side > *", ".tournament-match")


def test_a_short_name_beside_a_wide_button_stays_whole(sit_down, server):
    player, other = Visitor(server).register(), Visitor(server).register(shortest())
    player.http.post(f"/players/{other.username}/mute")
    page = sit_down(visitor=player, **GERMAN)
    page.goto("/people")
    assert_whole(page, other.username)


def test_a_short_name_in_a_table_stays_whole(sit_down, server):
    author = Visitor(server).register(shortest())
    tree = {"game": "jumping_farther", "moves": "c4", "title": "Beginnings on 12×12"}
    author.http.post("/studies", data=tree)
    page = sit_down(visitor=author, **GERMAN)
    page.goto("/studies/mine")
    assert_whole(page, author.username)


def test_marks_of_all_games_keep_their_distance_from_names(sit_down):
    page = sit_down(viewport=PHONE)
    gaps = []
    for game in ("jadejack", "jumping_farther"):
        page.goto(f"/analysis/{game}")
        gaps.append(
            page.locator(".seat .disk").first.evaluate(
                "disk => disk.nextElementSibling.firstElementChild.getBoundingClientRect().left"
            )
        )
    assert gaps[0] == pytest.approx(gaps[1], abs=1)
