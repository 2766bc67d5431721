"""Courses in the browser: by mouse with closed squares, and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from app.learn.lessons.courses import COURSES
from engine.golden_nugget.board import FORCES
from tests.support.lessons import solution
from tests.support.players import Program, Visitor

pytestmark = pytest.mark.browser


def choose(page, course, move):
    """Click a move: a square, open or closed, a force, or a button beside the board."""
    if course.game == "golden_nugget" and move in FORCES:
        page.click(f"#force-{move}", force=True)  # one that is stuck is marked as disabled
    else:
        page.click(f"#sq-{move}, .screen-bar button[value={move}]")


@pytest.mark.parametrize("game", ["jadejack", "golden_nugget"])
def test_a_stranger_passes_a_course_by_mouse(sit_down, game):
    page, course = sit_down(), COURSES[game]
    page.goto("/learn")
    page.click(f".card-title a[href^='/learn/{game}']")
    for step in course.steps:
        expect(page.locator("h1")).to_have_text(step.title)
        choose(page, course, solution(course, step))
        expect(page.locator("#lesson-reply")).to_contain_text(step.done)
        if step is course.steps[-1]:
            expect(page.locator(".lesson-end")).to_contain_text("You have finished the course")
        page.click("#lesson-next")
    page.wait_for_url("**/lobby*" if game == "jadejack" else "**/nugget")


def test_a_course_by_keyboard_with_a_wrong_try_while_challenges_arrive(sit_down, server):
    learner, challenger = Visitor(server).register(), Program(server)
    page, course = sit_down(visitor=learner), COURSES["up_and_up"]
    page.goto("/learn/up_and_up/closed")
    page.focus("#lesson-move")
    page.keyboard.type("c2")
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-reply")).to_contain_text("That square is open.")
    page.focus("#lesson-move")
    page.keyboard.type("c")
    challenger.challenge(opponent=learner.username)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-reply")).to_contain_text("Right.")
    expect(page.locator(".sq-own")).to_have_id("sq-c4")
    expect(page.locator("#lesson-next")).to_be_focused()
    page.keyboard.press("Tab")
    challenger.challenge(opponent=learner.username)
    expect(page).to_have_title(re.compile(r"^\(2\) "))
    expect(page.locator("#lesson-next")).not_to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(course.step("reset").title)
