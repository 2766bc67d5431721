"""The courses, checked against the rules: every goal can be reached, and every try has an answer."""

import pytest

from app.learn.lessons.course import check
from app.learn.lessons.courses import COURSES
from app.learn.lessons.presenter import lesson_view
from engine import squares
from engine.golden_nugget.board import FORCES
from engine.registry import GAMES
from tests.support.lessons import solution

STEPS = [
    pytest.param(course, step, id=f"{course.game}-{step.key}")
    for course in COURSES.values()
    for step in course.steps
]


def tries(course, step):
    """Return everything that can be tried at a step: all squares of the board, or all forces."""
    position = course.board.parse(step.position)
    if course.game == "golden_nugget":
        return [*FORCES, "undo", "turn"]
    size = position.current.size if hasattr(position, "current") else position.size
    return [*squares.names(size), *course.board.moves(position)]


@pytest.mark.parametrize(("course", "step"), STEPS)
def test_the_goal_of_a_step_can_be_reached(course, step):
    answer = check(course, step, solution(course, step))
    assert answer.correct
    assert str(step.done) in answer.text


@pytest.mark.parametrize(("course", "step"), STEPS)
def test_every_try_has_an_answer_and_a_wrong_one_changes_nothing(course, step):
    before = course.board.parse(step.position)
    for move in tries(course, step):
        answer = check(course, step, move)
        assert answer.text
        if not answer.correct:
            assert answer.position == before


@pytest.mark.parametrize(("course", "step"), STEPS)
def test_the_texts_of_a_step_are_short(course, step):
    assert len(step.title) <= 30
    assert max(map(len, (step.text, step.done, step.wrong, *step.replies.values()))) <= 180


@pytest.mark.parametrize(("course", "step"), STEPS)
def test_a_step_offers_what_its_goal_takes_and_nothing_else(course, step):
    """There is a button beside the board for a goal that is no square, and a field for one that is closed."""
    shown, goal = lesson_view(course, step, frozenset()), solution(course, step)
    others = dict(course.board.other_moves(course.board.parse(step.position)))
    assert [move for move, _ in shown.other_moves] == ([goal] if goal in others else [])
    assert shown.is_typed == (check(course, step, goal).obstacle is not None)


def test_every_game_has_a_course():
    assert set(COURSES) == {*GAMES, "golden_nugget"}


@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES)
def test_a_course_has_six_to_twelve_steps_with_names_of_their_own(course):
    assert 6 <= len(course.steps) <= 12
    assert len({step.key for step in course.steps}) == len(course.steps)


@pytest.mark.parametrize(
    ("game", "key"), [("jadejack", "closed"), ("golden_nugget", "stuck"), ("up_and_up", "closed")]
)
def test_a_text_that_is_no_move_is_refused_in_words(game, key):
    course = COURSES[game]
    answer = check(course, course.step(key), "over there")
    assert not answer.correct
    assert "over there" in answer.text
