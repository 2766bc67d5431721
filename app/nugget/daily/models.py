"""Tables of the boards of the day, and of the tries at them."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import Date, ForeignKey, Index, SmallInteger, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal


class NuggetDay(Base):
    """A day, in UTC, and the seed that its board is drawn from, which is secret until the day is over.

    `best` is the computer's solution, as forces; None until a worker has found one.
    """

    __tablename__ = "nugget_days"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    seed: Mapped[bytes]
    best: Mapped[str | None]
    announced_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DayTry(Base):
    """An account's try at the board of a day: its moves, made and undone, as in `RunBoard`.

    `solution` is what was handed in at `found_at`, with `solved_in` moves; it is played on for fun.
    `version` guards every write, and `last_request` is the client's id of the last commands.
    """

    __tablename__ = "nugget_day_tries"
    __personal__ = Personal(OWN, handover=Handover.UNLESS_KNOWN)

    day: Mapped[date] = mapped_column(ForeignKey("nugget_days.day"), primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    )
    moves: Mapped[str] = mapped_column(server_default="")
    undone: Mapped[str] = mapped_column(server_default="")
    version: Mapped[int] = mapped_column(server_default=text("0"))
    last_request: Mapped[UUID | None]
    solution: Mapped[str | None]
    solved_in: Mapped[int | None] = mapped_column(SmallInteger)
    found_at: Mapped[datetime | None]

    __table_args__ = (
        Index(
            "ix_nugget_day_tries_rank",
            "day",
            "solved_in",
            "found_at",
            "account_id",
            postgresql_where=text("solved_in IS NOT NULL"),
        ),
    )
