"""The table of what is said beside games."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class ChatMessage(Base):
    """A text or a greeting in a room of a game's chat."""

    __tablename__ = "chat_messages"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"))
    room: Mapped[str]
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    text: Mapped[str | None]
    greeting: Mapped[str | None]
    at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("room IN ('players', 'spectators')", name="room"),
        CheckConstraint("(text IS NULL) <> (greeting IS NULL)", name="words"),
        Index("ix_chat_messages_game_id_room_id", "game_id", "room", "id"),
    )
