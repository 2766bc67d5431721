"""Ratings as the JSON API returns them."""

from typing import Annotated, Self

from pydantic import BaseModel

from app.core.web.shown import example
from engine.glicko2 import Rating


class OwnRating(BaseModel):
    """A player's rating at one game."""

    rating: int
    deviation: int
    provisional: bool
    games: int

    @classmethod
    def of(cls, rating: Rating, games: int) -> Self:
        """Return a rating after a number of rated games as the API shows it."""
        return cls(
            rating=round(rating.rating),
            deviation=round(rating.deviation),
            provisional=rating.is_provisional,
            games=games,
        )


RatingsByGame = Annotated[
    dict[str, OwnRating],
    example({"jadejack": {"rating": 1712, "deviation": 64, "provisional": False, "games": 48}}),
]
