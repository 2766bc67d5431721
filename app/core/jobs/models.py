"""The table of job results. PgQueuer's own tables have no models; a migration creates them."""

from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class JobResult(Base):
    """The result of a job, stored under the job's key for everyone who asked for it."""

    __tablename__ = "job_results"

    key: Mapped[str] = mapped_column(primary_key=True)
    result: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
