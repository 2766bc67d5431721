"""Tables of Golden Nugget: runs, competitions, entries, the ledger and standings."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    SmallInteger,
    func,
    not_,
    or_,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.hybrid import hybrid_method, hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Handover, Personal
from app.core.database.written import Written
from app.core.i18n.text import _


class Run(Base):
    """A run. `board` is the number of the board in play; `version` guards every write.

    `last_request` is made of the last commands and the client's id for them, and `last_refusal` is the first
    of them that was refused, so that a retry changes nothing and is answered as before.
    `hints` counts the moves that the computer suggested, `finished` the boards that it finished. Boards
    before `first_board` are from an entry of somebody else, after which the run was begun.
    """

    __tablename__ = "nugget_runs"
    __personal__ = Personal(OWN, handover=Handover.CHOSEN)

    id: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    name: Mapped[str]
    board: Mapped[int] = mapped_column(server_default=text("1"))
    version: Mapped[int] = mapped_column(server_default=text("0"))
    last_request: Mapped[UUID | None]
    last_refusal: Mapped[dict[str, Any] | None]
    hints: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    finished: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    first_board: Mapped[int] = mapped_column(SmallInteger, server_default=text("1"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_nugget_runs_account", "account_id", "updated_at"),)


class RunBoard(Base):
    """One board of a run: its blocks at the start, and its moves, made and undone, as `P7 54 L6`.

    `solved_in` is the number of moves of a solved board, None while it is unsolved.
    """

    __tablename__ = "nugget_boards"

    run_id: Mapped[str] = mapped_column(ForeignKey("nugget_runs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    start: Mapped[bytes]
    moves: Mapped[str] = mapped_column(server_default="")
    undone: Mapped[str] = mapped_column(server_default="")
    solved_in: Mapped[int | None] = mapped_column(SmallInteger)


class Competition(Base):
    """A competition between two moments; the scores of a `sealed` one are secret until it ends.

    One without an organiser is the server's own. `released_at` is when its end was dealt with: the entries
    were opened, and those of a sealed one added to the rankings of all entries. `awarded_at` is when the
    points of its season were decided, as none of its entries has been taken out since. `reason` is why its
    organiser ended it early, or cancelled it at `cancelled_at`.
    """

    __tablename__ = "nugget_competitions"
    __personal__ = Personal(("organiser_id",), KEEP)
    __written__ = Written(
        kind="competition",
        noun=_("Competition"),
        author="organiser_id",
        empty={"title": "Competition", "text": "", "reason": ""},
        form=".+",
        page="/nugget/competitions/{}",
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    organiser_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    title: Mapped[str]
    text: Mapped[str]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    min_boards: Mapped[int] = mapped_column(SmallInteger)
    max_boards: Mapped[int] = mapped_column(SmallInteger)
    visibility: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    released_at: Mapped[datetime | None]
    awarded_at: Mapped[datetime | None]
    cancelled_at: Mapped[datetime | None]
    reason: Mapped[str] = mapped_column(server_default="")

    __table_args__ = (
        # Later dates cannot be read, and one such row would break every list.
        CheckConstraint("starts_at > '1900-01-01' AND ends_at < '9000-01-01'", name="readable"),
        CheckConstraint("visibility IN ('open', 'sealed')", name="visibility"),
        CheckConstraint("starts_at < ends_at", name="dates"),
        CheckConstraint("20 <= min_boards AND min_boards <= max_boards AND max_boards <= 200", name="boards"),
    )

    @hybrid_method
    def is_sealed(self, at: datetime) -> bool:
        """Return whether the scores of its entries are secret at a moment."""
        return (self.visibility == "sealed") & (self.ends_at > at)


class Entry(Base):
    """An accepted entry. It never changes, except that its player may publish its moves and withdraw it.

    `counts` has the moves on each board, `record` the moves themselves. `record_sha256`, 64 hexadecimal
    digits, identifies them, however they were written; no two entries that are not withdrawn have the same.
    An entry is `assisted` if the computer helped, or if
    enough of its boards come from entries that the computer made or helped with. It is `common` if enough of
    its boards come from entries of other players; an assisted one may be that, too. `revealed_at` is set if
    its player had committed to it at `submitted_at`: nobody could know it before. `assisted_at` is when
    either was found out after it was accepted. `opened_at` is when everybody could read its moves because its
    competition was over; boards of later entries may come from it from then on. `is_in_tree` says whether the
    open tree has its boards, as those of published entries. `positions` are the keys of its landmarks, by
    which entries with common boards are found (engine.golden_nugget.lineage); None in rows that were not
    traced yet. `prefixes` are what the version before this one writes and compares.
    """

    __tablename__ = "nugget_entries"
    __personal__ = Personal(OWN, KEEP, secret=("positions", "prefixes"))

    id: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    competition_id: Mapped[str | None] = mapped_column(ForeignKey("nugget_competitions.id"), index=True)
    counts: Mapped[list[int]] = mapped_column(ARRAY(SmallInteger))
    mean_key: Mapped[int]
    record: Mapped[str]
    record_sha256: Mapped[str]
    submitted_at: Mapped[datetime]
    revealed_at: Mapped[datetime | None]
    assisted: Mapped[bool] = mapped_column(server_default=text("false"))
    common: Mapped[bool] = mapped_column(server_default=text("false"))
    assisted_at: Mapped[datetime | None]
    is_in_tree: Mapped[bool] = mapped_column(server_default=text("false"))
    published_at: Mapped[datetime | None]
    opened_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]
    positions: Mapped[list[int] | None] = mapped_column(ARRAY(BigInteger), deferred=True)
    prefixes: Mapped[list[bytes] | None] = mapped_column(ARRAY(LargeBinary), deferred=True)

    __table_args__ = (
        Index("ix_nugget_entries_submitted_at", "submitted_at"),
        Index(
            "ix_nugget_entries_record",
            "record_sha256",
            "withdrawn_at",
            unique=True,
            postgresql_nulls_not_distinct=True,
        ),
        # Whether a mean was the best one by its time is mostly decided without the entry.
        Index("ix_nugget_entries_means", "submitted_at", "mean_key"),
        # The entries of a competition are counted for its page.
        Index(
            "ix_nugget_entries_entered",
            "competition_id",
            postgresql_where=text("competition_id IS NOT NULL AND withdrawn_at IS NULL"),
        ),
        Index(
            "ix_nugget_entries_withdrawn_at",
            "withdrawn_at",
            postgresql_where=text("withdrawn_at IS NOT NULL"),
        ),
        Index(
            "ix_nugget_entries_assisted_at", "assisted_at", postgresql_where=text("assisted_at IS NOT NULL")
        ),
        Index(
            "ix_nugget_entries_revealed_at", "revealed_at", postgresql_where=text("revealed_at IS NOT NULL")
        ),
        Index("ix_nugget_entries_positions", "positions", postgresql_using="gin"),
        Index("ix_nugget_entries_to_trace", "submitted_at", postgresql_where=text("positions IS NULL")),
        Index("ix_nugget_entries_prefixes", "prefixes", postgresql_using="gin"),
        Index("ix_nugget_entries_untraced", "submitted_at", postgresql_where=text("prefixes IS NULL")),
        Index(
            "ix_nugget_entries_not_in_tree",
            "published_at",
            postgresql_where=text("published_at IS NOT NULL AND NOT is_in_tree"),
        ),
    )

    @hybrid_property
    def is_readable(self) -> bool:
        """Return whether its moves were published or opened. They may be sealed in spite of the former."""
        return self.published_at is not None or self.opened_at is not None

    @is_readable.inplace.expression
    @classmethod
    def _is_readable(cls) -> ColumnElement[bool]:
        return or_(cls.published_at.is_not(None), cls.opened_at.is_not(None))

    @hybrid_property
    def received_at(self) -> datetime:
        """Return when the server got its moves: at `submitted_at`, unless they were revealed later."""
        return self.revealed_at or self.submitted_at

    @received_at.inplace.expression
    @classmethod
    def _received_at(cls) -> ColumnElement[datetime]:
        return func.coalesce(cls.revealed_at, cls.submitted_at)

    @hybrid_property
    def is_own(self) -> bool:
        """Return whether it is its player's own work, and ranks as that."""
        return not (self.assisted or self.common)

    @is_own.inplace.expression
    @classmethod
    def _is_own(cls) -> ColumnElement[bool]:
        return not_(or_(cls.assisted, cls.common))


class Credit(Base):
    """How many boards of a common entry come from an account; the rest are its player's."""

    __tablename__ = "nugget_credits"
    __personal__ = Personal(OWN, KEEP)

    entry_id: Mapped[str] = mapped_column(ForeignKey("nugget_entries.id"), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
    boards: Mapped[int] = mapped_column(SmallInteger)


class RecordDraft(Base):
    """A record that a guest wants to submit, and the id of the competition that it is for, or ""."""

    __tablename__ = "nugget_drafts"
    __personal__ = Personal(OWN, handover=Handover.UNLESS_KNOWN)

    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    record: Mapped[str]
    competition: Mapped[str]
    kept_at: Mapped[datetime] = mapped_column(server_default=func.now())


class HelpedPosition(Base):
    """A position that the computer helped with, or to which its moves lead, as its key.

    See engine.golden_nugget.positions.
    """

    __tablename__ = "nugget_helped_positions"

    key: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    helped_at: Mapped[datetime] = mapped_column(server_default=func.now())


class HelpedBoard(Base):
    """What the version before this one remembers instead: a hash of the ends of boards up to a helped one."""

    __tablename__ = "nugget_helped_boards"

    prefix: Mapped[bytes] = mapped_column(primary_key=True)
    helped_at: Mapped[datetime] = mapped_column(server_default=func.now())


class LedgerLink(Base):
    """A link of the public ledger: its line as it is exported, its hash, and what it is about.

    The version before this one cannot read commitments and reveals, but goes on from the last link. Those
    are in `newer`, with a receipt in `line` that has no name and the same sequence and hashes.
    """

    __tablename__ = "nugget_ledger"

    sequence: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entry_id: Mapped[str | None] = mapped_column(ForeignKey("nugget_entries.id"), index=True)
    commitment_id: Mapped[str | None] = mapped_column(ForeignKey("nugget_commitments.id"), index=True)
    hash: Mapped[str]
    line: Mapped[str]
    newer: Mapped[str | None]

    @hybrid_property
    def text(self) -> str:
        """Return the line as it is exported."""
        return self.newer or self.line

    @text.inplace.expression
    @classmethod
    def _text(cls) -> ColumnElement[str]:
        return func.coalesce(cls.newer, cls.line)


class Standing(Base):
    """A player's best entry in one ranking: `everybody:all`, `people:2026`, `computers:50`, `competition:ID`.

    A smaller `mean_key` (engine.golden_nugget.ranking.Mean.key) is better, then a smaller `fewer_boards`
    (minus the number of boards), then smaller `last_boards` (the moves from the last board back).
    """

    __tablename__ = "nugget_standings"
    __personal__ = Personal(OWN, KEEP)

    ranking: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True, index=True)
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
        # A prefix of the index above, and a tenth of its size: most of a rank is a count of smaller means.
        Index("ix_nugget_standings_mean", "ranking", "mean_key", postgresql_include=["account_id"]),
    )
