"""Sounds are offered at the first game with a clock, after its first moves, until the player has chosen."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.support.pages import wait_for_ply
from tests.support.players import PlayingPage, Visitor, begin_game

pytestmark = pytest.mark.browser

CLOCK = {"clock": "realtime", "minutes": "5", "increment": "3"}


# Notes when contexts are made and resumed: whether right in a gesture, as Safari wants it; and counts sounds.
WATCH_SOUNDS = """
gestures = [], heard = 0, isPressed = false;
addEventListener("pointerdown", () => (isPressed = true), true);
// That of Chromium is true after what a test has evaluated.
Object.defineProperty(UserActivation.prototype, "hasBeenActive", { get: () => isPressed });
const isInGesture = () => ["pointerdown", "pointerup", "click", "keydown"].includes(window.event?.type);
AudioContext = class extends AudioContext {
  constructor() {
    super();
    gestures.push(isInGesture());
  }
};
OscillatorNode = class extends OscillatorNode {
  start(at) {
    heard += 1;
    super.start(at);
  }
};
"""


def test_the_sound_is_awoken_by_a_gesture(sit_down, server):
    player, opponent = Visitor(server).register(), Visitor(server)
    assert player.http.post("/account/preferences", data={"sounds": "on"}).is_success
    game = begin_game(player, opponent, **CLOCK)
    page = sit_down(visitor=player)
    page.add_init_script(WATCH_SOUNDS)
    page.goto(game)
    expect(page.locator("#attendance[data-here]")).to_have_count(1)

    def move(visitor, square, ply):
        form = {"move": square, "ply": ply, "move_id": str(uuid4())}
        assert visitor.http.post(f"{game}/moves", data=form).is_success
        wait_for_ply(page, ply + 1)

    move(player, "c4", 0)
    assert page.evaluate("[gestures, heard]") == [[], 0]  # nobody could hear it yet
    page.mouse.click(5, 5)
    move(opponent, "g6", 1)
    assert page.evaluate("[gestures, heard]") == [[True], 1]


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


def test_the_offer_leaves_what_is_said_about_a_square(sit_down, server):
    player, opponent = Visitor(server).register(), Visitor(server)
    path = begin_game(player, opponent, **CLOCK)
    for visitor, square, ply in ((player, "c4", 0), (opponent, "g6", 1)):
        PlayingPage(visitor, path).move(square, ply)
    page = sit_down(visitor=player)
    page.goto(path)
    line = page.locator("#remark")
    expect(line.locator("button")).not_to_have_count(0)
    page.click("#sq-g6")
    expect(line.locator("[data-square]")).to_be_attached()
    page.wait_for_timeout(500)
    expect(line.locator("[data-square]")).to_be_attached()
