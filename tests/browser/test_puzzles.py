"""Puzzles in the browser: by mouse with a wrong try, by keyboard, and on a phone."""

import pytest
from playwright.sync_api import expect

from app.learn.puzzles.collection import id_of
from engine.puzzles.shipped import shipped
from engine.puzzles.themes import Theme

pytestmark = pytest.mark.browser


def of_theme(game, theme):
    return next(puzzle for puzzle in shipped(game) if theme in puzzle.themes)


def test_a_board_is_solved_by_mouse_after_taking_a_push_back(sit_down):
    page, puzzle = sit_down(), of_theme("golden_nugget", Theme.IN_THREE)
    page.goto("/puzzles")
    page.click("a[href='/puzzles/golden_nugget']")
    page.click("text=Solve in 3")
    expect(page.locator("h1")).to_have_text("Solve the board in 3 pushes.")
    page.goto(f"/puzzles/{id_of(puzzle)}")
    wrong = next(move for move in puzzle.rules.legal_moves(puzzle.start) if move != puzzle.solution[0])
    page.click(f"#force-{wrong}")
    expect(page.locator(".screen-turn")).to_contain_text("2 more moves.")
    page.click("button[value=undo]:visible")
    expect(page.locator(".screen-turn")).to_contain_text("3 more moves.")
    first, *others = puzzle.solution
    page.click(f"#force-{first}")
    expect(page.locator(".screen-turn")).to_contain_text("2 more move")
    page.evaluate(
        "forces => forces.forEach(force => document.getElementById(`force-${force}`).click())", others
    )
    expect(page.locator("#lesson-reply")).to_have_text("You found it.")
    expect(page.locator("#puzzle-figures")).to_have_text("Your first puzzle as a guest is not rated.")
    expect(page.locator("#lesson-next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Solve the board in")


def test_a_line_is_solved_by_keyboard_and_a_closed_square_says_why(sit_down):
    page, puzzle = sit_down(), of_theme("jumping_farther", Theme.LONG_LINE)
    page.goto(f"/puzzles/{id_of(puzzle)}")
    taken = puzzle.position.split(":")[1].split(",")[0]

    def enter(move):
        if not page.locator("#lesson-move").is_visible():
            page.focus("summary:text-is('Type a move')")
            page.keyboard.press("Enter")
        page.focus("#lesson-move")
        page.keyboard.type(move)
        page.keyboard.press("Enter")

    enter(taken)
    expect(page.locator("#lesson-reply")).to_contain_text("is here already")
    *moves, last = puzzle.solution[::2]
    for number, move in enumerate(moves, 1):
        enter(move)
        expect(page.locator("#lesson-board [name=line]")).to_have_value(",".join(moves[:number]))
        expect(page.locator("#lesson-reply")).to_contain_text("Right so far.")
    enter(last)
    expect(page.locator("#puzzle-solution")).to_have_text(" ".join(puzzle.solution))
    expect(page.locator("#lesson-reply")).to_have_text("You found it.")


def test_a_slip_is_forgiven_and_a_second_one_shows_the_solution_on_a_phone(sit_down):
    page = sit_down(viewport={"width": 360, "height": 700}, has_touch=True, is_mobile=True)
    puzzle = next(each for each in shipped("jadejack") if each.position.count("/") == 9)
    page.goto(f"/puzzles/{id_of(puzzle)}?series=streak")
    other_than = {"pass", puzzle.solution[0]}
    wrong = next(move for move in puzzle.rules.legal_moves(puzzle.start) if move not in other_than)

    def play_wrong():
        page.tap(f"#sq-{wrong}")  # smaller than a finger, so it asks first
        expect(page.locator("#confirm button")).to_have_text(f"Play {wrong}")
        page.tap("#confirm button")
        expect(page.locator("#confirm")).to_be_hidden()

    play_wrong()
    expect(page.locator("#lesson-reply")).to_contain_text("You have one more try")
    expect(page.locator("#puzzle-solution")).to_have_count(0)
    expect(page.locator("#lesson-next")).to_be_focused()
    page.tap("#lesson-next")
    expect(page.locator(f"#sq-{wrong} button")).to_be_enabled()
    play_wrong()
    expect(page.locator("#lesson-reply")).to_contain_text("That is not the solution.")
    expect(page.locator("#puzzle-solution")).to_have_text(" ".join(puzzle.solution))
    expect(page.locator("#puzzle-figures")).to_have_text("Your first puzzle as a guest is not rated.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
