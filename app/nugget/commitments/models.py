"""The table of commitments."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, Index, exists
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Personal
from app.core.database.written import Written
from app.core.i18n.text import _
from app.nugget.models import Entry


def _is_readable(columns: Any, _account_id: int) -> ColumnElement[bool]:
    """Return the condition that everybody may read the entry that was revealed."""
    return exists().where(Entry.id == columns.entry_id, Entry.is_readable, Entry.withdrawn_at.is_(None))


class Commitment(Base):
    """A commitment to a record file by its SHA-256, 64 hexadecimal digits.

    Once it is revealed it has the entry that was made of it, and the file as it was sent, which proves the
    commitment to everybody who may read the moves. Its comments may say anything: that of a player who is
    muted is not kept, and one that was removed or erased is empty.
    """

    __tablename__ = "nugget_commitments"
    __personal__ = Personal(OWN, KEEP)
    __written__ = Written(
        kind="commitment",
        noun=_("Sealed file"),
        empty={"file": b""},
        readable=_is_readable,
        page="/nugget/commitments/{}",
    )

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
