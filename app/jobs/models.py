"""The table of work."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, SmallInteger, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class Job(Base):
    """A piece of work, named by what it is about, so that asking for it twice makes one job.

    It may be claimed from `claimable_at` on: a claim moves that into the future, and a worker that dies never
    ends the job, so that another one claims it then. `attempts` counts the claims.
    """

    __tablename__ = "jobs"

    key: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    payload: Mapped[dict[str, Any]]
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    claimable_at: Mapped[datetime] = mapped_column(server_default=func.now())
    done_at: Mapped[datetime | None]
    result: Mapped[dict[str, Any] | None]

    __table_args__ = (
        Index("ix_jobs_waiting", "claimable_at", postgresql_where=text("done_at IS NULL")),
        Index("ix_jobs_done", "done_at", postgresql_where=text("done_at IS NOT NULL")),
    )
