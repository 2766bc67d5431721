"""The table of the lessons that players have passed."""

from datetime import datetime

from sqlalchemy import ForeignKey, func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal


class LessonStep(Base):
    """A step of a course whose goal an account has reached."""

    __tablename__ = "lesson_steps"
    __personal__ = Personal(OWN, handover=Handover.ONCE)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    step: Mapped[str] = mapped_column(primary_key=True)
    passed_at: Mapped[datetime] = mapped_column(server_default=func.now())
