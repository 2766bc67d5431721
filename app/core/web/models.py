"""The tables of actions counted against rate limits, and of requests that were carried out."""

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class ThrottleCount(Base):
    """How often something was done since a window began, by the hash of what and of who did it.

    The table is unlogged: a crash of PostgreSQL empties it, which does no harm.
    """

    __tablename__ = "throttle_counts"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    key: Mapped[bytes] = mapped_column(primary_key=True)
    hits: Mapped[int]
    ends_at: Mapped[datetime]


class IdempotencyKey(Base):
    """A request that was carried out, by the digests of its key and of itself, and its encrypted answer.

    The key is claimed in the transaction that does what is requested (`app.core.database.once`), the answer
    stored before it is sent.
    """

    __tablename__ = "idempotency_keys"

    digest: Mapped[bytes] = mapped_column(primary_key=True)
    request: Mapped[bytes]
    answer: Mapped[bytes | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
