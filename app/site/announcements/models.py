"""The table of the announcement."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class Announcement(Base):
    """A single row: the text by language, and when it ends."""

    __tablename__ = "announcements"

    single: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    texts: Mapped[dict[str, Any]]
    ends_at: Mapped[datetime]

    __table_args__ = (CheckConstraint("single", name="one_row"),)
