"""The courses as JSON."""

from pydantic import BaseModel, Field

from app.web.bodies import RequestBody


class CourseSummary(BaseModel):
    """A course, and how far the program's account has come."""

    game: str
    title: str
    steps: int
    passed: int


class Courses(BaseModel):
    """All courses."""

    courses: list[CourseSummary]


class StepShown(BaseModel):
    """A step of a course. `position` is in the notation of the game; of Golden Nugget it is pushes."""

    step: str
    title: str
    text: str
    position: str
    passed: bool


class CourseShown(BaseModel):
    """A course with its steps."""

    game: str
    title: str
    steps: list[StepShown]


class Try(RequestBody):
    """A move to try at a step."""

    move: str = Field(max_length=16)


class Reply(BaseModel):
    """The answer to a move; `next` is the key of the following step once the goal is reached."""

    correct: bool
    text: str
    next: str | None
