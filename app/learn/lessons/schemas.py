"""The courses as JSON."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import PuzzleGameKey

_SUMMARY: dict[str, Any] = {"game": "jadejack", "title": "JadeJack", "steps": 11, "passed": 2}
_STEP: dict[str, Any] = {
    "step": "closed",
    "title": "Closed squares",
    "text": "No dot means closed. Choose d5, where White is stronger, to see why.",
    "position": "8/8/3w4/2b1w3/8/8/8/8 b 0",
    "passed": False,
}


class CourseSummary(BaseModel):
    """A course, and how many of its steps the token's account has passed."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SUMMARY]})

    game: PuzzleGameKey
    title: str
    steps: int
    passed: int


class Courses(BaseModel):
    """All courses."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"courses": [_SUMMARY]}]})

    courses: list[CourseSummary]


class StepShown(BaseModel):
    """A step of a course. `position` is in the notation of the game; of Golden Nugget it is pushes."""

    model_config = ConfigDict(json_schema_extra={"examples": [_STEP]})

    step: str
    title: str
    text: str
    position: str
    passed: bool


class CourseShown(BaseModel):
    """A course with its steps."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"game": "jadejack", "title": "JadeJack", "steps": [_STEP]}]}
    )

    game: PuzzleGameKey
    title: str
    steps: list[StepShown]


class Try(RequestBody):
    """A move to try at a step."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"move": "d5"}]})

    move: Annotated[str, Field(max_length=16)]


class Reply(BaseModel):
    """The answer to a move; `next` is the following step once the goal is reached."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"correct": True, "text": "The stack is yours now.", "next": "too-high"}]
        }
    )

    correct: bool
    text: str
    next: str | None
