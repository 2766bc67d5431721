"""The explorer as JSON."""

from typing import Annotated

from pydantic import BaseModel

from app.core.web.shown import Move, example


class MovePlayed(BaseModel):
    """A move, how many games went on with it, and how many of them each side won."""

    move: Move
    games: int
    wins: Annotated[dict[str, int], example({"black": 7, "white": 5})]


class Explored(BaseModel):
    """What was played in a position, the most frequent move first."""

    games: int
    moves: list[MovePlayed]
