"""Types of members that many objects of the API have, each with an example of its values."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field


def example(value: Any) -> Any:
    """Return what gives a type an example."""
    return Field(examples=[value])


Id = Annotated[str, example("k7m2wq9xab")]
"""The id of something that has a page."""

GameId = Annotated[str, example("x3p8mk2rtz")]
"""The id of a game."""

Username = Annotated[str, example("wren")]
"""The name of a player."""

Opponent = Annotated[str, example("finch")]
"""The name of another player than the one whom an object is about."""

NextCursor = Annotated[str, example("WzE2MTIsNDJd")]
"""The `cursor` of the next page of a ranking."""

Move = Annotated[str, example("e5")]
"""A move in the notation of its game."""

Position = Annotated[str, example("9/9/9/9/9/2b6/9/9/9 w 0")]
"""A position in the notation of its game."""

Score = Annotated[Mapping[str, float], example({"black": 4, "white": 1.5})]
"""What each side has."""

Rating = Annotated[int, example(1612)]
"""A rating, rounded."""

Text = Annotated[str, example("We play on Sundays.")]
"""What somebody has written; may be empty."""
