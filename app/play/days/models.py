"""What the tables of boards of the day have in common."""

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column


class DrawnDay:
    """A day, in UTC, and the seed that its board is drawn from, which is secret until the day is over.

    `best` is the computer's solution, as moves; None until a worker has found one.
    """

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    seed: Mapped[bytes]
    best: Mapped[str | None]
    announced_at: Mapped[datetime] = mapped_column(server_default=func.now())


class DayTried:
    """An account's try at the board of a day; `solution` is what was handed in at `found_at`, if anything."""

    __tablename__: str

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    account_id: Mapped[int] = mapped_column(
        ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
    )
    solution: Mapped[str | None]
    found_at: Mapped[datetime | None]
