"""FastAPI dependencies of routes about lessons, and the types of their paths."""

from typing import Annotated

from app.lessons.courses import COURSES
from app.lessons.service import Lessons
from app.web.deps import part
from app.web.paths import register_choice

register_choice("course", COURSES)

LessonsDep = Annotated[Lessons, part("lessons")]
