"""Tables of games and their moves."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class Game(Base):
    """One game as it stands now. `players` sit in the order of the game's sides.

    `version` grows with every change of the row and guards every write; `ply` counts the turns taken.
    """

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[dict[str, int]]
    status: Mapped[str]
    first_player: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    second_player: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    version: Mapped[int] = mapped_column(server_default=text("0"))
    ply: Mapped[int] = mapped_column(server_default=text("0"))
    position: Mapped[str]
    winner: Mapped[str | None]
    termination: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("status IN ('started', 'finished', 'aborted')", name="status"),
        Index("ix_games_first_player", "first_player", "updated_at"),
        Index("ix_games_second_player", "second_player", "updated_at"),
    )


class Move(Base):
    """One ply of a game. `move_id` is the client's own, to know a retry by; the server's plies have none."""

    __tablename__ = "moves"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    move: Mapped[str]
    move_id: Mapped[UUID | None]
    played_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (UniqueConstraint("game_id", "move_id"),)
