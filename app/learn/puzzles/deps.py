"""FastAPI dependencies of routes about puzzles, and the types of their paths and queries."""

from typing import Annotated, Literal

from fastapi import Query

from app.core.web.deps import part
from app.core.web.paths import register_choice
from app.learn.puzzles.service import Puzzles
from engine.puzzles.rules import RULES
from engine.puzzles.themes import Theme

register_choice("puzzle_game", RULES)

PuzzlesDep = Annotated[Puzzles, part("puzzles")]
PuzzleGame = Annotated[str, Query(pattern=f"^({'|'.join(RULES)})$")]
"""The game of a puzzle in a query."""

ThemeWanted = Annotated[Theme | Literal[""], Query()]
"""The theme that puzzles are wanted of; empty for any."""
