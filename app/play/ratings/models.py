"""Tables of ratings, of those by speed, and of their changes."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Personal


class PlayerRating(Base):
    """An account's rating at one game, after `games` rated games; `opponents` are different proven ones.

    A trigger notes each change for the ratings by speed, in `SpeedsDue`.
    """

    __tablename__ = "ratings"
    __personal__ = Personal(OWN, KEEP)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    rating: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    games: Mapped[int]
    opponents: Mapped[int] = mapped_column(server_default=text("0"))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())

    # With all that decides whether a rating is settled, so that counts read the index only.
    __table_args__ = (
        Index(
            "ix_ratings_places",
            "game",
            text("rating DESC"),
            "account_id",
            postgresql_include=["deviation", "volatility", "games", "opponents", "updated_at"],
        ),
    )


class SpeedRating(Base):
    """An account's rating at one game and speed, by the last games that counted (`app.play.ratings.speeds`).

    The columns mean what they do in `PlayerRating`; `updated_at` is the end of the last of these games.
    """

    __tablename__ = "speed_ratings"
    __personal__ = Personal(OWN, KEEP)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    speed: Mapped[str] = mapped_column(primary_key=True)
    rating: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float]
    games: Mapped[int]
    opponents: Mapped[int]
    updated_at: Mapped[datetime]

    __table_args__ = (
        Index(
            "ix_speed_ratings_places",
            "game",
            "speed",
            text("rating DESC"),
            "account_id",
            postgresql_include=["deviation", "volatility", "games", "opponents", "updated_at"],
        ),
    )


class SpeedsDue(Base):
    """An account's rating at a game that has changed: the ratings by speed beside it have to be computed.

    Rows of the same rating are committed in the order of their ids, since writers lock the rating.
    """

    __tablename__ = "speeds_due"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int]
    game: Mapped[str]


class RatingChange(Base):
    """How one rated game changed one player's rating; `deviation` and `volatility` are those after the game.

    `volatility` is None in rows that are older than the column. `counted` says whether the result has counted
    for the player, `counted_in` in which later game if it had to wait (see `app.play.ratings.counting`).
    """

    __tablename__ = "rating_changes"
    __personal__ = Personal(OWN, KEEP)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    game: Mapped[str]
    before: Mapped[float]
    after: Mapped[float]
    deviation: Mapped[float]
    volatility: Mapped[float | None]
    changed_at: Mapped[datetime] = mapped_column(server_default=func.now())
    counted: Mapped[bool] = mapped_column(server_default=text("true"))
    counted_in: Mapped[str | None]

    __table_args__ = (
        Index("ix_rating_changes_account", "account_id", "game", "changed_at"),
        Index(
            "ix_rating_changes_waiting",
            "account_id",
            "game",
            "changed_at",
            postgresql_where=text("NOT counted"),
        ),
    )
