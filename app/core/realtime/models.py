"""Tables of connections and of the server's heartbeats."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, Identity, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class ProcessHeartbeat(Base):
    """A single row: when any process of the server was last alive. A gap means downtime.

    `beat_at` is by the server's time: PostgreSQL's clock plus `correction` (milliseconds), which is 0 unless
    that clock was set while the server ran.
    """

    __tablename__ = "heartbeat"

    single: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    beat_at: Mapped[datetime] = mapped_column(server_default=func.now())
    correction: Mapped[int] = mapped_column(server_default=text("0"))

    __table_args__ = (CheckConstraint("single", name="one_row"),)


class Process(Base):
    """A live server process; if its heartbeat stops, its connections count as closed."""

    __tablename__ = "processes"

    id: Mapped[UUID] = mapped_column(primary_key=True)
    beat_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Connection(Base):
    """An open page or stream: at a game (`place` is its id) or anywhere on the site (`place` is empty).

    A closed one is kept for a while, to know since when an account has been absent.
    """

    __tablename__ = "connections"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    process_id: Mapped[UUID] = mapped_column(index=True)
    account_id: Mapped[int | None] = mapped_column(index=True)
    place: Mapped[str] = mapped_column(index=True)
    left_at: Mapped[datetime | None]
