"""Tables of messages between players."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Identity, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal
from app.core.database.written import Written
from app.core.i18n.text import _
from app.site.messages.events import MessageRemoved


class PrivateMessage(Base):
    """A text from one player to another."""

    __tablename__ = "messages"
    __personal__ = Personal(("author_id", "reader_id"))
    __written__ = Written(
        kind="message",
        noun=_("Message"),
        author="author_id",
        empty={"text": ""},
        readable=lambda messages, account_id: messages.reader_id == account_id,
        page_of_moderators="/moderation/messages/{}",
        removed=lambda message: [MessageRemoved(message.author_id, message.reader_id, message.id)],
    )

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    author_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    reader_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    text: Mapped[str]
    at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("author_id <> reader_id", name="reader"),
        Index("ix_messages_author_id_reader_id_id", "author_id", "reader_id", "id"),
        Index("ix_messages_reader_id", "reader_id"),
    )


class MessageThread(Base):
    """What one player sees of the messages exchanged with another: the last one, and how many are unread.

    `is_own` says whether the player has written first.
    """

    __tablename__ = "message_threads"
    __personal__ = Personal(("account_id", "other_id"), exported_by=OWN)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    last_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), index=True)
    unread: Mapped[int] = mapped_column(server_default=text("0"))
    is_own: Mapped[bool]
    begun_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_message_threads_account_id_last_id", "account_id", "last_id"),)
