"""What moves on boards: each move once, on every page, and the territory at the end."""

import pytest
from playwright.sync_api import expect

from tests.support.pages import wait_for_ply
from tests.support.players import Visitor, begin_game

pytestmark = pytest.mark.browser

# Notes the animations of boards, and where they are.
NOTE = """globalThis.moved = [];
addEventListener("animationstart", ({ animationName, target }) => {
  const square = target.closest(".sq")?.id ?? "";
  if (animationName.startsWith("board-")) moved.push(`${animationName} ${square}`.trim());
});"""

# Notes Black's score, frame by frame, while territory is counted.
SCORES = """globalThis.scores = new Set();
(function look() {
  if (document.querySelector("[data-counted]"))
    scores.add(Number(document.querySelector(".seat-black .seat-figure").textContent));
  requestAnimationFrame(look);
})();"""

# When each square of a side's territory appears, and its row and column.
TURNS = """side => [...document.querySelectorAll(`#board .sq-${side}-point`)].map((square) => [
  parseFloat(square.style.getPropertyValue("--turn")),
  [Number(square.id.slice(4)), square.id.charCodeAt(3)],
])"""


@pytest.fixture
def watched(sit_down, server):
    """Return a function that opens a game for two, of some options, on a page for each player."""

    def open_pages(*, motion="no-preference", **options):
        players = Visitor(server).register(), Visitor(server)
        game = f"{server.url}{begin_game(*players, **options)}"
        pages = [sit_down(visitor=player, reduced_motion=motion) for player in players]
        for page in pages:
            page.add_init_script(NOTE)
            page.add_init_script(SCORES)
            page.goto(game)
        return pages

    return open_pages


def moved(page):
    return page.evaluate("moved.splice(0)")


def test_a_disk_drops_and_a_hijack_flips(watched):
    pages = watched()
    black, white = pages
    moves = ("e4", "e6", "a1", "e6", "i1", "e4")  # the stack on e6 takes e4
    for ply, move in enumerate(moves, 1):
        pages[(ply - 1) % 2].click(f"#sq-{move} button")
        for page in pages:
            wait_for_ply(page, ply)
            expect(page.locator("[data-moved]")).to_have_count(0)
            assert moved(page) == [f"board-{'flip' if ply == 6 else 'drop'} sq-{move}"]
    for key, ply, expected in (
        ("ArrowLeft", 5, []),  # a past position was there before
        ("ArrowLeft", 4, []),
        ("ArrowRight", 5, ["board-drop"]),
    ):
        black.keyboard.press(key)
        black.wait_for_selector(f".replay[data-ply='{ply}']")
        assert moved(black) == expected
    white.reload()
    assert moved(white) == []


def test_territory_is_counted_area_by_area_until_a_key_is_pressed(watched):
    pages = watched()
    for ply, move in enumerate(("e4", "g6"), 1):
        pages[ply - 1].click(f"#sq-{move} button")
        for page in pages:
            wait_for_ply(page, ply)
    for page in pages:
        page.click("#actions summary:has-text('Pass')")
        page.click("#actions button:has-text('Pass')")
        for each in pages:
            wait_for_ply(each, 3 + pages.index(page))
    black, white = pages
    white.keyboard.press("Shift")
    assert white.locator("[data-counted]").count() == 0
    expect(black.locator("[data-counted]")).to_have_count(0)
    points = black.locator("#board :is(.sq-black-point, .sq-white-point)").count()
    assert [name.split()[0] for name in moved(black)].count("board-appear") == points > 0
    score = black.locator("#board .sq-black-point").count()
    counted = black.evaluate("[...scores]")
    assert 0 < len(counted) <= score
    assert counted == sorted(counted)
    assert counted[0] < score
    for page in pages:
        expect(page.locator(".seat-black .seat-figure")).to_have_text(str(score))
    for side in ("black", "white"):
        areas = []
        for _turn, square in sorted(black.evaluate(TURNS, side)):
            if areas and touches(areas[-1], square):
                areas[-1].append(square)
            else:
                assert not any(touches(area, square) for area in areas)
                areas.append([square])
        assert areas


def touches(area, square):
    row, column = square
    return any(abs(row - other_row) + abs(column - other) == 1 for other_row, other in area)


def test_nothing_moves_for_those_who_do_not_want_it(watched):
    pages = watched(motion="reduce")
    pages[0].click("#sq-e4 button")
    for page in pages:
        wait_for_ply(page, 1)
        expect(page.locator("[data-moved]")).to_have_count(0)
        assert moved(page) == []


def test_numbers_are_written_and_jumps_are_drawn(sit_down):
    page = sit_down()
    page.add_init_script(NOTE)
    page.goto("/analysis/jumping_farther?size=4")
    page.click("#sq-a1 button")
    expect(page.locator("#sq-a1 .num-value")).to_be_visible()
    expect(page.locator("[data-moved]")).to_have_count(0)
    assert moved(page) == ["board-write sq-a1"]
    page.click("#sq-b1 button")
    expect(page.locator("#sq-b1 .num-value")).to_be_visible()
    expect(page.locator("[data-moved]")).to_have_count(0)
    assert sorted(moved(page)) == ["board-draw", "board-write sq-b1"]


WHITE_SCORES = """globalThis.whites = new Set();
(function look() {
  if (document.querySelector("[data-counted]"))
    whites.add(document.querySelector(".seat-white .seat-figure").textContent.trim());
  requestAnimationFrame(look);
})();"""


def test_a_score_below_zero_is_told_before_a_pass_and_counted(watched):
    pages = black, white = watched(komi="-11")
    for ply, move in enumerate(("e4", "g6"), 1):
        pages[ply - 1].click(f"#sq-{move} button")
        for page in pages:
            wait_for_ply(page, ply)
    own, other = (black.locator(f".seat-{side} .seat-figure").inner_text() for side in ("black", "white"))
    assert other.startswith("\N{MINUS SIGN}")
    black.evaluate(WHITE_SCORES)
    for page, words in ((black, f"ahead, {own} to {other}."), (white, f"behind, {other} to {own}.")):
        page.click("#actions summary:has-text('Pass')")
        expect(page.locator("#actions [data-score]")).to_have_text(f"You are {words}")
        page.click("#actions button:has-text('Pass')")
        for each in pages:
            wait_for_ply(each, 3 + pages.index(page))
    expect(black.locator("[data-counted]")).to_have_count(0)
    assert black.evaluate("whites.size > 0 && ![...whites].some((shown) => shown.includes('NaN'))")
