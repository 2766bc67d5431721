"""The table of challenges."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import KEEP, Handover, Personal


class Challenge(Base):
    """An offer to play.

    `kind` says who may accept: open (anybody in the lobby), link (anybody who has the URL) or direct (one
    opponent). `rating_min` and `rating_max`, where set, limit the rating of the player who accepts. With
    `casual_with_guests` a rated one is casual for a guest who accepts. A rematch has the finished game in
    `rematch_of`.
    """

    __tablename__ = "challenges"
    __personal__ = Personal(("maker_id", "opponent_id"), KEEP, handover=Handover.CHOSEN)

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[dict[str, int]]
    kind: Mapped[str]
    maker_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    opponent_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    side: Mapped[str]
    status: Mapped[str]
    rated: Mapped[bool] = mapped_column(server_default=text("false"))
    casual_with_guests: Mapped[bool] = mapped_column(server_default=text("false"))
    time_control: Mapped[dict[str, Any] | None]
    rating_min: Mapped[int | None]
    rating_max: Mapped[int | None]
    decline_reason: Mapped[str | None]
    rematch_of: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("kind IN ('open', 'link', 'direct')", name="kind"),
        CheckConstraint("(kind = 'direct') = (opponent_id IS NOT NULL)", name="opponent"),
        CheckConstraint("status IN ('open', 'accepted', 'declined', 'cancelled', 'expired')", name="status"),
        Index(
            "ix_challenges_lobby", "created_at", postgresql_where=text("status = 'open' AND kind = 'open'")
        ),
        Index("ix_challenges_open", "maker_id", postgresql_where=text("status = 'open'")),
    )
