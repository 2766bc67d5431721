"""The table of commitments."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal


class Commitment(Base):
    """A commitment to a record file by its SHA-256, 64 hexadecimal digits.

    Once it is revealed it has the entry that was made of it, and the file as it was sent, which proves the
    commitment to everybody who may read the moves. Erasing an account erases the file, whose comments may be
    about the player.
    """

    __tablename__ = "nugget_commitments"
    __personal__ = Personal(OWN, {"file": None})

    id: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    competition_id: Mapped[str | None] = mapped_column(ForeignKey("nugget_competitions.id"))
    sha256: Mapped[str] = mapped_column(unique=True)
    committed_at: Mapped[datetime]
    entry_id: Mapped[str | None] = mapped_column(ForeignKey("nugget_entries.id"), unique=True)
    file: Mapped[bytes | None] = mapped_column(deferred=True)
    reminded_at: Mapped[datetime | None]

    __table_args__ = (
        Index("ix_nugget_commitments_account", "account_id", "committed_at"),
        Index("ix_nugget_commitments_competition", "competition_id", "committed_at"),
    )
