"""What the forms of puzzles send, and the types of their paths and queries."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Form, Query

from app.core.web.paths import register_choice
from app.learn.lessons.forms import TriedMove
from engine.puzzles.rules import RULES
from engine.puzzles.themes import Theme

_LONGEST_LINE = 400  # characters

register_choice("puzzle_game", RULES)

Command = Literal["", "undo", "give_up"]
PuzzleGame = Annotated[str, Query(pattern=f"^({'|'.join(RULES)})$")]
"""The game of a puzzle in a query."""

ThemeWanted = Annotated[Theme | Literal[""], Query()]
"""The theme that puzzles are wanted of; empty for any."""


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
