"""Tables of the nightly dumps."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import Date, ForeignKey, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class Dump(Base):
    """The dump of a day; it has a manifest as soon as all of its files are written."""

    __tablename__ = "dumps"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    begun_at: Mapped[datetime] = mapped_column(server_default=func.now())
    manifest: Mapped[dict[str, Any] | None] = mapped_column(JSONB)


class DumpPart(Base):
    """A part of a file of a dump: every process can serve it, and nobody needs the whole file at once."""

    __tablename__ = "dump_parts"

    day: Mapped[date] = mapped_column(ForeignKey("dumps.day", ondelete="CASCADE"), primary_key=True)
    file: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    data: Mapped[bytes]
