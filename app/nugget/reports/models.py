"""How players found what they entered in competitions, in their own words."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal
from app.core.database.written import Written
from app.core.i18n.text import _


class Method(Base):
    """A player's description of the method, shown in the final report of a competition."""

    __tablename__ = "nugget_methods"
    __personal__ = Personal(OWN)
    __written__ = Written(kind="method", noun=_("Method"), empty={"text": ""})

    id: Mapped[str] = mapped_column(primary_key=True)
    competition_id: Mapped[str] = mapped_column(ForeignKey("nugget_competitions.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    text: Mapped[str]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        UniqueConstraint("competition_id", "account_id"),
        Index("ix_nugget_methods_listed", "competition_id", "updated_at", "id"),
    )
