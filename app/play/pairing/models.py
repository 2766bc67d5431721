"""The table of searches."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.database.base import Base
from app.core.database.personal import OWN, Personal


class Search(Base):
    """What a player looks for, or looked for last: any of the `wanted` games, with whoever fits.

    It is under way until `until`, which signs of life put off, or until a game of the player begins: that is
    `game_id`. The other columns mean what they do in a challenge.
    """

    __tablename__ = "searches"
    __personal__ = Personal(OWN)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    wanted: Mapped[list[Any]] = mapped_column(JSONB)
    rated: Mapped[bool] = mapped_column(server_default=text("false"))
    casual_with_guests: Mapped[bool] = mapped_column(server_default=text("false"))
    rating_min: Mapped[int | None]
    rating_max: Mapped[int | None]
    began_at: Mapped[datetime] = mapped_column(server_default=func.now())
    until: Mapped[datetime] = mapped_column(index=True)
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
