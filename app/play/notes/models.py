"""The table of notes."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal


class GameNote(Base):
    """What a player has written about a game for nobody else to see."""

    __tablename__ = "game_notes"
    __personal__ = Personal(OWN, handover=Handover.WITH_GAMES)

    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    text: Mapped[str]
