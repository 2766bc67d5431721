"""Tables of notifications, of the channels of accounts, and of what is to be sent."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Identity, Index, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal


class Notification(Base):
    """A line of an account's list. A new one of the same kind and subject replaces it.

    `subject` identifies what it is about, such as a game; `actor_id` is who did it.
    """

    __tablename__ = "notifications"
    __personal__ = Personal(("account_id", "actor_id"), exported_by=OWN, handover=Handover.ONCE)

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    kind: Mapped[str]
    subject: Mapped[str]
    actor_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    data: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
    read_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("account_id", "kind", "subject"),
        Index("ix_notifications_account_id_id", "account_id", "id"),
        Index(  # for `rename_subject` of the database
            "ix_notifications_named",
            text("split_part(subject, ':', 1)"),
            postgresql_where=text("data ? 'name'"),
        ),
    )


class NotificationChannel(Base):
    """What an account wants to get by a channel.

    `switches` has the position of each switch that was set; the others are on. Only an active channel can
    reach the account. `digest_at` is when the next daily digest is due.
    """

    __tablename__ = "notification_channels"
    __personal__ = Personal(OWN)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    channel: Mapped[str] = mapped_column(primary_key=True)
    is_active: Mapped[bool] = mapped_column(server_default=text("false"))
    switches: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    digest_at: Mapped[datetime | None]

    __table_args__ = (
        Index(
            "ix_notification_channels_digest_at", "digest_at", postgresql_where=text("digest_at IS NOT NULL")
        ),
    )


class Delivery(Base):
    """Something to send by a channel: a notification, or (by mail) another message, whose kind is its own.

    It is deleted when it has been sent. A process that sends it moves `due_at` on first, so that another one
    sends it only if that process dies. One that `is_held` is sent later, since its recipient has got enough.
    `first_failed_at` is when it first failed, and has failed since.
    """

    __tablename__ = "deliveries"
    __personal__ = Personal(OWN, exported_by=())

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    channel: Mapped[str]
    kind: Mapped[str]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    notification_id: Mapped[int | None] = mapped_column(ForeignKey("notifications.id", ondelete="CASCADE"))
    data: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    due_at: Mapped[datetime] = mapped_column(server_default=func.now())
    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    is_held: Mapped[bool] = mapped_column(server_default=text("false"))
    first_failed_at: Mapped[datetime | None]

    __table_args__ = (
        UniqueConstraint("notification_id", "channel"),
        Index("ix_deliveries_channel_due_at", "channel", "due_at"),
    )


class Sending(Base):
    """What a recipient, named by a hash, got lately; see `app.people.inbox.outbox`.

    `is_read` says that the reader knows what it was about; the notification may be gone by now.
    """

    __tablename__ = "sendings"
    __personal__ = Personal(("account_id", "actor_id"), exported_by=())

    delivery_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    recipient: Mapped[bytes]
    kind: Mapped[str]
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    actor_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    notification_id: Mapped[int | None]
    is_read: Mapped[bool] = mapped_column(server_default=text("false"))
    sent_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)

    __table_args__ = (Index("ix_sendings_recipient_kind_sent_at", "recipient", "kind", "sent_at"),)
