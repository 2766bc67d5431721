"""Tables of reports and of what moderators did."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Identity, Index, func
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal


class Report(Base):
    """A report about an account: by a player, or by the server itself, without a `reporter_id`.

    `place` is what it is about (see `places.py`), `quote` the text that was there. An answer to
    a moderator's action is a report about the account by itself.
    """

    __tablename__ = "reports"
    __personal__ = Personal(
        ("account_id", "reporter_id"), exported_by=("reporter_id",), secret=("closed_by", "quote")
    )

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    reporter_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    reason: Mapped[str]
    place: Mapped[str]
    text: Mapped[str]
    quote: Mapped[str] = mapped_column(server_default="")
    reported_at: Mapped[datetime] = mapped_column(server_default=func.now())
    closed_at: Mapped[datetime | None]
    closed_by: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)

    __table_args__ = (
        Index(
            "uq_reports_open",
            "account_id",
            "reporter_id",
            "reason",
            "place",
            unique=True,
            postgresql_where=sql("closed_at IS NULL"),
            postgresql_nulls_not_distinct=True,
        ),
        Index("ix_reports_open", "reported_at", postgresql_where=sql("closed_at IS NULL")),
    )


class ModerationAction(Base):
    """A line of the log of moderation: what a moderator did about an account, and why.

    PostgreSQL refuses to change or delete it; only its texts are removed once the account is erased.
    """

    __tablename__ = "moderation_actions"
    __personal__ = Personal(OWN, {"reason": "", "details": {}}, secret=("moderator_id",))

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=func.now())
    moderator_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    action: Mapped[str]
    reason: Mapped[str]
    details: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
