"""The explorer as JSON."""

from pydantic import BaseModel, ConfigDict


class MovePlayed(BaseModel):
    """A move, how many games went on with it, and how many of them each side won."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"move": "e4", "games": 12, "wins": {"black": 7, "white": 5}}]}
    )

    move: str
    games: int
    wins: dict[str, int]


class Explored(BaseModel):
    """What was played in a position, the most frequent move first."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"games": 12, "moves": [{"move": "e4", "games": 12, "wins": {"black": 7, "white": 5}}]}
            ]
        }
    )

    games: int
    moves: list[MovePlayed]
