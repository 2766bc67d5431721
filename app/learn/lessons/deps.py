"""FastAPI dependencies of routes about lessons, and the types of their paths."""

from typing import Annotated

from app.core.web.deps import part
from app.core.web.paths import register_choice
from app.learn.lessons.courses import COURSES
from app.learn.lessons.service import Lessons

register_choice("course", COURSES)

LessonsDep = Annotated[Lessons, part("lessons")]
