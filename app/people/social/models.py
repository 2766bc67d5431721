"""The table of relations between players."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Handover, Personal


class RelationRow(Base):
    """An account's relation to another one; see `app.people.social.relations`."""

    __tablename__ = "relations"
    __personal__ = Personal(("account_id", "other_id"), exported_by=OWN, handover=Handover.ONCE)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    relation: Mapped[str] = mapped_column(primary_key=True)
    other_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    since: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("relation IN ('follow', 'mute', 'block')", name="relation"),
        CheckConstraint("account_id <> other_id", name="other"),
        Index("ix_relations_other_id_relation", "other_id", "relation"),
    )
