"""Tables of races."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Handover, Personal


class Race(Base):
    """A race at a solitaire game, from `created_at` to `ends_at`."""

    __tablename__ = "races"
    __personal__ = Personal(("maker_id",), KEEP)

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[dict[str, int]]
    maker_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    ends_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_races_ends_at", "ends_at"),)


class RaceGame(Base):
    """The game of one player in a race."""

    __tablename__ = "race_games"
    __personal__ = Personal(OWN, KEEP, handover=Handover.WITH_GAMES)

    race_id: Mapped[str] = mapped_column(ForeignKey("races.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), unique=True)
    joined_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_race_games_account", "account_id"),)
