"""Number games in the browser: a match of two rounds, solitaire games by mouse and keyboard, a race."""

import random

import pytest
from playwright.sync_api import expect

from app.play.games.boards import BOARDS
from engine import squares
from engine.registry import FOR_TWO, SOLITAIRE
from tests.support.pages import assert_shows, wait_for_ply
from tests.support.players import Visitor
from tests.support.solitaire import random_games

pytestmark = pytest.mark.browser

MATCH = FOR_TWO["jumping_farther"]
SIZE = 4


def test_a_match_of_two_rounds_with_the_sum_shown(sit_down, server):
    first, second = Visitor(server).register(), Visitor(server)
    offer = {"game": "jumping_farther", "size": "3", "side": "first", "opponent_kind": "link"}
    challenge = first.http.post("/challenges", data=offer).url.path
    game = str(second.http.post(f"{challenge}/accept").url)
    pages = {"first": sit_down(visitor=first), "second": sit_down(visitor=second)}
    for page in pages.values():
        page.goto(game)
    position, rng, ply = MATCH.initial({"size": 3, "rounds": 2}), random.Random(2), 0
    while side := MATCH.side_to_move(position):
        for seat, page in pages.items():
            wait_for_ply(page, ply)
            assert_shows(page, position, to_play=seat == side, rules=MATCH)
            assert page.locator("fieldset:enabled .num-scores").count() == 0 or seat == side
        if position.current.cells:
            expect(pages[side].locator("#turn")).to_contain_text(f"Round {len(position.rounds)} of 2")
        elif len(position.rounds) == 2:
            expect(pages[side].locator("#turn")).to_contain_text("the sides are exchanged")
        move = rng.choice(MATCH.legal_moves(position))
        pages[side].click(f"#sq-{move} button")
        position, ply = MATCH.play(position, move), ply + 1
    (first, second), (even, odd) = (played.points for played in position.rounds)
    for page in pages.values():
        wait_for_ply(page, ply)
        rows = [row.inner_text().split("\t") for row in page.locator(".turn-count tbody tr").all()]
        assert rows == [
            ["Round 1", str(first), str(second)],
            ["Round 2", str(odd), str(even)],
        ]
        expect(page.locator("#seat-first .seat-figure")).to_have_text(str(first + odd))
        expect(page.locator("#seat-second .seat-figure")).to_have_text(str(second + even))
    pages["first"].keyboard.press("Home")  # the first round can still be replayed
    pages["first"].wait_for_selector(".replay[data-ply='0']")


def begin(page, game):
    """Choose a solitaire game on 4×4, and return the button that starts it."""
    page.goto("/solitaire")
    form = page.locator("form[action='/solitaire']", has=page.locator(f"[value={game}]"))
    form.locator("select").select_option(str(SIZE))
    return form.locator("button")


def lowest(game):
    """Return (points, resets) and moves of the game with the fewest points."""
    return min(random_games(game, SIZE).items())


@pytest.mark.parametrize("game", SOLITAIRE)
def test_a_solitaire_game_by_mouse(sit_down, game):
    page, rules = sit_down(), SOLITAIRE[game]
    begin(page, game).click()
    page.wait_for_url("**/games/*")
    (points, resets), moves = lowest(game)
    position = rules.initial({"size": SIZE})
    for ply, move in enumerate(moves):
        wait_for_ply(page, ply)
        assert_shows(page, position, to_play=True, rules=rules)
        expect(page.locator("#turn .turn-note").first).to_have_text(BOARDS[rules].note(position))
        assert page.locator("#board .num-far").count() == (len(rules.legal_moves(position)) if ply else 0)
        page.click(f"#sq-{move} button")
        position = rules.play(position, move)
    expect(page.locator("#turn")).to_contain_text(f"No move is left: {points} point")
    assert page.locator("#board .num-value").count() == len(moves)
    assert page.locator("#board .trail path").count() > 1
    if resets:
        assert f"{resets} reset" in page.inner_text("#seat-bottom")
    page.click("#actions button:has-text('Undo')")
    wait_for_ply(page, len(moves) - 1)
    expect(page.locator("#turn")).to_contain_text("1 move taken back")
    page.click(f"#sq-{moves[-1]} button")
    page.click("#turn button:has-text('Submit the score')")
    expect(page.locator("#notice")).to_contain_text("Register")
    page.click("#turn button:has-text('Play again')")
    page.wait_for_url("**/games/*")
    expect(page.locator("#turn")).to_contain_text("Your move")


@pytest.mark.parametrize("game", SOLITAIRE)
def test_a_solitaire_game_by_keyboard(sit_down, game, server):
    page, rules = sit_down(visitor=Visitor(server).register()), SOLITAIRE[game]
    begin(page, game).press("Enter")
    page.wait_for_url("**/games/*")
    page.locator("#board [tabindex='0']").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")

    def walk_to(square):
        here = squares.locate(page.evaluate("document.activeElement.id").removeprefix("sq-"), SIZE)
        there = squares.locate(square, SIZE)
        across, up = there % SIZE - here % SIZE, there // SIZE - here // SIZE
        for keys, count in ((("ArrowLeft", "ArrowRight"), across), (("ArrowDown", "ArrowUp"), up)):
            for _ in range(abs(count)):
                page.keyboard.press(keys[count > 0])

    (points, _), moves = lowest(game)
    position = rules.initial({"size": SIZE})
    for ply, move in enumerate(moves):
        wait_for_ply(page, ply)
        assert_shows(page, position, to_play=True, rules=rules)
        walk_to(move)
        page.keyboard.press("Enter")
        position = rules.play(position, move)
    expect(page.locator("#turn")).to_contain_text(f"{points} point")
    page.keyboard.press("u")
    wait_for_ply(page, len(moves) - 1)
    walk_to(moves[-1])
    page.keyboard.press("Space")
    page.locator("#turn button", has_text="Submit the score").press("Enter")
    page.locator("#turn a", has_text="best scores").press("Enter")
    page.wait_for_url(f"**/scores/{game}/{SIZE}")
    expect(page.locator("tr.data-table-own td").nth(1)).to_have_text(str(points))
    page.locator("tr.data-table-own a", has_text="Replay").press("Enter")
    page.wait_for_selector(".replay[data-ply='0']")


def test_a_race_of_three_with_a_live_table(sit_down, server, clock):
    games = sorted(random_games("up_and_up", 4).values(), key=len)[:3]
    maker = Visitor(server).register()
    form = {"game": "up_and_up", "size": "4", "minutes": "5"}
    race = str(maker.http.post("/races", data=form).url)
    pages = [sit_down(visitor=maker), sit_down(), sit_down()]
    onlooker = sit_down()
    onlooker.goto(race)
    for number, page in enumerate(pages):
        page.goto(race)
        page.click(".race .button-main")
        page.wait_for_url("**/games/*")
        expect(page.locator("#seat-bottom .clock")).to_be_visible()
        expect(onlooker.locator(".race tbody tr")).to_have_count(number + 1)
    for page, moves in zip(pages, games, strict=True):
        for ply, move in enumerate(moves):
            wait_for_ply(page, ply)
            page.click(f"#sq-{move} button")
        expect(page.locator("#turn")).to_contain_text("No move is left")
        assert page.locator("#actions button:has-text('Undo')").count() == 0
    points = sorted((len(moves) for moves in games), reverse=True)
    column = onlooker.locator(".race tbody td:nth-child(3)")
    expect(column).to_have_text([str(number) for number in points])
    expect(onlooker.locator(".race tbody td:last-child")).to_have_text(["done"] * 3)
    assert onlooker.goto(pages[0].url).status == 404  # boards of others are hidden until the race is over
    clock.advance(minutes=5)
    onlooker.goto(race)
    expect(onlooker.locator(".race-time")).to_have_text("The race is over.")
    onlooker.click(".race tbody a:has-text('Replay') >> nth=0")
    expect(onlooker.locator("#board .num-value")).to_have_count(points[0])
