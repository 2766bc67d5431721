"""Tables of achievements, and of how far games have been judged."""

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, OWN, Handover, Personal


class Award(Base):
    """An achievement of an account, and the earliest proof: `game:ID` or `entry:ID`."""

    __tablename__ = "awards"
    __personal__ = Personal(OWN, KEEP, handover=Handover.ONCE)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    achievement: Mapped[str] = mapped_column(primary_key=True)
    proof: Mapped[str]
    earned_at: Mapped[datetime]


class AwardMark(Base):
    """The moment up to which games and entries have been judged, in the only row."""

    __tablename__ = "award_marks"

    judged_until: Mapped[datetime] = mapped_column(primary_key=True)
