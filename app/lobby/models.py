"""The table of challenges."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base


class Challenge(Base):
    """An offer to play. `kind` is open (anybody in the lobby), link (whoever has the URL) or direct."""

    __tablename__ = "challenges"

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    options: Mapped[dict[str, int]]
    kind: Mapped[str]
    maker_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    opponent_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    side: Mapped[str]
    status: Mapped[str]
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        CheckConstraint("kind IN ('open', 'link', 'direct')", name="kind"),
        CheckConstraint("(kind = 'direct') = (opponent_id IS NOT NULL)", name="opponent"),
        CheckConstraint("status IN ('open', 'accepted', 'declined', 'cancelled')", name="status"),
        Index(
            "ix_challenges_lobby", "created_at", postgresql_where=text("status = 'open' AND kind = 'open'")
        ),
    )
