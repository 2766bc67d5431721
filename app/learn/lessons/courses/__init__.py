"""All courses, in the order in which they are offered."""

from collections.abc import Mapping

from app.core.web.paths import register_choice
from app.learn.lessons.course import Course
from app.learn.lessons.courses.golden_nugget import GOLDEN_NUGGET
from app.learn.lessons.courses.jadejack import JADEJACK
from app.learn.lessons.courses.jumping_farther import JUMPING_FARTHER
from app.learn.lessons.courses.up_and_up import UP_AND_UP

COURSES: Mapping[str, Course] = {
    course.game: course for course in (JADEJACK, GOLDEN_NUGGET, JUMPING_FARTHER, UP_AND_UP)
}
"""The course of each game, by the key of the game."""

register_choice("course", COURSES)
