"""The table of games with a coach."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class CoachedGame(Base):
    """A casual game against the computer with a coach, and the ply at which it has warned last."""

    __tablename__ = "coached_games"

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    warned_ply: Mapped[int | None]
