"""What the forms of puzzles send."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Form

from app.learn.lessons.forms import TriedMove

_LONGEST_LINE = 400  # characters

Command = Literal["", "undo", "give_up"]


@dataclass(frozen=True, slots=True)
class Tried:
    """The moves that a player made before, and a new move or a command."""

    made: tuple[str, ...]
    move: str
    command: Command


async def _tried(
    move: TriedMove,
    line: Annotated[str, Form(max_length=_LONGEST_LINE)] = "",
    command: Annotated[Command, Form()] = "",
) -> Tried:
    """Return what a form sent; `line` has the player's moves, separated by commas."""
    return Tried(tuple(filter(None, line.split(","))), move, command)


TriedDep = Annotated[Tried, Depends(_tried)]
