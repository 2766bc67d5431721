"""Tables of exports."""

from datetime import datetime

from sqlalchemy import ForeignKey, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal


class Export(Base):
    """An export of an account's data: asked for, begun by a process, and done with `size` bytes."""

    __tablename__ = "exports"
    __personal__ = Personal(OWN)

    id: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    asked_at: Mapped[datetime] = mapped_column(server_default=func.now())
    begun_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]
    size: Mapped[int] = mapped_column(server_default=text("0"))


class ExportPart(Base):
    """A part of an export's ZIP file. Every process can serve it, and nobody needs the whole file at once."""

    __tablename__ = "export_parts"

    export_id: Mapped[str] = mapped_column(ForeignKey("exports.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    data: Mapped[bytes]
