"""Tables of runs, entries, the ledger, standings and competitions."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger, func, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class Run(Base):
    """A run being played. `board` is the number of the board being played; `version` guards every write.

    `hints` counts the moves that the computer named, `finished` the boards that it finished.
    """

    __tablename__ = "nugget_runs"

    id: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    name: Mapped[str]
    board: Mapped[int] = mapped_column(server_default=text("1"))
    version: Mapped[int] = mapped_column(server_default=text("0"))
    last_request: Mapped[UUID | None]
    hints: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    finished: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_nugget_runs_account", "account_id", "updated_at"),)


class RunBoard(Base):
    """One board of a run: the blocks at its start, the moves made (full records), those taken back."""

    __tablename__ = "nugget_boards"

    run_id: Mapped[str] = mapped_column(ForeignKey("nugget_runs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    start: Mapped[bytes]
    moves: Mapped[str] = mapped_column(server_default="")
    undone: Mapped[str] = mapped_column(server_default="")
    solved_in: Mapped[int | None] = mapped_column(SmallInteger)


class Competition(Base):
    """A dated competition. While it is sealed and open, only the number of its entries is told."""

    __tablename__ = "nugget_competitions"

    id: Mapped[str] = mapped_column(primary_key=True)
    organiser_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    title: Mapped[str]
    text: Mapped[str]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    min_boards: Mapped[int] = mapped_column(SmallInteger)
    max_boards: Mapped[int] = mapped_column(SmallInteger)
    visibility: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("visibility IN ('open', 'sealed')", name="visibility"),
        CheckConstraint("starts_at < ends_at", name="dates"),
        CheckConstraint("20 <= min_boards AND min_boards <= max_boards AND max_boards <= 200", name="boards"),
    )


class Entry(Base):
    """An accepted entry: immutable, but it may be published, and withdrawn.

    It is `assisted` when the computer helped with the run that it was made of.
    """

    __tablename__ = "nugget_entries"

    id: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    competition_id: Mapped[str | None] = mapped_column(ForeignKey("nugget_competitions.id"), index=True)
    counts: Mapped[list[int]] = mapped_column(ARRAY(SmallInteger))
    mean_key: Mapped[int]
    record: Mapped[str]
    digest: Mapped[str] = mapped_column(unique=True)
    submitted_at: Mapped[datetime]
    assisted: Mapped[bool] = mapped_column(server_default=text("false"))
    sealed_until: Mapped[datetime | None] = mapped_column(index=True)
    published_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]


class LedgerLink(Base):
    """A link of the public chain: its line, exactly as it is exported, and its hash."""

    __tablename__ = "nugget_ledger"

    sequence: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entry_id: Mapped[str] = mapped_column(ForeignKey("nugget_entries.id"), index=True)
    hash: Mapped[str]
    line: Mapped[str]


class Standing(Base):
    """A player's best entry in one ranking: `everybody:all`, `people:2026`, `computers:50`, `competition:ID`.

    The index has the ranking's order: exact mean, more boards, fewer moves on the last boards, the earlier.
    """

    __tablename__ = "nugget_standings"

    ranking: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    entry_id: Mapped[str] = mapped_column(ForeignKey("nugget_entries.id"), index=True)
    mean_key: Mapped[int]
    fewer_boards: Mapped[int] = mapped_column(SmallInteger)
    last_boards: Mapped[list[int]] = mapped_column(ARRAY(SmallInteger))
    submitted_at: Mapped[datetime]

    __table_args__ = (
        Index(
            "ix_nugget_standings_rank",
            "ranking",
            "mean_key",
            "fewer_boards",
            "last_boards",
            "submitted_at",
            "account_id",
        ),
        Index("ix_nugget_standings_mean", "ranking", "mean_key"),
    )
