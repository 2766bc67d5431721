"""Sounds are offered at the first game with a clock, after its first moves, until the player has chosen."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.support.players import Visitor, begin_game

pytestmark = pytest.mark.browser

CLOCK = {"clock": "realtime", "minutes": "5", "increment": "3"}


@pytest.mark.parametrize("answer", ["on", "off"])
def test_sounds_are_offered_once(sit_down, server, answer):
    player, opponent = Visitor(server).register(), Visitor(server)
    slow, first, second = (begin_game(player, opponent, **terms) for terms in ({}, CLOCK, CLOCK))
    page = sit_down(visitor=player)
    offer = page.locator("#remark")
    page.goto(slow)
    expect(offer).to_be_empty()
    page.goto(first)
    expect(offer).to_be_empty()
    for path in (slow, first, second):
        for visitor, move, ply in ((player, "c4", 0), (opponent, "g6", 1)):
            form = {"move": move, "ply": ply, "move_id": str(uuid4())}
            assert visitor.http.post(f"{path}/moves", data=form).is_success
    expect(page.get_by_text("Your turn (Black)")).to_be_visible()
    with page.expect_response("**/account/preferences"):
        offer.locator(f"button[value={answer}]").click()
    expect(offer).to_be_empty()
    page.goto(second)
    assert page.locator("html").get_attribute("data-sounds") == answer
    expect(offer).to_be_empty()
    spectator = sit_down()
    spectator.goto(second)
    expect(spectator.locator("#remark")).to_be_empty()
