"""The servers that this one is a witness of, and the heads of their ledgers that it has seen."""

from datetime import datetime

from sqlalchemy import ForeignKey, Identity, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class WitnessedServer(Base):
    """A server by its address. Its keys (base64url) are those that it published when it answered first.

    One that is removed is asked no more; what was seen of it stays. `failures` counts how often it has given
    no answer since the last one, and `problem` says why. `heads` and `conflicts` are how many rows it has of
    either kind.
    """

    __tablename__ = "nugget_witnessed_servers"

    id: Mapped[str] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(unique=True)
    added_at: Mapped[datetime] = mapped_column(server_default=func.now())
    removed_at: Mapped[datetime | None]
    public_keys: Mapped[list[str]] = mapped_column(server_default="{}")
    asked_at: Mapped[datetime | None]
    answered_at: Mapped[datetime | None]
    failures: Mapped[int] = mapped_column(server_default=text("0"))
    problem: Mapped[str | None]
    heads: Mapped[int] = mapped_column(server_default=text("0"))
    conflicts: Mapped[int] = mapped_column(server_default=text("0"))


class WitnessedHead(Base):
    """A head as it was published, and when it was seen first. Rows are only added.

    `conflict` says how it contradicts what was seen before, if it does.
    """

    __tablename__ = "nugget_witnessed_heads"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    server_id: Mapped[str] = mapped_column(ForeignKey("nugget_witnessed_servers.id"))
    number: Mapped[int]
    hash: Mapped[str]
    signed_at: Mapped[str]
    key_id: Mapped[str]
    signature: Mapped[str]
    conflict: Mapped[str | None]
    seen_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        Index(
            "ix_nugget_witnessed_heads_number",
            "server_id",
            "number",
            unique=True,
            postgresql_where=text("conflict IS NULL"),
        ),
        Index("ix_nugget_witnessed_heads_server", "server_id", "id"),
    )
