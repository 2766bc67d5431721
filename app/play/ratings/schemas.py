"""Ratings as the JSON API returns them."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BaseModel

from app.core.web.shown import ShownAs, example
from engine.glicko2 import Rating

RoundedRating = Annotated[Rating, ShownAs(int, lambda rating: round(rating.rating)), example(1612)]


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


_RATINGS = example({"jadejack": {"rating": 1712, "deviation": 64, "provisional": False, "games": 48}})

RatingsByGame = Annotated[dict[str, OwnRating], _RATINGS]

KnownRatings = Annotated[
    Mapping[str, tuple[Rating, int]],
    ShownAs(dict[str, OwnRating], lambda known: {game: OwnRating.of(*each) for game, each in known.items()}),
    _RATINGS,
]
"""Ratings by game, each with the number of rated games."""
