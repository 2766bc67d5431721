"""The evaluated positions of reviewed games."""

from datetime import datetime

from sqlalchemy import ForeignKey, SmallInteger, Text, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class GameReview(Base):
    """A game of which a review was requested, last at `requested_at`."""

    __tablename__ = "game_reviews"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    requested_at: Mapped[datetime] = mapped_column(server_default=func.now())


class ReviewedPly(Base):
    """The computer's evaluation of the position after a ply of a game (0: the first position).

    The values are those of `engine.review.Evaluation`; in a game for one `points` is the score that can be
    reached, with the moves of `line`.
    """

    __tablename__ = "reviewed_plies"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    best: Mapped[str]
    points: Mapped[float]
    played: Mapped[float | None]
    is_exact: Mapped[bool]
    line: Mapped[list[str] | None] = mapped_column(ARRAY(Text))


class ReviewedPush(Base):
    """How the computer would solve a board of an entry after a number of its moves.

    `forces` is None until a worker has looked.
    """

    __tablename__ = "nugget_reviewed_pushes"

    entry_id: Mapped[str] = mapped_column(
        ForeignKey("nugget_entries.id", ondelete="CASCADE"), primary_key=True
    )
    board: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    ply: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    forces: Mapped[str | None]
