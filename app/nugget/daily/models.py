"""Tables of the boards of the day, and of the tries at them."""

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKeyConstraint, Index, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Handover, Personal
from app.play.days.models import DayTried, DrawnDay


class NuggetDay(DrawnDay, Base):
    """A day and its seed; `best` is the computer's solution as forces."""

    __tablename__ = "nugget_days"


class DayTry(DayTried, Base):
    """An account's try at the board of a day: its moves, made and undone, as in `RunBoard`.

    `solution` is what was handed in, with `solved_in` moves; it is played on for fun. `version` guards every
    write, and `last_request` and `last_refusal` are as in `Run`.
    """

    __tablename__ = "nugget_day_tries"
    __personal__ = Personal(OWN, KEEP, handover=Handover.UNLESS_KNOWN)

    moves: Mapped[str] = mapped_column(server_default="")
    undone: Mapped[str] = mapped_column(server_default="")
    version: Mapped[int] = mapped_column(server_default=text("0"))
    last_request: Mapped[UUID | None]
    last_refusal: Mapped[dict[str, Any] | None]
    solved_in: Mapped[int | None] = mapped_column(SmallInteger)

    __table_args__ = (
        ForeignKeyConstraint(["day"], ["nugget_days.day"]),
        Index(
            "ix_nugget_day_tries_rank",
            "day",
            "solved_in",
            "found_at",
            "account_id",
            postgresql_where=text("solved_in IS NOT NULL"),
        ),
    )
