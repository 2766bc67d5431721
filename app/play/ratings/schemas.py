"""Ratings as the JSON API returns them."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BaseModel

from app.core.web.shown import ShownAs, example
from app.play.ratings.counting import PlayersRating
from app.play.ratings.speeds import BySpeed
from engine.glicko2 import Rating

RoundedRating = Annotated[Rating, ShownAs(int, lambda rating: round(rating.rating)), example(1612)]


class OwnRating(BaseModel):
    """A player's rating at one game."""

    rating: int
    deviation: int
    provisional: bool
    games: int

    @classmethod
    def of(cls, rating: PlayersRating) -> Self:
        """Return a rating as the API shows it."""
        return cls(
            rating=round(rating.rating),
            deviation=round(rating.deviation),
            provisional=rating.is_provisional,
            games=rating.games,
        )


_RATINGS = example({"jadejack": {"rating": 1712, "deviation": 64, "provisional": False, "games": 48}})

RatingsByGame = Annotated[dict[str, OwnRating], _RATINGS]

KnownRatings = Annotated[
    Mapping[str, PlayersRating],
    ShownAs(dict[str, OwnRating], lambda known: {game: OwnRating.of(each) for game, each in known.items()}),
    _RATINGS,
]
"""Ratings by game, each with the number of rated games."""


class RatingsBySpeed(BaseModel):
    """A player's ratings by game and speed: blitz, rapid, or correspondence, which is also without a clock.

    Speeds without rated games are left out.
    """

    ratings: Annotated[
        dict[str, dict[str, OwnRating]],
        example(
            {"jadejack": {"rapid": {"rating": 1698, "deviation": 71, "provisional": False, "games": 31}}}
        ),
    ]

    @classmethod
    def of(cls, ratings: Mapping[str, BySpeed]) -> Self:
        """Return ratings by game and speed as the API shows them."""
        return cls(
            ratings={
                game: {speed: OwnRating.of(each) for speed, each in by_speed.items()}
                for game, by_speed in ratings.items()
            }
        )
