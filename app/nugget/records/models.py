"""The table of records of Golden Nugget, and how they changed."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Personal


class RecordChange(Base):
    """An entry has fewer moves than were known: on a board as it is played, or on the first boards together.

    `kind` is `board` or `mean`, `number` that of the board or of the first boards; `players` says among whom:
    `people` or `everybody`. Of all rows that agree in these, the one with the fewest `moves` is the record,
    and it was taken from the next one. `holders` counts the players who have that record now. All of this
    follows from the entries (app/nugget/records/keeping.py).
    """

    __tablename__ = "nugget_record_changes"
    __personal__ = Personal(OWN, KEEP)

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    players: Mapped[str]
    kind: Mapped[str]
    number: Mapped[int] = mapped_column(SmallInteger)
    moves: Mapped[int] = mapped_column(SmallInteger)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    entry_id: Mapped[str] = mapped_column(ForeignKey("nugget_entries.id"), index=True)
    at: Mapped[datetime]
    holders: Mapped[int] = mapped_column(server_default=text("1"))

    __table_args__ = (
        Index("ix_nugget_record_changes_record", "players", "kind", "number", "moves", unique=True),
        Index("ix_nugget_record_changes_at", "players", "at"),
    )
