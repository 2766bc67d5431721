"""What lessons take and return: the JSON API, and the forms of pages."""

from typing import Annotated

from fastapi import Depends, Form
from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import PuzzleGameKey
from app.core.web.shown import Position, example


class CourseSummary(BaseModel):
    """A course, and how many of its steps the token's account has passed."""

    game: PuzzleGameKey
    title: Annotated[str, example("JadeJack")]
    steps: int
    passed: int


class Courses(BaseModel):
    """All courses."""

    courses: list[CourseSummary]


class StepShown(BaseModel):
    """A step of a course. `position` is in the notation of the game; of Golden Nugget it is pushes."""

    step: Annotated[str, example("closed")]
    title: Annotated[str, example("Closed squares")]
    text: Annotated[str, example("No dot means closed. Choose d5, where White is stronger, to see why.")]
    position: Position
    passed: bool


class CourseShown(BaseModel):
    """A course with its steps."""

    game: PuzzleGameKey
    title: Annotated[str, example("JadeJack")]
    steps: list[StepShown]


class Try(RequestBody):
    """A move to try at a step."""

    move: Annotated[str, Field(max_length=16, examples=["d5"])]


class Reply(BaseModel):
    """The answer to a move; `next` is the following step once the goal is reached."""

    correct: bool
    text: Annotated[str, example("The stack is yours now.")]
    next: Annotated[str, example("too-high")] | None


async def _move(
    move: Annotated[str, Form(max_length=16)] = "", commands: Annotated[str, Form(max_length=16)] = ""
) -> str:
    """Return the move of a form; the buttons of Golden Nugget's board call it `commands`."""
    return (move or commands).strip()


TriedMove = Annotated[str, Depends(_move)]
