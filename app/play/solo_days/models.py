"""Tables of the boards of the day of the games for one, and of the tries at them."""

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Handover, Personal
from app.play.days.models import DayTried, DrawnDay


class SoloDay(DrawnDay, Base):
    """A day of a game and its seed; `best` is the computer's game as squares, the first one included."""

    __tablename__ = "solo_days"

    game: Mapped[str] = mapped_column(primary_key=True)


class SoloDayTry(DayTried, Base):
    """An account's try at the board of a day: a game of its own, which goes on for fun when it has counted.

    `solution` is the position that was handed in, with its points and its tie-break, as in `Score`.
    """

    __tablename__ = "solo_day_tries"
    __personal__ = Personal(OWN, KEEP, handover=Handover.UNLESS_KNOWN)

    game: Mapped[str] = mapped_column(primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), unique=True)
    points: Mapped[int | None] = mapped_column(SmallInteger)
    tie_break: Mapped[int | None] = mapped_column(SmallInteger)

    __table_args__ = (
        ForeignKeyConstraint(["day", "game"], ["solo_days.day", "solo_days.game"]),
        Index(
            "ix_solo_day_tries_rank",
            "game",
            "day",
            text("points DESC"),
            "tie_break",
            "found_at",
            "account_id",
            postgresql_where=text("found_at IS NOT NULL"),
        ),
    )
