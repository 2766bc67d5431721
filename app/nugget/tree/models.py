"""The table of the open tree."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base


class TreeStep(Base):
    """Board `number` of a published entry, which leads from a node to the `next` one.

    Nodes, and the other columns that are named alike, are those of engine.golden_nugget.tree.Step.
    `five` and `twenty` are the moves on this board and those that follow it, so many together; None if the
    entry ends before. `at` is when the entry was submitted. All of this follows from the entry; whether it is
    shown is decided where it is read.
    """

    __tablename__ = "nugget_tree"

    entry_id: Mapped[str] = mapped_column(ForeignKey("nugget_entries.id"), primary_key=True)
    number: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    node: Mapped[int] = mapped_column(BigInteger)
    next: Mapped[int] = mapped_column(BigInteger)
    blocks: Mapped[bytes]
    moves: Mapped[int] = mapped_column(SmallInteger)
    reached: Mapped[int] = mapped_column(SmallInteger)
    five: Mapped[int | None] = mapped_column(SmallInteger)
    twenty: Mapped[int | None] = mapped_column(SmallInteger)
    at: Mapped[datetime]

    __table_args__ = (
        Index("ix_nugget_tree_reached", "next", "reached", "at"),
        Index("ix_nugget_tree_moves", "node", "moves", "next", "at"),
        Index("ix_nugget_tree_five", "node", "five", "at", postgresql_where=text("five IS NOT NULL")),
        Index("ix_nugget_tree_twenty", "node", "twenty", "at", postgresql_where=text("twenty IS NOT NULL")),
    )
