"""The evaluated positions of reviewed games."""

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class GameReview(Base):
    """A game of which a review was requested, last at `requested_at`."""

    __tablename__ = "game_reviews"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    requested_at: Mapped[datetime] = mapped_column(server_default=func.now())


class ReviewedPly(Base):
    """The computer's evaluation of the position after a ply of a game (0: the first position).

    The values are those of `engine.review.Evaluation`.
    """

    __tablename__ = "reviewed_plies"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    best: Mapped[str]
    points: Mapped[float]
    played: Mapped[float | None]
    is_exact: Mapped[bool]
