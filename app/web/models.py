"""The table of actions counted against rate limits."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class ThrottleCount(Base):
    """How often something was done since a window began, by the hash of what and of who did it.

    The table is unlogged: a crash of PostgreSQL empties it, which does no harm.
    """

    __tablename__ = "throttle_counts"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    key: Mapped[bytes] = mapped_column(primary_key=True)
    hits: Mapped[int]
    ends_at: Mapped[datetime]
