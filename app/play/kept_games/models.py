"""The table of kept games."""

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal


class KeptGameRow(Base):
    """That an account has kept a game."""

    __tablename__ = "kept_games"
    __personal__ = Personal(OWN, handover=Handover.ONCE)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    kept_at: Mapped[datetime] = mapped_column(server_default=func.now())
