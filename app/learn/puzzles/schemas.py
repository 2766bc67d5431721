"""What puzzles take and return: the JSON API, the forms of pages, and their queries."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Depends, Form, Query
from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.paths import register_choice
from app.core.web.registered import PuzzleGameKey
from app.core.web.shown import Id, Move, Position, Rating, example
from app.learn.lessons.schemas import TriedMove
from engine.puzzles.rules import RULES
from engine.puzzles.themes import Theme

_MOST_MOVES = 20

_LONGEST_LINE = 400  # characters
Command = Literal["", "undo", "again", "give_up"]
PuzzleGame = Annotated[str, Query(pattern=f"^({'|'.join(RULES)})$")]
"""The game of a puzzle in a query."""

ThemeWanted = Annotated[Theme | Literal[""], Query()]
"""The theme that puzzles are wanted of; empty for any."""


class PuzzleShown(BaseModel):
    """A puzzle. `position` is in the notation of the game; of Golden Nugget: the face and the 49 blocks.

    `themes` tell of the solution, so the list is empty until your first attempt at the puzzle is over.
    """

    id: Id
    game: PuzzleGameKey
    position: Position
    side_to_move: Annotated[str, example("black")]
    themes: list[Annotated[str, example("middle_game")]]
    rating: Rating


class AttemptMade(RequestBody):
    """Your moves in order, without the replies to them. No move at all gives the puzzle up."""

    moves: Annotated[
        list[Annotated[str, Field(max_length=16, examples=["b3"])]], Field(max_length=_MOST_MOVES)
    ]


class AttemptJudged(BaseModel):
    """What the moves of an attempt make of a puzzle.

    An attempt that is not `finished` needs more moves: send all of them again with the next one, after the
    opponent's `reply`. `solution` is the whole line, with replies, once it is finished. `rating_change` is
    null if the attempt is not finished or does not count, as only the first one does.
    """

    solved: bool
    finished: bool
    position: Position
    reply: Move | None
    solution: list[Move] | None
    rating_change: float | None


class PastAttempt(BaseModel):
    """Your first attempt at a puzzle. It `is_open` after a slip on a page, which leaves one more try."""

    puzzle: PuzzleShown
    solved: bool
    rating_change: float
    attempted_at: datetime
    is_open: bool


class HistoryShown(BaseModel):
    """What you have reached in the puzzles of a game, and your attempts, the latest first.

    `next` is the `before` of the following page, or null.
    """

    rating: Rating
    provisional: bool
    attempts: int
    solved: int
    streak: int
    best_streak: int
    rows: list[PastAttempt]
    next: datetime | None


class MadeOfGame(RequestBody):
    """A position in a finished game: the one after `ply` plies."""

    ply: Annotated[int, Field(ge=0, le=10_000)]


register_choice("puzzle_game", RULES)


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
