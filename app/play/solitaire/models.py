"""Tables of races, and of the scores of solitaire games."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Handover, Personal


class Race(Base):
    """A race at a solitaire game, from `started_at` to `ends_at`.

    One that waits for its maker has not started yet; it will last some `minutes`, and is given up at
    `ends_at`.
    """

    __tablename__ = "races"
    __personal__ = Personal(("maker_id",), KEEP, handover=Handover.CHOSEN)

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[dict[str, int]]
    maker_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    minutes: Mapped[int | None]
    started_at: Mapped[datetime | None] = mapped_column(server_default=func.now())
    ends_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_races_ends_at", "ends_at"),)


class RacePlayer(Base):
    """A player of a race, with their game unless the race waits for its start."""

    __tablename__ = "race_games"
    __personal__ = Personal(OWN, KEEP, handover=Handover.WITH_GAMES)

    race_id: Mapped[str] = mapped_column(ForeignKey("races.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), unique=True)
    joined_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_race_games_account", "account_id"),)


class Score(Base):
    """The score of a submitted solitaire game; `is_best` marks an account's best one at a game and size.

    More `points` are better, then a smaller `tie_break` (the resets of Up And Up; 0 in games without one).
    """

    __tablename__ = "scores"
    __personal__ = Personal(OWN, KEEP)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    game: Mapped[str]
    size: Mapped[int]
    points: Mapped[int]
    tie_break: Mapped[int]
    undos: Mapped[int]
    is_best: Mapped[bool]
    submitted_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        Index("ix_scores_submitted_at", "submitted_at"),
        Index("ix_scores_best", "account_id", "game", "size", unique=True, postgresql_where=text("is_best")),
        Index(
            "ix_scores_ranking",
            "game",
            "size",
            text("points DESC"),
            "tie_break",
            "submitted_at",
            "game_id",
            postgresql_include=["account_id"],
            postgresql_where=text("is_best"),
        ),
    )
