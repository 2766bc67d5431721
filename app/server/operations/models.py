"""Tables of what operators look at: backups, and figures of the last day."""

from datetime import datetime

from sqlalchemy import BigInteger, Identity, func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class BackupNote(Base):
    """A backup that was written, or one whose restoring was tested: its file, and how long that took."""

    __tablename__ = "backup_notes"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    kind: Mapped[str]
    file: Mapped[str]
    bytes: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[datetime] = mapped_column(server_default=func.now())


class FigureSample(Base):
    """Figures of the status at one moment; `connections` are None while nobody can count them."""

    __tablename__ = "figure_samples"

    at: Mapped[datetime] = mapped_column(primary_key=True, server_default=func.now())
    games: Mapped[int]
    moves: Mapped[int]
    connections: Mapped[int | None]
    jobs: Mapped[int]
    database_bytes: Mapped[int] = mapped_column(BigInteger)
