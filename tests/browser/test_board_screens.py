"""Screens with a board: its place, what is in the window, and its size, which readers may change."""

import pytest
from playwright.sync_api import expect

from app.learn.lessons.courses import COURSES
from app.learn.puzzles.collection import id_of
from engine.puzzles.shipped import shipped
from tests.support.pages import open_pane
from tests.support.players import Match, Visitor, begin_game
from tests.support.waiting import wait_until

pytestmark = pytest.mark.browser

WINDOWS = [(360, 640), (390, 664), (844, 390), (1280, 720), (1280, 800), (1920, 1080), (2560, 1440)]
"""Of phones what their browsers leave of the screen."""


@pytest.fixture
def screens(server):
    """Return a player, and the addresses of all kinds of screens with a board."""
    match = Match(server)
    match.play("c4", "g6", "pass", "pass")
    player, opponent = Visitor(server).register(), Visitor(server).register()
    tree = {"game": "jadejack", "moves": "c4", "title": "Corners"}
    puzzle = next(each for each in shipped("jadejack") if each.position.count("/") == 9)
    course = COURSES["jadejack"]
    return player, {
        "game": begin_game(player, opponent, clock="realtime"),
        "replay": f"/games/{match.id}?ply=1",
        "review": f"/games/{match.id}/review",
        "analysis": "/analysis",
        "study": player.http.post("/studies", data=tree).url.path,
        "puzzle": f"/puzzles/{id_of(puzzle)}",
        "lesson": course.path_of(course.steps[0]),
        "conditions": f"{begin_game(player, opponent, clock='correspondence')}/conditions",
    }


def test_the_board_has_one_place_and_the_bar_is_in_the_window(sit_down, screens):
    player, paths = screens
    page = sit_down(visitor=player)
    places = {}
    for name, path in paths.items():
        page.goto(path)
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            box = page.locator(".screen-board").bounding_box()
            places.setdefault((width, height), {})[name] = [round(box[part]) for part in ("x", "width")]
            for bar in page.locator(".screen-bar:has(a, button, label, summary)").all():
                expect(bar, f"{name} {width}×{height}").to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for window, by_name in places.items():
        assert len({tuple(place) for place in by_name.values()}) == 1, (window, by_name)


def test_the_header_and_the_board_have_the_edges_of_other_pages(sit_down, screens):
    player, paths = screens
    run = player.http.post("/nugget/runs").url.path
    page = sit_down(visitor=player)
    for width, height in WINDOWS[3:]:
        page.set_viewport_size({"width": width, "height": height})
        edges = set()
        for path in ("/", paths["game"], run, "/account/preferences"):
            page.goto(path)
            for part in (".header-inner", "main"):
                box = page.locator(part).bounding_box()
                edges.add((box["x"], box["width"]))
        assert len(edges) == 1, (width, edges)
        page.goto(paths["game"])
        board, top = (page.locator(part).bounding_box() for part in (".screen-board", ".header-brand"))
        assert board["x"] == pytest.approx(top["x"], abs=1)


def test_a_wide_window_has_all_panes_open_and_columns_that_are_wide_enough(sit_down, screens):
    player, paths = screens
    page = sit_down(visitor=player, viewport={"width": 1920, "height": 1080})
    page.goto(paths["game"])
    for pane in ("moves", "chat", "note", "info"):
        expect(page.locator(f"#{pane}")).to_be_visible()
    rem = float(page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)"))
    for width, height in WINDOWS[3:]:
        page.set_viewport_size({"width": width, "height": height})
        assert 26 <= page.locator(".screen-turn").bounding_box()["width"] / rem <= 34.1
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("#chat")).to_be_hidden()
    open_pane(page, "chat")
    expect(page.locator("#chat")).to_be_visible()
    expect(page.locator("#moves")).to_be_hidden()


def test_tabs_work_without_scripts(sit_down, screens):
    player, paths = screens
    page = sit_down(visitor=player, java_script_enabled=False)
    page.goto(paths["game"])
    page.click(".screen-tabs label:has-text('Info')")
    expect(page.locator("#info")).to_be_visible()
    expect(page.locator("#moves")).to_be_hidden()


def test_the_board_is_resized_by_its_corner_and_stays_so(sit_down, screens):
    player, paths = screens
    page = sit_down(visitor=player)
    page.goto(paths["game"])

    def width():
        return page.locator(".screen-board").bounding_box()["width"]

    most = width()
    page.hover(".screen-corner")
    page.mouse.down()
    page.mouse.move(0.6 * most, 0.6 * most)
    page.mouse.up()
    dragged = width()
    assert 0.5 * most <= dragged < 0.7 * most
    page.focus(".screen-corner")
    page.keyboard.press("ArrowRight")
    assert width() == pytest.approx(dragged + most / 100, abs=1)
    kept = width()
    page.goto(paths["puzzle"])
    assert width() == pytest.approx(kept, abs=1)


STOPS = """
[...document.querySelectorAll(".screen .board-squares button:enabled")].map((square) => square.tabIndex)
"""
HERE = "document.activeElement?.closest('.board-squares') && document.activeElement.value"


@pytest.mark.parametrize("name", ["analysis", "study", "puzzle", "lesson", "conditions"])
def test_the_squares_to_play_on_are_one_tab_stop_with_arrow_keys(sit_down, screens, name):
    player, paths = screens
    page = sit_down(visitor=player)
    page.goto(paths[name])
    expect(page.locator(".screen .board-squares button[tabindex='-1']").first).to_be_attached()
    assert sorted(page.evaluate(STOPS))[-2:] == [-1, 0]
    page.locator(".screen .board-squares button[tabindex='0']").focus()
    visited = {page.evaluate(HERE)}
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
        visited.add(page.evaluate(HERE))
    assert None not in visited
    assert len(visited) > 2
    assert page.evaluate(STOPS).count(0) == 1


def test_the_focus_stays_on_the_board_from_move_to_move(sit_down, screens):
    player, paths = screens
    page = sit_down(visitor=player)
    for name in ("analysis", "conditions"):
        page.goto(paths[name])
        expect(page.locator(".screen .board-squares button[tabindex='-1']").first).to_be_attached()
        page.locator(".screen .board-squares button[tabindex='0']").focus()
        board = page.locator(".screen-board .board").first
        for key in ("ArrowUp", "ArrowLeft", "ArrowUp"):
            before = board.get_attribute("data-filled")
            page.keyboard.press(key)
            page.keyboard.press("Enter")
            expect(board).not_to_have_attribute("data-filled", before)
            wait_until(lambda: page.evaluate(HERE))
